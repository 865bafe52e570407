"""The page of every tool of the MCP servers."""

from collections.abc import Iterator
from typing import Any

from finplan.daemon.surfaces.mcp.docs_server import DOCS_TOOLS
from finplan.daemon.surfaces.mcp.tool_calls import asked_schema, input_schema
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.tool import AnyTool
from tests.handbook.reference.markdown import code, kind_of, meaning_of_field, table

OPENING = """\
# Tools for agents

Every tool that an agent is offered over MCP, with its arguments, the scope that it needs, and \
whether it \
changes anything. [Agents on your desktop](../agents.md) tells how an agent is given them.

Arguments are strict: what a tool does not know is refused. A credential that may only read is not \
offered \
what writes.

"""
EFFECTS = {
    "reads": "Reads; changes nothing.",
    "adds": "Writes: it adds something and takes nothing away.",
    "changes": "Writes: it changes what is there.",
}


def page_of_tools() -> str:
    """The page."""
    rows = ((code(each.name), each.title, _writes(each)) for each in TOOLS.values())
    parts = [OPENING, table(("tool", "what it is called", "writes"), rows), "\n"]
    parts += [_told(each) for each in TOOLS.values()]
    parts.append(
        "## Of the handbook\n\nThe server at `/mcp/docs` wants no credential and has these two.\n\n"
    )
    for each in DOCS_TOOLS.values():
        parts.append(f"### {each.name}\n\n**{each.title}.** {each.description}\n\n")
        parts.append(f"{_arguments(dict(asked_schema(each.asks)))}\n")
    return "".join(parts).rstrip("\n") + "\n"


def _writes(tool: AnyTool) -> str:
    return "no" if tool.effect == "reads" else "yes"


def _told(tool: AnyTool) -> str:
    rows = ", ".join(code(f"{each.method} {each.path}") for each in tool.rows)
    bank = " It reaches a bank." if tool.reaches_a_bank else ""
    return (
        f"## {tool.name}\n\n**{tool.title}.** {tool.description}\n\n"
        f"{EFFECTS[tool.effect]}{bank} Needs the scope `service:{tool.scope}`; asks {rows}.\n\n"
        f"{_arguments(dict(input_schema(tool)))}\n"
    )


def _arguments(schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    told = table(("argument", "needed", "kind", "meaning"), _rows(schema, needed))
    return told or "It takes no arguments.\n"


def _rows(schema: dict[str, Any], needed: Any) -> Iterator[tuple[str, ...]]:
    shapes = schema.get("$defs", {})
    for name, each in schema.get("properties", {}).items():
        shape = each["$ref"].rpartition("/")[2] if "$ref" in each else ""
        told = shapes.get(shape, each)
        if "properties" in told:
            yield code(name), _needed(name, needed), "object", meaning_of_field(each)
            continue
        yield code(name), _needed(name, needed), kind_of(told), meaning_of_field({**told, **each})


def _needed(name: str, needed: Any) -> str:
    return "yes" if name in needed else "no"

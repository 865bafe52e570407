"""The pages of the handbook that are made from the code, and the manual pages of each command.

Commands and options, settings of the machine and of a household, routes, events, errors and tools;
a page is Markdown, a manual page is made from what each command says of itself.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args

import typer

from finplan import __version__
from finplan.cli.app import COMMANDS, COMMANDS_BY_HEADING, root
from finplan.client.request import API_ROOT
from finplan.daemon import app
from finplan.daemon.surfaces.mcp.docs_server import DOCS_TOOLS
from finplan.daemon.surfaces.mcp.tool_calls import asked_schema
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.tool import Tool
from finplan.daemon.surfaces.openapi.answers import faults_of, meaning_of_fault
from finplan.daemon.surfaces.openapi.description import document, examples
from finplan.model.errors import Fault
from finplan.model.webhook import EVENT_SHAPES
from finplan.operation import Accepts, AnyOperation, Download, Streams, Upload
from finplan.operations.table import OPERATIONS
from finplan.service.authorization import agents
from finplan.settings import DEFAULT_UPLOAD_LIMIT, Settings


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without a last column that says nothing, or nothing where there are no rows."""
    cells = [[_cell(each) for each in row] for row in rows]
    if not cells:
        return ""
    columns = len(heads) if any(row[-1] for row in cells) else len(heads) - 1
    lines = [heads[:columns], ["---"] * columns, *(row[:columns] for row in cells)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: object) -> str:
    """A text as code."""
    return f"`{text}`"


def kind_of(schema: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    kinds = schema.get("anyOf") or schema.get("oneOf") or _each_kind(schema)
    if kinds:
        return " or ".join(dict.fromkeys(kind_of(each) for each in kinds))
    if "$ref" in schema:
        shape = str(schema["$ref"]).rpartition("/")[2]
        return shape.removesuffix("-Input").removesuffix("-Output")
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return ", ".join(code(_word(each)) for each in values if each is not None)
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if schema.get("format") == "date":
        return "day, YYYY-MM-DD"
    kind = str(schema.get("type", "anything"))
    return f"{_KINDS.get(kind, kind)}{'' if kind == 'null' else _bounds(schema)}"


def meaning_of_field(schema: dict[str, Any]) -> str:
    """What is told of a value, or of what it may be."""
    parts = [schema, *schema.get("anyOf", ()), schema.get("items", {})]
    said = next((each["description"] for each in parts if "description" in each), "")
    default = schema.get("default")
    if default in (None, [], ()):
        return str(said)
    return f"{said} Default: {code(_word(default))}.".strip()


_KINDS = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
}
_LARGEST = 2**53 - 1


def _each_kind(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The kinds of a value that names several, each with what is said of it."""
    kinds = schema.get("type")
    return [{**schema, "type": each} for each in kinds] if isinstance(kinds, list) else []


def _bounds(schema: dict[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None and most != _LARGEST:
        return f", {least} to {most}" if least is not None else f", at most {most}"
    if schema.get("maxLength") is not None:
        return f", at most {schema['maxLength']} characters"
    return ""


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


COMMANDS_OPENING = """\
# Commands and options

This page lists every command with its options and examples. `finplan COMMAND --help` shows the same \
text in the terminal.

Some commands are groups with subcommands, such as `finplan plan`. If a group has the subcommand \
`list`, the group's name alone runs that \
subcommand.

## Options that every command takes

You can put these options before or after the command.

"""
ENDING = """
## Exit codes

Scripts can check the exit code to see how a command ended.

| code | meaning |
|---|---|
| 0 | done |
| 1 | an error inside finplan |
| 2 | a usage error: an unknown option or command |
| 3 | bad input: a file or value that finplan cannot use |
| 4 | not found, or in conflict with existing data |
| 5 | not allowed |
| 6 | a bank reported an error, no bank is linked, or the system's keyring does not respond |
| 7 | the background service cannot be reached |
| 130 | interrupted with Ctrl-C |
"""
EVERYWHERE = frozenset({"--profile", "--demo", "--json", "--quiet", "--help"})
WIDE = 400
_KIND = re.compile(r"(?<=[A-Z]) <[A-Za-z\[\]]+>")
"""What kind of value an argument is, which its meaning tells."""


def page_of_commands() -> str:
    """The page."""
    whole = typer.main.get_command(root)
    context = typer.Context(whole, info_name="finplan")
    parts = [
        COMMANDS_OPENING,
        table(("option", "meaning"), _records(whole, context, everywhere=True)),
    ]
    for name, entry in COMMANDS.items():
        command = typer.main.get_command(entry.load(name))
        command.name = name
        parts.append("".join(_told_command(command, (name,), context)))
    return "".join(parts) + ENDING


def _told_command(command: Any, words: tuple[str, ...], above: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=words[-1], parent=above, max_content_width=WIDE)
    yield f"\n{'#' * (len(words) + 1)} finplan {' '.join(words)}\n\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"    {' '.join(usage.split())}\n\n{_help(command.help)}\n"
    options = table(("argument or option", "meaning"), _records(command, context, everywhere=False))
    if options:
        yield f"\n{options}"
    if command.epilog:
        yield f"\n{_examples(command.epilog)}"
    for name in getattr(command, "commands", {}):
        yield from _told_command(command.get_command(context, name), (*words, name), context)


def _help(text: str | None) -> str:
    return cleandoc(text or "").replace("\b\n", "").replace("<", "\\<")


def _records(command: Any, context: Any, *, everywhere: bool) -> Iterator[tuple[str, str]]:
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is None or bool(EVERYWHERE & set(each.opts)) is not everywhere:
            continue
        written, meaning = record
        yield code(_KIND.sub("", written).replace("|", "/")), meaning.strip()


def _examples(epilog: str) -> str:
    """The examples as a block of code; the first line is their heading."""
    lines = epilog.replace("\b", "").strip().splitlines()
    return "\n".join(f"    {line.strip()}" for line in lines[1:]) + "\n"


EXIT_CODES = (
    ("0", "done"),
    ("1", "an error inside finplan"),
    ("2", "a usage error"),
    ("3", "bad input: a file or value that finplan cannot use"),
    ("4", "not found, or in conflict with existing data"),
    ("5", "not allowed"),
    ("6", "a bank reported an error, no bank is linked, or the system's keyring does not respond"),
    ("7", "the background service cannot be reached"),
    ("130", "interrupted with Ctrl-C"),
)
VARIABLES = (
    ("FINPLAN_HOME", "the folder for all of finplan's files, instead of the XDG folders"),
    ("FINPLAN_PROFILE", "the profile to use if you do not set --profile"),
    ("FINPLAN_PORT", "the port of the background service"),
    (
        "FINPLAN_PAGER, PAGER",
        "the pager for long output; to use no pager, set the variable to cat or to an empty value",
    ),
)


def pages_of_the_manual() -> Mapping[str, str]:
    """Every page by its file's name."""
    whole: Any = typer.main.get_command(root)
    context = typer.Context(whole, info_name="finplan")
    pages = {"finplan.1": "".join(_of_the_program(whole, context))}
    for name, entry in COMMANDS.items():
        command: Any = typer.main.get_command(entry.load(name))
        command.name = name
        pages[f"finplan-{name}.1"] = "".join(_of_a_command(command, name, context))
    return pages


def _of_the_program(whole: Any, context: Any) -> Iterator[str]:
    yield _title("finplan")
    yield f".SH NAME\nfinplan \\- {_plain(_first(whole.help))}\n"
    yield ".SH SYNOPSIS\n.B finplan\n[OPTIONS] COMMAND [ARGS]...\n"
    yield ".SH DESCRIPTION\n" + _paragraphs(
        "Commands talk to a background service on this machine, which holds your data. They start the"
        " service when needed. If you run finplan without a command in a terminal, it shows a summary of"
        " your money."
    )
    for heading, entries in COMMANDS_BY_HEADING.items():
        yield f".SH {_plain(heading.upper())}\n"
        for name, each in entries.items():
            yield f".TP\n.BR finplan\\-{_plain(name)} (1)\n{_plain(each.summary)}\n"
    yield ".SH OPTIONS OF EVERY COMMAND\n" + _records_of_manual(whole, context, everywhere=True)
    yield ".SH EXIT STATUS\n" + _listed(EXIT_CODES)
    yield ".SH ENVIRONMENT\n" + _listed(VARIABLES)
    yield ".SH SEE ALSO\n" + _paragraphs(
        "The background service serves the handbook at /api/docs. `finplan open` opens finplan in your"
        " browser."
    )


def _of_a_command(command: Any, name: str, above: Any) -> Iterator[str]:
    yield _title(f"finplan-{name}")
    yield f".SH NAME\nfinplan\\-{_plain(name)} \\- {_plain(_first(command.help))}\n"
    yield from _told_in_manual(command, (name,), above)
    yield ".SH SEE ALSO\n.BR finplan (1)\n"


def _told_in_manual(command: Any, words: tuple[str, ...], above: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=words[-1], parent=above, max_content_width=WIDE)
    usage = " ".join(command.get_usage(context).removeprefix("Usage: ").split())
    if len(words) == 1:
        yield f".SH SYNOPSIS\n{_plain(usage)}\n.SH DESCRIPTION\n{_paragraphs(command.help)}"
    else:
        yield f".SH FINPLAN {_plain(' '.join(words).upper())}\n{_plain(usage)}\n"
        yield f".PP\n{_paragraphs(command.help)}"
    yield _records_of_manual(command, context, everywhere=False)
    if command.epilog:
        lines = command.epilog.replace("\b", "").strip().splitlines()[1:]
        yield ".PP\nExamples:\n.nf\n" + "".join(f"{_plain(each)}\n" for each in lines) + ".fi\n"
    for name in getattr(command, "commands", {}):
        yield from _told_in_manual(command.get_command(context, name), (*words, name), context)


def _title(name: str) -> str:
    return f'.TH "{_plain(name.upper())}" "1" "" "finplan {__version__}" "finplan"\n'


def _first(text: str | None) -> str:
    return cleandoc(text or "").partition("\n")[0].rstrip(".")


def _records_of_manual(command: Any, context: Any, *, everywhere: bool) -> str:
    told = []
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is not None and bool(EVERYWHERE & set(each.opts)) is everywhere:
            written, meaning = record
            told.append((_KIND.sub("", written), meaning.strip()))
    return _listed(told)


def _listed(told: Any) -> str:
    return "".join(f".TP\n.B {_plain(name)}\n{_plain(meaning)}\n" for name, meaning in told)


def _paragraphs(text: str | None) -> str:
    parts = cleandoc(text or "").replace("\b\n", "").split("\n\n")
    return ".PP\n".join(f"{_plain(' '.join(part.split()))}\n" for part in parts)


def _plain(text: str) -> str:
    """Text that the formatter takes as it is: no line begins with what it would take for a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


ROUTES_OPENING = f"""\
# Routes of the interface

This page lists every route of the REST interface with its method, path, scope, parameters and \
errors. Paths are relative to `{API_ROOT}` at your daemon's address. `/api/openapi.json` describes \
the same routes for programs. `/api/docs` describes them for people, with examples and the schemas of \
all responses. In the tables, a kind that begins with a capital letter is one of these schemas.

- **Scope.** An [API key](../access.md) or an [app](../programs.md) can have the scopes `read` and \
`write`. Only you can use routes with the scope `session`, on this machine's command line or in \
a browser in which you are signed in.
- **Limit.** You can send 120 requests a minute with each credential (`rate_limit` in the \
[settings](settings.md)). Further requests get a `429` response. `RateLimit-Remaining` in \
every response shows how many requests remain. If a route has another limit, its description says so.
- **Amounts** are whole numbers of minor units, such as cents. Days are `YYYY-MM-DD`, and times are \
milliseconds since 1970.
- **Errors** have [codes](errors.md). Any route may return `BAD_REQUEST`, `UNAUTHORIZED`, \
`FORBIDDEN`, `TOO_MANY_REQUESTS` or `INTERNAL_SERVER_ERROR`. Each route lists its other errors.
- **Once only.** You can send an `Idempotency-Key` with a request that changes data. If you repeat \
the same request with the same key within 24 hours, the change happens only once. The \
credential that sent the first request gets the same response again. If you send it with \
another credential of the same person, you get a 409 error.

"""
SCOPES = {"read": "`read`", "write": "`write`", "session": "`session`"}


def page_of_routes() -> str:
    """The page."""
    described = document(OPERATIONS, "http://127.0.0.1:8460")
    parts = [ROUTES_OPENING]
    for family in dict.fromkeys(row.family for row in OPERATIONS):
        parts.append(f"## {family.name}\n\n{family.about}\n\n")
        for row in OPERATIONS:
            if row.family == family:
                parts += _told_route(row, described)
    return "".join(parts).rstrip("\n") + "\n"


def _told_route(row: AnyOperation, described: dict[str, Any]) -> Iterator[str]:
    told = described["paths"][row.path][row.method.lower()]
    yield f"### {row.method} {row.path}\n\n{row.summary}\n\n"
    facts = [f"Scope {SCOPES[row.scope]}", f"`operationId` {code(row.name)}"]
    facts += list(_manner(row))
    own = [each.code for each in faults_of(row) if each in row.faults]
    if own:
        facts.append(f"errors {', '.join(map(code, own))}")
    yield f"{'; '.join(facts)}.\n"
    asked = table(("parameter", "where", "kind", "meaning"), _asked(told, described))
    yield f"\n{asked}\n" if asked else "\n"


def _manner(row: AnyOperation) -> Iterator[str]:
    """How it is asked or answered where that is otherwise than as JSON."""
    if isinstance(row.body, Upload):
        limit = f"at most {DEFAULT_UPLOAD_LIMIT // 2**20} MB in total (`upload_limit`)"
        yield f"takes files as a multipart form, {limit}"
    if isinstance(row.body, Download):
        yield f"returns a file: {', '.join(map(code, row.body.media_types))}"
    if isinstance(row.body, Streams):
        yield "returns server-sent events"
    if isinstance(row.body, Accepts):
        yield f"returns status 202 at once, and {code(row.body.at)} shows the progress"


def _asked(told: dict[str, Any], described: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for each in told["parameters"]:
        # What every route takes is told above.
        if "$ref" not in each:
            schema = each["schema"]
            told_of = meaning_of_field({**schema, "description": each["description"]})
            yield code(each["name"]), each["in"], kind_of(schema), told_of
    for content in told.get("requestBody", {}).get("content", {}).values():
        shape = content["schema"]["$ref"].rpartition("/")[2]
        for name, schema in described["components"]["schemas"][shape].get("properties", {}).items():
            yield code(name), "body", kind_of(schema), meaning_of_field(schema)


EVENTS_OPENING = """\
# Events

This page lists every event that finplan sends to webhooks, with its fields and an example. \
[Webhooks](../webhooks.md) explains how to register an address, how to verify a delivery, and when \
finplan retries a delivery.

Each delivery is a POST request whose JSON body has `type`, `timestamp` and `data`. Amounts are whole \
numbers in minor units of the household's currency, such as cents. Times within `data` are \
milliseconds since 1970.

"""


def example_of(kind: str) -> dict[str, Any]:
    """A delivery of a kind, of what the recorded examples of the interface hold."""
    return {"type": kind, "timestamp": "2026-03-18T12:00:00Z", "data": _data()[kind]}


def page_of_events() -> str:
    """The page."""
    return (EVENTS_OPENING + "".join(_told_event(shape) for shape in EVENT_SHAPES)).rstrip(
        "\n"
    ) + "\n"


def _told_event(shape: Any) -> str:
    (kind,) = get_args(shape.model_fields["type"].annotation)
    meaning = " ".join((shape.__doc__ or "").split())
    fields = table(("field", "kind", "meaning"), _fields(shape))
    example = json.dumps(example_of(kind), indent=2, ensure_ascii=False)
    about = " ".join((shape.model_fields["data"].annotation.__doc__ or "").split())
    return f"## {kind}\n\n{meaning} {about}\n\n{fields}\n```json\n{example}\n```\n\n"


def _fields(shape: Any) -> Iterator[tuple[str, str, str]]:
    schema = shape.model_json_schema(by_alias=True, mode="serialization")
    properties: Mapping[str, Any] = schema["properties"]
    shapes: Mapping[str, Any] = schema["$defs"]
    yield code("type"), kind_of(properties["type"]), "What happened."
    yield code("timestamp"), "time (ISO 8601)", meaning_of_field(properties["timestamp"])
    yield from _inside("data", shapes[properties["data"]["$ref"].rpartition("/")[2]], shapes)


def _inside(
    above: str, schema: Mapping[str, Any], shapes: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    for name, each in schema["properties"].items():
        yield code(f"{above}.{name}"), kind_of(each), meaning_of_field(each)
        for part in (each, *each.get("anyOf", ())):
            inner = shapes.get(part.get("$ref", "").rpartition("/")[2], {})
            if "properties" in inner:
                yield from _inside(f"{above}.{name}", inner, shapes)


def _data() -> Mapping[str, Any]:
    """What is told of each kind, out of what the demo household answered."""
    stored = examples()["show_plan"]["answer"]
    plan, charge = stored["plan"], stored["plan"]["recurring"][0]
    built = {
        "createdAt": stored["createdAt"],
        "generatedOn": plan["generatedOn"],
        **{name: plan["monthly"][name] for name in ("income", "totalSpend", "surplus")},
        "netWorth": plan["snapshot"]["netWorth"],
        "actions": [each["kind"] for each in plan["actions"]],
    }
    bank = {
        **examples()["list_connections"]["answer"][0]["connection"],
        "status": "login_required",
        "error": "The bank wants you to sign in again.",
    }
    return {
        "plan.built": built,
        "recurring.detected": {"recurring": charge, "count": 1},
        "bank.reconnect_required": {"connection": bank},
        "webhook.test": {"webhookId": "ID"},
    }


HAVE_CODES = (app, agents)
"""What loads every module that has a fault with a code of its own."""

ERRORS_OPENING = (
    "# Error codes\n\n"
    "This page lists every error code with its meaning and an example message. Each error has the same"
    " fields:\n\n"
    "- `code` is for programs and does not change.\n"
    "- `status` is the HTTP status.\n"
    "- `message` tells people what happened and what to do next.\n"
    "- `defined` says whether the interface defines this code.\n"
    "- `data` has details for programs. For example, `issues` has the path of each invalid input. `see`"
    " lists the routes that do the same as the commands in `message`.\n\n"
    "In a 401 response, the header `WWW-Authenticate` says where to read about credentials. In a"
    " 429 response, the header `Retry-After` says when to try again.\n\n"
    "| code | status | meaning | example |\n|---|---|---|---|\n"
)


def faults(of: type[Fault] = Fault) -> Iterator[type[Fault]]:
    """Every fault of the product, those that follow from others too."""
    for each in of.__subclasses__():
        # Only what the product raises, and no fault of another test.
        if each.__module__.startswith("finplan."):
            yield each
        yield from faults(each)


def page_of_errors() -> str:
    """The page."""
    rows = {
        (each.status, each.code, meaning_of_fault(each), each.example)
        for each in faults()
        if "code" in vars(each)
    }
    return ERRORS_OPENING + "".join(
        f"| `{code}` | {status} | {meaning} | {_cell_of_error(example)} |\n"
        for status, code, meaning, example in sorted(rows)
    )


def _cell_of_error(text: str) -> str:
    return text.replace("|", "\\|")


TOOLS_OPENING = """\
# Tools for agents

This page lists every MCP tool for agents. It shows each tool's arguments and scope, and whether the \
tool changes data. [Agents on your desktop](../agents.md) explains how to connect an agent.

finplan refuses a call with unknown arguments. With a read-only credential, an agent sees only the \
tools that read data.

"""
EFFECTS = {
    "reads": "This tool reads data and changes nothing.",
    "adds": "This tool adds data and removes nothing.",
    "changes": "This tool changes existing data.",
}


def page_of_tools() -> str:
    """The page."""
    rows = ((code(each.name), each.title, _writes(each)) for each in TOOLS.values())
    parts = [TOOLS_OPENING, table(("tool", "title", "writes"), rows), "\n"]
    parts += [_told_tool(each) for each in TOOLS.values()]
    parts.append(
        "## Of the handbook\n\nThe MCP server at `/mcp/docs` has two tools for reading the handbook."
        " This server needs no credential.\n\n"
    )
    for each in DOCS_TOOLS.values():
        parts.append(f"### {each.name}\n\n**{each.title}.** {each.description}\n\n")
        parts.append(f"{_arguments(dict(asked_schema(each.asks)))}\n")
    return "".join(parts).rstrip("\n") + "\n"


def _writes(tool: Tool) -> str:
    return "no" if tool.effect == "reads" else "yes"


def _told_tool(tool: Tool) -> str:
    rows = ", ".join(code(f"{each.method} {each.path}") for each in tool.rows)
    bank = " This tool contacts a bank." if tool.reaches_a_bank else ""
    return (
        f"## {tool.name}\n\n**{tool.title}.** {tool.description}\n\n"
        f"{EFFECTS[tool.effect]}{bank} It needs the scope `service:{tool.scope}` and calls {rows}.\n\n"
        f"{_arguments(dict(asked_schema(tool.asks)))}\n"
    )


def _arguments(schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    told = table(("argument", "required", "kind", "meaning"), _rows(schema, needed))
    return told or "This tool takes no arguments.\n"


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


SETTINGS_OPENING = """\
# Settings

This page lists every setting with its default, its environment variable and its meaning. `finplan \
config` shows the values on this machine, and where each value is set.

## Of the machine

finplan uses the environment variable if it is set. Otherwise, finplan uses the value in \
`finplan.toml`, or the default. `finplan.toml` is in the profile's configuration folder. finplan \
refuses unknown names in this file. The background service reads the settings when it \
starts. After a change, run `finplan daemon stop`; the next command starts the service again.

    port = 8460
    site_url = "https://money.example.org"

"""
MEANINGS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("settings.toml").read_text(encoding="utf-8")
)
ENVIRONMENT = """
## Of the environment alone

You cannot set these variables in `finplan.toml`, because they are secret or determine where that \
file is.

| variable | meaning |
|---|---|
| `FINPLAN_HOME` | The folder for all of finplan's files, instead of the system's folders. Each \
profile has its own folder inside this folder. |
| `FINPLAN_PROFILE` | The profile to use if you do not set `--profile`. Default: `default`. |
| `FINPLAN_DATA_KEY` | The key that encrypts the secrets in the store. Set this variable only if the \
key is not in the key file or the keyring (`finplan secrets`). |
| `FINPLAN_GOOGLE_CLIENT_SECRET` | The secret of [your Google client](../google.md), if the secret is \
not in a file. |
| `FINPLAN_ENABLEBANKING_KEY` | The private key (PEM) of your application [at Enable \
Banking](../banks.md#linking-through-enable-banking), if the key is not in a file. |
| `FINPLAN_PLAID_SECRET` | The secret that belongs to your [Plaid](../banks.md#linking-through-plaid) \
keys, if the secret is not in a file. |
| `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` | The folders for settings, data and logs. \
finplan uses a folder named `finplan` in each of them. Default: `~/.config`, `~/.local/share` and \
`~/.local/state`. |
"""
HOUSEHOLD = """
## Of your household

These settings change your plan. `finplan settings` shows them. To change them, use `finplan settings \
set` or `PATCH /settings`. Each person on this machine has separate settings.

"""


def machine_settings() -> tuple[str, ...]:
    """The names of the settings of a machine."""
    return tuple(
        each.name for each in fields(Settings) if each.name not in {"profile", "places", "origins"}
    )


def page_of_settings() -> str:
    """The page."""
    defaults = {each.name: each.default for each in fields(Settings)}
    rows = (
        (code(name), _default(defaults[name]), code(f"FINPLAN_{name.upper()}"), MEANINGS[name])
        for name in machine_settings()
    )
    machine = table(("setting", "default", "variable", "meaning"), rows)
    return SETTINGS_OPENING + machine + ENVIRONMENT + HOUSEHOLD + _household()


def _default(value: object) -> str:
    return "none" if value is None else code(value)


def _household() -> str:
    group: Any = typer.main.get_command(COMMANDS["settings"].load("settings"))
    context = typer.Context(group, info_name="settings")
    command = group.get_command(context, "set")
    records = (
        each.get_help_record(typer.Context(command, info_name="set", parent=context))
        for each in command.params
    )
    rows = ((code(each[0].replace("|", "/")), each[1].strip()) for each in records if each)
    return table(("option of `finplan settings set`", "meaning"), rows)

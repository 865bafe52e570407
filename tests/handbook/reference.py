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
    return f"{said} Left out: {code(_word(default))}.".strip()


_KINDS = {"integer": "whole number", "number": "number", "string": "text", "boolean": "yes or no"}
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
        return f", at most {schema['maxLength']} letters"
    return ""


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


COMMANDS_OPENING = """\
# Commands and options

Every command of the command line with its options and an example. `finplan COMMAND --help` shows the \
same \
in the terminal.

A group such as `finplan plan` has commands of its own. Where a line names a group alone and the \
group has a \
command `list`, that one is meant.

## Options that every command takes

They stand before or behind the command.

"""
ENDING = """
## Exit codes

What a script reads when a command has ended.

| code | meaning |
|---|---|
| 0 | done |
| 1 | an error inside finplan |
| 2 | a usage error: an option or a command that there is not |
| 3 | bad input: a file or a value that cannot be used |
| 4 | not found, or in conflict with what is there |
| 5 | not allowed |
| 6 | the bank failed, no bank is linked, or the keyring does not answer |
| 7 | the daemon cannot be reached |
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
    ("3", "bad input: a file or a value that cannot be used"),
    ("4", "not found, or in conflict with what is there"),
    ("5", "not allowed"),
    ("6", "the bank failed, no bank is linked, or the keyring does not answer"),
    ("7", "the daemon cannot be reached"),
    ("130", "interrupted with Ctrl-C"),
)
VARIABLES = (
    ("FINPLAN_HOME", "one folder for everything, instead of the XDG places"),
    ("FINPLAN_PROFILE", "the profile where --profile names none"),
    ("FINPLAN_PORT", "the port of the daemon"),
    ("FINPLAN_PAGER, PAGER", "what long answers are read by; empty or cat for nothing"),
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
        "A command talks to a daemon on this machine, which it starts when needed and which owns the"
        " data. Without a command, on a terminal, finplan says how it stands."
    )
    for heading, entries in COMMANDS_BY_HEADING.items():
        yield f".SH {_plain(heading.upper())}\n"
        for name, each in entries.items():
            yield f".TP\n.BR finplan\\-{_plain(name)} (1)\n{_plain(each.summary)}\n"
    yield ".SH OPTIONS OF EVERY COMMAND\n" + _records_of_manual(whole, context, everywhere=True)
    yield ".SH EXIT STATUS\n" + _listed(EXIT_CODES)
    yield ".SH ENVIRONMENT\n" + _listed(VARIABLES)
    yield ".SH SEE ALSO\n" + _paragraphs(
        "The handbook is served by the daemon at /api/docs; `finplan open` opens it, signed in."
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

Every operation of the REST interface: method and path, the scope that it needs, what is asked and \
what can \
be refused. Paths stand beneath `{API_ROOT}` of your daemon's address. `/api/openapi.json` describes \
the same \
for programs, and `/api/docs` for people, with examples and the shapes of all answers; a kind with a \
capital \
letter is a shape that is told there.

- **Scope.** `read` and `write` are what an [API key](../access.md) or a [program](../programs.md) \
may have. \
`session` is for yourself alone: a browser that is signed in, or the command line of this machine.
- **Limit.** Each credential may ask 120 times a minute (`rate_limit` in the \
[settings](settings.md)); what is \
more is answered `429`. `RateLimit-Remaining` of every answer tells what is left. Other limits stand \
where \
they hold.
- **Amounts** are whole numbers of minor units, days are `YYYY-MM-DD`, instants are milliseconds \
since 1970.
- **Refusals** are told by their [error codes](errors.md). Any route may answer `BAD_REQUEST`, \
`UNAUTHORIZED`, \
`FORBIDDEN`, `TOO_MANY_REQUESTS` and `INTERNAL_SERVER_ERROR`; beneath a route stand those that are \
its own.
- **Once only.** A change may carry an `Idempotency-Key`: the same request with the same key within \
24 hours \
happens once, and is answered alike to the credential that asked; another credential of the same person \
gets a 409.

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
        facts.append(f"refusals {', '.join(map(code, own))}")
    yield f"{'; '.join(facts)}.\n"
    asked = table(("asked", "where", "kind", "meaning"), _asked(told, described))
    yield f"\n{asked}\n" if asked else "\n"


def _manner(row: AnyOperation) -> Iterator[str]:
    """How it is asked or answered where that is otherwise than as JSON."""
    if isinstance(row.body, Upload):
        yield f"files as a multipart form, {DEFAULT_UPLOAD_LIMIT // 2**20} MB together (`upload_limit`)"
    if isinstance(row.body, Download):
        yield f"answers a file: {', '.join(map(code, row.body.media_types))}"
    if isinstance(row.body, Streams):
        yield "answers server-sent events"
    if isinstance(row.body, Accepts):
        yield f"answers at once with status 202; ask {code(row.body.at)} how it stands"


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

Every event that a webhook is told of, with its fields and an example. [Webhooks](../webhooks.md) \
tells how \
an address is registered, how a delivery is verified and when it is tried again.

Each delivery is a POST of JSON with `type`, `timestamp` and `data`. Amounts are whole numbers of \
minor units \
of the household's currency, instants within `data` are milliseconds since 1970.

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
    yield code("timestamp"), "instant (ISO 8601)", meaning_of_field(properties["timestamp"])
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
    "What each error code means, and one of the sentences that come with it. Every error of the"
    " interface is one envelope: `code` is stable and for programs, `status` is the HTTP status,"
    " `message` says to people what happened and what to do next, `defined` tells whether the code is"
    " one of the interface's, and `data` has what a program can use, such as `issues` with the path of"
    " each input that does not fit, and `see` with the routes of the commands that `message` names. With"
    " 401, `WWW-Authenticate` says where the credentials are explained; with 429, `Retry-After` says"
    " when to come again.\n\n"
    "| code | status | when | for example |\n|---|---|---|---|\n"
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
    parts = [TOOLS_OPENING, table(("tool", "what it is called", "writes"), rows), "\n"]
    parts += [_told_tool(each) for each in TOOLS.values()]
    parts.append(
        "## Of the handbook\n\nThe server at `/mcp/docs` wants no credential and has these two.\n\n"
    )
    for each in DOCS_TOOLS.values():
        parts.append(f"### {each.name}\n\n**{each.title}.** {each.description}\n\n")
        parts.append(f"{_arguments(dict(asked_schema(each.asks)))}\n")
    return "".join(parts).rstrip("\n") + "\n"


def _writes(tool: Tool) -> str:
    return "no" if tool.effect == "reads" else "yes"


def _told_tool(tool: Tool) -> str:
    rows = ", ".join(code(f"{each.method} {each.path}") for each in tool.rows)
    bank = " It reaches a bank." if tool.reaches_a_bank else ""
    return (
        f"## {tool.name}\n\n**{tool.title}.** {tool.description}\n\n"
        f"{EFFECTS[tool.effect]}{bank} Needs the scope `service:{tool.scope}`; asks {rows}.\n\n"
        f"{_arguments(dict(asked_schema(tool.asks)))}\n"
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


SETTINGS_OPENING = """\
# Settings

Every setting by its name, with its default, the variable of the environment that sets it, and what \
it means. \
`finplan config` shows which of them hold on this machine and where each comes from.

## Of the machine

A value comes from the variable of the environment, else from `finplan.toml` in the profile's \
configuration \
folder, else it is the default. A name in the file that finplan does not know is refused. The daemon \
reads \
them when it starts: `finplan daemon stop`, and the next command starts it anew.

    port = 8460
    site_url = "https://money.example.org"

"""
MEANINGS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("settings.toml").read_text(encoding="utf-8")
)
ENVIRONMENT = """
## Of the environment alone

These are no settings of the file, since they say where the file is, or are secret.

| variable | meaning |
|---|---|
| `FINPLAN_HOME` | One folder for everything, instead of the places of the system. Each profile has a \
folder in it. |
| `FINPLAN_PROFILE` | The profile, where no `--profile` is given; `default` without it. |
| `FINPLAN_DATA_KEY` | The key that secrets in the store are sealed under, for who keeps it elsewhere \
than in a file or the keyring (`finplan secrets`). |
| `FINPLAN_GOOGLE_CLIENT_SECRET` | The secret of [Google's client](../google.md), where no file has it. |
| `FINPLAN_ENABLEBANKING_KEY` | The private key (PEM) of your application \
[at Enable Banking](../banks.md#linking-through-enable-banking), where no file has it. |
| `FINPLAN_PLAID_SECRET` | The secret of your own keys [at Plaid](../banks.md#linking-through-plaid), \
where no file has it. |
| `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` | Where settings, data and logs are kept, each \
in a \
folder `finplan`; without them `~/.config`, `~/.local/share` and `~/.local/state`. |
"""
HOUSEHOLD = """
## Of your household

What the plan takes from you. `finplan settings` shows them; `finplan settings set` changes them, and \
so does \
`PATCH /settings`. They are kept in the store, for each person by themselves.

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

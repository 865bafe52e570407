"""The page of every route of the interface."""

from collections.abc import Iterator
from typing import Any

from finplan.client.request import API_ROOT
from finplan.daemon.surfaces.openapi.answers import faults_of
from finplan.daemon.surfaces.openapi.description import document
from finplan.operation import Accepts, AnyOperation, Download, Streams, Upload
from finplan.operations.table import OPERATIONS
from finplan.settings import DEFAULT_UPLOAD_LIMIT
from tests.handbook.reference.markdown import code, kind_of, meaning_of_field, table

OPENING = f"""\
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
    parts = [OPENING]
    for family in dict.fromkeys(row.family for row in OPERATIONS):
        parts.append(f"## {family.name}\n\n{family.about}\n\n")
        for row in OPERATIONS:
            if row.family == family:
                parts += _told(row, described)
    return "".join(parts).rstrip("\n") + "\n"


def _told(row: AnyOperation, described: dict[str, Any]) -> Iterator[str]:
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

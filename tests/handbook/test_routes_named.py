"""A route that a page names is one of the interface, and what it is asked there is what it takes."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from finplan.client.request import API_ROOT
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from tests.daemon.running import RunningDaemon
from tests.handbook.shown.finding import pages

NAMED = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^` ]*)(?: ([^`]+))?`")
APART = frozenset({"/ask"})
"""Routes that are no rows of the table."""

Route = tuple[str, str, str]


def routes() -> Iterator[Route]:
    """Method, path and body of each route that a page names."""
    for page in pages():
        if page.parent.name != "reference":
            yield from NAMED.findall(page.read_text())


def row_of(method: str, path: str) -> AnyOperation | None:
    """The row of a route, whose parameters may be written as a page likes."""
    bare = re.sub(r"/(?:\{\w+\}|[A-Z]+)(?=/|$)", "/{}", path.removeprefix(API_ROOT))
    return next(
        (
            row
            for row in OPERATIONS
            if (row.method, re.sub(r"\{\w+\}", "{}", row.path)) == (method, bare)
        ),
        None,
    )


def asked(row: AnyOperation, body: str) -> dict[str, Any]:
    """What a page asks a route; a body of bare names stands for its fields."""
    if not body:
        return {}
    if '"' in body:
        fields: dict[str, Any] = json.loads(body)
        return fields
    return dict.fromkeys(re.findall(r"\w+", body))


@pytest.mark.parametrize("route", sorted(set(routes())), ids=" ".join)
def test_a_route_that_is_named_is_there(route: Route) -> None:
    """Its method and path are a row's, and so are the names of what it is asked."""
    method, target, body = route
    parts = urlsplit(target)
    row = row_of(method, parts.path)
    if row is None:
        assert parts.path in APART
        return
    known = {field.alias or name for name, field in row.asks.model_fields.items()}
    named = {*asked(row, body), *dict(parse_qsl(parts.query))}
    assert named <= known, (named, known)
    if '"' in body:
        row.asks.model_validate_json(body)


async def test_a_question_to_the_handbook_is_answered(daemon: RunningDaemon) -> None:
    """The body that a page shows for it is taken, with the streaming that it speaks of, too."""
    asked = {"query": {"text": "which files can I import", "max_results": 10}}
    shown = next(page.read_text() for page in pages() if page.name == "programs.md")
    assert '{"query": {"text": "…", "max_results": 10}}' in shown
    assert '"prefer": {"streaming": true}' in shown
    for more in ({}, {"prefer": {"streaming": True}}):
        answered: httpx.Response = await daemon.http.post("/ask", json={**asked, **more})
        assert answered.status_code == 200
        assert "statements" in answered.text

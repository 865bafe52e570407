"""One builder: a row and a question become a request, and the daemon reads the same question back."""

import json
from datetime import date
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from finplan.client.failures import CallFailed
from finplan.client.request import build
from finplan.model.base import Nothing, Wire, read_query
from finplan.operation import Operation, Upload
from tests.family import MADE_UP


class Look(Wire):
    id: str = "x"
    since: Annotated[date | None, Field(alias="from")] = None
    group_by: str | None = None
    limit: int = 5
    open: bool | None = None
    category: tuple[str, ...] = ()


LIST = Operation(MADE_UP, "list", "GET", "/things", Look, Nothing, "read", "List.")
SHOW = Operation(MADE_UP, "show", "GET", "/things/{id}", Look, Nothing, "read", "Show.")
CHANGE = Operation(MADE_UP, "change", "PATCH", "/things/{id}", Look, Nothing, "write", "Change.")
SEND = Operation(MADE_UP, "send", "POST", "/boxes/{id}", Look, Nothing, "write", "Send.", Upload())


def test_a_question_travels_in_the_query_of_a_get() -> None:
    """Names are the outside ones, a tuple repeats its name, and only what was set travels."""
    ask = Look(since=date(2026, 3, 1), open=True, category=("a", "b c"))

    request = build(LIST, ask)

    assert (request.method, request.path, request.body) == ("GET", "/api/v1/things", None)
    assert request.query == (
        ("from", "2026-03-01"),
        ("open", "true"),
        ("category", "a"),
        ("category", "b c"),
    )


def test_a_question_travels_in_the_body_of_a_change() -> None:
    """The path's names leave the body; null stays null, and what was not set stays absent."""
    request = build(CHANGE, Look(id="a b/ü", since=None, group_by="x"))

    assert request.path == "/api/v1/things/a%20b%2F%C3%BC"
    assert request.query == ()
    assert request.body is not None
    assert json.loads(request.body) == {"from": None, "groupBy": "x"}


def test_a_question_without_fields_is_an_empty_object() -> None:
    """A change always carries a JSON object, if an empty one."""
    row = Operation(MADE_UP, "go", "POST", "/go", Nothing, Nothing, "write", "Go.")

    assert build(row, Nothing()).body == b"{}"


def test_a_form_carries_the_fields_of_an_upload() -> None:
    """An upload's question travels as form values, as in a query string."""
    request = build(SEND, Look(id="b", open=False, limit=7))

    assert request.path == "/api/v1/boxes/b"
    assert request.form == (("limit", "7"), ("open", "false"))
    assert request.body is None


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_an_id_cannot_change_the_path(name: str) -> None:
    """What would lead to another path is told as the missing thing it is."""
    with pytest.raises(CallFailed) as failed:
        build(SHOW, Look(id=name))

    assert failed.value.status == 404


@pytest.mark.parametrize("ask", [Look(id="b\udcff"), Look(id="b", category=("a", "\udcff"))])
def test_bytes_of_no_text_are_refused_with_a_sentence(ask: Look) -> None:
    """In a path, a query or a list within one, no request can carry them; the property is named."""
    with pytest.raises(
        CallFailed, match=r"^(id|category) holds a byte that is of no text"
    ) as failed:
        build(SHOW, ask)

    assert failed.value.status == 400


looks = st.builds(
    Look,
    since=st.none() | st.dates(),
    group_by=st.none() | st.text(),
    limit=st.integers(-(2**53), 2**53),
    open=st.none() | st.booleans(),
    category=st.lists(st.text()).map(tuple),
)


@given(looks)
def test_the_daemon_reads_the_same_question(ask: Look) -> None:
    """Whatever is asked in a query string is what the daemon's reader understands."""
    query: dict[str, list[str]] = {}
    for name, value in build(LIST, ask).query:
        query.setdefault(name, []).append(value)

    assert read_query(Look, query) == ask

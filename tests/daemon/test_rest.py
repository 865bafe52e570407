"""REST: rows become routes, questions are read strictly, answers are the rows' shapes."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from finplan.daemon.surfaces.rest.routes import build_shapes
from finplan.model.base import Nothing, Whole, Wire
from finplan.operation import AnyOperation, Creates, Made, Operation
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP


class Look(Wire):
    since: Annotated[str | None, Field(alias="from")] = None
    group_by: str | None = None
    limit: Annotated[int, Field(ge=1, le=9)] = 5
    open: bool = False
    name: tuple[str, ...] = ()


class Change(Wire):
    id: str
    amount: Whole | None = None
    note: str | None = None


class Thing(Wire):
    id: str
    some_words: tuple[str, ...] = ()


LOOK = Operation(MADE_UP, "look", "GET", "/things", Look, Thing, "read", "Look.")
COUNT = Operation(MADE_UP, "count", "GET", "/things/count", Nothing, Thing, "read", "Count.")
SHOW = Operation(MADE_UP, "show", "GET", "/things/{id}", Change, Thing, "read", "Show.")
CHANGE = Operation(MADE_UP, "change", "PATCH", "/things/{id}", Change, Thing, "write", "Change.")
REMOVE = Operation(MADE_UP, "remove", "DELETE", "/things/{id}", Change, Thing, "write", "Remove.")
SWEEP = Operation(MADE_UP, "sweep", "POST", "/sweep", Nothing, tuple[Thing, ...], "write", "Sweep.")
MAKE = Operation(MADE_UP, "make", "POST", "/things", Nothing, Thing, "write", "Make.", Creates())
ROWS: tuple[AnyOperation, ...] = (SHOW, LOOK, COUNT, CHANGE, REMOVE, SWEEP, MAKE)


class Shelf:
    """Performs the rows above and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Wire] = []
        self.made: list[Thing] = []

    async def perform(self, _context: Context, operation: AnyOperation, ask: Wire) -> Any:
        self.asked.append(ask)
        thing = Thing(id=operation.name, some_words=("zwölf", "Größe"))
        if operation is MAKE:
            new = not self.made
            self.made.append(thing)
            return Made(thing, new)
        return (thing,) if operation is SWEEP else thing


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
async def things(tmp_path: Path, empty_store: Path, shelf: Shelf) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(
        tmp_path, empty_store, operations=ROWS, perform=shelf.perform
    ) as running:
        yield running


async def test_both_roots_answer_the_same(things: RunningDaemon) -> None:
    """`/api` is an alias of `/api/v1`, byte for byte."""
    versioned = await things.http.get("/api/v1/things/count")
    alias = await things.http.get("/api/things/count")

    assert versioned.status_code == alias.status_code == 200
    assert versioned.content == alias.content
    assert versioned.headers["content-type"] == "application/json"
    assert versioned.json() == {"id": "count", "someWords": ["zwölf", "Größe"]}


async def test_a_literal_wins_over_a_parameter(things: RunningDaemon) -> None:
    """`/things/count` is the row of that path, whichever row stands first in the table."""
    assert (await things.http.get("/api/things/count")).json()["id"] == "count"
    assert (await things.http.get("/api/things/other")).json()["id"] == "show"


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "POST", "TRACE"])
async def test_a_literal_has_its_own_methods(things: RunningDaemon, method: str) -> None:
    """What a parameter's path takes is not asked of a literal one: 405 names what that takes."""
    response = await things.http.request(method, "/api/things/count")

    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


async def test_a_body_where_none_belongs_is_not_waited_for(things: RunningDaemon) -> None:
    """A GET with a body is refused at its first bytes, however long it is."""
    response = await things.http.request(
        "GET", "/api/things/count", content=b"x" * (2 * 1024 * 1024)
    )

    assert response.status_code == 400


async def test_a_query_string_becomes_the_question(things: RunningDaemon, shelf: Shelf) -> None:
    """Values are read by their outside names, and a tuple's name may be repeated."""
    response = await things.http.get(
        "/api/things?from=2026&groupBy=a%20b&limit=7&open=true&name=x&name=y"
    )

    assert response.status_code == 200
    assert shelf.asked == [Look(since="2026", group_by="a b", limit=7, open=True, name=("x", "y"))]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("since=1", ["since"]),
        ("group_by=a", ["group_by"]),
        ("limit=0", ["limit"]),
        ("limit=5.5", ["limit"]),
        ("limit=" + "9" * 5000, ["limit"]),
        ("limit=1&limit=2", ["limit"]),
        ("open=perhaps", ["open"]),
        ("x=1", ["x"]),
    ],
)
async def test_a_query_that_does_not_fit_is_refused(
    things: RunningDaemon, query: str, path: list[str]
) -> None:
    """Inside names, unknown names, wrong types and repeated scalars are told by their path."""
    response = await things.http.get(f"/api/things?{query}")

    assert response.status_code == 400
    assert [issue["path"] for issue in response.json()["data"]["issues"]] == [path]


async def test_an_absent_body_is_an_empty_object(things: RunningDaemon, shelf: Shelf) -> None:
    """A POST without a body asks the same as one with `{}`, whatever content type it claims."""
    nothing = await things.http.post("/api/sweep")
    braces = await things.http.post("/api/sweep", json={})
    form = await things.http.post(
        "/api/sweep", headers={"content-type": "application/x-www-form-urlencoded"}
    )

    assert nothing.content == braces.content == form.content
    assert nothing.json() == [{"id": "sweep", "someWords": ["zwölf", "Größe"]}]
    assert shelf.asked == [Nothing(), Nothing(), Nothing()]


async def test_a_path_parameter_joins_the_body(things: RunningDaemon, shelf: Shelf) -> None:
    """The path's values are part of the question, decoded; null and absence stay two things."""
    await things.http.patch("/api/things/a%2Fb%20%C3%BC", json={"amount": 5, "note": None})

    (ask,) = shelf.asked
    assert isinstance(ask, Change)
    assert ask == Change(id="a/b ü", amount=5, note=None)
    assert ask.model_fields_set == {"id", "amount", "note"}


async def test_a_path_parameter_cannot_be_given_elsewhere(things: RunningDaemon) -> None:
    """A path parameter's name in the body or the query string is an unknown property."""
    body = await things.http.patch("/api/things/a", json={"id": "b"})
    query = await things.http.delete("/api/things/a?id=b")

    for response in (body, query):
        assert response.status_code == 400
        assert response.json()["data"]["issues"][0]["path"] == ["id"]


async def test_a_question_has_one_place(things: RunningDaemon, shelf: Shelf) -> None:
    """What travels in a body is refused in the query string, and the other way round."""
    in_query = await things.http.post("/api/sweep?x=1")
    in_body = await things.http.request("DELETE", "/api/things/a", content=b"{}")

    assert in_query.status_code == in_body.status_code == 400
    assert shelf.asked == []


async def test_a_creating_row_says_whether_the_thing_is_new(things: RunningDaemon) -> None:
    """201 the first time, 200 when the same thing is answered again."""
    first = await things.http.post("/api/things")
    second = await things.http.post("/api/things")

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json() == {"id": "make", "someWords": ["zwölf", "Größe"]}


async def test_what_may_be_read_may_be_asked_for_by_head(things: RunningDaemon) -> None:
    """HEAD answers the headers of GET, without the body."""
    whole = await things.http.get("/api/things/count")
    head = await things.http.head("/api/things/count")

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == whole.headers["content-length"]


async def test_health_needs_no_credential(things: RunningDaemon) -> None:
    """Anybody on this machine may ask whether the daemon is well, and learns nothing else."""
    things.http.cookies.clear()

    response = await things.http.get("/health")

    assert response.status_code == 200
    assert set(response.json()) == {"status", "version"}


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=anything | st.dictionaries(st.sampled_from(["amount", "note", "id"]), anything))
async def test_no_body_makes_the_daemon_stumble(things: RunningDaemon, body: Any) -> None:
    """Any JSON at all is either the question or a 400 that names the place."""
    response = await things.http.patch("/api/things/a", json=body)

    assert response.status_code in (200, 400)


def test_what_a_change_asks_and_answers_is_built_before_it_is_asked_for() -> None:
    """Shapes of changes are built, also beside an answer that is a list; what is only read waits."""

    class Asked(Wire):
        number: int

    class Answered(Wire):
        number: int

    class Looked(Wire):
        number: int

    sweep: AnyOperation = SWEEP
    change: AnyOperation = CHANGE
    look: AnyOperation = LOOK
    build_shapes(
        [
            replace(sweep, asks=Asked),
            replace(change, answers=Answered),
            replace(look, asks=Looked, answers=Looked),
        ]
    )

    assert Asked.__pydantic_complete__
    assert Answered.__pydantic_complete__
    assert not Looked.__pydantic_complete__

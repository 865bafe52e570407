"""The table is whole: each row has one performer with the row's types, and one place of its own."""

import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

import pytest

from finplan.model.base import Nothing, Wire
from finplan.model.errors import Forbidden
from finplan.operation import (
    AnyOperation,
    Creates,
    EventStream,
    Made,
    Streams,
    Upload,
    UploadedFile,
)
from finplan.operations.credential import SET_PASSWORD
from finplan.operations.person import DELETE_ME
from finplan.operations.plan import TRY_CHANGES
from finplan.operations.table import OPERATIONS
from finplan.service import dispatch
from finplan.service.context import Caller, Context
from finplan.store.store import Store

EVERY_ROW = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)


class Whole:
    """A store that nothing is asked of but whether it is whole."""

    damage = None


def context_of(*scopes: str) -> Context:
    """A context that may not be used for more than asking whether the caller is allowed."""
    caller = Caller(1, cast("Any", frozenset(scopes)), "session")
    return Context(caller, cast("Store", Whole()), {})


def test_each_row_has_one_performer() -> None:
    """The rows of the table are those that dispatch knows, none missing and none more."""
    listed = {row.name for row in OPERATIONS}
    performed = {row.name for row in dispatch.PERFORMERS}
    assert listed == performed
    assert len(OPERATIONS) == len(dispatch.PERFORMERS)
    assert len(set(dispatch.PERFORMERS.values())) == len(OPERATIONS)


@EVERY_ROW
def test_a_performer_has_its_rows_types(row: AnyOperation) -> None:
    """It takes a context and what the row asks, and an Upload's files; it answers what the row says."""
    *taken, answered = get_type_hints(dispatch.PERFORMERS[row], include_extras=True).values()

    expected: list[Any] = [Context, row.asks]
    if isinstance(row.body, Upload):
        expected.append(tuple[UploadedFile, ...])
    assert taken == expected
    if isinstance(row.body, Creates):
        assert get_origin(answered) is Made
        (answered,) = get_args(answered)
    if isinstance(row.body, Streams):
        assert answered is EventStream
        return
    assert answered == row.answers


@EVERY_ROW
def test_a_performer_has_its_rows_name(row: AnyOperation) -> None:
    """One word for one thing: the performer is called as the row is."""
    assert dispatch.PERFORMERS[row].__name__ == row.name


def test_names_and_places_are_unique() -> None:
    """No two rows share a name, or a method and a path, however the path's parameters are called."""
    names = Counter(row.name for row in OPERATIONS)
    places = Counter((row.method, re.sub(r"{\w+}", "{}", row.path)) for row in OPERATIONS)

    assert [name for name, count in names.items() if count > 1] == []
    assert [place for place, count in places.items() if count > 1] == []


@EVERY_ROW
def test_a_path_parameter_is_a_required_field_of_the_question(row: AnyOperation) -> None:
    """Each name in the path is an outside name of what the row asks, and always there."""
    fields = {field.alias or name: field for name, field in row.asks.model_fields.items()}

    for name in row.path_names:
        assert fields[name].annotation in (str, date)
        assert fields[name].is_required()


@EVERY_ROW
def test_a_row_that_changes_something_needs_more_than_reading(row: AnyOperation) -> None:
    """`read` is the scope of the GET rows, and of what is only tried, but for what a session alone sees.

    A trial is too long a question for an address.
    """
    if row.scope != "session":
        assert (row.scope == "read") == (row.method == "GET" or row is TRY_CHANGES)


def test_credentials_need_a_session() -> None:
    """What shows, makes or ends credentials is for the person's own session; nothing else is.

    Deleting the person ends all of them.
    """
    places = {"keys", "clients", "agents", "sessions", "people", "invites", "audit", "data-key"}
    credentials = {row for row in OPERATIONS if row.path.split("/")[1] in places} | {SET_PASSWORD}

    assert {row for row in OPERATIONS if row.scope == "session"} == credentials | {DELETE_ME}
    assert len(credentials) == 19


@EVERY_ROW
async def test_the_scope_is_asked_for(row: AnyOperation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the row's scope the performer is never reached; with it alone it is."""
    reached: list[Wire] = []

    async def performer(_context: Context, ask: Wire, *_files: object) -> None:
        reached.append(ask)

    monkeypatch.setitem(cast("dict[Any, Any]", dispatch.PERFORMERS), row, performer)
    others = {"read", "write", "session"} - {row.scope}

    with pytest.raises(Forbidden):
        await dispatch.perform(context_of(*others), row, Nothing())
    assert reached == []
    await dispatch.perform(context_of(row.scope), row, Nothing())
    assert reached == [Nothing()]


async def test_an_uploads_performer_is_handed_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files come third, and only where there are files."""
    handed: list[tuple[object, ...]] = []

    async def performer(_context: Context, _ask: Wire, *files: object) -> None:
        handed.append(files)

    upload, plain = (
        next(row for row in OPERATIONS if isinstance(row.body, Upload) == wanted)
        for wanted in (True, False)
    )
    for row in (upload, plain):
        monkeypatch.setitem(cast("dict[Any, Any]", dispatch.PERFORMERS), row, performer)
    files = (UploadedFile("a.csv", Path("a")),)

    await dispatch.perform(context_of(upload.scope), upload, Nothing(), files)
    await dispatch.perform(context_of(plain.scope), plain, Nothing())

    assert handed == [(files,), ()]

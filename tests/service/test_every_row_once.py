"""Several files of one account: every row of any is stored, and none of them twice."""

import asyncio
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from finplan.banks.base import Manual
from finplan.model.statement import ImportId, ImportRequest
from finplan.model.transaction import TransactionQuery
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files, undo_import
from finplan.service.people import ensure_owner
from finplan.service.transactions import list_transactions
from finplan.store.store import Store
from tests.service.conftest import NOW
from tests.service.one_truth import FORMATS
from tests.statements.bank_files import Row

FIRST = date(2026, 3, 13)
_USUAL = {"direction": "in", "account_kind": "checking", "currency": "EUR"}
_ORDERS = {-2_90: "Bus Tram Tickets", -4_50: "Cafe Krause", -13_00: "Gym Club", 9_00: "Lea Lunch"}


def _written(name: str, rows: Sequence[Row]) -> str:
    """Rows in a format; a row has the same text in every file of it."""
    return re.sub(r"Karte \d{4} ", "Karte ", FORMATS[name](rows))


def _row(day: int, amount: int) -> Row:
    return FIRST + timedelta(day), amount, _ORDERS.get(amount, f"Shop {-amount}")


Dated = Counter[tuple[date, int]]
"""How many rows there are of each day and amount."""


async def _stored(
    folder: Path, texts: Sequence[tuple[str, str]], undone: Sequence[int] = ()
) -> list[Dated]:
    """The rows after files were imported into one account, after some were undone, and come again."""
    store = Store.open(folder / "finplan.db", folder / "backups")
    try:
        owner = await ensure_owner(store, "ada", 0)
        caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
        context = Context(caller, store, {"manual": Manual()}, lambda: NOW)

        async def bring(place: int) -> str:
            name, text = texts[place]
            path = folder / f"{place}.upload"
            path.write_text(text)
            said = ImportRequest.model_validate({**_USUAL, "account": "Giro"})
            report = await import_files(context, said, (UploadedFile(name, path),))
            return str(report.id)

        async def rows() -> Dated:
            page = await list_transactions(context, TransactionQuery(limit=500))
            return Counter((row.date, row.amount) for row in page.transactions)

        ids = [await bring(place) for place in range(len(texts))]
        found = [await rows()]
        for place in undone:
            await undo_import(context, ImportId(id=ids[place]))
        found.append(await rows())
        for place in [*undone, *(each for each in range(len(texts)) if each not in undone)]:
            await bring(place)
        return [*found, await rows()]
    finally:
        store.close()


def _folder(within: Path, empty_store: Path) -> Path:
    """A new folder with a store in which nothing is."""
    run = next(number for number in count() if not (within / f"{number}").exists())
    (within / f"{run}").mkdir()
    shutil.copyfile(empty_store, within / f"{run}" / "finplan.db")
    return within / f"{run}"


def _dated(rows: Sequence[Row]) -> Dated:
    return Counter((day, amount) for day, amount, _ in rows)


_amounts = st.sampled_from([*_ORDERS, *_ORDERS, -20_01, -20_02, -20_03, -20_04, -20_05, -20_06])
_rows = st.lists(st.tuples(st.integers(0, 17), _amounts), min_size=12, max_size=60)
_bus = [(day, -2_90) for day in range(18) for _ in range(6 if day == 10 else 1)]
_busy = sorted([*_bus, *((10, -20_01 - place) for place in range(6))])


class _Case(NamedTuple):
    """Rows by day and amount, the last day of one file and the first of the other, and their names.

    The one lacks some rows of its last day, as a file does that was fetched during it; `backwards` says
    that the other is imported first.
    """

    drawn: list[tuple[int, int]]
    last: int
    begins: int
    one: str
    other: str
    unbooked: int = 0
    backwards: bool = False


_days = st.integers(0, 17)
_named = st.sampled_from(("bank.csv", "other.csv", "checking.ofx", "money.qif"))
_cases = st.builds(_Case, _rows, _days, _days, _named, _named, st.integers(0, 3), st.booleans())


@pytest.mark.thorough
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(case=_cases)
@example(case=_Case(_bus, 10, 10, "bank.csv", "checking.ofx"))
@example(case=_Case(_busy, 10, 10, "bank.csv", "other.csv", backwards=True))
@example(case=_Case(_busy, 10, 10, "bank.csv", "checking.ofx", unbooked=1))
@example(case=_Case(_busy, 10, 10, "bank.csv", "checking.ofx", unbooked=1, backwards=True))
def test_every_row_of_two_files_is_stored_once(
    tmp_path: Path, empty_store: Path, case: _Case
) -> None:
    """However many amounts are equal, and wherever one file ends and the other begins."""
    rows = [_row(*each) for each in sorted(case.drawn)]
    last, begins = FIRST + timedelta(case.last), FIRST + timedelta(case.begins)
    first = [row for row in rows if row[0] <= last]
    first = first[: len(first) - min(case.unbooked, sum(row[0] == last for row in first))]
    second = [row for row in rows if row[0] >= begins]
    parts = ((case.one, first), (case.other, second))
    texts = [(name, _written(name, part)) for name, part in parts if part]
    if case.backwards:
        texts.reverse()
    stored = asyncio.run(_stored(_folder(tmp_path, empty_store), texts))
    assert stored == [_dated(first) | _dated(second)] * 3


def test_a_row_under_a_new_id_is_the_one_that_its_day_lacks(
    tmp_path: Path, empty_store: Path
) -> None:
    """A bank that numbers each file afresh doubles no row, though all are of one amount."""
    days = [_row(day, -2_90) for day in (0, 0, 1, 2)]
    parts = (("bank.csv", days[:2]), ("checking.ofx", days[3:]), ("checking.ofx", days))
    texts = [(name, _written(name, part)) for name, part in parts]
    found = asyncio.run(_stored(_folder(tmp_path, empty_store), texts))
    assert found == [_dated(days)] * 3


def test_a_row_of_a_new_id_beside_the_known_ones_is_another(
    tmp_path: Path, empty_store: Path
) -> None:
    """A file that lists the known rows under their ids has one row more for each new id."""
    bought = [_row(0, -2_90), *(_row(1, -2_90) for _ in range(3))]
    texts = [("checking.ofx", _written("checking.ofx", part)) for part in (bought[:2], bought)]
    assert asyncio.run(_stored(_folder(tmp_path, empty_store), texts)) == [_dated(bought)] * 3


_spans = st.lists(st.tuples(_days, _days), min_size=2, max_size=3)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(drawn=_rows, spans=_spans, data=st.data())
def test_files_of_any_formats_come_and_go(
    tmp_path: Path,
    empty_store: Path,
    drawn: list[tuple[int, int]],
    spans: list[tuple[int, int]],
    data: st.DataObject,
) -> None:
    """After some imports are undone, in any order, the rows of the others are there, each once.

    Imported again, all are, whichever file comes first.
    """
    rows = [_row(*each) for each in sorted(drawn)]
    parts = [
        [row for row in rows if min(span) <= (row[0] - FIRST).days <= max(span)] for span in spans
    ]
    parts = [part for part in parts if part]
    texts = [(name, _written(name, part)) for part in parts for name in [data.draw(_named)]]
    undone = data.draw(st.lists(st.sampled_from(range(3)), unique=True))
    undone = [place for place in undone if place < len(parts)]
    stay = [part for place, part in enumerate(parts) if place not in undone]
    stored = asyncio.run(_stored(_folder(tmp_path, empty_store), texts, undone))
    assert stored == [_union(parts), _union(stay), _union(parts)]


def _union(parts: Sequence[Sequence[Row]]) -> Dated:
    """The rows of files of which each has every row of its days."""
    found: Dated = Counter()
    for part in parts:
        found |= _dated(part)
    return found


def test_a_day_on_which_one_file_ends_and_the_next_begins_may_be_in_both(
    tmp_path: Path, empty_store: Path
) -> None:
    """A file that was fetched in the morning and one of the rest of the day share no row of it."""
    cafe, bus, lunch, gym = _row(3, -4_50), _row(3, -2_90), _row(3, -20_01), _row(4, -13_00)
    morning = [_row(0, -20_02), cafe, bus]
    evening = [bus, lunch, gym]
    texts = [
        ("checking.ofx", _written("checking.ofx", morning)),
        ("checking.ofx", _written("checking.ofx", evening).replace("<FITID>F", "<FITID>G")),
    ]
    found = asyncio.run(_stored(_folder(tmp_path, empty_store), texts))
    assert found[0] == _dated(morning) + _dated(evening)

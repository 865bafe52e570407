"""Two files of one account: every row of either is stored, and none of them twice."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from finplan.banks.manual import Manual
from finplan.model.statement import ImportRequest
from finplan.model.transaction import TransactionQuery
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people.people import ensure_owner
from finplan.service.transactions.transactions import list_transactions
from finplan.store.store import Store
from tests.service.conftest import NOW
from tests.service.one_truth import FORMATS
from tests.statements.bank_files import Row

FIRST = date(2026, 3, 13)
_USUAL = {"direction": "in", "account_kind": "checking", "currency": "EUR"}
_ORDERS = {-2_90: "Bus Tram Tickets", -4_50: "Cafe Krause", -13_00: "Gym Club", 9_00: "Lea Lunch"}


def _row(day: int, amount: int) -> Row:
    return FIRST + timedelta(day), amount, _ORDERS.get(amount, f"Shop {-amount}")


async def _stored(folder: Path, texts: Sequence[tuple[str, str]]) -> Counter[tuple[date, int]]:
    """Day and amount of what is there after files were imported into one account, one by one."""
    store = Store.open(folder / "finplan.db", folder / "backups")
    try:
        owner = await ensure_owner(store, "ada", 0)
        caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
        context = Context(caller, store, {"manual": Manual()}, lambda: NOW)
        for place, (name, text) in enumerate(texts):
            path = folder / f"{place}.upload"
            path.write_text(text)
            said = ImportRequest.model_validate({**_USUAL, "account": "Giro"})
            await import_files(context, said, (UploadedFile(name, path),))
        page = await list_transactions(context, TransactionQuery(limit=500))
        return Counter((row.date, row.amount) for row in page.transactions)
    finally:
        store.close()


def _dated(rows: Sequence[Row]) -> Counter[tuple[date, int]]:
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


@settings(
    max_examples=80,
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
    texts = [(name, FORMATS[name](part)) for name, part in parts if part]
    if case.backwards:
        texts.reverse()
    run = next(number for number in count() if not (tmp_path / f"{number}").exists())
    (tmp_path / f"{run}").mkdir()
    shutil.copyfile(empty_store, tmp_path / f"{run}" / "finplan.db")
    assert asyncio.run(_stored(tmp_path / f"{run}", texts)) == _dated(first) | _dated(second)

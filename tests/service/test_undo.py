"""Undo in any order: what is left is what the imports that remain would have made by themselves.

Every row of any of several files is stored, none of them twice; and an id means that very row, or
none.
"""

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, strategies as st
from sqlalchemy import Connection

from finplan.banks.base import Manual
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionId, TransactionWord
from finplan.model.user import SettingsChange, UserChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Caller, Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.imports.imports import undo_import
from finplan.service.people import change_settings, ensure_owner
from finplan.service.planning.plans import build_plan
from finplan.service.rules import set_rule
from finplan.service.transactions import change_transaction, show_transaction
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.store import Store
from tests.service.conftest import NOW, bring, examples, send
from tests.service.one_truth import FORMATS
from tests.service.said import all_rows, the_row
from tests.service.test_rows_again import camt
from tests.statements.reading_files import Row

BookedRow = tuple[int, int, bool]
"""Day of November 2026, amount in cents, and whether it is pending."""

Everything = dict[str, list[tuple[object, ...]]]
"""What is in a store, by the names of `_QUERIES`."""

_PAYEES = {-100: "ALDI", -200: "CORNER BOOKS", 5000: "ACME PAYROLL"}
_HEADER = "Date,Description,Amount,Status\n"
_QUERIES = {
    "tx": "SELECT account.name, tx.day, amount, tx.raw, ordinal, counts, key FROM tx"
    " JOIN account ON account.no = account_no JOIN payee ON payee.no = payee_no",
    "pending": "SELECT account.name, pending.day, amount, pending.raw, key FROM pending"
    " JOIN account ON account.no = account_no JOIN payee ON payee.no = payee_no",
    "aside": "SELECT day, amount, raw, pending FROM set_aside",
    "payee": "SELECT key, name, category_out, category_in FROM payee",
    "account": "SELECT name, currency, kind, balance FROM account",
    "coverage": "SELECT name, coverage.since, until, since_stated, until_stated FROM coverage"
    " JOIN account ON account.no = account_no",
    "connection": "SELECT institution_name, provider FROM connection",
    "currency": "SELECT currency FROM person",
}


def _csv(rows: Sequence[BookedRow]) -> str:
    lines = (
        f"2026-11-{day:02d},{_PAYEES[amount]},{amount / 100:.2f},{'Pending' if waits else 'Booked'}\n"
        for day, amount, waits in sorted(rows)
    )
    return _HEADER + "".join(lines)


def _all(connection: Connection) -> Everything:
    return {
        name: sorted((tuple(row) for row in connection.exec_driver_sql(query)), key=repr)
        for name, query in _QUERIES.items()
    }


async def _after(
    folder: Path, files: Sequence[str], undone: Sequence[int]
) -> dict[str, list[tuple[object, ...]]]:
    """Import files one after the other, undo some, and tell what is in the store then."""
    store = Store.open(folder / "finplan.db", folder / "backups")
    try:
        owner = await ensure_owner(store, "ada", 0)
        caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
        context = Context(caller, store, {"manual": Manual()}, lambda: NOW)
        ids = []
        for place, text in enumerate(files):
            said = {"account": "Giro", "currency": "USD", "direction": "in"}
            report = await send(context, {f"{place}.csv": text}, **said)
            ids.append(str(report.id))
        for place in undone:
            await undo_import(context, ImportId(id=ids[place]))
        return await store.read(_all)
    finally:
        store.close()


_booked_row = st.tuples(st.integers(1, 6), st.sampled_from([-100, -200, 5000]), st.booleans())
_files = st.lists(st.lists(_booked_row, min_size=1, max_size=5).map(_csv), min_size=1, max_size=4)


@pytest.mark.thorough
@examples(20)
@given(files=_files, data=st.data())
def test_undo_in_any_order(
    tmp_path: Path, empty_store: Path, files: list[str], data: st.DataObject
) -> None:
    """After any imports are undone, in any order, it is as if only the others had ever been."""
    undone = data.draw(st.lists(st.sampled_from(range(len(files))), unique=True))
    remaining = [text for place, text in enumerate(files) if place not in undone]
    run = next(number for number in count() if not (tmp_path / f"{number}").exists())

    for folder in (tmp_path / f"{run}", tmp_path / f"{run}-never"):
        folder.mkdir()
        shutil.copyfile(empty_store, folder / "finplan.db")

    async def both() -> tuple[object, object]:
        undoing = await _after(tmp_path / f"{run}", files, undone)
        return undoing, await _after(tmp_path / f"{run}-never", remaining, [])

    left, never = asyncio.run(both())
    assert left == never


async def _waiting(context: Context) -> list[tuple[int, int]]:
    def read(connection: Connection) -> list[tuple[int, int]]:
        query = "SELECT day % 100, amount FROM pending ORDER BY day, amount"
        return [(day, amount) for day, amount in connection.exec_driver_sql(query)]

    return await context.store.read(read)


async def test_an_old_file_brings_no_booked_row_back(context: Context) -> None:
    """A row that was booked on another day does not wait again when its file comes again."""
    old = _csv([(3, -100, False), (5, -200, True)])
    await bring(context, {"old.csv": old}, account="Giro")
    assert await _waiting(context) == [(5, -200)]
    await bring(context, {"new.csv": _csv([(6, -200, False)])}, account="Giro")
    assert await _waiting(context) == []

    await bring(context, {"old.csv": old}, account="Giro")

    assert await _waiting(context) == []


async def test_an_older_statement_says_nothing_of_newer_rows(context: Context) -> None:
    """A statement of earlier days that comes later takes nothing of what a newer one says waits."""
    await bring(context, {"new.csv": _csv([(6, -100, False), (4, -200, True)])}, account="Giro")
    await bring(context, {"old.csv": _csv([(2, -100, False), (5, 5000, False)])}, account="Giro")

    assert await _waiting(context) == [(4, -200)]


async def test_undo_brings_back_what_was_set_aside(context: Context) -> None:
    """A waiting row that was set aside as a copy is so again when the import that took it is undone."""
    await bring(
        context, {"a.csv": f"{_HEADER}2026-11-05,CORNER BOOKS,-2.10,Booked\n"}, account="Giro"
    )
    await bring(context, {"b.csv": _csv([(4, -200, True), (6, -100, False)])}, account="Giro")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    before = await context.store.read(_all)
    assert before["pending"] == []

    later = await bring(context, {"c.csv": _csv([(7, -100, False)])}, account="Giro")
    taken = await context.store.read(_all)
    await undo_import(context, ImportId(id=later.id))

    assert taken["aside"] == []
    assert await context.store.read(_all) == before


async def test_undo_takes_a_row_that_was_set_aside(context: Context) -> None:
    """A copy goes with the import that brought it: taking the word back later brings nothing back."""
    await bring(context, {"a.csv": _csv([(3, -100, False), (6, -200, False)])}, account="Giro")
    held = await context.store.read(_all)
    text = f"{_HEADER}2026-11-02,OTHER,-9.00,Booked\n2026-11-05,CORNER BOOKSHOP,-2.00,Booked\n"
    text += "2026-11-06,LAST,-8.00,Booked\n"
    second = await bring(context, {"b.csv": text}, account="Giro")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    assert len((await context.store.read(_all))["aside"]) == 1

    await undo_import(context, ImportId(id=second.id))

    now = await context.store.read(_all)
    assert now["aside"] == []
    assert now["tx"] == held["tx"]


async def test_a_known_row_brings_no_payee(context: Context) -> None:
    """A row that another format brought adds no payee under its own words, so undo leaves none."""
    ofx = (
        "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"
        "<BANKACCTFROM><BANKID>1<ACCTID>111222<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>"
        "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20261103<TRNAMT>-1.00<FITID>1<NAME>ACME</STMTTRN>"
        "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    first = await bring(context, {"a.ofx": ofx})
    held = await context.store.read(_all)
    name = first.files[0].accounts[0].name

    second = await bring(context, {"b.csv": _csv([(3, -100, False)])}, account=name)

    assert second.files[0].ambiguous == 1
    assert (await context.store.read(_all))["payee"] == held["payee"]


NOTED = "SELECT before FROM import_batch WHERE id = ?"
NOTE = "UPDATE import_batch SET before = ? WHERE id = ?"
OTHER_KEYS = (
    "UPDATE import_batch SET before = replace(json_set(before, '$.key_rules', -1),"
    " '\"corner books\"', '\"the corner books\"')"
)


async def test_rows_of_an_import_without_a_note_wait_on(context: Context) -> None:
    """Rows of an import of version 0.1, which noted none, wait until a newer statement comes."""
    old = await bring(context, {"a.csv": _csv([(4, -200, True), (3, -100, False)])}, account="Giro")

    def forget_note(connection: Connection) -> None:
        (before,) = connection.exec_driver_sql(NOTED, (old.id,)).one()
        record = json.loads(before)
        del record["waiting"]
        for days in record["accounts"].values():
            days["until"] = 20261104
        connection.exec_driver_sql(NOTE, (json.dumps(record), old.id))

    await context.store.write(forget_note)
    await bring(context, {"b.csv": _csv([(1, -100, False), (2, -200, True)])}, account="Giro")
    assert await _waiting(context) == [(4, -200)]
    newer = await bring(
        context, {"c.csv": _csv([(5, 5000, False), (5, -100, True)])}, account="Giro"
    )
    assert await _waiting(context) == [(5, -100)]
    assert (await undo_import(context, ImportId(id=newer.id))).undone_at


async def test_rows_that_come_back_are_keyed_by_todays_rules(context: Context) -> None:
    """A row that was noted under other rules for keys comes back to the payee that it has today."""
    await bring(context, {"a.csv": _csv([(4, -200, True), (3, -100, False)])}, account="Giro")
    held = await context.store.read(_all)
    later = await bring(context, {"b.csv": _csv([(5, 5000, False)])}, account="Giro")

    await context.store.write(lambda c: c.exec_driver_sql(OTHER_KEYS))
    await undo_import(context, ImportId(id=later.id))

    assert await context.store.read(_all) == held


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
            report = await send(context, {name: text}, **_USUAL, account="Giro")
            return str(report.id)

        async def rows() -> Dated:
            return Counter((row.date, row.amount) for row in await all_rows(context))

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
@examples(40)
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


def test_a_row_under_a_new_id_is_the_one_its_day_lacks(tmp_path: Path, empty_store: Path) -> None:
    """A bank that numbers each file afresh doubles no row, though all are of one amount."""
    days = [_row(day, -2_90) for day in (0, 0, 1, 2)]
    parts = (("bank.csv", days[:2]), ("checking.ofx", days[3:]), ("checking.ofx", days))
    texts = [(name, _written(name, part)) for name, part in parts]
    assert asyncio.run(_stored(_folder(tmp_path, empty_store), texts)) == [_dated(days)] * 3


def test_a_row_of_a_new_id_beside_known_ones_is_new(tmp_path: Path, empty_store: Path) -> None:
    """A file that lists the known rows under their ids has one row more for each new id."""
    bought = [_row(0, -2_90), *(_row(1, -2_90) for _ in range(3))]
    texts = [("checking.ofx", _written("checking.ofx", part)) for part in (bought[:2], bought)]
    assert asyncio.run(_stored(_folder(tmp_path, empty_store), texts)) == [_dated(bought)] * 3


_spans = st.lists(st.tuples(_days, _days), min_size=2, max_size=3)


@pytest.mark.thorough
@examples(12)
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


def test_a_day_where_one_file_follows_another_is_in_both(tmp_path: Path, empty_store: Path) -> None:
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


HEAD = "Date,Description,Amount\n"


async def must_be_gone(context: Context, row: str) -> None:
    """Neither a look nor a word reaches another row by an id from before."""
    with pytest.raises(NotFound):
        await show_transaction(context, TransactionId(id=row))
    with pytest.raises(NotFound):
        await change_transaction(context, TransactionWord(id=row, category="gifts_donations"))


async def test_rows_after_an_undone_import_have_ids_of_their_own(context: Context) -> None:
    """Who files a row by an id that they have seen does not file one that came in its place."""
    one = await bring(
        context, {"a.csv": f"{HEAD}2026-09-01,SAFEWAY,-30.00\n2026-09-02,RENT,-900.00\n"}
    )
    seen = await the_row(context, "SAFEWAY")
    assert one.id is not None
    await undo_import(context, ImportId(id=one.id))
    await bring(context, {"b.csv": f"{HEAD}2026-09-03,DENTIST,-80.00\n2026-09-04,BAR,-9.00\n"})
    await must_be_gone(context, seen.id)
    assert (await the_row(context, "DENTIST")).id != seen.id


async def test_pending_rows_have_ids_of_their_own(context: Context) -> None:
    """What waits now has none of the ids of what waited before."""
    await bring(context, {"i.xml": camt((5, -2000), until=5, message="052", status="PDNG")})
    seen = await the_row(context, "Shop 2000")
    await bring(context, {"m.xml": camt((5, -2000), until=5)})
    await bring(context, {"i.xml": camt((8, -999), until=8, message="052", status="PDNG")})
    await must_be_gone(context, seen.id)


APRIL = "Date,Description,Amount\n2026-04-02,Corner Bakery,-4.50\n2026-04-03,Payroll,900.00\n"
MAY = "Date,Description,Amount\n2026-05-02,Corner Bakery,-4.50\n"

Change = Callable[[Context], Awaitable[object]]


async def file_the_bakery(context: Context) -> None:
    await set_rule(context, RuleRequest(payee_key="corner bakery", category="dining"))


async def hide_the_account(context: Context) -> None:
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, hidden=True))


SAID = {"account_kind": "checking", "same_account": "new"}
BESIDE_THE_ROWS: dict[str, Change] = {
    "a plan": lambda context: build_plan(context, Nothing()),
    "a name": lambda context: change_me(context, UserChange(name="Ada")),
    "a time zone": lambda context: change_settings(context, SettingsChange(time_zone="Asia/Tokyo")),
    "a rule": file_the_bakery,
}
OF_THE_ROWS: dict[str, Change] = {
    "a currency": lambda context: change_settings(context, SettingsChange(currency="EUR")),
    "an account": hide_the_account,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("change", BESIDE_THE_ROWS)
async def test_a_dry_run_outlives_it(context: Context, change: str) -> None:
    """What was seen in a dry run is imported after a change of something else."""
    await bring(context, {"april.csv": APRIL})
    dry = await bring(context, {"may.csv": MAY}, dry_run=True, **SAID)
    await BESIDE_THE_ROWS[change](context)

    real = await bring(context, {"may.csv": MAY}, digest=dry.digest, **SAID)

    assert real.files[0].new == dry.files[0].new == 1


@pytest.mark.parametrize("change", OF_THE_ROWS)
async def test_a_dry_run_ends_with_it(context: Context, change: str) -> None:
    """What was seen in a dry run may not hold after a change of the rows, or of which count."""
    await bring(context, {"april.csv": APRIL})
    dry = await bring(context, {"may.csv": MAY}, dry_run=True, **SAID)
    await OF_THE_ROWS[change](context)

    with pytest.raises(Conflict, match="changed since"):
        await bring(context, {"may.csv": MAY}, digest=dry.digest, **SAID)

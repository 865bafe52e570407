"""Undo in any order: what is left is what the imports that remain would have made by themselves."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from finplan.banks.base import Manual
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.statement import ImportId, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files, undo_import
from finplan.service.people import ensure_owner
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.store import Store
from tests.service.conftest import NOW

Import = Callable[..., Awaitable[Any]]
Row = tuple[int, int, bool]
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
    "coverage": "SELECT name, since, until, since_stated, until_stated FROM coverage"
    " JOIN account ON account.no = account_no",
    "connection": "SELECT institution_name, provider FROM connection",
    "currency": "SELECT currency FROM person",
}


def _csv(rows: Sequence[Row]) -> str:
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
            path = folder / f"{place}.upload"
            path.write_text(text)
            upload = UploadedFile(f"{place}.csv", path)
            said = ImportRequest(account="Giro", currency="USD", direction="in")
            report = await import_files(context, said, (upload,))
            ids.append(str(report.id))
        for place in undone:
            await undo_import(context, ImportId(id=ids[place]))
        return await store.read(_all)
    finally:
        store.close()


_row = st.tuples(st.integers(1, 6), st.sampled_from([-100, -200, 5000]), st.booleans())
_files = st.lists(st.lists(_row, min_size=1, max_size=5).map(_csv), min_size=1, max_size=4)


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
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


async def test_an_old_file_brings_no_booked_row_back(
    context: Context, import_texts: Import
) -> None:
    """A row that was booked on another day does not wait again when its file comes again."""
    old = _csv([(3, -100, False), (5, -200, True)])
    await import_texts({"old.csv": old}, account="Giro")
    assert await _waiting(context) == [(5, -200)]
    await import_texts({"new.csv": _csv([(6, -200, False)])}, account="Giro")
    assert await _waiting(context) == []

    await import_texts({"old.csv": old}, account="Giro")

    assert await _waiting(context) == []


async def test_an_older_statement_says_nothing_of_newer_rows(
    context: Context, import_texts: Import
) -> None:
    """A statement of earlier days that comes later takes nothing of what a newer one says waits."""
    await import_texts({"new.csv": _csv([(6, -100, False), (4, -200, True)])}, account="Giro")
    await import_texts({"old.csv": _csv([(2, -100, False), (5, 5000, False)])}, account="Giro")

    assert await _waiting(context) == [(4, -200)]


async def test_undo_brings_back_what_was_set_aside(context: Context, import_texts: Import) -> None:
    """A waiting row that was set aside as a copy is so again when the import that took it is undone."""
    await import_texts(
        {"a.csv": f"{_HEADER}2026-11-05,CORNER BOOKS,-2.10,Booked\n"}, account="Giro"
    )
    await import_texts({"b.csv": _csv([(4, -200, True), (6, -100, False)])}, account="Giro")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    before = await context.store.read(_all)
    assert before["pending"] == []

    later = await import_texts({"c.csv": _csv([(7, -100, False)])}, account="Giro")
    taken = await context.store.read(_all)
    await undo_import(context, ImportId(id=later.id))

    assert taken["aside"] == []
    assert await context.store.read(_all) == before


async def test_undo_takes_a_row_that_was_set_aside(context: Context, import_texts: Import) -> None:
    """A copy goes with the import that brought it: taking the word back later brings nothing back."""
    await import_texts({"a.csv": _csv([(3, -100, False), (6, -200, False)])}, account="Giro")
    held = await context.store.read(_all)
    text = f"{_HEADER}2026-11-02,OTHER,-9.00,Booked\n2026-11-05,CORNER BOOKSHOP,-2.00,Booked\n"
    text += "2026-11-06,LAST,-8.00,Booked\n"
    second = await import_texts({"b.csv": text}, account="Giro")
    (duplicate,) = await list_duplicates(context, DuplicateQuery())
    await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))
    assert len((await context.store.read(_all))["aside"]) == 1

    await undo_import(context, ImportId(id=second.id))

    now = await context.store.read(_all)
    assert now["aside"] == []
    assert now["tx"] == held["tx"]


async def test_a_known_row_brings_no_payee(context: Context, import_texts: Import) -> None:
    """A row that another format brought adds no payee under its own words, so undo leaves none."""
    ofx = (
        "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"
        "<BANKACCTFROM><BANKID>1<ACCTID>111222<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>"
        "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20261103<TRNAMT>-1.00<FITID>1<NAME>ACME</STMTTRN>"
        "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    first = await import_texts({"a.ofx": ofx})
    held = await context.store.read(_all)
    name = first.files[0].accounts[0].name

    second = await import_texts({"b.csv": _csv([(3, -100, False)])}, account=name)

    assert second.files[0].ambiguous == 1
    assert (await context.store.read(_all))["payee"] == held["payee"]


async def test_rows_of_an_import_without_a_note_wait_on(
    context: Context, import_texts: Import
) -> None:
    """Rows of an import of version 0.1, which noted none, wait until a newer statement comes."""
    old = await import_texts({"a.csv": _csv([(4, -200, True), (3, -100, False)])}, account="Giro")

    def forget_note(connection: Connection) -> None:
        (before,) = connection.exec_driver_sql(
            "SELECT before FROM import_batch WHERE id = ?", (old.id,)
        ).one()
        record = json.loads(before)
        del record["waiting"]
        for days in record["accounts"].values():
            days["until"] = 20261104
        query = "UPDATE import_batch SET before = ? WHERE id = ?"
        connection.exec_driver_sql(query, (json.dumps(record), old.id))

    await context.store.write(forget_note)
    await import_texts({"b.csv": _csv([(1, -100, False), (2, -200, True)])}, account="Giro")
    assert await _waiting(context) == [(4, -200)]
    newer = await import_texts({"c.csv": _csv([(5, 5000, False), (5, -100, True)])}, account="Giro")
    assert await _waiting(context) == [(5, -100)]
    assert (await undo_import(context, ImportId(id=newer.id))).undone_at


async def test_rows_that_come_back_are_keyed_by_todays_rules(
    context: Context, import_texts: Import
) -> None:
    """A row that was noted under other rules for keys comes back to the payee that it has today."""
    await import_texts({"a.csv": _csv([(4, -200, True), (3, -100, False)])}, account="Giro")
    held = await context.store.read(_all)
    later = await import_texts({"b.csv": _csv([(5, 5000, False)])}, account="Giro")

    def age(connection: Connection) -> None:
        connection.exec_driver_sql(
            "UPDATE import_batch SET before = replace(json_set(before, '$.key_rules', -1),"
            " '\"corner books\"', '\"the corner books\"')"
        )

    await context.store.write(age)
    await undo_import(context, ImportId(id=later.id))

    assert await context.store.read(_all) == held

"""Rows are answered for by a store as by plain lists, so that decisions can be tested without one."""

import os
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import Connection, Engine, event

from finplan.intake.facts import AccountSide, RowFacts
from finplan.service.imports.facts import load_facts
from finplan.store.engine import driver_of, make_engine
from finplan.store.queries import accounts, payees, repeated_rows, staged_rows
from finplan.store.staging import Stage, StagedColumns
from tests.intake.rows_in_lists import Row, RowsInLists, numbered
from tests.store_copies import copy_store

DAYS = (20260530, 20260601, 20260602, 20260603)
SIZES = (0, 100)
KEYS = {1: "shop", 2: "bar", 3: "rent"}
LOCAL, HELD = (0, 1), (1, 2)
FILES = (0, 1, 2)
SIDES = [AccountSide(no) for no in HELD] + [AccountSide(no, is_staged=True) for no in LOCAL]

amounts = st.sampled_from([0, 100, -100, -100])
few = st.sampled_from([False, False, False, True])
# Accounts of few days, amounts and words: their rows meet in every way.
rows_of_files = st.builds(
    Row,
    account=st.sampled_from(LOCAL),
    day=st.sampled_from(DAYS),
    amount=amounts,
    raw=st.sampled_from(["SHOP", "shop A", "BAR", "100"]),
    file=st.sampled_from(FILES),
    payee=st.sampled_from(list(KEYS)),
    external_id=st.sampled_from([None, "100", "200"]),
    aside=st.sampled_from(["", "", "BAR"]),
    pending=few,
    known=few,
    set_aside=st.just(value=False),
    ordinal=st.just(0),
)
rows_of_store = st.builds(
    Row._replace,
    rows_of_files,
    account=st.sampled_from(HELD),
    file=st.none(),
    aside=st.just(""),
    pending=few,
    set_aside=few,
).map(lambda row: row._replace(pending=row.pending and row.set_aside))
balances = st.lists(
    st.tuples(st.sampled_from(HELD), st.sampled_from(DAYS), st.integers(0, 3), amounts),
    unique_by=lambda each: each[:3],
    max_size=6,
)


@st.composite
def households(draw: st.DrawFn) -> RowsInLists:
    """Two accounts of files and two of the store, which may lack the first of two equal rows."""
    of_files = numbered(draw(st.lists(rows_of_files, max_size=16)))
    of_store = numbered(draw(st.lists(rows_of_store, max_size=16)))
    kept = [row for row in of_store if row.set_aside or not row.known]
    return RowsInLists([*of_files, *kept], KEYS, draw(balances))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Iterator[Engine]:
    """A store in which nothing has happened, where rows need no person."""
    path = tmp_path_factory.mktemp("facts") / "finplan.db"
    copy_store(empty_store, path)
    made = make_engine(path, "BEGIN", 1)
    event.listen(made, "connect", lambda driver, _: driver.execute("PRAGMA foreign_keys = OFF"))
    yield made
    made.dispose()


def fill_stage(path: Path, rows: Iterable[Row]) -> None:
    """Let rows of files wait in a new stage, as reading leaves them."""
    stage = Stage(path)
    for row in rows:
        assert row.file is not None
        columns: StagedColumns = {
            "day": [row.day],
            "amount": [row.amount],
            "raw": [row.raw],
            "payee": [row.payee],
            "pending": [int(row.pending)],
            "external_id": [row.external_id],
            "aside": [row.aside or None],
        }
        stage.add(row.file, row.account, columns)
    stage.finish()
    stage.close()


def fill(connection: Connection, home: RowsInLists) -> None:
    """Put the rest of a household into the store, and note which staged rows it knows."""

    def insert(table: str, **values: object) -> None:
        places = ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})"
        connection.exec_driver_sql(statement, tuple(values.values()))

    payees.add_payees(connection, 1, [(key, key, key) for key in KEYS.values()])
    for row in home.rows:
        if row.file is None:
            own: dict[str, Any] = {"verdict_no": 1, "pending": int(row.pending)}
            table, more = ("set_aside", own) if row.set_aside else ("tx", {"counts": 1})
            same = {name: getattr(row, name) for name in ("day", "amount", "raw", "external_id")}
            told = {"account_no": row.account, "payee_no": row.payee, "ordinal": row.ordinal}
            insert(table, owner_no=1, source="csv", **same, **told, **more)
    for account, day, import_no, balance in home.balances:
        accounts.record_balance(connection, account, day, balance, import_no)
    staged_rows.match_rows(connection, {}, {}, across_sources=False, pair=lambda *_: [])
    of_files = [row for row in home.rows if row.file is not None]
    for number, row in enumerate(of_files, 1):
        if row.known and not row.pending and row.file is not None:
            repeated_rows.note_matches(connection, row.file, [(number, None, False)])


def answers(rows: RowFacts) -> dict[tuple[object, ...], object]:
    """All that may be asked; rows of one day come in no certain order."""
    spans = [(DAYS[0], DAYS[-1]), (DAYS[1], DAYS[2]), (DAYS[2], DAYS[2]), (DAYS[3], DAYS[0])]
    found: dict[tuple[object, ...], object] = {}
    for local, side in product(LOCAL, SIDES):
        found["overlap", local, side] = rows.overlap(local, side)
        found["compared", local, side] = [
            (sorted(each), [day for day, _ in each]) for each in rows.compared(local, side)
        ]
    for local, files in product(LOCAL, [(), (0,), (1, 2), FILES]):
        found["spent in", local, files] = rows.spent_in_files(local, files)
    for span in spans:
        found |= {("new", no, span): rows.new_between(no, *span) for no in LOCAL}
        found |= {("moved", side, span): rows.moved(side, *span) for side in SIDES}
        for side, sizes in product(SIDES, [(), (0,), (100, 0, 100)]):
            paid = rows.paid(side, sizes, *span)
            found["paid", side, span, sizes] = (sorted(paid), [day for day, _ in paid])
    for side in SIDES:
        spent = rows.spent(side)
        found["spent", side] = (sorted(spent), [day for day, _ in spent], rows.count_spent(side))
        found["received", side] = sorted(rows.received(side, 99))
        found["last", side] = [[day for day, _ in rows.received(side, most)] for most in (1, 3)]
        found["span", side] = rows.span(side)
        for day, size in product(DAYS, SIZES):
            of_size = rows.of_size(side, day, size)
            found["size", side, day, size] = (
                of_size if side.is_staged else sorted(of_size, key=repr)
            )
    for no in HELD:
        found["stated", no] = rows.stated(no)
        by_payee = rows.moved_by_payee(no)
        found["by payee", no] = {
            key: (sorted(each), [day for day, _ in each]) for key, each in by_payee.items()
        }
    return found


ATTACH = "ATTACH DATABASE ? AS staged"


@given(home=households())
@settings(max_examples=80)
def test_a_store_and_lists_answer_alike(engine: Engine, home: RowsInLists) -> None:
    """Whatever rows there are, each look-up has one meaning, in SQL as in Python."""
    path = Path(str(engine.url.database)).with_name("stage.db")
    path.unlink(missing_ok=True)
    fill_stage(path, (row for row in home.rows if row.file is not None))
    with engine.connect() as connection:
        driver = driver_of(connection)
        driver.execute(ATTACH, (os.fsencode(path),))
        try:
            fill(connection, home)
            assert answers(load_facts(connection, 1).rows) == answers(home.facts)
        finally:
            connection.rollback()
            driver.execute("DETACH DATABASE staged")

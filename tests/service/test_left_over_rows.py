"""Rows that a file words or dates otherwise are the ones that are there, and only those."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event

from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions
from tests.service import one_truth
from tests.service.own_money import csv
from tests.statements.bank_files import Row

Import = Callable[..., Awaitable[Any]]
FIRST = date(2026, 6, 1)


def _rows(*told: tuple[int, str, int]) -> list[Row]:
    return [(FIRST + timedelta(day - 1), amount, text) for day, text, amount in told]


BEGIN, END = (1, "OPENING SHOP", -11_00), (20, "CLOSING SHOP", -12_00)


async def _second(import_texts: Import, held: list[Row], new: list[Row]) -> tuple[int, int]:
    """Import rows as CSV, then others as OFX into the same account; new and ambiguous rows of these."""
    await import_texts({"bank.csv": one_truth.bank_csv(held)}, account="Giro", currency="EUR")
    report = await import_texts({"bank.ofx": one_truth.ofx(new)}, account="Giro")
    return report.files[0].new, report.files[0].ambiguous


async def test_shared_words_tell_a_row_under_another_day(import_texts: Import) -> None:
    """Between two formats a row of equal amount and a common word is one, days apart at most three."""
    held = _rows(BEGIN, (5, "PLUMBER BILL", -120_00), (9, "CAFE", -4_00), END)
    for day, expected in ((6, (1, 3)), (8, (1, 3)), (9, (2, 2))):
        new = _rows(BEGIN, (day, "Plumber invoice", -120_00), (11, "BAKERY", -3_00), END)
        report = await _once(import_texts, held, new)
        assert report == expected


async def _once(import_texts: Import, held: list[Row], new: list[Row]) -> tuple[int, int]:
    name = f"Giro {new[1][0]:%d}"
    await import_texts({"bank.csv": one_truth.bank_csv(held)}, account=name, currency="EUR")
    report = await import_texts({"bank.ofx": one_truth.ofx(new)}, account=name)
    return report.files[0].new, report.files[0].ambiguous


async def test_between_tables_a_shared_word_is_not_enough(import_texts: Import) -> None:
    """Two tables word their rows alike, so where each has rows of its own a common word is chance."""
    held = _rows(BEGIN, (5, "PLUMBER BILL", -120_00), (9, "CAFE", -4_00), END)
    plumber, bakery = (6, "Plumber invoice", -120_00), (11, "BAKERY", -3_00)
    await import_texts({"a.csv": one_truth.bank_csv(held)}, account="Giro", currency="EUR")
    for more, expected in (((plumber, bakery), 2), ((plumber,), 1)):
        new = {"b.csv": one_truth.other_csv(_rows(BEGIN, *more, END))}
        report = await import_texts(new, account="Giro", dry_run=True)
        assert report.files[0].new == expected


async def test_other_words_under_another_day_are_another_row(import_texts: Import) -> None:
    """Where few rows are the same and no word is, equal amounts are chance."""
    held = _rows(BEGIN, (5, "PLUMBER", -120_00), (9, "CAFE", -4_00), END)
    new = _rows(BEGIN, (6, "Electrician", -120_00), (11, "BAKERY", -3_00), END)
    assert await _second(import_texts, held, new) == (2, 2)


async def test_a_day_that_one_side_does_not_cover_tells_nothing(import_texts: Import) -> None:
    """A coffee after the last day of one file and one before the first day of the other are two."""
    held = _rows((1, "SHOP", -9_00), (5, "COFFEE", -3_00))
    new = _rows((6, "COFFEE", -3_00), (20, "SHOP", -8_00))
    assert await _second(import_texts, held, new) == (2, 0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("listed_day", "moved_day"), [(1, 2), (2, 1)])
@pytest.mark.parametrize(("word", "new"), [("Kiosk 7", 0), ("Museum", 1)])
async def test_at_the_edges_words_are_needed(
    import_texts: Import, listed_day: int, moved_day: int, word: str, new: int
) -> None:
    """In a joined account a row beyond the other's days is one with it only where a word is shared."""
    held = one_truth.rows(20)
    last = held[-1][0]
    listed = [*held, (last + timedelta(listed_day), -7_77, "Kiosk")]
    moved = [*held, (last + timedelta(moved_day), -7_77, word)]
    assert await _second(import_texts, listed, moved) == (new, 21 - new)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("different", "new"), [(1, 1), (5, 1), (6, 0)])
async def test_amounts_of_a_standing_order_count_once(
    import_texts: Import, different: int, new: int
) -> None:
    """Other words on another day are one row from six different amounts on, not from equal ones."""
    days = [*range(1, 13), *range(18, 26)]
    fares = _rows(*((day, "BUS", -3_00 - day % different) for day in days))
    held = sorted([*fares, *_rows((14, "PLUMBER", -3_00))])
    theirs = sorted([*fares, *_rows((16, "Electrician", -3_00))])
    assert await _second(import_texts, held, theirs) == (new, 21 - new)


async def test_two_cards_in_one_account_keep_their_rows(import_texts: Import) -> None:
    """Files that a person puts into one account are two where most of their rows are not the same."""
    mine = [(date(2026, 6, day), -day * 1_00, f"MINE {day}") for day in range(1, 20)]
    yours = [
        (day, amount - (7 if day.day % 3 else 0), text.replace("MINE", "YOURS"))
        for day, amount, text in mine
    ]
    await import_texts({"mine.csv": one_truth.bank_csv(mine)}, account="Visa", currency="EUR")
    report = await import_texts({"yours.csv": one_truth.bank_csv(yours)}, account="Visa")
    assert (report.files[0].new, report.files[0].ambiguous) == (19, 0)


async def test_two_formats_of_one_number_in_one_import(
    context: Context, import_texts: Import
) -> None:
    """Files that name one account are matched with each other too; undone, nothing is left."""
    rows = one_truth.rows(30)
    head, *lines = one_truth.bank_csv(rows).splitlines()
    numbered = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    files = {"a.ofx": one_truth.ofx(rows), "b.csv": numbered}
    report = await import_texts(files, currency="EUR")
    assert [(file.new, file.ambiguous) for file in report.files] == [(30, 0), (0, 30)]
    await undo_import(context, ImportId(id=report.id))
    assert (await list_transactions(context, TransactionQuery())).transactions == ()


async def test_a_third_file_does_not_take_what_the_second_took(import_texts: Import) -> None:
    """A row that an earlier file repeated already is no partner for another one."""
    rows = one_truth.rows(30)
    more = sorted([*rows, (rows[4][0], rows[4][1], "Someone else")])
    head, *lines = one_truth.bank_csv(rows).splitlines()
    numbered = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    head, *lines = one_truth.bank_csv(more).splitlines()
    longer = "\n".join([f"{head},Account number", *(f"{line},77001234" for line in lines)])
    files = {"a.ofx": one_truth.ofx(rows), "b.csv": numbered, "c.csv": longer}
    report = await import_texts(files, currency="EUR")
    assert [file.new for file in report.files] == [30, 0, 1]


async def test_undo_gives_rows_to_the_other_file(context: Context, import_texts: Import) -> None:
    """Rows that a second format repeated stay when the first import is undone."""
    rows = one_truth.rows(20)
    first = await import_texts({"a.csv": one_truth.bank_csv(rows)}, account="Giro", currency="EUR")
    moved = [
        (day + timedelta(place % 2), amount, text) for place, (day, amount, text) in enumerate(rows)
    ]
    second = await import_texts({"a.ofx": one_truth.ofx(moved)}, account="Giro")
    assert second.files[0].new == 0
    await undo_import(context, ImportId(id=first.id))
    assert len((await list_transactions(context, TransactionQuery())).transactions) == 20
    await undo_import(context, ImportId(id=second.id))
    assert (await list_transactions(context, TransactionQuery())).transactions == ()


async def test_one_layout_dates_its_rows_alike(import_texts: Import) -> None:
    """In two files of one layout another day is another row, which the person is asked about."""
    rows = [f"2026-09-{day:02d},SHOP {day},-{day}.00" for day in range(1, 20)]
    await import_texts({"a.csv": csv(*rows, "2026-09-05,PLUMBER,-120.00")}, account="Giro")
    later = csv(*rows, "2026-09-06,PLUMBER,-120.00")
    report = await import_texts({"b.csv": later}, account="Giro")
    assert (report.files[0].new, report.files[0].known) == (1, 19)


@contextmanager
def _counted() -> Iterator[list[int]]:
    """Count what SQLite does, a thousand instructions at a time."""
    taken = [0]

    def count() -> None:
        taken[0] += 1

    def watch(_connection: object, cursor: Any, *_rest: object) -> None:
        cursor.connection.set_progress_handler(count, 1000)

    event.listen(Engine, "before_cursor_execute", watch)
    try:
        yield taken
    finally:
        event.remove(Engine, "before_cursor_execute", watch)


async def test_another_format_of_a_long_account_is_matched_row_by_row(
    import_texts: Import,
) -> None:
    """Each row is looked up: four times as many rows take about four times the work, not sixteen."""
    taken = []
    for size in (500, 2000):
        rows = [(FIRST + timedelta(place // 8), -1_00 - place, "SHOP") for place in range(size)]
        moved = [(day + timedelta(amount % 2), amount, text) for day, amount, text in rows]
        name = f"Giro {size}"
        await import_texts({"a.csv": one_truth.bank_csv(rows)}, account=name, currency="EUR")
        with _counted() as work:
            report = await import_texts({"a.ofx": one_truth.ofx(moved)}, account=name)
        assert report.files[0].new == 0
        taken.append(work[0])
    assert taken[1] < 8 * taken[0]


async def test_rows_of_one_kind_of_source_are_told_by_their_texts(import_texts: Import) -> None:
    """That another format brought some rows makes no two of the first format one."""
    coffee, tea = _rows((5, "COFFEE", -4_00)), _rows((5, "TEA", -4_00))
    await import_texts({"a.csv": one_truth.bank_csv(coffee)}, account="Giro", currency="EUR")
    await import_texts({"a.ofx": one_truth.ofx(_rows((9, "SHOP", -7_00)))}, account="Giro")
    report = await import_texts({"b.csv": one_truth.bank_csv(tea)}, account="Giro")
    assert (report.files[0].new, report.files[0].ambiguous) == (1, 0)


async def test_rows_are_looked_for_in_their_own_account(import_texts: Import) -> None:
    """In an import into two accounts an equal row of the other account is another one."""
    mine, yours = _rows((25, "COFFEE", -4_00)), _rows((27, "TEA", -3_00))
    await import_texts({"a.csv": one_truth.bank_csv(mine)}, account="One", currency="EUR")
    await import_texts({"b.csv": one_truth.bank_csv(yours)}, account="Two", currency="EUR")
    names = ("One", "Two")
    said = [{"file": file, "about": "account", "value": name} for file, name in enumerate(names)]
    again = _rows((27, "Tee", -3_00))
    files = {"a.ofx": one_truth.ofx(again), "b.qif": one_truth.FORMATS["money.qif"](again)}
    report = await import_texts(files, answers=said, currency="EUR")
    assert [(file.new, file.ambiguous) for file in report.files] == [(1, 0), (0, 1)]

"""Files that name no account, under ever other names: their rows tell whose they are, or a note asks."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.base import Nothing
from finplan.model.errors import Conflict
from finplan.model.spending import SpendingQuery
from finplan.model.statement import ImportId
from finplan.service.accounts import list_accounts
from finplan.service.core import Context
from finplan.service.imports import undo_import
from finplan.service.recognising import recognise
from finplan.service.spending import query_spending
from finplan.store.intake import Overlap

Import = Callable[..., Awaitable[Any]]

NAMES = ("COFFEE", "GROCER", "RENT", "BOOKS", "FUEL", "PHONE", "GYM")


def _csv(first: int, last: int, cents: int = 0) -> str:
    """A statement with one charge a day of June 2026."""
    rows = (
        f"2026-06-{day:02d},{NAMES[day % 7]} {day},-{day}.{cents:02d}\n"
        for day in range(first, last + 1)
    )
    return "Date,Description,Amount\n" + "".join(rows)


async def _names(context: Context) -> list[str]:
    return [account.name for account in await list_accounts(context, Nothing())]


@pytest.mark.parametrize("name", ["export (1).csv", "export-2026-11.csv"])
async def test_an_export_under_another_name_is_the_same_account(
    context: Context, import_texts: Import, name: str
) -> None:
    """A file that holds an account's rows goes to it, whatever it is called: nothing counts twice."""
    await import_texts({"export.csv": _csv(1, 20)})
    dry = await import_texts({name: _csv(10, 25)}, dry_run=True)
    report = await import_texts({name: _csv(10, 25)}, digest=dry.digest)

    (file,) = report.files
    assert (file.new, file.known) == (5, 11)
    assert [(account.name, account.new) for account in file.accounts] == [("export", False)]
    assert "its rows are those of export" in file.notes[0]
    assert dry.files == report.files
    assert await _names(context) == ["export"]
    assert (await query_spending(context, SpendingQuery())).total == sum(range(1, 26)) * 100


async def test_another_accounts_file_is_another_account(
    context: Context, import_texts: Import
) -> None:
    """A file of the same bank and the same days, with other rows, gets an account of its own."""
    await import_texts({"export.csv": _csv(1, 20)})
    report = await import_texts({"export (1).csv": _csv(1, 20, cents=50)})

    (file,) = report.files
    assert (file.new, file.notes) == (20, ())
    assert [(account.name, account.new) for account in file.accounts] == [("export (1)", True)]


async def test_a_row_or_two_are_asked_about(context: Context, import_texts: Import) -> None:
    """A short overlap proves nothing: the preview names the account, and the person's word decides."""
    await import_texts({"export.csv": _csv(1, 20)})
    dry = await import_texts({"next.csv": _csv(19, 25)}, dry_run=True)
    (file,) = dry.files
    assert file.accounts[0].new
    assert "some of its rows are those of export" in file.notes[0]
    assert "--account export" in file.notes[0]

    report = await import_texts({"next.csv": _csv(19, 25)}, account="export")

    assert (report.files[0].new, report.files[0].known) == (5, 2)
    assert await _names(context) == ["export"]


async def test_another_format_of_an_account_is_asked_about(
    context: Context, import_texts: Import
) -> None:
    """Equal days and amounts under other texts suggest an account and do not prove it."""
    await import_texts({"export.csv": _csv(1, 20)})
    other = _csv(1, 20).replace("COFFEE", "Cafe").replace("RENT", "Miete").replace("GYM", "Sport")
    dry = await import_texts({"other.csv": other}, dry_run=True)
    assert dry.files[0].accounts[0].new
    assert "some of its rows are those of export" in dry.files[0].notes[0]


async def test_two_accounts_with_the_same_rows_are_a_question(
    context: Context, import_texts: Import
) -> None:
    """Where the rows are those of two accounts, nobody guesses: a conflict names both."""
    await import_texts({"a.csv": _csv(1, 20)}, account="One")
    await import_texts({"b.csv": _csv(1, 20)}, account="Two")
    with pytest.raises(Conflict, match="any of 2") as failure:
        await import_texts({"export.csv": _csv(1, 20)})
    assert failure.value.data is not None
    assert len(failure.value.data["choices"]) == 2


async def test_rows_tell_accounts_of_one_header_apart(
    context: Context, import_texts: Import
) -> None:
    """Of two accounts whose files have the same header, the one whose rows it holds is meant."""
    await import_texts({"a.csv": _csv(1, 20)}, account="One")
    await import_texts({"b.csv": _csv(1, 20, cents=50)}, account="Two")
    report = await import_texts({"export.csv": _csv(15, 22, cents=50)})
    assert [account.name for account in report.files[0].accounts] == ["Two"]
    assert (report.files[0].new, report.files[0].known) == (2, 6)


async def test_two_exports_of_one_account_in_one_import(
    context: Context, import_texts: Import
) -> None:
    """Files of one import that hold each other's rows are one account, and nothing comes twice."""
    report = await import_texts({"export.csv": _csv(1, 20), "export (1).csv": _csv(10, 25)})
    assert [(file.new, file.known) for file in report.files] == [(20, 0), (5, 11)]
    assert await _names(context) == ["export"]

    await undo_import(context, ImportId(id=report.id))
    assert await _names(context) == []


@given(
    ours=st.integers(0, 50),
    theirs=st.integers(0, 50),
    same=st.integers(0, 50),
    alike=st.integers(0, 50),
)
def test_what_is_certain_is_most_of_both(ours: int, theirs: int, same: int, alike: int) -> None:
    """Only three rows and more, and four fifths of either side, make an account certain."""
    seen = Overlap(ours, theirs, min(same, ours), min(max(same, alike), ours))
    found = recognise({1: seen})
    is_certain = seen.same >= 3 and 5 * seen.same >= 4 * ours and 5 * seen.same >= 4 * theirs
    assert (found.certain == (1,)) == is_certain
    assert not (found.certain and found.perhaps)
    assert found.certain or found.perhaps or seen.same < 3 or 2 * seen.same < min(ours, theirs)

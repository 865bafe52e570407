"""Accounts by keys: corrected and taken back, asked again, and imports undone only when agreed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from finplan.model import figures
from finplan.model.account import AccountChange, AccountRecord, KindWord
from finplan.model.base import Nothing
from finplan.model.statement import ImportRequest
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNT_RECORDS
from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened, open_screens

STATEMENT = """\
Date,Description,Amount (USD),Balance
2026-02-17,Blue Bottle Coffee,-4.50,204.50
2026-02-18,Blue Bottle Coffee,-4.50,200.00
2026-03-02,Acme Payroll,1800.00,2000.00
"""


@pytest.fixture
async def imported(daemon: RunningDaemon, tmp_path: Path) -> AsyncIterator[Opened]:
    """The program before a household with one statement, at its accounts."""
    file = tmp_path / "checking.csv"
    file.write_text(STATEMENT)
    asked = ImportRequest(account="Checking", account_kind="checking")
    await daemon.client.call(IMPORT_FILES, asked, [file])
    async with open_screens(daemon, opens="accounts") as opened:
        yield opened


async def accounts(daemon: RunningDaemon) -> tuple[AccountRecord, ...]:
    return await daemon.client.call(LIST_ACCOUNT_RECORDS, Nothing())


async def only(daemon: RunningDaemon) -> AccountRecord:
    (record,) = await accounts(daemon)
    return record


CORRECTIONS = [
    ("k", ("down", "enter"), "savings"),
    ("b", (*"1234.50", "enter"), "$1,234.50"),
    ("n", ("ctrl+u", *"Daily", "enter"), "Daily"),
    ("h", (), "left out of every figure"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "then", "said"), CORRECTIONS, ids=["kind", "balance", "name", "hide"]
)
async def test_a_correction_is_told_and_taken_back(
    imported: Opened, daemon: RunningDaemon, key: str, then: tuple[str, ...], said: str
) -> None:
    """Each correction is kept and said with what holds now, and u makes the account what it was."""
    before = await only(daemon)
    await imported.press(key)
    for each in then:
        await imported.press({".": "full_stop"}.get(each, each))
    changed = await only(daemon)
    assert changed != before
    assert said in imported.said
    assert "u takes it back" in imported.said
    await imported.press("u", "enter")
    assert await only(daemon) == before
    assert "Taken back" in imported.said
    [record] = await daemon.client.call(LIST_IMPORTS, Nothing())
    assert record.undone_at is None


@pytest.mark.parametrize(
    ("kind", "asked"),
    [("checking", "What is on Checking now?"), ("credit", "What is owed on Checking now?")],
)
async def test_a_balance_is_asked_for_as_what_it_is(
    imported: Opened, daemon: RunningDaemon, kind: KindWord, asked: str
) -> None:
    """What is on an account, or what is owed on a card, since both are typed without a sign."""
    record = await only(daemon)
    await daemon.client.call(CHANGE_ACCOUNT, AccountChange(id=record.account.id, kind=kind))
    await imported.press("O", "A", "b")
    assert asked in imported.text


@pytest.mark.thorough
async def test_a_balance_told_before_comes_back(imported: Opened, daemon: RunningDaemon) -> None:
    """Of two balances that were told, u leads from the second to the first, then to the statement's."""
    before = await only(daemon)
    for told in ("100", "200"):
        await imported.press("b")
        await imported.type(told)
        await imported.press("enter")
    await imported.press("u", "enter")
    assert (await only(daemon)).account.balance == 100_00
    await imported.press("u", "enter")
    assert await only(daemon) == before


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "typed"), [("b", "much"), ("n", "   ")])
async def test_what_cannot_be_changes_nothing(
    imported: Opened, daemon: RunningDaemon, key: str, typed: str
) -> None:
    """What is no balance is refused where it was typed, blanks and Escape keep what is there."""
    before = await only(daemon)
    await imported.press(key, "ctrl+u")
    await imported.type(typed)
    await imported.press("enter", "escape")
    for each in "kbn":
        await imported.press(each, "escape")
    assert await only(daemon) == before


@pytest.mark.thorough
async def test_an_import_goes_only_when_agreed(imported: Opened, daemon: RunningDaemon) -> None:
    """What an undo takes is shown before, Escape keeps it, and Enter takes it back."""
    await imported.press("u", "enter")
    assert "Take back 3 rows?" in imported.text
    assert "checking.csv" in imported.text
    await imported.press("escape")
    assert len(await accounts(daemon)) == 1
    await imported.press("u", "enter", "enter")
    assert await accounts(daemon) == ()
    assert "Taken back: checking.csv: 3 rows" in imported.said


@pytest.mark.thorough
async def test_where_there_is_no_account_each_key_says_so(newcomers: Opened) -> None:
    """Keys for an account say what brings one where there is none, and u that nothing is there."""
    await newcomers.press("A")
    for key in "kbnh":
        await newcomers.press("u")
        assert "nothing to take back" in newcomers.said
        await newcomers.press(key)
        assert "i imports a statement, c links a bank" in newcomers.said


@pytest.mark.thorough
async def test_statement_files_are_not_asked(imported: Opened) -> None:
    """S says that files are not asked, and what brings new rows, in the place of a count of none."""
    await imported.press("s")
    assert "i imports" in imported.said
    assert "0 new rows" not in imported.said
    assert "answers" not in imported.text


@pytest.mark.thorough
async def test_a_bank_is_asked(screens: Opened) -> None:
    """S asks the banks and says how many rows came."""
    await screens.press("A", "s")
    assert "new rows" in screens.said


@pytest.mark.thorough
async def test_kinds_are_said_as_people_say_them(screens: Opened) -> None:
    """The dialog of kinds has no word that only programs know."""
    await screens.press("A", "k")
    assert "credit card" in screens.text
    assert "depository" not in screens.text


@pytest.mark.thorough
async def test_a_hidden_account_is_shown_so(screens: Opened, household: RunningDaemon) -> None:
    """H leaves the marked account out and says it in its line; h again counts it."""
    await screens.press("A")
    marked = screens.screen.marked
    await screens.press("h")
    assert "hidden" in screens.text
    assert [each.account.id for each in await accounts(household) if each.hidden] == [
        marked.account.id
    ]
    await screens.press("h")
    assert not any(each.hidden for each in await accounts(household))
    assert figures.money(marked.account.balance, marked.currency) in screens.text

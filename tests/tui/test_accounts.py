"""Accounts and statement files by keys: corrected, looked at first, asked about, and taken back.

A bank is linked by a token, and at a page
of the bank's; imports are undone only when agreed.
"""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from finplan.model import figures
from finplan.model.account import AccountChange, AccountRecord, DatedBalance, KindWord
from finplan.model.base import Nothing
from finplan.model.statement import ImportRequest
from finplan.operations.account import (
    CHANGE_ACCOUNT,
    LIST_ACCOUNT_RECORDS,
    LIST_ACCOUNTS,
    SET_BALANCE,
)
from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT
from finplan.terminal.lines import Look
from finplan.terminal.tables import draw_table
from finplan.tui.app import FinplanApp
from finplan.tui.drawing import content_of, drawing_of
from finplan.tui.flows import linking
from finplan.tui.flows.importing import import_statements, take_import_back
from finplan.tui.household import HouseholdApp, NotAnswered
from finplan.views import accounts as accounts_view, banks as banks_view
from finplan.views.page import PageBlock, Section
from tests.banks.conftest import authority
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.world import HeldAt
from tests.banks.linked.household import reaching_harbour
from tests.cli import made_up_bank
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.golden_files import Golden
from tests.tui.opening import Opened, open_screens
from tests.views.drawing import how
from tests.webhooks.receiver import Authority

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
    ("h", (), "excluded from every figure"),
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
    assert "u to undo" in imported.said
    await imported.press("u", "enter")
    assert await only(daemon) == before
    assert "Undone" in imported.said
    [record] = await daemon.client.call(LIST_IMPORTS, Nothing())
    assert record.undone_at is None


@pytest.mark.thorough
async def test_an_account_is_added_and_removed_by_keys(
    imported: Opened, daemon: RunningDaemon
) -> None:
    """A home is there with its balance; it goes when removed, which u undoes, both balances included."""
    bank = await only(daemon)
    await imported.press("a", "enter", "enter", *"410000", "enter")
    assert "$410,000.00" in imported.said
    (home,) = [record for record in await accounts(daemon) if record.own]
    assert (home.account.name, home.account.subtype) == ("Home", "property")
    past = DatedBalance(id=home.account.id, date=date(2025, 6, 30), balance=390_000_00)
    await daemon.client.call(SET_BALANCE, past)
    await imported.press("r", "down", "x", "y")
    assert await only(daemon) == bank
    await imported.press("u", "enter")
    (again,) = [record for record in await accounts(daemon) if record.own]
    assert again.anchors[0].balance == 390_000_00
    assert again.account.balance == 410_000_00
    assert again.account.institution_name == home.account.institution_name


@pytest.mark.parametrize(
    ("kind", "asked"),
    [("checking", "balance of Checking?"), ("credit", "debt on Checking?")],
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
    assert "remove 3 transactions?" in imported.text
    assert "checking.csv" in imported.text
    await imported.press("escape")
    assert len(await accounts(daemon)) == 1
    await imported.press("u", "enter", "enter")
    assert await accounts(daemon) == ()
    assert "removed 3 transactions" in imported.said


@pytest.mark.thorough
async def test_where_there_is_no_account_each_key_says_so(newcomers: Opened) -> None:
    """Keys for an account say what brings one where there is none, and u that nothing is there."""
    await newcomers.press("A")
    for key in "kbnh":
        await newcomers.press("u")
        assert "Nothing to undo" in newcomers.said
        await newcomers.press(key)
        assert "Press i" in newcomers.said


@pytest.mark.thorough
async def test_statement_files_are_not_asked(imported: Opened) -> None:
    """S says that files are not asked, and what brings new rows, in the place of a count of none."""
    await imported.press("s")
    assert "Press i" in imported.said
    assert "0 new" not in imported.said
    assert "answers" not in imported.text


@pytest.mark.thorough
async def test_a_bank_is_asked(screens: Opened) -> None:
    """S asks the banks and says how many rows came."""
    await screens.press("A", "s")
    assert "new transactions" in screens.said


@pytest.mark.thorough
async def test_kinds_are_said_as_people_say_them(screens: Opened) -> None:
    """The dialog of kinds has no word that only programs know."""
    await screens.press("A", "k")
    assert "credit card" in screens.text
    assert "depository" not in screens.text


@pytest.mark.thorough
async def test_a_hidden_account_is_shown_so(screens: Opened) -> None:
    """H leaves the marked account out and says it in its line; h again counts it."""
    await screens.press("A")
    marked = screens.screen.marked
    await screens.press("h")
    assert "hidden" in screens.text
    assert [each.account.id for each in await accounts(screens.daemon) if each.hidden] == [
        marked.account.id
    ]
    await screens.press("h")
    assert not any(each.hidden for each in await accounts(screens.daemon))
    assert figures.money(marked.account.balance, marked.currency) in screens.text


@pytest.mark.parametrize("width", [30, 36, 56, 76, 136])
def test_accounts_are_drawn_so(width: int, drawings: Golden) -> None:
    """The list, each account and the banks have room at every width, and no amount is cut."""
    records = made_up_bank.accounts()
    # A list of accounts is never shown on fewer columns.
    lists = (records, (made_up_bank.account_at("Another Bank"), *records)) if width > 30 else ()
    look = Look(width, ids=False)
    drawn = [
        [content_of(line) for line in draw_table(accounts_view.balances(each), look)]
        for each in lists
    ]
    linked = (made_up_bank.connections(), ())
    parts: list[tuple[PageBlock | Section, ...]] = [
        *map(accounts_view.describe_account, records),
        *(banks_view.banks(each, how()).parts for each in linked),
    ]
    drawn += [drawing_of(each)(width).split("\n") for each in parts]
    lines = [line for each in drawn for line in each]
    assert [line.plain for line in lines if line.cell_length > width] == []
    if width == 76:
        told = ["\n".join(line.plain.rstrip() for line in each) for each in drawn]
        drawings("accounts", "\n\n".join(told) + "\n")


__all__ = ("authority",)


@dataclass
class AtBanks:
    """The program before a household that has no bank yet, and the banks."""

    opened: Opened
    plaid: PlaidApi
    bridge: SimplefinBridge
    harbour: HeldAt
    led_to: list[str]
    seconds: float = 0.0

    async def soon(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so; time passes meanwhile, as a page is not asked of at once again."""

        def looked() -> bool:
            self.seconds += 0.1
            return happened()

        await self.opened.until(looked)


@pytest.fixture
async def at_banks(
    tmp_path: Path, empty_store: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AtBanks]:
    """Accounts are open; the browser of the machine notes where it is led to."""
    monkeypatch.setattr(linking, "PAUSE_BETWEEN_LOOKS", 0.01)
    led_to: list[str] = []
    monkeypatch.setattr(FinplanApp, "open_url", lambda _app, url: led_to.append(url))
    async with reaching_harbour(NOW.date(), authority) as at:
        made: list[AtBanks] = []

        def clock() -> datetime:
            return NOW + timedelta(seconds=made[0].seconds if made else 0)

        at.plaid.now = lambda: NOW
        folder = tmp_path / "home"
        folder.mkdir()
        async with (
            running_daemon(folder, empty_store, aggregators=at.aggregators, clock=clock) as daemon,
            open_screens(daemon, opens="accounts") as opened,
        ):
            made.append(AtBanks(opened, at.plaid, at.bridge, at.harbour, led_to))
            yield made[0]


@pytest.mark.thorough
async def test_a_page_is_opened_and_waited_for(at_banks: AtBanks) -> None:
    """Plaid's page opens in the browser; as soon as the person has signed in the bank is there."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    [link] = at_banks.plaid.links.values()
    assert at_banks.led_to == [link.hosted_url]
    assert str(link.hosted_url) in opened.text.replace("\n", "").replace(" ", "").replace("│", "")
    at_banks.plaid.finish_link(link.token, at_banks.harbour)
    await at_banks.soon(lambda: "Linked Harbour Bank" in opened.said)
    await at_banks.soon(lambda: "Everyday Checking" in opened.text)


@pytest.mark.thorough
async def test_who_leaves_the_page_is_told_that_it_stays_open(at_banks: AtBanks) -> None:
    """Escape waits no longer; nothing is linked by it, and nothing is lost."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    await opened.press("escape")
    assert "still sign in" in opened.said


@pytest.mark.thorough
async def test_a_page_that_was_closed_links_nothing(at_banks: AtBanks) -> None:
    """Where the person closes the page without a sign-in, why nothing came of it is said."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    [link] = at_banks.plaid.links.values()
    at_banks.plaid.leave_link(link.token)
    await at_banks.soon(lambda: "Plaid" in opened.said)


@pytest.mark.thorough
async def test_a_token_is_pasted(at_banks: AtBanks) -> None:
    """SimpleFIN's setup token links all banks of the access."""
    opened = at_banks.opened
    await opened.press("c", "enter")
    await opened.drop(at_banks.bridge.setup_token())
    await opened.press("enter")
    await at_banks.soon(lambda: "Linked" in opened.said)


@pytest.mark.thorough
async def test_what_a_link_takes_over_is_said(at_banks: AtBanks) -> None:
    """A second token of the same access takes the place of the first connection, which is told."""
    opened = at_banks.opened
    for _ in range(2):
        await opened.press("c", "enter")
        await opened.drop(at_banks.bridge.setup_token())
        await opened.press("enter")
        await at_banks.soon(lambda: "Linked" in opened.said or "part of this" in opened.said)
        await opened.until(lambda: "Harbour Bank" in opened.text)
    await at_banks.soon(lambda: "part of this link" in opened.said)


@pytest.mark.thorough
async def test_a_bank_that_is_not_set_up_is_said(at_banks: AtBanks) -> None:
    """Without an application of one's own at Enable Banking its way says what it lacks."""
    opened = at_banks.opened
    await opened.press("c", "down", "down", "enter")
    await at_banks.soon(lambda: "not set up" in opened.said)


@pytest.mark.thorough
async def test_what_is_no_token_is_asked_for_once_more(at_banks: AtBanks) -> None:
    """A wrong paste is told where it was pasted, and the right one links from there."""
    opened = at_banks.opened
    await opened.press("c", "enter")
    await opened.type("junk")
    await opened.press("enter")
    await at_banks.soon(lambda: "not a setup token" in opened.text)
    await opened.drop(at_banks.bridge.setup_token())
    await opened.press("enter")
    await at_banks.soon(lambda: "Linked" in opened.said)


COFFEES = """\
Date,Description,Amount (USD)
2026-02-17,Blue Bottle Coffee,-4.50
2026-02-18,Blue Bottle Coffee,-4.50
2026-03-02,Acme Payroll,1800.00
"""
UNCLEAR = """\
Date,Description,Amount
03/02/2026,Corner Shop,12.00
04/02/2026,Bakery,3.50
05/03/2026,Book Store,20.00
"""


@pytest.fixture
def statement(tmp_path: Path) -> Path:
    file = tmp_path / "my bank" / "Checking, March (1).csv"
    file.parent.mkdir()
    file.write_text(COFFEES)
    return file


async def stored(daemon: RunningDaemon) -> int:
    imports = await daemon.client.call(LIST_IMPORTS, Nothing())
    return len(imports)


@pytest.mark.thorough
async def test_a_first_run_says_what_to_do(newcomers: Opened) -> None:
    """Where there is nothing yet each screen that shows money says what brings it, with the keys."""
    for key in ("O", "P", "S", "T"):
        await newcomers.press(key)
        await newcomers.until(lambda: "WELCOME" in newcomers.text)
        assert "WELCOME" in newcomers.text
        assert "Import statement files" in newcomers.text
        assert "finplan tui --demo" in newcomers.text
        await newcomers.press("c")
        assert "Which provider?" in newcomers.text
        await newcomers.press("escape")


@pytest.mark.thorough
async def test_a_file_is_looked_at_and_then_imported(newcomers: Opened, statement: Path) -> None:
    """A path with spaces is read as it was dropped; what would come in is shown, and Enter keeps it.

    What has come in is on the screen at once, in the place of the welcome.
    """
    assert "WELCOME" in newcomers.text
    await newcomers.press("i")
    await newcomers.drop(f"'{statement}'")
    await newcomers.press("enter")
    while "Import this?" not in newcomers.text:
        assert await stored(newcomers.daemon) == 0
        await newcomers.press("enter")
    assert "Blue Bottle Coffee" in newcomers.text
    await newcomers.press("enter")
    assert await stored(newcomers.daemon) == 1
    assert "Accounts (A)" in newcomers.said
    assert "WELCOME" not in newcomers.text
    await newcomers.press("A", "n")
    await newcomers.press("ctrl+u", "space", "enter")
    [account] = await newcomers.daemon.client.call(LIST_ACCOUNTS, Nothing())
    assert account.name.strip()
    assert newcomers.said == "", "Blanks are no name, and nothing is said of them."
    await newcomers.press("u", "enter", "enter")
    [record] = await newcomers.daemon.client.call(LIST_IMPORTS, Nothing())
    assert record.undone_at is not None


@pytest.mark.slow
async def test_escape_at_each_step_stores_nothing(newcomers: Opened, tmp_path: Path) -> None:
    """Whoever leaves an import, at whatever step, has stored nothing, and may begin anew."""
    file = tmp_path / "open.csv"
    file.write_text(UNCLEAR)
    for steps in range(8):
        await newcomers.press("i")
        if steps:
            await newcomers.drop(str(file))
            await newcomers.press(*["enter"] * steps)
        if len(newcomers.app.screen_stack) == 1:
            break
        await newcomers.press("escape")
        assert len(newcomers.app.screen_stack) == 1
        assert await stored(newcomers.daemon) == 0
    else:
        raise AssertionError("No step was the last one.")
    assert steps > 2, "The file asks something."
    assert await stored(newcomers.daemon) == 1


@pytest.mark.thorough
async def test_a_file_that_is_none_is_told(newcomers: Opened, tmp_path: Path) -> None:
    """No path, one without a file, an open quote and what is no statement are told and store nothing."""
    await newcomers.press("i", "enter")
    assert "Tab to browse" in newcomers.text
    await newcomers.drop(str(tmp_path / "gone.csv"))
    await newcomers.press("enter")
    assert "not found" in newcomers.text
    await newcomers.press("escape", "i")
    await newcomers.drop("'open")
    await newcomers.press("enter")
    assert "quotation mark" in newcomers.text
    await newcomers.press("escape")
    poem = tmp_path / "poem.txt"
    poem.write_text(json.dumps({"roses": "red"}))
    await newcomers.press("i")
    await newcomers.drop(str(poem))
    await newcomers.press("enter")
    assert await stored(newcomers.daemon) == 0
    said = newcomers.said or newcomers.text
    assert "poem.txt" in said


class Person:
    """An app whose person answers each dialog in turn; what is asked, said and warned is kept."""

    def __init__(self, answers: Sequence[Any], told: dict[Any, Any]) -> None:
        self.answers, self.told = list(answers), told
        self.asked: list[Any] = []
        self.said: list[str] = []
        self.warned: list[str] = []
        self.feed = SimpleNamespace(ask=self.ask)

    async def push_screen_wait(self, _dialog: Any) -> Any:
        return self.answers.pop(0)

    async def ask(self, row: Any, *_question: Any) -> Any:
        self.asked.append(row)
        answer = self.told[row]
        if isinstance(answer, NotAnswered):
            raise answer
        return answer

    def say(self, text: str) -> None:
        self.said.append(text)

    def warn(self, text: str) -> None:
        self.warned.append(text)


REPORT = made_up_bank.import_report()
STANDING = made_up_bank.imports()[0].model_copy(update={"undone_at": None})
UNDONE = STANDING.model_copy(update={"undone_at": 1})
AWAY = NotAnswered("Nobody answers.", away=True)
FILES = ("a.csv",)


@pytest.mark.parametrize(
    ("answers", "told", "asked", "came"),
    [
        ([()], {}, 0, False),
        ([None], {}, 0, False),
        ([FILES, True], {IMPORT_FILES: REPORT}, 2, True),
        ([FILES, False], {IMPORT_FILES: REPORT}, 1, False),
        ([FILES, None], {IMPORT_FILES: REPORT}, 1, False),
        ([FILES], {IMPORT_FILES: AWAY}, 1, False),
    ],
)
async def test_only_rows_that_came_in_are_told_of(
    answers: list[Any], told: dict[Any, Any], asked: int, came: bool
) -> None:
    """Without files, without a yes or without an answer nothing is stored, and the screen stays."""
    person = Person(answers, told)
    assert await import_statements(cast("HouseholdApp", person)) is came
    assert person.asked == [IMPORT_FILES] * asked
    assert bool(person.said) == came
    assert person.warned == ([AWAY.message] if told.get(IMPORT_FILES) is AWAY else [])


@pytest.mark.parametrize("agrees", [True, False, None])
async def test_only_an_import_that_was_taken_back_is_told_of(*, agrees: bool | None) -> None:
    """Unless the person agrees nothing is taken back."""
    person = Person([agrees], {UNDO_IMPORT: UNDONE})
    assert await take_import_back(cast("HouseholdApp", person), STANDING) is (agrees is True)
    assert person.asked == [UNDO_IMPORT] * (agrees is True)
    assert bool(person.said) == (agrees is True)


async def test_nothing_is_said_to_be_taken_back_that_was_not() -> None:
    """Where the daemon does not take it back, whoever asked is told why."""
    person = Person([True], {UNDO_IMPORT: AWAY})
    with pytest.raises(NotAnswered):
        await take_import_back(cast("HouseholdApp", person), STANDING)
    assert person.said == []

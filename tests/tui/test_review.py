"""What was detected by keys: each question with its rows, what either answer does, and the way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.detection import (
    Duplicate,
    DuplicateQuery,
    DuplicateVerdict,
    Transfer,
    TransferQuery,
)
from finplan.model.recurring import RecurringQuery, RecurringSeries
from finplan.model.statement import ImportId, ImportRequest
from finplan.model.transaction import TransactionQuery
from finplan.operation import Operation
from finplan.operations.detection import LIST_DUPLICATES, LIST_RECURRING, LIST_TRANSFERS
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.service import dispatch
from finplan.tui.screens.review import FoundScreen
from finplan.tui.widgets import LedgerTable
from finplan.views.plan_text import OFTEN
from tests.cli import made_up_bank
from tests.daemon.running import RunningDaemon, running_daemon
from tests.golden_files import Golden
from tests.tui.opening import LARGE, Opened, open_screens, picture

HEAD = "Date,Description,Amount (USD)"
CHECKING = (
    "2026-02-01,BAKERY NORTH,-3.10",
    "2026-02-05,PLUMBER BILL 88,-120.00",
    "2026-02-09,CAFE,-4.00",
    "2026-03-03,REF 88123 LM,-730.00",
    "2026-03-09,KX 11,-415.00",
    "2026-03-11,CAFE,-4.00",
)
AGAIN = (
    "2026-02-01,BAKERY NORTH,-3.10",
    "2026-02-06,PLUMBER INVOICE,-120.00",
    "2026-02-09,CAFE,-4.00",
)
SAVINGS = (
    "2026-03-02,OPENED,50.00",
    "2026-03-04,77 INCOMING QX,730.00",
    "2026-03-10,Z 22,415.00",
    "2026-03-12,PAPER STATEMENT,-0.50",
)


@pytest.fixture
async def doubtful(daemon: RunningDaemon, tmp_path: Path) -> AsyncIterator[Opened]:
    """The program before two transfers and one row that nobody but the person can tell."""
    accounts = (("Checking", CHECKING), ("Checking", AGAIN), ("Savings", SAVINGS))
    for number, (account, rows) in enumerate(accounts):
        file = tmp_path / f"{number}.csv"
        file.write_text("\n".join([HEAD, *rows]) + "\n")
        kind: Any = account.lower()
        asked = ImportRequest(account=account, account_kind=kind, direction="in")
        await daemon.client.call(IMPORT_FILES, asked, [file])
    async with open_screens(daemon, opens="found") as opened:
        yield opened


async def series(daemon: RunningDaemon) -> tuple[RecurringSeries, ...]:
    return await daemon.client.call(LIST_RECURRING, RecurringQuery())


async def first_charge(daemon: RunningDaemon) -> RecurringSeries:
    return next(each for each in await series(daemon) if each.kind == "charge")


async def transfers(daemon: RunningDaemon) -> tuple[Transfer, ...]:
    return await daemon.client.call(LIST_TRANSFERS, TransferQuery())


async def duplicates(daemon: RunningDaemon) -> tuple[Duplicate, ...]:
    return await daemon.client.call(LIST_DUPLICATES, DuplicateQuery())


async def safe_a_day(daemon: RunningDaemon) -> str:
    view = await daemon.client.call(VIEW_PLAN, Nothing())
    return figures.money(view.snapshot.allowance.daily, "USD")


@pytest.mark.thorough
async def test_a_series_shows_what_it_was_found_by(screens: Opened) -> None:
    """Beside the question stand how often, how much, when next, why, and the newest rows as written."""
    first = await first_charge(screens.daemon)
    await screens.press("F")
    assert f"Is {first.name} recurring?" in screens.text
    assert first.next_date is not None
    for told in (
        figures.money(first.amount, "USD"),
        figures.long_date(first.next_date),
        figures.long_date(first.first_date),
        first.why,
    ):
        assert told in screens.text
    query = TransactionQuery(merchant=(first.payee_key,), pending=False, limit=3)
    page = await screens.daemon.client.call(LIST_TRANSACTIONS, query)
    for row in page.transactions:
        line = next(line for line in screens.text.splitlines() if f"{row.date}" in line)
        assert row.raw[:30] in line


@pytest.mark.thorough
async def test_every_series_is_listed_with_how_sure_it_is(household: RunningDaemon) -> None:
    """Charges stand before income, each with its amount, how often it comes, and how sure that is."""
    async with open_screens(household, (140, 60), opens="found") as opened:
        lines = opened.text.splitlines()
        found = await series(household)
        places = {}
        for each in found:
            places[each.id] = next(
                place for place, line in enumerate(lines) if line.strip().startswith(each.name)
            )
            line = lines[places[each.id]]
            assert figures.money(each.amount, "USD") in line
            assert OFTEN[each.cadence] in line
            assert f"+{figures.money(each.amount, 'USD')}" in line or each.kind == "charge"
            assert "sure" in line or "likely" in line or not each.probability
        charges = [places[each.id] for each in found if each.kind == "charge"]
        assert max(charges) < min(places[each.id] for each in found if each.kind == "income")


@pytest.mark.thorough
async def test_no_dismisses_a_series_and_u_takes_it_back(screens: Opened) -> None:
    """N takes a charge out of the plan, the cursor stays with it, and u brings back what was before."""
    first = await first_charge(screens.daemon)
    await screens.press("F")
    assert "No: " in screens.text
    await screens.press("n")
    assert {each.id: each.status for each in await series(screens.daemon)}[first.id] == "dismissed"
    assert f"Dismissed and removed from the plan: {first.name}" in screens.said
    assert "u to undo" in screens.said
    assert "dismissed by you" in screens.text
    assert screens.screen.marked.id == first.id
    await screens.press("y")
    assert screens.screen.marked.status == "confirmed"
    await screens.press("y")
    assert "answered yes" in screens.said
    await screens.press("u")
    assert screens.screen.marked.status == "dismissed"
    await screens.press("u")
    assert screens.said.startswith("Undone. Reset to")
    assert screens.screen.marked == first
    await screens.press("u")
    assert "nothing to undo" in screens.said


@pytest.mark.thorough
async def test_a_word_of_before_is_taken_back_where_it_is_marked(household: RunningDaemon) -> None:
    """Without a word of this session u takes back the one that holds on what is marked."""
    async with open_screens(household, opens="found") as opened:
        await opened.press("down", "n")
    async with open_screens(household, opens="found") as opened:
        await opened.press("down")
        assert opened.screen.marked.status == "dismissed"
        await opened.press("u")
        assert opened.screen.marked.status == "detected"


@pytest.mark.thorough
async def test_a_transfer_shows_both_rows(screens: Opened) -> None:
    """Both rows of a pair stand there with day, amount, account and text, and what pairs them."""
    first = (await transfers(screens.daemon))[0]
    await screens.press("F", "2")
    text = screens.text
    assert "Is this a transfer?" in text
    assert "paired by finplan" in text
    for leg in (first.out, first.into):
        assert all(word in text for word in leg.raw.split()[:3])
        assert f"{leg.date}" in text
        assert leg.account in text
    assert f"+{figures.money(first.into.amount, 'USD')}" in text


@pytest.mark.thorough
async def test_what_a_word_moves_is_said_after(screens: Opened) -> None:
    """After a word stands what is safe to spend a day before and after it, where that has changed."""
    before = await safe_a_day(screens.daemon)
    income = next(each for each in await series(screens.daemon) if each.kind == "income")
    await screens.press("F")
    screens.screen.query_one("LedgerTable").mark(income.id)
    await screens.press("n")
    after = await safe_a_day(screens.daemon)
    assert before != after
    assert f"{before} → {after}." in screens.said
    await screens.press("u")
    assert f"{after} → {before}." in screens.said
    await screens.press("y")
    assert "Safe to spend" not in screens.said


@pytest.mark.thorough
async def test_without_known_cash_no_word_claims_to_move_it(
    screens: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody knows what cash there is, nothing is said of what is safe to spend a day."""
    income = next(each for each in await series(screens.daemon) if each.kind == "income")
    asks = screens.app.feed.ask

    async def without_cash(operation: Operation[Any, Any], ask: Any, files: Any = ()) -> Any:
        answer = await asks(operation, ask, files)
        if operation is not VIEW_PLAN:
            return answer
        held = answer.plan.snapshot
        told = [each.model_copy(update={"balance": None}) for each in held.accounts]
        without = held.model_copy(update={"accounts": tuple(told)})
        plan = answer.plan.model_copy(update={"snapshot": without})
        return answer.model_copy(update={"plan": plan})

    before = await safe_a_day(screens.daemon)
    await screens.press("F")
    screens.screen.query_one("LedgerTable").mark(income.id)
    monkeypatch.setattr(screens.app.feed, "ask", without_cash)
    await screens.press("n")
    assert before != await safe_a_day(screens.daemon)
    assert "u to undo" in screens.said
    assert "Safe to spend" not in screens.said


@pytest.mark.thorough
async def test_an_answer_brings_the_next_open_question(doubtful: Opened) -> None:
    """Open pairs stand first and their number is told; after an answer the next open one is marked."""
    assert "Transfers 2 open" in doubtful.text
    assert "Duplicates 1 open" in doubtful.text
    await doubtful.press("2")
    first = doubtful.screen.marked
    assert first.status == "candidate"
    assert "open: both count" in doubtful.text
    await doubtful.press("y")
    second = doubtful.screen.marked
    assert (second.status, second.id != first.id) == ("candidate", True)
    assert "Transfers 1 open" in doubtful.text
    await doubtful.press("n")
    assert {each.id: each.status for each in await transfers(doubtful.daemon)} == {
        first.id: "confirmed",
        second.id: "rejected",
    }
    assert doubtful.screen.marked.id == second.id


@pytest.mark.thorough
async def test_the_last_open_question_leads_back_up(doubtful: Opened) -> None:
    """After the answer to the last open one in the list the one above it is marked."""
    await doubtful.press("2")
    first = doubtful.screen.marked
    await doubtful.press("down", "y")
    assert doubtful.screen.marked.id == first.id


@pytest.mark.thorough
async def test_undo_goes_to_what_it_is_about(doubtful: Opened) -> None:
    """U on another list turns back to the list whose newest word it takes back, at its line."""
    await doubtful.press("2", "down")
    finding = doubtful.screen.marked
    await doubtful.press("y", "3", "u")
    assert doubtful.screen.list_shown == "transfers"
    assert doubtful.screen.marked.id == finding.id
    assert doubtful.screen.marked.status == "candidate"


@pytest.mark.thorough
async def test_a_row_seen_twice_is_left_out_and_comes_back(doubtful: Opened) -> None:
    """Both rows stand there as written; yes leaves the second out and says so, u brings it back."""
    (found,) = await duplicates(doubtful.daemon)
    await doubtful.press("3")
    for told in ("PLUMBER BILL 88", "PLUMBER INVOICE", "2026-02-05", "2026-02-06", "$120.00"):
        assert told in doubtful.text
    assert " ".join(found.why.split()[:6]) in doubtful.text
    assert "Yes: excludes the second from every total." in doubtful.text
    await doubtful.press("y")
    (found,) = await duplicates(doubtful.daemon)
    assert (found.status, found.other.counted) == ("same", False)
    assert "Duplicate; excluded" in doubtful.said
    assert f"Duplicate; excluded from every total: {found.other.raw}" in doubtful.said
    await doubtful.press("u")
    (found,) = await duplicates(doubtful.daemon)
    assert (found.status, found.other.counted) == ("open", True)
    assert "open again" in doubtful.said


@pytest.mark.thorough
async def test_open_questions_look_so(doubtful: Opened, golden: Golden) -> None:
    """What is open is told apart from what was decided, as it was when it was last looked at."""
    await doubtful.press("2", "y")
    golden("found-transfers", picture(doubtful))
    await doubtful.press("3")
    golden("found-duplicates", picture(doubtful))


@pytest.mark.thorough
async def test_lists_are_opened_by_key_and_by_mouse(screens: Opened) -> None:
    """A digit, Tab or a click opens a list, and each is found where it was left."""
    await screens.press("F", "2", "down", "down")
    left = screens.screen.marked
    await screens.press("tab")
    assert screens.screen.list_shown == "duplicates"
    assert "No duplicates found." in screens.text
    await screens.press("y", "n", "tab")
    assert screens.screen.list_shown == "recurring"
    line = next(line for line in screens.text.splitlines() if "2 Transfers" in line)
    offset = line.index("2 Transfers") - screens.screen.query_one("#lists").region.x
    await screens.pilot.click("#lists", offset=(offset, 0))
    await screens.settle()
    assert screens.screen.list_shown == "transfers"
    assert screens.screen.marked == left


@pytest.mark.thorough
async def test_older_transfers_are_listed_on_demand(screens: Opened) -> None:
    """Transfers of the last year stand there; o lists those of all days, and the year again."""
    every = await transfers(screens.daemon)
    await screens.press("F", "2")
    table = screens.screen.query_one("LedgerTable")
    shown = table.row_count
    assert 0 < shown < len(every)
    await screens.press("o")
    assert table.row_count == len(every)
    await screens.press("o")
    assert table.row_count == shown


@pytest.mark.thorough
async def test_what_cannot_be_taken_back_is_asked_once_more(
    tmp_path: Path, household_store: Path
) -> None:
    """Accounts under new ids are joined for good only after a second yes, and u never pretends."""
    relinked = next(each for each in made_up_bank.duplicates() if each.kind == "accounts")
    relinked = relinked.model_copy(update={"relinked": True, "status": "open"})
    said: list[str] = []

    async def perform(context: Any, operation: Any, ask: Any) -> Any:
        if operation.name == "list_duplicates":
            return (relinked,)
        if operation.name == "decide_duplicate":
            assert isinstance(ask, DuplicateVerdict)
            said.append(ask.verdict)
            return relinked.model_copy(update={"status": ask.verdict})
        return await dispatch.perform(context, operation, ask)

    async with (
        running_daemon(tmp_path, household_store, perform=perform) as daemon,
        open_screens(daemon, LARGE, opens="found") as opened,
    ):
        await opened.press("3", "y")
        assert "permanently" in opened.text
        await opened.press("escape")
        assert said == []
        await opened.press("n")
        assert "permanently" in opened.text
        await opened.press("enter")
        assert said == ["different"]
        assert "u to undo" not in opened.said
        await opened.press("u")
        assert said == ["different"]


@pytest.mark.thorough
async def test_what_is_gone_meanwhile_stands_in_no_way(doubtful: Opened, tmp_path: Path) -> None:
    """Where a word's rows are gone, u says so once, and then takes back the word before it."""
    await doubtful.press("2", "y")
    first = next(each for each in await transfers(doubtful.daemon) if each.status == "confirmed")
    await doubtful.press("3", "y")
    imports = await doubtful.daemon.client.call(LIST_IMPORTS, Nothing())
    again = next(each for each in imports if "1.csv" in str(each))
    await doubtful.daemon.client.call(UNDO_IMPORT, ImportId(id=again.id))
    await doubtful.press("u")
    assert "are gone" in doubtful.said
    await doubtful.press("u")
    assert {each.id: each.status for each in await transfers(doubtful.daemon)}[
        first.id
    ] == "candidate"


@pytest.mark.thorough
async def test_at_60_columns_everything_is_told(household: RunningDaemon) -> None:
    """On a narrow terminal the lists' names, each amount and both keys stand whole."""
    first = await first_charge(household)
    async with open_screens(household, (60, 24), opens="found") as opened:
        for told in ("1 Recurring", "2 Transfers", "3 Duplicates", "y  Yes:", "n  No:"):
            assert told in opened.text
        assert figures.money(first.amount, "USD") in opened.text
        assert "y Yes" in opened.text.splitlines()[-1]
        await opened.press("2")
        assert "y  Yes:" in opened.text
        assert "n  No:" in opened.text


def in_doubt(opened: Opened) -> list[str]:
    """The ids of the transfers that nobody but the person can tell, as they are listed."""
    screen = opened.app.screen
    assert isinstance(screen, FoundScreen)
    assert screen.shown is not None
    listed = screen.query_one(LedgerTable).keys
    waiting = {each.id for each in screen.shown.transfers if each.status == "candidate"}
    return [each for each in listed if each in waiting]


async def at_once(opened: Opened, *keys: str) -> None:
    """Press keys faster than anything is done by them, and wait until all is done."""
    for each in keys:
        pressed = Key(each, each if len(each) == 1 else None)
        pressed.set_sender(opened.app)
        opened.app.post_message(pressed)
    await opened.pilot.pause()
    await opened.settle()


@pytest.mark.thorough
async def test_words_said_fast_are_each_kept_on_what_they_are_for(doubtful: Opened) -> None:
    """The word after one that is still being kept is for what is marked next, and neither is lost."""
    await doubtful.press("2")
    first, second = in_doubt(doubtful)
    await at_once(doubtful, "n", "y")
    said = {each.id: each.status for each in await transfers(doubtful.daemon)}
    assert (said[first], said[second]) == ("rejected", "confirmed")
    await at_once(doubtful, "u", "u")
    assert {
        each.status for each in await transfers(doubtful.daemon) if each.id in (first, second)
    } == {"candidate"}


@pytest.mark.thorough
async def test_a_word_is_for_what_was_marked_when_it_was_said(doubtful: Opened) -> None:
    """Who goes on by the arrow before the first word is kept says the next one of where they went."""
    await doubtful.press("2")
    first, second = in_doubt(doubtful)
    await at_once(doubtful, "n", "down", "n")
    said = {each.id: each.status for each in await transfers(doubtful.daemon)}
    assert (said[first], said[second]) == ("rejected", "rejected")

"""What was detected: what comes again, transfers, what is there twice; and the person's word on each.

The word is yes or no, and there is a way back from it.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import DataTable

from finplan.model import detection, figures
from finplan.model.base import Nothing
from finplan.model.recurring import RecurringQuery, RecurringSeries, RecurringVerdict
from finplan.model.transaction import Transaction, TransactionQuery
from finplan.operations import detection as detections
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.dialogs import agrees
from finplan.tui.household import Feed, HouseholdApp, NotAnswered, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion, LedgerTable, Tab, Tabs
from finplan.views import detection as view
from finplan.views.detection import Word, is_open, word_on
from finplan.views.page import PageTable, Sentence, mentioning
from finplan.views.plan_text import cash_is_unknown

OF_A_SERIES, OF_AN_ACCOUNT = 3, 2
"""How many of the newest rows tell a series, and an account, from others."""

NewestRows = tuple[tuple[Transaction, ...], ...]
"""The newest rows of a series, or of each of two accounts; empty of what shows its rows itself."""


class SpokenWord(NamedTuple):
    """A finding and the word that held on it before another was said."""

    finding: detection.Detected
    before: Word


class Verdicts:
    """Keeps what the person says; each word of the session can be taken back, the newest first."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._spoken: list[SpokenWord] = []

    async def say(self, finding: detection.Detected, answer: Word) -> bool:
        """Keep a word; whether something changed. What cannot be taken back is asked for once more."""
        before = word_on(finding)
        if before == answer:
            self._app.say(f"You already answered {answer}.")
            return False
        is_final = isinstance(finding, detection.Duplicate) and finding.relinked
        if is_final and not await self._is_meant(finding, answer):
            return False
        way_back = "" if is_final or answer == "auto" else " Press u to undo."
        is_kept = False
        with warning(self._app):
            await self._keep(finding, answer, way_back)
            is_kept = True
        if is_kept and not is_final:
            self._spoken.append(SpokenWord(finding, before))
        return is_kept

    async def undo(self, marked: detection.Detected | None) -> detection.Detected | None:
        """Take the newest word back, without one the word on what is marked; what it was about."""
        if not self._spoken:
            if marked is None or word_on(marked) == "auto":
                self._app.say("You have not answered this, so there is nothing to undo.")
                return None
            return marked if await self.say(marked, "auto") else None
        finding, before = self._spoken[-1]
        try:
            await self._keep(finding, before, "", is_back=True)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            if not refused.away:
                # What it was about is gone, and must not stand before the words said earlier.
                self._spoken.pop()
            return None
        self._spoken.pop()
        return finding

    async def _is_meant(self, finding: detection.Detected, answer: Word) -> bool:
        text = f"{view.asked_of(finding)} {view.does(finding, answer)} This cannot be undone."
        return await agrees(self._app, "Are you sure?", [Sentence(mentioning(text))])

    async def _keep(
        self,
        finding: detection.Detected,
        answer: Word,
        way_back: str,
        *,
        is_back: bool = False,
    ) -> None:
        feed = self._app.feed
        before = await _safe_a_day(feed)
        decided = await _decide(feed, finding, answer)
        after = await _safe_a_day(feed)
        moved = ""
        if before is not None and after is not None:
            was, now = (figures.money(amount, feed.currency) for amount in (before, after))
            moved = f" Safe to spend a day: {was} → {now}." if was != now else ""
        back = "Undone. " if is_back else ""
        self._app.say(f"{back}{view.describe_verdict(decided, feed.how)}{moved}{way_back}")


async def evidence_of(feed: Feed, finding: detection.Detected) -> NewestRows:
    """The newest rows of what does not show its rows itself. Raises NotAnswered."""
    if isinstance(finding, RecurringSeries):
        query = TransactionQuery(merchant=(finding.payee_key,), pending=False, limit=OF_A_SERIES)
        return ((await feed.ask(LIST_TRANSACTIONS, query)).transactions,)
    if isinstance(finding, detection.Duplicate) and finding.kind == "accounts":
        pages = [
            await feed.ask(
                LIST_TRANSACTIONS,
                TransactionQuery(account=(side.account_id,), limit=OF_AN_ACCOUNT),
            )
            for side in (finding.kept, finding.other)
        ]
        return tuple(page.transactions for page in pages)
    return ()


async def _safe_a_day(feed: Feed) -> int | None:
    """What is safe to spend a day; None where there is no plan, or nobody knows what cash there is."""
    try:
        view = await feed.ask(VIEW_PLAN, Nothing())
    except NotAnswered:
        # The verdict itself tells whether anybody answers.
        return None
    is_known = not cash_is_unknown(view.plan.snapshot.accounts)
    return view.snapshot.allowance.daily if is_known else None


async def _decide(feed: Feed, finding: detection.Detected, answer: Word) -> detection.Detected:
    match view.verdict(finding, answer):
        case RecurringVerdict() as of_series:
            return await feed.ask(detections.DECIDE_RECURRING, of_series)
        case detection.TransferVerdict() as of_pair:
            return await feed.ask(detections.DECIDE_TRANSFER, of_pair)
        case detection.DuplicateVerdict() as of_two:
            return await feed.ask(detections.DECIDE_DUPLICATE, of_two)


LISTS = (
    Tab("recurring", "Recurring", "1"),
    Tab("transfers", "Transfers", "2"),
    Tab("duplicates", "Duplicates", "3"),
)
DAYS_BACK = 400
"""How many days of transfers are listed, until all of them are asked for."""


@dataclass(frozen=True)
class Findings:
    """Everything that was detected."""

    recurring: tuple[RecurringSeries, ...]
    transfers: tuple[detection.Transfer, ...]
    duplicates: tuple[detection.Duplicate, ...]

    def of(self, name: str) -> tuple[detection.Detected, ...]:
        """What one of the lists holds."""
        lists: dict[str, tuple[detection.Detected, ...]] = {
            "recurring": self.recurring,
            "transfers": self.transfers,
            "duplicates": self.duplicates,
        }
        return lists[name]


class FoundScreen(HouseholdScreen[Findings]):
    """One of three lists above, what is marked in it below: y says yes to it and n says no."""

    PLACE = "found"
    WELCOMES = True
    BINDINGS: ClassVar = [
        *(Binding(tab.key, f"turn_to('{tab.name}')", tab.title, show=False) for tab in LISTS),
        Binding("tab", "next_list", "Next list"),
        Binding("y", "say('yes')", "Yes"),
        Binding("n", "say('no')", "No"),
        Binding("u", "undo", "Undo"),
        Binding("o", "older", "Older", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.list_shown = LISTS[0].name
        self._marked: dict[str, str | None] = {}
        self._go_to: str | None = None
        self._all_days = False
        self._evidence: dict[str, NewestRows] = {}
        self._turn = asyncio.Lock()
        self._in_hand: str | None = None

    @cached_property
    def _verdicts(self) -> Verdicts:
        return Verdicts(self.household)

    def compose_body(self) -> ComposeResult:
        """The lists' names, the open one, and what is marked in it."""
        yield Tabs("lists", LISTS, self.action_turn_to)
        yield LedgerTable("findings")
        with VerticalScroll(id="finding", can_focus=False):
            yield DrawnRegion("asked_of")

    async def gather(self, feed: Feed) -> Findings:
        """All three."""
        self._evidence.clear()
        since = None if self._all_days else feed.today() - timedelta(DAYS_BACK)
        recurring, transfers, duplicates = await asyncio.gather(
            feed.ask(detections.LIST_RECURRING, RecurringQuery()),
            feed.ask(detections.LIST_TRANSFERS, detection.TransferQuery(since=since)),
            feed.ask(detections.LIST_DUPLICATES, detection.DuplicateQuery()),
        )
        return Findings(recurring, transfers, duplicates)

    def show(self, answers: Findings) -> None:
        """Fill the table with the open list."""
        tabs = self.query_one("#lists", Tabs)
        tabs.here = self.list_shown
        waiting = {tab.name: sum(map(is_open, answers.of(tab.name))) for tab in LISTS}
        tabs.waiting = {name: f" {many} open" for name, many in waiting.items() if many}
        table = self.fill(self._table(answers))
        if self._go_to is not None:
            table.mark(self._go_to)
            self._go_to = None
        table.focus()
        self._draw_marked()

    def _table(self, findings: Findings) -> PageTable:
        match self.list_shown:
            case "recurring":
                return view.series_table(findings.recurring, self.feed.how)
            case "transfers":
                return view.transfer_table(findings.transfers)
            case _:
                return view.duplicate_table(findings.duplicates)

    @property
    def marked(self) -> detection.Detected | None:
        """What the cursor is on."""
        key = self.query_one(LedgerTable).marked
        rows = () if self.shown is None else self.shown.of(self.list_shown)
        return next((row for row in rows if row.id == key), None)

    @on(DataTable.RowHighlighted)
    def _turn_to_marked(self) -> None:
        self.query_one("#finding", VerticalScroll).scroll_home(animate=False)
        self._draw_marked()

    def _draw_marked(self) -> None:
        finding = self.marked
        self._draw(finding)
        if finding is not None and finding.id not in self._evidence:
            self._look_up(finding)

    @work(exclusive=True, group="look")
    async def _look_up(self, finding: detection.Detected) -> None:
        with self.failing():
            self._evidence[finding.id] = await evidence_of(self.feed, finding)
            self._draw(self.marked)

    def action_turn_to(self, name: str) -> None:
        """Open one of the lists, at the place where it was left."""
        self._marked[self.list_shown] = self.query_one(LedgerTable).marked
        self.list_shown, self._go_to = name, self._marked.get(name)
        if self.shown is not None:
            self.show(self.shown)

    def action_next_list(self) -> None:
        """Open the list after this one."""
        names = [tab.name for tab in LISTS]
        self.action_turn_to(names[(names.index(self.list_shown) + 1) % len(names)])

    def action_older(self) -> None:
        """List the transfers of all days, or of the last year alone again."""
        self._all_days = not self._all_days
        self.household.say(
            "Showing all transfers." if self._all_days else "Showing transfers of the last year."
        )
        self.load()

    @work(group="reword")
    async def action_say(self, answer: Word) -> None:
        """Say yes or no to what is marked; what is open next is marked then.

        Words are kept one after the other. One that is said of what another is just being said of is
        meant for what is marked after that.
        """
        finding, in_hand = self.marked, self._in_hand
        async with self._turn:
            if finding is not None and finding.id == in_hand:
                finding = self.marked
            if finding is None:
                return
            self._in_hand = finding.id
            following = self._open_after(finding)
            if await self._verdicts.say(finding, answer):
                self._go_on(finding.id, following)
                self.load_all()
            self._in_hand = None

    def _go_on(self, finding_id: str, following: str | None) -> None:
        """Mark what is open next, unless the person has gone elsewhere meanwhile."""
        table = self.query_one(LedgerTable)
        if following is not None and table.marked == finding_id:
            self._go_to = following
            table.mark(following)

    @work(group="reword")
    async def action_undo(self) -> None:
        """Take the newest word back, and go to what it was about."""
        async with self._turn:
            finding = await self._verdicts.undo(self.marked)
            if finding is None:
                return
            kinds = {
                RecurringSeries: "recurring",
                detection.Transfer: "transfers",
                detection.Duplicate: "duplicates",
            }
            self.action_turn_to(kinds[type(finding)])
            self._go_to = finding.id
            self.load_all()

    def _open_after(self, finding: detection.Detected) -> str | None:
        """What is open below an open finding, or above the last of them; None where none is."""
        rows = () if self.shown is None else self.shown.of(self.list_shown)
        waits = {row.id for row in rows if is_open(row)}
        keys = [key for key in self.query_one(LedgerTable).keys if key in waits]
        if finding.id not in keys or len(keys) == 1:
            return None
        at = keys.index(finding.id)
        return keys[at + 1] if at + 1 < len(keys) else keys[at - 1]

    def _draw(self, finding: detection.Detected | None) -> None:
        if finding is None:
            self.draw("asked_of", [Sentence(view.NOTHING[self.list_shown], "soft")])
            return
        evidence = self._evidence.get(finding.id)
        self.draw("asked_of", view.finding(finding, self.feed.how, evidence))

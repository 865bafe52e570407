"""What was detected: what comes again, transfers, what is there twice; and the person's word on each."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import DataTable

from finplan.model.base import Nothing
from finplan.model.duplicate import Duplicate, DuplicateQuery
from finplan.model.recurring import RecurringQuery, RecurringSeries
from finplan.model.transfer import Transfer, TransferQuery
from finplan.model.words.verdicts import Detected, is_open
from finplan.operations.account import LIST_ACCOUNTS
from finplan.operations.detection import LIST_DUPLICATES, LIST_RECURRING, LIST_TRANSFERS
from finplan.tui.drawing.found import draw_finding, duplicate_lines, series_lines, transfer_lines
from finplan.tui.drawing.lines import FAINT, styled
from finplan.tui.drawing.tables import ColumnHead, TableLine
from finplan.tui.feed import Feed, NotAnswered
from finplan.tui.flows.verdicts import NewestRows, Verdicts, Word, evidence_of
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets.drawn import DrawnRegion
from finplan.tui.widgets.ledger_table import LedgerTable
from finplan.tui.widgets.lists import ListTabs, NamedList

LISTS = (
    NamedList("recurring", "Comes again", "1"),
    NamedList("transfers", "Transfers", "2"),
    NamedList("duplicates", "Seen twice", "3"),
)
DAYS_BACK = 400
"""How many days of transfers are listed, until all of them are asked for."""

NOTHING = {
    "recurring": "Nothing recurring has been found yet.",
    "transfers": "No transfers between your accounts.",
    "duplicates": "Nothing looks as if it were there twice.",
}


@dataclass(frozen=True)
class Findings:
    """Everything that was detected, the names of the accounts, and the currency."""

    recurring: tuple[RecurringSeries, ...]
    transfers: tuple[Transfer, ...]
    duplicates: tuple[Duplicate, ...]
    names: dict[str, str]
    currency: str

    def of(self, name: str) -> tuple[Detected, ...]:
        """What one of the lists holds."""
        held: dict[str, tuple[Detected, ...]] = {
            "recurring": self.recurring,
            "transfers": self.transfers,
            "duplicates": self.duplicates,
        }
        return held[name]


class FoundScreen(HouseholdScreen[Findings]):
    """One of three lists above, what is marked in it below: y says yes to it and n says no."""

    PLACE = "found"
    WELCOMES = True
    BINDINGS: ClassVar = [
        *(Binding(each.key, f"turn_to('{each.name}')", each.title, show=False) for each in LISTS),
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
        yield ListTabs(LISTS)
        yield LedgerTable("findings")
        with VerticalScroll(id="finding", can_focus=False):
            yield DrawnRegion(id="asked_of")

    async def gather(self, feed: Feed) -> Findings:
        """All three, and the accounts."""
        self._evidence.clear()
        since = None if self._all_days else feed.today() - timedelta(DAYS_BACK)
        recurring, transfers, duplicates, accounts = await asyncio.gather(
            feed.ask(LIST_RECURRING, RecurringQuery()),
            feed.ask(LIST_TRANSFERS, TransferQuery(since=since)),
            feed.ask(LIST_DUPLICATES, DuplicateQuery()),
            feed.ask(LIST_ACCOUNTS, Nothing()),
        )
        names = {each.id: each.name for each in accounts}
        return Findings(recurring, transfers, duplicates, names, feed.currency)

    def show(self, answers: Findings) -> None:
        """Fill the table with the open list."""
        table, tabs = self.query_one(LedgerTable), self.query_one(ListTabs)
        tabs.here = self.list_shown
        tabs.waiting = {
            each.name: sum(is_open(found) for found in answers.of(each.name)) for each in LISTS
        }
        heads, lines = self._lines(answers, self.size.width - 4)
        table.fill(heads, lines)
        if self._go_to is not None:
            table.mark(self._go_to)
            self._go_to = None
        table.focus()
        self._draw_marked()

    def _lines(self, found: Findings, width: int) -> tuple[list[ColumnHead], list[TableLine]]:
        match self.list_shown:
            case "recurring":
                return series_lines(found.recurring, found.currency, width)
            case "transfers":
                return transfer_lines(found.transfers, found.names, width)
            case _:
                return duplicate_lines(found.duplicates, width)

    @property
    def marked(self) -> Detected | None:
        """What the cursor is on."""
        key = self.query_one(LedgerTable).marked
        found = () if self.shown is None else self.shown.of(self.list_shown)
        return next((each for each in found if each.id == key), None)

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
    async def _look_up(self, finding: Detected) -> None:
        try:
            self._evidence[finding.id] = await evidence_of(self.feed, finding)
        except NotAnswered as error:
            self.post_message(self.Failed(error))
        else:
            self._draw(self.marked)

    @on(ListTabs.Opened)
    def _open_list(self, clicked: ListTabs.Opened) -> None:
        self.action_turn_to(clicked.name)

    def action_turn_to(self, name: str) -> None:
        """Open one of the lists, at the place where it was left."""
        self._marked[self.list_shown] = self.query_one(LedgerTable).marked
        self.list_shown, self._go_to = name, self._marked.get(name)
        if self.shown is not None:
            self.show(self.shown)

    def action_next_list(self) -> None:
        """Open the list after this one."""
        names = [each.name for each in LISTS]
        self.action_turn_to(names[(names.index(self.list_shown) + 1) % len(names)])

    def action_older(self) -> None:
        """List the transfers of all days, or of the last year alone again."""
        self._all_days = not self._all_days
        self.household.say(
            "The transfers of all days." if self._all_days else "The transfers of the last year."
        )
        self.load()

    @work(group="reword")
    async def action_say(self, word: Word) -> None:
        """Say yes or no to what is marked; what is open next is marked then.

        Words are kept one after the other. One that is said of what another is just being said of is
        meant for what is marked after that.
        """
        finding, in_hand = self.marked, self._in_hand
        async with self._turn:
            if finding is not None and finding.id == in_hand:
                finding = self.marked
            shown = self.shown
            if finding is None or shown is None:
                return
            self._in_hand = finding.id
            following = self._open_after(finding)
            if await self._verdicts.say(finding, word, shown.names):
                self._go_on(finding.id, following)
                self._load_changed()
            self._in_hand = None

    def _go_on(self, said: str, following: str | None) -> None:
        """Mark what is open next, unless the person has gone elsewhere meanwhile."""
        table = self.query_one(LedgerTable)
        if following is not None and table.marked == said:
            self._go_to = following
            table.mark(following)

    @work(group="reword")
    async def action_undo(self) -> None:
        """Take the newest word back, and go to what it was about."""
        async with self._turn:
            names = {} if self.shown is None else self.shown.names
            finding = await self._verdicts.undo(self.marked, names)
            if finding is None:
                return
            kinds = {RecurringSeries: "recurring", Transfer: "transfers", Duplicate: "duplicates"}
            self.action_turn_to(kinds[type(finding)])
            self._go_to = finding.id
            self._load_changed()

    def _load_changed(self) -> None:
        self.load()
        self.keep_standing()

    def _open_after(self, finding: Detected) -> str | None:
        """What is open below an open finding, or above the last of them; None where none is."""
        found = () if self.shown is None else self.shown.of(self.list_shown)
        waits = {each.id for each in found if is_open(each)}
        keys = [key for key in self.query_one(LedgerTable).keys if key in waits]
        if finding.id not in keys or len(keys) == 1:
            return None
        at = keys.index(finding.id)
        return keys[at + 1] if at + 1 < len(keys) else keys[at - 1]

    def _draw(self, finding: Detected | None) -> None:
        region, shown = self.query_one("#asked_of", DrawnRegion), self.shown
        if shown is None or finding is None:
            nothing = styled(NOTHING[self.list_shown], FAINT)
            region.drawing = lambda _width: nothing
            return
        evidence = self._evidence.get(finding.id)
        region.drawing = partial(draw_finding, finding, evidence, shown.names, shown.currency)

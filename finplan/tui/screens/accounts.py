"""Accounts and the banks behind them: how old, what is missing, and what to put right."""

import asyncio
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable

from finplan.model.account import AccountRecord
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionRecord
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.bank import LIST_CONNECTIONS, SYNC_ALL
from finplan.tui.dialogs.choosing import ChoiceDialog
from finplan.tui.drawing.accounts import account_lines, draw_account, draw_banks
from finplan.tui.feed import Feed, NotAnswered
from finplan.tui.flows.correcting import AccountCorrections
from finplan.tui.flows.linking import link_bank
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets.drawn import DrawnRegion
from finplan.tui.widgets.ledger_table import LedgerTable

_ANOTHER = "another"


@dataclass(frozen=True)
class Banks:
    """Accounts, and the connections that bring them."""

    accounts: tuple[AccountRecord, ...]
    connections: tuple[ConnectionRecord, ...]


class AccountsScreen(HouseholdScreen[Banks]):
    """The accounts above, what is known of the marked one below."""

    PLACE = "accounts"
    BINDINGS: ClassVar = [
        Binding("i", "bring_in", "Import"),
        Binding("c", "link", "Link"),
        Binding("s", "sync", "Sync"),
        Binding("k", "correct('kind')", "Kind"),
        Binding("b", "correct('balance')", "Balance"),
        Binding("n", "correct('name')", "Name"),
        Binding("h", "correct('hidden')", "Hide"),
        Binding("u", "undo", "Undo"),
    ]

    @cached_property
    def _corrections(self) -> AccountCorrections:
        return AccountCorrections(self.household)

    def compose_body(self) -> ComposeResult:
        """The table, the marked account, and the banks."""
        yield LedgerTable("accounts")
        yield DrawnRegion(id="account")
        yield DrawnRegion(id="banks")

    async def gather(self, feed: Feed) -> Banks:
        """Accounts and connections."""
        accounts, connections = await asyncio.gather(
            feed.ask(LIST_ACCOUNT_RECORDS, Nothing()), feed.ask(LIST_CONNECTIONS, Nothing())
        )
        return Banks(accounts, connections)

    def show(self, answers: Banks) -> None:
        """Fill the table."""
        table = self.query_one(LedgerTable)
        heads, lines = account_lines(answers.accounts, self.size.width - 4)
        table.fill(heads, lines)
        table.focus()
        now = self.feed.clock()
        self.query_one("#banks", DrawnRegion).drawing = partial(
            draw_banks, answers.connections, now
        )
        self._draw_marked()

    @property
    def marked(self) -> AccountRecord | None:
        """The account that the cursor is on."""
        key = self.query_one(LedgerTable).marked
        accounts = () if self.shown is None else self.shown.accounts
        return next((each for each in accounts if each.account.id == key), None)

    @on(DataTable.RowHighlighted)
    def _draw_marked(self) -> None:
        record = self.marked
        self.query_one("#account", DrawnRegion).drawing = (
            None if record is None else partial(draw_account, record)
        )

    @work(exclusive=True, group="link")
    async def action_link(self) -> None:
        """Link a bank, or one anew that wants it."""
        connections = () if self.shown is None else self.shown.connections
        ended = [each for each in connections if each.connection.status == "login_required"]
        names = {each.connection.id: f"{each.connection.institution_name} anew" for each in ended}
        instead_of = None
        if ended:
            dialog = ChoiceDialog("Which bank?", {**names, _ANOTHER: "another bank"})
            chosen = await self.app.push_screen_wait(dialog)
            if chosen is None:
                return
            instead_of = next((each for each in ended if each.connection.id == chosen), None)
        if await link_bank(self.household, instead_of):
            self.load()

    @work(exclusive=True, group="import")
    async def action_undo(self) -> None:
        """Take a correction back, or a past import."""
        if await self._corrections.undo():
            self.load()
            self.keep_standing()

    @work(exclusive=True, group="sync")
    async def action_sync(self) -> None:
        """Ask every bank for what is new; statement files can only be brought."""
        connections = () if self.shown is None else self.shown.connections
        if connections and all(each.connection.provider == "manual" for each in connections):
            self.household.say("No bank is linked to be asked: i imports newer files, c links one.")
            return
        self.household.say("Asking the banks …")
        try:
            reports = await self.feed.ask(SYNC_ALL, Nothing())
        except NotAnswered as error:
            self.household.warn(error.message)
            return
        failed = [each.error for each in reports if each.error is not None]
        for each in failed:
            self.household.warn(each)
        added = sum(each.added for each in reports)
        if not failed:
            self.household.say(
                f"{added:,} new rows." if reports else "No bank is linked yet: c links one."
            )
        self.load()

    @work(exclusive=True, group="correct")
    async def action_correct(self, what: str) -> None:
        """Say otherwise what the marked account is, holds or is called, or leave it out."""
        record = self.marked
        if record is None:
            self.household.say("There is no account yet: i imports a statement, c links a bank.")
        elif await self._corrections.ask(record, what):
            self.load()
            self.keep_standing()

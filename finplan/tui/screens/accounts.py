"""Accounts and the banks behind them: how old, what is missing, and what to put right."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, get_args

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable

from finplan.model.account import AccountChange, AccountRecord, KindWord
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionRecord
from finplan.model.money import typed_amount
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNT_RECORDS
from finplan.operations.bank import LIST_CONNECTIONS, SYNC_ALL
from finplan.tui.dialogs.choosing import ChoiceDialog
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.drawing.accounts import account_lines, draw_account, draw_banks
from finplan.tui.feed import Feed, NotAnswered
from finplan.tui.flows.importing import undo_import
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
        Binding("k", "kind", "Kind"),
        Binding("b", "balance", "Balance"),
        Binding("n", "rename", "Name"),
        Binding("h", "hide", "Hide"),
        Binding("u", "undo_import", "Undo"),
    ]

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
    async def action_undo_import(self) -> None:
        """Take a past import back."""
        if await undo_import(self.household):
            self.load()

    @work(exclusive=True, group="sync")
    async def action_sync(self) -> None:
        """Ask every bank for what is new."""
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
            self.household.say(f"{added:,} new rows." if reports else "No bank is linked yet.")
        self.load()

    @work
    async def action_kind(self) -> None:
        """Say what kind of account it is."""
        record = self.marked
        if record is None:
            return
        kinds = {word: word for word in get_args(KindWord)}
        kind = await self.app.push_screen_wait(
            ChoiceDialog(f"What kind of account is {record.account.name}?", kinds)
        )
        if kind is not None:
            await self._change(record, kind=kind)

    @work
    async def action_balance(self) -> None:
        """Say what its balance is."""
        record = self.marked
        if record is None:
            return
        currency = record.currency
        owed = record.account.kind in ("credit", "loan")
        typed = await self.app.push_screen_wait(
            TypedDialog(
                f"What {'is owed on' if owed else 'is on'} {record.account.name} now?",
                f"In {currency}, such as 1,840.25",
                refuses=lambda text: _wrong(text, currency),
            )
        )
        if typed is not None:
            await self._change(record, balance=typed_amount(typed, currency, "The balance"))

    @work
    async def action_rename(self) -> None:
        """Call it otherwise."""
        record = self.marked
        if record is None:
            return
        dialog = TypedDialog("What is it called?", value=record.account.name)
        typed = await self.app.push_screen_wait(dialog)
        if typed and typed.strip():
            await self._change(record, name=typed.strip())

    @work
    async def action_hide(self) -> None:
        """Leave it out of every figure, or count it again."""
        record = self.marked
        if record is not None:
            await self._change(record, hidden=not record.hidden)

    async def _change(self, record: AccountRecord, **fields: Any) -> None:
        try:
            changed = await self.feed.ask(
                CHANGE_ACCOUNT, AccountChange(id=record.account.id, **fields)
            )
        except (NotAnswered, ValueError) as error:
            self.household.warn(str(error))
            return
        self.household.say(f"{changed.account.name} is as you said.")
        self.load()


def _wrong(text: str, currency: str) -> str | None:
    try:
        typed_amount(text, currency, "The balance")
    except ValueError as error:
        return str(error)
    return None

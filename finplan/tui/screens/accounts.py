"""Accounts and the banks behind them: how old, what is missing, and what to put right.

Accounts are corrected, and there is a way back from each correction and from a past import.
"""

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable

from finplan.model.account import AccountChange, AccountId, AccountRecord
from finplan.model.base import Nothing
from finplan.model.connection import Connection, ConnectionState
from finplan.model.money import typed_amount
from finplan.model.statement import ImportRecord
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNT_RECORDS, REMOVE_ACCOUNT
from finplan.operations.bank import LIST_CONNECTION_STATES
from finplan.operations.statement_file import LIST_IMPORTS
from finplan.tui.dialogs import ChoiceDialog, TypedDialog
from finplan.tui.flows.importing import take_import_back
from finplan.tui.flows.linking import link_bank
from finplan.tui.flows.own_accounts import add_again, add_own_account, remove_own_account
from finplan.tui.household import Feed, HouseholdApp, NotAnswered, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion, LedgerTable
from finplan.views import accounts, banks, imports as imports_view
from finplan.views.page import Section


class AccountCorrection(NamedTuple):
    """What was corrected, in words, and the change that makes the account what it was.

    `balance` is the one that was shown before another was told. An account that was added is removed
    by its id, and one that was removed is added again from its record.
    """

    title: str
    back: AccountChange | AccountId | AccountRecord
    balance: int | None = None


class AccountCorrections:
    """Asks for corrections and keeps them; each of the session can be taken back."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._made: list[AccountCorrection] = []

    async def ask(self, record: AccountRecord, what: str) -> bool:
        """Ask for a `kind`, a `balance` or a `name`, or turn `hidden`; whether something changed."""
        fields = await self._ask_value(record, what)
        if fields is None:
            return False
        try:
            change = AccountChange(id=record.account.id, **fields)
            changed = await self._app.feed.ask(CHANGE_ACCOUNT, change)
        except (NotAnswered, ValueError) as error:
            self._app.warn(str(error))
            return False
        self._made.append(_correction(record, what))
        self._app.say(f"{changed.account.name}: {_is_now(changed, what)}. Press u to undo.")
        return True

    async def add(self) -> bool:
        """Ask for an account of the person's own and add it; whether one was added."""
        with warning(self._app):
            added = await add_own_account(self._app)
            if added is not None:
                name = added.account.name
                back = AccountId(id=added.account.id)
                self._made.append(AccountCorrection(f"{name}: added", back))
                self._app.say(f"{name}: added, {accounts.holds(added)}. Press u to undo.")
                return True
        return False

    async def remove(self, record: AccountRecord) -> bool:
        """Remove an account that the person added, if they agree; whether it was removed."""
        name = record.account.name
        with warning(self._app):
            if await remove_own_account(self._app, record):
                self._made.append(AccountCorrection(f"{name}: removed", record))
                self._app.say(f"{name}: removed. Press u to undo.")
                return True
        return False

    async def undo(self) -> bool:
        """Take a correction of the session back, or a past import, as the person chooses."""
        with warning(self._app):
            imports = await self._app.feed.ask(LIST_IMPORTS, Nothing())
            standing = {batch.id: batch for batch in imports if batch.undone_at is None}
            chosen = await self._choose(standing)
            if chosen in standing:
                return await take_import_back(self._app, standing[chosen])
            if chosen is not None:
                await self._take_back(self._made[int(chosen)])
                self._app.say(f"Undone: {self._made.pop(int(chosen)).title}.")
                return True
        return False

    async def _take_back(self, correction: AccountCorrection) -> None:
        if isinstance(correction.back, AccountId):
            await self._app.feed.ask(REMOVE_ACCOUNT, correction.back)
            return
        if isinstance(correction.back, AccountRecord):
            await add_again(self._app, correction.back)
            return
        changed = await self._app.feed.ask(CHANGE_ACCOUNT, correction.back)
        balance = correction.balance
        if balance is not None and changed.account.balance != balance:
            # The person had told another balance before, which no statement states.
            again = AccountChange(id=changed.account.id, balance=balance)
            await self._app.feed.ask(CHANGE_ACCOUNT, again)

    async def _choose(self, imports: dict[str, ImportRecord]) -> str | None:
        newest_first = reversed([*enumerate(self._made)])
        names = {str(index): correction.title for index, correction in newest_first}
        names |= {key: f"import of {imports_view.called(batch)}" for key, batch in imports.items()}
        if not names:
            self._app.say(
                "Nothing to undo: you have no imports, and changed nothing in this session."
            )
            return None
        return await self._app.push_screen_wait(ChoiceDialog("What do you want to undo?", names))

    async def _ask_value(self, record: AccountRecord, what: str) -> dict[str, Any] | None:
        account, currency = record.account, record.currency
        if what == "hidden":
            return {"hidden": not record.hidden}
        if what == "kind":
            about = f"What kind of account is {account.name}?"
            kind = await self._app.push_screen_wait(ChoiceDialog(about, accounts.KINDS))
            return None if kind is None else {"kind": kind}
        if what == "name":
            dialog = TypedDialog("New name", "", reads=str.strip, value=account.name)
            name = await self._app.push_screen_wait(dialog)
            return {"name": name} if name else None
        stands = "debt on" if account.kind in accounts.OWED else "balance of"
        balance = await self._app.push_screen_wait(
            TypedDialog(
                f"What is the current {stands} {account.name}?",
                f"In {currency}, for example 1,840.25",
                reads=lambda typed: typed_amount(typed, currency, "The balance"),
            )
        )
        return None if balance is None else {"balance": balance}


def _correction(record: AccountRecord, what: str) -> AccountCorrection:
    """What is corrected of an account, and the change that makes it what it is now."""
    account, called = record.account, record.account.name
    kind = account.subtype if account.subtype in accounts.KINDS else account.kind
    counted = "included in figures" if record.hidden else "excluded from figures"
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "kind": (
            f"{called}: change of kind (was {accounts.kind(account)})",
            {"kind": kind, "subtype": account.subtype},
        ),
        "balance": (
            f"{called}: change of balance (was {accounts.holds(record)})",
            {"balance": None},
        ),
        "name": (f"{called}: change of name", {"name": called}),
        "hidden": (f"{called}: {counted}", {"hidden": record.hidden}),
    }
    title, back = ways[what]
    before = account.balance if what == "balance" else None
    return AccountCorrection(title, AccountChange(id=account.id, **back), before)


def _is_now(record: AccountRecord, what: str) -> str:
    if what == "hidden":
        return "excluded from every figure" if record.hidden else "included in figures again"
    if what == "balance":
        return accounts.holds(record)
    return "renamed" if what == "name" else accounts.kind(record.account)


_ANOTHER_BANK = "another"


@dataclass(frozen=True)
class Banks:
    """Accounts, and the connections that bring them."""

    accounts: tuple[AccountRecord, ...]
    states: tuple[ConnectionState, ...]


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
        Binding("a", "add", "Add"),
        Binding("x", "remove", "Remove"),
        Binding("u", "undo", "Undo"),
    ]

    @cached_property
    def _corrections(self) -> AccountCorrections:
        return AccountCorrections(self.household)

    def compose_body(self) -> ComposeResult:
        """The table, the marked account, and the banks."""
        yield LedgerTable("accounts")
        yield DrawnRegion("account")
        yield DrawnRegion("banks")

    async def gather(self, feed: Feed) -> Banks:
        """Accounts and connections."""
        return Banks(
            *await asyncio.gather(
                feed.ask(LIST_ACCOUNT_RECORDS, Nothing()),
                feed.ask(LIST_CONNECTION_STATES, Nothing()),
            )
        )

    def show(self, answers: Banks) -> None:
        """Fill the table."""
        self.fill(accounts.balances(answers.accounts)).focus()
        linked = banks.states(answers.states, self.feed.how).parts
        self.draw("banks", (Section("banks", "Banks"), *linked))
        self._draw_marked()

    @property
    def _linked(self) -> list[Connection]:
        return [] if self.shown is None else [bank.record.connection for bank in self.shown.states]

    @property
    def marked(self) -> AccountRecord | None:
        """The account that the cursor is on."""
        key = self.query_one(LedgerTable).marked
        records = () if self.shown is None else self.shown.accounts
        return next((record for record in records if record.account.id == key), None)

    @on(DataTable.RowHighlighted)
    def _draw_marked(self) -> None:
        self.draw("account", () if self.marked is None else accounts.describe_account(self.marked))

    @work(exclusive=True, group="link")
    async def action_link(self) -> None:
        """Link a bank, or one anew that wants it."""
        ended = {link.id: link for link in self._linked if link.status == "login_required"}
        chosen: str | None = _ANOTHER_BANK
        if ended:
            names = {key: f"Reconnect {bank.institution_name}" for key, bank in ended.items()}
            dialog = ChoiceDialog("Which bank?", {**names, _ANOTHER_BANK: "Link another bank"})
            chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None and await link_bank(self.household, ended.get(chosen)):
            self.load()

    @work(exclusive=True, group="import")
    async def action_undo(self) -> None:
        """Take a correction back, or a past import."""
        if await self._corrections.undo():
            self.load_all()

    def action_sync(self) -> None:
        """Ask every bank for what is new."""
        if self._linked and all(bank.provider == "manual" for bank in self._linked):
            self.household.say(
                "No linked bank to sync. Press i to import newer files, or c to link a bank."
            )
        else:
            self.sync_bank()

    @work(exclusive=True, group="correct")
    async def action_add(self) -> None:
        """Add an account that no bank or file brings."""
        if await self._corrections.add():
            self.load_all()

    @work(exclusive=True, group="correct")
    async def action_remove(self) -> None:
        """Remove the marked account, if the person added it."""
        record = self.marked
        if record is None or not record.own:
            self.household.say(
                "Only accounts that you added can be removed. Press h to hide an account."
            )
        elif await self._corrections.remove(record):
            self.load_all()

    @work(exclusive=True, group="correct")
    async def action_correct(self, what: str) -> None:
        """Say otherwise what the marked account is, holds or is called, or leave it out."""
        record = self.marked
        if record is None:
            self.household.say(
                "No accounts yet. Press i to import a statement, or c to link a bank."
            )
        elif await self._corrections.ask(record, what):
            self.load_all()

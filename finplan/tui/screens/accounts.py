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

from finplan.model.account import AccountChange, AccountRecord
from finplan.model.base import Nothing
from finplan.model.connection import Connection, ConnectionState
from finplan.model.money import typed_amount
from finplan.model.statement import ImportRecord
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNT_RECORDS
from finplan.operations.bank import LIST_CONNECTION_STATES
from finplan.operations.statement_file import LIST_IMPORTS
from finplan.tui.dialogs import ChoiceDialog, TypedDialog
from finplan.tui.flows.importing import take_import_back
from finplan.tui.flows.linking import link_bank
from finplan.tui.household import Feed, HouseholdApp, NotAnswered, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion, LedgerTable
from finplan.views import accounts, banks, imports as imports_view
from finplan.views.page import Section


class AccountCorrection(NamedTuple):
    """What was corrected, in words, and the change that makes the account what it was.

    `balance` is the one that was shown before another was told.
    """

    told: str
    back: AccountChange
    balance: int | None = None


class AccountCorrections:
    """Asks for corrections and keeps them; each of the session can be taken back."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._made: list[AccountCorrection] = []

    async def ask(self, record: AccountRecord, what: str) -> bool:
        """Ask for a `kind`, a `balance` or a `name`, or turn `hidden`; whether something changed."""
        fields = await self._asked(record, what)
        if fields is None:
            return False
        try:
            change = AccountChange(id=record.account.id, **fields)
            changed = await self._app.feed.ask(CHANGE_ACCOUNT, change)
        except (NotAnswered, ValueError) as error:
            self._app.warn(str(error))
            return False
        self._made.append(_correction(record, what))
        self._app.say(f"{changed.account.name}: {_is_now(changed, what)}. u takes it back.")
        return True

    async def undo(self) -> bool:
        """Take a correction of the session back, or a past import, as the person chooses."""
        with warning(self._app):
            imports = await self._app.feed.ask(LIST_IMPORTS, Nothing())
            standing = {each.id: each for each in imports if each.undone_at is None}
            chosen = await self._choose(standing)
            if chosen in standing:
                return await take_import_back(self._app, standing[chosen])
            if chosen is not None:
                await self._take_back(self._made[int(chosen)])
                self._app.say(f"Taken back: {self._made.pop(int(chosen)).told}.")
                return True
        return False

    async def _take_back(self, correction: AccountCorrection) -> None:
        changed = await self._app.feed.ask(CHANGE_ACCOUNT, correction.back)
        told = correction.balance
        if told is not None and changed.account.balance != told:
            # The person had told another balance before, which no statement states.
            again = AccountChange(id=changed.account.id, balance=told)
            await self._app.feed.ask(CHANGE_ACCOUNT, again)

    async def _choose(self, imports: dict[str, ImportRecord]) -> str | None:
        newest_first = reversed([*enumerate(self._made)])
        names = {str(place): each.told for place, each in newest_first}
        names |= {
            key: f"the import of {imports_view.called(each)}" for key, each in imports.items()
        }
        if not names:
            self._app.say("There is nothing to take back: no correction, and no import.")
            return None
        return await self._app.push_screen_wait(ChoiceDialog("What is to be taken back?", names))

    async def _asked(self, record: AccountRecord, what: str) -> dict[str, Any] | None:
        account, currency = record.account, record.currency
        if what == "hidden":
            return {"hidden": not record.hidden}
        if what == "kind":
            about = f"What kind of account is {account.name}?"
            kind = await self._app.push_screen_wait(ChoiceDialog(about, accounts.KINDS))
            return None if kind is None else {"kind": kind}
        if what == "name":
            dialog = TypedDialog("What is it called?", "", reads=str.strip, value=account.name)
            name = await self._app.push_screen_wait(dialog)
            return {"name": name} if name else None
        stands = "is owed on" if account.kind in accounts.OWED else "is on"
        balance = await self._app.push_screen_wait(
            TypedDialog(
                f"What {stands} {account.name} now?",
                f"In {currency}, such as 1,840.25",
                reads=lambda typed: typed_amount(typed, currency, "The balance"),
            )
        )
        return None if balance is None else {"balance": balance}


def _correction(record: AccountRecord, what: str) -> AccountCorrection:
    """What is corrected of an account, and the change that makes it what it is now."""
    account, called = record.account, record.account.name
    word = account.subtype if account.subtype in accounts.KINDS else account.kind
    counted = "counted again" if record.hidden else "left out"
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "kind": (
            f"the kind of {called}, which was {accounts.kind(account)}",
            {"kind": word, "subtype": account.subtype},
        ),
        "balance": (
            f"the balance of {called}, which was {accounts.holds(record)}",
            {"balance": None},
        ),
        "name": (f"the name of {called}", {"name": called}),
        "hidden": (f"that {called} is {counted}", {"hidden": record.hidden}),
    }
    told, back = ways[what]
    before = account.balance if what == "balance" else None
    return AccountCorrection(told, AccountChange(id=account.id, **back), before)


def _is_now(record: AccountRecord, what: str) -> str:
    if what == "hidden":
        return "left out of every figure" if record.hidden else "counted again"
    if what == "balance":
        return accounts.holds(record)
    return "its new name" if what == "name" else accounts.kind(record.account)


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
        return [] if self.shown is None else [each.record.connection for each in self.shown.states]

    @property
    def marked(self) -> AccountRecord | None:
        """The account that the cursor is on."""
        key = self.query_one(LedgerTable).marked
        records = () if self.shown is None else self.shown.accounts
        return next((each for each in records if each.account.id == key), None)

    @on(DataTable.RowHighlighted)
    def _draw_marked(self) -> None:
        self.draw("account", () if self.marked is None else accounts.marked(self.marked))

    @work(exclusive=True, group="link")
    async def action_link(self) -> None:
        """Link a bank, or one anew that wants it."""
        ended = {each.id: each for each in self._linked if each.status == "login_required"}
        chosen: str | None = _ANOTHER_BANK
        if ended:
            names = {key: f"{bank.institution_name} anew" for key, bank in ended.items()}
            dialog = ChoiceDialog("Which bank?", {**names, _ANOTHER_BANK: "another bank"})
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
        if self._linked and all(each.provider == "manual" for each in self._linked):
            self.household.say("No bank is linked to be asked: i imports newer files, c links one.")
        else:
            self.sync_bank()

    @work(exclusive=True, group="correct")
    async def action_correct(self, what: str) -> None:
        """Say otherwise what the marked account is, holds or is called, or leave it out."""
        record = self.marked
        if record is None:
            self.household.say("There is no account yet: i imports a statement, c links a bank.")
        elif await self._corrections.ask(record, what):
            self.load_all()

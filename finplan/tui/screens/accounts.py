"""Accounts and the banks behind them: how old, what is missing, and what to put right.

Accounts are corrected, and there is a way back from each correction and from a past import.
"""

import asyncio
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, cast, get_args

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable

from finplan.model.account import AccountChange, AccountRecord, KindWord
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionRecord
from finplan.model.money import typed_amount
from finplan.model.statement import ImportRecord
from finplan.operations.account import CHANGE_ACCOUNT, LIST_ACCOUNT_RECORDS
from finplan.operations.bank import LIST_CONNECTIONS, SYNC_ALL
from finplan.operations.statement_file import LIST_IMPORTS
from finplan.tui.dialogs import ChoiceDialog, TypedDialog
from finplan.tui.drawing.accounts import (
    KINDS_SAID,
    OWED,
    account_lines,
    balance_said,
    draw_account,
    draw_banks,
    kind_said,
    owed_said,
)
from finplan.tui.flows.importing import take_import_back
from finplan.tui.flows.linking import link_bank
from finplan.tui.household import Feed, HouseholdApp, NotAnswered
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion, LedgerTable
from finplan.views import imports as imports_view


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
        before = record.account.balance if what == "balance" else None
        self._made.append(
            AccountCorrection(_told_of(record, what), _change_back(record, what), before)
        )
        self._app.say(f"{changed.account.name}: {_is_now(changed, what)}. u takes it back.")
        return True

    async def undo(self) -> bool:
        """Take a correction of the session back, or a past import, as the person chooses."""
        try:
            imports = await self._app.feed.ask(LIST_IMPORTS, Nothing())
            standing = {each.id: each for each in imports if each.undone_at is None}
            chosen = await self._choose(standing)
            if chosen is None:
                return False
            if chosen in standing:
                return await take_import_back(self._app, standing[chosen])
            place = int(chosen)
            await self._take_back(self._made[place])
        except NotAnswered as refused:
            self._app.warn(refused.message)
            return False
        self._app.say(f"Taken back: {self._made.pop(place).told}.")
        return True

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
            kind = await self._app.push_screen_wait(ChoiceDialog(about, KINDS_SAID))
            return None if kind is None else {"kind": kind}
        if what == "name":
            dialog = TypedDialog("What is it called?", value=account.name)
            typed = await self._app.push_screen_wait(dialog)
            return {"name": typed.strip()} if typed and typed.strip() else None
        typed = await self._app.push_screen_wait(
            TypedDialog(
                f"What {'is owed on' if account.kind in OWED else 'is on'} {account.name} now?",
                f"In {currency}, such as 1,840.25",
                refuses=lambda text: _wrong_balance(text, currency),
            )
        )
        return None if typed is None else {"balance": _balance_typed(typed, currency)}


def _change_back(record: AccountRecord, what: str) -> AccountChange:
    """The change that makes what is corrected of an account what it is now."""
    account = record.account
    before: dict[str, dict[str, Any]] = {
        "kind": {"kind": _kind_word(record), "subtype": account.subtype},
        "balance": {"balance": None},
        "name": {"name": account.name},
        "hidden": {"hidden": record.hidden},
    }
    return AccountChange(id=account.id, **before[what])


def _kind_word(record: AccountRecord) -> KindWord:
    kind, subtype = record.account.kind, record.account.subtype
    return cast("KindWord", subtype if subtype in get_args(KindWord) else kind)


def _told_of(record: AccountRecord, what: str) -> str:
    named_before = record.account.name
    return {
        "kind": f"the kind of {named_before}, which was {kind_said(record.account)}",
        "balance": f"the balance of {named_before}, which was {balance_said(record)}",
        "name": f"the name of {named_before}",
        "hidden": f"that {named_before} is {'counted again' if record.hidden else 'left out'}",
    }[what]


def _is_now(record: AccountRecord, what: str) -> str:
    account = record.account
    if what == "hidden":
        return "left out of every figure" if record.hidden else "counted again"
    if what == "balance":
        return f"{balance_said(record)} {owed_said(account)}".rstrip()
    return "its new name" if what == "name" else kind_said(account)


def _balance_typed(text: str, currency: str) -> int:
    return typed_amount(text, currency, "The balance")


def _wrong_balance(text: str, currency: str) -> str | None:
    try:
        _balance_typed(text, currency)
    except ValueError as error:
        return str(error)
    return None


_ANOTHER_BANK = "another"


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
        table.fill_lines(heads, lines)
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
            dialog = ChoiceDialog("Which bank?", {**names, _ANOTHER_BANK: "another bank"})
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

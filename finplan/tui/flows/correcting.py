"""Corrections of accounts, and the way back: from each of them, and from a past import."""

from typing import Any, NamedTuple, cast, get_args

from finplan.model.account import AccountChange, AccountRecord, KindWord
from finplan.model.base import Nothing
from finplan.model.money import typed_amount
from finplan.model.statement import ImportRecord
from finplan.operations.account import CHANGE_ACCOUNT
from finplan.operations.statement_file import LIST_IMPORTS
from finplan.tui.dialogs.choosing import ChoiceDialog
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.drawing.accounts import KINDS_SAID, OWED, balance_said, kind_said, owed_said
from finplan.tui.feed import NotAnswered
from finplan.tui.flows.importing import named, take_import_back
from finplan.tui.household import HouseholdApp


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
        self._made.append(AccountCorrection(_told_of(record, what), _back(record, what), before))
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
        names |= {key: f"the import of {named(each)}" for key, each in imports.items()}
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
                refuses=lambda text: _wrong(text, currency),
            )
        )
        return None if typed is None else {"balance": _amount(typed, currency)}


def _back(record: AccountRecord, what: str) -> AccountChange:
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


def _amount(text: str, currency: str) -> int:
    return typed_amount(text, currency, "The balance")


def _wrong(text: str, currency: str) -> str | None:
    try:
        _amount(text, currency)
    except ValueError as error:
        return str(error)
    return None

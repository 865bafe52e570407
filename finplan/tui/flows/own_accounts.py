"""Accounts of one's own by keys: what kind, what it is called and what it is worth; and removed."""

from finplan.model.account import (
    AccountChange,
    AccountId,
    AccountRecord,
    DatedBalance,
    NewAccount,
)
from finplan.model.base import Nothing
from finplan.model.money import typed_amount
from finplan.operations.account import (
    ADD_ACCOUNT,
    CHANGE_ACCOUNT,
    LIST_ACCOUNTS,
    REMOVE_ACCOUNT,
    SET_BALANCE,
)
from finplan.operations.person import SHOW_SETTINGS
from finplan.tui.dialogs import ChoiceDialog, TypedDialog, agrees
from finplan.tui.household import HouseholdApp
from finplan.views import accounts


async def add_own_account(app: HouseholdApp) -> AccountRecord | None:
    """Ask for an account and add it; None where the person goes back."""
    names = {own.subtype: own.label for own in accounts.OWN_KINDS}
    chosen = await app.push_screen_wait(ChoiceDialog("What do you want to add?", names))
    if chosen is None:
        return None
    own = next(own for own in accounts.OWN_KINDS if own.subtype == chosen)
    name = await app.push_screen_wait(
        TypedDialog("Name", "", reads=str.strip, value=own.label.partition(" or ")[0])
    )
    if not name:
        return None
    currency = await _ask_currency(app)
    if currency is None:
        return None
    what = "debt" if own.kind in accounts.OWED else "balance"
    balance = await app.push_screen_wait(
        TypedDialog(
            f"Current {what} of {name}",
            f"In {currency}, for example 1,840.25",
            reads=lambda typed: typed_amount(typed, currency, "The balance"),
        )
    )
    if balance is None:
        return None
    ask = NewAccount(
        name=name, kind=own.kind, subtype=own.subtype, currency=currency, balance=balance
    )
    return await app.feed.ask(ADD_ACCOUNT, ask)


async def _ask_currency(app: HouseholdApp) -> str | None:
    """The household's currency; who has no account yet is asked for it."""
    currency = (await app.feed.ask(SHOW_SETTINGS, Nothing())).currency
    if await app.feed.ask(LIST_ACCOUNTS, Nothing()):
        return currency
    return await app.push_screen_wait(
        TypedDialog("Your currency", "Three letters, such as EUR", reads=str.strip, value=currency)
    )


async def remove_own_account(app: HouseholdApp, record: AccountRecord) -> bool:
    """Remove an account if the person agrees; whether it was."""
    question = f"Remove {record.account.name}?"
    if not await agrees(app, question, accounts.describe_account(record)):
        return False
    await app.feed.ask(REMOVE_ACCOUNT, AccountId(id=record.account.id))
    return True


async def add_again(app: HouseholdApp, record: AccountRecord) -> None:
    """Add a removed account with every balance that it had."""
    account, newest = record.account, record.anchors[-1] if record.anchors else None
    ask = NewAccount(
        name=account.name,
        kind=account.kind,
        subtype=account.subtype,
        currency=record.currency,
        balance=None if newest is None else newest.balance,
        as_of=None if newest is None else newest.date,
        credit_limit=account.credit_limit,
        apr=record.apr,
        minimum_payment=record.minimum_payment,
        institution_name=account.institution_name,
        since=record.since,
    )
    added = await app.feed.ask(ADD_ACCOUNT, ask)
    if record.hidden:
        hide = AccountChange(id=added.account.id, hidden=True)
        await app.feed.ask(CHANGE_ACCOUNT, hide)
    for anchor in record.anchors[:-1]:
        earlier = DatedBalance(id=added.account.id, date=anchor.date, balance=anchor.balance)
        await app.feed.ask(SET_BALANCE, earlier)

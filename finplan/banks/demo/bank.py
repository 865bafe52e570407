"""The demo bank: one made-up household for each owner, the same at every sync and on every machine.

The first sync fixes where the history starts, on the first day of the month two years before. From
then on a row follows from the owner, that start and its own day alone; so a later sync answers what
happened since, as if it had been known all along.
"""

import asyncio
import json
from datetime import date
from typing import NamedTuple

from finplan.banks.answer import day_number
from finplan.banks.base import BankAccount, Link, SyncPage
from finplan.banks.demo.household import (
    AUTO,
    BROKERAGE,
    CARDS,
    CHECKING,
    MORTGAGE,
    PLATINUM,
    REWARDS,
    SAVINGS,
    DemoHousehold,
    household,
    month_of,
)
from finplan.banks.demo.life import DemoLedger, live
from finplan.model.account import AccountKind
from finplan.model.errors import BankProviderError
from finplan.model.money import half_even

MONTHS_OF_HISTORY = 24

# All are at one made-up bank, which the descriptors name.
_ACCOUNTS: dict[str, tuple[str, AccountKind, str]] = {
    CHECKING: ("Larkmoor Checking", "depository", "checking"),
    SAVINGS: ("Larkmoor Savings", "depository", "savings"),
    REWARDS: ("Larkmoor Rewards Visa", "credit", "credit card"),
    PLATINUM: ("Larkmoor Platinum", "credit", "credit card"),
    MORTGAGE: ("Larkmoor Home Loan", "loan", "mortgage"),
    AUTO: ("Larkmoor Auto Loan", "loan", "auto"),
    BROKERAGE: ("Larkmoor Brokerage", "investment", "brokerage"),
}


class Demo:
    """The Bank of demo households: no secret, and it fails only on a cursor not its own."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Answer, in one page, what happened after the cursor's day through today."""
        return await asyncio.to_thread(_page, link.owner, _read(cursor, today), today)


class _Cursor(NamedTuple):
    """The first day of the history, and the last day already answered, if any."""

    start: date
    last: date | None

    def write(self, today: date) -> str:
        return json.dumps({"start": self.start.isoformat(), "last": today.isoformat()})


def _read(cursor: str | None, today: date) -> _Cursor:
    if cursor is None:
        return _Cursor(month_of(today, -MONTHS_OF_HISTORY), None)
    try:
        days = json.loads(cursor)
        return _Cursor(date.fromisoformat(days["start"]), date.fromisoformat(days["last"]))
    except (ValueError, TypeError, KeyError) as error:
        raise BankProviderError(
            "finplan lost track of the last sync of the demo bank. Unlink the bank and link it"
            " again.",
            "demo",
            "provider_error",
        ) from error


def _page(owner: str, cursor: _Cursor, today: date) -> SyncPage:
    # A clock that was set back must not take back what was answered.
    today = max(today, cursor.last or today)
    home = household(owner, cursor.start)
    ledger = live(home, today)
    last = day_number(cursor.last) if cursor.last else 0
    posted = [row for row in ledger.rows if row.day > last]
    pending = [row for row in ledger.pending_rows() if row.day > last]
    return SyncPage(
        accounts=(
            *(_account(home, ledger, account) for account in _ACCOUNTS),
            _property(home, ledger),
        ),
        added=(*posted, *pending),
        modified=(),
        removed=tuple(
            row.replaces for row in posted if row.replaces and ledger.shown[row.replaces] <= last
        ),
        cursor=cursor.write(today),
    )


def _account(home: DemoHousehold, ledger: DemoLedger, account: str) -> BankAccount:
    name, kind, subtype = _ACCOUNTS[account]
    owes = kind in ("credit", "loan")
    balance = -ledger.owned[account] if owes else ledger.owned[account]
    limit, rate, minimum = _terms(home, account, balance)
    return BankAccount(
        external_id=ledger.external_account(account),
        name=name,
        mask=home.masks[account],
        kind=kind,
        subtype=subtype,
        currency="USD",
        balance=balance,
        credit_limit=limit,
        apr=None if rate is None else rate / 10_000,
        minimum_payment=minimum,
        covered_since=day_number(home.start),
    )


def _property(home: DemoHousehold, ledger: DemoLedger) -> BankAccount:
    """The home, as a person adds it: an estimate without rows, so that the mortgage has its reason."""
    return BankAccount(
        external_id=ledger.external_account("home"),
        name="Our home, estimated",
        mask=None,
        kind="other",
        subtype="property",
        currency="USD",
        balance=home.home_value(),
        covered_since=day_number(home.start),
    )


def _terms(
    home: DemoHousehold, account: str, owed: int
) -> tuple[int | None, int | None, int | None]:
    """Limit, yearly rate in hundredths of a percent, and minimum payment, where there are such."""
    if account in CARDS:
        card = home.card(account)
        # A percent of the balance and a month's interest, as American issuers ask; 35 at least.
        minimum = half_even(owed, 100) + half_even(owed * card.apr, 120_000)
        return card.limit, card.apr, max(0, min(owed, max(3_500, minimum)))
    if account in (MORTGAGE, AUTO):
        loan = home.loan(account)
        return None, loan.apr, loan.installment + loan.escrow if owed > 0 else 0
    return None, None, None

"""Cards that are taken for bank accounts: what one account pays to a card arrives there exactly."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta

from finplan.plan.ledger.books import Books, rows_between
from finplan.plan.ledger.classes import is_savings_type, shown_accounts
from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Ledger, LedgerAccount, Row

_DAYS = 3
"""How many days a payment takes at most from one account to the other."""

_LEAST = 2


def mistaken_card(ledger: Ledger, books: Books, payments: Sequence[Row]) -> LedgerAccount | None:
    """The bank account into which most of some payments to a card came, each in full; None without one.

    A payment arrives where an unpaired inflow has its amount up to three days before or after it.
    """
    if not payments:
        return None
    paying = {row[ACCOUNT] for row in payments}
    possible = {
        number: account
        for number, account in shown_accounts(ledger)
        if account.kind == "depository" and number not in paying and not is_savings_type(account)
    }
    arrived = Counter(_arrivals(books, payments, possible)) if possible else Counter()
    for number, count in arrived.most_common(1):
        if count >= _LEAST and 2 * count > len(payments):
            return possible[number]
    return None


def _arrivals(
    books: Books, payments: Sequence[Row], possible: dict[int, LedgerAccount]
) -> Iterator[int]:
    """The account of each inflow that a payment explains; each inflow explains one."""
    days = [row[DAY] for row in payments]
    since = day_of(date_of(min(days)) - timedelta(days=_DAYS))
    until = day_of(date_of(max(days)) + timedelta(days=_DAYS))
    inflows = [
        row
        for sheet in books.sheets
        for row in rows_between(sheet, since, until)
        if row[AMOUNT] > 0 and not row[PEER] and row[ACCOUNT] in possible
    ]
    for payment in payments:
        near = [
            row
            for row in inflows
            if row[AMOUNT] == -payment[AMOUNT]
            and abs(ORDINAL[row[DAY]] - ORDINAL[payment[DAY]]) <= _DAYS
        ]
        if near:
            inflows.remove(near[0])
            yield near[0][ACCOUNT]

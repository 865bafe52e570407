"""How each credit card is used: paid in full by habit, or carried from month to month.

A card is paid in full when no interest was charged on it in 90 days and at least two of its last
three payments paid, within 2 %, all that was owed: on the day of the payment or on some day up to 35
days before, as a statement says it. A zero-interest promotion charges nothing but fails the second
test. With fewer than two payments seen, cash decides, and the plan says that it assumed so.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate
from operator import itemgetter
from statistics import median_low

from finplan.plan.ledger.books import Books, rows_of, sheets_of
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.ledger.days import ORDINAL, day_of, day_of_ordinal
from finplan.plan.ledger.ledger import (
    ACCOUNT,
    AMOUNT,
    DAY,
    PAYEE,
    Ledger,
    LedgerAccount,
    LedgerPayee,
    Row,
)

_INTEREST_DAYS = 90
_PAYMENTS = frozenset({"card_payment", "transfer"})

_LAST = 3
"""How many of the last payments are looked at."""

STATEMENT_LAGS = range(15, 36)
"""Days between a statement and its payment."""

_CURRENT_LAGS = range(1, 15)
"""Days between looking at the current balance and paying it."""

_NEAR = 50
"""One fiftieth: a payment within 2 % of what was owed pays it in full."""


@dataclass(frozen=True, slots=True)
class CardUse:
    """One card of the household.

    `owed` is never negative. `charged` says that it charged interest lately, `assumed` that payments did
    not tell how the card is used. `lag` is the usual number of days from the balance that is paid to its
    payment, None when not known. `payments` are the payments seen, (ordinal, amount), oldest first.
    """

    number: int
    account: LedgerAccount
    owed: int
    in_full: bool
    charged: bool
    assumed: bool
    lag: int | None
    payments: tuple[tuple[int, int], ...]
    history: "OwedHistory"


@dataclass(frozen=True, slots=True)
class OwedHistory:
    """What a card owed at the end of past days: today's balance with later rows taken back.

    `days` are the ordinals of its rows since before its last payments, ascending; `later` has one sum
    more: for each place, the rows from there on.
    """

    balance: int
    days: tuple[int, ...]
    later: tuple[int, ...]

    def on(self, ordinal: int) -> int:
        """What was owed at the end of a day."""
        return self.balance + self.later[bisect_right(self.days, ordinal)]


def card_uses(ledger: Ledger, books: Books, spare: int) -> tuple[CardUse, ...]:
    """Every visible credit account in the household currency, in the ledger's order.

    `spare` is cash beyond a month of essentials: it decides about cards whose payments are unknown.
    """
    cards = {
        number: account
        for number, account in shown_accounts(ledger)
        if account.kind == "credit" and role_of(account, ledger.settings.currency) == "debt"
    }
    if not cards:
        return ()
    total = sum(max(0, account.balance or 0) for account in cards.values())
    payments = _payments_by_card(books, cards)
    rows = _rows_by_card(ledger, payments)
    charged = _charged_interest(ledger, books, cards)
    return tuple(
        _card_use(
            number,
            account,
            _history(account.balance or 0, rows[number]),
            payments[number],
            charged=number in charged,
            covered=total <= spare,
        )
        for number, account in cards.items()
    )


def _rows_by_card(
    ledger: Ledger, payments: Mapping[int, Sequence[tuple[int, int]]]
) -> dict[int, list[Row]]:
    """Each card's rows, oldest first, from before the payments that are looked at."""
    looked_at = [paid[-_LAST:][0][0] for paid in payments.values() if paid]
    by_card: dict[int, list[Row]] = {number: [] for number in payments}
    if looked_at:
        since = day_of_ordinal(min(looked_at) - STATEMENT_LAGS.stop)
        for row in [row for row in ledger.rows if row[DAY] >= since and row[ACCOUNT] in by_card]:
            by_card[row[ACCOUNT]].append(row)
    for rows in by_card.values():
        rows.sort(key=itemgetter(DAY))
    return by_card


def _payments_by_card(
    books: Books, cards: Collection[int]
) -> dict[int, tuple[tuple[int, int], ...]]:
    """What came in on each card as a payment rather than a refund, oldest first."""
    paid: dict[int, list[tuple[int, int]]] = {number: [] for number in cards}
    for sheet in sheets_of(books, _PAYMENTS):
        for _, account, day, amount, _, _ in sheet.rows:
            if amount > 0 and account in paid:
                paid[account].append((ORDINAL[day], amount))
    return {number: tuple(sorted(payments)) for number, payments in paid.items()}


def _charged_interest(ledger: Ledger, books: Books, cards: Collection[int]) -> set[int]:
    """The cards that charged interest in the last 90 days; a yearly or late fee is not interest."""
    end = books.window.data_end
    since, until = day_of(end - timedelta(days=_INTEREST_DAYS - 1)), day_of(end)
    return {
        row[ACCOUNT]
        for row in rows_of(books, {"interest_fees"}, since, until)
        if row[ACCOUNT] in cards and row[AMOUNT] < 0 and not is_fee(ledger.payees[row[PAYEE]])
    }


def _card_use(
    number: int,
    account: LedgerAccount,
    history: OwedHistory,
    payments: tuple[tuple[int, int], ...],
    *,
    charged: bool,
    covered: bool,
) -> CardUse:
    before = (None, *payments)
    pairs = list(zip(payments, before, strict=False))[-_LAST:]
    lags = [_full_payment_lag(payment, history, earlier) for payment, earlier in pairs]
    matched = [lag for lag in lags if lag is not None]
    known = account.balance is not None and len(payments) >= 2
    revolves = charged or (known and len(matched) < 2)
    return CardUse(
        number=number,
        account=account,
        owed=max(0, account.balance or 0),
        in_full=not revolves and (known or covered),
        charged=charged,
        assumed=not revolves and not known,
        # Without a balance there is no past one either, whatever a payment happens to equal.
        lag=median_low(matched)
        if matched and account.balance is not None and not revolves
        else None,
        payments=payments,
        history=history,
    )


def _history(balance: int, rows: Sequence[Row]) -> OwedHistory:
    amounts = [row[AMOUNT] for row in reversed(rows)]
    later = tuple(accumulate(amounts, initial=0))[::-1]
    return OwedHistory(balance, tuple(ORDINAL[row[DAY]] for row in rows), later)


def _full_payment_lag(
    payment: tuple[int, int], history: OwedHistory, earlier: tuple[int, int] | None
) -> int | None:
    """The days before a payment on which what was owed comes nearest to it, None if none is near.

    A statement is looked for first: on a card without later purchases, today's balance is the
    statement's too. What was owed before the `earlier` payment is looked at last, because that one
    paid it: bills of one sum would take it for the statement and the next bill for paid.
    """
    day, amount = payment
    since = 0 if earlier is None else earlier[0]
    unpaid = [lag for lag in STATEMENT_LAGS if day - lag >= since]
    lag = _nearest_lag(payment, history, unpaid)
    if lag is None and history.on(day) * _NEAR <= amount:
        lag = 0
    if lag is None:
        lag = _nearest_lag(payment, history, _CURRENT_LAGS)
    return _nearest_lag(payment, history, STATEMENT_LAGS) if lag is None else lag


def _nearest_lag(payment: tuple[int, int], history: OwedHistory, lags: Iterable[int]) -> int | None:
    """The lag among these at which what was owed comes nearest to a payment, if within 2 %."""
    day, amount = payment
    found = min(((abs(history.on(day - lag) - amount), lag) for lag in lags), default=None)
    if found is None:
        return None
    off, lag = found
    return lag if off * _NEAR <= history.on(day - lag) else None


def is_fee(payee: LedgerPayee) -> bool:
    """Whether a payee filed under interest and fees names a fee rather than interest."""
    name = payee.name.lower()
    return "fee" in name and "interest" not in name

"""What cash does beside all that has a day: usual spending, refunds, money to and from others.

Each day that the averages are taken over is seen as it was, less what the schedule of the days ahead
holds by itself.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Ledger, Row
from finplan.plan.ledger.lookup import rows_within

LEAST_DAYS = 28
"""Fewer days are less than a month, and show no usual week."""

_WEEK = 7
_NEAR_PERCENT = 35
"""How far an older charge may lie from the amount of its series, whose price has changed since."""


@dataclass(frozen=True, slots=True)
class UsualDays:
    """What cash gained (positive) or lost on each day of the window by what has no day of its own.

    `weekdays` are those of the `days`, Monday 0, and `gifts` the part of them that nobody can count on:
    what irregular sources paid, and money in that nobody has named.
    """

    weekdays: Sequence[int]
    days: Sequence[int]
    gifts: Sequence[int]

    def mean_of(self, day: date) -> int:
        """What a day of this weekday usually takes or brings, gifts left out, half-even."""
        weekday = day.weekday()
        taken = [
            each - gift
            for on, each, gift in zip(self.weekdays, self.days, self.gifts, strict=True)
            if on == weekday
        ]
        return half_even(sum(taken), len(taken)) if taken else 0


def usual_days(
    ledger: Ledger,
    books: Books,
    pays_cash: Collection[int],
    apart: Collection[Row],
) -> UsualDays | None:
    """The usual days of a household, None with less than a month of history.

    `apart` are rows that the days ahead hold by themselves.
    """
    window = books.window
    if window.days < LEAST_DAYS:
        return None
    ordinals = [
        day for since, until in window.runs for day in range(ORDINAL[since], ORDINAL[until] + 1)
    ]
    net, gifts = dict.fromkeys(ordinals, 0), dict.fromkeys(ordinals, 0)
    for row, gift in _usual_rows(ledger, books, pays_cash, apart):
        net[ORDINAL[row[DAY]]] += row[AMOUNT]
        if gift:
            gifts[ORDINAL[row[DAY]]] += row[AMOUNT]
    return UsualDays(
        weekdays=[(day - 1) % _WEEK for day in ordinals],
        days=list(net.values()),
        gifts=list(gifts.values()),
    )


def may_come(source: Series) -> bool:
    """Whether who pays without a rhythm did so often enough, and in the window, to be in the range."""
    return source.cadence == "irregular" and source.running and source.count > 0


def _usual_rows(
    ledger: Ledger, books: Books, pays_cash: Collection[int], apart: Collection[Row]
) -> Iterator[tuple[Row, bool]]:
    """The rows of cash in the window that nothing with a day explains, and which are gifts."""
    by_payee: dict[int, list[Series]] = {}
    for charge in books.bills:
        for payee in charge.payees:
            by_payee.setdefault(payee, []).append(charge)
    irregular = {payee for source in books.sources if may_come(source) for payee in source.payees}
    held = set(apart)
    for sheet in books.sheets:
        income = sheet.flow == "income"
        if income and sheet.payee not in irregular:
            continue
        series = by_payee.get(sheet.payee, ())
        for row in rows_within(sheet, books.window):
            if row[ACCOUNT] not in pays_cash or _moves(ledger, sheet, row, pays_cash):
                continue
            if row not in held and not any(_is_of(row, each) for each in series):
                yield row, income or (sheet.flow == "move" and row[AMOUNT] > 0)


def _moves(ledger: Ledger, sheet: Sheet, row: Row, pays_cash: Collection[int]) -> bool:
    """Whether a row stays cash, or pays a card, whose payments are foreseen by themselves."""
    if row[PEER] in pays_cash:
        return True
    peer = ledger.accounts.get(row[PEER])
    return sheet.category == "card_payment" and peer is not None and not peer.hidden


def _is_of(row: Row, charge: Series) -> bool:
    """Whether a row is one of a series of charges: one that it shows, or an older one about as large."""
    out = -row[AMOUNT]
    if out <= 0:
        return False
    if charge.parts and row[DAY] < day_of(charge.parts[0][0]):
        near = 100 * abs(out - charge.amount) <= _NEAR_PERCENT * charge.amount
        return near and row[DAY] >= day_of(charge.first_date)
    return any(out == amount and row[DAY] == day_of(day) for day, amount in charge.parts)

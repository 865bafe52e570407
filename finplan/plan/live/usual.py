"""What cash does beside all that has a day: usual spending, refunds, income without a rhythm.

Each day that the averages are taken over is seen as it was, less one-offs and what the schedule of the
days ahead holds by itself. Source: plan-semantics, section 7a and C35.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import isqrt

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, Series, rows_within
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of, day_of_ordinal
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Ledger, Row

LEAST_DAYS = 28
"""Fewer days are less than a month, and show no usual week."""

_WEEK = 7
_STRETCH = 56
"""Days that are compared with as many others: eight weeks, in which pay that slips by days still falls.
A short history has four."""

_CAUTION = 16
"""How much of the squared error of a mean counts against it. Tuned on households and accounts whose days
to come are known."""

_LATELY = 60
_RETURNS = 25
"""Where nothing is counted on, so many percent of what cash lies above or below its mean of sixty days
return within as many days: who has more spends some of it. Tuned like the caution."""

_NEAR_PERCENT = 35
"""How far an older charge may lie from the amount of its series, whose price has changed since."""


@dataclass(frozen=True, slots=True)
class UsualDays:
    """What cash gained (positive) or lost on each day of the window by what has no day of its own.

    `weekdays` are those of the `days`, Monday 0, and `gifts` the part of them that came in without a
    rhythm. `beyond` is what pay with a rhythm brought in these days in excess of its level. `above` is
    today's cash less its mean of the last days, one-offs apart.
    """

    weekdays: Sequence[int]
    days: Sequence[int]
    gifts: Sequence[int]
    beyond: int = 0
    above: Fraction = Fraction(0)

    def mean_of(self, day: date) -> int:
        """What a day of this weekday usually takes, refunds deducted and gifts left out, half-even."""
        weekday = day.weekday()
        taken = [
            each - gift
            for on, each, gift in zip(self.weekdays, self.days, self.gifts, strict=True)
            if on == weekday
        ]
        return half_even(sum(taken), len(taken)) if taken else 0

    @property
    def spread(self) -> int:
        """How far a day strays from the others, a standard deviation rounded down."""
        count = len(self.days)
        return isqrt(sum(day * day for day in self.days) * count - sum(self.days) ** 2) // count

    @property
    def untimed(self) -> Fraction:
        """What a day usually brings that no day of the week or month explains."""
        return Fraction(sum(self.gifts) + self.beyond, len(self.days))

    def levelled(self, known: Fraction) -> Fraction:
        """What to add to each day so that few and uneven months promise no more than they show.

        `known` is what dated items bring a day. All that a day brings is a mean over the past, of which
        half is counted on where its squared error, weighed by the caution, is as large as its square.
        The less is counted on, the more of what cash lies above or below its mean is taken to return;
        what grows lies half of that time's growth above it, and stays there. Cash that moves the same in
        all stretches of weeks has no error.
        """
        brings = known + self.untimed + Fraction(sum(self.days) - sum(self.gifts), len(self.days))
        doubt = self._doubt(brings)
        above = self.above - brings * (1 - doubt) * _LATELY / 2
        return -doubt * (brings + above * _RETURNS / (100 * _LATELY))

    def _doubt(self, brings: Fraction) -> Fraction:
        """How little a mean day is counted on, 0..1."""
        length = _STRETCH if len(self.days) >= 2 * _STRETCH else _STRETCH // 2
        stretches = [
            sum(self.days[place - length : place])
            for place in range(len(self.days), length - 1, -length)
        ]
        count = len(stretches)
        if count < 2:
            return Fraction(0)
        mean = Fraction(sum(stretches), count)
        squares = sum(((each - mean) ** 2 for each in stretches), Fraction(0))
        error = _CAUTION * squares / (count * (count - 1) * length**2)
        return error / (brings**2 + error) if error else Fraction(0)


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
    left_out = {*apart, *books.running.one_offs}
    for row in _usual_rows(ledger, books, pays_cash, left_out):
        net[ORDINAL[row[DAY]]] += row[AMOUNT]
    for row in _gifts(ledger, books, pays_cash, left_out):
        net[ORDINAL[row[DAY]]] += row[AMOUNT]
        gifts[ORDINAL[row[DAY]]] += row[AMOUNT]
    return UsualDays(
        weekdays=[(day - 1) % _WEEK for day in ordinals],
        days=list(net.values()),
        gifts=list(gifts.values()),
        beyond=_beyond_levels(books, pays_cash),
        above=_above_mean(ledger, books, pays_cash),
    )


def _above_mean(ledger: Ledger, books: Books, pays_cash: Collection[int]) -> Fraction:
    """How far cash lies above its mean evening of the last days, as if one-offs had always been there.

    What moved it so many days ago is missing in all evenings before.
    """
    end = ORDINAL[day_of(books.window.data_end)]
    since = day_of_ordinal(end - _LATELY)
    moved = sum(
        row[AMOUNT] * (_LATELY - (end - ORDINAL[row[DAY]]))
        for row in ledger.rows
        if row[DAY] >= since and row[ACCOUNT] in pays_cash and row not in books.running.one_offs
    )
    return Fraction(moved, _LATELY + 1)


def _usual_rows(
    ledger: Ledger, books: Books, pays_cash: Collection[int], left_out: Collection[Row]
) -> Iterator[Row]:
    """What left cash in the window that nothing with a day explains, and what was refunded."""
    by_payee: dict[int, list[Series]] = {}
    for charge in books.bills:
        for payee in charge.payees:
            by_payee.setdefault(payee, []).append(charge)
    for sheet in books.sheets:
        if sheet.flow == "income":
            continue
        series = by_payee.get(sheet.payee, ())
        for row in rows_within(sheet, books.window):
            if row[ACCOUNT] not in pays_cash or _moves(ledger, sheet, row, pays_cash):
                continue
            if sheet.flow == "move" and row[AMOUNT] > 0:
                continue
            if row not in left_out and not any(_is_of(row, each) for each in series):
                yield row


def _gifts(
    ledger: Ledger, books: Books, pays_cash: Collection[int], left_out: Collection[Row]
) -> Iterator[Row]:
    """What came in without a rhythm: income that is planned with, and money that nobody has named."""
    for source in books.sources:
        if source.cadence == "irregular":
            yield from (
                row for row in source.planned if row[ACCOUNT] in pays_cash and row not in left_out
            )
    for sheet in books.sheets:
        if sheet.flow == "move":
            for row in rows_within(sheet, books.window):
                if (
                    row[AMOUNT] > 0
                    and row[ACCOUNT] in pays_cash
                    and row not in left_out
                    and not _moves(ledger, sheet, row, pays_cash)
                ):
                    yield row


def _beyond_levels(books: Books, pays_cash: Collection[int]) -> int:
    """What pay that did not change brought in the window beyond its level, such as a bonus.

    Pay that rose slowly lies below its level for a while, which says nothing of the days ahead. Nor does
    one payment more or fewer than fits the window: paydays fall as they do.
    """
    changed = {id(change.series) for change in books.running.changes}
    total = Fraction(0)
    for source in books.sources:
        steady = source.active and source.interval_days and source.cadence != "irregular"
        if not steady or id(source) in changed or source.account not in pays_cash:
            continue
        excess = source.count - Fraction(books.window.days, source.interval_days or 1)
        total += max(0, source.total - source.amount * source.count)
        if abs(excess) > 1:
            total += source.amount * excess
    return half_even(total.numerator, total.denominator)


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

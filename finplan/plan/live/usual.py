"""What cash does beyond the schedule: usual spending, refunds, later card bills, saving plans.

Each day that the averages are taken over is seen as it was, less one-offs and what the schedule of
the days ahead holds by itself. Cards take more from cash than what is known: later bills, and
payments beyond a minimum. What moves out of cash in a rhythm is put aside: to investments, or to
savings not linked. Source: plan-semantics, section 7a and C35.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain
from math import isqrt
from statistics import variance

from finplan.model.money import half_even
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.series import (
    AsOf,
    SeriesOrigin,
    merged_by_day,
    occurrences_of,
    regular_series,
)
from finplan.plan.ledger.books import Books, Series, by_payee, rows_within
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of, day_of_ordinal
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Ledger, Row
from finplan.plan.live import expected
from finplan.plan.live.schedule import CashSchedule, CashStep, stated_balances
from finplan.plan.sections.debt import CARD_PAYMENTS, CardUse

LEAST_DAYS = 28
"""Fewer days are less than a month, and show no usual week."""

_WEEK = 7
_STRETCH = 56
"""Days that are compared with as many others: eight weeks, in which pay that slips by days still falls.
A short history has four."""

_CAUTION = 16
"""How much of the squared error of a mean counts against it. Tuned on households and accounts whose days
to come are known."""

_LATELY_DAYS = 60
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
            spending - gift
            for on, spending, gift in zip(self.weekdays, self.days, self.gifts, strict=True)
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

    def levelled(self, dated: Fraction) -> Fraction:
        """What to add to each day so that few and uneven months promise no more than they show.

        `dated` is what dated items bring a day. All that a day brings is a mean over the past, of which
        half is counted on where its squared error, weighed by the caution, is as large as its square.
        The less is counted on, the more of what cash lies above or below its mean is taken to return;
        what grows lies half of that time's growth above it, and stays there. Cash that moves the same in
        all stretches of weeks has no error.
        """
        brings = dated + self.untimed + Fraction(sum(self.days) - sum(self.gifts), len(self.days))
        doubt = self._doubt(brings)
        above = self.above - brings * (1 - doubt) * _LATELY_DAYS / 2
        return -doubt * (brings + above * _RETURNS / (100 * _LATELY_DAYS))

    def _doubt(self, brings: Fraction) -> Fraction:
        """How little a mean day is counted on, 0..1."""
        length = _STRETCH if len(self.days) >= 2 * _STRETCH else _STRETCH // 2
        stretches = [
            Fraction(sum(self.days[index - length : index]))
            for index in range(len(self.days), length - 1, -length)
        ]
        if len(stretches) < 2:
            return Fraction(0)
        error = _CAUTION * variance(stretches) / (len(stretches) * length**2)
        return error / (brings**2 + error) if error else Fraction(0)


def usual_days(
    ledger: Ledger, books: Books, pays_cash: Collection[int], apart: Collection[Row]
) -> UsualDays | None:
    """The usual days of a household, None with less than a month of history.

    `apart` are rows that the days ahead hold by themselves.
    """
    window = books.window
    if window.days < LEAST_DAYS:
        return None
    net, gifts = dict.fromkeys(window.ordinals, 0), dict.fromkeys(window.ordinals, 0)
    left_out = {*apart, *books.running.one_offs}
    for row in _usual_rows(ledger, books, pays_cash, left_out):
        net[ORDINAL[row[DAY]]] += row[AMOUNT]
    for row in _gifts(ledger, books, pays_cash, left_out):
        net[ORDINAL[row[DAY]]] += row[AMOUNT]
        gifts[ORDINAL[row[DAY]]] += row[AMOUNT]
    return UsualDays(
        weekdays=[(day - 1) % _WEEK for day in net],
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
    since = day_of_ordinal(end - _LATELY_DAYS)
    moved = sum(
        row[AMOUNT] * (_LATELY_DAYS - (end - ORDINAL[row[DAY]]))
        for row in ledger.rows
        if row[DAY] >= since and row[ACCOUNT] in pays_cash and row not in books.running.one_offs
    )
    return Fraction(moved, _LATELY_DAYS + 1)


def _usual_rows(
    ledger: Ledger, books: Books, pays_cash: Collection[int], left_out: Collection[Row]
) -> Iterator[Row]:
    """What left cash in the window that nothing with a day explains, and what was refunded."""
    bills = by_payee(books.bills)
    for sheet in books.sheets:
        if sheet.flow == "income":
            continue
        series = bills.get(sheet.payee, ())
        for row in rows_within(sheet, books.window):
            if (
                row[ACCOUNT] in pays_cash
                and not (row[PEER] and _moves(ledger, sheet, row, pays_cash))
                and not (sheet.flow == "move" and row[AMOUNT] > 0)
                and row not in left_out
                and not any(_is_of(row, one_series) for one_series in series)
            ):
                yield row


def _gifts(
    ledger: Ledger, books: Books, pays_cash: Collection[int], left_out: Collection[Row]
) -> Iterator[Row]:
    """What came in without a rhythm: income that is planned with, and money that nobody has named."""
    planned = (
        row for source in books.sources if source.cadence == "irregular" for row in source.planned
    )
    unnamed = (
        row
        for sheet in books.sheets
        if sheet.flow == "move"
        for row in rows_within(sheet, books.window)
        if row[AMOUNT] > 0 and not _moves(ledger, sheet, row, pays_cash)
    )
    for row in chain(planned, unnamed):
        if row[ACCOUNT] in pays_cash and row not in left_out:
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
    return round(total)


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


_LATEST_PAYMENTS = 12
"""So many of a card's last payments say how far the next one strays."""

_CLOSED_DAYS = 21
"""Days from a statement to its payment where a card's own are not known."""


@dataclass(frozen=True, slots=True)
class CardPace:
    """What is charged to a card, refunds deducted, day by day of the window, and its last payments."""

    charged: Sequence[int]
    paid: Sequence[int]

    def in_days(self, days: int) -> int:
        """What so many days usually come to, half-even; never below 0."""
        count = len(self.charged)
        return max(0, half_even(sum(self.charged) * days, count)) if count else 0


def card_paces(books: Books, cards: Sequence[CardUse]) -> Mapping[int, CardPace]:
    """The pace of each card, by its number; what is paid to it is no charge."""
    window = books.window
    by_day: dict[int, Counter[int]] = {card.number: Counter() for card in cards}
    for sheet in books.sheets:
        for row in rows_within(sheet, window):
            charged = by_day.get(row[ACCOUNT])
            if charged is not None and not (row[AMOUNT] > 0 and sheet.category in CARD_PAYMENTS):
                charged[ORDINAL[row[DAY]]] -= row[AMOUNT]
    return {
        card.number: CardPace(
            charged=[by_day[card.number][day] for day in window.ordinals],
            paid=[amount for _, amount in card.payments[-_LATEST_PAYMENTS:]],
        )
        for card in cards
    }


def later_bills(
    ledger: Ledger,
    cards: Sequence[CardUse],
    cash_schedule: CashSchedule,
    paces: Mapping[int, CardPace],
    data_end: date,
    until: date,
) -> Iterator[CashStep]:
    """What each card takes from tomorrow to `until` beside `cash_schedule`, on its usual days."""
    today = cash_schedule.today
    for card in cards:
        days = expected.payments_ahead(card, data_end, today, until)
        steps = [step for step in cash_schedule.steps if step.card == card.number]
        sent = cash_schedule.paying.get(card.number, 0)
        if card.in_full:
            owed = card.owed - sent
            stated = expected.is_stated(card, stated_balances(ledger, card.number), today)
            pace = paces[card.number]
            yield from _bills_of_card(card, owed, steps, pace, today, days, stated=stated)
        elif expected.next_payment(card, today) is not None:
            yield from _beyond_minimums(card, sent, steps, today, days)


def _bills_of_card(
    card: CardUse,
    owed: int,
    cash_steps: Sequence[CashStep],
    pace: CardPace,
    today: date,
    days: Sequence[date],
    *,
    stated: bool,
) -> Iterator[CashStep]:
    """The bills of a card that is paid in full: what is not billed yet, and what will be charged.

    `owed` is what it owes beside what is on its way to it. Where a statement says the next bill, or it
    is due today, all that is not in it comes with the one after. Where nobody told what it owes, its
    next bill is of all days since the one that was paid last, as they usually are. `days` are those on
    which it is paid.
    """
    lag = _CLOSED_DAYS if card.lag is None else card.lag
    unbilled = owed + sum(item.amount for item in cash_steps)
    closed = today
    if card.account.balance is None and card.payments:
        closed = date.fromordinal(card.payments[-1][0]) - timedelta(lag)
    for index, day in enumerate(days):
        if not index and (stated or (day <= today and cash_steps)):
            continue
        closes = day - timedelta(lag)
        bill = pace.in_days(max(0, (closes - closed).days))
        closed = max(closed, closes)
        if index or not cash_steps or closes >= today:
            bill += unbilled
            unbilled = 0
        if bill > 0:
            paid_on = max(day, today + timedelta(1))
            yield CashStep(paid_on, card.account.name, -bill, "later bill", card=card.number)


def _beyond_minimums(
    card: CardUse, sent: int, cash_steps: Sequence[CashStep], today: date, days: Sequence[date]
) -> Iterator[CashStep]:
    """What is usually paid to a card beyond its minimum; next time less what was `sent`."""
    usual = expected.usual_payment(card)
    least = {item.day: -item.amount for item in cash_steps}
    for index, day in enumerate(days):
        extra = usual - least.get(day, 0) - (0 if index else sent)
        if extra > 0 and day > today:
            yield CashStep(day, card.account.name, -extra, "later bill", card=card.number)


_LEAST_TRANSFERS = 3
"""So many transfers show a rhythm."""


def saving_plans(
    ledger: Ledger, books: Books, pays_cash: Collection[int], today: date
) -> list[tuple[Series, Sequence[Row]]]:
    """The transfers out of cash that go on in a rhythm, each with its rows; of one payee and account.

    What moves between accounts whose money is at hand stays cash and is none.
    """
    as_of = AsOf(books.window, today)
    plans = []
    for sheet in books.sheets:
        if sheet.flow != "saving":
            continue
        leaving = [
            row
            for row in sheet.rows
            if row[AMOUNT] < 0 and row[ACCOUNT] in pays_cash and row[PEER] not in pays_cash
        ]
        for peer in sorted({row[PEER] for row in leaving}):
            rows = [row for row in leaving if row[PEER] == peer]
            moved = occurrences_of(rows, outflows=True)
            days = [day for day, _, _ in merged_by_day(moved)]
            rhythm = rhythm_of(days) if len(days) >= _LEAST_TRANSFERS else None
            if rhythm is not None:
                name = ledger.accounts[peer].name if peer else ledger.payees[sheet.payee].name
                origin = SeriesOrigin((sheet.payee,), f"To {name}", sheet.category)
                series = regular_series(origin, moved, rhythm, as_of)
                if series.active:
                    plans.append((series, rows))
    return sorted(plans, key=lambda plan: (plan[0].name, plan[0].payees, plan[0].first_date))


def planned_transfers(
    plans: Sequence[Series], pending: Sequence[Row], today: date, until: date
) -> Iterator[CashStep]:
    """Each transfer that is expected from today to `until`; one that is pending has left already."""
    sent = _sent_by_plan(plans, pending)
    for index, plan in enumerate(plans):
        for expected_charge in expected.expected_charges([plan], sent[index], today, until):
            yield CashStep(expected_charge.day, plan.name, -plan.amount, "transfer", plan)


def _sent_by_plan(plans: Sequence[Series], pending: Sequence[Row]) -> Mapping[int, list[Row]]:
    """The pending rows of each plan, by its place: one row is the next transfer of one plan alone.

    Of several plans of its payee it is that of its account, then the one that is nearest in amount.
    """
    sent: dict[int, list[Row]] = {index: [] for index in range(len(plans))}
    for row in pending:
        may_be = [index for index, plan in enumerate(plans) if expected.is_charge_of(row, plan)]
        if may_be:
            apart = [
                (
                    row[ACCOUNT] != plans[index].account,
                    abs(plans[index].amount + row[AMOUNT]),
                    index,
                )
                for index in may_be
            ]
            sent[min(apart)[-1]].append(row)
    return sent

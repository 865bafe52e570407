"""Occurrences of one payee, and the Series that they make.

An occurrence is what came on one day: rows of the same day are one, so pay that is split over two
accounts is one paycheck.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise

from finplan.model.money import half_even
from finplan.plan.detect.arrival import arrival_of, probability_of, signs_of
from finplan.plan.detect.cadence import (
    is_active,
    is_between_seasons,
    latest_resumption,
    next_due,
    per_month,
)
from finplan.plan.detect.estimated_tax import EstimatedTaxRhythm
from finplan.plan.detect.rhythm import Rhythm
from finplan.plan.ledger.amounts import (
    expected_amount,
    income_level,
    income_step,
    is_steady,
    latest_step,
    other_income_level,
)
from finplan.plan.ledger.books import Series, WindowFacts
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Row

_KEPT = 24
"""How many of the last occurrences a series shows."""

_LEAST_REST = 60
"""Days of silence after which an irregular source is inactive at the earliest."""

_GAPS = 6
"""So many of the last gaps of an irregular source say how long it may be silent."""


Occurrence = tuple[int, int, int]
"""Day (an ordinal), amount (positive) and account (which had the largest part) of what came."""


@dataclass(frozen=True, slots=True)
class AsOf:
    """The window and the day that a series is judged on."""

    window: WindowFacts
    today: date

    def holds(self, ordinal: int) -> bool:
        """Whether the window holds an ordinal."""
        return self.window.holds(day_of_ordinal(ordinal))


@dataclass(frozen=True, slots=True)
class SeriesOrigin:
    """Whose series it is."""

    payees: tuple[int, ...]
    name: str
    category: str


def occurrences_of(rows: Iterable[Row], *, outflows: bool) -> list[Occurrence]:
    """The rows of one direction, ordered; a row of amount 0 is nothing that occurred."""
    if outflows:
        return sorted(
            [(ORDINAL[row[DAY]], -row[AMOUNT], row[ACCOUNT]) for row in rows if row[AMOUNT] < 0]
        )
    return sorted(
        [(ORDINAL[row[DAY]], row[AMOUNT], row[ACCOUNT]) for row in rows if row[AMOUNT] > 0]
    )


def merged_by_day(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Ordered occurrences with those of one day added up."""
    merged: list[Occurrence] = []
    latest = 0
    for day, amount, account in occurrences:
        if day == latest:
            # The amounts of a day ascend, so the account of the largest part is the last one seen.
            merged[-1] = (day, merged[-1][1] + amount, account)
        else:
            merged.append((day, amount, account))
            latest = day
    return merged


def regular_series(
    origin: SeriesOrigin,
    occurrences: Sequence[Occurrence],
    rhythm: Rhythm,
    as_of: AsOf,
    others: int | None = None,
    *,
    is_pay: bool = False,
    cards: Collection[int] = (),
) -> Series:
    """The series of what keeps a rhythm, up to the last that keeps it; what came on one day is one.

    `others` is how many other charges the payee of a charge has; without it, nothing is said of how
    likely the next one is. `cards` are the numbers of the card accounts. Pay changes its level once two
    credits say so (`income_level`).
    """
    parts = [one for one in occurrences if one[0] <= rhythm.last]
    kept = merged_by_day(parts)
    amounts = [amount for _, amount, _ in kept]
    days = [day for day, _, _ in kept]
    # An annual charge is renewed at a price, so that one is enough before a step.
    least_before = 1 if rhythm.cadence == "annual" else 2
    step = income_step(amounts) if is_pay else latest_step(amounts, least_before)
    data_end, today = as_of.window.data_end.toordinal(), as_of.today.toordinal()
    active = is_active(rhythm.last, rhythm.interval_days, data_end)
    amount = income_level(amounts) if is_pay else expected_amount(amounts, least_before)
    within = [amount for day, amount, _ in kept if as_of.holds(day)]
    signs = None
    if active and others is not None:
        signs = signs_of(
            rhythm,
            [day for day, _, _ in kept],
            amounts,
            amount,
            others,
            data_end,
            on_card=kept[-1][2] in cards,
        )
    return Series(
        payees=origin.payees,
        name=origin.name,
        category=origin.category,
        cadence=rhythm.cadence,
        interval_days=rhythm.interval_days,
        amount=amount,
        monthly=per_month(amount, rhythm.cadence, rhythm.interval_days),
        total=sum(within),
        count=len(within),
        count_all=len(kept),
        first_date=date.fromordinal(kept[0][0]),
        last_date=date.fromordinal(rhythm.last),
        next_date=date.fromordinal(next_due(rhythm, data_end, today)) if active else None,
        active=active,
        steady=is_steady(amounts),
        recent=_shown(kept),
        account=kept[-1][2],
        parts=_dated([part for part in parts if part[0] >= kept[-_KEPT:][0][0]]),
        price_before=amounts[step - 1] if step else None,
        price_changed=date.fromordinal(kept[step][0]) if step else None,
        signs=signs,
        arrival=None if signs is None else arrival_of(signs),
        probability=None if signs is None else probability_of(signs),
        by_law=isinstance(rhythm, EstimatedTaxRhythm),
        resumed=_day_of(latest_resumption(rhythm, days, as_of.window.unseen_days)),
        other_level=other_income_level(amounts) if is_pay else None,
        between_seasons=not active and is_between_seasons(rhythm.interval_days, days, data_end),
    )


def _day_of(ordinal: int | None) -> date | None:
    return None if ordinal is None else date.fromordinal(ordinal)


def irregular_series(origin: SeriesOrigin, rows: Sequence[Row], as_of: AsOf) -> Series:
    """The series of a source without a rhythm; its month is what the window's mean month holds.

    Rows are all of the source's up to today, reversals among them: they lower the total and are no
    payment. One row at least must not be of amount 0.
    """
    window = as_of.window
    paid = merged_by_day(occurrences_of(rows, outflows=False))
    seen = paid or merged_by_day(occurrences_of(rows, outflows=True))
    total = total_within(rows, window)
    amounts = [amount for _, amount, _ in seen]
    active = window.data_end.toordinal() - seen[-1][0] <= silence_allowed(
        [day for day, _, _ in seen]
    )
    mean = total / window.months if window.months else Fraction(0)
    return Series(
        payees=origin.payees,
        name=origin.name,
        category=origin.category,
        cadence="irregular",
        interval_days=None,
        amount=expected_amount(amounts),
        monthly=half_even(mean.numerator, mean.denominator) if active else 0,
        total=total,
        count=sum(as_of.holds(day) for day, _, _ in paid),
        count_all=len(paid),
        first_date=date.fromordinal(seen[0][0]),
        last_date=date.fromordinal(seen[-1][0]),
        next_date=None,
        active=active,
        steady=is_steady(amounts),
        recent=_shown(paid),
        account=seen[-1][2],
    )


def silence_allowed(days: Sequence[int]) -> int:
    """The days of silence after which an irregular source has stopped.

    Twice the longest of its last six gaps without the largest, and sixty at least. `days` are ordinals
    of all its credits, ascending. Source: plan-semantics, C30.
    """
    gaps = sorted(later - earlier for earlier, later in pairwise(days[-_GAPS - 1 :]))[:-1]
    return max([_LEAST_REST, *(2 * gap for gap in gaps[-1:])])


def total_within(rows: Iterable[Row], window: WindowFacts) -> int:
    """The sum of the rows that lie in the window, positive when money came in."""
    return sum(row[AMOUNT] for row in rows if window.holds(row[DAY]))


def _shown(occurrences: Sequence[Occurrence]) -> tuple[tuple[date, int], ...]:
    return _dated(occurrences[-_KEPT:])


def _dated(occurrences: Iterable[Occurrence]) -> tuple[tuple[date, int], ...]:
    return tuple((date.fromordinal(day), amount) for day, amount, _ in occurrences)

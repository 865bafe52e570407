"""Occurrences of one payee, the Series that they make, and how likely the next one comes.

An occurrence is what came on one day: rows of the same day are one, so pay that is split over two
accounts is one paycheck.

A bank writes a biller in a new way from some day on, and what was one payee becomes two. The later
one begins when the earlier has ended, and their names share words. Whether they are one is for the
charges to say: only a rhythm that runs through both joins them (`recurring`).

A next one comes as told if it comes on its day, and within a tenth of its amount. What was seen of
the series adds up to log-odds, by weights that were learnt from made-up households (`python -m
benchmarks.quality.arrival`). A weight is in hundredths, and so whole. What came so unevenly that
its day is a guess is not recurring; a bill that keeps its day is, however its amount varies, and
one that is late is until it is over. No figure is scaled by a probability. Source: plan-semantics,
section 5a.
"""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from typing import NamedTuple

from finplan.plan.detect import cadence
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
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.ledger.ledger import AMOUNT, DAY, LedgerPayee, Row

_LONGEST_PAUSE = 2 * 366
"""Days: no cadence leaves a longer pause, one skipped period allowed for."""

_MOST_NAMESAKES = 16
"""A word that more payees' names begin with is no name."""


class PayeeLifetime(NamedTuple):
    """When a sheet's payee was seen first and last, and the words of its name."""

    sheet: Sheet
    first: int
    last: int
    tokens: tuple[str, ...]


def successions(
    sheets: Sequence[Sheet], payees: Mapping[int, LedgerPayee]
) -> list[tuple[Sheet, ...]]:
    """All sheets, each in one group: alone, or behind those that it may have taken over from."""
    by_word: defaultdict[str, list[list[PayeeLifetime]]] = defaultdict(list)
    groups: list[list[PayeeLifetime]] = []
    lives = []
    for sheet in sheets:
        key, first, last = payees[sheet.payee].key, sheet.rows[0][DAY], sheet.rows[-1][DAY]
        names = tuple(key.split()) or (key,)
        lives.append(PayeeLifetime(sheet, ORDINAL[first], ORDINAL[last], names))
    for life in sorted(
        lives, key=lambda group_or_life: (*group_or_life[1:], group_or_life.sheet.category)
    ):
        namesakes = by_word[life.tokens[0]]
        latest = reversed(namesakes[-_MOST_NAMESAKES:])
        group = next(
            (group_or_life for group_or_life in latest if _takes_over(life, group_or_life[-1])),
            None,
        )
        if group is None:
            groups.append([life])
            namesakes.append(groups[-1])
        else:
            group.append(life)
    return [tuple(life.sheet for life in group) for group in groups]


def _takes_over(later: PayeeLifetime, earlier: PayeeLifetime) -> bool:
    """Whether one begins when the other has ended, and most words of the shorter name are shared."""
    if not 0 < later.first - earlier.last <= _LONGEST_PAUSE:
        return False
    shared = len(set(later.tokens) & set(earlier.tokens))
    return 2 * shared > min(len(later.tokens), len(earlier.tokens))


LEAST_LIKELY = 0.5
"""A charge that is less likely than this to come on its day, before it is late, is not recurring."""

_LATENESS = frozenset({"late", "left out once"})
"""A bill that is a day late must not leave the plan, and come back when it is paid."""

_LOOSE_SIGN = "keeps its quarter alone"

_LATEST_AMOUNTS = 6
"""How many of the last amounts are held against the expected one."""

_ONCE_SEEN = (0.6, 0.79)
"""The least and the most that is said of what came once and is of a kind that comes yearly."""

_WITHIN_PERCENT = 10
"""Percent of the amount within which the next one is as expected."""


def signs_of(
    rhythm: Rhythm,
    days: Sequence[int],
    amounts: Sequence[int],
    amount: int,
    others: int,
    end: int,
    *,
    on_card: bool = False,
) -> Mapping[str, int]:
    """What is seen of a series, by the names of the weights; a sign that is not there is 0.

    `days` (ordinals) and `amounts` are of all its occurrences, `amount` is the expected one, `others`
    how many other charges its payee has, and `end` the ordinal on which the data end. `on_card` says
    that it is charged to a card, where purchases most often lie as far apart as a bill's by accident.
    """
    count = len(days)
    lately = amounts[-_LATEST_AMOUNTS:]
    off = sum(100 * abs(past - amount) > _WITHIN_PERCENT * amount for past in lately)
    late = end - rhythm.due()
    return {
        "always": 1,
        "seen twice": count <= 2,
        "seen three times": count == 3,
        "seen four or five times": 4 <= count <= 5,
        "seen twelve times or more": count >= 12,
        "quarters of a day astray": min(8, round(4 * rhythm.cost / rhythm.fitted)),
        "sixths of the last amounts that were off": round(6 * off / len(lately)),
        "no two of the last amounts are equal": len(set(lately)) == len(lately) > 1,
        "tenths of its periods missed": round(10 * (1 - cadence.presence_share(rhythm, days))),
        "other charges at the payee": others > 0,
        "more other charges than own": others > count,
        "late": 0 < late <= cadence.grace(rhythm),
        "left out once": late > cadence.grace(rhythm),
        "on a card": on_card,
        "on a card, seen twice": on_card and count <= 2,
        "on a card, seen three times": on_card and count == 3,
        "on a card, seen four or five times": on_card and 4 <= count <= 5,
        _LOOSE_SIGN: rhythm.is_loose(),
        f"comes {rhythm.cadence}": 1,
    }


def arrival_of(signs: Mapping[str, int]) -> float:
    """The probability that the next charge comes on its day, in whole hundredths."""
    return round(_arrival_share(signs, "day"), 2)


def is_likely(signs: Mapping[str, int]) -> bool:
    """Whether a charge is as likely as not to come on its day, going by how it came so far.

    What keeps its quarter and no day of it shows by that alone that it is a bill.
    """
    if signs.get(_LOOSE_SIGN):
        return True
    so_far = {sign: value for sign, value in signs.items() if sign not in _LATENESS}
    return arrival_of(so_far) >= LEAST_LIKELY


def probability_of(signs: Mapping[str, int]) -> float:
    """The probability that it comes on its day and within a tenth of its amount, in hundredths.

    It is learnt from rough households, too, where more is missed and cancelled than most people see, and
    payments are as far apart as a bill's by accident: what is said to come must not disappoint.
    """
    as_told = _arrival_share(signs, "next") * _arrival_share(signs, "amount")
    return round(min(as_told, _arrival_share(signs, "day")), 2)


def return_of(signs: Mapping[str, int]) -> float:
    """The probability that what came once comes again after a year, in whole hundredths.

    One payment makes nothing sure, and what nobody would be surprised by is no guess.
    """
    least, most = _ONCE_SEEN
    return round(min(most, max(least, _arrival_share(signs, "again"))), 2)


def _arrival_share(signs: Mapping[str, int], of: str) -> float:
    weights = _arrival_weights()[of]
    log_odds = sum(weights.get(sign, 0) * value for sign, value in signs.items())
    return 1 / (1 + exp(-log_odds / 100))


@cache
def _arrival_weights() -> Mapping[str, Mapping[str, int]]:
    return tomllib.loads(files(__package__).joinpath("arrival.toml").read_text("utf-8"))


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
    sign = -1 if outflows else 1
    return sorted(
        [
            (ORDINAL[day], sign * amount, account)
            for _, account, day, amount, _, _ in rows
            if sign * amount > 0
        ]
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
    parts = [occurrence for occurrence in occurrences if occurrence[0] <= rhythm.last]
    merged = merged_by_day(parts)
    amounts = [amount for _, amount, _ in merged]
    days = [day for day, _, _ in merged]
    # An annual charge is renewed at a price, so that one is enough before a step.
    least_before = 1 if rhythm.cadence == "annual" else 2
    step = income_step(amounts) if is_pay else latest_step(amounts, least_before)
    data_end, today = as_of.window.data_end.toordinal(), as_of.today.toordinal()
    active = cadence.is_active(rhythm.last, rhythm.interval_days, data_end)
    amount = income_level(amounts) if is_pay else expected_amount(amounts, least_before)
    within = [amount for day, amount, _ in merged if as_of.holds(day)]
    signs = None
    if active and others is not None:
        signs = signs_of(
            rhythm, days, amounts, amount, others, data_end, on_card=merged[-1][2] in cards
        )
    return Series(
        payees=origin.payees,
        name=origin.name,
        category=origin.category,
        cadence=rhythm.cadence,
        interval_days=rhythm.interval_days,
        amount=amount,
        monthly=cadence.per_month(amount, rhythm.cadence, rhythm.interval_days),
        total=sum(within),
        count=len(within),
        count_all=len(merged),
        first_date=date.fromordinal(merged[0][0]),
        last_date=date.fromordinal(rhythm.last),
        next_date=date.fromordinal(cadence.next_due(rhythm, data_end, today)) if active else None,
        active=active,
        steady=is_steady(amounts),
        recent=_newest_amounts(merged),
        account=merged[-1][2],
        parts=_dated([part for part in parts if part[0] >= merged[-_KEPT:][0][0]]),
        price_before=amounts[step - 1] if step else None,
        price_changed=date.fromordinal(merged[step][0]) if step else None,
        signs=signs,
        arrival=None if signs is None else arrival_of(signs),
        probability=None if signs is None else probability_of(signs),
        by_law=isinstance(rhythm, cadence.EstimatedTaxRhythm),
        resumed=_day_of(cadence.latest_resumption(rhythm, days, as_of.window.unseen_days)),
        other_level=other_income_level(amounts) if is_pay else None,
        between_seasons=not active
        and cadence.is_between_seasons(rhythm.interval_days, days, data_end),
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
    payments = paid or merged_by_day(occurrences_of(rows, outflows=True))
    total = total_within(rows, window)
    amounts = [amount for _, amount, _ in payments]
    silent = window.data_end.toordinal() - payments[-1][0]
    active = silent <= silence_allowed([day for day, _, _ in payments])
    mean = total / window.months if window.months else 0
    return Series(
        payees=origin.payees,
        name=origin.name,
        category=origin.category,
        cadence="irregular",
        interval_days=None,
        amount=expected_amount(amounts),
        monthly=round(mean) if active else 0,
        total=total,
        count=sum(as_of.holds(day) for day, _, _ in paid),
        count_all=len(paid),
        first_date=date.fromordinal(payments[0][0]),
        last_date=date.fromordinal(payments[-1][0]),
        next_date=None,
        active=active,
        steady=is_steady(amounts),
        recent=_newest_amounts(paid),
        account=payments[-1][2],
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


def _newest_amounts(occurrences: Sequence[Occurrence]) -> tuple[tuple[date, int], ...]:
    return _dated(occurrences[-_KEPT:])


def _dated(occurrences: Iterable[Occurrence]) -> tuple[tuple[date, int], ...]:
    return tuple((date.fromordinal(day), amount) for day, amount, _ in occurrences)

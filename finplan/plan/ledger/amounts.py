"""What the amounts of a series tell: the usual one, whether it is steady, and where a price changed.

Amounts are positive minor units, oldest first. Spread is measured by the median absolute deviation
(MAD), because one odd month must not make a fixed price look like a variable one.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median_high, median_low

from finplan.model.money import exponent, half_even

_RECENT = 12
"""How many of the last amounts tell what is usual now."""

_NEXT = 6
"""How many of the last amounts tell what comes next where none is held."""

_HELD = 3
"""So many equal amounts in a row are a price."""


def median(values: Sequence[int]) -> int:
    """The median, half-even between the middle two."""
    return half_even(median_low(values) + median_high(values), 2)


def spread_within(amounts: Sequence[int], percent: int) -> bool:
    """Whether MAD / median of the recent amounts is at most so many percent."""
    recent = amounts[-_RECENT:]
    middle = median(recent)
    return median([abs(amount - middle) for amount in recent]) * 100 <= percent * middle


def mostly_within(amounts: Sequence[int], percent: int) -> bool:
    """Whether four in five of the recent amounts lie within so many percent of their median."""
    recent = amounts[-_RECENT:]
    middle = median(recent)
    astray = sum(abs(amount - middle) * 100 > percent * middle for amount in recent)
    return 5 * astray <= len(recent)


def is_steady(amounts: Sequence[int]) -> bool:
    """Whether the recent amounts are one fixed amount, or two with one step between them."""
    return spread_within(amounts, 5) or latest_step(amounts) is not None


def expected_amount(amounts: Sequence[int], least_before: int = 2) -> int:
    """The amount to expect next: the last if it is held or follows one step, else a median.

    It is held when the last three are equal within 1%; a step is told by `latest_step`. The median is
    of the last six, so that one odd month is not expected again.
    """
    if _holds_steady(amounts) or latest_step(amounts, least_before) is not None:
        return amounts[-1]
    return median(amounts[-_NEXT:])


def income_level(amounts: Sequence[int]) -> int:
    """The amount to expect of the next pay: a new one counts once it came twice in a row.

    The last is the level if the one before it is equal within 1% and the pay is fixed or young, and the
    later of two. One credit off a level of two is a bonus, or the first of a raise. Else the median of
    the last six. Source: plan-semantics, C28.
    """
    *earlier, last = amounts
    if not earlier:
        return last
    if same_amount(earlier[-1], last):
        fixed = len(amounts) <= _HELD or _holds_steady(amounts) or latest_step(amounts) is not None
        return last if fixed else median(amounts[-_NEXT:])
    if len(earlier) == 1:
        return last
    if same_amount(earlier[-2], earlier[-1]):
        return income_level(earlier)
    return median(amounts[-_NEXT:])


def other_income_level(amounts: Sequence[int]) -> int | None:
    """What the next pay may be instead of its level: the last, which came once at another amount.

    None where the last is at the level, or where the two before it were at none.
    """
    *earlier, last = amounts
    is_off = len(earlier) > 1 and not same_amount(earlier[-1], last)
    return last if is_off and same_amount(earlier[-2], earlier[-1]) else None


def income_step(amounts: Sequence[int]) -> int | None:
    """The place of the first pay at the present level, None when no fixed level came before it."""
    if len(amounts) > 2 and not same_amount(amounts[-2], amounts[-1]):
        # A level needs two in a row, so that the last one alone changes none.
        amounts = amounts[:-1]
    step = latest_step(amounts)
    return None if step is None or step == len(amounts) - 1 else step


def latest_step(amounts: Sequence[int], least_before: int = 2) -> int | None:
    """The place of the first amount at the present level, None when no fixed level came before it.

    A step lies between two runs of equal amounts (within 1%): at least `least_before` before it, and
    after it every amount to the last.
    """
    recent = amounts[-2 * _RECENT :]
    last = recent[-1]
    index = len(recent) - 1
    while index > 0 and same_amount(recent[index - 1], last):
        index -= 1
    before = recent[max(0, index - least_before) : index]
    if len(before) < least_before or not all(same_amount(amount, before[-1]) for amount in before):
        return None
    if index == len(recent) - 1 and not comparable(last, before[-1]):
        return None
    return len(amounts) - len(recent) + index


def amount_clusters(amounts: Sequence[int]) -> list[tuple[int, int]]:
    """The bounds (lowest, highest) of groups of amounts, apart by a quarter or more, ascending."""
    ordered = sorted(set(amounts))
    breaks = [(below, above) for below, above in pairwise(ordered) if above * 4 > below * 5]
    lows = [ordered[0], *(above for _, above in breaks)]
    highs = [*(below for below, _ in breaks), ordered[-1]]
    return list(zip(lows, highs, strict=True))


def same_amount(first: int, second: int) -> bool:
    """Whether two amounts are equal within 1%."""
    return abs(first - second) * 100 <= max(first, second)


def comparable(first: int, second: int) -> bool:
    """Whether two amounts may be one price at two times: neither half as large again as the other."""
    return 2 * max(first, second) <= 3 * min(first, second)


def _holds_steady(amounts: Sequence[int]) -> bool:
    """Whether the last amount has come three times in a row."""
    return len(amounts) >= _HELD and all(
        same_amount(amount, amounts[-1]) for amount in amounts[-_HELD:]
    )


def about_one_dollar(currency: str) -> int:
    """About one US dollar in minor units, near enough for rules of thumb ("at least $25")."""
    return int(10 ** max(2, exponent(currency)))

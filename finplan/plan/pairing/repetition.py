"""Whether the rows of two accounts are one account's rows, told by their days and amounts alone.

Another format of an account prints other texts, and some print the value day where others print the
booking day. So texts say nothing here: what tells is that most rows of the days that both cover are on
both sides.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from finplan.plan.ledger.days import ORDINAL

DatedAmount = tuple[int, int]
"""A row's day, YYYYMMDD, and its amount in minor units."""

DAYS_APART = 3
"""Days by which two sources may date one row differently: one gives the booking, one the value day."""

ENOUGH = 3
"""How many rows are no chance; one or two, as a fee and its tax, are on two accounts by it."""

DIFFERENT = 6
"""How many different amounts are no few standing orders and fees that two accounts share."""

MOST_OF_FEWER, MOST_OF_MORE = (4, 5), (1, 2)
"""What share of the rows must be the same: of the side with fewer rows, and of the other one."""

NEARLY_ALL = (19, 20)
"""What share must be the same where two account numbers say that the accounts are two."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """How many rows two accounts have in the days that both cover, from `since` to `until`, and share.

    `same` rows have day and amount in common, `near` ones an amount on days a little apart; so many
    different `amounts` are among the same, and `all_amounts` among both. Days are YYYYMMDD.
    """

    ours: int = 0
    theirs: int = 0
    same: int = 0
    near: int = 0
    amounts: int = 0
    all_amounts: int = 0
    since: int = 0
    until: int = 0

    @property
    def shared(self) -> int:
        """The rows that both sides have, on the same day or nearly so."""
        return self.same + self.near

    @property
    def is_likely(self) -> bool:
        """Whether the two are likely one account."""
        is_same = self.amounts >= ENOUGH and is_most(self.same, self.ours, self.theirs)
        is_near = self.all_amounts >= DIFFERENT and is_most(self.shared, self.ours, self.theirs)
        return is_same or is_near

    @property
    def is_nearly_all(self) -> bool:
        """Whether the two are likely one account though their numbers differ."""
        more = max(self.ours, self.theirs)
        return self.all_amounts >= DIFFERENT and _is_share(self.shared, more, NEARLY_ALL)


def is_most(shared: int, ours: int, theirs: int) -> bool:
    """Say whether so many rows are most of those that two sides have on the days that both cover."""
    return (
        shared >= ENOUGH
        and _is_share(shared, min(ours, theirs), MOST_OF_FEWER)
        and _is_share(shared, max(ours, theirs), MOST_OF_MORE)
    )


def count_repeated(ours: Iterable[DatedAmount], theirs: Iterable[DatedAmount]) -> Repetition:
    """Count what two accounts have in common in the days that both cover."""
    first, second = list(ours), list(theirs)
    if not first or not second:
        return Repetition()
    since = max(min(first)[0], min(second)[0])
    until = min(max(first)[0], max(second)[0])
    left = Counter(row for row in first if since <= row[0] <= until)
    right = Counter(row for row in second if since <= row[0] <= until)
    same = left & right
    near = _pair_near(left - same, right - same)
    amounts = {amount for _, amount in same}
    return Repetition(
        left.total(),
        right.total(),
        same.total(),
        near.total(),
        len(amounts),
        len(amounts | near.keys()),
        since,
        until,
    )


def _pair_near(left: Counter[DatedAmount], right: Counter[DatedAmount]) -> Counter[int]:
    """How many rows of each amount pair up, in the order of their days, with one that is days apart."""
    found: Counter[int] = Counter()
    days = _by_amount(right)
    for amount, ours in _by_amount(left).items():
        theirs = days.get(amount, [])
        place = 0
        for day in ours:
            while place < len(theirs) and theirs[place] < day - DAYS_APART:
                place += 1
            if place < len(theirs) and theirs[place] <= day + DAYS_APART:
                found[amount] += 1
                place += 1
    return found


def _by_amount(rows: Counter[DatedAmount]) -> dict[int, list[int]]:
    days = defaultdict(list)
    for day, amount in sorted(rows.elements()):
        days[amount].append(ORDINAL[day])
    return days


def _is_share(part: int, whole: int, share: tuple[int, int]) -> bool:
    return part * share[1] >= whole * share[0]

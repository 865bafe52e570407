"""Which rows are the same rows, seen elsewhere, in another format or under another id.

Another format of an account prints other texts, and some print the value day where others print the
booking day. So texts say nothing here: what tells is that most rows of the days that both cover are
on both sides. Each row is one other at most, so that what happened twice stays twice.

Where a bank gives a row another id once it posts, a hold and its booking are equal, or the booking
is larger by a tip. Nothing is claimed where another row may be meant just as well: both stay then,
and the person is asked (`duplicates`).
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

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
        larger = max(self.ours, self.theirs)
        return self.all_amounts >= DIFFERENT and _is_share(self.shared, larger, NEARLY_ALL)


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
    unmatched = Counter(row for row in first if since <= row[0] <= until)
    right = Counter(row for row in second if since <= row[0] <= until)
    same = unmatched & right
    near = _pair_near(unmatched - same, right - same)
    amounts = {amount for _, amount in same}
    return Repetition(
        unmatched.total(),
        right.total(),
        same.total(),
        near.total(),
        len(amounts),
        len(amounts | near.keys()),
        since,
        until,
    )


def _pair_near(first: Counter[DatedAmount], right: Counter[DatedAmount]) -> Counter[int]:
    """How many rows of each amount pair up, in the order of their days, with one that is days apart."""
    counter: Counter[int] = Counter()
    days = _by_amount(right)
    for amount, ours in _by_amount(first).items():
        theirs = days.get(amount, [])
        index = 0
        for day in ours:
            while index < len(theirs) and theirs[index] < day - DAYS_APART:
                index += 1
            if index < len(theirs) and theirs[index] <= day + DAYS_APART:
                counter[amount] += 1
                index += 1
    return counter


def _by_amount(rows: Counter[DatedAmount]) -> dict[int, list[int]]:
    days = defaultdict(list)
    for day, amount in sorted(rows.elements()):
        days[amount].append(ORDINAL[day])
    return days


Matched = TypeVar("Matched")


def each_once(
    pairs: Iterable[Matched], ends: Callable[[Matched], Collection[Hashable]]
) -> list[Matched]:
    """Those of some pairs, the best first, of which neither end is in a better one."""
    taken: set[Hashable] = set()
    chosen = []
    for pair in pairs:
        if taken.isdisjoint(ends(pair)):
            taken.update(ends(pair))
            chosen.append(pair)
    return chosen


def _is_share(part: int, total: int, share: tuple[int, int]) -> bool:
    return part * share[1] >= total * share[0]


def pair_nearest(
    ours: Sequence[DatedAmount], theirs: Sequence[DatedAmount]
) -> list[tuple[int, int]]:
    """Pair rows of equal amounts at most three days apart, those of one day first, each at most once.

    Answers places in `ours` and in `theirs`; of equally near ones the first of ours gets the first of
    theirs. Each row is looked up once for each of the days around it, however many are equal.
    """
    waiting: defaultdict[tuple[int, int], deque[int]] = defaultdict(deque)
    for index, (day, amount) in enumerate(theirs):
        waiting[amount, ORDINAL[day]].append(index)
    open_rows: Sequence[int] = range(len(ours))
    pairs = []
    for apart in range(DAYS_APART + 1):
        unpaired = []
        for index in open_rows:
            day, amount = ours[index]
            near = {(amount, ORDINAL[day] - apart), (amount, ORDINAL[day] + apart)}
            queues = [waiting[key] for key in near if waiting.get(key)]
            if queues:
                pairs.append((index, min(queues, key=lambda queue: queue[0]).popleft()))
            else:
                unpaired.append(index)
        open_rows = unpaired
    return pairs


Key = TypeVar("Key", bound=Hashable)


class ComparedRow(NamedTuple):
    """A row's payee, its day YYYYMMDD and its amount."""

    payee: int
    day: int
    amount: int


def joined_rows(
    listed: Mapping[Key, ComparedRow], present: Mapping[int, ComparedRow]
) -> dict[Key, int]:
    """The present row that each listed one is: the nearest of its amount, of its payee before others."""
    by_amount: dict[int, list[int]] = defaultdict(list)
    for number, row in present.items():
        by_amount[row.amount].append(number)
    near = [
        (_days_apart(row, present[number]), present[number].payee != row.payee, index, number)
        for index, row in enumerate(listed.values())
        for number in by_amount.get(row.amount, ())
        if _days_apart(row, present[number]) <= DAYS_APART
    ]
    keys: Sequence[Key] = list(listed)
    joined = each_once(sorted(near), lambda pair: (("listed", pair[2]), ("present", pair[3])))
    return {keys[index]: number for _, _, index, number in joined}


def _days_apart(first: ComparedRow, second: ComparedRow) -> int:
    return abs(ORDINAL[first.day] - ORDINAL[second.day])


POSTED_WITHIN = 8
"""Days after which an equal row is not the pending one any more."""

TIPPED_WITHIN = 3
LARGEST_TIP = 30
"""By how many hundredths a posted row may be larger than it waited."""


class WaitingCharge(NamedTuple):
    """A pending row; `listed` says that the bank still lists it beside what it has posted."""

    external_id: str
    payee: int
    day: int
    amount: int
    listed: bool


class NewlyPosted(NamedTuple):
    """A row that was posted since the last sync; days are YYYYMMDD, amounts as on statements."""

    external_id: str
    payee: int
    day: int
    amount: int


def claimed(
    waiting: Sequence[WaitingCharge], posted: Iterable[NewlyPosted]
) -> dict[str, NewlyPosted]:
    """The posted row that each claimed pending one became, by the pending one's id; one account's rows.

    Equal amounts come first: of one payee before others, what the bank lists no more before what it
    still does, the nearest day, then the oldest. Then come tips, where each fits one other alone.
    """
    rows = list(posted)
    equal = each_once(
        sorted(_equal_charges(waiting, rows)), lambda pair: (waiting[pair[1]].external_id, pair[2])
    )
    claims = {waiting[waiting_at].external_id: rows[index] for _, waiting_at, index in equal}
    taken = {index for _, _, index in equal}
    unclaimed = [charge for charge in waiting if charge.external_id not in claims]
    return claims | dict(
        _tipped_charges(unclaimed, [row for at, row in enumerate(rows) if at not in taken])
    )


def _equal_charges(
    waiting: Sequence[WaitingCharge], posted: Sequence[NewlyPosted]
) -> Iterator[tuple[tuple[bool, bool, int], int, int]]:
    for index, row in enumerate(posted):
        for at, charge in enumerate(waiting):
            days = ORDINAL[row.day] - ORDINAL[charge.day]
            is_other = charge.payee != row.payee and charge.listed
            if charge.amount == row.amount and 0 <= days <= POSTED_WITHIN and not is_other:
                yield (charge.payee != row.payee, charge.listed, days), at, index


def _tipped_charges(
    waiting: Iterable[WaitingCharge], posted: Sequence[NewlyPosted]
) -> Iterator[tuple[str, NewlyPosted]]:
    fits = [
        (charge, row)
        for charge in waiting
        # What the bank lists beside the posted row is another one, as far as anybody knows.
        if charge.amount < 0 and not charge.listed
        for row in posted
        if row.payee == charge.payee
        and 0 <= ORDINAL[row.day] - ORDINAL[charge.day] <= TIPPED_WITHIN
        and 100 * charge.amount > 100 * row.amount >= (100 + LARGEST_TIP) * charge.amount
    ]
    held_by = Counter(charge.external_id for charge, _ in fits)
    taken_by = Counter(row for _, row in fits)
    for charge, row in fits:
        if held_by[charge.external_id] == 1 and taken_by[row] == 1:
            yield charge.external_id, row

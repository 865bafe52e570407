"""Accounts that look like one seen through two connections, and rows that look like one seen twice.

Nothing is ever left out because of it: only the person can say.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import telling_words
from finplan.plan.pairing.repetition import (
    DAYS_APART,
    DIFFERENT,
    DatedAmount,
    Repetition,
    count_repeated,
    each_once,
)

_BOOKED_WITHIN = 3
"""Days by which two sources may date one row differently: one gives the booking, one the value day."""

POSTED_WITHIN = 7
"""Days that a charge is pending, at most."""

_MOST_TIP = 35
"""How much more than was reserved may be posted, in percent: a restaurant's tip, a pump's estimate."""


_LOOKED_AT = 200
"""How many rows of an account tell whether it is worth comparing with another one."""

_HINT = 4
"""One in so many of them must be on the other account, since most rows of common days have to be."""


RowOrigin = int | str
"""One import, by its number, or one bank."""

OriginDays = tuple[int, int]
"""The first and the last of some days, YYYYMMDD."""


class Copy(NamedTuple):
    """A posted row with where it is from.

    `day` is YYYYMMDD, `amount` positive when money came in. `seen_in` are other origins that held the
    very same row.
    """

    number: int
    account: int
    day: int
    amount: int
    payee: int
    raw: str
    origin: RowOrigin
    seen_in: frozenset[RowOrigin]


class PendingCharge(NamedTuple):
    """A pending row, in the shape of a `Copy`."""

    number: int
    account: int
    day: int
    amount: int
    payee: int


class AccountPair(NamedTuple):
    """Two accounts that may be one; `repeated` tells of rows by which it came twice, once by a file.

    It is None where institution and number say so, through two connections.
    """

    first: LedgerAccount
    second: LedgerAccount
    repeated: Repetition | None = None


def likely_duplicate_accounts(
    accounts: Mapping[int, LedgerAccount],
    by_file: AbstractSet[str],
    different: AbstractSet[frozenset[str]],
    moves_on: Callable[[Iterable[int]], Mapping[int, Sequence[DatedAmount]]],
) -> list[AccountPair]:
    """Pairs of shown accounts that look like one, but for those that the person said are `different`.

    Either institution, mask, kind and currency are the same through two connections, and at least half
    of the rows of the one that has fewer in the days that both cover; or files, whose connections are
    `by_file`, brought one or both, with most rows of those days. Accounts without rows are not compared;
    `moves_on` tells day and amount of each row of some, and is asked of those alone that may be one.
    """
    pairs = [
        (first_no, second_no)
        for (first_no, first), (second_no, second) in combinations(accounts.items(), 2)
        if not (first.hidden or second.hidden)
        and first.currency == second.currency
        and frozenset({first.id, second.id}) not in different
    ]
    alike = [
        (first_no, second_no)
        for first_no, second_no in pairs
        if _alike(accounts[first_no], accounts[second_no])
    ]
    brought = [pair for pair in pairs if any(accounts[no].connection_id in by_file for no in pair)]
    if not alike and not brought:
        return []
    moves = moves_on({no for pair in (*alike, *brought) for no in pair})
    rows = {no: listed for no, listed in moves.items() if listed}
    duplicates = [
        AccountPair(accounts[first_no], accounts[second_no])
        for first_no, second_no in alike
        if {first_no, second_no} <= rows.keys() and _same_rows(rows[first_no], rows[second_no])
    ]
    known_pairs = {(pair.first.id, pair.second.id) for pair in duplicates}
    return duplicates + [
        pair
        for pair in _brought_twice(accounts, brought, rows)
        if (pair.first.id, pair.second.id) not in known_pairs
    ]


def days_of_several(spans: Iterable[OriginDays]) -> Iterator[OriginDays]:
    """The days that two at least of some spans cover, in order, each once."""
    reached = covered = 0
    for since, until in sorted(spans):
        first, last = max(since, covered + 1), min(until, reached)
        if first <= last:
            yield first, last
            covered = last
        reached = max(reached, until)


def likely_duplicate_rows(
    copies: Iterable[Copy], spans: Mapping[int, Mapping[RowOrigin, OriginDays]]
) -> list[tuple[Copy, Copy]]:
    """Rows of one account and amount, days apart at most, that two origins each list once.

    Both origins must cover both days, so that each would have listed the other's row as well, were it
    another one: two equal coffees in one file are two. A row is in one pair at most, the nearest first.
    `spans` are the days on which each account has rows of each origin; rows of days that only one of
    them covers may be left out.
    """
    listed = sorted(copies, key=lambda copy: (copy.account, copy.amount, copy.day, copy.number))
    near = [
        (ORDINAL[second.day] - ORDINAL[first.day], first, second)
        for index, first in enumerate(listed)
        for second in _following(listed, index)
        if _may_be_one(first, second, spans[first.account])
    ]
    matches = each_once(
        sorted(near, key=itemgetter(0)), lambda pair: (pair[1].number, pair[2].number)
    )
    return sorted((min(first, second), max(first, second)) for _, first, second in matches)


def likely_posted_pending(
    pending: Iterable[PendingCharge], copies: Iterable[Copy]
) -> list[tuple[Copy, PendingCharge]]:
    """Charges that were posted, perhaps with a tip, while their pending rows stand there still.

    Account and payee are the same; the posted charge came up to a week later and is as large, or up to
    35% larger. Each row is in one pair at most, the nearest first.
    """
    posted: dict[tuple[int, int], list[Copy]] = {}
    for copy in copies:
        posted.setdefault((copy.account, copy.payee), []).append(copy)
    near = [
        (ORDINAL[copy.day] - ORDINAL[row.day], copy, row)
        for row in pending
        if row.amount < 0
        for copy in posted.get((row.account, row.payee), ())
        if 0 <= ORDINAL[copy.day] - ORDINAL[row.day] <= POSTED_WITHIN
        and 100 * row.amount >= 100 * copy.amount >= (100 + _MOST_TIP) * row.amount
    ]
    matches = each_once(
        sorted(near), lambda pair: (("posted", pair[1].number), ("pending", pair[2].number))
    )
    return sorted((copy, row) for _, copy, row in matches)


def _alike(first: LedgerAccount, second: LedgerAccount) -> bool:
    return (
        bool(first.mask)
        and first.connection_id != second.connection_id
        and (first.institution, first.mask, first.kind, first.currency)
        == (second.institution, second.mask, second.kind, second.currency)
    )


def _brought_twice(
    accounts: Mapping[int, LedgerAccount],
    pairs: Iterable[tuple[int, int]],
    rows: Mapping[int, Sequence[DatedAmount]],
) -> Iterator[AccountPair]:
    """Accounts, one of files at least, with most rows of the days that both cover in common."""
    spans = {no: (min(listed)[0], max(listed)[0]) for no, listed in rows.items()}
    sets = {no: set(listed) for no, listed in rows.items()}
    for first_no, second_no in pairs:
        if not {first_no, second_no} <= rows.keys():
            continue
        first, second = accounts[first_no], accounts[second_no]
        fewer, larger = sorted((first_no, second_no), key=lambda no: len(rows[no]))
        if not _share_some(rows[fewer], sets[larger], *spans[larger]):
            continue
        repetition = count_repeated(rows[first_no], rows[second_no])
        is_two_numbers = None not in (first.mask, second.mask) and first.mask != second.mask
        is_one = repetition.is_nearly_all if is_two_numbers else repetition.is_likely
        if is_one and repetition.all_amounts >= DIFFERENT:
            yield AccountPair(first, second, repetition)


def _share_some(
    rows: Sequence[DatedAmount], others: AbstractSet[DatedAmount], first: int, last: int
) -> bool:
    """Whether some of the rows from a first to a last day hint that all are worth counting."""
    within = [row for row in rows if first <= row[0] <= last]
    sample = within[:: len(within) // _LOOKED_AT + 1]
    # Within a month the number of a day says how far apart two are, which is enough for a hint.
    shared = sum(
        any((day + apart, amount) in others for apart in range(-DAYS_APART, DAYS_APART + 1))
        for day, amount in sample
    )
    return _HINT * shared >= len(sample)


def _same_rows(*dated_amounts: Sequence[DatedAmount]) -> bool:
    since = max(min(rows)[0] for rows in dated_amounts)
    until = min(max(rows)[0] for rows in dated_amounts)
    first, second = (
        {(day, amount) for day, amount in rows if since <= day <= until} for rows in dated_amounts
    )
    fewer = min(len(first), len(second))
    return fewer > 0 and 2 * len(first & second) >= fewer


def _following(listed: Sequence[Copy], start: int) -> Iterator[Copy]:
    """The rows of the same account and amount that follow one within a few days."""
    first = listed[start]
    for at in range(start + 1, len(listed)):
        second = listed[at]
        if (second.account, second.amount) != (first.account, first.amount):
            return
        if ORDINAL[second.day] - ORDINAL[first.day] > _BOOKED_WITHIN:
            return
        yield second


def _may_be_one(first: Copy, second: Copy, spans: Mapping[RowOrigin, OriginDays]) -> bool:
    if first.origin in {second.origin, *second.seen_in} or second.origin in first.seen_in:
        return False
    covered = all(
        spans[origin][0] <= copy.day <= spans[origin][1]
        for copy in (first, second)
        for origin in (first.origin, second.origin)
    )
    return covered and (
        first.payee == second.payee
        or not telling_words(first.raw).isdisjoint(telling_words(second.raw))
    )

"""Accounts that look like one seen through two connections, and rows that look like one seen twice.

Nothing is ever left out because of it: only the person can say.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from finplan.plan.ledger.classes import shown_accounts
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import Ledger, LedgerAccount
from finplan.plan.pairing.evidence import evidence_of
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


class Copy(NamedTuple):
    """A posted row with where it is from.

    `day` is YYYYMMDD, `amount` positive when money came in. `origin` is one import or one bank,
    `seen_in` are others that held the very same row.
    """

    number: int
    account: int
    day: int
    amount: int
    payee: int
    raw: str
    origin: str
    seen_in: frozenset[str]


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

    one: LedgerAccount
    other: LedgerAccount
    repeated: Repetition | None = None


def likely_duplicate_accounts(ledger: Ledger) -> list[AccountPair]:
    """Pairs of shown accounts that look like one, but for those that the person said are different.

    Either institution, mask, kind and currency are the same through two connections, and at least half
    of the rows of the one that has fewer in the days that both cover; or files brought one or both, with
    most rows of those days. Accounts without rows in the ledger are not compared.
    """
    found = [
        AccountPair(ledger.accounts[one], ledger.accounts[other])
        for one, other in _alike(ledger)
        if _same_rows(ledger, one, other)
    ]
    known = {frozenset({pair.one.id, pair.other.id}) for pair in found}
    return found + [
        pair
        for pair in _brought_twice(ledger)
        if frozenset({pair.one.id, pair.other.id}) not in known
    ]


def likely_duplicate_rows(copies: Iterable[Copy]) -> list[tuple[Copy, Copy]]:
    """Rows of one account and amount, days apart at most, that two origins each list once.

    Both origins must cover both days, so that each would have listed the other's row as well, were it
    another one: two equal coffees in one file are two. A row is in one pair at most, the nearest first.
    """
    listed = sorted(copies, key=lambda copy: (copy.account, copy.amount, copy.day, copy.number))
    spans = _spans(listed)
    near = [
        (ORDINAL[second.day] - ORDINAL[first.day], first, second)
        for place, first in enumerate(listed)
        for second in _following(listed, place)
        if _may_be_one(first, second, spans)
    ]
    found = each_once(
        sorted(near, key=itemgetter(0)), lambda pair: (pair[1].number, pair[2].number)
    )
    return sorted((min(first, second), max(first, second)) for _, first, second in found)


def likely_posted_pending(
    pending: Iterable[PendingCharge], copies: Iterable[Copy]
) -> list[tuple[Copy, PendingCharge]]:
    """Charges that were posted, perhaps with a tip, while their pending rows stand there still.

    Account and payee are the same; the posted charge came up to a week later and is as large, or up to
    35 % larger. Each row is in one pair at most, the nearest first.
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
    found = each_once(
        sorted(near), lambda pair: (("posted", pair[1].number), ("pending", pair[2].number))
    )
    return sorted((copy, row) for _, copy, row in found)


def _alike(ledger: Ledger) -> Iterator[tuple[int, int]]:
    for (one, first), (other, second) in combinations(shown_accounts(ledger), 2):
        if (
            first.mask
            and first.connection_id != second.connection_id
            and frozenset({first.id, second.id}) not in ledger.different
            and (
                (first.institution, first.mask, first.kind, first.currency)
                == (second.institution, second.mask, second.kind, second.currency)
            )
        ):
            yield one, other


def _brought_twice(ledger: Ledger) -> Iterator[AccountPair]:
    """Accounts, one of files at least, with most rows of the days that both cover in common."""
    by_file = {each.id for each in ledger.connections if each.provider == "manual"}
    shown = list(shown_accounts(ledger))
    if len(shown) < 2 or all(each.connection_id not in by_file for _, each in shown):
        return
    rows = ledger.moves_on(no for no, _ in shown)
    spans = {no: (min(listed)[0], max(listed)[0]) for no, listed in rows.items() if listed}
    sets = {no: set(listed) for no, listed in rows.items()}
    for (one, first), (other, second) in combinations(shown, 2):
        if first.currency != second.currency:
            continue
        if by_file.isdisjoint({first.connection_id, second.connection_id}):
            continue
        if frozenset({first.id, second.id}) in ledger.different:
            continue
        fewer, more = sorted((one, other), key=lambda no: len(rows[no]))
        if not rows[fewer] or not _share_some(rows[fewer], sets[more], *spans[more]):
            continue
        seen = count_repeated(rows[one], rows[other])
        is_two_numbers = None not in (first.mask, second.mask) and first.mask != second.mask
        is_one = seen.is_nearly_all if is_two_numbers else seen.is_likely
        if is_one and seen.all_amounts >= DIFFERENT:
            yield AccountPair(first, second, seen)


def _share_some(
    rows: Sequence[DatedAmount], others: AbstractSet[DatedAmount], first: int, last: int
) -> bool:
    """Whether some of the rows from a first to a last day hint that all are worth counting."""
    within = [row for row in rows if first <= row[0] <= last]
    seen = within[:: len(within) // _LOOKED_AT + 1]
    # Within a month the number of a day says how far apart two are, which is enough for a hint.
    found = sum(
        any((day + apart, amount) in others for apart in range(-DAYS_APART, DAYS_APART + 1))
        for day, amount in seen
    )
    return _HINT * found >= len(seen)


def _same_rows(ledger: Ledger, one: int, other: int) -> bool:
    seen = ledger.moves_on((one, other))
    if not all(seen.values()):
        return False
    since = max(min(rows)[0] for rows in seen.values())
    until = min(max(rows)[0] for rows in seen.values())
    first, second = (
        {(day, amount) for day, amount in rows if since <= day <= until} for rows in seen.values()
    )
    fewer = min(len(first), len(second))
    return fewer > 0 and 2 * len(first & second) >= fewer


def _spans(copies: Iterable[Copy]) -> dict[tuple[int, str], tuple[int, int]]:
    """The first and the last day on which each origin has rows of each account."""
    spans: dict[tuple[int, str], tuple[int, int]] = {}
    for copy in copies:
        for origin in (copy.origin, *copy.seen_in):
            first, last = spans.get((copy.account, origin), (copy.day, copy.day))
            spans[copy.account, origin] = (min(first, copy.day), max(last, copy.day))
    return spans


def _following(listed: Sequence[Copy], place: int) -> Iterator[Copy]:
    """The rows of the same account and amount that follow one within a few days."""
    first = listed[place]
    for second in listed[place + 1 :]:
        if (second.account, second.amount) != (first.account, first.amount):
            return
        if ORDINAL[second.day] - ORDINAL[first.day] > _BOOKED_WITHIN:
            return
        yield second


def _may_be_one(
    first: Copy, second: Copy, spans: Mapping[tuple[int, str], tuple[int, int]]
) -> bool:
    if first.origin in {second.origin, *second.seen_in} or second.origin in first.seen_in:
        return False
    covered = all(
        spans[copy.account, origin][0] <= copy.day <= spans[copy.account, origin][1]
        for copy in (first, second)
        for origin in (first.origin, second.origin)
    )
    return covered and (
        first.payee == second.payee
        or not evidence_of(first.raw).words.isdisjoint(evidence_of(second.raw).words)
    )

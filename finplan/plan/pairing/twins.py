"""Rows that may be the two halves of one transfer, told by payees, amounts and days alone.

The ledger holds no texts, so that nothing here is proven: it is what a person is asked about. Three
times the same between two payees is a standing order or an accident that repeats, as where a
relative sends the rent each month on the day on which it is paid.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, PEER, Ledger, LedgerPayee, Row
from finplan.plan.pairing.repetition import Key, each_once
from finplan.plan.pairing.scoring import UNKNOWN, USUAL_DAYS, Leg

OFTEN = 3
"""So many pairs of two payees at one amount are no accident."""


class PayeePair(NamedTuple):
    """The payees of two rows, what left and what arrived; both amounts as on statements."""

    out: int
    into: int
    sent: int
    arrived: int


def payee_pair(out: Leg, into: Leg) -> PayeePair:
    """What a possible pair is one more of."""
    return PayeePair(out.payee, into.payee, out.amount, into.amount)


def _count_keys(pairs: Iterable[tuple[Key, Hashable, Hashable]]) -> Counter[Key]:
    """How often each key comes; a row of its pairs counts once, however many it may be paired with."""
    outs: dict[Key, set[Hashable]] = defaultdict(set)
    intos: dict[Key, set[Hashable]] = defaultdict(set)
    for key, out, into in pairs:
        outs[key].add(out)
        intos[key].add(into)
    return Counter({key: min(len(outs[key]), len(intos[key])) for key in outs})


def count_repeated(
    possible: Iterable[tuple[Leg, Leg]], pairs_made: Mapping[PayeePair, int]
) -> Mapping[PayeePair, int]:
    """How often each pair of payees was seen at one amount: among the possible pairs and those made."""
    counter = _count_keys(
        (payee_pair(out, into), out.number, into.number)
        for out, into in possible
        if out.payee and into.payee
    )
    counter.update(pairs_made)
    return counter


_BY_RHYTHM = frozenset({"wages", "other_income"})
"""Categories of money in that its rhythm alone may tell, and no word."""

_MOST_CANDIDATES = 16
_MOSTLY = (2, 3)
"""From this share of its open rows on, a payee is what its twins are."""

TwinRows = tuple[Row, Row]
"""A row that left one account, and one that arrived on another."""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two payees, by their numbers, with the pairs of their rows that may be transfers, newest first.

    `repeated` says that three of them have one amount and distance of days. `mostly` has those of the
    two payees whose open rows are mostly in such pairs.
    """

    out: int
    into: int
    pairs: Sequence[TwinRows]
    repeated: bool
    mostly: frozenset[int]

    def rows(self, payee: int) -> tuple[Row, ...]:
        """The rows of one of the two payees, newest first."""
        side = 0 if payee == self.out else 1
        return tuple(pair[side] for pair in self.pairs)


def find_twins(ledger: Ledger, books: Books) -> list[Twins]:
    """The payees whose open rows may be transfers between each other, those with most pairs first.

    Of repeated ones each row is in one pair with the nearest. One that is not repeated must be the only
    one that fits. Rows that the person's rules or words file are none.
    """
    rows = list(_open_rows(ledger, books.sheets))
    near = list(_near(rows))
    by_payees: dict[tuple[int, int], list[TwinRows]] = defaultdict(list)
    for pair in near:
        by_payees[pair[0][PAYEE], pair[1][PAYEE]].append(pair)
    repeated = {payees: _nearest(pairs) for payees, pairs in by_payees.items() if _repeats(pairs)}
    taken = {id(row) for pairs in repeated.values() for pair in pairs for row in pair}
    times = Counter(id(row) for pair in near for row in pair)
    lone = {
        payees: single_pairs
        for payees, pairs in by_payees.items()
        if payees not in repeated
        and (
            single_pairs := [
                pair
                for pair in pairs
                if all(times[id(row)] == 1 and id(row) not in taken for row in pair)
            ]
        )
    }
    count = Counter(row[PAYEE] for row in rows)
    found_twins = [
        _twins(payees, pairs, count, repeated=payees in repeated)
        for payees, pairs in (*repeated.items(), *lone.items())
    ]
    return sorted(found_twins, key=lambda twins: (-len(twins.pairs), twins.out, twins.into))


def payees_with_twins(twins: Iterable[Twins]) -> frozenset[int]:
    """The payees of which some row may be half of a transfer."""
    return frozenset(payee for twin in twins for payee in (twin.out, twin.into))


def _twins(
    payees: tuple[int, int], pairs: Iterable[TwinRows], count: Mapping[int, int], *, repeated: bool
) -> Twins:
    newest = sorted(pairs, key=lambda pair: (pair[0][DAY], pair[1][DAY]), reverse=True)
    least, of = _MOSTLY
    mostly = frozenset(payee for payee in payees if of * len(newest) >= least * count[payee])
    return Twins(*payees, newest, repeated, mostly)


def _open_rows(ledger: Ledger, sheets: Iterable[Sheet]) -> Iterator[Row]:
    """The rows on bank accounts of which nobody has said what they are, and no word has."""
    banks = {number for number, account in ledger.accounts.items() if account.kind == "depository"}
    if len(banks) < 2:
        return
    for sheet in sheets:
        payee = ledger.payees[sheet.payee]
        if not _is_open(sheet.category, payee):
            continue
        answered = payee.said_parts() if payee.by_row else Counter()
        for row in sheet.rows:
            if (
                answered
                and answered[key := ((row[ACCOUNT], row[DAY], row[AMOUNT]), sheet.category)]
            ):
                answered[key] -= 1
            elif (
                row[ACCOUNT] in banks
                and not row[PEER]
                and row[AMOUNT]
                and not payee.is_filed(row[AMOUNT])
                and -row[AMOUNT] not in payee.by_amount
            ):
                yield row


def _is_open(category: str, payee: LedgerPayee) -> bool:
    return category in UNKNOWN or (category in _BY_RHYTHM and payee.inflow_sign is None)


def _near(rows: Iterable[Row]) -> Iterator[TwinRows]:
    """Every departure with the arrivals of its amount on other accounts that are near it in time."""
    outs: dict[int, list[Row]] = defaultdict(list)
    intos: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        (intos if row[AMOUNT] > 0 else outs)[abs(row[AMOUNT])].append(row)
    for amount in outs.keys() & intos.keys():
        arrivals = sorted(intos[amount], key=lambda row: row[DAY])
        days = [ORDINAL[row[DAY]] for row in arrivals]
        for out in outs[amount]:
            sent_on = ORDINAL[out[DAY]]
            first = bisect_left(days, sent_on + USUAL_DAYS[0])
            last = bisect_right(days, sent_on + USUAL_DAYS[-1])
            for into in arrivals[first:last][:_MOST_CANDIDATES]:
                if into[ACCOUNT] != out[ACCOUNT]:
                    yield out, into


def _distance(pair: TwinRows) -> int:
    return ORDINAL[pair[1][DAY]] - ORDINAL[pair[0][DAY]]


def _repeats(pairs: Iterable[TwinRows]) -> bool:
    """Whether three of the pairs have one amount and distance of days."""
    counter = _count_keys(
        ((pair[1][AMOUNT], _distance(pair)), id(pair[0]), id(pair[1])) for pair in pairs
    )
    return any(times >= OFTEN for times in counter.values())


def _nearest(pairs: Iterable[TwinRows]) -> list[TwinRows]:
    """Those of the pairs that are nearest in time, each row in one at most."""
    nearest = sorted(pairs, key=lambda pair: (abs(_distance(pair)), pair))
    return each_once(nearest, lambda pair: (id(pair[0]), id(pair[1])))

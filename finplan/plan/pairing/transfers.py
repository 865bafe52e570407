"""Which rows are two legs of one movement of money between own accounts.

No row is ever made up: two rows that exist are paired, or none. Legs are of opposite sign, on two own
accounts of one currency, of the same amount, and a few days apart. A pair must be the only one
possible, or be told by what the banks wrote: a wrong pair hides both spending and income, which is
worse than a missing one. What cannot be told is the person's to say. Sources: field, section 2.4, and
detection, section 3.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Literal, NamedTuple

from finplan.categorise.catalogue import Catalogue
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import beyond_schedule
from finplan.plan.pairing.loan_payments import LoanPayment, scheduled
from finplan.plan.pairing.scoring import Edge, Leg, Weigher
from finplan.plan.pairing.tolerances import by_time, within_days, within_fees

Reservation = Literal["rivals", "fee", "wordless"]
"""Why a pair is not made without the person: others fit as well, a fee would have to explain the
difference, or neither row says what it is."""


_SHIPPED = Catalogue()


class Pair(NamedTuple):
    """Two rows that are one movement; `spends` when the outgoing one is a loan's scheduled payment."""

    out: int
    into: int
    spends: bool


class Doubt(NamedTuple):
    """Two rows that may be one movement, and why that is not certain."""

    out: Leg
    into: Leg
    reservation: Reservation


def find_pairs(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    rejected: Collection[tuple[int, int]] = frozenset(),
    earlier: Mapping[int, Sequence[LoanPayment]] | None = None,
    catalogue: Catalogue = _SHIPPED,
) -> list[Pair]:
    """Pair the legs that belong together, by the outgoing row's number; a leg is in one pair at most.

    `accounts` are all own accounts, `rejected` the pairs (out, into) that the person undid, which never
    come again, and `earlier` the payments of each loan that were paired before. `catalogue` holds the
    person's own categories too. The answer does not depend on the order of the legs; the cost grows
    with their number alone.
    """
    weigher = Weigher(accounts, rejected, catalogue)
    open_legs = [leg for leg in legs if weigher.is_open(leg)]
    matched = [
        edge
        for outs, intos in _of_one_amount(open_legs)
        for edge in _decide(weigher.edges(within_days(outs, intos)))
    ]
    taken = frozenset[int]().union(*(edge.ends for edge in matched))
    rest = [leg for leg in open_legs if leg.number not in taken]
    matched += _only_ones(weigher.edges(_sent_with_fee(rest, weigher)))
    pairs = [(edge.out, edge.into) for edge in matched]
    return with_spending(pairs, accounts, earlier or {})


def find_doubts(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    rejected: Collection[tuple[int, int]] = frozenset(),
    catalogue: Catalogue = _SHIPPED,
) -> list[Doubt]:
    """The pairs among legs that `find_pairs` left alone which a person might know to be one movement.

    Of equal rivals every one is named. A pair that no word speaks for is named only if no other fits.
    Newest first.
    """
    weigher = Weigher(accounts, rejected, catalogue)
    open_legs = [leg for leg in legs if weigher.is_open(leg)]
    doubts: list[Doubt] = []
    asked: set[int] = set()
    for outs, intos in _of_one_amount(open_legs):
        edges = weigher.all_edges(within_days(outs, intos))
        sure = [edge for edge in edges if edge.sure]
        said = {end for edge in sure for end in edge.ends}
        wordless = [edge for edge in _only_ones(edges) if not edge.ends & said]
        asked |= said.union(*(edge.ends for edge in wordless))
        doubts += [Doubt(edge.out, edge.into, "rivals") for edge in sure]
        doubts += [Doubt(edge.out, edge.into, "wordless") for edge in wordless]
    rest = [leg for leg in open_legs if leg.number not in asked]
    of_fees = weigher.edges(_sent_with_fee(rest, weigher))
    doubts += [Doubt(edge.out, edge.into, "fee") for edge in of_fees]
    return sorted(doubts, key=lambda doubt: (*by_time(doubt.out), *by_time(doubt.into)))[::-1]


def with_spending(
    matched: Sequence[tuple[Leg, Leg]],
    accounts: Mapping[int, LedgerAccount],
    earlier: Mapping[int, Sequence[LoanPayment]],
) -> list[Pair]:
    """Pairs of legs, with those that are a loan's scheduled payment marked as spending."""
    onto: dict[int, list[tuple[Leg, Leg]]] = {}
    for out, into in sorted(matched, key=lambda pair: pair[0].number):
        onto.setdefault(into.account, []).append((out, into))
    spends: dict[int, bool] = {}
    for number, pairs in onto.items():
        if accounts[number].kind != "loan":
            continue
        payments = [
            LoanPayment(out.day, into.amount, beyond_schedule(out.raw)) for out, into in pairs
        ]
        flags = scheduled([*payments, *earlier.get(number, ())])
        spends |= {out.number: on for (out, _), on in zip(pairs, flags, strict=False)}
    return sorted(
        Pair(out.number, into.number, spends.get(out.number, False)) for out, into in matched
    )


def _of_one_amount(legs: Iterable[Leg]) -> Iterator[tuple[list[Leg], list[Leg]]]:
    """The departures and the arrivals of each amount that has both."""
    by_amount: dict[int, tuple[list[Leg], list[Leg]]] = {}
    for leg in legs:
        if leg.amount:
            by_amount.setdefault(abs(leg.amount), ([], []))[leg.amount > 0].append(leg)
    return (sides for sides in by_amount.values() if all(sides))


def _sent_with_fee(legs: Sequence[Leg], weigher: Weigher) -> Iterator[tuple[Leg, Leg, int]]:
    """Legs that lost a fee of at most 3 % on the way: both banks say transfer, or name one order."""
    outs = [leg for leg in legs if leg.amount < 0]
    intos = [leg for leg in legs if leg.amount > 0]
    return (
        (out, into, apart)
        for out, into, apart in within_fees(outs, intos)
        if (weigher.says_transfer(out) and weigher.says_transfer(into))
        or weigher.one_order(out, into)
    )


def _only_ones(edges: Sequence[Edge]) -> list[Edge]:
    """The possible pairs whose rows are in no other."""
    times = Counter(chain.from_iterable(edge.ends for edge in edges))
    return [edge for edge in edges if all(times[end] == 1 for end in edge.ends)]


def _decide(edges: Sequence[Edge]) -> list[Edge]:
    """The possible pairs of one amount that evidence and nearness tell from all others.

    Equal rivals leave each other alone, unless it makes no difference which of them are paired: when
    all lie between the same two accounts, or as many leave one account as arrive anywhere.
    """
    of_leg: dict[int, list[Edge]] = {}
    for edge in edges:
        of_leg.setdefault(edge.out.number, []).append(edge)
        of_leg.setdefault(edge.into.number, []).append(edge)
    closed: set[int] = set()
    decided = []
    for edge in sorted(edges, key=_by_rank):
        if edge.ends & closed:
            continue
        alone = all(len(of_leg[end]) == 1 for end in edge.ends)
        rivals = _rivals(edge, of_leg, closed)
        exchangeable = _exchangeable(rivals)
        for rival in sorted(rivals, key=_by_rank):
            if exchangeable and (alone or rival.weight) and not rival.ends & closed:
                decided.append(rival)
                closed |= rival.ends
        if not exchangeable:
            closed.update(*(rival.ends for rival in rivals))
    return decided


def _by_rank(edge: Edge) -> tuple[int, int, int, int, int, int]:
    return (*edge.rank, *by_time(edge.out), *by_time(edge.into))


def _rivals(
    edge: Edge, of_leg: Mapping[int, Sequence[Edge]], closed: AbstractSet[int]
) -> set[Edge]:
    """The open edges of equal rank that hang together with this one by their legs, itself included."""
    found = {edge}
    waiting = [edge]
    while waiting:
        for end in waiting.pop().ends:
            for other in of_leg[end]:
                if other.rank == edge.rank and other not in found and not other.ends & closed:
                    found.add(other)
                    waiting.append(other)
    return found


def _exchangeable(rivals: Collection[Edge]) -> bool:
    """Whether it makes no difference to any account which of the rivals are paired."""
    sources = {edge.out.account for edge in rivals}
    targets = {edge.into.account for edge in rivals}
    if len(sources) == len(targets) == 1:
        return True
    outs = {edge.out.number for edge in rivals}
    intos = {edge.into.number for edge in rivals}
    return len(outs) == len(intos) and 1 in {len(sources), len(targets)}

"""Which rows are two legs of one movement of money between own accounts.

No row is ever made up: two rows that exist are paired, or none. Legs are of opposite sign, on two own
accounts of one currency, of the same amount, and at most four days apart, the money leaving no later
than a day after it arrives. A pair must be the only one possible, or be told by what the banks wrote: a
wrong pair hides both spending and income, which is worse than a missing one. Sources: field, section
2.4, and detection, section 3.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from finplan.categorise.catalogue import BUILT_IN
from finplan.plan.days import ORDINAL
from finplan.plan.evidence import (
    Evidence,
    beyond_schedule,
    evidence_of,
    names_bank,
    names_number,
)
from finplan.plan.ledger import LedgerAccount
from finplan.plan.loan_payments import LoanPayment, scheduled
from finplan.plan.roles import is_savings_type

_LATEST = 4
"""Days from the money's leaving to its arrival, at most."""

_EARLIEST = -1
"""Some banks book an arrival a day before the departure."""

_FEE_PERCENT = 3
"""What may be lost on the way when both banks call it a transfer."""

_MOST_CANDIDATES = 16
"""How many arrivals are weighed for one departure; more equal ones are told apart by nothing anyway."""

_UNDECIDED = frozenset({"uncategorized", "unknown_inflow"})
_LOAN_BOUND = frozenset({"mortgage", "loan_payment", "extra_principal"})
_CARD_BOUND = frozenset({"unlinked_card", "card_payment"})


class Leg(NamedTuple):
    """A posted row that may be one side of a transfer.

    `number` names the row, `account` its account; `day` is YYYYMMDD, `amount` in minor units, positive
    when money comes in. `raw` is the bank's text, `category` what its payee is filed under in this
    direction.
    """

    number: int
    account: int
    day: int
    amount: int
    raw: str
    category: str


class Pair(NamedTuple):
    """Two rows that are one movement; `spends` when the outgoing one is a loan's scheduled payment."""

    out: int
    into: int
    spends: bool


@dataclass(frozen=True, slots=True)
class _Edge:
    """A possible pair; more `weight` is more evidence, `apart` are the days between."""

    out: Leg
    into: Leg
    weight: int
    apart: int

    @property
    def rank(self) -> tuple[int, int]:
        return (-self.weight, self.apart)

    @property
    def ends(self) -> frozenset[int]:
        return frozenset({self.out.number, self.into.number})


def find_pairs(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    rejected: Collection[tuple[int, int]] = frozenset(),
    earlier: Mapping[int, Sequence[LoanPayment]] | None = None,
) -> list[Pair]:
    """Pair the legs that belong together, by the outgoing row's number; a leg is in one pair at most.

    `accounts` are all own accounts, `rejected` the pairs (out, into) that the person undid, which never
    come again, and `earlier` the payments of each loan that were paired before. The answer does not
    depend on the order of the legs; the cost grows with their number alone.
    """
    weigher = _Weigher(accounts, rejected)
    by_amount: dict[int, tuple[list[Leg], list[Leg]]] = {}
    open_legs = [leg for leg in legs if weigher.is_open(leg)]
    for leg in open_legs:
        if leg.amount:
            sides = by_amount.setdefault(abs(leg.amount), ([], []))
            sides[leg.amount > 0].append(leg)
    matched = [
        edge
        for outs, intos in by_amount.values()
        if outs and intos
        for edge in _decide(weigher.edges(_near(outs, intos, _MOST_CANDIDATES)))
    ]
    taken = frozenset[int]().union(*(edge.ends for edge in matched))
    matched += _after_fees([leg for leg in open_legs if leg.number not in taken], weigher)
    return _with_spending(matched, accounts, earlier or {})


class _Weigher:
    """Judges possible pairs by what their rows say; each text is read once."""

    def __init__(
        self, accounts: Mapping[int, LedgerAccount], rejected: Collection[tuple[int, int]]
    ) -> None:
        self._accounts = accounts
        self._rejected = rejected
        self._texts: dict[str, Evidence] = {}
        self._endings = [held.mask[-4:] for held in accounts.values() if held.mask]

    def is_open(self, leg: Leg) -> bool:
        """Whether a leg may be in a pair: a shop's row only if it holds an own account's number."""
        return _flow(leg) != "spending" or any(ending in leg.raw for ending in self._endings)

    def says_transfer(self, leg: Leg) -> bool:
        """Whether a bank calls the row of a leg a transfer, and nobody's pay."""
        return _flow(leg) != "income" and self._text(leg).transfer

    def edges(self, near: Iterable[tuple[Leg, Leg, int]]) -> list[_Edge]:
        """The possible pairs among legs that are near in time, with what speaks for them."""
        return [
            _Edge(out, into, weight, apart)
            for out, into, apart in near
            if (weight := self.weight(out, into)) is not None
        ]

    def weight(self, out: Leg, into: Leg) -> int | None:
        """How much speaks for a pair; None when something rules it out, or too little speaks for it."""
        source, target = self._accounts[out.account], self._accounts[into.account]
        if (
            out.account == into.account
            or source.currency != target.currency
            or (out.number, into.number) in self._rejected
            or not _may_meet(out, target)
            or not _may_meet(into, source)
        ):
            return None
        left, arrived = self._text(out), self._text(into)
        if source.kind == "credit" and not left.transfer:
            # A charge on a card is a purchase, and an equal credit elsewhere a friend's share of it.
            return None
        flows = {_flow(out), _flow(into)}
        named = names_number(left, target) + names_number(arrived, source)
        if not named and (left.person or arrived.person or "spending" in flows):
            return None
        if any(self._names_another(text, source, target) for text in (left, arrived)):
            return None
        weight = (
            2 * named
            + _says_so(left, source, target)
            + _says_so(arrived, source, target)
            + (source.institution != target.institution and names_bank(left, target))
            + ("credit" not in {source.kind, target.kind} and _alike(left, arrived))
        )
        # Nothing but a payment arrives on a loan, and pay is no transfer on one word alone.
        needed = 2 if "income" in flows else 0 if target.kind == "loan" else 1
        return weight if weight >= needed else None

    def _text(self, leg: Leg) -> Evidence:
        known = self._texts.get(leg.raw)
        if known is None:
            known = self._texts[leg.raw] = evidence_of(leg.raw)
        return known

    def _names_another(self, text: Evidence, source: LedgerAccount, target: LedgerAccount) -> bool:
        """Whether a text holds the digits of an own account other than these two, and of neither."""
        if not text.endings or names_number(text, source) or names_number(text, target):
            return False
        return any(names_number(text, account) for account in self._accounts.values())


def _says_so(text: Evidence, source: LedgerAccount, target: LedgerAccount) -> bool:
    """Whether a text calls its row what it would be between these accounts."""
    if text.transfer:
        return True
    if {source.kind, target.kind} & {"credit", "loan"}:
        return text.payment
    return text.cash_desk and (is_savings_type(source) or is_savings_type(target))


def _alike(left: Evidence, arrived: Evidence) -> bool:
    """Whether both texts share rare words, as where banks write the names of sender and recipient."""
    return len(left.words & arrived.words) >= 2


def _may_meet(leg: Leg, other: LedgerAccount) -> bool:
    """Whether what a leg's payee is filed under can be money to or from that account."""
    if leg.amount > 0:
        return True
    if leg.category in _LOAN_BOUND:
        return other.kind in {"loan", "credit"}
    return leg.category not in _CARD_BOUND or other.kind == "credit"


def _flow(leg: Leg) -> str:
    """How a leg's category flows, `move` where it is open or bound for an own account."""
    if leg.category in _UNDECIDED | _LOAN_BOUND | _CARD_BOUND:
        return "move"
    category = BUILT_IN.get(leg.category)
    return category.flow if category else "spending"


def _near(
    outs: Iterable[Leg], intos: Iterable[Leg], most: int | None = None
) -> Iterator[tuple[Leg, Leg, int]]:
    """Each departure with the arrivals near it in time, at most so many, and the days between."""
    arrivals = sorted(intos, key=_by_time)
    days = [ORDINAL[leg.day] for leg in arrivals]
    for out in sorted(outs, key=_by_time):
        left = ORDINAL[out.day]
        places = range(bisect_left(days, left + _EARLIEST), bisect_right(days, left + _LATEST))
        nearest = sorted(places, key=lambda place: abs(days[place] - left))
        for place in nearest[:most]:
            yield out, arrivals[place], abs(days[place] - left)


def _by_time(leg: Leg) -> tuple[int, int]:
    return (leg.day, leg.number)


def _decide(edges: Sequence[_Edge]) -> list[_Edge]:
    """The possible pairs of one amount that evidence and nearness tell from all others.

    Equal rivals leave each other alone, unless it makes no difference which of them are paired: when
    all lie between the same two accounts, or as many leave one account as arrive anywhere.
    """
    of_leg: dict[int, list[_Edge]] = {}
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


def _by_rank(edge: _Edge) -> tuple[int, int, int, int, int, int]:
    return (*edge.rank, *_by_time(edge.out), *_by_time(edge.into))


def _rivals(
    edge: _Edge, of_leg: Mapping[int, Sequence[_Edge]], closed: AbstractSet[int]
) -> set[_Edge]:
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


def _exchangeable(rivals: Collection[_Edge]) -> bool:
    """Whether it makes no difference to any account which of the rivals are paired."""
    sources = {edge.out.account for edge in rivals}
    targets = {edge.into.account for edge in rivals}
    if len(sources) == len(targets) == 1:
        return True
    outs = {edge.out.number for edge in rivals}
    intos = {edge.into.number for edge in rivals}
    return len(outs) == len(intos) and 1 in {len(sources), len(targets)}


def _after_fees(legs: Collection[Leg], weigher: _Weigher) -> list[_Edge]:
    """Pairs that lost a fee of at most 3 % on the way: both banks say transfer, and no other fits."""
    outs = [leg for leg in legs if leg.amount < 0]
    intos = [leg for leg in legs if leg.amount > 0 and weigher.says_transfer(leg)]
    edges = weigher.edges(
        (out, into, apart)
        for out, into, apart in _near(outs, intos)
        if 0 < 100 * (-out.amount - into.amount) <= -_FEE_PERCENT * out.amount
        and weigher.says_transfer(out)
    )
    times = Counter(end for edge in edges for end in edge.ends)
    return [edge for edge in edges if all(times[end] == 1 for end in edge.ends)]


def _with_spending(
    matched: Sequence[_Edge],
    accounts: Mapping[int, LedgerAccount],
    earlier: Mapping[int, Sequence[LoanPayment]],
) -> list[Pair]:
    """The pairs, with those that are a loan's scheduled payment marked as spending."""
    onto: dict[int, list[_Edge]] = {}
    for edge in sorted(matched, key=lambda edge: edge.out.number):
        onto.setdefault(edge.into.account, []).append(edge)
    spends: dict[int, bool] = {}
    for number, edges in onto.items():
        if accounts[number].kind != "loan":
            continue
        payments = [
            LoanPayment(edge.out.day, edge.into.amount, beyond_schedule(edge.out.raw))
            for edge in edges
        ]
        flags = scheduled([*payments, *earlier.get(number, ())])
        spends |= {edge.out.number: on for edge, on in zip(edges, flags, strict=False)}
    return sorted(
        Pair(edge.out.number, edge.into.number, spends.get(edge.out.number, False))
        for edge in matched
    )

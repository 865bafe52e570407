"""Which rows are two legs of one movement of money between own accounts.

No row is ever made up: two rows that exist are paired, or none. Legs are of opposite sign, on two own
accounts, of the same amount, and a few days apart; those in two currencies are told by their texts. A
pair must be the only one possible, or be proven by what the banks wrote: a wrong pair hides both
spending and income, which is worse than a missing one. What cannot be told is the person's to say.
Sources: field, section 2.4, and detection, section 3.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Literal, NamedTuple

from finplan.categorise.catalogue import Catalogue
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.currencies import doubtful_currencies, pair_currencies
from finplan.plan.pairing.evidence import beyond_schedule
from finplan.plan.pairing.loan_payments import LoanPayment, on_schedule
from finplan.plan.pairing.repeated import OFTEN, PayeePair, count_repeated, payee_pair
from finplan.plan.pairing.scoring import CandidatePair, Leg, PairScorer
from finplan.plan.pairing.tolerances import by_time, within_days, within_fees

DoubtReason = Literal["rivals", "fee", "wordless", "repeated", "currencies"]
"""Why a pair is not made without the person: others fit as well, a fee would have to explain the
difference, neither row says what it is, though the same may be seen again and again, or two currencies
are tied by too little."""


_SHIPPED = Catalogue()
_NONE: Mapping[PayeePair, int] = {}


class Pair(NamedTuple):
    """Two rows that are one movement; `spends` when the outgoing one is a loan's scheduled payment."""

    out: int
    into: int
    spends: bool


class DoubtfulPair(NamedTuple):
    """Two rows that may be one movement, and why that is not certain."""

    out: Leg
    into: Leg
    reason: DoubtReason


def find_pairs(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    rejected: Collection[tuple[int, int]] = frozenset(),
    earlier: Mapping[int, Sequence[LoanPayment]] | None = None,
    catalogue: Catalogue = _SHIPPED,
    made: Mapping[PayeePair, int] = _NONE,
) -> list[Pair]:
    """Pair the legs that belong together, by the outgoing row's number; a leg is in one pair at most.

    `accounts` are all own accounts, `rejected` the pairs (out, into) that the person undid, which never
    come again, and `earlier` the payments of each loan that were paired before. `catalogue` holds the
    person's own categories too, `made` how many pairs two payees have already. The answer does not
    depend on the order of the legs; the cost grows with their number alone.
    """
    scorer = PairScorer(accounts, rejected, catalogue)
    eligible = [leg for leg in legs if scorer.is_eligible(leg)]
    matched = [
        candidate
        for outs, intos in _of_one_amount(eligible)
        for candidate in _decide(scorer.sure_candidates(within_days(outs, intos)))
    ]
    taken = frozenset[int]().union(*(candidate.rows for candidate in matched))
    rest = [leg for leg in eligible if leg.number not in taken]
    matched += [pair for pair in _only_ones(_with_fee(rest, accounts, scorer, made)) if pair.sure]
    taken = frozenset[int]().union(*(candidate.rows for candidate in matched))
    matched += pair_currencies(
        [leg for leg in eligible if leg.number not in taken], accounts, scorer
    )
    pairs = [(candidate.out, candidate.into) for candidate in matched]
    return mark_loan_payments(pairs, accounts, earlier or {})


def find_doubtful_pairs(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    rejected: Collection[tuple[int, int]] = frozenset(),
    catalogue: Catalogue = _SHIPPED,
    made: Mapping[PayeePair, int] = _NONE,
) -> list[DoubtfulPair]:
    """The pairs among legs that `find_pairs` left alone which a person might know to be one movement.

    Of equal rivals every one is named. A pair that no word speaks for is named only if no other fits, or
    if its payees have such pairs again and again. Newest first.
    """
    scorer = PairScorer(accounts, rejected, catalogue)
    eligible = [leg for leg in legs if scorer.is_eligible(leg)]
    doubts: list[DoubtfulPair] = []
    named: set[int] = set()
    for outs, intos in _of_one_amount(eligible):
        candidates = scorer.candidates(within_days(outs, intos))
        sure = [candidate for candidate in candidates if candidate.sure]
        paired = {row for candidate in sure for row in candidate.rows}
        others = [candidate for candidate in candidates if not candidate.rows & paired]
        seen = count_repeated(((pair.out, pair.into) for pair in others), made)
        repeated = _nearest(
            pair for pair in others if seen[payee_pair(pair.out, pair.into)] >= OFTEN
        )
        come_again = paired.union(*(candidate.rows for candidate in repeated))
        wordless = [
            candidate for candidate in _only_ones(candidates) if not candidate.rows & come_again
        ]
        named |= come_again.union(*(candidate.rows for candidate in wordless))
        by_reason: dict[DoubtReason, list[CandidatePair]] = {
            "rivals": sure,
            "repeated": repeated,
            "wordless": wordless,
        }
        doubts += [
            DoubtfulPair(pair.out, pair.into, reason)
            for reason, pairs in by_reason.items()
            for pair in pairs
        ]
    rest = [leg for leg in eligible if leg.number not in named]
    of_fees = _with_fee(rest, accounts, scorer, made)
    doubts += [DoubtfulPair(candidate.out, candidate.into, "fee") for candidate in of_fees]
    named |= frozenset[int]().union(*(candidate.rows for candidate in of_fees))
    rest = [leg for leg in eligible if leg.number not in named]
    doubts += [
        DoubtfulPair(candidate.out, candidate.into, "currencies")
        for candidate in doubtful_currencies(rest, accounts, scorer)
    ]
    return sorted(doubts, key=lambda doubt: (*by_time(doubt.out), *by_time(doubt.into)))[::-1]


def mark_loan_payments(
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
        flags = on_schedule([*payments, *earlier.get(number, ())])
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


def _with_fee(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    scorer: PairScorer,
    made: Mapping[PayeePair, int],
) -> list[CandidatePair]:
    """The possible pairs of which a fee was kept on the way, sure or not."""
    outs = [leg for leg in legs if leg.amount < 0]
    intos = [leg for leg in legs if leg.amount > 0]
    currencies = {number: account.currency for number, account in accounts.items()}
    near = list(within_fees(outs, intos, currencies))
    seen = count_repeated(((out, into) for out, into, _ in near), made)
    possible = (
        scorer.with_fee(out, into, days, often=seen[payee_pair(out, into)] >= OFTEN)
        for out, into, days in near
    )
    return [pair for pair in possible if pair is not None]


def _only_ones(candidates: Sequence[CandidatePair]) -> list[CandidatePair]:
    """The possible pairs whose rows are in no other."""
    times = Counter(chain.from_iterable(candidate.rows for candidate in candidates))
    return [candidate for candidate in candidates if all(times[row] == 1 for row in candidate.rows)]


def _nearest(candidates: Iterable[CandidatePair]) -> list[CandidatePair]:
    """Those of the possible pairs that are nearest in time, each row in one at most."""
    chosen: list[CandidatePair] = []
    closed: set[int] = set()
    for candidate in sorted(candidates, key=_by_rank):
        if not candidate.rows & closed:
            chosen.append(candidate)
            closed |= candidate.rows
    return chosen


def _decide(candidates: Sequence[CandidatePair]) -> list[CandidatePair]:
    """The possible pairs of one amount that evidence and nearness tell from all others.

    Equal rivals leave each other alone, unless it makes no difference which of them are paired: when
    all lie between the same two accounts, or as many leave one account as arrive anywhere.
    """
    of_leg: dict[int, list[CandidatePair]] = {}
    for candidate in candidates:
        of_leg.setdefault(candidate.out.number, []).append(candidate)
        of_leg.setdefault(candidate.into.number, []).append(candidate)
    closed: set[int] = set()
    decided = []
    for candidate in sorted(candidates, key=_by_rank):
        if candidate.rows & closed:
            continue
        alone = all(len(of_leg[row]) == 1 for row in candidate.rows)
        rivals = _rivals(candidate, of_leg, closed)
        exchangeable = _exchangeable(rivals)
        for rival in sorted(rivals, key=_by_rank):
            if exchangeable and (alone or rival.score) and not rival.rows & closed:
                decided.append(rival)
                closed |= rival.rows
        if not exchangeable:
            closed.update(*(rival.rows for rival in rivals))
    return decided


def _by_rank(candidate: CandidatePair) -> tuple[int, int, int, int, int, int]:
    return (*candidate.rank, *by_time(candidate.out), *by_time(candidate.into))


def _rivals(
    candidate: CandidatePair,
    of_leg: Mapping[int, Sequence[CandidatePair]],
    closed: AbstractSet[int],
) -> set[CandidatePair]:
    """The open edges of equal rank that hang together with this one by their legs, itself included."""
    found = {candidate}
    waiting = [candidate]
    while waiting:
        for row in waiting.pop().rows:
            for other in of_leg[row]:
                if other.rank == candidate.rank and other not in found and not other.rows & closed:
                    found.add(other)
                    waiting.append(other)
    return found


def _exchangeable(rivals: Collection[CandidatePair]) -> bool:
    """Whether it makes no difference to any account which of the rivals are paired."""
    sources = {candidate.out.account for candidate in rivals}
    targets = {candidate.into.account for candidate in rivals}
    if len(sources) == len(targets) == 1:
        return True
    outs = {candidate.out.number for candidate in rivals}
    intos = {candidate.into.number for candidate in rivals}
    return len(outs) == len(intos) and 1 in {len(sources), len(targets)}

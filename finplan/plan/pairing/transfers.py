"""Which rows are two legs of one movement of money between own accounts.

No row is ever made up: two rows that exist are paired, or none. Legs are of opposite sign, on two
own accounts, of the same amount, and a few days apart; those in two currencies are told by their
texts. A pair must be the only one possible, or be proven by what the banks wrote: a wrong pair
hides both spending and income, which is worse than a missing one. What cannot be told is the
person's to say. Sources: field, section 2.4, and detection, section 3.

The money leaves no later than a day after it arrives, and arrives at most four days after it left:
so it is with transfers that nothing else tells of. What both banks name may be booked further
apart, since a card's issuer credits a payment on the day it was asked for, and collects it from the
bank days later.

Of payments to a loan the scheduled one is spending, whole; what is paid beyond it in the same month
is extra principal, a way of saving. Source: plan-semantics C1 and section 2.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import exponent
from finplan.plan.ledger.amounts import median
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.currencies import doubtful_currencies, pair_currencies
from finplan.plan.pairing.evidence import beyond_schedule
from finplan.plan.pairing.repetition import each_once
from finplan.plan.pairing.scoring import (
    USUAL_DAYS,
    USUAL_FEE_PERCENT,
    CandidatePair,
    Leg,
    PairScorer,
)
from finplan.plan.pairing.twins import OFTEN, PayeePair, count_repeated, payee_pair

_EARLIEST, _LATEST = USUAL_DAYS[0], USUAL_DAYS[-1]

_FURTHEST = 5
"""Days between the two, whichever is first, where both rows tell that they belong together."""

_NAMED_FEE_PERCENT, _NAMED_FEE_UNITS = 15, 50
"""What may be lost where a text says wire or fee: so much of what left, and so many units at most."""

_MOST_CANDIDATES = 16
"""How many arrivals are scored for one departure; more equal ones are told apart by nothing anyway."""

_AMOUNT = itemgetter(0)

NearbyLegs = Iterator[tuple[Leg, Leg, int]]
"""An outgoing leg, an incoming leg, and the days from the one to the other, below zero where the money
arrives before it leaves."""


def by_time(leg: Leg) -> tuple[int, int]:
    """The order in which legs are looked at."""
    return (leg.day, leg.number)


def within_days(outs: Iterable[Leg], intos: Iterable[Leg]) -> NearbyLegs:
    """Each departure with the arrivals up to five days from it, nearest first, at most sixteen."""
    arrivals = sorted(intos, key=by_time)
    days = [ORDINAL[leg.day] for leg in arrivals]
    for out in sorted(outs, key=by_time):
        sent_on = ORDINAL[out.day]
        places = range(
            bisect_left(days, sent_on - _FURTHEST), bisect_right(days, sent_on + _FURTHEST)
        )
        for index in sorted(places, key=lambda index: abs(days[index] - sent_on))[
            :_MOST_CANDIDATES
        ]:
            yield out, arrivals[index], days[index] - sent_on


def within_fees(
    legs: Iterable[Leg], currencies: Mapping[int, str], most_a_day: int | None = _MOST_CANDIDATES
) -> NearbyLegs:
    """Each arrival with the departures near it that are larger by what a fee may be.

    `currencies` are the accounts'. Of a day only so many departures are looked at, None for all.
    """
    ordered = sorted(legs, key=by_time)
    outs = {leg.number: leg for leg in ordered if leg.amount < 0}
    sent = _by_day((ORDINAL[leg.day], -leg.amount, leg.number) for leg in outs.values())
    # Fewer rows bring money than take it, so the arrivals are gone through.
    for into in (leg for leg in ordered if leg.amount > 0):
        arrived, most = ORDINAL[into.day], _most_sent(into.amount, currencies[into.account])
        for day in range(arrived - _LATEST, arrived - _EARLIEST + 1):
            for _, number in _of_band(sent.get(day, ()), into.amount, most)[:most_a_day]:
                yield outs[number], into, arrived - day


def within_fee_of_another(
    rows: Iterable[tuple[int, int, int, int]], currencies: Mapping[int, str]
) -> set[int]:
    """The numbers of those rows that are near another one of which a fee may have been lost.

    A row is its number, account, day YYYYMMDD and signed amount; `currencies` are the accounts'. Nothing
    else is looked at, so that of many rows whose texts say transfer only few have to be read.
    """
    legs = (Leg(*row, "", "") for row in rows)
    return {
        number
        for out, into, _ in within_fees(legs, currencies, most_a_day=None)
        if out.account != into.account
        for number in (out.number, into.number)
    }


def _by_day(departures: Iterable[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
    """What was sent on each day: amount and number, ascending."""
    sent: dict[int, list[tuple[int, int]]] = {}
    for day, amount, number in departures:
        sent.setdefault(day, []).append((amount, number))
    for of_day in sent.values():
        of_day.sort()
    return sent


def _most_sent(arrived: int, currency: str) -> int:
    """The most that can have been sent of what arrived."""
    units: int = _NAMED_FEE_UNITS * 10 ** exponent(currency)
    most = min(100 * arrived // (100 - _NAMED_FEE_PERCENT), arrived + units)
    return max(100 * arrived // (100 - USUAL_FEE_PERCENT), most)


def _of_band(sent: Sequence[tuple[int, int]], arrived: int, most: int) -> Sequence[tuple[int, int]]:
    """Those of a day's departures that are larger than what arrived, up to the most."""
    if not sent:
        return ()
    since = bisect_right(sent, arrived, key=_AMOUNT)
    return sent[since : bisect_right(sent, most, key=_AMOUNT)]


class LoanPayment(NamedTuple):
    """A payment to one loan: the day YYYYMMDD, the amount (positive), whether its text says extra."""

    day: int
    amount: int
    extra: bool = False


def on_schedule(payments: Sequence[LoanPayment]) -> list[bool]:
    """For each payment to one loan, in their order, whether it is on schedule.

    In every month the payment nearest the usual one is on schedule, and so are those equal to it: a
    loan paid twice a month, or early for the next, is not paid beyond its schedule.
    """
    usual = _usual_payment([payment.amount for payment in payments if not payment.extra])
    nearest: dict[int, int] = {}
    for payment in sorted(payments, key=lambda paid: (abs(paid.amount - usual), paid)):
        if not payment.extra:
            nearest.setdefault(payment.day // 100, payment.amount)
    return [
        not payment.extra and payment.amount == nearest[payment.day // 100] for payment in payments
    ]


def _usual_payment(amounts: Iterable[int]) -> int:
    """The most frequent amount, the larger of equally frequent ones; the median if none repeats."""
    times = Counter(amounts)
    if not times:
        return 0
    amount, most = max(times.items(), key=lambda item: (item[1], item[0]))
    return amount if most > 1 else median(list(times))


DoubtReason = Literal["rivals", "fee", "wordless", "repeated", "currencies"]
"""Why a pair is not made without the person: others fit as well, a fee would have to explain the
difference, neither row says what it is, though the same may be seen again and again, or two currencies
are tied by too little."""


_SHIPPED = Catalogue()
_NO_REPEATED: Mapping[PayeePair, int] = {}


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
    pairs_made: Mapping[PayeePair, int] = _NO_REPEATED,
) -> list[Pair]:
    """Pair the legs that belong together, by the outgoing row's number; a leg is in one pair at most.

    `accounts` are all own accounts, `rejected` the pairs (out, into) that the person undid, which never
    come again, and `earlier` the payments of each loan that were paired before. `catalogue` holds the
    person's own categories too, `pairs_made` how many pairs two payees have already. The answer does not
    depend on the order of the legs; the cost grows with their number alone.
    """
    scorer = PairScorer(accounts, rejected, catalogue)
    eligible = [leg for leg in legs if scorer.is_eligible(leg)]
    matched = [
        candidate
        for outs, intos in _of_one_amount(eligible)
        for candidate in _decide(_sure(scorer.candidates(within_days(outs, intos))))
    ]
    taken = frozenset[int]().union(*(candidate.rows for candidate in matched))
    remaining = [leg for leg in eligible if leg.number not in taken]
    matched += _sure(_only_ones(_with_fee(remaining, accounts, scorer, pairs_made)))
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
    pairs_made: Mapping[PayeePair, int] = _NO_REPEATED,
) -> list[DoubtfulPair]:
    """The pairs among legs that `find_pairs` left alone which a person might know to be one movement.

    Of equal rivals every one is named. A pair that no word speaks for is named only if no other fits, or
    if its payees have such pairs again and again. Newest first.
    """
    scorer = PairScorer(accounts, rejected, catalogue)
    eligible = [leg for leg in legs if scorer.is_eligible(leg)]
    doubts: list[DoubtfulPair] = []
    numbers: set[int] = set()
    for outs, intos in _of_one_amount(eligible):
        candidates = scorer.candidates(within_days(outs, intos))
        sure = _sure(candidates)
        paired = {row for candidate in sure for row in candidate.rows}
        others = [candidate for candidate in candidates if not candidate.rows & paired]
        times = count_repeated(((pair.out, pair.into) for pair in others), pairs_made)
        repeated = _nearest(
            pair for pair in others if times[payee_pair(pair.out, pair.into)] >= OFTEN
        )
        come_again = paired.union(*(candidate.rows for candidate in repeated))
        wordless = [
            candidate for candidate in _only_ones(candidates) if not candidate.rows & come_again
        ]
        numbers |= come_again.union(*(candidate.rows for candidate in wordless))
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
    remaining = [leg for leg in eligible if leg.number not in numbers]
    of_fees = _with_fee(remaining, accounts, scorer, pairs_made)
    doubts += [DoubtfulPair(candidate.out, candidate.into, "fee") for candidate in of_fees]
    numbers |= frozenset[int]().union(*(candidate.rows for candidate in of_fees))
    remaining = [leg for leg in eligible if leg.number not in numbers]
    doubts += [
        DoubtfulPair(candidate.out, candidate.into, "currencies")
        for candidate in doubtful_currencies(remaining, accounts, scorer)
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
    pairs_made: Mapping[PayeePair, int],
) -> list[CandidatePair]:
    """The possible pairs of which a fee was kept on the way, sure or not."""
    currencies = {number: account.currency for number, account in accounts.items()}
    near = list(within_fees(legs, currencies))
    repeated = count_repeated(((out, into) for out, into, _ in near), pairs_made)
    possible = (
        scorer.with_fee(out, into, days, often=repeated[payee_pair(out, into)] >= OFTEN)
        for out, into, days in near
    )
    return [pair for pair in possible if pair is not None]


def _sure(candidates: Iterable[CandidatePair]) -> list[CandidatePair]:
    return [candidate for candidate in candidates if candidate.sure]


def _only_ones(candidates: Sequence[CandidatePair]) -> list[CandidatePair]:
    """The possible pairs whose rows are in no other."""
    times = Counter(chain.from_iterable(candidate.rows for candidate in candidates))
    return [candidate for candidate in candidates if all(times[row] == 1 for row in candidate.rows)]


def _nearest(candidates: Iterable[CandidatePair]) -> list[CandidatePair]:
    """Those of the possible pairs that are nearest in time, each row in one at most."""
    return each_once(sorted(candidates, key=_by_rank), attrgetter("rows"))


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
    rivals = {candidate}
    waiting = [candidate]
    while waiting:
        for row in waiting.pop().rows:
            for rival in of_leg[row]:
                if rival.rank == candidate.rank and rival not in rivals and not rival.rows & closed:
                    rivals.add(rival)
                    waiting.append(rival)
    return rivals


def _exchangeable(rivals: Collection[CandidatePair]) -> bool:
    """Whether it makes no difference to any account which of the rivals are paired."""
    sources = {candidate.out.account for candidate in rivals}
    targets = {candidate.into.account for candidate in rivals}
    if len(sources) == len(targets) == 1:
        return True
    outs = {candidate.out.number for candidate in rivals}
    intos = {candidate.into.number for candidate in rivals}
    return len(outs) == len(intos) and 1 in {len(sources), len(targets)}

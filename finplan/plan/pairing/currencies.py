"""Transfers between own accounts in two currencies: told by both texts, never by amounts alone.

No rate of a day is known here. What is known is roughly what currencies are worth, which rules strangers
out but proves nothing, and that two transfers of a few weeks were changed at nearly one rate. So both
rows must say that they are a transfer or an exchange, and something must tie the two. Sources:
detection, sections 1 and 3.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from finplan.model.money import exponent
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import says_transfer
from finplan.plan.pairing.scoring import USUAL_DAYS, CandidatePair, Leg, PairScorer

_IN_DOLLARS: Mapping[str, float] = {
    "USD": 1.0, "EUR": 1.12, "GBP": 1.31, "CHF": 1.08, "CAD": 0.75, "AUD": 0.70, "NZD": 0.65,
    "JPY": 0.0079, "CNY": 0.145, "HKD": 0.128, "SGD": 0.74, "TWD": 0.032, "KRW": 0.00081,
    "THB": 0.030, "INR": 0.0130, "SEK": 0.106, "NOK": 0.108, "DKK": 0.150, "PLN": 0.255,
    "CZK": 0.0435, "HUF": 0.0032, "RON": 0.235, "BGN": 0.575, "ILS": 0.28, "MXN": 0.053,
    "ZAR": 0.064, "BRL": 0.22, "AED": 0.272, "SAR": 0.267, "MYR": 0.232, "PHP": 0.0191,
    "IDR": 0.000068, "CLP": 0.00125, "COP": 0.00028, "PEN": 0.28,
}  # fmt: skip
"""About what a unit was worth in US dollars, in the middle of the years 2015 to 2025."""

_BAND = 1.6
"""How far a rate may be from the middle of those years, as a factor; some of them strayed so far."""

_AGREE = 0.04
"""How far two rates of a few weeks may differ: what banks keep for themselves, and what markets move."""

_FEW_WEEKS = 45
"""Days between two transfers that were changed at nearly one rate."""

_PROVEN = 2
"""The score of a pair of which a row names the other's account, order or sum."""

_OFTEN = 3
"""So many sums of one rate between two accounts are no accident, though only one row says transfer."""

_MOST_CANDIDATES = 16
"""How many arrivals are looked at for one departure."""


class _Crossing(NamedTuple):
    """A possible pair, its currencies in the order of their codes, and the rate between them.

    `rate` is what a unit of the first was worth in the second, as a multiple of what it usually is.
    """

    pair: CandidatePair
    currencies: tuple[str, str]
    rate: float

    @property
    def day(self) -> int:
        """The ordinal of the day that the money left on."""
        return ORDINAL[self.pair.out.day]


_Weeks = dict[tuple[tuple[str, str], int], list[_Crossing]]
"""Possible pairs by their currencies and by a stretch of a few weeks."""


def within_rate_of_another(
    rows: Iterable[tuple[int, int, int, int]], currencies: Mapping[int, str]
) -> set[int]:
    """The numbers of those rows that another one is near, in another currency and worth about the same.

    A row is its number, account, day YYYYMMDD and signed amount; `currencies` are the accounts'. Nothing
    else is looked at, so that of many rows whose texts say transfer only few have to be read.
    """
    legs = [Leg(*row, "", "") for row in rows]
    return {
        number
        for out, into, _ in _near(legs, currencies)
        if _is_plausible(*_rated(out, into, currencies))
        for number in (out.number, into.number)
    }


def pair_currencies(
    legs: Sequence[Leg], accounts: Mapping[int, LedgerAccount], scorer: PairScorer
) -> list[CandidatePair]:
    """The pairs of legs in two currencies that are sure, each leg in one at most.

    Where rates of a few weeks agree, no pair strays from them that names no account, order or sum. Among
    currencies of unknown worth a pair needs another one that agrees. Equal rivals leave each other be.
    """
    sure = [crossing for crossing in _crossings(legs, accounts, scorer) if crossing.pair.sure]
    lately = _by_weeks(sure)
    agrees = {crossing: _agrees(crossing, lately) for crossing in sure}
    agreeing = [crossing for crossing in sure if agrees[crossing]]
    by_weeks = _by_weeks(agreeing)
    alone = [
        crossing
        for crossing in sure
        if not agrees[crossing]
        and _IN_DOLLARS.keys() >= set(crossing.currencies)
        and (crossing.pair.score >= _PROVEN or not any(_near_in_time(crossing, by_weeks)))
    ]
    decided: list[CandidatePair] = []
    # What agrees goes first, whatever else its rows might meet.
    for some in (agreeing, alone):
        decided += _only_best([crossing.pair for crossing in some], decided)
    return decided


def doubtful_currencies(
    legs: Sequence[Leg], accounts: Mapping[int, LedgerAccount], scorer: PairScorer
) -> list[CandidatePair]:
    """The possible pairs in two currencies: sure ones, and those whose rows are in no other.

    Among these are rows of which one alone says transfer, where three times about as much left the one
    account and arrived on the other.
    """
    pairs = [crossing.pair for crossing in _crossings(legs, accounts, scorer)]
    taken = frozenset[int]().union(*(pair.rows for pair in pairs))
    open_ = [leg for leg in legs if leg.number not in taken and scorer.is_open(leg)]
    pairs += [crossing.pair for crossing in _repeated(_crossings(open_, accounts, scorer, least=1))]
    times = Counter(chain.from_iterable(pair.rows for pair in pairs))
    return [pair for pair in pairs if pair.sure or all(times[row] == 1 for row in pair.rows)]


def _repeated(crossings: Iterable[_Crossing]) -> Iterator[_Crossing]:
    """Those that were changed at nearly the rate of two others between the same accounts."""
    between: dict[tuple[int, int], list[_Crossing]] = {}
    for crossing in crossings:
        between.setdefault((crossing.pair.out.account, crossing.pair.into.account), []).append(
            crossing
        )
    for some in between.values():
        rates = sorted(crossing.rate for crossing in some)
        for crossing in some:
            nearby = bisect_right(rates, crossing.rate * (1 + _AGREE)) - bisect_left(
                rates, crossing.rate * (1 - _AGREE)
            )
            if nearby >= _OFTEN:
                yield crossing


def _crossings(
    legs: Sequence[Leg],
    accounts: Mapping[int, LedgerAccount],
    scorer: PairScorer,
    *,
    least: int = 2,
) -> list[_Crossing]:
    """Every pair in two currencies that so many of both texts speak for, of plausible worth."""
    currencies = {number: account.currency for number, account in accounts.items()}
    if len({currencies[leg.account] for leg in legs}) < 2:
        return []
    transfer_legs = {
        leg.number for leg in legs if says_transfer(leg.raw) and scorer.says_crossing(leg)
    }
    speaking = legs if least < 2 else [leg for leg in legs if leg.number in transfer_legs]
    return [
        _Crossing(pair, *_rated(out, into, currencies))
        for out, into, days in _near(speaking, currencies)
        if (out.number in transfer_legs) + (into.number in transfer_legs) >= least
        and _is_plausible(*_rated(out, into, currencies))
        and (pair := scorer.crossing(out, into, days)) is not None
    ]


def _near(legs: Iterable[Leg], currencies: Mapping[int, str]) -> Iterator[tuple[Leg, Leg, int]]:
    """Each departure with the arrivals in other currencies near it in time, nearest first."""
    arrivals: dict[int, list[Leg]] = {}
    outs = []
    for leg in sorted(legs, key=lambda leg: (leg.day, leg.number)):
        if leg.amount > 0:
            arrivals.setdefault(ORDINAL[leg.day], []).append(leg)
        elif leg.amount < 0:
            outs.append(leg)
    for out in outs:
        near = [
            (out, into, days)
            for days in sorted(USUAL_DAYS, key=abs)
            for into in arrivals.get(ORDINAL[out.day] + days, ())
            if currencies[into.account] != currencies[out.account]
        ]
        yield from near[:_MOST_CANDIDATES]


def _rated(out: Leg, into: Leg, currencies: Mapping[int, str]) -> tuple[tuple[str, str], float]:
    """The currencies of two legs by their codes, and the rate as a multiple of the usual one."""
    (first, first_account), (second, second_account) = sorted(
        (currencies[leg.account], abs(leg.amount)) for leg in (out, into)
    )
    rate = (second_account / 10 ** exponent(second)) / (first_account / 10 ** exponent(first))
    usual = _IN_DOLLARS.get(first, 0) / _IN_DOLLARS.get(second, 1)
    return (first, second), rate / (usual or 1)


def _is_plausible(currencies: tuple[str, str], rate: float) -> bool:
    """Whether two sums may be of one worth, as far as is known of their currencies."""
    return not _IN_DOLLARS.keys() >= set(currencies) or 1 / _BAND <= rate <= _BAND


def _by_weeks(crossings: Iterable[_Crossing]) -> _Weeks:
    weeks: _Weeks = {}
    for crossing in crossings:
        weeks.setdefault((crossing.currencies, crossing.day // _FEW_WEEKS), []).append(crossing)
    return weeks


def _near_in_time(crossing: _Crossing, weeks: _Weeks) -> Iterator[_Crossing]:
    """The others of the same currencies and the same few weeks, with none of its rows."""
    week = crossing.day // _FEW_WEEKS
    for neighbor in chain.from_iterable(
        weeks.get((crossing.currencies, near), ()) for near in (week - 1, week, week + 1)
    ):
        if (
            abs(neighbor.day - crossing.day) <= _FEW_WEEKS
            and not neighbor.pair.rows & crossing.pair.rows
        ):
            yield neighbor


def _agrees(crossing: _Crossing, weeks: _Weeks) -> bool:
    """Whether another pair of the same few weeks has nearly its rate."""
    return any(
        abs(neighbor.rate - crossing.rate) <= _AGREE * crossing.rate
        for neighbor in _near_in_time(crossing, weeks)
    )


def _only_best(
    pairs: Sequence[CandidatePair], decided: Iterable[CandidatePair]
) -> Iterator[CandidatePair]:
    """The pairs that no other of at least their rank has a row of, best first; decided ones stay."""
    of_row: dict[int, list[CandidatePair]] = {}
    for pair in pairs:
        for row in pair.rows:
            of_row.setdefault(row, []).append(pair)
    closed = set[int]().union(*(pair.rows for pair in decided))
    for pair in sorted(pairs, key=lambda pair: (pair.rank, pair.out.number, pair.into.number)):
        if pair.rows & closed:
            continue
        rivals = {
            rival
            for row in pair.rows
            for rival in of_row[row]
            if rival.rank == pair.rank and not rival.rows & closed
        }
        closed = closed.union(*(rival.rows for rival in rivals))
        if len(rivals) == 1:
            yield pair

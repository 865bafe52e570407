"""Bills that keep no price: chains of near amounts, monthly bills, loose quarters, card bills.

Where one payee's bills vary and mingle, such as two meters at one supplier, neither equal amounts
nor the charges as a whole keep a rhythm. A chain leads from charge to charge, each about a period
after the last and of a like amount; the best one holds the most charges with the least change of
amount and of distance, found by dynamic programming. It is taken out, and the next is looked for.
Source: detection, section 3.

A payee may be paid for other things beside its monthly bill: a phone company sells accessories and
a clinic's plan stands beside its visits. Such a bill varies, so no price picks it out of the rest;
its day of the month does. It is taken for one when so many months hold a like charge on that day as
the payee's charges, strewn over any days, hardly ever would.

Quarterly bills such as a meter that is read by hand keep neither their day nor their amount. Their
distances agree with no cadence, since each is up to twelve days early or late, but none leaves its
quarter for three years. Visits about three months apart stray further with each one. Only what is
billed at all, and payees that nobody knows, are looked at.

Payments to a card that is not linked are a bill on its day, whatever it comes to. What is bought
with such a card is never seen, so its payments are the spending, and cash must hold the next one.
Source: plan-semantics, C20.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from math import comb, exp

from finplan.model.plan import Cadence
from finplan.plan.detect import streams
from finplan.plan.detect.cadence import DISTANCES, per_month, rhythm_of
from finplan.plan.detect.rhythm import Anchor, Rhythm, fit, fit_loose, slot
from finplan.plan.detect.series import Occurrence, merged_by_day
from finplan.plan.ledger.amounts import amount_clusters, comparable, median, mostly_within
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import AMOUNT, DAY, PEER

_CHAIN_CADENCES: tuple[Cadence, ...] = ("monthly", "quarterly", "twice_yearly", "annual")
"""Bills that vary come no more often than monthly."""

_LONGEST_CHAIN = 72
"""How many of the last charges are looked at, which bounds the cost of a busy payee."""

_MOST_CHAINS = 4
"""So many chains are looked for at one payee."""

_SKIP_COST = 0.5
_FAR_COST = 0.5
"""What a skipped period and a distance at the end of its band cost, in charges."""

_CHANGE_COST = 3
"""What a change of the amount by its whole costs: to cross over to another bill and back must cost more
than the charge and the skip that it saves, for amounts a third apart."""

_LARGEST_CHANGE: Mapping[streams.AmountTolerance, float] = {"even": 0.16, "varying": 1 / 3}
"""The largest part by which an amount may differ from the one before."""

_OUTSIDE_CHAINS = 4
"""At most one in so many charges may be in no chain."""


def find_chains(
    paid: Sequence[Occurrence], tolerance: streams.AmountTolerance
) -> list[streams.Stream]:
    """The chains among ordered charges, the longest first; no charge is in two.

    They explain nearly all of the charges or nothing: among many visits some are a month apart. Where
    little is known of the payee, its amounts must lie in a few groups.
    """
    remaining = list(paid[-_LONGEST_CHAIN:])
    if len(remaining) < streams.LEAST_VARYING:
        return []
    if tolerance == "even" and not _are_grouped([charge[1] for charge in remaining]):
        return []
    unexplained = len(remaining) // _OUTSIDE_CHAINS
    chains: list[streams.Stream] = []
    while len(remaining) > unexplained and len(chains) < _MOST_CHAINS:
        stream = _best_chain(remaining, tolerance)
        if stream is None:
            return []
        chains.append(stream)
        taken = set(stream.charges)
        remaining = [charge for charge in remaining if charge not in taken]
    return chains if len(remaining) <= unexplained and _chains_differ(chains) else []


def _are_grouped(amounts: Sequence[int]) -> bool:
    """Whether nearly all amounts lie in two groups or more, each large enough for a bill."""
    if len(amounts) < 2 * streams.LEAST_VARYING:
        return False
    groups = [
        sum(low <= amount <= high for amount in amounts) for low, high in amount_clusters(amounts)
    ]
    large = [count for count in groups if count >= streams.LEAST_VARYING]
    return len(large) > 1 and (len(amounts) - sum(large)) * _OUTSIDE_CHAINS <= len(amounts)


def _chains_differ(chains: Sequence[streams.Stream]) -> bool:
    """Whether the prices tell the chains apart; visits at one price can be cut into chains as well."""
    prices = sorted(stream.price for stream in chains)
    return all(10 * dearer >= 11 * price for price, dearer in pairwise(prices))


def _best_chain(
    occurrences: Sequence[Occurrence], tolerance: streams.AmountTolerance
) -> streams.Stream | None:
    """The bill among the best chains of all cadences that holds the most charges."""
    days = occurrences[-1][0] - occurrences[0][0]
    bills = (
        streams.Stream(list(charges), rhythm)
        for cadence in _CHAIN_CADENCES
        if (streams.LEAST_VARYING - 1) * DISTANCES[cadence][0] <= days
        and len(charges := _longest_chain(occurrences, cadence, _LARGEST_CHANGE[tolerance]))
        >= streams.LEAST_VARYING
        and (rhythm := rhythm_of(streams.days_of(charges)))
        and rhythm.cadence == cadence
        and rhythm.last == charges[-1][0]
        and streams.is_bill(charges, rhythm, tolerance)
        and not streams.may_be_chance(rhythm, _MOST_CHAINS)
    )
    return max(bills, key=lambda stream: len(stream.charges), default=None)


def _longest_chain(
    occurrences: Sequence[Occurrence], cadence: Cadence, change: float
) -> tuple[Occurrence, ...]:
    """The best chain of a cadence; empty if no two charges are a period apart."""
    worth = [1.0] * len(occurrences)
    before = [-1] * len(occurrences)
    for index, (day, amount, _) in enumerate(occurrences):
        for earlier, loss in _chain_links(occurrences, index, day, cadence):
            previous = occurrences[earlier][1]
            changed = abs(amount - previous) / max(amount, previous)
            if changed > change:
                continue
            gained = worth[earlier] + 1 - loss - _CHANGE_COST * changed
            if gained > worth[index]:
                worth[index], before[index] = gained, earlier
    index = max(range(len(occurrences)), key=lambda at: (worth[at], at))
    chain = []
    while index >= 0:
        chain.append(occurrences[index])
        index = before[index]
    return tuple(reversed(chain)) if len(chain) > 1 else ()


def _chain_links(
    occurrences: Sequence[Occurrence], index: int, day: int, cadence: Cadence
) -> Iterator[tuple[int, float]]:
    """The charges one period before or two, with what is lost by linking to them."""
    fewest, most = DISTANCES[cadence]
    for earlier in range(index - 1, -1, -1):
        apart = day - occurrences[earlier][0]
        if apart > 2 * most:
            return
        if fewest <= apart <= most:
            yield earlier, _FAR_COST * abs(2 * apart - fewest - most) / (most - fewest)
        elif apart >= 2 * fewest:
            yield earlier, _SKIP_COST + _FAR_COST * abs(apart - fewest - most) / (most - fewest)


_BUSIEST = 1.75
"""Where somebody pays more often a month than this, any day of the month has its charges."""

_LATEST_CHARGES = 72
"""How many of the last charges are looked at, which bounds the cost of a busy payee."""

_AROUND_ITS_DAY = 4
"""Days by which weekends and late payments move a bill from its day of the month."""

_NEAR_ITS_DAY = 3
"""The same once its weekend rule is known."""

_LONGEST_MONTH = 31
_DAYS_AROUND: Mapping[int, frozenset[int]] = {
    day: frozenset(
        (day - 1 + off) % _LONGEST_MONTH + 1 for off in range(-_AROUND_ITS_DAY, _AROUND_ITS_DAY + 1)
    )
    for day in range(1, _LONGEST_MONTH + 1)
}

_CANDIDATES = 2
"""So many days of the month are tried."""

_LATELY_DAYS = 365

_TRIES = 93
"""Days of the month times weekend rules: any of them might have fitted by accident."""

_MOST_CHANCE_OF_MONTHLY = 0.005
"""The chance that may remain that the charges of a payee without a bill look like one."""


def monthly_bill(paid: Sequence[Occurrence]) -> streams.Stream | None:
    """The bill among ordered charges that comes monthly on its day; None if chance explains it."""
    recent = paid[-_LATEST_CHARGES:]
    if len(recent) <= streams.LEAST_VARYING:
        return None
    months = (recent[-1][0] - recent[0][0]) // 30 + 1
    if len(recent) > _BUSIEST * months:
        return None
    dates = [date.fromordinal(day) for day, _, _ in recent]
    for anchor in _fullest(Counter(paid_on.day for paid_on in dates)):
        near = [
            charge
            for charge, paid_on in zip(recent, dates, strict=True)
            if paid_on.day in _DAYS_AROUND[anchor]
        ]
        if _is_monthly(near) and (bill := _on_its_day(near, recent)):
            return bill
    return None


def _fullest(places: Mapping[int, int]) -> list[int]:
    """The days of the month around which the most charges lie, the fullest first and each apart."""
    # The month thrice makes a ring of which every stretch of days is one slice.
    ring = 3 * [places[day] for day in range(1, _LONGEST_MONTH + 1)]
    around = [
        (
            sum(
                ring[
                    day + _LONGEST_MONTH - 1 - _AROUND_ITS_DAY : day
                    + _LONGEST_MONTH
                    + _AROUND_ITS_DAY
                ]
            ),
            count,
            -day,
        )
        for day, count in places.items()
    ]
    chosen: list[int] = []
    for charges, _, day in sorted(around, reverse=True):
        if charges < streams.LEAST_VARYING or len(chosen) == _CANDIDATES:
            break
        if not any(-day in _DAYS_AROUND[day_chosen] for day_chosen in chosen):
            chosen.append(-day)
    return chosen


def _is_monthly(near: Sequence[Occurrence]) -> bool:
    """Whether charges around a day of the month leave out few months of late: a cheap first look.

    In a monthly rhythm half of the charges are a month after another one, too.
    """
    lately = {day // 30 for day, _, _ in near if day > near[-1][0] - _LATELY_DAYS}
    if 2 * len(lately) <= max(lately) - min(lately):
        return False
    days = {day for day, _, _ in near}
    fewest, most = DISTANCES["monthly"]
    followed = sum(not days.isdisjoint(range(day + fewest, day + most + 1)) for day in days)
    return 2 * followed >= streams.LEAST_VARYING - 1


def _on_its_day(near: Sequence[Occurrence], recent: Sequence[Occurrence]) -> streams.Stream | None:
    """The bill that the charges near a day of the month are, if they are one."""
    usual = median([amount for _, amount, _ in near])
    like = [charge for charge in near if comparable(charge[1], usual)]
    if len(like) < streams.LEAST_VARYING:
        return None
    fitted = fit("monthly", streams.days_of(like), 30)
    # Visits keep a weekday, such as the first Saturday's shopping.
    if fitted.keeps_a_weekday():
        return None
    charges = _one_a_month(like, fitted.anchors[0], usual)
    rhythm = rhythm_of(streams.days_of(charges))
    if rhythm is None or rhythm.cadence != "monthly":
        return None
    charges = [charge for charge in charges if charge[0] <= rhythm.last]
    if len(charges) < streams.LEAST_VARYING:
        return None
    alike = sum(comparable(charge[1], usual) for charge in recent)
    return (
        None if _is_monthly_by_chance(charges, alike, recent) else streams.Stream(charges, rhythm)
    )


def _one_a_month(like: Sequence[Occurrence], anchor: Anchor, usual: int) -> list[Occurrence]:
    """The charge of each month that is nearest to the day of the bill, and then to its amount."""
    best: dict[int, tuple[int, int, Occurrence]] = {}
    for charge in like:
        on = date.fromordinal(charge[0])
        this = on.year * 12 + on.month - 1
        apart, month = min(
            (abs(charge[0] - slot(month, anchor)), month) for month in (this - 1, this, this + 1)
        )
        rank = (apart, abs(charge[1] - usual), charge)
        if apart <= _NEAR_ITS_DAY and (month not in best or rank < best[month]):
            best[month] = rank
    return [best[month][2] for month in sorted(best)]


def _is_monthly_by_chance(
    charges: Sequence[Occurrence], alike: int, recent: Sequence[Occurrence]
) -> bool:
    """Whether like charges on any days fall near one day of the month in as many months.

    `alike` is how many of the payee's charges are of a like amount.
    """
    days = recent[-1][0] - recent[0][0] + 1
    a_month = 1 - exp(-alike / days * (2 * _NEAR_ITS_DAY + 1))
    months = max(len(charges), round((charges[-1][0] - charges[0][0]) * 12 / 365.25) + 1)
    at_least = sum(
        comb(months, hits) * a_month**hits * (1 - a_month) ** (months - hits)
        for hits in range(len(charges), months + 1)
    )
    return at_least * _TRIES > _MOST_CHANCE_OF_MONTHLY


_LEAST_QUARTERS = 6
"""So many quarters in succession are no accident."""

_MOST_QUARTERS = 20
"""More payments than these in all are visits, or a bill that comes more often."""

_SPREAD_OF_QUARTERS = 35
"""Percent by which amounts may stray from their median."""

_MOST_CHANCE_OF_QUARTERLY = 0.004
"""The chance that may remain that payments on any days keep to their quarters by accident."""


def loose_quarterly(paid: Sequence[Occurrence]) -> streams.Stream | None:
    """The quarterly bill that all of a payee's ordered charges are, None where chance explains them."""
    merged = merged_by_day(paid)
    if not _LEAST_QUARTERS <= len(merged) <= _MOST_QUARTERS or not mostly_within(
        [charge[1] for charge in merged], _SPREAD_OF_QUARTERS
    ):
        return None
    rhythm = fit_loose(streams.days_of(merged))
    if rhythm is None or rhythm.is_punctual() or _is_quarterly_by_chance(rhythm):
        return None
    return streams.Stream(list(paid), rhythm)


def _is_quarterly_by_chance(rhythm: Rhythm) -> bool:
    """Whether as many payments on any days lie as near to the middle of quarters by accident.

    Those that lie anywhere in a stretch stray by half of its half from the middle of it on average.
    """
    stretch = (4 * rhythm.cost / rhythm.fitted + 1) / rhythm.step
    return rhythm.fitted * stretch ** (rhythm.fitted - 1) > _MOST_CHANCE_OF_QUARTERLY


UNLINKED_CARD = "unlinked_card"

_LATEST_CARD_PAYMENTS = 6
"""How many of the last payments tell what the next may come to."""


def card_bill(paid: Sequence[Occurrence]) -> streams.Stream | None:
    """All payments to a card as one bill if their days keep a rhythm: amounts of a card say nothing."""
    rhythm = rhythm_of(streams.days_of(paid))
    if rhythm is None or rhythm.fitted < 3 or streams.may_be_chance(rhythm, 1):
        return None
    return streams.Stream([payment for payment in paid if payment[0] <= rhythm.last], rhythm)


def as_card_bills(charges: Iterable[Series], sheets: Sequence[Sheet]) -> list[Series]:
    """Charges of which a card's next bill is the median of its last six, and none is a linked card's."""
    paired = _last_paired(sheets)
    return [
        _as_card_bill(charge) if charge.category == UNLINKED_CARD else charge
        for charge in charges
        if charge.category != UNLINKED_CARD or not _card_is_linked(charge, paired)
    ]


def _as_card_bill(charge: Series) -> Series:
    """The series without a price: a larger bill is no rise of one, and any payment may be the next."""
    assert charge.cadence != "irregular"
    amount = median([amount for _, amount in charge.recent[-_LATEST_CARD_PAYMENTS:]])
    return replace(
        charge,
        amount=amount,
        monthly=per_month(amount, charge.cadence, charge.interval_days),
        steady=False,
        price_before=None,
        price_changed=None,
    )


def _last_paired(sheets: Iterable[Sheet]) -> dict[int, int]:
    """The day of each payee's last payment that arrived on an account of the household."""
    last: dict[int, int] = {}
    for sheet in sheets:
        if sheet.category == "card_payment":
            days = [row[DAY] for row in sheet.rows if row[PEER] and row[AMOUNT] < 0]
            if days:
                last[sheet.payee] = max(last.get(sheet.payee, 0), days[-1])
    return last


def _card_is_linked(charge: Series, paired: dict[int, int]) -> bool:
    """Whether the payment that was due next has arrived on a linked card.

    One that came much sooner was to another card under the same name.
    """
    assert charge.interval_days is not None
    last, pause = charge.last_date.toordinal(), 2 * charge.interval_days
    return any(
        payee in paired and 3 * (ORDINAL[paired[payee]] - last) >= pause for payee in charge.payees
    )

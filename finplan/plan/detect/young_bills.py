"""Bills that began lately: a new rent, daycare, a subscription, seen once or twice so far.

A bill of a kind that comes again counts from its second sighting. One that takes the place of a late one
counts from its first: a person who moves pays one rent. Source: plan-semantics, section 2a.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import DISTANCES, rhythm_of_series
from finplan.plan.detect.rhythm import fit
from finplan.plan.detect.series import (
    AsOf,
    Occurrence,
    SeriesOrigin,
    merged_by_day,
    occurrences_of,
    regular_series,
)
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.ledger import LedgerPayee

_REPLACED = frozenset(
    {"rent", "mortgage", "childcare", "loan_payment", "insurance", "phone_internet"}
)
"""The needs of which a household pays one, so that a new one may take the place of a late one."""

_SEEN_TWICE = _REPLACED | {"subscriptions"}
"""What comes again so surely that two charges a period apart are a bill."""

_CADENCES: tuple[Cadence, ...] = ("weekly", "biweekly", "monthly", "quarterly")

_LATE = 7
"""Days by which a bill is late before a new one takes its place."""

_AROUND = 60
"""Days around the last charge of a bill within which one that takes its place begins."""

_ARRIVES = {1: 0.6, 2: 0.7}
"""How likely a bill that was seen once or twice comes again: never sure."""

_LATELY = 366
"""Days: a charge that lies farther back says nothing of what began."""

_TIMES = (0.4, 2.5)
"""How small or large the new bill may be, of the old one."""


@dataclass(frozen=True, slots=True)
class BillsOfNow:
    """All recurring charges, those that another took the place of ended, and the bills that began."""

    charges: Sequence[Series]
    young: Sequence[Series]


def find_young_bills(
    sheets: Iterable[Sheet],
    charges: Sequence[Series],
    payees: Mapping[int, LedgerPayee],
    as_of: AsOf,
) -> BillsOfNow:
    """Add the bills that were seen once or twice, and end those whose place another took."""
    data_end = as_of.window.data_end.toordinal()
    late = [
        charge
        for charge in charges
        if charge.category in _REPLACED
        and charge.cadence != "irregular"
        and (not charge.active or _days_late(charge, data_end) > _LATE)
    ]
    explained = _explained_days(charges)
    young = []
    for sheet in sheets:
        if sheet.category not in _SEEN_TWICE or sheet.flow != "spending":
            continue
        series = _young_series(sheet, explained, late, payees, as_of)
        if series is not None and series.active:
            young.append(series)
    young = _one_for_each(young, late)
    new = [*young, *(charge for charge in charges if charge.active)]
    return BillsOfNow(
        [
            replace(charge, active=False, next_date=None, replaced=True)
            if charge.active and charge in late and any(_takes_place(one, charge) for one in new)
            else charge
            for charge in charges
        ],
        young,
    )


def _one_for_each(young: Sequence[Series], late: Sequence[Series]) -> list[Series]:
    """The bills without those seen once that another one is nearer to: a deposit beside a first rent."""
    once = [bill for bill in young if bill.count_all == 1]
    kept = [bill for bill in young if bill.count_all > 1]
    for old in late:
        rivals = [bill for bill in once if _takes_place(bill, old)]
        taken = any(_takes_place(bill, old) for bill in kept)
        if rivals and not taken:
            kept.append(min(rivals, key=lambda bill: (abs(bill.amount - old.amount), bill.name)))
    return kept


def _explained_days(charges: Iterable[Series]) -> set[tuple[int, str, int]]:
    """Payee, category and ordinal of every charge that a series shows."""
    return {
        (payee, charge.category, day.toordinal())
        for charge in charges
        for payee in charge.payees
        for day, _ in charge.recent
    }


def _young_series(
    sheet: Sheet,
    explained: set[tuple[int, str, int]],
    late: Sequence[Series],
    payees: Mapping[int, LedgerPayee],
    as_of: AsOf,
) -> Series | None:
    """The bill that one or two charges of a payee are, None where more of them are in no series."""
    end = as_of.window.data_end.toordinal()
    paid = [
        one
        for one in merged_by_day(occurrences_of(sheet.rows, outflows=True))
        if (sheet.payee, sheet.category, one[0]) not in explained and end - one[0] <= _LATELY
    ]
    if not 1 <= len(paid) <= 2:
        return None
    cadence = _cadence(paid, [one for one in late if one.category == sheet.category])
    if cadence is None:
        return None
    name, interval = cadence
    days = [day for day, _, _ in paid]
    origin = SeriesOrigin((sheet.payee,), payees[sheet.payee].name, sheet.category)
    bill = regular_series(origin, paid, fit(name, days, interval), as_of)
    return replace(bill, arrival=_ARRIVES[len(paid)], probability=_ARRIVES[len(paid)])


def _cadence(paid: Sequence[Occurrence], late: Sequence[Series]) -> tuple[Cadence, int] | None:
    """How often a bill comes: as its two charges are apart, or as the one whose place it takes."""
    day, amount, _ = paid[-1]
    if len(paid) == 2:
        before, first, _ = paid[0]
        name = next(
            (c for c in _CADENCES if DISTANCES[c][0] <= day - before <= DISTANCES[c][1]), None
        )
        # A first rent is often a part of a month's, and a second never.
        return None if name is None or 5 * amount < 4 * first else (name, day - before)
    for old in late:
        follows = 0 < day - old.last_date.toordinal() <= _AROUND
        if follows and _is_like(amount, old.amount) and old.cadence != "irregular":
            return old.cadence, old.interval_days or 0
    return None


def _takes_place(new: Series, old: Series) -> bool:
    """Whether a bill began about when another of its kind was paid last."""
    apart = (new.first_date - old.last_date).days
    return (
        new is not old
        and new.category == old.category
        and -_AROUND // 2 <= apart <= _AROUND
        and new.last_date > old.last_date
        and _is_like(new.amount, old.amount)
    )


def _is_like(amount: int, other: int) -> bool:
    smallest, largest = _TIMES
    return smallest * other <= amount <= largest * other


def _days_late(charge: Series, data_end: int) -> int:
    rhythm = rhythm_of_series(charge, {day.toordinal() for day, _ in charge.recent})
    return data_end - rhythm.due()

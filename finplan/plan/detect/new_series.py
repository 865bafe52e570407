"""What began lately: a new job, a new rent, daycare, a subscription, seen once or twice so far.

Pay is a source from its second credit on, or from its first after a job that ended. It takes the
place of the pay that it follows: the two are never planned with together once the old one is late.

A bill of a kind that comes again counts from its second sighting. One that takes the place of a
late one counts from its first: a person who moves pays one rent. Source: plan-semantics, section
2a.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

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

WAGES = frozenset({"wages", "self_employment", "pension_benefits"})
"""The categories of income that people work or have worked for; interest is never among them."""

_SAYS_PAY_OR_BENEFIT = frozenset({"pay", "pension", "temporary", "benefit"})

_FOLLOWS_WITHIN = 60
"""Days after the last pay of a job within which pay from elsewhere follows it."""

_LATE_PAY_DAYS = 5
"""Days by which pay is late before new pay takes its place."""

_HALF_MONTHS = (13, 18)
"""The days of the month about its middle; pay about these and the month's end is twice a month."""


@dataclass(frozen=True, slots=True)
class YoungPayer:
    """Who paid once or twice: the credits, one a day, and the sheets with all rows."""

    origin: SeriesOrigin
    received: Sequence[Occurrence]
    sheets: Sequence[Sheet]


def young_sources(
    payers: Sequence[YoungPayer],
    series: Sequence[Series],
    payees: Mapping[int, LedgerPayee],
    as_of: AsOf,
) -> dict[int, Series]:
    """The regular sources among those who paid once or twice, by their index.

    Two credits need words of pay or benefit, or wages that ended at most 60 days before. One needs words
    of pay, and wages that ended so, of half to twice its amount; it is taken to come as these did.
    """
    wages = [
        source for source in series if source.category in WAGES and source.cadence != "irregular"
    ]
    sources = {}
    for index, payer in enumerate(payers):
        days = [day for day, _, _ in payer.received]
        before = [
            wage
            for wage in wages
            if days and 0 < days[0] - wage.last_date.toordinal() <= _FOLLOWS_WITHIN
        ]
        signs = {payees[number].inflow_sign for number in payer.origin.payees}
        filed = payer.origin.category in WAGES and any(
            "in" in payees[number].filed for number in payer.origin.payees
        )
        interval: tuple[Cadence, int] | None = None
        former: Series | None = None
        if len(days) == 2 and (filed or before or signs & _SAYS_PAY_OR_BENEFIT):
            interval = _cadence_of_two(days, before)
        elif len(days) == 1 and (filed or "pay" in signs):
            former = _pay_before(payer.received[0], before, as_of)
            if former is not None:
                interval = _cadence_of_pay(former)
        if interval is not None:
            cadence, days_between = interval
            rhythm = fit(cadence, days, days_between)
            source = regular_series(payer.origin, payer.received, rhythm, as_of, is_pay=True)
            if source.active:
                level = source.other_level if former is None else former.amount
                sources[index] = replace(source, running=True, other_level=level)
    return sources


def replace_late_pay(series: Iterable[Series], as_of: AsOf) -> list[Series]:
    """The sources, of which wages that are late beside new pay in their place have ended."""
    sources = list(series)
    running = [source for source in sources if source.running and source.category in WAGES]
    return [
        replace(source, active=False, next_date=None, monthly=0, running=False, replaced=True)
        if source.running
        and source.category in WAGES
        and days_late(source, as_of.window.data_end) > _LATE_PAY_DAYS
        and any(_takes_place_of_pay(new_source, source) for new_source in running)
        else source
        for source in sources
    ]


def _takes_place_of_pay(new: Series, old: Series) -> bool:
    """Whether a source that began may be in place of another: as large a pay, or a benefit without it.

    A child benefit or a pension beside a salary says nothing of it.
    """
    if new.first_date <= old.last_date:
        return False
    if new.sign == "temporary":
        return old.sign != "temporary"
    alike = new.sign in {"benefit", "pension"} and old.sign == new.sign
    is_pay = new.sign not in {"benefit", "pension"}
    return (alike or is_pay) and old.monthly <= 2 * new.monthly <= 4 * old.monthly


def days_late(source: Series, data_end: date) -> int:
    """The days from when a source or a bill was due next to the end of the data; below 0 before."""
    if source.cadence == "irregular":
        return 0
    return data_end.toordinal() - rhythm_of_series(source, source.days).due()


def _cadence_of_two(days: Sequence[int], before: Sequence[Series]) -> tuple[Cadence, int] | None:
    """The cadence that the distance of two credits is of; of two, that of the job before."""
    apart = days[1] - days[0]
    fitting = [name for name, (fewest, most) in DISTANCES.items() if fewest <= apart <= most]
    if not fitting:
        return None
    as_before = next(
        (name for series in before for name in fitting if name == series.cadence), None
    )
    if as_before is not None:
        return as_before, apart
    if "semimonthly" in fitting and "biweekly" in fitting:
        middle = range(*_HALF_MONTHS)
        twice_a_month = apart != 14 and any(date.fromordinal(day).day in middle for day in days)
        return ("semimonthly" if twice_a_month else "biweekly"), apart
    return fitting[0], apart


def _cadence_of_pay(source: Series) -> tuple[Cadence, int] | None:
    """The cadence of a regular source and its distance in days."""
    if source.cadence == "irregular" or source.interval_days is None:
        return None
    return source.cadence, source.interval_days


def _pay_before(credit: Occurrence, before: Sequence[Series], as_of: AsOf) -> Series | None:
    """The wages that a first credit follows, if they ended and it is about as large."""
    _, amount, _ = credit
    for source in before:
        ended = not source.active or days_late(source, as_of.window.data_end) > _LATE_PAY_DAYS
        about_as_large = source.amount <= 2 * amount <= 4 * source.amount
        if ended and about_as_large and _cadence_of_pay(source) is not None:
            return source
    return None


_REPLACED = frozenset(
    {"rent", "mortgage", "childcare", "loan_payment", "insurance", "phone_internet"}
)
"""The needs of which a household pays one, so that a new one may take the place of a late one."""

_SEEN_TWICE = _REPLACED | {"subscriptions"}
"""What comes again so surely that two charges a period apart are a bill."""

_BILL_CADENCES: tuple[Cadence, ...] = ("weekly", "biweekly", "monthly", "quarterly")

_LATE_BILL_DAYS = 7
"""Days by which a bill is late before a new one takes its place."""

_AROUND_LAST_BILL = 60
"""Days around the last charge of a bill within which one that takes its place begins."""

_ARRIVES = {1: 0.6, 2: 0.7}
"""How likely a bill that was seen once or twice comes again: never sure."""

_LATELY_DAYS = 366
"""Days: a charge that lies farther back says nothing of what began."""

_TIMES_OLD_BILL = (0.4, 2.5)
"""How small or large the new bill may be, of the old one."""


def find_young_bills(
    sheets: Iterable[Sheet],
    charges: Sequence[Series],
    payees: Mapping[int, LedgerPayee],
    as_of: AsOf,
) -> tuple[list[Series], list[Series]]:
    """All recurring charges, those ended that another took the place of, and the bills that began."""
    late = [
        charge
        for charge in charges
        if charge.category in _REPLACED
        and charge.cadence != "irregular"
        and (not charge.active or days_late(charge, as_of.window.data_end) > _LATE_BILL_DAYS)
    ]
    explained = {
        (payee, charge.category, day)
        for charge in charges
        for payee in charge.payees
        for day in charge.days
    }
    young = []
    for sheet in sheets:
        if sheet.category not in _SEEN_TWICE or sheet.flow != "spending":
            continue
        series = _young_series(sheet, explained, late, payees, as_of)
        if series is not None and series.active:
            young.append(series)
    young = _one_for_each(young, late)
    new = [*young, *(charge for charge in charges if charge.active)]
    still = [
        replace(charge, active=False, next_date=None, replaced=True)
        if charge.active
        and charge in late
        and any(_takes_place_of_bill(bill, charge) for bill in new)
        else charge
        for charge in charges
    ]
    return still, young


def _one_for_each(young: Sequence[Series], late: Sequence[Series]) -> list[Series]:
    """The bills without those seen once that another one is nearer to: a deposit beside a first rent."""
    once = [bill for bill in young if bill.count_all == 1]
    repeated = [bill for bill in young if bill.count_all > 1]
    for old in late:
        rivals = [bill for bill in once if _takes_place_of_bill(bill, old)]
        taken = any(_takes_place_of_bill(bill, old) for bill in repeated)
        if rivals and not taken:
            repeated.append(
                min(rivals, key=lambda bill: (abs(bill.amount - old.amount), bill.name))
            )
    return repeated


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
        occurrence
        for occurrence in merged_by_day(occurrences_of(sheet.rows, outflows=True))
        if (sheet.payee, sheet.category, occurrence[0]) not in explained
        and end - occurrence[0] <= _LATELY_DAYS
    ]
    if not 1 <= len(paid) <= 2:
        return None
    cadence = _cadence_of_bill(
        paid, [late_series for late_series in late if late_series.category == sheet.category]
    )
    if cadence is None:
        return None
    name, interval = cadence
    days = [day for day, _, _ in paid]
    origin = SeriesOrigin((sheet.payee,), payees[sheet.payee].name, sheet.category)
    bill = regular_series(origin, paid, fit(name, days, interval), as_of)
    return replace(bill, arrival=_ARRIVES[len(paid)], probability=_ARRIVES[len(paid)])


def _cadence_of_bill(
    paid: Sequence[Occurrence], late: Sequence[Series]
) -> tuple[Cadence, int] | None:
    """How often a bill comes: as its two charges are apart, or as the one whose place it takes."""
    day, amount, _ = paid[-1]
    if len(paid) == 2:
        before, first, _ = paid[0]
        name = next(
            (c for c in _BILL_CADENCES if DISTANCES[c][0] <= day - before <= DISTANCES[c][1]), None
        )
        # A first rent is often a part of a month's, and a second never.
        return None if name is None or 5 * amount < 4 * first else (name, day - before)
    for old in late:
        follows = 0 < day - old.last_date.toordinal() <= _AROUND_LAST_BILL
        if follows and _is_like_bill(amount, old.amount) and old.cadence != "irregular":
            return old.cadence, old.interval_days or 0
    return None


def _takes_place_of_bill(new: Series, old: Series) -> bool:
    """Whether a bill began about when another of its kind was paid last."""
    apart = (new.first_date - old.last_date).days
    return (
        new is not old
        and new.category == old.category
        and -_AROUND_LAST_BILL // 2 <= apart <= _AROUND_LAST_BILL
        and new.last_date > old.last_date
        and _is_like_bill(new.amount, old.amount)
    )


def _is_like_bill(amount: int, bill: int) -> bool:
    smallest, largest = _TIMES_OLD_BILL
    return smallest * bill <= amount <= largest * bill

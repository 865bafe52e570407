"""Pay that began lately: a source from its second credit on, or from its first after a job that ended.

It takes the place of the pay that it follows: the two are never planned with together once the old one
is late. Source: plan-semantics, section 2a.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import DISTANCES, rhythm_of_series
from finplan.plan.detect.rhythm import fit
from finplan.plan.detect.series import AsOf, Occurrence, SeriesOrigin, regular_series
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import LedgerPayee, Row

WAGES = frozenset({"wages", "self_employment", "pension_benefits"})
"""The categories of income that people work or have worked for; interest is never among them."""

_SAYS_PAY_OR_BENEFIT = frozenset({"pay", "pension", "temporary", "benefit"})

_FOLLOWS_WITHIN = 60
"""Days after the last pay of a job within which pay from elsewhere follows it."""

_LATE = 5
"""Days by which pay is late before new pay takes its place."""

_HALF_MONTHS = (13, 17)
"""The days of the month about its middle; pay about these and the month's end is twice a month."""


@dataclass(frozen=True, slots=True)
class YoungPayer:
    """Who paid once or twice: the credits, one a day, and all rows."""

    origin: SeriesOrigin
    received: Sequence[Occurrence]
    rows: Sequence[Row]


def young_sources(
    payers: Sequence[YoungPayer],
    found: Sequence[Series],
    payees: Mapping[int, LedgerPayee],
    as_of: AsOf,
) -> dict[int, Series]:
    """The regular sources among those who paid once or twice, by their index.

    Two credits need words of pay or benefit, or wages that ended at most 60 days before. One needs words
    of pay, and wages that ended so, of half to twice its amount; it is taken to come as these did.
    """
    wages = [one for one in found if one.category in WAGES and one.cadence != "irregular"]
    sources = {}
    for index, payer in enumerate(payers):
        days = [day for day, _, _ in payer.received]
        before = [one for one in wages if _follows(days, one)]
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
                interval = _cadence_of(former)
        if interval is not None:
            cadence, days_between = interval
            rhythm = fit(cadence, days, days_between)
            source = regular_series(payer.origin, payer.received, rhythm, as_of, is_pay=True)
            if source.active:
                other = source.other_level if former is None else former.amount
                sources[index] = replace(source, running=True, other_level=other)
    return sources


def replace_late_pay(found: Iterable[Series], as_of: AsOf) -> list[Series]:
    """The sources, of which wages that are late beside new pay in their place have ended."""
    sources = list(found)
    running = [one for one in sources if one.running and one.category in WAGES]
    return [
        replace(one, active=False, next_date=None, monthly=0, running=False, replaced=True)
        if one.running
        and one.category in WAGES
        and days_late(one, as_of.window.data_end) > _LATE
        and any(_takes_place(other, one) for other in running)
        else one
        for one in sources
    ]


def _takes_place(new: Series, old: Series) -> bool:
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
    """The days from when a regular source was due next to the end of the data; below 0 before that."""
    if source.cadence == "irregular":
        return 0
    rhythm = rhythm_of_series(source, {day.toordinal() for day, _ in source.recent})
    return data_end.toordinal() - rhythm.due()


def _follows(days: Sequence[int], source: Series) -> bool:
    return bool(days) and 0 < days[0] - source.last_date.toordinal() <= _FOLLOWS_WITHIN


def _cadence_of_two(days: Sequence[int], before: Sequence[Series]) -> tuple[Cadence, int] | None:
    """The cadence that the distance of two credits is of; of two, that of the job before."""
    apart = days[1] - days[0]
    fitting = [name for name, (fewest, most) in DISTANCES.items() if fewest <= apart <= most]
    if not fitting:
        return None
    as_before = next((name for one in before for name in fitting if name == one.cadence), None)
    if as_before is not None:
        return as_before, apart
    if "semimonthly" in fitting and "biweekly" in fitting:
        twice_a_month = apart != 14 and any(_is_about_the_middle(day) for day in days)
        return ("semimonthly" if twice_a_month else "biweekly"), apart
    return fitting[0], apart


def _is_about_the_middle(day: int) -> bool:
    return _HALF_MONTHS[0] <= date.fromordinal(day).day <= _HALF_MONTHS[1]


def _cadence_of(source: Series) -> tuple[Cadence, int] | None:
    """The cadence of a regular source and its distance in days."""
    if source.cadence == "irregular" or source.interval_days is None:
        return None
    return source.cadence, source.interval_days


def _pay_before(credit: Occurrence, before: Sequence[Series], as_of: AsOf) -> Series | None:
    """The wages that a first credit follows, if they ended and it is about as large."""
    _, amount, _ = credit
    for source in before:
        ended = not source.active or days_late(source, as_of.window.data_end) > _LATE
        about_as_large = source.amount <= 2 * amount <= 4 * source.amount
        if ended and about_as_large and _cadence_of(source) is not None:
            return source
    return None

"""The plan's lists of money: spending categories, income sources and recurring charges.

Beside them stand income that stopped lately: which sources, what each brought, and what has taken
its place (plan-semantics, C30); and costs that somebody else pays back: what is outstanding, and
since when.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import split
from finplan.model.plan import IncomeSource, PlanCategory, RecurringCharge
from finplan.plan.detect.cadence import per_month as per_month_of
from finplan.plan.detect.series import silence_allowed
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, Row
from finplan.plan.sections.monthly import Means, PlannedMonth, per_month, spending_totals

RARE_CADENCES = frozenset({"quarterly", "twice_yearly", "annual"})
"""How often comes what most months do not have."""


def shares(totals: Sequence[int]) -> list[float]:
    """Each positive total's share of all positive totals; 4 decimals that add up to 1, or all 0."""
    weights = [max(0, total) for total in totals]
    if not any(weights):
        return [0.0] * len(totals)
    return [part / 10_000 for part in split(10_000, weights)]


def plan_categories(books: Books, catalogue: Catalogue, means: Means) -> tuple[PlanCategory, ...]:
    """The window's spending categories, dearest first.

    The monthly figures of each line add up to the line's mean, and the totals to the spending.
    """
    ordered = sorted(
        spending_totals(books, catalogue), key=lambda entry: (-entry.total, entry.category)
    )
    return tuple(
        PlanCategory.of(
            entry,
            label=catalogue[entry.category].label,
            line=catalogue[entry.category].line,
            monthly=means.by_category[entry.category],
            share_of_spend=share,
        )
        for entry, share in zip(ordered, shares([entry.total for entry in ordered]), strict=True)
    )


def sources_by_size(books: Books) -> list[Series]:
    """Who pays the person, the largest running source first."""
    return sorted(
        books.sources,
        key=lambda source: (-source.monthly, -source.total, source.name, source.payees),
    )


def income_sources(books: Books) -> tuple[IncomeSource, ...]:
    """The plan's `incomeSources`."""
    return tuple(map(IncomeSource.of, sources_by_size(books)))


def running_charges(books: Books) -> list[Series]:
    """The recurring charges that still come, dearest a month first."""
    return sorted(
        (charge for charge in books.charges if charge.active and charge.next_date is not None),
        key=lambda charge: (-charge.monthly, charge.title, charge.payees, charge.amount),
    )


def rare_bills(books: Books, until: date) -> list[tuple[date, Series]]:
    """The bills that come quarterly or less often and are due until a day, by their day.

    They are seen, young or expected again; each stands there once, however often it comes until then.
    """
    due = [
        (charge.next_date, charge)
        for charge in (*running_charges(books), *books.young_bills, *books.expected_again)
        if charge.cadence in RARE_CADENCES
        and charge.next_date is not None
        and charge.next_date <= until
    ]
    return sorted(due, key=lambda pair: (pair[0], -pair[1].amount, pair[1].name))


def recurring_charges(books: Books) -> tuple[RecurringCharge, ...]:
    """The plan's `recurring`."""
    return tuple(
        RecurringCharge.of(charge, name=charge.title, count=charge.count_all)
        for charge in running_charges(books)
    )


_LEAST_PAYMENTS = 3
"""A gift or two never stop."""

_STOPPED_LATELY = 120
_STOP_KNOWN_FOR = 45
_STOP_GRACE = 5
"""Days: a source that has been silent for so long, or longer than its grace and these, is history."""

_AROUND_LAST_PAY = 60
"""Days around the last pay of a source within which what takes its place begins."""

_REPLACED_TENTHS = 7
"""A source is replaced by what brings seven tenths of it."""


@dataclass(frozen=True, slots=True)
class StoppedSource:
    """A source that stopped: what it brought a month, and what of that comes from elsewhere now."""

    source: Series
    former: int
    instead: int

    @property
    def lost(self) -> int:
        """What is missing a month; 0 at least."""
        return max(0, self.former - self.instead)


def stopped_sources(books: Books, planned: PlannedMonth) -> list[StoppedSource]:
    """The large sources that stopped lately and were not replaced, the largest first.

    What began takes the place of one source alone: two jobs that ended are not replaced by one.
    """
    if planned.unanswered:
        # What took its place may be among the money in that waits for an answer.
        return []
    large = [
        source
        for source in books.sources
        if not source.active
        and not source.running
        and 4 * source.total >= books.income - books.running.one_off_income > 0
        and (source.cadence != "irregular" or source.count >= _LEAST_PAYMENTS)
        and _stopped_lately(books, source)
    ]
    began = {id(change.series) for change in books.running.changes if change.kind != "ended"}
    new = [
        [started.first_date.toordinal(), monthly]
        for started, monthly in books.running.by_source
        if started.category != "interest" and id(started) in began
    ]
    sources = []
    for source in sorted(large, key=lambda former: -_former_monthly(books, former)):
        stopped = _replaced_source(source, _former_monthly(books, source), new)
        if _REPLACED_TENTHS * stopped.former > 10 * stopped.instead:
            sources.append(stopped)
    return sources


def _replaced_source(source: Series, former: int, new: Sequence[list[int]]) -> StoppedSource:
    """A source with what took its place.

    `new` are the first days of what began and what each brings, less what is taken here.
    """
    instead = 0
    for index in new:
        since, remaining = index
        if abs(since - source.last_date.toordinal()) <= _AROUND_LAST_PAY:
            taken = min(remaining, former - instead)
            index[1] = remaining - taken
            instead += taken
    return StoppedSource(source, former, instead)


def _stopped_lately(books: Books, source: Series) -> bool:
    if source.interval_days is None:
        grace = silence_allowed(source.days)
    else:
        grace = 3 * source.interval_days // 2 + _STOP_GRACE
    silent = (books.window.data_end - source.last_date).days
    return silent <= max(_STOPPED_LATELY, grace + _STOP_KNOWN_FOR)


def _former_monthly(books: Books, source: Series) -> int:
    """What an inactive source paid a month while it paid."""
    if source.cadence == "irregular":
        return max(0, per_month(source.total, books.window.months))
    return per_month_of(source.amount, source.cadence, source.interval_days)


@dataclass(frozen=True, slots=True)
class OutstandingReimbursement:
    """What has not been paid back, positive, and the day of the oldest cost in it."""

    amount: int
    oldest: date


def outstanding_reimbursement(
    books: Books, today: date, age: int
) -> OutstandingReimbursement | None:
    """What was spent more than `age` days ago and is not paid back; None when nothing is.

    Money that comes back settles the oldest cost first. Costs from before the window are history.
    """
    rows = [row for sheet in books.sheets if sheet.flow == "reimbursable" for row in sheet.rows]
    since, until = day_of(books.window.since), day_of(today - timedelta(age))
    unpaid = [
        (day, amount) for day, amount in _unpaid_costs(rows, day_of(today)) if since <= day < until
    ]
    if not unpaid:
        return None
    return OutstandingReimbursement(sum(amount for _, amount in unpaid), date_of(unpaid[0][0]))


def _unpaid_costs(rows: Sequence[Row], today: int) -> list[tuple[int, int]]:
    """The costs that are not settled, (day, amount), oldest first; an advance settles later ones."""
    costs: deque[tuple[int, int]] = deque()
    advance = 0
    for row in sorted(rows, key=itemgetter(DAY, AMOUNT)):
        if row[DAY] > today:
            break
        advance += row[AMOUNT]
        if row[AMOUNT] < 0:
            costs.append((row[DAY], -row[AMOUNT]))
            advance -= row[AMOUNT]
        while costs and advance > 0:
            day, amount = costs.popleft()
            settled = min(amount, advance)
            advance -= settled
            if settled < amount:
                costs.appendleft((day, amount - settled))
    return list(costs)

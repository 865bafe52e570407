"""Exact answers to spending questions: sums from the store, arranged into groups that add up."""

from collections.abc import Iterable
from datetime import date
from functools import partial

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.model.errors import BadRequest
from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.plan.ledger.days import date_of, day_of
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.household import catalogue_of
from finplan.service.ledger.inference import read_inferred
from finplan.service.lookup import find_category, find_payees
from finplan.service.spending.report import SortableSums, most_first, report_of
from finplan.store.queries import people
from finplan.store.queries import spending as sums

_Totals = dict[str, tuple[int, int]]
"""Total (positive out) and row count by group key."""

_NOTHING = (0, 0)


async def query_spending(context: Context, query: SpendingQuery) -> SpendingReport:
    """Add up the person's spending; the groups always add up to the total."""
    return await read_inferred(context, partial(_report, asker=context.asker, query=query))


def _report(connection: Connection, asker: Asker, query: SpendingQuery) -> SpendingReport:
    owner = asker.owner
    catalogue = catalogue_of(connection, owner)
    wanted = _categories(catalogue, query.category)
    payees = find_payees(connection, owner, query.merchant) if query.merchant else None
    today = asker.today(people.get_person(connection, owner)["time_zone"])
    since, until = _days(query, sums.first_and_last_day(connection, owner), today)
    span = sums.Span(
        owner,
        None if query.since is None else day_of(query.since),
        None if query.until is None else day_of(query.until),
        payees,
    )
    if query.group_by == "category":
        totals = _by_category(connection, span, wanted)
        groups = most_first(
            (-total, key, catalogue[key].label, rows) for key, (total, rows) in totals.items()
        )
    elif query.group_by == "merchant":
        groups = most_first(_by_merchant(connection, span, wanted))
    else:
        totals = _by_month(connection, span, wanted, everything=not query.category)
        groups = [(key, key, *sum_) for key, sum_ in _every_month(totals, since, until).items()]
    return report_of(since, until, query.group_by, groups)


def _by_month(
    connection: Connection, span: sums.Span, wanted: frozenset[str], *, everything: bool
) -> _Totals:
    totals: _Totals = {}
    if everything:
        # Most rows are spending, so those that are not are taken off all of them.
        for row in sums.by_month(connection, span):
            _add(totals, _month(row.month), -row.total, row.rows)
        for row in sums.filed_by_month(connection, span, sorted(wanted), elsewhere=True):
            _add(totals, _month(row.month), row.total, -row.rows)
    else:
        for row in sums.filed_by_month(connection, span, sorted(wanted)):
            _add(totals, _month(row.month), -row.total, row.rows)
    for exempt in sums.override_sums(connection, span):
        difference = _difference(exempt, wanted)
        _add(totals, _month(exempt.month), -exempt.total * difference, exempt.rows * difference)
    return totals


def _by_category(connection: Connection, span: sums.Span, wanted: frozenset[str]) -> _Totals:
    totals: _Totals = {}
    for row in sums.by_category(connection, span):
        total, rows, inflow, inflows = row.sums
        _add(totals, row.category_out, inflow - total, rows - inflows)
        _add(totals, row.category_in, -inflow, inflows)
    for exempt in sums.override_sums(connection, span):
        _add(totals, exempt.payee_category, exempt.total, -exempt.rows)
        _add(totals, exempt.category, -exempt.total, exempt.rows)
    return {key: sum_ for key, sum_ in totals.items() if key in wanted and sum_[1]}


def _by_merchant(
    connection: Connection, span: sums.Span, wanted: frozenset[str]
) -> Iterable[SortableSums]:
    groups: list[SortableSums] = []
    for key, name, out, into, total, count, inflow, inflows in sums.by_payee(connection, span):
        # What is spent is money out, so its sum on statements is negative.
        earned = rows = 0
        if out in wanted:
            earned, rows = total - inflow, count - inflows
        if into in wanted:
            earned, rows = earned + inflow, rows + inflows
        if rows:
            groups.append((earned, key, name, rows))
    exempts = sums.override_sums(connection, span)
    return _with_exempts(groups, exempts, wanted) if exempts else groups


def _with_exempts(
    groups: Iterable[SortableSums], exempts: Iterable[sums.OverrideSums], wanted: frozenset[str]
) -> Iterable[SortableSums]:
    """The merchants' groups after the rows that are filed elsewhere than their payee."""
    totals = {key: (-earned, rows) for earned, key, _, rows in groups}
    names = {key: name for _, key, name, _ in groups}
    for exempt in exempts:
        difference = _difference(exempt, wanted)
        _add(totals, exempt.key, -exempt.total * difference, exempt.rows * difference)
        names[exempt.key] = exempt.name
    return [(-total, key, names[key], rows) for key, (total, rows) in totals.items() if rows]


def _difference(exempt: sums.OverrideSums, wanted: frozenset[str]) -> int:
    """1 when the rule brings the rows in, -1 when it takes them out, 0 when it changes nothing."""
    return (exempt.category in wanted) - (exempt.payee_category in wanted)


def _every_month(totals: _Totals, since: date, until: date) -> _Totals:
    """All months of a time in order, also those in which nothing was spent."""
    months: _Totals = {}
    year, month = since.year, since.month
    while (year, month) <= (until.year, until.month):
        key = f"{year:04d}-{month:02d}"
        months[key] = totals.get(key, _NOTHING)
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return months


def _days(query: SpendingQuery, covered: tuple[int, int] | None, today: date) -> tuple[date, date]:
    """The days of a question; where it leaves them open, those of the rows, else today."""
    if query.since is not None and query.until is not None and query.since > query.until:
        raise BadRequest(f"The first day, {query.since}, is after the last, {query.until}.")
    first, last = (None, None) if covered is None else (date_of(covered[0]), date_of(covered[1]))
    since = query.since or first or today
    until = query.until or last or today
    if query.since is None:
        since = min(since, until)
    if query.until is None:
        until = max(since, until)
    return since, until


def _categories(catalogue: Catalogue, asked: tuple[str, ...]) -> frozenset[str]:
    """The categories of spending that are asked for, or all."""
    among = [find_category(catalogue, each) for each in asked] or catalogue.categories.values()
    return frozenset(each.id for each in among if each.flow == "spending")


def _add(totals: _Totals, key: str, total: int, count: int) -> None:
    before = totals.get(key, _NOTHING)
    totals[key] = (before[0] + total, before[1] + count)


def _month(number: int) -> str:
    return f"{number // 100:04d}-{number % 100:02d}"

"""Exact answers to spending questions: sums from the store, arranged into groups that add up."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.model.errors import BadRequest
from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.plan.days import date_of, day_of
from finplan.service.core import Context
from finplan.service.household import catalogue_of
from finplan.service.lookup import find_category, find_payees
from finplan.store import people
from finplan.store import spending as sums

_Totals = dict[str, tuple[int, int]]
"""Total (positive out) and row count by group key."""

_NOTHING = (0, 0)


async def query_spending(context: Context, query: SpendingQuery) -> SpendingReport:
    """Add up the person's spending; the groups always add up to the total."""
    owner = context.caller.owner

    def add_up(connection: Connection) -> SpendingReport:
        today = context.today(people.get_person(connection, owner)["time_zone"])
        return _report(connection, owner, query, today)

    return await context.store.read(add_up)


def _report(
    connection: Connection, owner: int, query: SpendingQuery, today: date
) -> SpendingReport:
    catalogue = catalogue_of(connection, owner)
    wanted = _categories(catalogue, query.category)
    payees = find_payees(connection, owner, query.merchant) if query.merchant else None
    since, until = _days(connection, owner, query, today)
    span = sums.Span(
        owner,
        None if query.since is None else day_of(query.since),
        None if query.until is None else day_of(query.until),
        payees,
    )
    labels: Mapping[str, str] = {}
    match query.group_by:
        case "month" | None:
            found = _by_month(connection, span, wanted, everything=not query.category)
            totals = _every_month(found, since, until)
        case "category":
            totals = _by_category(connection, span, wanted)
            labels = {key: catalogue[key].label for key in totals}
        case "merchant":
            totals, labels = _by_merchant(connection, span, wanted)
    if query.group_by in ("category", "merchant"):
        most_first = sorted([(-total, key) for key, (total, _) in totals.items()])
        totals = {key: totals[key] for _, key in most_first}
    # Validated at once with its groups, because there may be thousands of them.
    return SpendingReport.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": query.group_by,
            "total": sum(total for total, _ in totals.values()),
            "count": sum(count for _, count in totals.values()),
            "groups": _groups(totals, labels) if query.group_by else (),
        }
    )


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
    for exempt in sums.exempt(connection, span):
        difference = _difference(exempt, wanted)
        _add(totals, _month(exempt.month), -exempt.total * difference, exempt.rows * difference)
    return totals


def _by_category(connection: Connection, span: sums.Span, wanted: frozenset[str]) -> _Totals:
    totals: _Totals = {}
    for row in sums.by_category(connection, span):
        total, rows, inflow, inflows = row.sums
        _add(totals, row.category_out, inflow - total, rows - inflows)
        _add(totals, row.category_in, -inflow, inflows)
    for exempt in sums.exempt(connection, span):
        _add(totals, _home(exempt), exempt.total, -exempt.rows)
        _add(totals, exempt.category, -exempt.total, exempt.rows)
    return {key: sum_ for key, sum_ in totals.items() if key in wanted and sum_[1]}


def _by_merchant(
    connection: Connection, span: sums.Span, wanted: frozenset[str]
) -> tuple[_Totals, dict[str, str]]:
    totals: _Totals = {}
    labels: dict[str, str] = {}
    for key, name, out, into, total, count, inflow, inflows in sums.by_payee(connection, span):
        spent = rows = 0
        if out in wanted:
            spent, rows = inflow - total, count - inflows
        if into in wanted:
            spent, rows = spent - inflow, rows + inflows
        if rows:
            totals[key] = (spent, rows)
            labels[key] = name
    exempts = sums.exempt(connection, span)
    for exempt in exempts:
        difference = _difference(exempt, wanted)
        _add(totals, exempt.key, -exempt.total * difference, exempt.rows * difference)
        labels[exempt.key] = exempt.name
    if exempts:
        totals = {key: sum_ for key, sum_ in totals.items() if sum_[1]}
    return totals, labels


def _home(exempt: sums.Exempt) -> str:
    """The category that the rows would have without their rule."""
    return exempt.category_out if exempt.total < 0 else exempt.category_in


def _difference(exempt: sums.Exempt, wanted: frozenset[str]) -> int:
    """1 when the rule brings the rows in, -1 when it takes them out, 0 when it changes nothing."""
    return (exempt.category in wanted) - (_home(exempt) in wanted)


def _groups(totals: _Totals, labels: Mapping[str, str]) -> tuple[dict[str, object], ...]:
    """The fields of the groups, in the order of the totals."""
    positive = sum([total for total, _ in totals.values() if total > 0])
    return tuple(
        [
            {
                "key": key,
                "label": labels.get(key, key),
                "total": total,
                "count": count,
                "share": round(10_000 * total / positive) / 10_000 if total > 0 else 0.0,
            }
            for key, (total, count) in totals.items()
        ]
    )


def _every_month(totals: _Totals, since: date, until: date) -> _Totals:
    """All months of a time in order, also those in which nothing was spent."""
    months: _Totals = {}
    year, month = since.year, since.month
    while (year, month) <= (until.year, until.month):
        key = f"{year:04d}-{month:02d}"
        months[key] = totals.get(key, _NOTHING)
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return months


def _days(
    connection: Connection, owner: int, query: SpendingQuery, today: date
) -> tuple[date, date]:
    if query.since is not None and query.until is not None and query.since > query.until:
        raise BadRequest(f"The first day, {query.since}, is after the last, {query.until}.")
    covered = sums.first_and_last_day(connection, owner)
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

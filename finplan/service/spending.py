"""Exact answers to spending questions: sums from the store, arranged into groups that add up.

A question is of days, categories, payees and tags, found in the store. One engine adds up, the SQL of
the store: by group with shares, or into a table by category, merchant or tag and by month, whose lines
and columns add up exactly. There may be thousands of groups, so they are plain tuples until they are
checked, all together.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection

from finplan.categorise.catalogue import UNFILED, Catalogue
from finplan.model import transaction
from finplan.model.errors import BadRequest
from finplan.plan.ledger.days import date_of, day_of
from finplan.service.context import Asker, Context
from finplan.service.derived.household import catalogue_of, find_accounts
from finplan.service.ledger.categorisation import read_inferred
from finplan.service.lookup import find_category, find_payees, must_be_in_order, near
from finplan.store.queries import people, spending as sums
from finplan.store.queries.row_filters import SoughtTags, Span
from finplan.store.queries.single_words import known_tags


@dataclass(frozen=True, slots=True)
class AskedSpending:
    """A question in the words of the store; `categories` are those that it is of.

    `sign` turns money out, as sums have it, into what is asked for: -1 for income. `since` and `until`
    are its days as they are told: where it leaves them open, those of the rows, which are `recorded`.
    """

    catalogue: Catalogue
    categories: frozenset[str]
    sign: Literal[1, -1]
    span: Span
    since: date
    until: date
    recorded: transaction.RecordedDays | None

    def months(self) -> list[int]:
        """The months that its days touch, YYYYMM, in order."""
        first, last = (day.year * 12 + day.month - 1 for day in (self.since, self.until))
        return [month // 12 * 100 + month % 12 + 1 for month in range(first, last + 1)]


def read_question(
    connection: Connection, asker: Asker, query: transaction.MoneyFilter
) -> AskedSpending:
    """Find what a question names. Raises BadRequest for what is not there."""
    owner = asker.owner
    catalogue = catalogue_of(connection, owner)
    categories = _asked_categories(catalogue, query.category, query.flow)
    span = Span(owner, **find_bounds(connection, owner, query))
    today = asker.today(people.get_person(connection, owner)["time_zone"])
    covered = sums.first_and_last_day(connection, owner)
    since, until = _asked_days(query, covered, today)
    recorded = None
    if covered is not None:
        recorded = transaction.RecordedDays(since=date_of(covered[0]), until=date_of(covered[1]))
    sign: Literal[1, -1] = -1 if query.flow == "income" else 1
    return AskedSpending(catalogue, categories, sign, span, since, until, recorded)


def find_bounds(
    connection: Connection,
    owner: int,
    query: transaction.TransactionQuery | transaction.ExportQuery | transaction.MoneyFilter,
) -> dict[str, Any]:
    """The days, payees, accounts and tags of a question, as the store's `RowBounds` take them.

    Raises BadRequest for what is not there.
    """
    must_be_in_order(query)
    return {
        "since": None if query.since is None else day_of(query.since),
        "until": None if query.until is None else day_of(query.until),
        "payees": find_payees(connection, owner, query.merchant) if query.merchant else None,
        "accounts": find_accounts(connection, owner, query.account) if query.account else None,
        "tags": _find_tags(connection, owner, query.tag) if query.tag else None,
    }


_MOST_NAMED = 20
"""How many tags a refusal names."""


def _find_tags(connection: Connection, owner: int, texts: Iterable[str]) -> SoughtTags:
    own = known_tags(connection, owner)
    lists = []
    for text in dict.fromkeys(texts):
        tags = transaction.tags_in(text.removeprefix(transaction.ONLY_TAGS))
        if text.startswith(transaction.ONLY_TAGS):
            lists.append([f"^ {' '.join(tags)} $"])
            continue
        for tag in tags or (text,):
            if tag not in own:
                close = near(tag, own)
                there = f" Your tags: {', '.join(sorted(own)[:_MOST_NAMED])}." if own else ""
                hint = f" Did you mean {', '.join(close)}?" if close else there
                raise BadRequest(f"No transaction has the tag {tag!r}.{hint}", {"near": close})
        lists.append([f" {tag} " for tag in tags])
    return SoughtTags(json.dumps(lists), none=["^  $"] in lists)


def month_name(number: int) -> str:
    """A month YYYYMM as it is told, YYYY-MM."""
    return f"{number // 100:04d}-{number % 100:02d}"


def _asked_days(
    query: transaction.MoneyFilter, covered: tuple[int, int] | None, today: date
) -> tuple[date, date]:
    """The days of a question; where it leaves them open, those of the rows, else today."""
    first, last = (None, None) if covered is None else (date_of(covered[0]), date_of(covered[1]))
    since = query.since or first or today
    until = query.until or last or today
    if query.since is None:
        since = min(since, until)
    if query.until is None:
        until = max(since, until)
    return since, until


def _asked_categories(
    catalogue: Catalogue, names: tuple[str, ...], flow: transaction.MoneyFlow
) -> frozenset[str]:
    """The categories of money in or out that are asked for, or all.

    Money in that nobody has put in a category is income only where it is asked for by its name.
    """
    among = [find_category(catalogue, name) for name in names] or catalogue.categories.values()
    unfiled = {UNFILED} if flow == "income" and names else frozenset()
    return frozenset(
        category.id for category in among if category.flow == flow or category.id in unfiled
    )


GroupSums = tuple[str, str, int, int]
"""A group's key, its label, its total in minor units, positive when money went out, and its rows."""

SortableSums = tuple[int, str, str, int]
"""A group's total, negative when money went out, its key, its label and its rows."""


def most_first(groups: Iterable[SortableSums]) -> list[GroupSums]:
    """Groups by their totals, the largest first, and by their keys where these are equal."""
    return [(key, label, -total, rows) for total, key, label, rows in sorted(groups)]


def report_of(
    since: date, until: date, group_by: transaction.Grouping | None, groups: Sequence[GroupSums]
) -> transaction.SpendingReport:
    """The report of some groups in their order; without a grouping they are only added up.

    A share is of all positive totals, with four decimals.
    """
    totals = [total for _, _, total, _ in groups]
    positive = sum([total for total in totals if total > 0])
    rows = [
        {
            "key": key,
            "label": label,
            "total": total,
            "count": count,
            "share": round(10_000 * total / positive) / 10_000 if total > 0 else 0.0,
        }
        for key, label, total, count in groups
    ]
    return transaction.SpendingReport.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": group_by,
            "total": sum(totals),
            "count": sum([count for _, _, _, count in groups]),
            "groups": () if group_by is None else tuple(rows),
        }
    )


_Group = TypeVar("_Group", str, int)

_Totals = dict[_Group, tuple[int, int]]
"""Total (positive out) and row count by group: a category, a month YYYYMM or the number of a payee."""

_NO_SPENDING = (0, 0)


async def query_spending(
    context: Context, query: transaction.SpendingQuery
) -> transaction.SpendingReport:
    """Add up the person's spending; the groups always add up to the total."""
    return await read_inferred(context, partial(_report, asker=context.asker, query=query))


def _report(
    connection: Connection, asker: Asker, query: transaction.SpendingQuery
) -> transaction.SpendingReport:
    question = read_question(connection, asker, query)
    span, categories = question.span, question.categories
    if query.group_by == "category":
        spent = _by_category(connection, span, categories)
        groups = most_first(
            (-question.sign * total, key, question.catalogue[key].label, rows)
            for key, (total, rows) in spent.items()
        )
    elif query.group_by == "merchant":
        groups = most_first(
            (question.sign * total, key, name, rows)
            for total, key, name, rows in _by_merchant(connection, span, categories)
        )
    elif query.group_by == "tag":
        table = _table_by_tag(connection, question, everything=_is_all_spending(query))
        sums_of = {
            key: [sum(column) for column in zip(*cells.values(), strict=True)]
            for key, cells in table.items()
        }
        groups = most_first(
            (-question.sign * of_key[0], key, transaction.label_of_group("tag", key), of_key[1])
            for key, of_key in sums_of.items()
            if of_key and of_key[1]
        )
    else:
        totals = _by_month(connection, span, categories, everything=_is_all_spending(query))
        groups = []
        for month in question.months():
            total, rows = totals.get(month, _NO_SPENDING)
            groups.append((month_name(month), month_name(month), question.sign * total, rows))
    report = report_of(question.since, question.until, query.group_by, groups)
    return report.model_copy(update={"recorded": question.recorded})


def _is_all_spending(query: transaction.MoneyFilter) -> bool:
    return not query.category and query.flow == "spending"


def _by_month(
    connection: Connection, span: Span, categories: frozenset[str], *, everything: bool
) -> _Totals[int]:
    totals: _Totals[int] = {}
    if everything:
        # Most rows are spending, so those that are not are taken off all of them.
        for row in sums.by_month(connection, span):
            _add(totals, row.month, -row.total, row.rows)
        for row in sums.filed_by_month(connection, span, sorted(categories), elsewhere=True):
            _add(totals, row.month, row.total, -row.rows)
    else:
        for row in sums.filed_by_month(connection, span, sorted(categories)):
            _add(totals, row.month, -row.total, row.rows)
    for correction in sums.corrections_within(connection, span, categories, by_month=True):
        _add(totals, correction.month, -correction.total, correction.rows)
    return totals


def _by_category(connection: Connection, span: Span, categories: frozenset[str]) -> _Totals[str]:
    totals: _Totals[str] = {}
    for row in sums.by_category(connection, span):
        total, rows, inflow, inflows = row.sums
        _add(totals, row.category_out, inflow - total, rows - inflows)
        _add(totals, row.category_in, -inflow, inflows)
    for correction in sums.corrections(connection, span):
        _add(totals, correction.category, -correction.total, correction.rows)
    return {key: sum_ for key, sum_ in totals.items() if key in categories and sum_[1]}


def _by_merchant(
    connection: Connection, span: Span, categories: frozenset[str]
) -> list[SortableSums]:
    # All payees are read first: the few that the corrections look up are at hand then.
    paid = sums.by_payee(connection, span)
    # What each merchant's sum and rows are off by, signed as on statements.
    moved: _Totals[int] = {}
    for correction in sums.corrections_within(connection, span, categories, by_payee=True):
        _add(moved, correction.payee, correction.total, correction.rows)
    groups: list[SortableSums] = []
    for number, key, name, out, into, _, total, count, inflow, inflows in paid:
        # What is spent is money out, so its sum on statements is negative.
        earned = rows = 0
        if out in categories:
            earned, rows = total - inflow, count - inflows
        if into in categories:
            earned, rows = earned + inflow, rows + inflows
        # Few merchants have rows that are filed elsewhere than their payee.
        if number in moved:
            change = moved[number]
            earned, rows = earned + change[0], rows + change[1]
        if rows:
            groups.append((earned, key, name, rows))
    return groups


def _add(totals: _Totals[_Group], key: _Group, total: int, count: int) -> None:
    before = totals.get(key, _NO_SPENDING)
    totals[key] = (before[0] + total, before[1] + count)


_Table = dict[str, _Totals[int]]
"""Totals by group and by month, YYYYMM; a month that is not there has no rows."""


async def query_spending_months(
    context: Context, query: transaction.SpendingMonthsQuery
) -> transaction.SpendingMonths:
    """Add up the person's spending by group and month, as `query_spending` adds each of them up.

    Raises BadRequest for more months than a table has.
    """
    return await read_inferred(context, partial(_spending_months, asker=context.asker, query=query))


def _spending_months(
    connection: Connection, asker: Asker, query: transaction.SpendingMonthsQuery
) -> transaction.SpendingMonths:
    question = read_question(connection, asker, query)
    months = question.months()
    if len(months) > transaction.MOST_MONTHS:
        raise BadRequest(
            f"The period from {question.since} to {question.until} has {len(months):,} months,"
            f" but a table has at most {transaction.MOST_MONTHS:,}. Choose a shorter period with"
            " `from` and `to`."
        )
    if query.group_by == "category":
        table = _table_by_category(connection, question)
        labels: Mapping[str, str] = {key: question.catalogue[key].label for key in table}
    elif query.group_by == "tag":
        table = _table_by_tag(connection, question, everything=_is_all_spending(query))
        labels = {key: transaction.label_of_group("tag", key) for key in table}
    else:
        table, labels = _table_by_merchant(connection, question)
    return _arrange_groups(question, query, months, table, labels)


def _table_by_category(connection: Connection, question: AskedSpending) -> _Table:
    table: _Table = defaultdict(dict)
    for out, into, month, paid in sums.by_category(connection, question.span, by_month=True):
        _add(table[out], month, paid.inflow - paid.total, paid.rows - paid.inflows)
        _add(table[into], month, -paid.inflow, paid.inflows)
    for correction in sums.corrections(connection, question.span, by_month=True):
        _add(table[correction.category], correction.month, -correction.total, correction.rows)
    return {key: cells for key, cells in table.items() if key in question.categories}


def _table_by_merchant(
    connection: Connection, question: AskedSpending
) -> tuple[_Table, Mapping[str, str]]:
    table: _Table = defaultdict(dict)
    names: dict[str, str] = {}
    keys: dict[int, str] = {}
    paid = sums.by_payee(connection, question.span, by_month=True)
    for number, key, name, out, into, month, total, rows, inflow, inflows in paid:
        names[key], keys[number] = name, key
        if out in question.categories:
            _add(table[key], month, inflow - total, rows - inflows)
        if into in question.categories:
            _add(table[key], month, -inflow, inflows)
    for correction in sums.corrections_within(
        connection, question.span, question.categories, by_payee=True, by_month=True
    ):
        _add(table[keys[correction.payee]], correction.month, -correction.total, correction.rows)
    return table, names


def _table_by_tag(connection: Connection, question: AskedSpending, *, everything: bool) -> _Table:
    """The months of each set of tags that rows have; those without a tag are what the others leave."""
    span, categories = question.span, question.categories
    untagged = transaction.group_of_tags(())
    table: _Table = defaultdict(dict)
    table[untagged] = _by_month(connection, span, categories, everything=everything)
    for tags, month, total, rows in sums.by_tags_and_month(connection, span, categories):
        _add(table[transaction.group_of_tags(tags.split())], month, -total, rows)
        _add(table[untagged], month, total, -rows)
    return table


def _arrange_groups(
    question: AskedSpending,
    query: transaction.SpendingMonthsQuery,
    months: list[int],
    table: _Table,
    labels: Mapping[str, str],
) -> transaction.SpendingMonths:
    """The groups that have rows, the largest total first and by key where these are equal."""
    groups = []
    for key, cells in table.items():
        count = sum([rows for _, rows in cells.values()])
        if count:
            totals = [question.sign * cells.get(month, _NO_SPENDING)[0] for month in months]
            groups.append((-sum(totals), key, tuple(totals), count))
    groups.sort(key=lambda group: group[:2])
    return transaction.SpendingMonths.model_validate(
        {
            "since": question.since,
            "until": question.until,
            "recorded": question.recorded,
            "group_by": query.group_by,
            "months": tuple(map(month_name, months)),
            "totals": tuple(
                sum([totals[index] for _, _, totals, _ in groups]) for index in range(len(months))
            ),
            "total": -sum([total for total, _, _, _ in groups]),
            "groups": tuple(
                {
                    "key": key,
                    "label": labels[key],
                    "totals": totals,
                    "total": -total,
                    "count": count,
                }
                for total, key, totals, count in groups
            ),
        }
    )

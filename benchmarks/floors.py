"""The floors: the least that a program in Python can do for the same answer, on the same store.

Each is written for one question and knows nothing else: no settings, no rules of exact amounts, no
checks, no layers. They use the store's own schema, indexes and PRAGMAs, and sqlite3 directly.
"""

import sqlite3
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import orjson

from finplan.categorise.catalogue import Catalogue
from finplan.store.engine import PRAGMAS

ConvertedRow = tuple[int, int, int, int, int, str, None, int, str, int, int]
"""A row ready for INSERT, in the order of its columns."""

_SPENDING = frozenset(
    category.id for category in Catalogue().categories.values() if category.flow == "spending"
)
_SPENDING_LISTED = ", ".join(f"'{category}'" for category in sorted(_SPENDING))

INSERT = (
    "INSERT INTO tx (owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal,"
    " source, counts, import_no) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

# Outflows and inflows of a payee may have two categories. Few rows are inflows, so all rows are
# added up at once and the inflows apart; what is left are the outflows.
_PAID = (
    "SELECT payee_no, sum(amount) AS total, count(*) AS count,"
    " sum(amount) FILTER (WHERE amount >= 0) AS inflow,"
    " count(*) FILTER (WHERE amount >= 0) AS inflows"
    " FROM tx WHERE owner_no = 1 AND counts = 1 GROUP BY payee_no"
)
BY_CATEGORY = (
    "SELECT category_out, category_in, sum(total), sum(count), sum(coalesce(inflow, 0)), sum(inflows)"
    f" FROM ({_PAID}) AS paid JOIN payee ON payee.no = paid.payee_no"
    " GROUP BY category_out, category_in"
)
BY_MERCHANT = (
    "SELECT key, name, category_out, category_in, total, count, coalesce(inflow, 0), inflows"
    f" FROM ({_PAID}) AS paid JOIN payee ON payee.no = paid.payee_no"
)
EVERY_DAY = (
    "SELECT day, sum(amount), count(*) FROM tx WHERE owner_no = 1 AND counts = 1 GROUP BY day"
)
EVERY_MONTH = (
    "SELECT day / 100, -sum(amount), count(*) FROM tx JOIN payee ON payee.no = payee_no"
    " WHERE tx.owner_no = 1 AND counts = 1"
    f" AND CASE WHEN amount < 0 THEN category_out ELSE category_in END IN ({_SPENDING_LISTED})"
    " GROUP BY day / 100"
)
# Only pay, transfers and the like are no spending: it is quicker to take those few rows off.
NO_SPENDING = (
    "SELECT day / 100, sum(amount), count(*) FROM tx JOIN payee ON payee.no = tx.payee_no"
    " WHERE tx.owner_no = 1 AND counts = 1 AND payee_no IN (SELECT no FROM payee WHERE owner_no = 1"
    " AND NOT (category_out IN ({spending}) AND category_in IN ({spending})))"
    " AND CASE WHEN amount < 0 THEN category_out ELSE category_in END NOT IN ({spending})"
    " GROUP BY day / 100"
)
DAYS = (
    "SELECT (SELECT min(day) FROM tx WHERE owner_no = 1 AND counts = 1),"
    " (SELECT max(day) FROM tx WHERE owner_no = 1 AND counts = 1)"
)
LEDGER_ROWS = (
    "SELECT payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
    " WHERE owner_no = 1 AND account_no = 1 ORDER BY payee_no, day, no"
)
START = (sys.executable, "-c", "import typer, httpx, pydantic")
"""What this command line cannot do without before it does anything."""

_LABELS = {category.id: category.label for category in Catalogue().categories.values()}
_Totals = dict[str, tuple[int, int]]


def connect(database: Path) -> sqlite3.Connection:
    """A connection with the PRAGMAs of the store's own."""
    connection = sqlite3.connect(database, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def import_rows(connection: sqlite3.Connection, rows: Iterable[ConvertedRow]) -> None:
    """Import: put converted rows into the store's table in one transaction, by a plain loop."""
    connection.execute("BEGIN IMMEDIATE")
    for row in rows:
        connection.execute(INSERT, row)
    connection.execute("COMMIT")


def read_rows(connection: sqlite3.Connection) -> list[tuple[int, ...]]:
    """Plan: fetch the rows that a plan reads, as raw tuples."""
    return connection.execute(LEDGER_ROWS).fetchall()


def commit_a_row(connection: sqlite3.Connection, name: str) -> None:
    """A change of little: write one row, and commit it."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE account SET name = ? WHERE no = 1", (name,))
    connection.execute("COMMIT")


def commit_all_rows(connection: sqlite3.Connection) -> None:
    """A change of an account's rows: write each of them by one statement, and commit them."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE tx SET counts = 1 - counts WHERE account_no = 1")
    connection.execute("COMMIT")


def group_by_category(connection: sqlite3.Connection) -> bytes:
    """Grouping: what GET /spending?groupBy=category answers for the whole ledger."""
    totals: _Totals = {}
    for out, into, total, count, inflow, inflows in connection.execute(BY_CATEGORY):
        spent = ((out, inflow - total, count - inflows), (into, -inflow, inflows))
        for category, amount, rows in spent:
            if rows and category in _SPENDING:
                before = totals.get(category, (0, 0))
                totals[category] = (before[0] + amount, before[1] + rows)
    return _report(connection, "category", _most_first(totals), _LABELS)


def group_by_merchant(connection: sqlite3.Connection) -> bytes:
    """Grouping: what GET /spending?groupBy=merchant answers for the whole ledger."""
    totals: _Totals = {}
    labels: dict[str, str] = {}
    for key, name, out, into, total, count, inflow, inflows in connection.execute(BY_MERCHANT):
        spent = rows = 0
        if out in _SPENDING:
            spent, rows = inflow - total, count - inflows
        if into in _SPENDING:
            spent, rows = spent - inflow, rows + inflows
        if rows:
            totals[key] = (spent, rows)
            labels[key] = name
    return _report(connection, "merchant", _most_first(totals), labels)


def group_by_month(connection: sqlite3.Connection) -> bytes:
    """Grouping: what GET /spending?groupBy=month answers for the whole ledger."""
    months: dict[int, list[int]] = {}
    for day, total, count in connection.execute(EVERY_DAY):
        month = months.setdefault(day // 100, [0, 0])
        month[0] -= total
        month[1] += count
    for number, total, count in connection.execute(NO_SPENDING.format(spending=_SPENDING_LISTED)):
        months[number][0] += total
        months[number][1] -= count
    totals: _Totals = {}
    number, last = min(months), max(months)
    while number <= last:
        total, count = months.get(number, (0, 0))
        totals[f"{number // 100}-{number % 100:02d}"] = (total, count)
        number += 89 if number % 100 == 12 else 1
    return _report(connection, "month", totals, {})


def _most_first(totals: _Totals) -> _Totals:
    return dict(sorted(totals.items(), key=lambda item: (-item[1][0], item[0])))


def _report(
    connection: sqlite3.Connection, group_by: str, totals: _Totals, labels: Mapping[str, str]
) -> bytes:
    first, last = connection.execute(DAYS).fetchone()
    positive = sum(total for total, _ in totals.values() if total > 0)
    return orjson.dumps(
        {
            "from": _iso(first),
            "to": _iso(last),
            "recorded": {"from": _iso(first), "to": _iso(last)},
            "groupBy": group_by,
            "total": sum(total for total, _ in totals.values()),
            "count": sum(count for _, count in totals.values()),
            "groups": [
                {
                    "key": key,
                    "label": labels.get(key, key),
                    "total": total,
                    "count": count,
                    "share": round(total / positive, 4) if total > 0 else 0.0,
                }
                for key, (total, count) in totals.items()
            ],
        }
    )


def _iso(day: int) -> str:
    return f"{day // 10000}-{day // 100 % 100:02d}-{day % 100:02d}"

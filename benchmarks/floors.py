"""The floors: the least that a program in Python can do for the same answer, on the same store.

Each is written for one question and knows nothing else: no settings, no rules of exact amounts, no
checks, no layers. They use the store's own schema, indexes and PRAGMAs, and sqlite3 directly.
"""

import sqlite3
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson

from finplan.categorise.catalogue import Catalogue
from finplan.store.engine import PRAGMAS
from finplan.store.ledger import LEDGER_ROWS

ConvertedRow = tuple[int, int, int, int, int, str, None, int, str, int, int]
"""A row ready for INSERT, in the order of its columns."""

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
BY_DAY = (
    "SELECT day, sum(amount), count(*) FROM tx WHERE owner_no = 1 AND counts = 1"
    " AND payee_no NOT IN ({elsewhere}) GROUP BY day"
)
PAYEES_BY_CATEGORIES = "SELECT no, category_out, category_in FROM payee WHERE owner_no = 1"
DAYS = (
    "SELECT (SELECT min(day) FROM tx WHERE owner_no = 1 AND counts = 1),"
    " (SELECT max(day) FROM tx WHERE owner_no = 1 AND counts = 1)"
)
START = (sys.executable, "-c", "import typer, httpx, pydantic")
"""What a command line cannot do without before it does anything."""


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


def group_by_category(connection: sqlite3.Connection) -> bytes:
    """Grouping by category: the answer of GET /spending?groupBy=category over the whole ledger."""
    totals: dict[str, tuple[int, int]] = {}
    for out, into, total, count, inflow, inflows in connection.execute(BY_CATEGORY):
        for category, spent, rows in (
            (out, inflow - total, count - inflows),
            (into, -inflow, inflows),
        ):
            if rows and category in _SPENDING:
                before = totals.get(category, (0, 0))
                totals[category] = (before[0] + spent, before[1] + rows)
    labels = {category: _LABELS[category] for category in totals}
    return _report(connection, "category", totals, labels)


def group_by_merchant(connection: sqlite3.Connection) -> bytes:
    """Grouping by merchant: the answer of GET /spending?groupBy=merchant over the whole ledger."""
    totals: dict[str, tuple[int, int]] = {}
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
    return _report(connection, "merchant", totals, labels)


def group_by_month(connection: sqlite3.Connection) -> bytes:
    """Grouping by month: the answer of GET /spending?groupBy=month over the whole ledger."""
    elsewhere, mixed = [], []
    for no, out, into in connection.execute(PAYEES_BY_CATEGORIES):
        if out not in _SPENDING or into not in _SPENDING:
            elsewhere.append(no)
            if out in _SPENDING or into in _SPENDING:
                mixed.append(no)
    raise NotImplementedError(mixed)

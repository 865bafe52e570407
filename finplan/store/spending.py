"""Sums of money by payee, category or month, added up where the rows are: on the covering indexes.

Outflows and inflows are kept apart, because a payee may file them under two categories. A payee whose
categories are both asked for is summed without a look at the sign; only the mixed ones need the join.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, text


@dataclass(frozen=True, slots=True)
class Span:
    """Whose rows, and from which day to which, YYYYMMDD inclusive; None means no bound, or all."""

    owner: int
    since: int | None = None
    until: int | None = None
    payees: tuple[int, ...] | None = None

    def where(self) -> str:
        """The condition that every sum shares; it fits the covering indexes.

        A bound that is not needed is left out, so that the whole ledger is read in the order of the
        payees instead of being gathered day by day.
        """
        conditions = ["tx.owner_no = :owner", "tx.counts = 1"]
        if self.since is not None:
            conditions.append("tx.day >= :since")
        if self.until is not None:
            conditions.append("tx.day <= :until")
        if self.payees is not None:
            conditions.append("tx.payee_no IN :payees")
        return " AND ".join(conditions)

    def values(self) -> dict[str, Any]:
        """The values of the condition's parameters."""
        bounds = {"since": self.since, "until": self.until, "payees": self.payees}
        return {
            "owner": self.owner,
            **{name: value for name, value in bounds.items() if value is not None},
        }


class Sums(NamedTuple):
    """What went out and came in, signed as on statements, and how many rows each."""

    outflow: int
    outflows: int
    inflow: int
    inflows: int


class CategorySums(NamedTuple):
    """The money of all payees that share a pair of categories."""

    category_out: str
    category_in: str
    sums: Sums


class PayeeSums(NamedTuple):
    """One payee's money."""

    key: str
    name: str
    category_out: str
    category_in: str
    sums: Sums


class MonthSums(NamedTuple):
    """One month's signed sum (positive in) and row count."""

    month: int
    total: int
    rows: int


class Exempt(NamedTuple):
    """One payee's rows of one exact amount in one month, which a rule files under `category`."""

    key: str
    name: str
    category_out: str
    category_in: str
    category: str
    month: int
    total: int
    rows: int


_SPLIT = (
    "sum(CASE WHEN amount < 0 THEN amount ELSE 0 END) AS outflow, sum(amount < 0) AS outflows,"
    " sum(CASE WHEN amount >= 0 THEN amount ELSE 0 END) AS inflow, sum(amount >= 0) AS inflows"
)


def by_category(connection: Connection, span: Span) -> list[CategorySums]:
    """Sums for each pair of outflow and inflow category."""
    rows = _run(
        connection,
        "SELECT category_out, category_in, sum(outflow), sum(outflows), sum(inflow), sum(inflows)"
        f" FROM (SELECT payee_no, {_SPLIT} FROM tx WHERE {span.where()} GROUP BY payee_no) AS paid"
        " JOIN payee ON payee.no = paid.payee_no GROUP BY category_out, category_in",
        span,
    )
    return [CategorySums(row[0], row[1], Sums(*row[2:])) for row in rows]


def by_payee(connection: Connection, span: Span) -> list[PayeeSums]:
    """Sums for each payee."""
    rows = _run(
        connection,
        "SELECT key, name, category_out, category_in, outflow, outflows, inflow, inflows"
        f" FROM (SELECT payee_no, {_SPLIT} FROM tx WHERE {span.where()} GROUP BY payee_no) AS paid"
        " JOIN payee ON payee.no = paid.payee_no",
        span,
    )
    return [PayeeSums(row[0], row[1], row[2], row[3], Sums(*row[4:])) for row in rows]


def by_month(connection: Connection, span: Span, categories: Sequence[str]) -> list[MonthSums]:
    """Signed sums for each month of the rows whose category is one of some, oldest first."""
    whole = (
        f"SELECT day, sum(amount), count(*) FROM tx WHERE {span.where()}"
        " AND payee_no NOT IN (SELECT no FROM payee WHERE owner_no = :owner"
        " AND NOT (category_out IN :categories AND category_in IN :categories)) GROUP BY day"
    )
    mixed = (
        f"SELECT day, sum(amount), count(*) FROM tx JOIN payee ON payee.no = payee_no"
        f" WHERE {span.where()} AND payee_no IN (SELECT no FROM payee WHERE owner_no = :owner"
        " AND (category_out IN :categories) <> (category_in IN :categories))"
        " AND CASE WHEN amount < 0 THEN category_out ELSE category_in END IN :categories GROUP BY day"
    )
    months: dict[int, tuple[int, int]] = {}
    for query in (whole, mixed):
        for day, total, count in _run(connection, query, span, categories=tuple(categories)):
            before = months.get(day // 100, (0, 0))
            months[day // 100] = (before[0] + total, before[1] + count)
    return [MonthSums(month, *months[month]) for month in sorted(months)]


def exempt(connection: Connection, span: Span) -> list[Exempt]:
    """The rows that a rule of an exact amount files elsewhere than their payee."""
    if not _has_amount_rules(connection, span.owner):
        return []
    rows = _run(
        connection,
        "SELECT payee.key, payee.name, category_out, category_in, rule.category, tx.day / 100,"
        " sum(tx.amount), count(*) FROM rule JOIN payee ON payee.no = rule.payee_no"
        " JOIN tx ON tx.payee_no = rule.payee_no AND tx.amount = -rule.amount"
        f" WHERE rule.amount IS NOT NULL AND {span.where()}"
        " GROUP BY rule.no, tx.day / 100",
        span,
    )
    return [Exempt(*row) for row in rows]


def first_and_last_day(connection: Connection, owner: int) -> tuple[int, int] | None:
    """The days of the first and last row that counts, None without one."""
    # Two questions, because SQLite finds one end of an index at once but both only by a scan.
    row = connection.exec_driver_sql(
        "SELECT (SELECT min(day) FROM tx WHERE owner_no = ? AND counts = 1),"
        " (SELECT max(day) FROM tx WHERE owner_no = ? AND counts = 1)",
        (owner, owner),
    ).one()
    return None if row[0] is None else (row[0], row[1])


def _has_amount_rules(connection: Connection, owner: int) -> bool:
    found = connection.exec_driver_sql(
        "SELECT 1 FROM rule WHERE owner_no = ? AND amount IS NOT NULL LIMIT 1", (owner,)
    )
    return found.first() is not None


def _run(connection: Connection, query: str, span: Span, **more: Any) -> Iterable[Any]:
    values: dict[str, Any] = {**span.values(), **more}
    lists: list[BindParameter[Any]] = [
        bindparam(name, expanding=True)
        for name, value in values.items()
        if isinstance(value, tuple)
    ]
    return connection.execute(text(query).bindparams(*lists), values)

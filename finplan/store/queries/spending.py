"""Sums of money by payee, category or month, added up where the rows are: on the covering indexes.

Outflows and inflows are told apart, because a payee may file them under two categories.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from sqlalchemy import Connection

from finplan.categorise.catalogue import FEE_CATEGORY
from finplan.store.queries.row_filters import Span
from finplan.store.queries.single_words import IN_PARTS


class Sums(NamedTuple):
    """What rows come to, signed as on statements, and how many they are; and those that came in."""

    total: int
    rows: int
    inflow: int
    inflows: int


class CategorySums(NamedTuple):
    """The money of all payees that share a pair of categories; `month` is 0 for that of all months."""

    category_out: str
    category_in: str
    month: int
    sums: Sums


PayeeSums = tuple[int, str, str, str, str, int, int, int, int, int]
"""One payee's number, key, name, categories out and in, the month, YYYYMM, or 0 for all of them, and the
four sums; a household has thousands."""


class MonthSums(NamedTuple):
    """One month's signed sum (positive in) and row count."""

    month: int
    total: int
    rows: int


LOAN_CATEGORY = (
    "CASE WHEN payee.category_out IN ('mortgage', 'loan_payment') THEN payee.category_out"
    " WHEN lower(coalesce(peer.subtype, '')) LIKE '%mortgage%' THEN 'mortgage'"
    " ELSE 'loan_payment' END"
)
"""The category of a linked loan's scheduled payment; the plan files it in the same way."""

PAIRED_CATEGORY = (
    f"CASE WHEN peer.kind = 'loan' THEN {LOAN_CATEGORY}"
    " WHEN EXISTS (SELECT 1 FROM rule WHERE rule.payee_no = payee.no AND rule.amount IS NULL"
    " AND rule.direction <> 'in')"
    " THEN payee.category_out ELSE 'uncategorized' END"
)
"""The category of a paired row that is spending: on a loan, or on an account in another currency."""


class SumCorrection(NamedTuple):
    """What a payee's sums of a month, YYYYMM, in a category are off by, signed as on statements.

    Rows are added that lie there by themselves, by their amount or by their pair, and taken off where
    they would lie by their payee alone; of a split row each part is one. `payee` is its number. It and
    `month` are 0 where they are not told apart, and `category` is empty.
    """

    payee: int
    category: str
    month: int
    total: int
    rows: int


def _paid(span: Span, *, by_month: bool) -> str:
    """The sums of each payee, and of each month where these are told apart."""
    # Few rows are inflows, so all are added up at once and the inflows apart.
    return (
        f"SELECT payee_no, {'day / 100' if by_month else '0'} AS month,"
        " sum(amount) AS total, count(*) AS count,"
        " coalesce(sum(amount) FILTER (WHERE amount >= 0), 0) AS inflow,"
        f" count(*) FILTER (WHERE amount >= 0) AS inflows FROM tx WHERE {span.where()}"
        f" GROUP BY payee_no{', day / 100' if by_month else ''}"
    )


def by_category(
    connection: Connection, span: Span, *, by_month: bool = False
) -> list[CategorySums]:
    """Sums for each pair of outflow and inflow category, and for each month where it is asked for."""
    rows = _run(
        connection,
        "SELECT category_out, category_in, month, sum(total), sum(count), sum(inflow), sum(inflows)"
        f" FROM ({_paid(span, by_month=by_month)}) AS paid"
        " JOIN payee ON payee.no = paid.payee_no GROUP BY category_out, category_in, month",
        span,
    )
    return [CategorySums(row[0], row[1], row[2], Sums(*row[3:])) for row in rows]


def by_payee(connection: Connection, span: Span, *, by_month: bool = False) -> Sequence[PayeeSums]:
    """Sums for each payee, and for each month where it is asked for."""
    return _run(
        connection,
        "SELECT payee.no, key, name, category_out, category_in, month, total, count, inflow, inflows"
        f" FROM ({_paid(span, by_month=by_month)}) AS paid"
        " JOIN payee ON payee.no = paid.payee_no",
        span,
    )


def by_month(connection: Connection, span: Span) -> list[MonthSums]:
    """Signed sums of all rows for each month, oldest first."""
    months: dict[int, tuple[int, int]] = {}
    # By day, because that is how the index is ordered.
    query = f"SELECT day, sum(amount), count(*) FROM tx WHERE {span.where()} GROUP BY day"
    for day, total, count in _run(connection, query, span):
        before = months.get(day // 100, (0, 0))
        months[day // 100] = (before[0] + total, before[1] + count)
    return [MonthSums(month, *months[month]) for month in sorted(months)]


def filed_by_month(
    connection: Connection, span: Span, categories: Sequence[str], *, elsewhere: bool = False
) -> list[MonthSums]:
    """Signed sums for each month of the rows whose category is one of some, or none of them.

    Only payees with such rows are looked at, so that it costs as much as there is to find.
    """
    among = "NOT IN" if elsewhere else "IN"
    rows = _run(
        connection,
        "SELECT day / 100, sum(amount), count(*) FROM tx JOIN payee ON payee.no = tx.payee_no"
        f" WHERE {span.where()} AND tx.payee_no IN (SELECT no FROM payee WHERE owner_no = :owner"
        f" AND (category_out {among} :categories OR category_in {among} :categories))"
        f" AND CASE WHEN amount < 0 THEN category_out ELSE category_in END {among} :categories"
        " GROUP BY day / 100 ORDER BY day / 100",
        span,
        categories=tuple(categories),
    )
    return [MonthSums(*row) for row in rows]


_LEFT = "CASE WHEN tx.amount < 0 THEN category_out ELSE category_in END"
"""Where a row would lie by its payee alone."""


class _Moves(NamedTuple):
    """Rows that are filed elsewhere than their payee, as SQL says them.

    `entered` is where a row or a part of it lies, `amount` what of it, and `leaving` where it would lie
    otherwise, None for a part: its row left as a whole.
    """

    entered: str
    rows: str
    where: str
    amount: str = "tx.amount"
    leaving: str | None = _LEFT


def corrections(
    connection: Connection, span: Span, *, by_month: bool = False
) -> list[SumCorrection]:
    """What the sums by payee miss of rows that are filed elsewhere than their payee, by category.

    They are told apart by month too where it is asked for.
    """
    month = "tx.day / 100" if by_month else "0"
    return [
        SumCorrection(0, category, of_month, total, rows)
        for moves in _all_moves(connection, span)
        for leaving, entered, of_month, amount, count in _run(
            connection,
            f"SELECT {moves.leaving or 'NULL'} AS left_category, {moves.entered} AS entered_category,"
            f" {month} AS of_month, sum({moves.amount}), count(*) FROM {moves.rows}"
            f" WHERE {moves.where} GROUP BY "
            + ", ".join(
                ["left_category"] * bool(moves.leaving)
                + ["entered_category"]
                + ["of_month"] * by_month
            ),
            span,
        )
        for category, total, rows in ((leaving, -amount, -count), (entered, amount, count))
        if category
    ]


def corrections_within(
    connection: Connection,
    span: Span,
    categories: Collection[str],
    *,
    by_payee: bool = False,
    by_month: bool = False,
) -> list[SumCorrection]:
    """The same of some categories together, by payee or month, or by both."""
    # Whoever sums up by payee has the texts of each, so that none is read here once more.
    payee = "tx.payee_no" if by_payee else "0"
    month = "tx.day / 100" if by_month else "0"
    groups = ", ".join(["tx.payee_no"] * by_payee + ["of_month"] * by_month)
    return [
        SumCorrection(number, "", of_month, total, rows)
        for moves in _all_moves(connection, span)
        for number, of_month, total, rows in _run(
            connection,
            f"SELECT {payee}, {month} AS of_month, {_sums_within(moves)} GROUP BY {groups}",
            span,
            wanted=tuple(categories),
        )
    ]


def by_tags_and_month(
    connection: Connection, span: Span, categories: Collection[str]
) -> Iterator[tuple[str, int, int, int]]:
    """The tags of rows, their month, YYYYMM, signed sum and count, in some categories together.

    A set of tags may come several times in a month: what is filed elsewhere than its payee is by itself.
    """
    of_row = (
        "(SELECT tags FROM single_word WHERE tx_no = tx.no) AS of_row, tx.day / 100 AS of_month"
    )
    queries = [
        (
            "SELECT word.tags, tx.day / 100, sum(tx.amount), count(*)"
            " FROM single_word AS word CROSS JOIN tx CROSS JOIN payee"
            " WHERE word.owner_no = :owner AND word.tags IS NOT NULL AND tx.no = word.tx_no"
            f" AND payee.no = tx.payee_no AND {_LEFT} IN :wanted AND {span.where(by_day=False)}"
            " GROUP BY word.tags, tx.day / 100"
        ),
        *(
            f"SELECT {of_row}, {_sums_within(moves)} GROUP BY of_row, of_month"
            for moves in _all_moves(connection, span)
        ),
    ]
    for query in queries:
        for tags, month, total, rows in _run(connection, query, span, wanted=tuple(categories)):
            if tags is not None:
                yield tags, month, total, rows


def _sums_within(moves: _Moves) -> str:
    """What came in among the wanted categories, less what went from there."""
    entered = f"{moves.entered} IN :wanted"
    if moves.leaving is None:
        sums, moved = f"sum({moves.amount}), count(*)", entered
    else:
        # Most stay among the wanted ones, and a list of categories takes its time to look through.
        sums = (
            f"sum(CASE WHEN {entered} THEN {moves.amount} ELSE -{moves.amount} END),"
            f" sum(CASE WHEN {entered} THEN 1 ELSE -1 END)"
        )
        moved = f"({entered}) <> ({moves.leaving} IN :wanted)"
    return f"{sums} FROM {moves.rows} WHERE {moves.where} AND {moved}"


def _all_moves(connection: Connection, span: Span) -> list[_Moves]:
    by_amount = [_by_amount(span)] if _has_amount_rules(connection, span.owner) else []
    return [_by_word(span), _by_part(span), _by_pair(span), _by_fee(span), *by_amount]


# There are few such rows, so each looks up what belongs to it; the cross joins keep that order.
def _by_word(span: Span) -> _Moves:
    return _Moves(
        entered="tx.filed",
        rows="tx CROSS JOIN payee",
        where=f"{_filed(span)} AND payee.no = tx.payee_no",
    )


def _by_part(span: Span) -> _Moves:
    # A part is added wherever its row was, so its payee is not looked up.
    return _Moves(
        entered="part.category",
        amount="part.amount",
        leaving=None,
        rows="tx CROSS JOIN single_word AS word CROSS JOIN word_part AS part",
        where=f"{_filed(span)} AND tx.filed = '{IN_PARTS}' AND word.tx_no = tx.no"
        " AND part.owner_no = :owner AND part.word_no = word.no",
    )


def _filed(span: Span) -> str:
    return f"{span.where(by_day=False)} AND tx.filed IS NOT NULL AND tx.transfer_no IS NULL"


def _by_pair(span: Span) -> _Moves:
    return _Moves(
        # Of a transfer with a fee no other part is spending.
        entered=f"CASE WHEN transfer.fee > 0 THEN '{IN_PARTS}' ELSE {PAIRED_CATEGORY} END",
        rows="transfer CROSS JOIN tx CROSS JOIN payee CROSS JOIN account AS peer",
        where="transfer.owner_no = :owner AND transfer.counts = 1 AND tx.no = transfer.out_no"
        f" AND payee.no = tx.payee_no AND peer.no = tx.peer_no AND {span.where()}",
    )


def _by_fee(span: Span) -> _Moves:
    return _Moves(
        entered=f"'{FEE_CATEGORY}'",
        amount="-transfer.fee",
        leaving=None,
        rows="transfer CROSS JOIN tx",
        where="transfer.owner_no = :owner AND transfer.fee > 0 AND tx.no = transfer.out_no"
        f" AND {span.where(by_day=False)}",
    )


def _by_amount(span: Span) -> _Moves:
    return _Moves(
        entered="rule.category",
        rows="rule JOIN payee ON payee.no = rule.payee_no"
        " JOIN tx ON tx.payee_no = rule.payee_no AND tx.amount = -rule.amount",
        where="rule.amount IS NOT NULL AND tx.transfer_no IS NULL AND tx.filed IS NULL"
        f" AND {span.where()}",
    )


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
    result = connection.exec_driver_sql(
        "SELECT 1 FROM rule WHERE owner_no = ? AND amount IS NOT NULL LIMIT 1", (owner,)
    )
    return result.first() is not None


def _run(connection: Connection, query: str, span: Span, **extra: Any) -> list[Any]:
    values: dict[str, Any] = {}
    for name, value in {**span.values(), **extra}.items():
        if isinstance(value, tuple):
            marks = {f"{name}_{index}": member for index, member in enumerate(value)}
            query = re.sub(rf":{name}\b", f"({', '.join(f':{mark}' for mark in marks)})", query)
            values |= marks
        else:
            values[name] = value
    # A statement that SQLAlchemy takes apart costs a millisecond more, and so do rows that it wraps.
    with closing(connection.exec_driver_sql(query, values)) as result:
        return list(result.cursor.fetchall())

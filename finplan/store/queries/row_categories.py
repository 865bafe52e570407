"""Which category a row shows: by its pair, by the person's word on it, by a rule, or by its payee."""

from typing import Any

from sqlalchemy import Boolean, and_, case, false, func, literal_column, or_, select
from sqlalchemy.sql import ColumnElement

from finplan.store.queries.single_words import FILES_ROW
from finplan.store.queries.spending import PAIRED_CATEGORY
from finplan.store.tables.tables import (
    account,
    payee,
    pending,
    rule,
    single_word,
    transfer,
    tx,
    word_part,
)

peer = account.alias("peer")
word_on_row = single_word.alias("word")
MOVED = and_(tx.c.peer_no.is_not(None), tx.c.counts == 0)
"""A row that is one half of a transfer and no spending."""

_IS_SAVING = or_(tx.c.amount < 0, transfer.c.counts == 0)
"""Whether a move between two currencies is saving: out, or back from an account that keeps money."""


def posted_category() -> ColumnElement[str]:
    """A posted row's category: by its pair, else by the word on it, else by the rules."""
    return case(
        (MOVED, _moved_category()),
        (tx.c.peer_no.is_not(None), literal_column(PAIRED_CATEGORY)),
        else_=func.coalesce(_own_category(), _ruled_category(tx)),
    )


def pending_category() -> ColumnElement[str]:
    """A pending row's category: by the word on it, else by the rules."""
    return func.coalesce(_own_category(), _ruled_category(pending))


def is_filed() -> ColumnElement[bool]:
    """Whether the word on a row, if any, says what it is for."""
    return func.coalesce(literal_column(FILES_ROW, Boolean()), false())


def _own_category() -> ColumnElement[str]:
    """The category of the word on a row, of a split one that of its largest part; NULL without one."""
    largest = (
        select(word_part.c.category)
        .where(word_part.c.word_no == word_on_row.c.no)
        .order_by(func.abs(word_part.c.amount).desc(), word_part.c.place)
        .limit(1)
        .scalar_subquery()
    )
    return func.coalesce(word_on_row.c.category, largest)


def _moved_category() -> ColumnElement[str]:
    """What a paired move is called, by the kinds of the two accounts."""
    return case(
        (or_(account.c.kind == "credit", peer.c.kind == "credit"), "card_payment"),
        (and_(peer.c.kind == "loan", tx.c.amount > 0), "loan_proceeds"),
        (peer.c.kind == "loan", "extra_principal"),
        (peer.c.kind == "investment", "investing"),
        (and_(peer.c.currency != account.c.currency, _IS_SAVING), "savings"),
        else_="transfer",
    )


def _ruled_category(rows: Any) -> ColumnElement[str]:
    return func.coalesce(amount_rule(rows, rule.c.category), _category_by_sign(rows))


def _category_by_sign(rows: Any) -> ColumnElement[str]:
    return case((rows.c.amount < 0, payee.c.category_out), else_=payee.c.category_in)


def amount_rule(rows: Any, column: Any) -> Any:
    """Of the rule of a row's exact amount, one column."""
    return (
        select(column)
        .where(rule.c.payee_no == rows.c.payee_no, rule.c.amount == -rows.c.amount)
        .scalar_subquery()
    )


def payee_rule(rows: Any, column: Any) -> Any:
    """Of the rule that files a row; one that files an employer's charges leaves the pay alone."""
    return (
        select(column)
        .where(
            rule.c.payee_no == payee.c.no,
            rule.c.amount.is_(None),
            rule.c.direction.in_([case((rows.c.amount < 0, "out"), else_="in"), "both"]),
            rule.c.category == _category_by_sign(rows),
        )
        .order_by(rule.c.direction == "both")
        .limit(1)
        .scalar_subquery()
    )

"""Transactions as a person reads them: newest first, a page at a time."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement, Select

from finplan.categorise.catalogue import FEE_CATEGORY
from finplan.model.account import SAVINGS_SUBTYPES
from finplan.store.queries.row_filters import Filter, few_with_words, holds_all, older, within
from finplan.store.queries.rows import every
from finplan.store.queries.single_words import FILES_PENDING, IN_PARTS, RowNumber
from finplan.store.queries.spending import PAIRED_CATEGORY
from finplan.store.tables.tables import (
    account,
    duplicate_verdict,
    payee,
    pending,
    rule,
    single_word,
    transfer,
    tx,
    word_part,
)

_peer = account.alias("peer")
_word = single_word.alias("word")
_LOST = sa.and_(transfer.c.fee > 0, transfer.c.out_no == tx.c.no)
"""A row that left as part of a transfer of which a fee was kept."""

_MOVED = sa.and_(tx.c.peer_no.is_not(None), sa.or_(tx.c.counts == 0, _LOST))
"""A row that is one half of a transfer and no spending, but for a fee."""

_IS_SAVING = sa.or_(tx.c.amount < 0, transfer.c.counts == 0)
"""Whether a move between two currencies is saving: out, or back from an account that keeps money."""


def newest_first(
    connection: sa.Connection, which: Filter, before: tuple[int, int] | None, limit: int
) -> Sequence[sa.RowMapping]:
    """A page of posted rows; `before` is the day and number of the last row of the page before."""
    if which.words:
        which = few_with_words(connection, which, before, limit) or which
        if which.numbers == ():
            return []
    query = _posted(which).where(*older(before))
    query = query.order_by(tx.c.day.desc(), tx.c.no.desc()).limit(limit)
    return every(connection, query)


def oldest_first(
    connection: sa.Connection, which: Filter, after: tuple[int, int], limit: int
) -> Sequence[sa.RowMapping]:
    """A page of posted rows by day and number, upwards; `after` is those of the row before the page.

    Each has what tells it from equal rows too, and whether it is a leg of a transfer that `spends`.
    """
    day, no = after
    query = (
        _posted(which)
        .add_columns(
            tx.c.external_id,
            tx.c.code,
            tx.c.ordinal,
            tx.c.source.label("source_kind"),
            sa.and_(
                transfer.c.counts == 1, transfer.c.fee == 0, transfer.c.out_no == tx.c.no
            ).label("spends"),
        )
        .where(tx.c.day >= day, sa.or_(tx.c.day > day, tx.c.no > no))
        .order_by(tx.c.day, tx.c.no)
        .limit(limit)
    )
    return every(connection, query)


class CurrencyCount(NamedTuple):
    """How many posted rows in a currency there are, and what they add up to."""

    currency: str
    rows: int
    amount: int


def posted_sums(connection: sa.Connection, which: Filter) -> list[CurrencyCount]:
    """How many posted rows pass a filter and what they add up to, the currency of the most first.

    Of a split row only the parts in the categories of the filter are added.
    """
    rows = _posted(which).add_columns(_amount_within(which).label("within")).subquery()
    count = sa.func.count()
    query = (
        sa.select(rows.c.currency, count, sa.func.sum(rows.c.within))
        .group_by(rows.c.currency)
        .order_by(count.desc(), rows.c.currency)
    )
    return [CurrencyCount(*row) for row in connection.execute(query)]


def _amount_within(which: Filter) -> ColumnElement[int]:
    """What of a posted row lies in the categories of a filter that it passes."""
    if which.categories is None:
        return tx.c.amount
    parts = (
        sa.select(sa.func.sum(word_part.c.amount))
        .where(word_part.c.word_no == _word.c.no, word_part.c.category.in_(which.categories))
        .scalar_subquery()
    )
    is_in_parts = sa.and_(tx.c.peer_no.is_(None), tx.c.filed == IN_PARTS)
    lost = -transfer.c.fee
    amount = sa.case((_moved_category().in_(which.categories), tx.c.amount), else_=lost)
    arrived = amount if FEE_CATEGORY in which.categories else tx.c.amount - lost
    return sa.case((is_in_parts, parts), (_LOST, arrived), else_=tx.c.amount)


def pending_rows(connection: sa.Connection, which: Filter) -> Sequence[sa.RowMapping]:
    """All pending rows, newest first."""
    # NULL where there is no word.
    is_filed = sa.func.coalesce(sa.literal_column(FILES_PENDING, sa.Boolean()), sa.false())
    own = sa.case((is_filed, _own_category()), else_=_ruled_category(pending))
    query = (
        _select(pending, which, own, is_filed)
        .add_columns(sa.literal(None).label("by_pair"), sa.literal(0).label("fee"))
        .outerjoin(_word, _word.c.pending_no == pending.c.no)
        .order_by(pending.c.day.desc(), pending.c.no.desc())
    )
    return every(connection, query)


def find_row(connection: sa.Connection, owner: int, number: RowNumber) -> sa.RowMapping | None:
    """One row of a person's, pending or posted, as a page has it; None where it is not there."""
    which = Filter(owner, numbers=(number.no,))
    rows = pending_rows(connection, which) if number.pending else every(connection, _posted(which))
    return next(iter(rows), None)


def _posted(which: Filter) -> Select[Any]:
    """All posted rows that pass a filter, each with its transfer and the category that it shows."""
    category = sa.case(
        (_MOVED, _moved_category()),
        (tx.c.peer_no.is_not(None), sa.literal_column(PAIRED_CATEGORY)),
        (tx.c.filed.is_not(None), _own_category()),
        else_=_ruled_category(tx),
    )
    by_itself = sa.and_(tx.c.peer_no.is_(None), tx.c.filed.is_not(None))
    return (
        _select(tx, which, category, by_itself, _LOST)
        .add_columns(
            transfer.c.id.label("transfer_id"),
            sa.case((_LOST, transfer.c.fee), else_=0).label("fee"),
            _by_pair(category).label("by_pair"),
        )
        .outerjoin(_word, _word.c.tx_no == tx.c.no)
        .outerjoin(transfer, transfer.c.no == tx.c.transfer_no)
        .outerjoin(_peer, _peer.c.no == tx.c.peer_no)
    )


def _select(
    rows: Any,
    which: Filter,
    category: ColumnElement[str],
    by_itself: ColumnElement[bool],
    lost: ColumnElement[bool] | None = None,
) -> Select[Any]:
    """The rows that pass a filter, with their category, and whether the person filed them themselves.

    A split row is of the categories of all its parts, and so is one that `lost` a fee.
    """
    query = (
        sa.select(
            rows.c.no,
            rows.c.day,
            rows.c.amount,
            rows.c.raw,
            payee.c.key.label("payee_key"),
            payee.c.name.label("payee"),
            payee.c.no.label("payee_no"),
            payee.c.source,
            payee.c.confidence,
            payee.c.why,
            payee.c.decided_out,
            payee.c.decided_in,
            account.c.id.label("account_id"),
            account.c.currency,
            category.label("category"),
            by_itself.label("by_itself"),
            sa.func.coalesce(_amount_rule(rows, rule.c.id), _payee_rule(rows, rule.c.id)).label(
                "rule_id"
            ),
        )
        .join(payee, payee.c.no == rows.c.payee_no)
        .join(account, account.c.no == rows.c.account_no)
        .where(*within(rows, which, scanned=which.numbers is not None))
    )
    if which.categories is not None:
        of_part = (
            sa.select(word_part.c.no)
            .where(word_part.c.word_no == _word.c.no, word_part.c.category.in_(which.categories))
            .exists()
        )
        within_parts = [sa.and_(by_itself, of_part)]
        if lost is not None and FEE_CATEGORY in which.categories:
            within_parts.append(lost)
        query = query.where(sa.or_(category.in_(which.categories), *within_parts))
    return query.where(*holds_all(rows, which))


def _own_category() -> ColumnElement[str]:
    """The category of the word on a row, of a split one that of its largest part; NULL without one."""
    largest = (
        sa.select(word_part.c.category)
        .where(word_part.c.word_no == _word.c.no)
        .order_by(sa.func.abs(word_part.c.amount).desc(), word_part.c.place)
        .limit(1)
        .scalar_subquery()
    )
    return sa.func.coalesce(_word.c.category, largest)


def _by_pair(category: ColumnElement[str]) -> ColumnElement[str]:
    """What of its other half files a row, `move`, `loan` or `currency`; NULL where its payee does."""
    return sa.case(
        (tx.c.peer_no.is_(None), None),
        (_MOVED, "move"),
        (category == _ruled_category(tx), None),
        (_peer.c.kind == "loan", "loan"),
        else_="currency",
    )


def _moved_category() -> ColumnElement[str]:
    """What a paired move is called, by the kinds of the two accounts."""
    return sa.case(
        (sa.or_(account.c.kind == "credit", _peer.c.kind == "credit"), "card_payment"),
        (sa.and_(_peer.c.kind == "loan", tx.c.amount > 0), "loan_proceeds"),
        (_peer.c.kind == "loan", "extra_principal"),
        (_peer.c.kind == "investment", "investing"),
        (sa.and_(_peer.c.currency != account.c.currency, _IS_SAVING), "savings"),
        (_is_put_aside(), "savings"),
        else_="transfer",
    )


def _is_put_aside() -> ColumnElement[bool]:
    """Whether the other account is one of savings that the person hides, and no duplicate."""
    subtype = sa.func.lower(_peer.c.subtype)
    for mark in (" ", "_", "-"):
        subtype = sa.func.replace(subtype, mark, "")
    is_duplicate = (
        sa.select(duplicate_verdict.c.no)
        .where(
            duplicate_verdict.c.owner_no == _peer.c.owner_no,
            duplicate_verdict.c.verdict == "same",
            duplicate_verdict.c.other_account == _peer.c.id,
        )
        .exists()
    )
    return sa.and_(
        _peer.c.hidden == 1,
        _peer.c.kind == "depository",
        subtype.in_(sorted(SAVINGS_SUBTYPES)),
        sa.not_(is_duplicate),
    )


def _ruled_category(rows: Any) -> ColumnElement[str]:
    return sa.func.coalesce(_amount_rule(rows, rule.c.category), _category_by_sign(rows))


def _category_by_sign(rows: Any) -> ColumnElement[str]:
    return sa.case((rows.c.amount < 0, payee.c.category_out), else_=payee.c.category_in)


def _amount_rule(rows: Any, column: Any) -> Any:
    return (
        sa.select(column)
        .where(rule.c.payee_no == rows.c.payee_no, rule.c.amount == -rows.c.amount)
        .scalar_subquery()
    )


def _payee_rule(rows: Any, column: Any) -> Any:
    """Of the rule that files a row; one that files an employer's charges leaves the pay alone."""
    return (
        sa.select(column)
        .where(
            rule.c.payee_no == payee.c.no,
            rule.c.amount.is_(None),
            rule.c.direction.in_([sa.case((rows.c.amount < 0, "out"), else_="in"), "both"]),
            rule.c.category == _category_by_sign(rows),
        )
        .order_by(rule.c.direction == "both")
        .limit(1)
        .scalar_subquery()
    )

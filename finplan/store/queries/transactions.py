"""Transactions as a person reads them: newest first, a page at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    RowMapping,
    and_,
    case,
    false,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.sql import ColumnElement, Select

from finplan.store.engine import by_no_index, holds_word
from finplan.store.queries.row_categories import (
    MOVED,
    amount_rule,
    is_filed,
    payee_rule,
    peer,
    pending_category,
    posted_category,
    word_on_row,
)
from finplan.store.queries.single_words import RowNumber
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

_FEW = 5000
"""Rows of which the newest are picked in less time than it takes to look for them in order."""

_FEW_LOOKED_UP = 500
"""Rows whose categories are worked out in less time than that."""

_FEW_WALKED = 15_000
"""Rows that are read day by day in less time than it takes to read all of many rows as they lie."""

_FEW_PAYEES = 8
"""Payees that are told apart in each row in less time than they are looked up."""


class SoughtWord(NamedTuple):
    """A folded word, and the payees in whose names it stands; None where they are not few.

    `noted` is whether it stands in a note.
    """

    word: str
    payees: tuple[int, ...] | None
    noted: bool


class AccountSizes(NamedTuple):
    """From which to which size, without sign, the amounts of some accounts are; None is no bound."""

    accounts: tuple[int, ...]
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows; None means all, days are YYYYMMDD inclusive.

    Each of the `words` stands in a row's text, its payee's name or a note on it; `numbers` are those of
    rows that are known already.
    """

    owner: int
    since: int | None = None
    until: int | None = None
    accounts: tuple[int, ...] | None = None
    payees: tuple[int, ...] | None = None
    categories: tuple[str, ...] | None = None
    words: tuple[SoughtWord, ...] = ()
    numbers: tuple[int, ...] | None = None
    sizes: tuple[AccountSizes, ...] | None = None


def sought(connection: Connection, owner: int, words: Sequence[str]) -> tuple[SoughtWord, ...]:
    """Folded words as a filter takes them."""
    words_sought = []
    for word in words:
        called = tuple(connection.execute(_called(owner, word).limit(_FEW_PAYEES + 1)).scalars())
        noted = connection.execute(_noted(single_word.c.no, owner, word).limit(1)).first()
        few = called if len(called) <= _FEW_PAYEES else None
        words_sought.append(SoughtWord(word, few, noted is not None))
    return tuple(words_sought)


def newest_first(
    connection: Connection, which: Filter, before: tuple[int, int] | None, limit: int
) -> Sequence[RowMapping]:
    """A page of posted rows; `before` is the day and number of the last row of the page before."""
    if which.words:
        which = _few_with_words(connection, which, before, limit) or which
        if which.numbers == ():
            return []
    query = _posted(which).where(*_older(before))
    query = query.order_by(tx.c.day.desc(), tx.c.no.desc()).limit(limit)
    return connection.execute(query).mappings().all()


def oldest_first(
    connection: Connection, which: Filter, after: tuple[int, int], limit: int
) -> Sequence[RowMapping]:
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
            and_(transfer.c.counts == 1, transfer.c.out_no == tx.c.no).label("spends"),
        )
        .where(tx.c.day >= day, or_(tx.c.day > day, tx.c.no > no))
        .order_by(tx.c.day, tx.c.no)
        .limit(limit)
    )
    return connection.execute(query).mappings().all()


class CurrencyCount(NamedTuple):
    """How many posted rows in a currency there are, and what they add up to."""

    currency: str
    rows: int
    amount: int


def posted_sums(connection: Connection, which: Filter) -> list[CurrencyCount]:
    """How many posted rows pass a filter and what they add up to, the currency of the most first."""
    rows = _posted(which).subquery()
    count = func.count()
    query = (
        select(rows.c.currency, count, func.sum(rows.c.amount))
        .group_by(rows.c.currency)
        .order_by(count.desc(), rows.c.currency)
    )
    return [CurrencyCount(*row) for row in connection.execute(query)]


def pending_rows(connection: Connection, which: Filter) -> Sequence[RowMapping]:
    """All pending rows, newest first."""
    query = (
        _select(pending, which, pending_category(), is_filed())
        .add_columns(literal(0).label("moved"))
        .outerjoin(word_on_row, word_on_row.c.pending_no == pending.c.no)
        .order_by(pending.c.day.desc(), pending.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def find_row(connection: Connection, owner: int, number: RowNumber) -> RowMapping | None:
    """One row of a person's, pending or posted, as a page has it; None where it is not there."""
    which = Filter(owner, numbers=(number.no,))
    found = pending_rows(connection, which) if number.pending else _one(connection, which)
    return next(iter(found), None)


def _one(connection: Connection, which: Filter) -> Sequence[RowMapping]:
    return connection.execute(_posted(which)).mappings().all()


def _posted(which: Filter) -> Select[Any]:
    """All posted rows that pass a filter, each with its transfer and the category that it shows."""
    return (
        _select(tx, which, posted_category(), and_(tx.c.peer_no.is_(None), is_filed()))
        .add_columns(
            transfer.c.id.label("transfer_id"),
            case((MOVED, 1), else_=0).label("moved"),
        )
        .outerjoin(word_on_row, word_on_row.c.tx_no == tx.c.no)
        .outerjoin(transfer, transfer.c.no == tx.c.transfer_no)
        .outerjoin(peer, peer.c.no == tx.c.peer_no)
    )


def _select(
    rows: Any, which: Filter, category: ColumnElement[str], by_itself: ColumnElement[bool]
) -> Select[Any]:
    """The rows that pass a filter, with their category, and whether the person filed them themselves.

    A split row is of the categories of all its parts.
    """
    query = (
        select(
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
            func.coalesce(amount_rule(rows, rule.c.id), payee_rule(rows, rule.c.id)).label(
                "rule_id"
            ),
        )
        .join(payee, payee.c.no == rows.c.payee_no)
        .join(account, account.c.no == rows.c.account_no)
        .where(*_within(rows, which, scanned=which.numbers is not None))
    )
    if which.categories is not None:
        of_part = (
            select(word_part.c.no)
            .where(
                word_part.c.word_no == word_on_row.c.no, word_part.c.category.in_(which.categories)
            )
            .exists()
        )
        query = query.where(or_(category.in_(which.categories), and_(by_itself, of_part)))
    return query.where(*_holds_all(rows, which))


def _is_of_size(rows: Any, sizes: AccountSizes) -> ColumnElement[bool]:
    conditions = [rows.c.account_no.in_(sizes.accounts)]
    if sizes.least is not None:
        conditions.append(func.abs(rows.c.amount) >= sizes.least)
    if sizes.most is not None:
        conditions.append(func.abs(rows.c.amount) <= sizes.most)
    return and_(*conditions)


def _within(rows: Any, which: Filter, *, scanned: bool) -> Iterator[ColumnElement[bool]]:
    """All of a filter but its words and categories; what is `scanned` is not looked up by the owner."""
    yield (by_no_index(rows.c.owner_no) if scanned else rows.c.owner_no) == which.owner
    if which.since is not None:
        yield rows.c.day >= which.since
    if which.until is not None:
        yield rows.c.day <= which.until
    if which.accounts is not None:
        yield rows.c.account_no.in_(which.accounts)
    if which.payees is not None:
        yield rows.c.payee_no.in_(which.payees)
    if which.sizes is not None:
        yield or_(false(), *(_is_of_size(rows, sizes) for sizes in which.sizes))
    if which.numbers is not None:
        yield rows.c.no.in_(which.numbers)


def _holds_all(rows: Any, which: Filter) -> Iterator[ColumnElement[bool]]:
    """Each word stands in a row's text, in its payee's name, or in what the person noted on it."""
    # Most rows are out by the first word, so the rarest, which stands in the fewest names, is the first.
    for word, payees, is_noted in sorted(which.words, key=_commonness):
        places = [holds_word(rows.c.raw, word)]
        if payees is None:
            places.append(rows.c.payee_no.in_(_called(which.owner, word)))
        else:
            places += (by_no_index(rows.c.payee_no) == each for each in payees)
        if is_noted:
            column = single_word.c.pending_no if rows is pending else single_word.c.tx_no
            places.append(rows.c.no.in_(_noted(column, which.owner, word)))
        yield or_(*places)


def _noted(column: ColumnElement[int], owner: int, word: str) -> Select[Any]:
    """A column of the words on rows in whose notes, or those on a part, a word stands."""
    of_part = select(word_part.c.word_no).where(
        word_part.c.owner_no == owner, holds_word(func.coalesce(word_part.c.note, ""), word)
    )
    return select(column).where(
        single_word.c.owner_no == owner,
        column.is_not(None),
        or_(
            holds_word(func.coalesce(single_word.c.note, ""), word),
            single_word.c.no.in_(of_part),
        ),
    )


def _commonness(word: SoughtWord) -> int:
    return _FEW_PAYEES + 1 if word.payees is None else len(word.payees)


def _called(owner: int, word: str) -> Select[Any]:
    """The numbers of the payees in whose name a word stands."""
    return select(payee.c.no).where(payee.c.owner_no == owner, _is_called(word))


def _is_called(word: str) -> ColumnElement[bool]:
    """Whether a word stands in a payee's name, whose apostrophes many people leave out."""
    name = payee.c.name
    plain = func.replace(name, "'", "")
    return or_(holds_word(name, word), and_(name.contains("'"), holds_word(plain, word)))


def _few_with_words(
    connection: Connection, which: Filter, before: tuple[int, int] | None, limit: int
) -> Filter | None:
    """The filter with the numbers of its rows in place of its words, None where these are not few.

    To find words of few rows, all rows are read, which takes half the time in the order in which they
    lie; words of many rows soon fill a page in its own order.
    """
    few = _FEW_LOOKED_UP
    if which.categories is None:
        few = _FEW
        which = _no_older_than_payees(connection, which, before, limit)
    walked = which.payees is not None or _begins_lately(connection, which)
    query = select(tx.c.day, tx.c.no).where(
        *_within(tx, which, scanned=not walked), *_older(before), *_holds_all(tx, which)
    )
    found = [(day, no) for day, no in connection.execute(query.limit(few + 1))]
    if len(found) > few:
        return None
    if which.categories is None:
        found = sorted(found)[-limit:]
    return replace(which, words=(), numbers=tuple(no for _, no in found))


def _no_older_than_payees(
    connection: Connection, which: Filter, before: tuple[int, int] | None, limit: int
) -> Filter:
    """The filter from the day on which payees that are called so have filled a page, when they do.

    A row of a payee in whose name all words stand is found without its text, so that of what is bought
    often no old texts are read.
    """
    if any(each.payees == () for each in which.words):
        return which
    called = select(payee.c.no).where(
        payee.c.owner_no == which.owner,
        *(_is_called(each.word) for each in which.words),
    )
    days = (
        select(tx.c.day)
        .where(*_within(tx, which, scanned=False), *_older(before))
        # An index knows the payees of rows that count, and by days no payee is found quickly.
        .where(tx.c.counts == 1, tx.c.payee_no.in_(called))
        .order_by(by_no_index(tx.c.day).desc())
    )
    full = connection.execute(days.offset(limit - 1).limit(1)).scalar()
    return which if full is None else replace(which, since=full)


def _begins_lately(connection: Connection, which: Filter) -> bool:
    """Whether few rows are as young as a filter's first day."""
    if which.since is None:
        return False
    days = select(tx.c.day).where(tx.c.owner_no == which.owner).order_by(tx.c.day.desc())
    last = connection.execute(days.offset(_FEW_WALKED).limit(1)).scalar()
    return last is None or last < which.since


def _older(before: tuple[int, int] | None) -> Iterator[ColumnElement[bool]]:
    """That a row comes after the last one of the page before."""
    if before is not None:
        day, no = before
        yield tx.c.day <= day
        yield or_(tx.c.day < day, tx.c.no < no)

"""Which rows a question names: their days, accounts, payees, sizes and words, as conditions of SQL."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement, Select

from finplan.store.engine import (
    by_no_index,
    holds_bound,
    holds_word,
    pattern_of,
)
from finplan.store.queries.rows import is_any
from finplan.store.tables.tables import payee, pending, single_word, tx, word_part

_FEW = 5000
"""Rows of which the newest are picked in less time than it takes to look for them in order."""

_FEW_LOOKED_UP = 500
"""Rows whose categories are worked out in less time than that."""

_FEW_WALKED = 15_000
"""Rows that are read day by day in less time than it takes to read all of many rows as they lie."""

_FEW_PAYEES = 8
"""Payees that are told apart in each row in less time than they are looked up."""

_NEWEST_OF_PAYEES = 1000
"""Rows of the payees that a word names whose texts are read before those of all rows are."""

_RARE_FIRST = "qjzxvkwyfbgpmuhdclrsnioate"
"""The letters by how seldom they stand in what banks write."""


class SoughtWord(NamedTuple):
    """A folded word, and the payees in whose names it stands; None where they are not few.

    `noted` is whether it stands in a note, `foreign` whether any row's text is not all of ASCII.
    """

    text: str
    payees: tuple[int, ...] | None
    noted: bool
    foreign: bool


class AccountSizes(NamedTuple):
    """From which to which size, without sign, the amounts of some accounts are; None is no bound."""

    accounts: tuple[int, ...]
    least: int | None
    most: int | None


class SoughtTags(NamedTuple):
    """JSON lists of what stands in a row's tags, as `^ japan $`; `none` takes rows without any, too."""

    lists: str
    none: bool


@dataclass(frozen=True, slots=True)
class RowBounds:
    """Whose rows, of which days, payees, accounts and tags; None means all, days are YYYYMMDD inclusive.

    A row has all that one list of `tags` looks for in it.
    """

    owner: int
    since: int | None = None
    until: int | None = None
    payees: tuple[int, ...] | None = None
    accounts: tuple[int, ...] | None = None
    tags: SoughtTags | None = None


_TAGGED = (
    "SELECT {column} FROM single_word AS word WHERE word.owner_no = :owner AND word.tags IS NOT NULL"
    " AND {column} IS NOT NULL"
)
_BEARS_SOUGHT = (
    " AND EXISTS (SELECT 1 FROM json_each(:tags) AS sought WHERE NOT EXISTS (SELECT 1 FROM"
    " json_each(sought.value) AS tag WHERE instr('^ ' || word.tags || ' $', tag.value) = 0))"
)


def _bears(rows: str, column: str, tags: SoughtTags) -> str:
    tagged = _TAGGED.format(column=column)
    bears = f"{rows}.no IN ({tagged}{_BEARS_SOUGHT})"
    return f"({bears} OR {rows}.no NOT IN ({tagged}))" if tags.none else bears


@dataclass(frozen=True, slots=True)
class Span(RowBounds):
    """The rows that a sum is of."""

    def where(self, *, by_day: bool = True) -> str:
        """The condition that every sum shares; it fits the covering indexes.

        A bound that is not needed is left out, so that the whole ledger is read in the order of the
        payees instead of being gathered day by day. Without `by_day` no index is chosen by the days, nor
        by what counts: few rows are asked for, which another one has.
        """
        plain = "" if by_day else "+"
        conditions = ["tx.owner_no = :owner", f"{plain}tx.counts = 1"]
        if self.since is not None:
            conditions.append(f"{plain}tx.day >= :since")
        if self.until is not None:
            conditions.append(f"{plain}tx.day <= :until")
        if self.payees is not None:
            conditions.append("tx.payee_no IN :payees")
        if self.accounts is not None:
            conditions.append(f"{plain}tx.account_no IN :accounts")
        if self.tags is not None:
            conditions.append(_bears("tx", "tx_no", self.tags))
        return " AND ".join(conditions)

    def values(self) -> dict[str, Any]:
        """The values of the condition's parameters."""
        bounds = {field.name: getattr(self, field.name) for field in fields(self)}
        bounds["tags"] = None if self.tags is None else self.tags.lists
        return {name: value for name, value in bounds.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Filter(RowBounds):
    """The rows that are listed, by what they are and say besides.

    Each of the `words` stands in a row's text, its payee's name or a note on it; `numbers` are those of
    rows that are known already.
    """

    categories: tuple[str, ...] | None = None
    words: tuple[SoughtWord, ...] = ()
    numbers: tuple[int, ...] | None = None
    sizes: tuple[AccountSizes, ...] | None = None


def sought(connection: sa.Connection, owner: int, terms: Sequence[str]) -> tuple[SoughtWord, ...]:
    """Folded words as a filter takes them."""
    has_notes, has_foreign = _has_notes_and_foreign(connection, owner)
    words_sought = []
    for term in terms:
        bound = {"owner": owner, "word": term, "pattern": pattern_of(term), "most": _FEW_PAYEES + 1}
        called = tuple(connection.execute(_NAMED[term.isascii()], bound).scalars())
        few = called if len(called) <= _FEW_PAYEES else None
        is_noted = has_notes and _is_noted(connection, owner, term)
        words_sought.append(SoughtWord(term, few, is_noted, has_foreign))
    return tuple(words_sought)


def _has_notes_and_foreign(connection: sa.Connection, owner: int) -> tuple[bool, bool]:
    """Whether a person wrote any note, and whether any row's text is not all of ASCII."""
    of_row = sa.select(single_word.c.no).where(
        single_word.c.owner_no == owner,
        sa.or_(single_word.c.note.is_not(None), single_word.c.tags.is_not(None)),
    )
    of_part = sa.select(word_part.c.no).where(
        word_part.c.owner_no == owner, word_part.c.note.is_not(None)
    )
    foreign = sa.select(tx.c.no).where(tx.c.owner_no == owner, tx.c.folded.is_not(None))
    has_notes, has_foreign = connection.execute(
        sa.select(sa.union_all(of_row, of_part).exists(), foreign.exists())
    ).one()
    return bool(has_notes), bool(has_foreign)


def _is_noted(connection: sa.Connection, owner: int, term: str) -> bool:
    return is_any(connection, _noted(single_word.c.no, owner, term))


def _is_of_size(rows: Any, sizes: AccountSizes) -> ColumnElement[bool]:
    conditions = [rows.c.account_no.in_(sizes.accounts)]
    if sizes.least is not None:
        conditions.append(sa.func.abs(rows.c.amount) >= sizes.least)
    if sizes.most is not None:
        conditions.append(sa.func.abs(rows.c.amount) <= sizes.most)
    return sa.and_(*conditions)


def within(rows: Any, which: Filter, *, scanned: bool) -> Iterator[ColumnElement[bool]]:
    """All of a filter but its words and categories; what is `scanned` is not looked up by the owner."""
    # SQLite asks in this order, and most of what is scanned is out by its day.
    if which.since is not None:
        yield rows.c.day >= which.since
    if which.until is not None:
        yield rows.c.day <= which.until
    yield (by_no_index(rows.c.owner_no) if scanned else rows.c.owner_no) == which.owner
    if which.accounts is not None:
        yield rows.c.account_no.in_(which.accounts)
    if which.payees is not None:
        yield rows.c.payee_no.in_(which.payees)
    if which.sizes is not None:
        yield sa.or_(sa.false(), *(_is_of_size(rows, sizes) for sizes in which.sizes))
    if which.numbers is not None:
        yield rows.c.no.in_(which.numbers)
    if which.tags is not None:
        column = "pending_no" if rows is pending else "tx_no"
        bears = sa.text(_bears(rows.name, column, which.tags))
        yield sa.and_(bears.bindparams(owner=which.owner, tags=which.tags.lists))


def holds_all(rows: Any, which: Filter) -> Iterator[ColumnElement[bool]]:
    """Each word stands in a row's text, in its payee's name, or in what the person noted on it."""
    # Most rows are out by the first word, so one that is rare and soon looked for is the first.
    for term, payees, is_noted, has_foreign in sorted(which.words, key=_effort):
        in_text = tuple(_in_text(term, foreign=has_foreign))
        places = [sa.or_(sa.false(), *in_text) if rows is tx else holds_word(rows.c.raw, term)]
        if payees is None:
            places.append(rows.c.payee_no.in_(_called(which.owner, term)))
        else:
            places += (by_no_index(rows.c.payee_no) == number for number in payees)
        if is_noted:
            column = single_word.c.pending_no if rows is pending else single_word.c.tx_no
            places.append(rows.c.no.in_(_noted(column, which.owner, term)))
        yield sa.or_(*places)


def _in_text(term: str, *, foreign: bool) -> Iterator[ColumnElement[bool]]:
    """Where a word may stand in a posted row's text: as it is, or as it is kept folded."""
    pattern = pattern_of(term)
    # SQLite takes longer where it is told of a sign that escapes others, and few words need one.
    escape = "\\" if "\\" in pattern else None
    if term.isascii():
        yield tx.c.raw.like(pattern, escape=escape)
    if foreign:
        yield tx.c.folded.like(pattern, escape=escape)


def _noted(column: ColumnElement[int], owner: int, term: str) -> Select[Any]:
    """A column of the words on rows in whose notes, those on a part, or tags a word stands."""
    of_part = sa.select(word_part.c.word_no).where(
        word_part.c.owner_no == owner, holds_word(sa.func.coalesce(word_part.c.note, ""), term)
    )
    return sa.select(column).where(
        single_word.c.owner_no == owner,
        column.is_not(None),
        sa.or_(
            holds_word(sa.func.coalesce(single_word.c.note, ""), term),
            holds_word(
                sa.func.coalesce("#" + sa.func.replace(single_word.c.tags, " ", " #"), ""), term
            ),
            single_word.c.no.in_(of_part),
        ),
    )


def _effort(term: SoughtWord) -> tuple[bool, int]:
    """What to order words by: whether they stand in many names, and how common their first letter is.

    SQLite finds the places of that letter at once, and compares the rest of the word at each.
    """
    return term.payees is None, _RARE_FIRST.find(term.text[0])


def _called(owner: int, term: str) -> Select[Any]:
    """The numbers of the payees in whose name a word stands."""
    is_called = _is_called(partial(holds_word, term=term))
    return sa.select(payee.c.no).where(by_no_index(payee.c.owner_no) == owner, is_called)


def _is_called(
    holds: Callable[[ColumnElement[str]], ColumnElement[bool]],
) -> ColumnElement[bool]:
    """Whether a word stands in a payee's name, whose apostrophes many people leave out."""
    name = payee.c.name
    return sa.or_(holds(name), sa.and_(name.contains("'"), holds(sa.func.replace(name, "'", ""))))


# To put such a statement together takes as long as to look through all names.
_NAMED = {
    plain: sa.select(payee.c.no)
    .where(
        by_no_index(payee.c.owner_no) == sa.bindparam("owner", type_=sa.BigInteger()),
        _is_called(
            partial(
                holds_bound,
                term=sa.bindparam("word", type_=sa.String()),
                pattern=sa.bindparam("pattern", type_=sa.String()),
                plain=plain,
            )
        ),
    )
    .limit(sa.bindparam("most", type_=sa.Integer()))
    for plain in (False, True)
}
"""The payees in whose names a word stands, by whether that is one of ASCII, at most so many."""


def few_with_words(
    connection: sa.Connection, which: Filter, before: tuple[int, int] | None, limit: int
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
    query = sa.select(tx.c.day, tx.c.no).where(
        *within(tx, which, scanned=not walked), *older(before), *holds_all(tx, which)
    )
    rows = [(day, no) for day, no in connection.execute(query.limit(few + 1))]
    if len(rows) > few:
        return None
    if which.categories is None:
        rows = sorted(rows)[-limit:]
    return replace(which, words=(), numbers=tuple(no for _, no in rows))


def _no_older_than_payees(
    connection: sa.Connection, which: Filter, before: tuple[int, int] | None, limit: int
) -> Filter:
    """The filter from the day on which payees that are called so have filled a page, when they do.

    What is bought often is so found without the texts of old rows being read.
    """
    if not any(term.payees is None or term.payees for term in which.words):
        return which
    full = connection.execute(_days(which, before).offset(limit - 1).limit(1)).scalar()
    return which if full is None else replace(which, since=full)


def _days(which: Filter, before: tuple[int, int] | None) -> Select[Any]:
    """The days of rows, the newest first, that are found by way of their payees."""
    is_named = all(term.payees != () for term in which.words)
    if is_named:
        # A row of a payee in whose name all words stand is found without its text.
        is_called = sa.and_(
            *(
                tx.c.payee_no.in_(_called(which.owner, term) if few is None else few)
                for term, few, *_ in which.words
            )
        )
    else:
        numbers = {payee_no for term in which.words for payee_no in term.payees or ()}
        is_called = tx.c.payee_no.in_(numbers)
    rows = (
        sa.select(tx.c.day, tx.c.no)
        .where(*within(tx, which, scanned=False), *older(before))
        # An index knows the payees of rows that count, and by days no payee is found quickly.
        .where(tx.c.counts == 1, is_called)
        .order_by(by_no_index(tx.c.day).desc())
    )
    if is_named:
        return rows.with_only_columns(tx.c.day)
    newest = rows.limit(_NEWEST_OF_PAYEES).subquery()
    return (
        sa.select(newest.c.day)
        .join(tx, tx.c.no == newest.c.no)
        .where(*holds_all(tx, which))
        .order_by(newest.c.day.desc())
    )


def _begins_lately(connection: sa.Connection, which: Filter) -> bool:
    """Whether few rows are as young as a filter's first day."""
    if which.since is None:
        return False
    young = sa.select(tx.c.day).where(tx.c.owner_no == which.owner, tx.c.day >= which.since)
    return connection.execute(young.offset(_FEW_WALKED).limit(1)).first() is None


def older(before: tuple[int, int] | None) -> Iterator[ColumnElement[bool]]:
    """That a posted row comes after the last one of the page before."""
    if before is not None:
        day, no = before
        yield tx.c.day <= day
        yield sa.or_(tx.c.day < day, tx.c.no < no)

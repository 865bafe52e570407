"""The person's words on single rows: what a row was is remembered, and found again after each change."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, or_, select, update

from finplan.store.engine import many
from finplan.store.queries import verdicts
from finplan.store.queries.rows import LISTED, add, as_list, change, every, fetch, grouped, remove
from finplan.store.tables.tables import single_word as table, task_answer, word_part

IN_PARTS = ""
"""What a posted row is filed under that the person split: its parts each say a category of their own."""

_ADDS_UP = "(SELECT sum(amount) FROM word_part WHERE word_no = word.no) = {row}.amount"
"""Whether the parts of a `word` are those of its row: it may have been posted larger than it waited."""

FILES_PENDING = f"(word.category IS NOT NULL OR {_ADDS_UP.format(row='pending')})"
"""Whether a `word` says what its pending row is for, and is no note alone."""

_FILED_ROWS = (
    f"SELECT tx.no, coalesce(category, '{IN_PARTS}') FROM single_word AS word"
    " JOIN tx ON tx.no = word.tx_no"
    f" WHERE (category IS NOT NULL OR {_ADDS_UP.format(row='tx')})"
)
"""The posted rows whose own words say what they are for, and what they are filed under."""


class WordPart(NamedTuple):
    """One part of a row that the person split, signed as on statements."""

    amount: int
    category: str
    note: str | None = None


class RowWord(NamedTuple):
    """What the person says of one row by itself: its category or its parts, a note and tags."""

    category: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    parts: tuple[WordPart, ...] = ()

    @property
    def files(self) -> bool:
        """Whether it says what the row is for."""
        return self.category is not None or bool(self.parts)

    @property
    def remarks(self) -> "RowWord":
        """What it says besides what the row is for."""
        return self._replace(category=None, parts=())


NO_WORD = RowWord()
"""Nothing said."""

_SAID = tuple(name for name in RowWord._fields if name != "parts")
"""The columns of a word that say something; parts are rows of their own."""


class RowNumber(NamedTuple):
    """A row of today: its number among the posted rows, or among the pending ones."""

    no: int
    pending: bool = False


class FiledPart(NamedTuple):
    """What a row that the person filed by itself is for: one line of it, or one for each part.

    `payee` and `account` are numbers, `amount` is the row's own and `part` what lies in `category`.
    """

    word: int
    payee: int
    account: int
    day: int
    amount: int
    part: int
    category: str


class UnfiledRow(NamedTuple):
    """A row that counts and that the person has not filed by itself, with what tells it from others.

    `account_key` is the bank's id of its account, which an account that is made again still has.
    """

    no: int
    payee: int
    account: int
    day: int
    amount: int
    account_key: str
    currency: str
    text: str
    ordinal: int


def word_on(connection: Connection, row: RowNumber) -> tuple[int, RowWord] | None:
    """The number of the word on a row of today, and what it says; None without one."""
    return _words_by(connection, _column_of(row), [row.no]).get(row.no)


def set_word(
    connection: Connection, owner: int, word_id: str, row: RowNumber, content: RowWord, now: int
) -> int | None:
    """Let a word be what is said of a row; an empty one takes it back. Answers its number, if any.

    `word_id` is the id that it gets where the row had none. An answer that filed the row goes once the
    word does not name one category any more.
    """
    present = word_on(connection, row)
    if content == NO_WORD:
        if present is not None:
            remove_word(connection, present[0])
        return None
    if present is None:
        number = _add_on(connection, owner, word_id, row, content, now)
    else:
        number = present[0]
        change(connection, table, number, **_columns_of(content), said_at=now)
        remove(connection, word_part, word_no=number)
        _add_parts(connection, owner, number, content.parts)
        if content.category is None:
            remove(connection, task_answer, word_no=number)
    if not row.pending:
        _file_row(connection, row.no)
    return number


def _add_on(
    connection: Connection, owner: int, word_id: str, row: RowNumber, content: RowWord, now: int
) -> int:
    identify = verdicts.pending_identities if row.pending else verdicts.posted_identities
    identity = identify(connection, [row.no])[row.no]
    number = add_word(connection, owner, word_id, identity, content, now)
    change(connection, table, number, **{_column_of(row): row.no})
    return number


def _column_of(row: RowNumber) -> str:
    """The column of a word that has the number of such a row."""
    return "pending_no" if row.pending else "tx_no"


def add_word(
    connection: Connection,
    owner: int,
    word_id: str,
    row: verdicts.RowIdentity,
    content: RowWord,
    now: int,
) -> int:
    """Keep a word on a row as it was; answers its number.

    Which row of today it is about is found by `set_rows`.
    """
    values = {
        "id": word_id,
        "owner_no": owner,
        "row_no": verdicts.save_identity(connection, owner, row),
        "said_at": now,
        **_columns_of(content),
    }
    number = add(connection, table, values)
    _add_parts(connection, owner, number, content.parts)
    return number


def _columns_of(content: RowWord) -> dict[str, Any]:
    tags = " ".join(content.tags) or None
    return {name: getattr(content, name) for name in _SAID} | {"tags": tags}


def _add_parts(connection: Connection, owner: int, number: int, parts: Sequence[WordPart]) -> None:
    for index, part in enumerate(parts):
        values = {"owner_no": owner, "word_no": number, "place": index, **part._asdict()}
        add(connection, word_part, values)


def list_words(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's words on rows, oldest first, without their parts."""
    return every(connection, select(table).filter_by(owner_no=owner).order_by(table.c.no))


def words_by_number(connection: Connection, numbers: Sequence[int]) -> dict[int, RowWord]:
    """What some words say, by their numbers."""
    return dict(_words_by(connection, "no", numbers).values())


def words_of_rows(
    connection: Connection, rows: Sequence[int], *, pending: bool = False
) -> dict[int, RowWord]:
    """What the person says of some rows of today, by number; those without a word are left out."""
    by_row = _words_by(connection, "pending_no" if pending else "tx_no", rows)
    return {row: content for row, (_, content) in by_row.items()}


def _words_by(
    connection: Connection, column: str, numbers: Sequence[int]
) -> dict[int, tuple[int, RowWord]]:
    """The words whose `column` has one of some numbers, by that, each with its own number."""
    if not numbers:
        return {}
    sql = f"SELECT {column}, no, {', '.join(_SAID)} FROM single_word WHERE {column} IN {LISTED}"
    saved = fetch(connection, sql, (as_list(numbers),))
    query = (
        "SELECT word_no, amount, category, note FROM word_part"
        f" WHERE word_no IN {LISTED} ORDER BY word_no, place"
    )
    rows = fetch(connection, query, (as_list(row[1] for row in saved),))
    parts = grouped((row[0], WordPart(*row[1:])) for row in rows)
    return {
        key: (no, _word(dict(zip(_SAID, values, strict=True)), parts.get(no, ())))
        for key, no, *values in saved
    }


def _word(values: dict[str, Any], parts: Iterable[WordPart]) -> RowWord:
    return RowWord(**values | {"tags": tuple((values["tags"] or "").split())}, parts=tuple(parts))


def known_tags(connection: Connection, owner: int) -> frozenset[str]:
    """The tags that a person has given to rows."""
    query = select(table.c.tags).where(table.c.owner_no == owner, table.c.tags.is_not(None))
    sets = connection.execute(query.distinct()).scalars()
    return frozenset(tag for tags in sets for tag in tags.split())


def find_word(connection: Connection, number: int) -> tuple[int | None, RowWord]:
    """The posted row of today that a word is on, if any, and what it says."""
    row = connection.execute(select(table.c.tx_no).where(table.c.no == number)).scalar_one()
    return row, words_by_number(connection, [number])[number]


def words_on_posted(connection: Connection, owner: int) -> dict[int, RowWord]:
    """All that a person says of posted rows of today, by their numbers."""
    rows = [row["tx_no"] for row in list_words(connection, owner) if row["tx_no"] is not None]
    return words_of_rows(connection, rows)


def remove_word(connection: Connection, number: int) -> None:
    """Take a word back, and with it the answer that made it."""
    query = select(table.c.row_no, table.c.tx_no).where(table.c.no == number)
    was, row = connection.execute(query).one()
    remove(connection, table, no=number)
    verdicts.forget_identities(connection, [was])
    _file_row(connection, row)


def unfile(connection: Connection, number: int) -> None:
    """Leave a row to the rules again, and with it the answer that filed it; remarks on it stay."""
    row, content = find_word(connection, number)
    if content.remarks == NO_WORD:
        remove_word(connection, number)
        return
    change(connection, table, number, category=None)
    for dependent in (word_part, task_answer):
        remove(connection, dependent, word_no=number)
    _file_row(connection, row)


def words_in(connection: Connection, owner: int, category: str) -> Sequence[int]:
    """The numbers of the words that name a category, for their whole row or for a part."""
    of_part = select(word_part.c.word_no).filter_by(owner_no=owner, category=category)
    query = select(table.c.no).where(
        table.c.owner_no == owner, or_(table.c.category == category, table.c.no.in_(of_part))
    )
    return connection.execute(query.order_by(table.c.no)).scalars().all()


def set_rows(
    connection: Connection,
    owner: int,
    *,
    posted: Mapping[int, int | None],
    pending: Mapping[int, int | None],
) -> None:
    """Let words hold for rows of today, each by its number; of two on one row the newer does."""
    theirs = update(table).filter_by(owner_no=owner)
    connection.execute(theirs.values(tx_no=None, pending_no=None))
    for column, rows in (("tx_no", posted), ("pending_no", pending)):
        newest = {row: number for number, row in sorted(rows.items()) if row is not None}
        many(connection, f"UPDATE single_word SET {column} = ? WHERE no = ?", [*newest.items()])
    file_rows(connection, owner)


def file_rows(connection: Connection, owner: int) -> None:
    """Note on a person's posted rows what the words on them file them under, where that has changed."""
    filed = _listed(connection, f"{_FILED_ROWS} AND word.owner_no = ?", owner)
    noted = _listed(
        connection, "SELECT no, filed FROM tx WHERE owner_no = ? AND filed IS NOT NULL", owner
    )
    changed = {row for row, _ in filed.items() ^ noted.items()}
    _file(connection, [(filed.get(row), row) for row in sorted(changed)])


def _file_row(connection: Connection, row: int | None) -> None:
    """The same of one row, whatever was on it; there may be none."""
    filed = _listed(connection, f"{_FILED_ROWS} AND tx.no = ?", row)
    _file(connection, [(filed.get(row), row)] if row is not None else [])


def _listed(connection: Connection, query: str, value: int | None) -> dict[int, str]:
    return dict(fetch(connection, query, (value,)))


def _file(connection: Connection, rows: list[tuple[str | None, int]]) -> None:
    many(connection, "UPDATE tx SET filed = ? WHERE no = ?", rows)


_FILED = (
    "SELECT word.no, row.payee_no, row.account_no, row.day, row.amount, row.amount, word.category"
    " FROM single_word AS word CROSS JOIN {rows} AS row"
    " WHERE row.no = word.{column} AND word.owner_no = ? AND word.category IS NOT NULL{among}"
    " UNION ALL"
    " SELECT word.no, row.payee_no, row.account_no, row.day, row.amount, part.amount, part.category"
    " FROM word_part AS part CROSS JOIN single_word AS word CROSS JOIN {rows} AS row"
    " WHERE word.no = part.word_no AND row.no = word.{column} AND part.owner_no = ?{among}"
    f" AND {_ADDS_UP.format(row='row')}"
    " ORDER BY 1"
)


def filed_parts(connection: Connection, owner: int, payee: int | None = None) -> list[FiledPart]:
    """What the rows that are filed by themselves are for, or one payee's; a transfer's leg is none."""
    among = " AND row.peer_no IS NULL"
    if payee is not None:
        among += f" AND row.payee_no = {payee:d}"
    query = _FILED.format(rows="tx", column="tx_no", among=among)
    return [FiledPart(*row) for row in connection.exec_driver_sql(query, (owner, owner))]


def filed_pending_parts(connection: Connection, owner: int) -> list[FiledPart]:
    """What the pending rows that are filed by themselves are for."""
    query = _FILED.format(rows="pending", column="pending_no", among="")
    return [FiledPart(*row) for row in connection.exec_driver_sql(query, (owner, owner))]


def unfiled_rows(connection: Connection, owner: int, payees: Sequence[int]) -> list[UnfiledRow]:
    """The rows of some payees that count, are no leg of a transfer, and are not filed by themselves."""
    if not payees:
        return []
    query = (
        "SELECT tx.no, payee_no, account_no, day, amount, account.external_id, currency,"
        " coalesce(tx.external_id, tx.raw), tx.ordinal FROM tx"
        " JOIN account ON account.no = tx.account_no"
        f" WHERE tx.owner_no = ? AND payee_no IN {LISTED} AND counts = 1"
        f" AND peer_no IS NULL AND filed IS NULL ORDER BY day, tx.no"
    )
    return [UnfiledRow(*row) for row in fetch(connection, query, (owner, as_list(payees)))]

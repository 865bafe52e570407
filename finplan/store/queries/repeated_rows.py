"""What staged rows share with an account's: rows that came twice, or were read otherwise.

How much a staged account overlaps with one of the store, or with another staged one; rows of one
account that came twice, by another file, in another format, or dated otherwise; rows that an
account has otherwise, by an earlier reading of the same row; and rows of one day and one size,
whichever way they go.
"""

from collections.abc import Callable, Iterable, Mapping

from sqlalchemy import Connection

from finplan.store.engine import many
from finplan.store.queries.rows import fetch

OverlapCounts = tuple[int, int, int, int, int, int]
"""Of the booked rows of the days that two accounts both cover: how many each has, how many are the same
by day, amount and identity, how many alike by day and amount, of how many amounts the same are, and how
many only one side has though both would have them."""

_NOTHING: OverlapCounts = (0, 0, 0, 0, 0, 0)

_MOST_OVERLAPPING = 2000
"""Rows of a long file that are compared with another account's, spread over all of it."""

_BOUNDS = (
    "SELECT max((SELECT min(day) FROM staged.arranged WHERE account = {local:d}),"
    " (SELECT min(day) FROM {rows} WHERE {owner} = {number:d})),"
    " min((SELECT max(day) FROM staged.arranged WHERE account = {local:d}),"
    " (SELECT max(day) FROM {rows} WHERE {owner} = {number:d}))"
)
_COUNT = (
    "(SELECT count(*) FROM {rows} WHERE {owner} = {number:d} AND day >= {since:d} AND day < {last:d}),"
    " (SELECT count(*) FROM {rows} WHERE {owner} = {number:d} AND day = {last:d})"
)
_ALIKE = (
    "SELECT 1 FROM {rows} AS theirs WHERE theirs.{owner} = {number:d} AND theirs.day = ours.day"
    " AND theirs.amount = ours.amount"
)
_EQUAL = (
    "theirs.ordinal = ours.ordinal"
    " AND coalesce(theirs.external_id, theirs.raw) = coalesce(ours.external_id, ours.raw)"
)
_COMPARED = (
    "SELECT total(day < {last:d}), total(same AND day < {last:d}), total(same AND day = {last:d}),"
    " total(alike AND day < {last:d}), total(alike AND day = {last:d}),"
    " count(DISTINCT CASE WHEN same THEN amount END) FROM ("
    f"SELECT day, amount, EXISTS ({_ALIKE} AND {_EQUAL}) AS same,"
    f" EXISTS ({_ALIKE}) AS alike FROM staged.arranged AS ours"
    " WHERE account = {local:d} AND day BETWEEN {since:d} AND {last:d}"
    " AND (seq % {step:d} = 0 OR day = {last:d}))"
)


_PAIRED = (
    "SELECT ours.seq, ours.day, ours.amount, ours.raw, ours.aside, ours.external_id,"
    f" theirs.raw, theirs.external_id, {_EQUAL}"
    " FROM staged.arranged AS ours CROSS JOIN {rows} AS theirs ON theirs.{owner} = {number:d}"
    # The sign keeps SQLite from looking through all days of the other account for each row.
    " AND theirs.day = +ours.day AND theirs.amount = ours.amount"
    " WHERE ours.account = {local:d} AND ours.day BETWEEN {since:d} AND {last:d}"
    " AND (ours.seq % {step:d} = 0 OR ours.day = {last:d}) LIMIT 20000"
)

TextsAgree = Callable[[str, str, str | None, str, str | None], bool]
"""Whether a read row and a stored one may be the same: the text, the text aside and the id of the first,
the text and the id of the other."""


def common_days(connection: Connection, local: int, **theirs: str | int) -> tuple[int, int] | None:
    """The first and the last day that an account of the files has in common with another one.

    `theirs` are the table of the other's `rows`, the column of their `owner`, and its `number` there.
    """
    since, last = connection.exec_driver_sql(_BOUNDS.format(local=local, **theirs)).one()
    return None if since is None or last is None or since > last else (since, last)


def overlap_with_stored(
    connection: Connection, local: int, account: int, agree: TextsAgree
) -> OverlapCounts:
    """Compare an account of the files, by its local number, with one of the store.

    Rows of one day and amount are the same also where `agree` finds that they differ in wording alone.
    """
    theirs: dict[str, str | int] = {"rows": "tx", "owner": "account_no", "number": account}
    overlap = _overlap(connection, local, None, **theirs)
    _, _, same, alike, _, _ = overlap
    if same == alike:
        return overlap
    return _overlap(connection, local, agree, **theirs)


def overlap_with_staged(connection: Connection, local: int, number: int) -> OverlapCounts:
    """Compare two accounts of the files, by their local numbers."""
    return _overlap(connection, local, None, rows="staged.arranged", owner="account", number=number)


def _overlap(
    connection: Connection, local: int, agree: TextsAgree | None, **theirs: str | int
) -> OverlapCounts:
    common = common_days(connection, local, **theirs)
    if common is None:
        return _NOTHING
    since, last = common
    days = {"since": since, "last": last}
    sides = (
        _COUNT.format(rows="staged.arranged", owner="account", number=local, **days),
        _COUNT.format(**days, **theirs),
    )
    counts = f"SELECT {', '.join(sides)}"
    ours, ours_last, others, other_last = connection.exec_driver_sql(counts).one()
    step = ours // _MOST_OVERLAPPING + 1
    compared_rows = _COMPARED.format(local=local, step=step, **days, **theirs)
    compared, same, same_last, alike, alike_last, amounts = map(
        int, connection.exec_driver_sql(compared_rows).one()
    )
    if agree is not None:
        same, same_last, amounts = _count_agreeing(
            connection, agree, _PAIRED.format(local=local, step=step, **days, **theirs), last
        )
    missing = (compared - same) * step
    return (
        ours + ours_last,
        others + other_last,
        same * step + same_last,
        alike * step + alike_last,
        amounts,
        missing + abs(others - (ours - missing)) + min(ours_last, other_last) - same_last,
    )


def _count_agreeing(
    connection: Connection, agree: TextsAgree, query: str, last: int
) -> tuple[int, int, int]:
    """Count the rows with an equal one or one that agrees: before the last day, and on it.

    Answers too of how many different amounts they are.
    """
    same: dict[int, tuple[int, int]] = {}
    for seq, day, amount, raw, aside, *ids, is_equal in connection.exec_driver_sql(query):
        if seq not in same and (is_equal or agree(raw, aside or "", *ids)):
            same[seq] = day, amount
    on_last = sum(day == last for day, _ in same.values())
    return len(same) - on_last, on_last, len({amount for _, amount in same.values()})


_MOST_LEFT_OVER = 2000
"""Rows of the files that are compared with another account's: the newest of the days that both cover."""


LeftOverValues = tuple[int, int, int, str, str, bool]
"""A row that no equal one was found of, staged or of the store: its number on its side, day, amount, raw
text, the kind of source that it is from, and whether an import brought it."""

_FOUND_BY = (
    " FROM staged.matched JOIN staged.arranged ON seq = row LEFT JOIN tx ON tx.no = tx_no"
    " WHERE arranged.account = ? AND arranged.file = ? AND arranged.day BETWEEN ? AND ?"
)


def compared_with_stored(
    connection: Connection, local: int, account: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Day and amount of the rows of common days: of an account of the files, and of one of the store."""
    return _compared(connection, local, "tx", "account_no", account)


def compared_with_staged(
    connection: Connection, local: int, number: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Day and amount of the rows of common days: of two accounts of the files."""
    return _compared(connection, local, "staged.arranged", "account", number)


def _compared(
    connection: Connection, local: int, rows: str, owner: str, number: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    common = common_days(connection, local, rows=rows, owner=owner, number=number)
    if common is None:
        return [], []
    since, until = common
    ours = _dated(connection, "staged.arranged", "account", local, since, until, _MOST_LEFT_OVER)
    if len(ours) == _MOST_LEFT_OVER:
        # The oldest of these days is cut off somewhere within, so both sides begin after it.
        since = min(ours)[0] + 1
        ours = [row for row in ours if row[0] >= since]
    return ours, _dated(connection, rows, owner, number, since, until, 2 * _MOST_LEFT_OVER)


def _dated(
    connection: Connection, rows: str, owner: str, number: int, since: int, until: int, most: int
) -> list[tuple[int, int]]:
    query = (
        f"SELECT day, amount FROM {rows} WHERE {owner} = ? AND day BETWEEN ? AND ?"
        " ORDER BY day DESC LIMIT ?"
    )
    return fetch(connection, query, (number, since, until, most))


def left_over_staged(
    connection: Connection, local: int, file: int, days: tuple[int, int]
) -> list[LeftOverValues]:
    """The booked rows of a file that are new, for an account of the files, on days within two."""
    return _left_over(connection, local, "arranged.file = ?", file, days)


def left_over_of_earlier_files(
    connection: Connection, local: int, file: int, days: tuple[int, int]
) -> list[LeftOverValues]:
    """Rows that earlier files bring for an account of the files, on days from the first to the last."""
    return _left_over(connection, local, "arranged.file < ?", file, days)


def _left_over(
    connection: Connection, local: int, of_files: str, file: int, days: tuple[int, int]
) -> list[LeftOverValues]:
    query = (
        "SELECT seq, day, amount, raw, source, 0 FROM staged.arranged"
        " JOIN staged.sources ON sources.file = arranged.file"
        f" WHERE account = ? AND {of_files} AND day BETWEEN ? AND ?"
        " AND seq NOT IN (SELECT row FROM staged.matched)"
    )
    return [(*row[:5], bool(row[5])) for row in fetch(connection, query, (local, file, *days))]


def left_over_stored(
    connection: Connection, account: int, file: int, days: tuple[int, int]
) -> list[LeftOverValues]:
    """Rows of an account of the store that a file does not have, on days from the first to the last."""
    query = (
        "SELECT no, day, amount, raw, source, import_no IS NOT NULL FROM tx"
        " WHERE account_no = ? AND day BETWEEN ? AND ? AND no NOT IN"
        " (SELECT tx_no FROM staged.matched WHERE file = ? AND tx_no IS NOT NULL)"
    )
    return [(*row[:5], bool(row[5])) for row in fetch(connection, query, (account, *days, file))]


def moved_by_staged(connection: Connection, local: int, after: int, until: int) -> int:
    """What an account's booked rows in the files, after one day and up to another, add up to."""
    query = (
        "SELECT coalesce(sum(amount), 0) FROM staged.arranged"
        " WHERE account = ? AND day > ? AND day <= ?"
    )
    return int(connection.exec_driver_sql(query, (local, after, until)).scalar_one())


def span_of(connection: Connection, local: int, file: int) -> tuple[int, int] | None:
    """The first and the last day of a file's booked rows of an account of the files."""
    query = "SELECT min(day), max(day) FROM staged.arranged WHERE account = ? AND file = ?"
    first, last = connection.exec_driver_sql(query, (local, file)).one()
    return None if first is None else (first, last)


def span_beside(
    connection: Connection, local: int, file: int, account: int | None
) -> tuple[int, int] | None:
    """The first and the last day of the rows of the store and of earlier files, of one account."""
    first, last = connection.exec_driver_sql(
        "SELECT min(first), max(last) FROM ("
        "SELECT min(day) AS first, max(day) AS last FROM staged.arranged"
        " WHERE account = ? AND file < ?"
        " UNION ALL SELECT min(day), max(day) FROM tx WHERE account_no = ?)",
        (local, file, account),
    ).one()
    return None if first is None else (first, last)


def repeated_in_batch(connection: Connection, local: int, file: int) -> list[tuple[int, int]]:
    """Day and amount of the rows of a file that an earlier file of the same import has too."""
    query = (
        "SELECT day, amount FROM staged.matched JOIN staged.arranged ON seq = row"
        " WHERE account = ? AND arranged.file = ? AND tx_no IS NULL"
    )
    return fetch(connection, query, (local, file))


def count_rows_again(
    connection: Connection, local: int, file: int, days: tuple[int, int], most: int
) -> tuple[int, int, frozenset[int]]:
    """The booked rows of a file on some days that were found already: how many, how many by identity.

    And of which amounts, so many at most. A row that was told by its words alone may come from a file
    of another layout.
    """
    rows, identical = connection.exec_driver_sql(
        "SELECT count(*), total(CASE WHEN tx_no IS NULL THEN NOT ambiguous"
        " ELSE coalesce(tx.external_id, tx.raw) = coalesce(arranged.external_id, arranged.raw) END)"
        f"{_FOUND_BY}",
        (local, file, *days),
    ).one()
    amounts = connection.exec_driver_sql(
        f"SELECT DISTINCT arranged.amount{_FOUND_BY} LIMIT ?", (local, file, *days, most)
    )
    return int(rows), int(identical), frozenset(amounts.scalars())


def note_matches(
    connection: Connection, file: int, matches: Iterable[tuple[int, int | None, bool]]
) -> None:
    """Note which staged rows of a file are others: the row, that of the store or None, and its source.

    The last says that an import brought the other one.
    """
    many(
        connection,
        "INSERT INTO staged.matched (row, file, tx_no, ambiguous, imported) VALUES (?, ?, ?, 1, ?)",
        [(row, file, tx_no, int(imported)) for row, tx_no, imported in matches],
    )


_MOST_READ = 500
"""New rows of an account of the files that are compared with stored ones."""

_MOST_MISREAD = 20_000
"""Stored rows of their days that they are compared with at most."""


ReadValues = tuple[int, int, str, str, str | None]
"""Day, amount and raw text of a row of a file, what it prints beside that, and the bank's id of it."""

EarlierValues = tuple[int, int, int, str, str | None, int]
"""Number, day, amount, raw text and bank's id of a row of the store, and the import that brought it."""

_TURNED = "(day / 10000 * 10000 + day % 100 * 100 + day / 100 % 100)"
"""A day whose month and day of the month change places."""

_READ_ROWS = f"""
SELECT day, amount, raw, coalesce(aside, ''), external_id FROM staged.arranged
WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
  AND (day BETWEEN ? AND ? OR {_TURNED} BETWEEN ? AND ?)
ORDER BY seq LIMIT {_MOST_READ}
"""
_EARLIER_ROWS = f"""
SELECT no, day, amount, raw, external_id, import_no FROM tx
WHERE account_no = ? AND import_no IS NOT NULL
  AND day IN (
      SELECT day FROM staged.arranged
      WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
      UNION
      SELECT {_TURNED} FROM staged.arranged
      WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
  )
  AND no NOT IN (SELECT tx_no FROM staged.matched WHERE tx_no IS NOT NULL)
ORDER BY day, no LIMIT {_MOST_MISREAD}
"""


def earlier_rows(connection: Connection, local: int, account: int) -> list[EarlierValues]:
    """Rows of an account of the store, of days on which the files have rows for it that are new.

    `local` is the number of the account in the files. Days are compared as they are and with day and
    month changed round.
    """
    return fetch(connection, _EARLIER_ROWS, (account, local, local))


def read_rows(connection: Connection, local: int, first: int, last: int) -> list[ReadValues]:
    """New rows of an account of the files within some days, be it with day and month changed round."""
    return fetch(connection, _READ_ROWS, (local, first, last, first, last))


def count_stored(connection: Connection, local: int) -> int:
    """How many booked rows of an account of the files the store has already."""
    query = (
        "SELECT count(*) FROM staged.matched JOIN staged.arranged ON seq = row WHERE account = ?"
    )
    return int(connection.exec_driver_sql(query, (local,)).scalar_one())


def mark_misread(connection: Connection, faults: Mapping[int, str]) -> None:
    """Note how imports, by number, read their files wrongly."""
    many(
        connection,
        "UPDATE import_batch SET misread = ? WHERE no = ?",
        [(how, number) for number, how in faults.items()],
    )


SizedValues = tuple[int | None, int, str, str, str | None]
"""The place of the file that a row stands in, None for one of the store; its amount, its raw text, what
it prints beside that, and the bank's id of it."""

_STORED_OF_SIZE = """
SELECT NULL, amount, raw, '', external_id FROM {table}
WHERE account_no = ? AND day = ? AND amount IN (?, ?)
"""
_STAGED_OF_SIZE = """
SELECT file, amount, raw, coalesce(aside, ''), external_id FROM staged.arranged
WHERE account = ? AND day = ? AND amount IN (?, ?) ORDER BY seq
"""


def stored_of_size(connection: Connection, account: int, day: int, size: int) -> list[SizedValues]:
    """The rows of an account of the store, with those that the person set aside as copies."""
    aside = f"{_STORED_OF_SIZE.format(table='set_aside')} AND pending = 0"
    query = f"{_STORED_OF_SIZE.format(table='tx')} UNION ALL {aside}"
    return fetch(connection, query, (account, day, size, -size) * 2)


def staged_of_size(connection: Connection, local: int, day: int, size: int) -> list[SizedValues]:
    """The booked rows of an account of the files, given by its local number."""
    return fetch(connection, _STAGED_OF_SIZE, (local, day, size, -size))

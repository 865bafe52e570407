"""Moving staged rows into the store: which are there already, which are new, in one transaction.

A row is known when its account has one of equal day, amount, identity and ordinal; the identity is
the bank's id where it gives one, else the raw text. What is left over on both sides is told by its
words, since a reader may put them together in another way than an earlier version did. A row that
another kind of source has brought is recognised by day and amount alone, and reported as ambiguous.

The rows of a whole household are moved just as they were. What staged rows come to is summed up
account by account of each file, once they are matched with the store's.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import FOLDED, many
from finplan.store.queries.rows import fetch
from finplan.store.queries.transfers import find_highest_number


class LeftOver(NamedTuple):
    """A row that no equal one was found of, read by an import or stored.

    `number` is its own on its side, 0 for a row that was set aside; `aside` is what a read row prints
    beside its text.
    """

    number: int
    raw: str
    aside: str
    external_id: str | None
    imported: bool = False


PairLeftOvers = Callable[[list[LeftOver], list[LeftOver]], list[tuple[LeftOver, LeftOver]]]
"""Pairs the read rows of one day and amount with stored ones, each of which is taken once."""


_MATCHED = """
CREATE TABLE staged.matched (
    row INTEGER PRIMARY KEY, file INTEGER, tx_no INTEGER, ambiguous INTEGER, imported INTEGER
)
"""
_SAME_IDENTITY = (
    "coalesce(set_aside.external_id, set_aside.raw) = coalesce(arranged.external_id, arranged.raw)"
)
_IS_NEW = "seq NOT IN (SELECT row FROM staged.matched)"
_INTO_MATCHED = "INSERT INTO staged.matched (row, file, tx_no, ambiguous, imported)"

_MATCH_EXACTLY = f"""
{_INTO_MATCHED}
SELECT arranged.seq, arranged.file, tx.no, 0, tx.import_no IS NOT NULL
FROM staged.arranged
JOIN staged.accounts ON accounts.account = arranged.account
JOIN tx ON tx.account_no = accounts.no AND tx.day = arranged.day AND tx.amount = arranged.amount
       AND tx.ordinal = arranged.ordinal
       AND coalesce(tx.external_id, tx.raw) = coalesce(arranged.external_id, arranged.raw)
WHERE TRUE ON CONFLICT DO NOTHING
"""

# A row that the person said is a copy is known, though it is no row of the ledger. Few rows are set
# aside, so they come first: the staged ones are then looked for with their index.
_MATCH_SET_ASIDE = f"""
{_INTO_MATCHED}
SELECT arranged.seq, arranged.file, 0, 0, 0
FROM set_aside
CROSS JOIN staged.accounts ON accounts.no = set_aside.account_no
CROSS JOIN staged.arranged ON arranged.account = accounts.account AND arranged.day = set_aside.day
     AND arranged.amount = set_aside.amount AND arranged.ordinal = set_aside.ordinal
     AND {_SAME_IDENTITY}
WHERE set_aside.pending = 0 ON CONFLICT DO NOTHING
"""

_FIND_LEFT_OVER = """
    CREATE TABLE staged.left_over AS
    SELECT seq, arranged.file, accounts.no AS account_no, day, amount, source
    FROM staged.arranged JOIN staged.accounts ON accounts.account = arranged.account
    JOIN staged.sources ON sources.file = arranged.file
    WHERE accounts.no IS NOT NULL AND seq NOT IN (SELECT row FROM staged.matched)
"""
_FIND_UNMATCHED = (
    """
    CREATE TABLE staged.left_over_places AS
    SELECT DISTINCT file, account_no, day, amount, source FROM staged.left_over
    """,
    "CREATE INDEX staged.matched_tx ON matched (tx_no, file)",
    f"""
    CREATE TABLE staged.unmatched AS
    SELECT place.file, tx.no AS tx_no, place.account_no, place.day, place.amount, tx.raw,
           tx.external_id, tx.import_no IS NOT NULL AS imported
    FROM staged.left_over_places AS place
    CROSS JOIN tx ON tx.account_no = place.account_no AND tx.day = place.day AND tx.amount = place.amount
           AND tx.source = place.source
    LEFT JOIN staged.matched ON matched.tx_no = tx.no AND matched.file = place.file
    WHERE matched.row IS NULL
    UNION ALL
    SELECT place.file, 0, place.account_no, place.day, place.amount, set_aside.raw,
           set_aside.external_id, 0
    FROM set_aside JOIN staged.left_over_places AS place
      ON place.account_no = set_aside.account_no AND place.day = set_aside.day
     AND place.amount = set_aside.amount AND place.source = set_aside.source
    WHERE set_aside.pending = 0 AND NOT EXISTS (
        SELECT 1 FROM staged.arranged JOIN staged.accounts ON accounts.account = arranged.account
        WHERE accounts.no = set_aside.account_no AND arranged.day = set_aside.day
          AND arranged.amount = set_aside.amount AND arranged.ordinal = set_aside.ordinal
          AND {_SAME_IDENTITY}
    )
    """,
)
_LEFT_OVER_ROWS = """
SELECT arranged.seq, NULL, left_over.file, left_over.account_no, left_over.day, left_over.amount,
       arranged.raw, arranged.aside, arranged.external_id, 0
FROM staged.left_over JOIN staged.arranged ON arranged.seq = left_over.seq
WHERE (left_over.file, left_over.account_no, left_over.day, left_over.amount) IN (
    SELECT file, account_no, day, amount FROM staged.unmatched
)
UNION ALL
SELECT NULL, tx_no, file, account_no, day, amount, raw, NULL, external_id, imported
FROM staged.unmatched
ORDER BY 3, 4, 5, 6, 1, 2
"""

# SQLite joins two subqueries by looking through one for each row of the other, so one is a table.
_MATCH_ACROSS_SOURCES = (
    """
    CREATE TABLE staged.stored AS
    SELECT tx.no, tx.account_no, tx.day, tx.amount, tx.source, tx.import_no IS NOT NULL AS imported,
           row_number() OVER (
               PARTITION BY account_no, day, amount, source ORDER BY tx.no
           ) AS place
    FROM tx
    WHERE tx.account_no IN (SELECT no FROM staged.accounts)
      AND tx.day BETWEEN (SELECT min(day) FROM staged.arranged)
                     AND (SELECT max(day) FROM staged.arranged)
      AND tx.no NOT IN (SELECT tx_no FROM staged.matched)
    """,
    "CREATE INDEX staged.stored_place ON stored (account_no, day, amount, place)",
    f"""
    {_INTO_MATCHED}
    SELECT theirs.row, theirs.file, ours.no, 1, ours.imported FROM (
        SELECT arranged.seq AS row, accounts.no AS account_no, day, amount, arranged.file,
               sources.source, row_number() OVER (
                   PARTITION BY arranged.account, arranged.file, day, amount ORDER BY arranged.seq
               ) AS place
        FROM staged.arranged JOIN staged.accounts ON accounts.account = arranged.account
        JOIN staged.sources ON sources.file = arranged.file
        WHERE arranged.seq NOT IN (SELECT row FROM staged.matched)
    ) AS theirs CROSS JOIN staged.stored AS ours
    ON ours.account_no = theirs.account_no AND ours.day = theirs.day AND ours.amount = theirs.amount
       AND ours.place = theirs.place AND ours.source <> theirs.source
    WHERE TRUE ON CONFLICT DO NOTHING
    """,
)

_REPEATED_IN_BATCH = f"""
{_INTO_MATCHED}
SELECT later.seq, later.file, NULL, 0, 0 FROM staged.arranged AS later
WHERE later.seq NOT IN (SELECT row FROM staged.matched) AND EXISTS (
    SELECT 1 FROM staged.arranged AS earlier
    WHERE earlier.account = later.account AND earlier.day = later.day
      AND earlier.amount = later.amount AND earlier.ordinal = later.ordinal
      AND coalesce(earlier.external_id, earlier.raw) = coalesce(later.external_id, later.raw)
      AND earlier.file < later.file
)
"""

_NUMBER_AFRESH = """
UPDATE staged.arrived SET ordinal = numbered.ordinal FROM (
    SELECT seq, row_number() OVER (
               PARTITION BY day, amount, coalesce(external_id, raw), file ORDER BY seq
           ) - 1 AS ordinal
    FROM staged.arranged WHERE account = ?
) AS numbered
WHERE numbered.seq = arrived.seq AND numbered.ordinal <> arrived.ordinal
"""

_INSERT = f"""
INSERT INTO tx (owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal, source,
                counts, import_no, code, folded)
SELECT ?, ?, payees.no, day, amount, raw, external_id, ordinal, source, ?, ?, code, {FOLDED}
FROM staged.arranged
JOIN staged.payees ON payees.payee = arranged.payee
JOIN staged.sources ON sources.file = arranged.file
WHERE arranged.account = ? AND arranged.seq NOT IN (SELECT row FROM staged.matched)
ORDER BY arranged.day, arranged.amount
"""


def match_rows(
    connection: Connection,
    accounts: Mapping[int, int | None],
    sources: Mapping[int, str],
    *,
    across_sources: bool,
    pair: PairLeftOvers,
) -> None:
    """Find out which staged rows the store has; `accounts` maps local numbers, None for a new one.

    `sources` maps each file to the kind of source it is. `pair` tells which of the rows that are left
    over on both sides, of one file, account, day and amount, are the same. `across_sources` says that
    one of the accounts has rows of another kind of source, which are then looked at too. Both doors may
    call this.
    """
    many(
        connection,
        "INSERT INTO staged.accounts VALUES (?, ?)",
        [(local, no) for local, no in accounts.items()],
    )
    connection.exec_driver_sql(
        "CREATE TABLE staged.sources (file INTEGER PRIMARY KEY, source TEXT)"
    )
    many(connection, "INSERT INTO staged.sources VALUES (?, ?)", list(sources.items()))
    connection.exec_driver_sql(_MATCHED)
    if any(no is not None for no in accounts.values()):
        connection.exec_driver_sql(_MATCH_EXACTLY)
        connection.exec_driver_sql(_MATCH_SET_ASIDE)
        _match_left_overs(connection, pair)
    if across_sources:
        for statement in _MATCH_ACROSS_SOURCES:
            connection.exec_driver_sql(statement)
    if len(sources) > 1:
        connection.exec_driver_sql(_REPEATED_IN_BATCH)


def _match_left_overs(connection: Connection, pair: PairLeftOvers) -> None:
    connection.exec_driver_sql(_FIND_LEFT_OVER)
    if connection.exec_driver_sql("SELECT 1 FROM staged.left_over LIMIT 1").first() is None:
        return
    for statement in _FIND_UNMATCHED:
        connection.exec_driver_sql(statement)
    matches: list[tuple[int, int, int, int, int]] = []
    for key, rows in groupby(connection.exec_driver_sql(_LEFT_OVER_ROWS), lambda row: row[2:6]):
        read, stored = list[LeftOver](), list[LeftOver]()
        for seq, tx_no, _, _, _, _, raw, aside, external_id, imported in rows:
            side, number = (read, seq) if seq is not None else (stored, tx_no)
            side.append(LeftOver(number, raw, aside or "", external_id, bool(imported)))
        for ours, theirs in pair(read, stored):
            matches.append((ours.number, key[0], theirs.number, 0, int(theirs.imported)))
    many(connection, f"{_INTO_MATCHED} VALUES (?, ?, ?, ?, ?)", matches)


def merge_accounts(connection: Connection, merged: Iterable[tuple[int, int]]) -> None:
    """Give the staged rows of accounts of the files to those that they are: the kept one, the other.

    Both are local numbers. Equal rows of one file are told apart afresh, since it may have named the
    account in two ways.
    """
    for target, source in merged:
        move = "UPDATE staged.arrived SET account = ? WHERE account = ?"
        connection.exec_driver_sql(move, (target, source))
        connection.exec_driver_sql(_NUMBER_AFRESH, (target,))


def rows_by_account(connection: Connection) -> dict[int, int]:
    """How many booked rows each account of the files has, by its local number."""
    query = "SELECT account, count(*) FROM staged.arranged GROUP BY account"
    return dict(fetch(connection, query))


def booked_after(connection: Connection, day: int) -> dict[int, tuple[int, int]]:
    """How many booked rows each file has after a day, and the last of their days, by its place."""
    query = "SELECT file, count(*), max(day) FROM staged.arranged WHERE day > ? GROUP BY file"
    return {row[0]: (row[1], row[2]) for row in connection.exec_driver_sql(query, (day,))}


def matched_by_file(connection: Connection) -> dict[int, int]:
    """How many booked rows of each file `match_rows` found, by its place."""
    query = "SELECT file, count(*) FROM staged.matched GROUP BY file"
    return dict(fetch(connection, query))


def payees_of_new(connection: Connection) -> set[int]:
    """The local numbers of the payees of booked rows that `match_rows` did not find."""
    query = f"SELECT DISTINCT payee FROM staged.arranged WHERE {_IS_NEW}"
    return {payee for (payee,) in fetch(connection, query)}


def insert_new_rows(
    connection: Connection,
    owner: int,
    accounts: Mapping[int, tuple[int, bool]],
    payees: Mapping[int, int],
    batch: int,
) -> int:
    """Insert the rows that `match_rows` did not find, and note which known rows this import saw too.

    `accounts` maps local numbers to the store's number and whether the account counts; `payees` need not
    have those that only known rows name. Answers how many rows were new.
    """
    many(
        connection,
        "UPDATE staged.accounts SET no = ? WHERE account = ?",
        [(no, local) for local, (no, _) in accounts.items()],
    )
    many(connection, "INSERT INTO staged.payees VALUES (?, ?)", list(payees.items()))
    inserted = sum(
        connection.exec_driver_sql(_INSERT, (owner, no, int(counted), batch, local)).rowcount
        for local, (no, counted) in accounts.items()
    )
    connection.exec_driver_sql(
        "INSERT INTO sighting (import_no, tx_no) SELECT ?, tx_no FROM staged.matched"
        # What is set aside has no number. A bank's rows are noted, too, for when it is unlinked.
        " WHERE tx_no <> 0 ORDER BY tx_no ON CONFLICT DO NOTHING",
        (batch,),
    )
    return inserted


class RestoredPair(NamedTuple):
    """Two restored rows that were one movement of money, by the id that the pair had."""

    id: str
    out: int
    into: int
    spends: bool


_ARE_ALIKE = """
SELECT 1 FROM staged.arrived JOIN staged.exported ON exported.seq = arrived.seq
WHERE external_id IS NOT NULL
GROUP BY account, external_id, day, amount, exported.ordinal
HAVING count(*) > 1 LIMIT 1
"""

_INSERT_RESTORED = f"""
INSERT INTO tx (no, owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal, source,
                counts, import_no, code, folded)
SELECT ? + exported.place, ?, placed.no, payees.no, day, amount, raw, external_id,
       exported.ordinal, coalesce(exported.source, ?), placed.counted, ?,
       code, {FOLDED}
FROM staged.arrived
JOIN staged.placed ON placed.account = arrived.account
JOIN staged.payees ON payees.payee = arrived.payee
JOIN staged.exported ON exported.seq = arrived.seq
ORDER BY exported.place
"""

_RESTORE_PAIRS = """
SELECT transfer, min(CASE WHEN amount < 0 THEN place END),
       min(CASE WHEN amount > 0 THEN place END), max(spends)
FROM staged.exported JOIN staged.arrived ON arrived.seq = exported.seq
WHERE transfer IS NOT NULL GROUP BY transfer
HAVING count(*) = 2 AND sum(amount < 0) = 1 AND sum(amount > 0) = 1 AND min(account) <> max(account)
ORDER BY min(place)
"""


def are_told_apart(connection: Connection) -> bool:
    """Whether no two staged rows of an account are one by the bank's id."""
    return connection.exec_driver_sql(_ARE_ALIKE).first() is None


def insert_restored(
    connection: Connection,
    owner: int,
    accounts: Mapping[int, tuple[int, bool]],
    payees: Mapping[int, int],
    source: str,
    batch: int,
) -> tuple[list[RestoredPair], list[int]]:
    """Insert every staged row; answers the pairs among them, and the legs whose other one is missing.

    `accounts` maps local numbers to the store's and whether the account counts, `payees` to the store's;
    `source` is the kind of source of rows that name none. Rows keep their order, and no pair is joined.
    """
    connection.exec_driver_sql(
        "CREATE TABLE staged.placed (account INTEGER PRIMARY KEY, no INTEGER, counted INTEGER)"
    )
    placed = [(local, no, int(counted)) for local, (no, counted) in accounts.items()]
    many(connection, "INSERT INTO staged.placed VALUES (?, ?, ?)", placed)
    many(connection, "INSERT INTO staged.payees VALUES (?, ?)", list(payees.items()))
    before = find_highest_number(connection)
    connection.exec_driver_sql(_INSERT_RESTORED, (before, owner, source, batch))
    pairs = [
        RestoredPair(transfer, before + out, before + into, bool(spends))
        for transfer, out, into, spends in connection.exec_driver_sql(_RESTORE_PAIRS)
    ]
    legs = connection.exec_driver_sql(
        "SELECT place FROM staged.exported WHERE transfer IS NOT NULL"
    )
    joined = {number for pair in pairs for number in (pair.out, pair.into)}
    return pairs, [before + index for (index,) in legs if before + index not in joined]


_COUNT_PENDING = (
    "SELECT file, account, count(*) FROM staged.arrived WHERE pending = 1 GROUP BY 1, 2"
)
_SUM_MATCHED = """
SELECT matched.file, arrived.account, sum(NOT matched.ambiguous), sum(matched.ambiguous)
FROM staged.matched JOIN staged.arrived ON arrived.seq = matched.row GROUP BY 1, 2
"""
_NEWEST_ROWS = """
SELECT day, amount, raw, payee FROM staged.arranged
WHERE account = ? AND file = ? AND amount {sign} 0 AND {which} ORDER BY day DESC, seq LIMIT ?
"""
_NEW_BETWEEN = """
SELECT coalesce(sum(amount), 0), count(*) FROM staged.arranged
WHERE account = ? AND day BETWEEN ? AND ? AND seq NOT IN (SELECT row FROM staged.matched)
"""


def pending_by_file(connection: Connection) -> dict[tuple[int, int], int]:
    """How many rows of each file and account wait, by their places; those without any are left out."""
    return {row[:2]: row[2] for row in connection.exec_driver_sql(_COUNT_PENDING)}


def matched_by_account(connection: Connection) -> dict[tuple[int, int], tuple[int, int]]:
    """How many rows of each file and account are there already, and perhaps are, by their places."""
    return {row[:2]: (row[2], row[3]) for row in connection.exec_driver_sql(_SUM_MATCHED)}


def newest_rows(
    connection: Connection, file: int, account: int, count: int
) -> list[tuple[int, int, str, int]]:
    """The newest of the rows that an account has not yet, so many of each direction, the newest first.

    Day, amount, raw text and the payee's local number. Where it has them all, they are the newest of
    the file.
    """
    for which in (_IS_NEW, "TRUE"):
        queries = (_NEWEST_ROWS.format(sign=sign, which=which) for sign in (">", "<"))
        rows = [
            row for query in queries for row in fetch(connection, query, (account, file, count))
        ]
        if rows:
            break
    return sorted(rows, key=lambda row: -row[0])


def new_between(connection: Connection, account: int, since: int, until: int) -> tuple[int, int]:
    """What the new rows of an account add up to between two days, both counted, and how many."""
    moved, count = connection.exec_driver_sql(_NEW_BETWEEN, (account, since, until)).one()
    return moved, count

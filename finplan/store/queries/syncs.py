"""Applying what a bank says has changed: rows by the bank's own ids, pending rows apart.

Also which pending rows were posted as which rows, and rows that an account has from elsewhere and
that its bank now lists as its own.
"""

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import Connection

from finplan.store.engine import many
from finplan.store.folding import fold_others
from finplan.store.queries.rows import fetch, remove
from finplan.store.tables.tables import claimed_pending

SyncedValues = tuple[int, str, int, int, int, str, str | None]
"""A row from a bank: account and id, payee, day YYYYMMDD, amount, text, and the bank's own code."""

PostedValues = tuple[int, int, int, int, str | None, int]
"""A posted row: number, payee, day YYYYMMDD, amount, id of a bank if any, and its ordinal."""


def known_rows(
    connection: Connection, account: int, external_ids: Iterable[str]
) -> list[tuple[str, int, int, int | None]]:
    """An account's posted rows that have some of a bank's ids: id, day, amount and number.

    Copies that are set aside are among them, which have no number.
    """
    # SQLite's JSON ends a text at its first NUL, and a bank's ids are any text.
    connection.exec_driver_sql("CREATE TEMP TABLE wanted (external_id TEXT)")
    many(connection, "INSERT INTO wanted VALUES (?)", [(bank_id,) for bank_id in external_ids])
    query = (
        "SELECT external_id, day, amount, no FROM tx WHERE account_no = ? AND external_id IS NOT NULL"
        " AND external_id IN (SELECT external_id FROM wanted)"
        " UNION ALL SELECT external_id, day, amount, NULL FROM set_aside WHERE account_no = ?"
        " AND pending = 0 AND external_id IN (SELECT external_id FROM wanted)"
    )
    rows = fetch(connection, query, (account, account))
    connection.exec_driver_sql("DROP TABLE wanted")
    return rows


def insert_posted(
    connection: Connection, owner: int, rows: Iterable[SyncedValues], source: str, counted: set[int]
) -> None:
    """Insert posted rows; `counted` holds the accounts whose rows count."""
    many(
        connection,
        "INSERT INTO tx (owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal,"
        " source, counts, code, folded) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
        [
            (
                *(owner, account, payee, day, amount, raw, external_id),
                *(source, int(account in counted), code, fold_others(raw)),
            )
            for account, external_id, payee, day, amount, raw, code in rows
        ],
    )


def insert_pending(connection: Connection, owner: int, rows: Iterable[SyncedValues]) -> None:
    """Insert pending rows, in place of earlier ones with the same ids."""
    listed = list(rows)
    remove_pending(connection, [row[:2] for row in listed])
    many(
        connection,
        "INSERT INTO pending (owner_no, account_no, payee_no, day, amount, raw, external_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (owner, account, payee, day, amount, raw, external_id)
            for account, external_id, payee, day, amount, raw, _ in listed
        ],
    )


def remove_posted(connection: Connection, numbers: Iterable[int]) -> None:
    """Delete posted rows by number; their pairs must have been undone."""
    many(connection, "DELETE FROM tx WHERE no = ?", [(no,) for no in numbers])


def remove_pending(connection: Connection, rows: Iterable[tuple[int, str]]) -> int:
    """Delete pending rows by account and a bank's id; answers how many there were."""
    removed = 0
    for account, external_id in rows:
        removed += connection.exec_driver_sql(
            "DELETE FROM pending WHERE account_no = ? AND external_id = ?", (account, external_id)
        ).rowcount
    return removed


def waiting_rows(connection: Connection, account: int) -> list[tuple[str, int, int, int]]:
    """The pending rows of an account that its bank brought, oldest first: id, payee, day, amount."""
    query = (
        "SELECT external_id, payee_no, day, amount FROM pending WHERE account_no = ?"
        " AND import_no IS NULL AND external_id IS NOT NULL ORDER BY day, no"
    )
    return fetch(connection, query, (account,))


def claims_on(connection: Connection, account: int) -> list[tuple[str, str, int]]:
    """What was claimed on an account: a pending row, the posted one, both by id, and the day of that."""
    query = "SELECT pending_id, posted_id, day FROM claimed_pending WHERE account_no = ?"
    return fetch(connection, query, (account,))


def note_claims(
    connection: Connection,
    account: int,
    claims: Iterable[tuple[str, str, int]],
    forget_before: int,
) -> None:
    """Note what was claimed, and forget claims by rows of before a day: no bank tells of those again."""
    connection.exec_driver_sql(
        "DELETE FROM claimed_pending WHERE account_no = ? AND day < ?", (account, forget_before)
    )
    many(
        connection,
        "INSERT INTO claimed_pending (account_no, pending_id, posted_id, day)"
        f" VALUES ({account:d}, ?, ?, ?) ON CONFLICT (account_no, pending_id) DO NOTHING",
        [tuple(claim) for claim in claims],
    )


def rows_from_elsewhere(
    connection: Connection, account: int, source: str, since: int, until: int
) -> list[PostedValues]:
    """The rows of an account, of some days, that its bank of this kind has not listed yet."""
    query = (
        "SELECT no, payee_no, day, amount, external_id, ordinal FROM tx WHERE account_no = ?"
        " AND day BETWEEN ? AND ? AND (source <> ? OR external_id IS NULL) ORDER BY day, no"
    )
    return fetch(connection, query, (account, since, until, source))


def rows_of_bank_since(
    connection: Connection, account: int, source: str, day: int, *, forgotten: bool
) -> list[PostedValues]:
    """The rows that the bank of this kind has listed of an account, from a day on.

    `forgotten` says that those are meant, too, whose ids a former access gave (see `forget_ids`).
    """
    query = (
        "SELECT no, payee_no, day, amount, external_id, ordinal FROM tx WHERE account_no = ?"
        " AND source = ? AND day >= ? AND (? OR external_id IS NOT NULL) ORDER BY day, no"
    )
    return fetch(connection, query, (account, source, day, int(forgotten)))


def take_over(
    connection: Connection,
    account: int,
    source: str,
    taken: Iterable[tuple[PostedValues, str, int, str | None]],
) -> None:
    """Let rows from elsewhere be the bank's: no import owns them any more, and words stay on them.

    Each comes with the bank's id and day of it, and with its code for the payee.
    What file held each is remembered, for when the bank is linked no more.
    """
    listed = list(taken)
    many(
        connection,
        "INSERT OR IGNORE INTO sighting (import_no, tx_no)"
        " SELECT import_no, no FROM tx WHERE no = ? AND import_no IS NOT NULL",
        [(row[0],) for row, *_ in listed],
    )
    many(
        connection,
        "UPDATE remembered_row SET external_id = ?, day = ?, ordinal = 0"
        f" WHERE account_id = (SELECT id FROM account WHERE no = {account:d}) AND pending = 0"
        " AND day = ? AND amount = ? AND external_id IS ? AND ordinal = ?"
        " AND raw = (SELECT raw FROM tx WHERE no = ?)",
        [
            (external_id, day, former_day, amount, former_id, ordinal, no)
            for (no, _, former_day, amount, former_id, ordinal), external_id, day, _ in listed
        ],
    )
    many(
        connection,
        "UPDATE tx SET external_id = ?, day = ?, ordinal = 0, source = ?, import_no = NULL,"
        " code = coalesce(?, code) WHERE no = ?",
        [(external_id, day, source, code, row[0]) for row, external_id, day, code in listed],
    )


def forget_ids(connection: Connection, account: int, source: str) -> None:
    """Let the rows of an account have no ids of its bank any more, which names them anew.

    Equal rows of one day are told apart by their order from then on.
    """
    query = (
        "SELECT no, day, amount, external_id, raw FROM tx WHERE account_no = ? AND source = ?"
        " AND external_id IS NOT NULL ORDER BY no"
    )
    counts = Counter[tuple[int, int, str]]()
    changes = []
    for no, day, amount, external_id, raw in fetch(connection, query, (account, source)):
        changes.append((counts[day, amount, raw], day, amount, external_id, no))
        counts[day, amount, raw] += 1
    many(
        connection,
        "UPDATE remembered_row SET external_id = NULL, ordinal = ?"
        f" WHERE account_id = (SELECT id FROM account WHERE no = {account:d}) AND pending = 0"
        " AND day = ? AND amount = ? AND external_id = ?",
        [change[:4] for change in changes],
    )
    many(
        connection,
        "UPDATE tx SET external_id = NULL, ordinal = ? WHERE no = ?",
        [(ordinal, no) for ordinal, *_, no in changes],
    )
    remove(connection, claimed_pending, account_no=account)


def dated_amounts(
    connection: Connection, account: int, since: int, until: int
) -> list[tuple[int, int]]:
    """Day and amount of an account's posted rows of some days."""
    query = "SELECT day, amount FROM tx WHERE account_no = ? AND day BETWEEN ? AND ?"
    return fetch(connection, query, (account, since, until))

"""Rows and accounts that the person said are the same: one is set aside, and comes back when not.

Of accounts that a bank lists under new ids, each pair with one that it lists no more is asked about
until the person says what it is; an account that has gone takes its pairs along. Two accounts made
one: what is moved from the account that goes to the one that stays.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from finplan.store.engine import FOLDED
from finplan.store.queries import verdicts
from finplan.store.queries.rows import LISTED, add, add_all, as_list, change, every, fetch, remove
from finplan.store.queries.transfers import CandidateRow
from finplan.store.queries.verdicts import RowIdentity
from finplan.store.tables.tables import duplicate_verdict as table, pending, set_aside, tx

RELINKED = "relinked"
"""How a row of the table says that it is a question of these, and no verdict."""


class RelinkedPair(NamedTuple):
    """An account that is listed no more and one that is, by their ids, with the id of the question."""

    id: str
    former: str
    listed: str


def ask_about_relinked(connection: Connection, owner: int, pairs: Iterable[RelinkedPair]) -> None:
    """Ask whether each two are one account."""
    rows = [
        {
            "id": pair.id,
            "owner_no": owner,
            "kind": RELINKED,
            "verdict": "asked",
            "kept_account": pair.former,
            "other_account": pair.listed,
            "decided_at": 0,
        }
        for pair in pairs
    ]
    add_all(connection, table, rows)


def relinked_pairs(connection: Connection, owner: int) -> list[RelinkedPair]:
    """What is asked, the oldest first, of accounts that are both there."""
    query = (
        "SELECT asked.id, kept_account, other_account FROM duplicate_verdict AS asked"
        " JOIN account AS former ON former.id = kept_account AND former.owner_no = asked.owner_no"
        " JOIN account AS listed ON listed.id = other_account AND listed.owner_no = asked.owner_no"
        f" WHERE asked.owner_no = ? AND asked.kind = '{RELINKED}' ORDER BY asked.no"
    )
    return [RelinkedPair(*row) for row in fetch(connection, query, (owner,))]


def forget_relinked_pairs(connection: Connection, owner: int, ids: Iterable[str]) -> None:
    """Ask about some pairs no more."""
    for pair_id in ids:
        remove(connection, table, owner_no=owner, id=pair_id, kind=RELINKED)


def relinked_of_connections(connection: Connection, owner: int) -> dict[int, int]:
    """How many accounts of each connection wait to be told which they are, by its number."""
    query = (
        "SELECT listed.connection_no, count(DISTINCT listed.no) FROM duplicate_verdict AS asked"
        " JOIN account AS former ON former.id = kept_account AND former.owner_no = asked.owner_no"
        " JOIN account AS listed ON listed.id = other_account AND listed.owner_no = asked.owner_no"
        f" WHERE asked.owner_no = ? AND asked.kind = '{RELINKED}' GROUP BY listed.connection_no"
    )
    return dict(fetch(connection, query, (owner,)))


@dataclass(frozen=True, slots=True)
class SavedDuplicateVerdict:
    """A verdict on two rows or, with `accounts`, on two accounts by their ids; the first is kept.

    `kept` and `other` are the rows' numbers today, None for one that is gone or set aside; `pending`
    is whether the other is a pending row. `remembered` are what the rows are remembered by.
    """

    no: int
    id: str
    verdict: str
    accounts: tuple[str, str] | None
    kept: int | None
    other: int | None
    pending: bool
    remembered: tuple[int, int] | None


def duplicate_verdicts(connection: Connection, owner: int) -> list[SavedDuplicateVerdict]:
    """A person's verdicts on duplicates, oldest first."""
    query = select(table).where(table.c.owner_no == owner, table.c.kind != RELINKED)
    query = query.order_by(table.c.no)
    rows = every(connection, query)
    if not rows:
        return []
    posted = verdicts.current_rows(connection, owner, for_certain=True)
    waiting = verdicts.current_pending(connection, owner)
    return [
        SavedDuplicateVerdict(
            no=row["no"],
            id=row["id"],
            verdict=row["verdict"],
            accounts=(row["kept_account"], row["other_account"]) if row["kept_account"] else None,
            kept=posted.get(row["kept_row_no"]),
            other=(waiting if row["kind"] == "pending" else posted).get(row["other_row_no"]),
            pending=row["kind"] == "pending",
            remembered=(row["kept_row_no"], row["other_row_no"]) if row["kept_row_no"] else None,
        )
        for row in rows
    ]


def different_accounts(connection: Connection, owner: int) -> frozenset[frozenset[str]]:
    """The pairs of accounts, by their ids, that the person said are two."""
    query = select(table.c.kept_account, table.c.other_account).filter_by(
        owner_no=owner, kind="accounts", verdict="different"
    )
    return frozenset(frozenset(pair) for pair in connection.execute(query))


def duplicate_accounts(connection: Connection, owner: int) -> frozenset[str]:
    """The ids of the accounts that the person said are another one of the household."""
    query = select(table.c.other_account).filter_by(owner_no=owner, kind="accounts", verdict="same")
    return frozenset(connection.execute(query).scalars())


def save_row_verdict(
    connection: Connection,
    owner: int,
    duplicate_id: str,
    verdict: str,
    kept_row: RowIdentity,
    other_row: RowIdentity,
    now: int,
) -> None:
    """Keep a verdict on two rows."""
    values = {
        "kind": "pending" if other_row.pending else "rows",
        "kept_row_no": verdicts.save_identity(connection, owner, kept_row),
        "other_row_no": verdicts.save_identity(connection, owner, other_row),
    }
    _save(connection, owner, duplicate_id, verdict, now, values)


def save_account_verdict(
    connection: Connection,
    owner: int,
    duplicate_id: str,
    verdict: str,
    ids: tuple[str, str],
    now: int,
) -> None:
    """Keep a verdict on two accounts, given by their ids, the kept one first."""
    values = {"kind": "accounts", "kept_account": ids[0], "other_account": ids[1]}
    _save(connection, owner, duplicate_id, verdict, now, values)


def _save(
    connection: Connection,
    owner: int,
    duplicate_id: str,
    verdict: str,
    now: int,
    values: Mapping[str, object],
) -> None:
    row = {"id": duplicate_id, "owner_no": owner, "verdict": verdict, "decided_at": now}
    add(connection, table, {**row, **values})


def change_verdict(connection: Connection, no: int, verdict: str, now: int) -> None:
    """Let another verdict hold for the same two."""
    change(connection, table, no, verdict=verdict, decided_at=now)


def drop_verdict(connection: Connection, verdict: SavedDuplicateVerdict) -> None:
    """Take a verdict back; what it set aside must have been brought back."""
    remove(connection, table, no=verdict.no)
    verdicts.forget_identities(connection, verdict.remembered or ())


_COLUMNS = (
    "owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal, source, import_no,"
    " code"
)
_PENDING = "owner_no, account_no, payee_no, day, amount, raw, external_id, import_no"


def set_row_aside(connection: Connection, verdict_no: int, number: int) -> None:
    """Take a posted row, which is in no pair, out of the ledger and keep it with its verdict."""
    _forget_aside(connection, verdict_no)
    connection.exec_driver_sql(
        f"INSERT INTO set_aside (verdict_no, pending, {_COLUMNS})"
        f" SELECT ?, 0, {_COLUMNS} FROM tx WHERE no = ?",
        (verdict_no, number),
    )
    remove(connection, tx, no=number)


def set_pending_aside(connection: Connection, verdict_no: int, number: int) -> None:
    """Take a pending row out of the ledger and keep it with its verdict.

    Where the verdict has a row aside, only the bank's giving that one again takes another: what has no
    id of a bank may be a second purchase, which is as it was.
    """
    has_another = connection.exec_driver_sql(
        "SELECT 1 FROM set_aside JOIN pending ON pending.no = ? WHERE verdict_no = ?"
        " AND (set_aside.external_id IS NULL OR pending.external_id IS NULL"
        " OR set_aside.external_id <> pending.external_id)",
        (number, verdict_no),
    ).first()
    if has_another:
        return
    # Of equal rows the last goes, so that an export, which has what is aside last, restores the same.
    number = connection.exec_driver_sql(
        "SELECT max(equal.no) FROM pending JOIN pending AS equal USING (account_no, day, amount, raw)"
        " WHERE pending.no = ?"
        " AND coalesce(equal.external_id, '') = coalesce(pending.external_id, '')",
        (number,),
    ).scalar_one()
    _forget_aside(connection, verdict_no)
    connection.exec_driver_sql(
        f"INSERT INTO set_aside (verdict_no, pending, ordinal, source, {_PENDING})"
        f" SELECT ?, 1, 0, '', {_PENDING} FROM pending WHERE no = ?",
        (verdict_no, number),
    )
    remove(connection, pending, no=number)


def _forget_aside(connection: Connection, verdict_no: int) -> None:
    # The bank may have given the row once more, and one is enough to bring back.
    remove(connection, set_aside, verdict_no=verdict_no)


def restore_row(connection: Connection, verdict_no: int) -> int | None:
    """Put what a verdict set aside back; answers a posted row's number, which counts nowhere yet."""
    connection.exec_driver_sql(
        f"INSERT INTO pending ({_PENDING}) SELECT {_PENDING} FROM set_aside"
        " WHERE verdict_no = ? AND pending = 1",
        (verdict_no,),
    )
    number = connection.exec_driver_sql(
        f"INSERT INTO tx (counts, {_COLUMNS}, folded) SELECT 0, {_COLUMNS}, {FOLDED} FROM set_aside"
        " WHERE verdict_no = ? AND pending = 0 RETURNING no",
        (verdict_no,),
    ).scalar()
    _forget_aside(connection, verdict_no)
    return None if number is None else int(number)


def rows_set_aside(
    connection: Connection, owner: int
) -> dict[int, tuple[int, int, int, str, bool]]:
    """Account, day, amount, text and whether pending of what each verdict has set aside."""
    query = (
        "SELECT verdict_no, account_no, day, amount, raw, pending FROM set_aside WHERE owner_no = ?"
    )
    rows = fetch(connection, query, (owner,))
    return {
        no: (account, day, amount, raw, bool(pending))
        for no, account, day, amount, raw, pending in rows
    }


def forget_rows_aside(connection: Connection, account: int, external_ids: Iterable[str]) -> None:
    """Forget rows of an account that its bank has withdrawn, by the bank's ids."""
    for external_id in external_ids:
        remove(connection, set_aside, account_no=account, external_id=external_id)


_ORIGIN = "coalesce(import_no, source)"


def days_of_origins(connection: Connection, owner: int) -> list[tuple[int, int | str, int, int]]:
    """Of each account that more than one import or bank has brought rows of: the days of each.

    Account, origin, the first and the last day with a row that it brought, or held beside another one.
    """
    brought = (
        f"SELECT DISTINCT account_no, {_ORIGIN} FROM tx"
        " WHERE account_no IN (SELECT no FROM account WHERE owner_no = ?)"
    )
    counts = Counter(account for account, _ in fetch(connection, brought, (owner,)))
    several = as_list(account for account, origins in counts.items() if origins > 1)
    rows = (
        f"SELECT account_no, {_ORIGIN} AS origin, day FROM tx WHERE account_no IN {LISTED} UNION ALL"
        " SELECT account_no, sighting.import_no, day FROM sighting JOIN tx ON tx.no = tx_no"
        f" WHERE account_no IN {LISTED}"
    )
    query = (
        f"SELECT account_no, origin, min(day), max(day) FROM ({rows}) GROUP BY account_no, origin"
    )
    return fetch(connection, query, (several, several))


def rows_of_days(connection: Connection, account: int, since: int, until: int) -> list[Any]:
    """Number, account, day, amount, payee, text, origin: an account's rows from one day to another."""
    query = (
        f"SELECT no, account_no, day, amount, payee_no, raw, {_ORIGIN} FROM tx"
        " WHERE account_no = ? AND day BETWEEN ? AND ?"
    )
    return fetch(connection, query, (account, since, until))


def posted_since(connection: Connection, owner: int, day: int) -> list[Any]:
    """In the same shape the posted rows, from a day on, of payees that have a pending one."""
    query = (
        f"SELECT no, account_no, day, amount, payee_no, raw, {_ORIGIN} FROM tx WHERE owner_no = ?"
        " AND day >= ? AND payee_no IN (SELECT payee_no FROM pending WHERE owner_no = ?)"
    )
    return fetch(connection, query, (owner, day, owner))


def list_sightings(connection: Connection, owner: int) -> dict[int, set[int | str]]:
    """The imports that held a row which another one brought, by the row's number."""
    imports: dict[int, set[int | str]] = {}
    query = (
        "SELECT tx_no, import_no FROM import_batch JOIN sighting ON import_no = import_batch.no"
        " WHERE owner_no = ?"
    )
    for number, import_no in fetch(connection, query, (owner,)):
        imports.setdefault(number, set()).add(import_no)
    return imports


def pending_rows(connection: Connection, owner: int) -> list[CandidateRow]:
    """Every pending row."""
    query = "SELECT no, account_no, day, amount, raw, payee_no FROM pending WHERE owner_no = ?"
    return [CandidateRow(*row) for row in fetch(connection, query, (owner,))]


_ROWS_FOLLOW = (
    "UPDATE tx SET account_no = :stays WHERE account_no = :goes",
    "UPDATE pending SET account_no = :stays WHERE account_no = :goes",
    "UPDATE set_aside SET account_no = :stays WHERE account_no = :goes",
    "UPDATE claimed_pending SET account_no = :stays WHERE account_no = :goes",
    "UPDATE csv_answer SET account_no = :stays WHERE account_no = :goes",
    "UPDATE planned SET account_no = :stays WHERE account_no = :goes",
    "UPDATE OR IGNORE balance_record SET account_no = :stays WHERE account_no = :goes",
    "UPDATE OR IGNORE coverage SET account_no = :stays WHERE account_no = :goes AND import_no <> 0",
)


class MovingRow(NamedTuple):
    """A posted row of the account that goes; `day` is YYYYMMDD."""

    no: int
    payee: int
    day: int
    amount: int
    external_id: str | None
    source: str
    code: str | None


def moving_rows(connection: Connection, account: int) -> list[MovingRow]:
    """The posted rows of an account, oldest first."""
    query = (
        "SELECT no, payee_no, day, amount, external_id, source, code FROM tx WHERE account_no = ?"
        " ORDER BY day, no"
    )
    return [MovingRow(*row) for row in fetch(connection, query, (account,))]


def drop_waiting(connection: Connection, account: int) -> None:
    """Delete the pending rows that the bank of an account listed."""
    remove(connection, pending, account_no=account, import_no=None)


def move_content(connection: Connection, goes: int, stays: int) -> None:
    """Let all that hangs on one account hang on another: rows, balances, words, what files said.

    Equal rows without an id of a bank's keep apart: those that come are counted on from those there.
    """
    numbers = {"goes": goes, "stays": stays}
    connection.exec_driver_sql(
        "UPDATE tx SET ordinal = ordinal + (SELECT count(*) FROM tx AS there"
        " WHERE there.account_no = :stays AND there.day = tx.day AND there.amount = tx.amount"
        " AND there.external_id IS NULL AND there.raw = tx.raw)"
        " WHERE account_no = :goes AND external_id IS NULL",
        numbers,
    )
    connection.exec_driver_sql(
        "UPDATE remembered_row SET account_id = (SELECT id FROM account WHERE no = :stays)"
        " WHERE account_id = (SELECT id FROM account WHERE no = :goes)",
        numbers,
    )
    for statement in _ROWS_FOLLOW:
        connection.exec_driver_sql(statement, numbers)

"""Rows that an account has from elsewhere, and that its bank now lists as its own."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many


class RowFromElsewhere(NamedTuple):
    """A posted row that has no id, or no longer one, of the present link's; `day` is YYYYMMDD."""

    no: int
    payee: int
    day: int
    amount: int
    external_id: str | None
    ordinal: int


class Taken(NamedTuple):
    """A row from elsewhere that the bank lists: its id and day there, and its code for the payee."""

    row: RowFromElsewhere
    external_id: str
    day: int
    code: str | None


def rows_from_elsewhere(
    connection: Connection, account: int, source: str, since: int, until: int
) -> list[RowFromElsewhere]:
    """The rows of an account, of some days, that its bank of this kind has not listed yet."""
    rows = connection.exec_driver_sql(
        "SELECT no, payee_no, day, amount, external_id, ordinal FROM tx WHERE account_no = ?"
        " AND day BETWEEN ? AND ? AND (source <> ? OR external_id IS NULL) ORDER BY day, no",
        (account, since, until, source),
    )
    return [RowFromElsewhere(*row) for row in rows]


def rows_of_bank_since(
    connection: Connection, account: int, source: str, day: int, *, forgotten: bool
) -> list[RowFromElsewhere]:
    """The rows that the bank of this kind has listed of an account, from a day on.

    `forgotten` says that those are meant, too, whose ids a former access gave (see `forget_ids`).
    """
    rows = connection.exec_driver_sql(
        "SELECT no, payee_no, day, amount, external_id, ordinal FROM tx WHERE account_no = ?"
        " AND source = ? AND day >= ? AND (? OR external_id IS NOT NULL) ORDER BY day, no",
        (account, source, day, int(forgotten)),
    )
    return [RowFromElsewhere(*row) for row in rows]


def take_over(connection: Connection, account: int, source: str, taken: Iterable[Taken]) -> None:
    """Let rows from elsewhere be the bank's: no import owns them any more, and words stay on them.

    What file held each is remembered, for when the bank is linked no more.
    """
    listed = list(taken)
    many(
        connection,
        "INSERT OR IGNORE INTO sighting (import_no, tx_no)"
        " SELECT import_no, no FROM tx WHERE no = ? AND import_no IS NOT NULL",
        [(each.row.no,) for each in listed],
    )
    many(
        connection,
        "UPDATE remembered_row SET external_id = ?, day = ?, ordinal = 0"
        f" WHERE account_id = (SELECT id FROM account WHERE no = {account:d}) AND pending = 0"
        " AND day = ? AND amount = ? AND external_id IS ? AND ordinal = ?"
        " AND raw = (SELECT raw FROM tx WHERE no = ?)",
        [
            (each.external_id, each.day, row.day, row.amount, row.external_id, row.ordinal, row.no)
            for each in listed
            for row in (each.row,)
        ],
    )
    many(
        connection,
        "UPDATE tx SET external_id = ?, day = ?, ordinal = 0, source = ?, import_no = NULL,"
        " code = coalesce(?, code) WHERE no = ?",
        [(each.external_id, each.day, source, each.code, each.row.no) for each in listed],
    )


def forget_ids(connection: Connection, account: int, source: str) -> None:
    """Let the rows of an account have no ids of its bank any more, which names them anew.

    Equal rows of one day are told apart by their order from then on.
    """
    rows = connection.exec_driver_sql(
        "SELECT no, day, amount, external_id, raw FROM tx WHERE account_no = ? AND source = ?"
        " AND external_id IS NOT NULL ORDER BY no",
        (account, source),
    ).all()
    seen: dict[tuple[int, int, str], int] = {}
    changes = []
    for no, day, amount, external_id, raw in rows:
        ordinal = seen.get((day, amount, raw), 0)
        seen[day, amount, raw] = ordinal + 1
        changes.append((ordinal, day, amount, external_id, no))
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
    connection.exec_driver_sql("DELETE FROM claimed_pending WHERE account_no = ?", (account,))


def dated_amounts(
    connection: Connection, account: int, since: int, until: int
) -> list[tuple[int, int]]:
    """Day and amount of an account's posted rows of some days."""
    rows = connection.exec_driver_sql(
        "SELECT day, amount FROM tx WHERE account_no = ? AND day BETWEEN ? AND ?",
        (account, since, until),
    )
    return [(day, amount) for day, amount in rows]

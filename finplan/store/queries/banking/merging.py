"""Two accounts made one: what is moved from the account that goes to the one that stays."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many

_FOLLOWING = (
    "UPDATE tx SET account_no = :stays WHERE account_no = :goes",
    "UPDATE pending SET account_no = :stays WHERE account_no = :goes",
    "UPDATE set_aside SET account_no = :stays WHERE account_no = :goes",
    "UPDATE claimed_pending SET account_no = :stays WHERE account_no = :goes",
    "UPDATE csv_answer SET account_no = :stays WHERE account_no = :goes",
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
    rows = connection.exec_driver_sql(
        "SELECT no, payee_no, day, amount, external_id, source, code FROM tx WHERE account_no = ?"
        " ORDER BY day, no",
        (account,),
    )
    return [MovingRow(*row) for row in rows]


def drop_rows(connection: Connection, numbers: Iterable[int]) -> None:
    """Delete posted rows, which are in no pair."""
    many(connection, "DELETE FROM tx WHERE no = ?", [(no,) for no in numbers])


def drop_waiting(connection: Connection, account: int) -> None:
    """Delete the pending rows that the bank of an account listed."""
    connection.exec_driver_sql(
        "DELETE FROM pending WHERE account_no = ? AND import_no IS NULL", (account,)
    )


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
    for each in _FOLLOWING:
        connection.exec_driver_sql(each, numbers)

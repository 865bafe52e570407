"""What of a linked account is the bank's alone, and what files brought, when the link ends.

A row that the bank took over from a file, or that a file lists too, is the file's again.
"""

from typing import NamedTuple

from sqlalchemy import Connection

_FROM_FILES = (
    "(import_no IS NOT NULL OR EXISTS (SELECT 1 FROM sighting WHERE sighting.tx_no = tx.no))"
)
_COUNTED = (
    "SELECT account_no, count(*), min(day), max(day) FROM tx"
    " JOIN account ON account.no = account_no WHERE connection_no = ? AND {which}"
    " GROUP BY account_no"
)


class CountedRows(NamedTuple):
    """How many rows of an account, and their first and last day, YYYYMMDD."""

    account: int
    rows: int
    first: int
    last: int


def rows_of_files(connection: Connection, link: int) -> list[CountedRows]:
    """The rows of each account of a connection that files brought."""
    return _counted(connection, link, _FROM_FILES)


def rows_of_the_bank(connection: Connection, link: int) -> list[CountedRows]:
    """The rows of each account of a connection that the bank alone brought."""
    return _counted(connection, link, f"NOT {_FROM_FILES}")


def _counted(connection: Connection, link: int, which: str) -> list[CountedRows]:
    rows = connection.exec_driver_sql(_COUNTED.format(which=which), (link,))
    return [CountedRows(*row) for row in rows]


def numbers_of_the_bank(connection: Connection, account: int) -> list[int]:
    """The posted rows of an account that the bank alone brought."""
    query = f"SELECT no FROM tx WHERE account_no = ? AND NOT {_FROM_FILES}"
    return [row[0] for row in connection.exec_driver_sql(query, (account,))]


def give_back_to_files(connection: Connection, account: int) -> None:
    """Let rows that files list too be the first file's, so that undoing its import takes them along."""
    connection.exec_driver_sql(
        "UPDATE tx SET import_no = (SELECT min(import_no) FROM sighting WHERE tx_no = tx.no)"
        " WHERE account_no = ? AND import_no IS NULL"
        " AND no IN (SELECT tx_no FROM sighting)",
        (account,),
    )
    connection.exec_driver_sql(
        "DELETE FROM sighting WHERE EXISTS (SELECT 1 FROM tx WHERE tx.no = sighting.tx_no"
        " AND tx.account_no = ? AND tx.import_no = sighting.import_no)",
        (account,),
    )


def forget_what_the_bank_said(connection: Connection, account: int, *, balances: bool) -> None:
    """Forget what a bank said of an account besides its rows; with `balances` also what it held."""
    connection.exec_driver_sql(
        "DELETE FROM pending WHERE account_no = ? AND import_no IS NULL", (account,)
    )
    connection.exec_driver_sql("DELETE FROM claimed_pending WHERE account_no = ?", (account,))
    connection.exec_driver_sql(
        "DELETE FROM coverage WHERE account_no = ? AND import_no = 0", (account,)
    )
    if balances:
        connection.exec_driver_sql(
            "DELETE FROM balance_record WHERE account_no = ? AND import_no = 0", (account,)
        )

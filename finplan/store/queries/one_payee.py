"""What is asked about one payee, read without the rest of the ledger."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import closing

from sqlalchemy import Connection, RowMapping

_ENDS = (
    "SELECT no, (SELECT min(day) FROM tx WHERE account_no = account.no AND day <= ?),"
    " (SELECT max(day) FROM tx WHERE account_no = account.no AND day <= ?)"
    " FROM account WHERE no IN ({accounts})"
)

_WEIGHED = (
    "SELECT account_no, min(day), sum(amount) FROM tx WHERE account_no IN ({accounts})"
    " AND day <= ? AND day > ? AND counts = 1 GROUP BY account_no, day / 100, amount < 0"
)

_ROWS = (
    "SELECT payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
    " WHERE owner_no = ? AND payee_no = ? AND counts = 1"
)

PayeesRow = tuple[int, int, int, int, int, int]
"""Payee, account, day, amount, peer account or 0, counts."""


def payees_in(
    connection: Connection, owner: int, categories: Collection[str]
) -> Iterable[tuple[int, str]]:
    """Number and key of the payees of which a row may be in one of some categories."""
    among = ",".join(f"'{category}'" for category in sorted(categories))
    # The sign keeps the database from the index by owner, which would look each payee up.
    rows = connection.exec_driver_sql(
        f"SELECT no, key FROM payee WHERE +owner_no = ? AND (category_out IN ({among})"
        f" OR category_in IN ({among}) OR no IN (SELECT payee_no FROM rule"
        f" WHERE amount IS NOT NULL AND category IN ({among})))",
        (owner,),
    )
    return ((no, key) for no, key in rows)


def payee_of(connection: Connection, number: int) -> RowMapping:
    """A payee by its number."""
    rows = connection.exec_driver_sql("SELECT * FROM payee WHERE no = ?", (number,))
    return rows.mappings().one()


def rows_of_payee(connection: Connection, owner: int, number: int) -> list[PayeesRow]:
    """A payee's rows that count."""
    with closing(connection.exec_driver_sql(_ROWS, (owner, number))) as result:
        return list(result.cursor.fetchall())


def end_rows(connection: Connection, accounts: Sequence[int], today: int) -> list[PayeesRow]:
    """The first and the last row of each account up to a day YYYYMMDD, without payee and amount."""
    query = _ENDS.format(accounts=",".join(map(str, accounts)))
    return [
        (0, no, day, 0, 0, 0)
        for no, *ends in connection.exec_driver_sql(query, (today, today))
        for day in ends
        if day is not None
    ]


def weighed_rows(
    connection: Connection, accounts: Sequence[int], until: int, after: int
) -> list[PayeesRow]:
    """What counts of each account up to a day YYYYMMDD and after another, by month and sign."""
    query = _WEIGHED.format(accounts=",".join(map(str, accounts)))
    return [
        (0, no, day, amount, 0, 1)
        for no, day, amount in connection.exec_driver_sql(query, (until, after))
    ]

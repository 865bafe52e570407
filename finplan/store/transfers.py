"""Pairs of rows that are one movement of money between own accounts."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many


class Candidate(NamedTuple):
    """A posted, unpaired row that might be one leg of a transfer."""

    no: int
    account: int
    day: int
    amount: int
    raw: str
    payee: int


_FRESH = (
    "CREATE TEMP TABLE fresh AS SELECT no, account_no, day, amount FROM tx"
    " WHERE {which} AND owner_no = ? AND transfer_no IS NULL AND amount <> 0"
)

_REACH = 200
"""How far around the fresh rows older ones are looked at, as a difference of days YYYYMMDD."""

_OVER_NEW_YEAR = 8900
"""What the turn of a year adds to such a difference: 20270101 follows 20261231."""

_MET = (
    "CREATE TEMP TABLE met AS SELECT no, account_no, amount FROM tx WHERE owner_no = ?"
    " AND day BETWEEN ? AND ?"
    " AND transfer_no IS NULL AND EXISTS (SELECT 1 FROM fresh"
    " WHERE fresh.amount = -tx.amount AND fresh.account_no <> tx.account_no)"
)

_BOTH_SIDES = (
    "SELECT no, account_no, day, amount, raw, payee_no FROM tx WHERE no IN (SELECT no FROM met"
    " UNION SELECT fresh.no FROM fresh WHERE EXISTS (SELECT 1 FROM met"
    " WHERE met.amount = -fresh.amount AND met.account_no <> fresh.account_no)) ORDER BY no"
)


def newest_row(connection: Connection) -> int:
    """The highest number of a posted row; rows that arrive later have higher ones."""
    return int(connection.exec_driver_sql("SELECT coalesce(max(no), 0) FROM tx").scalar_one())


def new_candidates(connection: Connection, owner: int, since_no: int) -> list[Candidate]:
    """Both sides of every possible pair that has a row above a number: equal amounts, other signs.

    Older rows are looked at from a month or more before the first new row to as long after the last;
    how close two legs must be is the caller's to judge.
    """
    return _candidates(connection, owner, "no > ?", since_no)


def candidates_of_account(connection: Connection, owner: int, account: int) -> list[Candidate]:
    """Both sides of every possible pair that has a row of one account."""
    return _candidates(connection, owner, "account_no = ?", account)


def _candidates(connection: Connection, owner: int, which: str, value: int) -> list[Candidate]:
    accounts = connection.exec_driver_sql(
        "SELECT count(*) FROM account WHERE owner_no = ?", (owner,)
    ).scalar_one()
    if accounts < 2:
        return []
    connection.exec_driver_sql(_FRESH.format(which=which), (value, owner))
    connection.exec_driver_sql("CREATE INDEX temp.fresh_amount ON fresh (amount, account_no)")
    first, last = connection.exec_driver_sql("SELECT min(day), max(day) FROM fresh").one()
    connection.exec_driver_sql(_MET, (owner, *_around(first or 0, last or 0)))
    connection.exec_driver_sql("CREATE INDEX temp.met_amount ON met (amount, account_no)")
    rows = connection.exec_driver_sql(_BOTH_SIDES).all()
    connection.exec_driver_sql("DROP TABLE fresh")
    connection.exec_driver_sql("DROP TABLE met")
    return [Candidate(*row) for row in rows]


def _around(first: int, last: int) -> tuple[int, int]:
    """A month or more to either side of two days."""
    early = _REACH + _OVER_NEW_YEAR * (first % 10000 <= _REACH)
    late = _REACH + _OVER_NEW_YEAR * (last % 10000 >= 1231 - _REACH)
    return first - early, last + late


def rows_of_account(connection: Connection, account: int) -> list[int]:
    """The paired rows of an account."""
    rows = connection.exec_driver_sql(
        "SELECT no FROM tx WHERE account_no = ? AND transfer_no IS NOT NULL", (account,)
    )
    return [row[0] for row in rows]


def save_pairs(
    connection: Connection, owner: int, pairs: Iterable[tuple[str, int, int, bool]]
) -> None:
    """Join pairs: each an id, the outgoing row, the incoming row, and whether the former is spending."""
    first = int(
        connection.exec_driver_sql("SELECT coalesce(max(no), 0) + 1 FROM transfer").scalar_one()
    )
    numbered = [(first + place, *pair) for place, pair in enumerate(pairs)]
    many(
        connection,
        "INSERT INTO transfer (no, id, owner_no, out_no, in_no, counts) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (no, transfer_id, owner, out_no, in_no, int(spends))
            for no, transfer_id, out_no, in_no, spends in numbered
        ],
    )
    join = (
        "UPDATE tx SET transfer_no = ?, counts = counts * ?,"
        " peer_no = (SELECT account_no FROM tx AS other WHERE other.no = ?) WHERE no = ?"
    )
    outgoing = [(no, int(spends), in_no, out_no) for no, _, out_no, in_no, spends in numbered]
    incoming = [(no, 0, out_no, in_no) for no, _, out_no, in_no, _ in numbered]
    many(connection, join, outgoing + incoming)


def loan_payments(connection: Connection, owner: int) -> list[tuple[int, int, int, bool]]:
    """Loan account, day, amount (positive) and whether beyond schedule, of every paired payment."""
    rows = connection.exec_driver_sql(
        "SELECT tx.peer_no, tx.day, -tx.amount, transfer.counts"
        " FROM transfer JOIN tx ON tx.no = transfer.out_no"
        " JOIN account AS loan ON loan.no = tx.peer_no"
        " WHERE transfer.owner_no = ? AND loan.kind = 'loan' ORDER BY tx.day, tx.no",
        (owner,),
    )
    return [(loan, day, amount, not counts) for loan, day, amount, counts in rows]


def part_from(connection: Connection, rows: Sequence[int]) -> list[int]:
    """Undo the pairs that some rows are in; answers the rows on the other side, which stay."""
    connection.exec_driver_sql("CREATE TEMP TABLE leaving (no INTEGER PRIMARY KEY)")
    many(connection, "INSERT INTO leaving VALUES (?)", [(no,) for no in rows])
    pairs = connection.exec_driver_sql(
        "SELECT no, out_no, in_no FROM transfer"
        " WHERE out_no IN (SELECT no FROM leaving) OR in_no IN (SELECT no FROM leaving)"
    ).all()
    connection.exec_driver_sql("DROP TABLE leaving")
    gone = set(rows)
    staying = [row for _, out_no, in_no in pairs for row in (out_no, in_no) if row not in gone]
    numbers = [(no,) for no, _, _ in pairs]
    many(
        connection,
        "UPDATE tx SET transfer_no = NULL, peer_no = NULL WHERE transfer_no = ?",
        numbers,
    )
    many(connection, "DELETE FROM transfer WHERE no = ?", numbers)
    return staying

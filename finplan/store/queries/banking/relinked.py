"""Accounts that a bank lists under new ids, and which of those that it lists no more each may be.

A pair is asked about until the person says what it is; an account that has gone takes its pairs along.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, insert

from finplan.store.tables.tables import duplicate_verdict as table

KIND = "relinked"
"""How a row of the table says that it is a question of these, and no verdict."""


class RelinkedPair(NamedTuple):
    """An account that is listed no more and one that is, by their ids, with the id of the question."""

    id: str
    former: str
    listed: str


def ask_about(connection: Connection, owner: int, pairs: Iterable[RelinkedPair]) -> None:
    """Ask whether each two are one account."""
    rows = [
        {
            "id": pair.id,
            "owner_no": owner,
            "kind": KIND,
            "verdict": "asked",
            "kept_account": pair.former,
            "other_account": pair.listed,
            "decided_at": 0,
        }
        for pair in pairs
    ]
    if rows:
        connection.execute(insert(table), rows)


def relinked_pairs(connection: Connection, owner: int) -> list[RelinkedPair]:
    """What is asked, the oldest first, of accounts that are both there."""
    rows = connection.exec_driver_sql(
        "SELECT asked.id, kept_account, other_account FROM duplicate_verdict AS asked"
        " JOIN account AS former ON former.id = kept_account AND former.owner_no = asked.owner_no"
        " JOIN account AS listed ON listed.id = other_account AND listed.owner_no = asked.owner_no"
        f" WHERE asked.owner_no = ? AND asked.kind = '{KIND}' ORDER BY asked.no",
        (owner,),
    )
    return [RelinkedPair(*row) for row in rows]


def forget_pairs(connection: Connection, owner: int, ids: Iterable[str]) -> None:
    """Ask about some pairs no more."""
    for each in ids:
        connection.exec_driver_sql(
            f"DELETE FROM duplicate_verdict WHERE owner_no = ? AND id = ? AND kind = '{KIND}'",
            (owner, each),
        )


def relinked_of_connections(connection: Connection, owner: int) -> dict[int, int]:
    """How many accounts of each connection wait to be told which they are, by its number."""
    rows = connection.exec_driver_sql(
        "SELECT listed.connection_no, count(DISTINCT listed.no) FROM duplicate_verdict AS asked"
        " JOIN account AS former ON former.id = kept_account AND former.owner_no = asked.owner_no"
        " JOIN account AS listed ON listed.id = other_account AND listed.owner_no = asked.owner_no"
        f" WHERE asked.owner_no = ? AND asked.kind = '{KIND}' GROUP BY listed.connection_no",
        (owner,),
    )
    return {row[0]: row[1] for row in rows}

"""Moving the staged rows of a whole household into the store, each just as it was."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import FOLDED, many
from finplan.store.queries.transfers import last_given


class RestoredPair(NamedTuple):
    """Two restored rows that were one movement of money, by the id that the pair had."""

    id: str
    out: int
    into: int
    spends: bool


_ALIKE = """
SELECT 1 FROM staged.arrived JOIN staged.exported ON exported.seq = arrived.seq
WHERE external_id IS NOT NULL
GROUP BY account, external_id, day, amount, exported.ordinal
HAVING count(*) > 1 LIMIT 1
"""

_INSERT = f"""
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

_PAIRS = """
SELECT transfer, min(CASE WHEN amount < 0 THEN place END),
       min(CASE WHEN amount > 0 THEN place END), max(spends)
FROM staged.exported JOIN staged.arrived ON arrived.seq = exported.seq
WHERE transfer IS NOT NULL GROUP BY transfer
HAVING count(*) = 2 AND sum(amount < 0) = 1 AND sum(amount > 0) = 1 AND min(account) <> max(account)
ORDER BY min(place)
"""


def are_told_apart(connection: Connection) -> bool:
    """Whether no two staged rows of an account are one by the bank's id."""
    return connection.exec_driver_sql(_ALIKE).first() is None


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
    before = last_given(connection)
    connection.exec_driver_sql(_INSERT, (before, owner, source, batch))
    pairs = [
        RestoredPair(known, before + out, before + into, bool(spends))
        for known, out, into, spends in connection.exec_driver_sql(_PAIRS)
    ]
    legs = connection.exec_driver_sql(
        "SELECT place FROM staged.exported WHERE transfer IS NOT NULL"
    )
    joined = {number for pair in pairs for number in (pair.out, pair.into)}
    return pairs, [before + place for (place,) in legs if before + place not in joined]

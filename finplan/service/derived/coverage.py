"""What each account is covered for: the intervals of all its sources, with real holes between them."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.plan.ledger.coverage import Interval, joined
from finplan.store.queries import accounts, coverage


def owes(kind: str) -> bool:
    """Whether a balance of this kind of account is what is owed."""
    return kind in {"credit", "loan"}


def coverage_of(
    connection: Connection, owner: int, rows: Iterable[RowMapping]
) -> dict[int, list[Interval]]:
    """The intervals of some of a person's accounts, by number; one without any is left out."""
    stored = coverage.intervals_of(connection, owner)
    return {
        row["no"]: joined(
            [Interval(*values) for values in stored[row["no"]]],
            partial(_balances_agree, connection, row),
        )
        for row in rows
        if row["no"] in stored
    }


def _balances_agree(
    connection: Connection, account: RowMapping, before: Interval, after: Interval
) -> bool:
    """Whether the rows between two stated balances, on both sides of a pause, explain the later one."""
    stated = accounts.balances_of(connection, account["no"])
    place = bisect_right(stated, before.until, key=lambda each: each[0])
    later = next((each for each in stated[place:] if each[0] >= after.since), None)
    if place == 0 or later is None:
        return False
    (first, begun), (last, ended) = stated[place - 1], later
    moved = accounts.moved_between(connection, account["no"], first, last)
    return ended - begun == (-moved if owes(account["kind"]) else moved)

"""What each account is covered for: the intervals of all its sources, with real holes between them."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import itemgetter

from sqlalchemy import Connection, RowMapping

from finplan.plan.ledger.days import Interval, joined
from finplan.store.queries import accounts


def owes(kind: str) -> bool:
    """Whether a balance of this kind of account is what is owed."""
    return kind in {"credit", "loan"}


def coverage_of(
    connection: Connection, owner: int, rows: Iterable[RowMapping]
) -> dict[int, list[Interval]]:
    """The intervals of some of a person's accounts, by number; one without any is left out."""
    stored = accounts.coverage_of(connection, owner)
    return {
        row["no"]: joined(
            [Interval(*values) for values in stored[row["no"]]],
            partial(_agree, connection, row),
        )
        for row in rows
        if row["no"] in stored
    }


def balances_agree(
    stated: Sequence[tuple[int, int]],
    moved: Callable[[int, int], int],
    before: Interval,
    after: Interval,
) -> bool:
    """Whether the rows between two stated balances, on both sides of a pause, explain the later one.

    `stated` are days and balances, in order; `moved` tells what the rows after a day and up to another
    change the balance by.
    """
    place = bisect_right(stated, before.until, key=itemgetter(0))
    later = next((each for each in stated[place:] if each[0] >= after.since), None)
    if place == 0 or later is None:
        return False
    (first, begun), (last, ended) = stated[place - 1], later
    return ended - begun == moved(first, last)


def _agree(connection: Connection, account: RowMapping, before: Interval, after: Interval) -> bool:
    def moved(first: int, last: int) -> int:
        total = accounts.moved_between(connection, account["no"], first, last)
        return -total if owes(account["kind"]) else total

    stated = accounts.stated_balances(connection, account["no"])
    return balances_agree(stated, moved, before, after)

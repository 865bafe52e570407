"""What staged rows come to, account by account of each file, once they are matched with the store's."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection


@dataclass(slots=True)
class StagedSummary:
    """The rows of an account in one file that wait, are there already, or perhaps are."""

    pending: int = 0
    known: int = 0
    ambiguous: int = 0


class StagedSample(NamedTuple):
    """A booked row as it is staged; `payee` is a local number."""

    day: int
    amount: int
    raw: str
    payee: int


_PENDING = "SELECT file, account, count(*) FROM staged.arrived WHERE pending = 1 GROUP BY 1, 2"
_MATCHED = """
SELECT matched.file, arrived.account, sum(NOT matched.ambiguous), sum(matched.ambiguous)
FROM staged.matched JOIN staged.arrived ON arrived.seq = matched.row GROUP BY 1, 2
"""
_NEWEST = """
SELECT day, amount, raw, payee FROM staged.arranged
WHERE account = ? AND file = ? AND amount {sign} 0 AND {which} ORDER BY day DESC, seq LIMIT ?
"""
_IS_NEW = "seq NOT IN (SELECT row FROM staged.matched)"
_NEW_BETWEEN = """
SELECT coalesce(sum(amount), 0), count(*) FROM staged.arranged
WHERE account = ? AND day BETWEEN ? AND ? AND seq NOT IN (SELECT row FROM staged.matched)
"""


def summaries(connection: Connection) -> dict[tuple[int, int], StagedSummary]:
    """The rows of each file and account, by their places; those without any are left out."""
    found: defaultdict[tuple[int, int], StagedSummary] = defaultdict(StagedSummary)
    for file, account, pending in connection.exec_driver_sql(_PENDING):
        found[file, account].pending = pending
    for file, account, known, ambiguous in connection.exec_driver_sql(_MATCHED):
        found[file, account].known, found[file, account].ambiguous = known, ambiguous
    return found


def newest_rows(
    connection: Connection, file: int, account: int, count: int
) -> Sequence[StagedSample]:
    """The newest of the rows that an account has not yet, so many of each direction, the newest first.

    Where it has them all, they are the newest of the file.
    """
    for which in (_IS_NEW, "TRUE"):
        rows = [
            StagedSample(*row)
            for sign in (">", "<")
            for row in connection.exec_driver_sql(
                _NEWEST.format(sign=sign, which=which), (account, file, count)
            )
        ]
        if rows:
            break
    return sorted(rows, key=lambda row: -row.day)


def new_between(connection: Connection, account: int, since: int, until: int) -> tuple[int, int]:
    """What the new rows of an account add up to between two days, both counted, and how many."""
    moved, count = connection.exec_driver_sql(_NEW_BETWEEN, (account, since, until)).one()
    return moved, count

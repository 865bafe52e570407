"""The days that accounts are covered for, interval by interval, with the import that brought each."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, insert, select

from finplan.store.tables.tables import account
from finplan.store.tables.tables import coverage as table

CoverageValues = tuple[int, int, bool, bool]
"""First and last day YYYYMMDD, and of each whether the source states it."""

_COLUMNS = (table.c.since, table.c.until, table.c.since_stated, table.c.until_stated)


def add_intervals(
    connection: Connection, no: int, intervals: Iterable[CoverageValues], import_no: int = 0
) -> None:
    """Note that an account is covered for some more days, which are in order.

    `import_no` is the import that says so, which has said nothing of the account before; 0 for a bank.
    """
    rows = [
        {
            "account_no": no,
            "import_no": import_no,
            "since": since,
            "until": until,
            "since_stated": int(since_stated),
            "until_stated": int(until_stated),
        }
        for since, until, since_stated, until_stated in intervals
    ]
    if rows:
        connection.execute(insert(table), rows)


def intervals_of(connection: Connection, owner: int) -> dict[int, list[CoverageValues]]:
    """The intervals of each of a person's accounts, by number, in no order."""
    query = (
        select(table.c.account_no, *_COLUMNS)
        .join(account, account.c.no == table.c.account_no)
        .where(account.c.owner_no == owner)
    )
    found: dict[int, list[CoverageValues]] = {}
    for no, since, until, *stated in connection.execute(query):
        found.setdefault(no, []).append((since, until, bool(stated[0]), bool(stated[1])))
    return found


def replace_synced(connection: Connection, no: int, interval: CoverageValues) -> None:
    """Let a bank's account be covered for one interval as far as the bank is concerned."""
    connection.execute(delete(table).where(table.c.account_no == no, table.c.import_no == 0))
    add_intervals(connection, no, [interval])


def synced_since(connection: Connection, no: int) -> int | None:
    """The first day that the bank of an account covers, None before the first sync."""
    query = select(table.c.since).where(table.c.account_no == no, table.c.import_no == 0)
    days: Sequence[int] = connection.execute(query).scalars().all()
    return min(days, default=None)


def synced(connection: Connection, no: int) -> CoverageValues | None:
    """The days that an account is covered for as far as its bank is concerned; None before a sync."""
    query = select(*_COLUMNS).where(table.c.account_no == no, table.c.import_no == 0)
    row = connection.execute(query).first()
    return None if row is None else (row[0], row[1], bool(row[2]), bool(row[3]))


def forget_import(connection: Connection, import_no: int) -> None:
    """Delete the intervals that an import brought."""
    connection.execute(delete(table).where(table.c.import_no == import_no))

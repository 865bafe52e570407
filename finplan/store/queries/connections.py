"""Bank connections: the pages at which people link banks, the requests to them, and their end.

A page is begun, looked at by one process at a time, and over. A request to a bank that allows so
many a day is noted before it is sent. When a link ends, a row that the bank took over from a file,
or that a file lists too, is the file's again.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, and_, delete, func, or_, select, update

from finplan.store.queries.rows import add, change, every, fetch, find, remove
from finplan.store.queries.transfers import unpair
from finplan.store.tables.tables import (
    balance_record,
    bank_link,
    bank_request,
    claimed_pending,
    connection as bank_connection,
    coverage,
    pending,
)


def list_connections(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's connections, oldest first."""
    query = select(bank_connection).filter_by(owner_no=owner).order_by(bank_connection.c.no)
    return every(connection, query)


def find_connection(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's connection by its id."""
    return find(connection, bank_connection, owner_no=owner, id=public_id)


def connection_of_number(connection: Connection, no: int) -> RowMapping | None:
    """A connection by its number."""
    return find(connection, bank_connection, no=no)


def add_connection(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a connection and answer its number."""
    return add(connection, bank_connection, values)


def add_connection_of_files(
    connection: Connection,
    owner: int,
    public_id: str,
    institution: str,
    created_at: int,
    synced_at: int | None,
) -> int:
    """Add a connection of statement files, by an import, and answer its number; instants are in ms."""
    values = {
        "id": public_id,
        "owner_no": owner,
        "provider": "manual",
        "institution_name": institution,
        "status": "ok",
        "failures": 0,
        "by_import": 1,
        "created_at": created_at,
        "last_synced_at": synced_at,
    }
    return add_connection(connection, values)


def change_connection(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a connection."""
    change(connection, bank_connection, no, **values)


def remove_connection(connection: Connection, no: int) -> None:
    """Delete a connection with its accounts and their rows."""
    remove(connection, bank_connection, no=no)


def remove_connections(
    connection: Connection, owner: int, numbers: Collection[int]
) -> list[RowMapping]:
    """Delete some of a person's connections with all that they have; answers them, oldest first."""
    gone = [row for row in list_connections(connection, owner) if row["no"] in numbers]
    for row in gone:
        remove_connection(connection, row["no"])
    return gone


def unpair_rows_of(connection: Connection, no: int) -> list[int]:
    """Part every pair with a row of a connection; answers the rows on other accounts."""
    theirs = (
        "SELECT tx.no FROM tx JOIN account ON account.no = tx.account_no WHERE connection_no = ?"
    )
    rows = connection.exec_driver_sql(theirs, (no,)).all()
    return unpair(connection, [row[0] for row in rows])


def add_link(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a link that was begun."""
    add(connection, bank_link, values)


def find_link(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's link by its id."""
    return find(connection, bank_link, owner_no=owner, id=public_id)


def find_link_by_state(connection: Connection, owner: int, bank: str, state: str) -> str | None:
    """The id of a person's link whose page leads to an address that is known by this."""
    link = find(connection, bank_link, owner_no=owner, bank=bank, state=state)
    return None if link is None else str(link["id"])


def links_due(connection: Connection, owner: int, now: int, latest: int) -> Sequence[str]:
    """The ids of a person's links that it is time to look at; none is due after the `latest` instant."""
    due = or_(bank_link.c.next_look_at <= now, bank_link.c.next_look_at > latest)
    query = select(bank_link.c.id).filter_by(owner_no=owner, is_over=0).where(due)
    return connection.execute(query.order_by(bank_link.c.no)).scalars().all()


def first_looks(connection: Connection) -> Mapping[int, int]:
    """The instant at which each person's link that is due first is looked at."""
    query = select(bank_link.c.owner_no, func.min(bank_link.c.next_look_at)).filter_by(is_over=0)
    rows = connection.execute(query.group_by(bank_link.c.owner_no))
    return {owner: int(at) for owner, at in rows}


def hold_link(connection: Connection, no: int, now: int, pause: int, until: int) -> bool:
    """Let one process look at a link, until an instant; whether it is this one's turn.

    It is nobody's while another looks, within the `pause` after the last look, and once it is over. What
    lies in the future was written under a clock that has been set back.
    """
    is_busy = and_(bank_link.c.busy_until > now, bank_link.c.busy_until <= until)
    is_early = and_(bank_link.c.asked_at > now - pause, bank_link.c.asked_at <= now)
    query = update(bank_link).filter_by(no=no, is_over=0).where(~is_busy, ~is_early)
    return connection.execute(query.values(busy_until=until, asked_at=now)).rowcount == 1


def change_link(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a link."""
    change(connection, bank_link, no, **values)


def note_look_at_link(
    connection: Connection, no: int, until: int, values: Mapping[str, Any]
) -> None:
    """Set some columns of a link, as long as who held it until an instant still does."""
    query = update(bank_link).filter_by(no=no, is_over=0, busy_until=until)
    connection.execute(query.values(**values))


def prune_links(connection: Connection, before: int) -> None:
    """Forget the links that are over and were begun before an instant."""
    over = delete(bank_link).filter_by(is_over=1)
    connection.execute(over.where(bank_link.c.created_at < before))


def requests_since(connection: Connection, connection_no: int, since: int) -> list[int]:
    """When one connection's bank was asked after an instant, in ms, oldest first."""
    query = select(bank_request.c.asked_at).filter_by(connection_no=connection_no)
    later = query.where(bank_request.c.asked_at > since).order_by(bank_request.c.asked_at)
    return list(connection.execute(later).scalars())


def note_request(connection: Connection, connection_no: int, now: int, since: int) -> None:
    """Note a request at an instant, and forget those of before another one."""
    former = delete(bank_request).filter_by(connection_no=connection_no)
    connection.execute(former.where(bank_request.c.asked_at <= since))
    add(connection, bank_request, {"connection_no": connection_no, "asked_at": now})


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
    return [CountedRows(*row) for row in fetch(connection, _COUNTED.format(which=which), (link,))]


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


def forget_bank_facts(connection: Connection, account: int, *, balances: bool) -> None:
    """Forget what a bank said of an account besides its rows; with `balances` also what it held."""
    remove(connection, pending, account_no=account, import_no=None)
    remove(connection, claimed_pending, account_no=account)
    remove(connection, coverage, account_no=account, import_no=0)
    if balances:
        remove(connection, balance_record, account_no=account, import_no=0)

"""Moving rows between payees, and renaming payees, when they are keyed again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from finplan.store.engine import let_references_wait, many
from finplan.store.tables.tables import person

ROWS = ("tx", "pending", "set_aside")
"""The tables whose rows name a payee by what a bank wrote."""

_AT_ONCE = 10_000


class NamedRow(NamedTuple):
    """A row's number, its payee, and the descriptor that names it."""

    no: int
    payee: int
    raw: str


def people_to_rekey(connection: Connection, rules: int) -> list[int]:
    """The people whose payees were keyed by other rules than these."""
    query = select(person.c.no).where(person.c.key_rules != rules).order_by(person.c.no)
    return [row[0] for row in connection.execute(query)]


def save_key_rules(connection: Connection, owner: int, rules: int) -> None:
    """Note which rules a person's payees are keyed by."""
    connection.execute(update(person).where(person.c.no == owner).values(key_rules=rules))


def named_rows(connection: Connection, owner: int) -> Iterator[NamedRow]:
    """Every row of a person that names a payee, set aside and pending ones too."""
    for rows in ROWS:
        for some in _in_turns(connection, owner, rows):
            yield from some


def move_rows(connection: Connection, owner: int, target: Callable[[NamedRow], int]) -> None:
    """Give each row of a person to the payee that `target` answers."""
    for rows in ROWS:
        connection.exec_driver_sql(
            "CREATE TEMP TABLE moved (no INTEGER PRIMARY KEY, payee INTEGER)"
        )
        for some in _in_turns(connection, owner, rows):
            moves = [(row.no, payee) for row in some if (payee := target(row)) != row.payee]
            many(connection, "INSERT INTO moved VALUES (?, ?)", moves)
        connection.exec_driver_sql(
            f"UPDATE {rows} SET payee_no = (SELECT payee FROM moved WHERE moved.no = {rows}.no)"
            " WHERE no IN (SELECT no FROM moved)"
        )
        connection.exec_driver_sql("DROP TABLE moved")


def _in_turns(connection: Connection, owner: int, rows: str) -> Iterator[list[NamedRow]]:
    # There may be a million rows; they are never all in memory. The sign before the owner keeps the
    # database from an index by owner, which it would have to sort for each turn.
    query = (
        f"SELECT no, payee_no, raw FROM {rows} WHERE no > ? AND +owner_no = ? ORDER BY no LIMIT ?"
    )
    last = -1
    while True:
        with closing(connection.exec_driver_sql(query, (last, owner, _AT_ONCE))) as result:
            some = [NamedRow(*row) for row in result.cursor.fetchall()]
        if not some:
            return
        yield some
        last = some[-1].no


def raws_of(connection: Connection, owner: int, payee: int, day: int, amount: int) -> Iterable[str]:
    """The descriptors of a payee's rows of one day and amount, whatever its sign."""
    rows = connection.exec_driver_sql(
        "SELECT raw FROM tx WHERE owner_no = ? AND payee_no = ? AND day = ? AND abs(amount) = ?"
        " ORDER BY raw",
        (owner, payee, day, amount),
    )
    return [row[0] for row in rows]


def let_go_of_keys(connection: Connection, numbers: Iterable[int]) -> None:
    """Take the keys of some payees away, so that others may have them before these get new ones."""
    many(connection, "UPDATE payee SET key = '\n' || no WHERE no = ?", [(no,) for no in numbers])


def rename(connection: Connection, payees: Iterable[tuple[int, str, str, str]]) -> None:
    """Give payees, by number, a new key, name and descriptor."""
    many(
        connection,
        "UPDATE payee SET key = ?, name = ?, raw = ? WHERE no = ?",
        [(key, name, raw, no) for no, key, name, raw in payees],
    )


def move_rules(connection: Connection, moves: Iterable[tuple[int, int]]) -> None:
    """Give rules, by number, to other payees."""
    listed = list(moves)
    # Two rules may change places, and no payee may have two rules of one amount meanwhile.
    let_references_wait(connection)
    many(connection, "UPDATE rule SET payee_no = -no WHERE no = ?", [(no,) for no, _ in listed])
    many(
        connection,
        "UPDATE rule SET payee_no = ? WHERE no = ?",
        [(payee, no) for no, payee in listed],
    )


def rekey_series(connection: Connection, keys: Iterable[tuple[int, str]]) -> None:
    """Give verdicts on series, by number, the key that their payee has now."""
    many(
        connection,
        "UPDATE series_verdict SET payee_key = ? WHERE no = ?",
        [(key, no) for no, key in keys],
    )

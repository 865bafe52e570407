"""Pending rows of files: which of those that statements told of wait still.

They are worked out afresh from what every import that stands noted of its files, so that it makes no
difference in which order imports come and are undone. Nothing is noted by number, since numbers may
be given again.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection

from finplan.categorise.keying import Keyed, rekeyed_payee
from finplan.categorise.payee import KEY_RULES
from finplan.service.imports.accounts import Home
from finplan.service.imports.read import Reading
from finplan.store.queries import accounts, imports, payees
from finplan.store.queries import pending as table
from finplan.store.queries.pending import HeldWaiting


class Waiting(NamedTuple):
    """A pending row as a statement told of it.

    It waits until the account has `enough` booked rows of its day and amount, None for however many.
    """

    day: int
    amount: int
    raw: str
    external_id: str | None
    payee_key: str
    payee: str
    payee_raw: str
    enough: int | None


class Statement(NamedTuple):
    """What one file knew of an account's pending rows: all of those up to `until`, as of `known`.

    `known` is the last day that it covers or has a booked row of, or for want of both, a pending one.
    """

    known: int
    until: int
    import_no: int
    rows: tuple[Waiting, ...]


def note_waiting(
    connection: Connection, homes: Sequence[Home], reading: Reading
) -> dict[str, list[dict[str, Any]]]:
    """What an import notes of the pending rows of its files, by the id of the account.

    Accounts that a bank keeps are left out, for the bank itself tells what is pending there.
    """
    rows: defaultdict[tuple[int, int], list[Waiting]] = defaultdict(list)
    seen: Counter[tuple[int, int, int, int]] = Counter()
    for row in table.staged_waiting(connection):
        alike = row.account, row.file, row.day, row.amount
        seen[alike] += 1
        payee = reading.payees[row.payee]
        told = (row.day, row.amount, row.raw, row.external_id)
        rows[row.account, row.file].append(Waiting(*told, *payee, seen[alike] + row.beside))
    return {
        home.id: [
            {"known": days.known or days.until, "until": days.until, "rows": rows[home.no, file]}
            for file, days in sorted(home.read.stated.items())
        ]
        for home in homes
        if home.present is None or home.present["provider"] == "manual"
    }


def settle_waiting(connection: Connection, owner: int, ids: Iterable[str]) -> list[int]:
    """Let just those pending rows of some accounts stand that wait still.

    Answers the payees that pending rows went from or came to; none that came is judged yet, and some
    that rows went from may be named by nothing any more.
    """
    wanted = set(ids)
    held = {
        row["id"]: row["no"]
        for row in accounts.list_accounts(connection, owner)
        if row["id"] in wanted
    }
    told = _statements(connection, owner, held)
    touched: set[int] = set()
    numbers: dict[str, int] | None = None
    for account_id, no in held.items():
        present = table.held_waiting(connection, no)
        wait = _booked_taken_out(connection, no, still_waiting(told[account_id]))
        if not present and not wait:
            continue
        numbers = payees.numbers_of(connection, owner) if numbers is None else numbers
        new = {row.payee_key: row for _, row in wait if row.payee_key not in numbers}
        missing = [(row.payee_key, row.payee, row.payee_raw) for row in new.values()]
        numbers |= payees.add_payees(connection, owner, missing)
        rows = [
            HeldWaiting(
                batch, numbers[row.payee_key], row.day, row.amount, row.raw, row.external_id
            )
            for batch, row in wait
        ]
        if Counter(rows) != Counter(present):
            table.put_waiting(connection, owner, no, rows)
            touched |= {row.payee for row in (*present, *rows)}
    return sorted(touched)


def still_waiting(statements: Iterable[Statement]) -> list[tuple[int, Waiting]]:
    """The rows that no newer statement of their account covers, each with its import's number.

    A statement knows all that is pending up to its last day. The newer one is that which knows later
    days, else that which was imported later; files of one import that know the same days complete
    each other.
    """
    waiting: list[tuple[int, Waiting]] = []
    covered = 0
    for _, alike in groupby(sorted(statements, key=_age, reverse=True), key=_age):
        files = list(alike)
        waiting += [row for row in _each_once(files) if row[1].day > covered]
        covered = max(covered, *(file.until for file in files))
    return waiting


def _age(statement: Statement) -> tuple[int, int]:
    return statement.known, statement.import_no


def _each_once(files: Iterable[Statement]) -> list[tuple[int, Waiting]]:
    """The rows of files of one import; what several have is one, what one has twice is two."""
    found: dict[tuple[int, int, str, int], tuple[int, Waiting]] = {}
    for file in files:
        again: Counter[tuple[int, int, str]] = Counter()
        for row in file.rows:
            identity = row.day, row.amount, row.external_id or row.raw
            again[identity] += 1
            found.setdefault((*identity, again[identity]), (file.import_no, row))
    return list(found.values())


def _booked_taken_out(
    connection: Connection, account: int, waiting: list[tuple[int, Waiting]]
) -> list[tuple[int, Waiting]]:
    if not waiting:
        return []
    booked = table.booked(connection, account, (row.day for _, row in waiting))
    return [
        (batch, row)
        for batch, row in waiting
        if row.enough is None or booked.get((row.day, row.amount), 0) < row.enough
    ]


def _statements(
    connection: Connection, owner: int, held: Mapping[str, int]
) -> Mapping[str, list[Statement]]:
    """What every import that stands told of some accounts, given by id and number."""
    told: defaultdict[str, list[Statement]] = defaultdict(list)
    for batch, before in imports.notes_of(connection, owner).items():
        noted = json.loads(before)
        for account_id in held.keys() & noted["accounts"].keys():
            if "waiting" not in noted:
                until = noted["accounts"][account_id]["until"]
                rows = _without_note(connection, owner, held[account_id], batch)
                told[account_id] += [Statement(until, until, batch, rows)] if rows else []
                continue
            is_keyed = noted["key_rules"] == KEY_RULES
            for file in noted["waiting"].get(account_id, ()):
                waiting = tuple(_waiting(row, is_keyed=is_keyed) for row in file["rows"])
                told[account_id].append(Statement(file["known"], file["until"], batch, waiting))
    return told


def _waiting(noted: Sequence[Any], *, is_keyed: bool) -> Waiting:
    """A row as it was noted, but paid to whom it is by today's rules for keys."""
    row = Waiting(*noted)
    if is_keyed:
        return row
    payee = rekeyed_payee(Keyed(row.payee_key, row.payee), row.raw)
    return row._replace(payee_key=payee.key, payee=payee.name)


def _without_note(
    connection: Connection, owner: int, account: int, batch: int
) -> tuple[Waiting, ...]:
    """The rows that still wait of an import which noted none, as those of version 0.1 do not."""
    rows = [row for row in table.held_waiting(connection, account) if row.import_no == batch]
    if not rows:
        return ()
    named = {row["no"]: row for row in payees.list_payees(connection, owner)}
    return tuple(
        Waiting(
            row.day,
            row.amount,
            row.raw,
            row.external_id,
            payee["key"],
            payee["name"],
            payee["raw"],
            enough=None,
        )
        for row in rows
        for payee in (named[row.payee],)
    )

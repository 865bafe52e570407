"""Pending rows of files: which of those that statements listed are still pending.

They are worked out afresh from what every import that stands recorded of its files, so that it makes no
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
from finplan.intake.files import ImportRun
from finplan.model.household import ExportedHome
from finplan.plan.ledger.days import day_of
from finplan.service.ledger.categorisation import ask_where_fit
from finplan.service.ledger.payee_keys import intern_payees
from finplan.service.restoring.accounts import PlacedAccount
from finplan.store.queries import accounts, imports, payees


class PendingEntry(NamedTuple):
    """A pending row as a statement lists it; `day` is YYYYMMDD, `amount` in minor units, signed.

    It is pending until the account has `enough` booked rows of its day and amount, with None for good.
    """

    day: int
    amount: int
    raw: str
    external_id: str | None
    payee_key: str
    payee: str
    payee_raw: str
    enough: int | None


class PendingStatement(NamedTuple):
    """What one file knew of an account's pending rows: all of those up to `until`, as of `known`.

    `known` is the last day that it covers or has a booked row of, or for want of both, a pending one.
    """

    known: int
    until: int
    import_no: int
    rows: tuple[PendingEntry, ...]


PendingRecord = Mapping[str, Sequence[Mapping[str, Any]]]
"""What each file of an import knew of an account's pending rows, by the account's id."""


def pending_record(connection: Connection, run: ImportRun) -> PendingRecord:
    """What an import records of the pending rows of its files, by the id of the account.

    Accounts that a bank keeps are left out, for the bank itself tells what is pending there.
    """
    rows: defaultdict[tuple[int, int], list[PendingEntry]] = defaultdict(list)
    alike: Counter[tuple[int, int, int, int]] = Counter()
    for row in imports.staged_pending(connection):
        key = row.account, row.file, row.day, row.amount
        alike[key] += 1
        payee = run.staged.payees[row.payee]
        entry = (row.day, row.amount, row.raw, row.external_id)
        rows[row.account, row.file].append(PendingEntry(*entry, *payee, alike[key] + row.beside))
    return {
        account.id: [
            {
                "known": days.booked or days.until,
                "until": days.until,
                "rows": rows[account.no, file],
            }
            for file, days in sorted(account.staged.coverage.items())
        ]
        for account in run.accounts
        if account.existing is None or account.existing.provider == "manual"
    }


def restored_pending_record(
    connection: Connection, home: ExportedHome, placed: Mapping[str, PlacedAccount]
) -> PendingRecord:
    """As `pending_record`, of the pending rows that a restored household had, as of what it covers."""
    by_key = {payee.key: payee for payee in home.payees}
    record: dict[str, list[dict[str, Any]]] = {account.id: [] for account in placed.values()}
    for account in home.accounts:
        waiting = [row for row in home.household.pending if row.account_id == account.id]
        if not waiting:
            continue
        here = placed[account.id]
        days = [day_of(row.date) for row in waiting]
        booked = imports.count_booked(connection, here.no, days)
        alike: Counter[tuple[int, int]] = Counter()
        rows = []
        for row, day in zip(waiting, days, strict=True):
            key = day, row.amount
            alike[key] += 1
            enough = alike[key] + booked.get(key, 0)
            entry = (day, row.amount, row.raw, row.external_id)
            payee = by_key[row.payee_key]
            rows.append(PendingEntry(*entry, payee.key, payee.name, payee.raw, enough))
        covered = max((day_of(span.until) for span in account.coverage), default=0)
        until = max(covered, *days)
        record[here.id].append({"known": covered or until, "until": until, "rows": rows})
    return record


def refresh_pending(connection: Connection, owner: int, ids: Iterable[str]) -> list[int]:
    """Let accounts, given by their ids, have just those pending rows that are pending still.

    Answers the payees that pending rows went from or came to; none that came is judged yet, and some
    that rows went from may be named by nothing any more.
    """
    id_set = set(ids)
    listed = accounts.list_accounts(connection, owner)
    by_id = {row["id"]: row["no"] for row in listed if row["id"] in id_set}
    statements = _statements(connection, owner, by_id)
    touched: set[int] = set()
    for account_id, no in by_id.items():
        stored = imports.stored_pending(connection, no)
        pending = _without_booked(connection, no, still_pending(statements[account_id]))
        if not stored and not pending:
            continue
        payee_texts = [(row.payee_key, row.payee, row.payee_raw) for _, row in pending]
        numbers = intern_payees(connection, owner, payee_texts, ask_where_fit(connection))
        rows = [
            imports.StoredPending(
                batch, numbers[row.payee_key], row.day, row.amount, row.raw, row.external_id
            )
            for batch, row in pending
        ]
        if Counter(rows) != Counter(stored):
            imports.replace_pending(connection, owner, no, rows)
            touched |= {row.payee for row in (*stored, *rows)}
    return sorted(touched)


def still_pending(statements: Iterable[PendingStatement]) -> list[tuple[int, PendingEntry]]:
    """The rows that no newer statement of their account covers, each with its import's number.

    A statement knows all that is pending up to its last day. The newer one is that which knows later
    days, else that which was imported later; files of one import that know the same days complete
    each other.
    """
    pending: list[tuple[int, PendingEntry]] = []
    covered = 0
    for _, alike in groupby(sorted(statements, key=_age, reverse=True), key=_age):
        files = list(alike)
        pending += [(number, row) for number, row in _each_once(files) if row.day > covered]
        covered = max(covered, *(file.until for file in files))
    return pending


def _age(statement: PendingStatement) -> tuple[int, int]:
    return statement.known, statement.import_no


def _each_once(files: Iterable[PendingStatement]) -> list[tuple[int, PendingEntry]]:
    """The rows of files of one import; what several have is one, what one has twice is two."""
    distinct: dict[tuple[int, int, str, int], tuple[int, PendingEntry]] = {}
    for file in files:
        again: Counter[tuple[int, int, str]] = Counter()
        for row in file.rows:
            identity = row.day, row.amount, row.external_id or row.raw
            again[identity] += 1
            distinct.setdefault((*identity, again[identity]), (file.import_no, row))
    return list(distinct.values())


def _without_booked(
    connection: Connection, account: int, pending: list[tuple[int, PendingEntry]]
) -> list[tuple[int, PendingEntry]]:
    if not pending:
        return []
    booked = imports.count_booked(connection, account, (row.day for _, row in pending))
    return [
        (number, row)
        for number, row in pending
        if row.enough is None or booked.get((row.day, row.amount), 0) < row.enough
    ]


def _statements(
    connection: Connection, owner: int, by_id: Mapping[str, int]
) -> Mapping[str, list[PendingStatement]]:
    """What every import that stands recorded of some accounts, given by id and number."""
    by_account: defaultdict[str, list[PendingStatement]] = defaultdict(list)
    for number, before in imports.undo_records(connection, owner).items():
        record = json.loads(before)
        for account_id in by_id.keys() & record["accounts"].keys():
            if "waiting" not in record:
                until = record["accounts"][account_id]["until"]
                rows = _of_unrecorded(connection, owner, by_id[account_id], number)
                by_account[account_id] += (
                    [PendingStatement(until, until, number, rows)] if rows else []
                )
                continue
            is_keyed = record["key_rules"] == KEY_RULES
            for file in record["waiting"].get(account_id, ()):
                entries = tuple(_entry(row, is_keyed=is_keyed) for row in file["rows"])
                statement = PendingStatement(file["known"], file["until"], number, entries)
                by_account[account_id].append(statement)
    return by_account


def _entry(recorded: Sequence[Any], *, is_keyed: bool) -> PendingEntry:
    """A row as it was recorded, but paid to whom it is by today's rules for keys."""
    row = PendingEntry(*recorded)
    if is_keyed:
        return row
    payee = rekeyed_payee(Keyed(row.payee_key, row.payee), row.raw)
    return row._replace(payee_key=payee.key, payee=payee.name)


def _of_unrecorded(
    connection: Connection, owner: int, account: int, number: int
) -> tuple[PendingEntry, ...]:
    """The rows still pending of an import that recorded none, as those of version 0.1 do not."""
    rows = [row for row in imports.stored_pending(connection, account) if row.import_no == number]
    if not rows:
        return ()
    descriptors = {
        row["no"]: (row["key"], row["name"], row["raw"])
        for row in payees.list_payees(connection, owner)
    }
    return tuple(
        PendingEntry(row.day, row.amount, row.raw, row.external_id, *descriptors[row.payee], None)
        for row in rows
    )

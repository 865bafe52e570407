"""Restoring accounts: what they are, what they were worth and when, and how far they are covered.

What a restored household has brought is noted for the day on which its import is undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from finplan.model.base import shared_fields
from finplan.model.household import ExportedAccount, ExportedHome
from finplan.plan.ledger.days import Interval, day_of, merged
from finplan.service.ids import new_id
from finplan.service.restoring.collection import CORRECTIONS
from finplan.store.queries import accounts, connections, people, rows
from finplan.store.tables import tables


@dataclass
class BroughtWords:
    """What an export has brought, as undoing it needs to know: ids, and when each was said.

    `balances` are those that no statement stated: the account's id, day and balance.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    balances: list[tuple[str, int, int]] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    rules: list[tuple[str, int]] = field(default_factory=list)
    answers: list[tuple[str, int]] = field(default_factory=list)
    transfers: list[tuple[str, int]] = field(default_factory=list)
    recurring: list[tuple[str, int]] = field(default_factory=list)
    duplicates: list[tuple[str, int]] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)
    planned: list[tuple[str, int]] = field(default_factory=list)


_COLUMNS = {correction: column for column, correction in CORRECTIONS.items()}


@dataclass(frozen=True, slots=True)
class PlacedAccount:
    """An account of an export in the store: its number, its public id and its connection's number.

    The id is the one that it had, unless somebody in the store has that already.
    """

    no: int
    id: str
    connection_no: int


def restore_accounts(
    connection: Connection, owner: int, home: ExportedHome, batch: int, brought: BroughtWords
) -> dict[str, PlacedAccount]:
    """Make the accounts of a home, with connections, balances and coverage, by the ids that they had.

    `batch` is the number of the import that brings them. Whatever statements or a bank covered is
    covered by it; a balance that no statement stated is no statement's here either, for only those
    that statements stated prove that no row is missing.
    """
    institutions = _connections(connection, owner, home)
    taken = people.taken_ids(connection, tables.account, (account.id for account in home.accounts))
    placed = {}
    balances = []
    for account in home.accounts:
        public_id = new_id("acc") if account.id in taken else account.id
        held_by = institutions[account.connection_id]
        own = {"id": public_id, "owner_no": owner, "connection_no": held_by}
        no = accounts.add_account(connection, _row_of(account) | own)
        placed[account.id] = PlacedAccount(no, public_id, held_by)
        for balance in account.balances:
            day, by = day_of(balance.date), batch if balance.by_statement else 0
            values = {"account_no": no, "day": day, "balance": balance.balance, "import_no": by}
            balances.append(values)
            if not balance.by_statement:
                brought.balances.append((public_id, day, balance.balance))
        accounts.add_coverage(connection, no, covered_intervals(account), batch)
    rows.add_all(connection, tables.balance_record, balances)
    return placed


def covered_intervals(account: ExportedAccount) -> list[Interval]:
    """The days that an account is covered for, in order."""
    return merged(
        Interval(day_of(span.since), day_of(span.until), span.since_stated, span.until_stated)
        for span in account.coverage
    )


def _connections(connection: Connection, owner: int, home: ExportedHome) -> Mapping[str, int]:
    """The numbers of the connections that accounts have, by the ids that these had.

    How a bank is reached is never exported, so that its accounts are kept by hand from here on.
    """
    needed = {account.connection_id for account in home.accounts}
    own = {row["id"]: row["no"] for row in connections.list_connections(connection, owner)}
    taken = people.taken_ids(connection, tables.connection, needed)
    numbers = {}
    for exported in home.household.connections:
        if exported.id not in needed:
            continue
        numbers[exported.id] = own.get(exported.id) or connections.add_connection_of_files(
            connection,
            owner,
            new_id("con") if exported.id in taken else exported.id,
            exported.institution_name,
            exported.created_at,
            exported.last_synced_at,
        )
    return numbers


_AS_EXPORTED = (
    *("external_id", "name", "mask", "kind", "subtype", "currency"),
    *("balance", "credit_limit", "apr", "minimum_payment"),
)


def _row_of(account: ExportedAccount) -> dict[str, Any]:
    return shared_fields(account, _AS_EXPORTED) | {
        "balance_day": None if account.balance_date is None else day_of(account.balance_date),
        "hidden": int(account.hidden),
        "kept": " ".join(sorted(_COLUMNS[name] for name in account.corrected)),
        "sources": " ".join(account.sources),
        "own": int(account.own),
        "since": None if account.since is None else day_of(account.since),
    }

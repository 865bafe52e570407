"""Undoing an import: what must be recorded while it is posted, and putting everything back.

What an account is worth is worked out afresh from the imports that remain, so that imports
may be undone in any order. Everything is recorded by public ids, since numbers may be given again.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.categorise.payee import KEY_RULES
from finplan.intake.files import ImportRun
from finplan.service.derived.household import newest_recorded
from finplan.service.imports.pending_rows import PendingRecord, refresh_pending
from finplan.service.ledger.categorisation import ask_where_fit
from finplan.service.ledger.reconciliation import reconcile_after_removal
from finplan.service.ledger.transfer_matching import recount_accounts, unpair_rows
from finplan.service.restoring.restoration import take_balances_back, take_household_back
from finplan.store.queries import accounts, connections, imports, payees, people

UndoRecord = dict[str, Any]
"""What undoing an import needs to know of it, as JSON holds it."""


def undo_record(
    run: ImportRun,
    currency: str | None,
    waiting: PendingRecord,
    restored: UndoRecord | None = None,
    key_rules: int = KEY_RULES,
) -> str:
    """What undo needs to know of an import, as its row in the store keeps it.

    `currency` is the household's if this import brought it; `waiting` is what its files say of pending
    rows, whose payees are keyed by the given rules. `restored` is what taking a whole household back
    needs, None for an import that brought none.
    """
    record: UndoRecord = {
        "currency": currency,
        "waiting": waiting,
        "key_rules": key_rules,
        "accounts": {
            account.id: {"sources": sorted(account.staged.sources)} for account in run.accounts
        },
    }
    if restored is not None:
        record["restored"] = restored
    return json.dumps(record)


def undo(connection: Connection, owner: int, batch: RowMapping, now: int) -> None:
    """Take an import back, in one transaction.

    Rows that another import held too stay, and are that import's from then on. Accounts and connections
    that imports created go with the last import that names them.
    """
    no = batch["no"]
    # How large the store is follows from its newest row, which may go.
    ask = ask_where_fit(connection)
    imports.reassign_shared_rows(connection, no)
    touched = imports.payees_of_import(connection, no)
    left_alone = unpair_rows(connection, owner, imports.paired_rows(connection, no))
    imports.remove_rows(connection, no)
    accounts.forget_balances(connection, no)
    accounts.forget_coverage_of_import(connection, no)
    record = json.loads(batch["before"])
    if "restored" in record:
        take_balances_back(connection, owner, record["restored"])
    imports.remove_answers(connection, no)
    imports.change_status(connection, no, "committed", "undone", {"undone_at": now})
    listed = imports.list_imports(connection, owner)
    others = [row for row in listed if row["status"] == "committed"]
    remaining = [(row["committed_at"], json.loads(row["before"])) for row in others]
    _work_out_accounts(connection, owner, record, remaining)
    touched += refresh_pending(connection, owner, record["accounts"])
    if "restored" in record:
        left_alone += take_household_back(connection, owner, record["restored"])
        touched += payees.numbers_of(connection, owner).values()
    _take_currency_back(connection, owner, record["currency"])
    recount_accounts(connection, owner)
    payees.remove_unused(connection, owner, touched)
    reconcile_after_removal(connection, owner, left_alone, touched, ask=ask)
    people.raise_generation(connection, owner)


def _work_out_accounts(
    connection: Connection,
    owner: int,
    undone: UndoRecord,
    remaining: Sequence[tuple[int, UndoRecord]],
) -> None:
    for row in accounts.list_accounts(connection, owner):
        if row["id"] not in undone["accounts"] or row["provider"] != "manual":
            continue
        of_others = [record["accounts"] for _, record in remaining]
        records = [listed[row["id"]] for listed in of_others if row["id"] in listed]
        stays = row["own"] and "restored" not in undone
        if records or stays or accounts.has_rows(connection, row["no"]):
            accounts.change_account(connection, row["no"], _worked_out(connection, row, records))
        else:
            accounts.remove_account(connection, row["no"])
    _work_out_connections(connection, owner, remaining)


def _work_out_connections(
    connection: Connection, owner: int, remaining: Sequence[tuple[int, UndoRecord]]
) -> None:
    accounts_of: dict[str, set[str]] = {}
    for row in accounts.list_accounts(connection, owner):
        accounts_of.setdefault(row["connection_id"], set()).add(row["id"])
    for row in connections.list_connections(connection, owner):
        if row["provider"] != "manual":
            continue
        ids = accounts_of.get(row["id"], set())
        if row["by_import"] and not ids:
            connections.remove_connection(connection, row["no"])
            continue
        stamps = [at for at, record in remaining if ids & set(record["accounts"])]
        synced = {"last_synced_at": max(stamps, default=None)}
        connections.change_connection(connection, row["no"], synced)


def _worked_out(
    connection: Connection, account: RowMapping, records: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the remaining imports say of an account; what the person set stays."""
    sources = " ".join(sorted({source for record in records for source in record["sources"]}))
    values: dict[str, Any] = {"sources": sources}
    if "balance" not in account["kept"].split():
        values |= newest_recorded(connection, account["no"])
    return values


def _take_currency_back(connection: Connection, owner: int, brought: str | None) -> None:
    """Without any account left, a currency that the import brought goes too; else another brought it."""
    if brought is None:
        return
    if accounts.list_accounts(connection, owner):
        for no, before in list(imports.undo_records(connection, owner).items())[:1]:
            record = json.loads(before) | {"currency": brought}
            imports.replace_undo_record(connection, no, json.dumps(record))
    elif brought == people.get_person(connection, owner)["currency"]:
        people.change_person(connection, owner, {"currency": None})

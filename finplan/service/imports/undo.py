"""Undoing an import: what must be noted while it is posted, and putting everything back.

What an account is worth and covers is worked out afresh from the imports that remain, so that imports
may be undone in any order. Everything is noted by public ids, since numbers may be given again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.categorise.payee import KEY_RULES
from finplan.service.imports.accounts import Home
from finplan.service.imports.pending import settle_waiting
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.reconciliation import reconcile_after_removal, unpair_before_removal
from finplan.store.queries import accounts, connections, imports, payees, people
from finplan.store.queries import header_profiles as csv_answers

Noted = dict[str, Any]


def note_import(homes: Sequence[Home], currency: str | None, waiting: Mapping[str, Any]) -> str:
    """What undo needs to know of an import, as its batch keeps it.

    `currency` is the household's if this import brought it, `waiting` what the files told of pending
    rows.
    """
    noted: Noted = {
        "currency": currency,
        "waiting": waiting,
        "key_rules": KEY_RULES,
        "accounts": {
            home.id: {
                "since": home.read.since,
                "until": home.read.until,
                "sources": sorted(home.read.sources),
            }
            for home in homes
        },
    }
    return json.dumps(noted)


def undo(connection: Connection, owner: int, batch: RowMapping, now: int) -> None:
    """Take an import back, in one transaction.

    Rows that another import held too stay, and are that import's from then on. Accounts and connections
    that imports created go with the last import that names them.
    """
    no = batch["no"]
    imports.hand_over(connection, no)
    rows, touched = imports.rows_of(connection, no)
    left_alone = unpair_before_removal(connection, owner, rows)
    imports.remove_rows(connection, no)
    accounts.forget_balances(connection, no)
    csv_answers.remove_answers(connection, no)
    imports.move_import(connection, no, "committed", "undone", {"undone_at": now})
    remaining = [
        (other["committed_at"], json.loads(other["before"]))
        for other in imports.list_imports(connection, owner)
        if other["status"] == "committed"
    ]
    noted = json.loads(batch["before"])
    _work_out_accounts(connection, owner, noted, remaining)
    touched += settle_waiting(connection, owner, noted["accounts"])
    _take_currency_back(connection, owner, noted["currency"])
    recount_accounts(connection, owner)
    payees.remove_unused(connection, owner, touched)
    reconcile_after_removal(connection, owner, left_alone, touched)
    people.raise_generation(connection, owner)


def _work_out_accounts(
    connection: Connection, owner: int, undone: Noted, remaining: Sequence[tuple[int, Noted]]
) -> None:
    for row in accounts.list_accounts(connection, owner):
        if row["id"] not in undone["accounts"] or row["provider"] != "manual":
            continue
        noted = [each["accounts"] for _, each in remaining]
        says = [each[row["id"]] for each in noted if row["id"] in each]
        if says or accounts.has_rows(connection, row["no"]):
            accounts.change_account(connection, row["no"], _worked_out(connection, row, says))
        else:
            accounts.remove_account(connection, row["no"])
    _work_out_connections(connection, owner, remaining)


def _work_out_connections(
    connection: Connection, owner: int, remaining: Sequence[tuple[int, Noted]]
) -> None:
    lived_in: dict[str, set[str]] = {}
    for row in accounts.list_accounts(connection, owner):
        lived_in.setdefault(row["connection_id"], set()).add(row["id"])
    for row in connections.list_connections(connection, owner):
        if row["provider"] != "manual":
            continue
        inhabitants = lived_in.get(row["id"], set())
        if row["by_import"] and not inhabitants:
            connections.remove_connection(connection, row["no"])
            continue
        stamps = [at for at, noted in remaining if inhabitants & set(noted["accounts"])]
        synced = {"last_synced_at": max(stamps, default=None)}
        connections.change_connection(connection, row["no"], synced)


def _worked_out(
    connection: Connection, account: RowMapping, says: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the remaining imports say of an account; what the person set stays."""
    listed = list(says)
    values: dict[str, Any] = {
        "covered_since": min((s["since"] for s in listed if s["since"]), default=None),
        "covered_until": max((s["until"] for s in listed if s["until"]), default=None),
        "sources": " ".join(sorted({source for s in listed for source in s["sources"]})),
    }
    if "balance" not in account["kept"].split():
        recorded = accounts.balances_of(connection, account["no"])
        values["balance_day"], values["balance"] = recorded[-1] if recorded else (None, None)
    return values


def _take_currency_back(connection: Connection, owner: int, brought: str | None) -> None:
    """Without any account left, a currency that the import brought goes too; else another brought it."""
    if brought is None:
        return
    if accounts.list_accounts(connection, owner):
        for no, before in list(imports.notes_of(connection, owner).items())[:1]:
            noted = json.loads(before) | {"currency": brought}
            imports.change_note(connection, no, json.dumps(noted))
    elif brought == people.get_person(connection, owner)["currency"]:
        people.change_person(connection, owner, {"currency": None})

"""Undoing an import: what must be noted while it is posted, and putting everything back."""

import json
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.service.homes import Home
from finplan.service.settle import judge_payees, recount_accounts, settle_departure
from finplan.store import accounts, connections, imports, intake, payees, people

_RESTORED = ("balance", "balance_day", "covered_since", "covered_until", "sources")


class Before:
    """What undo will put back: how things were before, and what the import created."""

    def __init__(self, connection: Connection, owner: int) -> None:
        self._connection = connection
        self._state: dict[str, Any] = {
            "currency": people.get_person(connection, owner)["currency"],
            "synced": {
                str(row["no"]): row["last_synced_at"]
                for row in connections.list_connections(connection, owner)
            },
            "new_accounts": [],
            "new_connections": [],
            "accounts": {},
            "pending": [],
        }

    def note_homes(self, homes: list[Home]) -> None:
        """Note which accounts and connections are new, and how the others were."""
        for home in homes:
            if home.present is None:
                self._state["new_accounts"].append(home.no)
                if home.new_connection:
                    self._state["new_connections"].append(home.connection_no)
            else:
                self._state["accounts"][str(home.no)] = {
                    **{name: home.present[name] for name in _RESTORED},
                    "balances": accounts.balances_of(self._connection, home.no),
                }

    def note_pending(self, rows: list[list[Any]]) -> None:
        """Note the pending rows that the import replaced."""
        self._state["pending"].extend(rows)

    def as_json(self) -> str:
        """Everything noted, as the batch keeps it."""
        return json.dumps(self._state)


def undo(connection: Connection, owner: int, batch: RowMapping, now: int) -> None:
    """Take an import back, in one transaction.

    Rows that another import held too stay, and are that import's from then on. Accounts and connections
    that the import created go, unless something else lives there by now.
    """
    before = json.loads(batch["before"])
    no = batch["no"]
    imports.hand_over(connection, no)
    rows, touched = imports.rows_of(connection, no)
    left_alone = settle_departure(connection, owner, rows)
    imports.remove_rows(connection, no)
    intake.restore_pending(connection, before["pending"])
    _restore_accounts(connection, owner, before)
    payees.remove_unused(connection, owner, touched)
    judge_payees(connection, owner, sorted({*touched, *left_alone}))
    imports.move_import(connection, no, "committed", "undone", {"undone_at": now})
    people.raise_generation(connection, owner)


def _restore_accounts(connection: Connection, owner: int, before: dict[str, Any]) -> None:
    held = {row["no"] for row in accounts.list_accounts(connection, owner)}
    for key, state in before["accounts"].items():
        if int(key) in held:
            values = {name: state[name] for name in _RESTORED}
            accounts.change_account(connection, int(key), values)
            accounts.restore_balances(connection, int(key), state["balances"])
    for no in before["new_accounts"]:
        if not accounts.has_rows(connection, no):
            accounts.remove_account(connection, no)
    remaining = accounts.list_accounts(connection, owner)
    lived_in = {row["connection_no"] for row in remaining}
    for row in connections.list_connections(connection, owner):
        if row["no"] in before["new_connections"] and row["no"] not in lived_in:
            connections.remove_connection(connection, row["no"])
        elif str(row["no"]) in before["synced"] and row["provider"] == "manual":
            synced = {"last_synced_at": before["synced"][str(row["no"])]}
            connections.change_connection(connection, row["no"], synced)
    if not remaining:
        people.change_person(connection, owner, {"currency": before["currency"]})
    recount_accounts(connection, owner)

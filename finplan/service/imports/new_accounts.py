"""Claiming homes: the accounts that an import makes, and the connections that these need."""

from sqlalchemy import Connection

from finplan.service.ids import new_id
from finplan.service.imports.account_numbers import UNNAMED_INSTITUTION
from finplan.service.imports.accounts import Home
from finplan.store.queries import accounts, connections


def claim_homes(connection: Connection, owner: int, homes: list[Home], now: int) -> None:
    """Create the accounts that are new, and the connections that they need."""
    by_institution = {
        row["institution_name"]: row["no"]
        for row in connections.list_connections(connection, owner)
        if row["provider"] == "manual"
    }
    for home in homes:
        if home.present is not None or home.id:
            continue
        institution = home.read.account.institution or UNNAMED_INSTITUTION
        if institution not in by_institution:
            by_institution[institution] = _add_connection(connection, owner, institution, now)
        home.connection_no = by_institution[institution]
        home.id = new_id("acc")
        home.no = accounts.add_account(connection, _new_account(owner, home))
    # What finplan wrote itself is no news from the bank, so it makes present data no younger.
    stamped = {home.connection_no for home in homes if home.new or home.read.account.id is None}
    for no in stamped:
        connections.change_connection(connection, no, {"last_synced_at": now})


def _add_connection(connection: Connection, owner: int, institution: str, now: int) -> int:
    return connections.add_connection(
        connection,
        {
            "id": new_id("con"),
            "owner_no": owner,
            "provider": "manual",
            "institution_name": institution,
            "status": "ok",
            "failures": 0,
            "by_import": 1,
            "created_at": now,
            "last_synced_at": now,
        },
    )


def _new_account(owner: int, home: Home) -> dict[str, object]:
    number = home.read.account.number
    digits = "".join(letter for letter in number or "" if letter.isalnum())
    return {
        "id": home.id,
        "owner_no": owner,
        "connection_no": home.connection_no,
        "external_id": home.external_id,
        "name": home.name,
        "mask": digits[-4:] if any(map(str.isdigit, digits[-4:])) and len(digits) >= 4 else None,
        "kind": home.kind,
        "subtype": home.read.subtype,
        "currency": home.read.account.currency,
        "hidden": 0,
        "kept": "",
        "sources": "",
    }

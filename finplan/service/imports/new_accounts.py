"""New accounts: those that an import creates, and the connections that they need."""

from sqlalchemy import Connection

from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.service.ids import new_id
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.store.queries import accounts, connections


def create_accounts(connection: Connection, run: ImportRun) -> None:
    """Create the accounts that are new, and the connections that they need."""
    by_institution = {
        row["institution_name"]: row["no"]
        for row in connections.list_connections(connection, run.owner)
        if row["provider"] == "manual"
    }
    for account in run.accounts:
        if not account.new or account.id:
            continue
        institution = account.staged.account.institution or UNNAMED_INSTITUTION
        if institution not in by_institution:
            by_institution[institution] = _add_connection(connection, run, institution)
        account.connection_no = by_institution[institution]
        account.id = new_id("acc")
        account.no = accounts.add_account(connection, _row_of(run.owner, account))
    # What finplan wrote itself is no news from the bank, so it makes present data no younger.
    stamped = {
        account.connection_no
        for account in run.accounts
        if account.new or not account.staged.is_exported
    }
    for no in stamped:
        connections.change_connection(connection, no, {"last_synced_at": run.now})


def _add_connection(connection: Connection, run: ImportRun, institution: str) -> int:
    return connections.add_connection(
        connection,
        {
            "id": new_id("con"),
            "owner_no": run.owner,
            "provider": "manual",
            "institution_name": institution,
            "status": "ok",
            "failures": 0,
            "by_import": 1,
            "created_at": run.now,
            "last_synced_at": run.now,
        },
    )


def _row_of(owner: int, account: ResolvedAccount) -> dict[str, object]:
    number = account.staged.account.number
    digits = "".join(letter for letter in number or "" if letter.isalnum())
    return {
        "id": account.id,
        "owner_no": owner,
        "connection_no": account.connection_no,
        "external_id": account.external_id,
        "name": account.name,
        "mask": digits[-4:] if any(map(str.isdigit, digits[-4:])) and len(digits) >= 4 else None,
        "kind": account.kind,
        "subtype": account.staged.subtype,
        "currency": account.currency,
        "hidden": 0,
        "kept": "",
        "sources": "",
    }

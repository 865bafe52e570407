"""Posting: new accounts and rows of the files come into the ledger, and accounts learn what files say.

A file that holds a whole household comes whole into a home without accounts.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.errors import BadRequest, Conflict
from finplan.model.household import ExportedHome
from finplan.model.statement import ImportReport
from finplan.plan.ledger.classes import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.ids import new_id
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.service.imports.pending_rows import refresh_pending, restored_pending_record
from finplan.service.imports.undo import record_commit, undo_record
from finplan.service.ledger.categorisation import ask_where_fit, matches_prefetched
from finplan.service.restoring.restoration import HomeImport, restore_home, settle_home
from finplan.store.queries import accounts, connections, payees, people, staged_rows


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
            by_institution[institution] = _add_manual_connection(connection, run, institution)
        account.connection_no = by_institution[institution]
        account.id = new_id("acc")
        account.no = accounts.add_account(connection, _row_of_account(run.owner, account))
    # What finplan wrote itself is no news from the bank, so it makes present data no younger.
    stamped = {
        account.connection_no
        for account in run.accounts
        if account.new or not account.staged.is_exported
    }
    for no in stamped:
        connections.change_connection(connection, no, {"last_synced_at": run.now})


def _add_manual_connection(connection: Connection, run: ImportRun, institution: str) -> int:
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


def _row_of_account(owner: int, account: ResolvedAccount) -> dict[str, object]:
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


def post_rows(connection: Connection, run: ImportRun) -> set[int]:
    """Insert the booked rows that are new; answers the numbers of payees to be judged."""
    currency = household_settings(people.get_person(connection, run.owner)).currency
    held = ledger_accounts(connection, run.owner)
    numbers = payees.numbers_of(connection, run.owner)
    staged = run.staged.payees
    new = {local: payee for local, payee in enumerate(staged) if payee[0] not in numbers}
    if new and any(file.known or file.ambiguous or file.pending for file in run.reports):
        # Payees that only known rows name have other names already.
        new = {local: new[local] for local in staged_rows.payees_of_new(connection) & new.keys()}
    # Several local payees may be one, whose names were joined; the first descriptor shows it.
    first: dict[str, tuple[str, str, str]] = {}
    for local in sorted(new):
        first.setdefault(new[local][0], new[local])
    added = payees.add_payees(connection, run.owner, first.values())
    numbers.update(added)
    local_payees = {
        local: numbers[key] for local, (key, _, _) in enumerate(staged) if key in numbers
    }
    counting = {
        local: (account.no, counts_in_totals(held[account.no], currency))
        for local, account in enumerate(run.accounts)
    }
    with matches_prefetched(list(new.values()), ask_where_fit(connection, large=run.large)):
        inserted = staged_rows.insert_new_rows(
            connection, run.owner, counting, local_payees, run.number
        )
    # Where every row was there already, nothing is to be learnt of payees that were there.
    return set((local_payees if inserted else added).values())


def update_accounts(connection: Connection, run: ImportRun) -> None:
    """Note which days the accounts are covered for, and take newer balances in the signs of their kinds.

    Raises BadRequest for a balance of no day.
    """
    for account in dict.fromkeys(run.accounts):
        _update_account(connection, account, run.number)


def _update_account(connection: Connection, account: ResolvedAccount, number: int) -> None:
    existing: dict[str, Any] = dict(account.existing or {})
    staged = account.staged
    accounts.add_coverage(connection, account.no, account.intervals, number)
    values: dict[str, object] = {
        "sources": " ".join(sorted({*account.sources(), *staged.sources})),
    }
    if staged.balance is not None:
        sign = -1 if account.kind in {"credit", "loan"} else 1
        day = staged.balance_day or staged.until
        if day is None:
            raise BadRequest("The statement has a balance but no date that it belongs to.")
        _record_balances(connection, account, {day: staged.balance} | staged.balances, sign, number)
        if day >= (existing.get("balance_day") or 0) and "balance" not in account.kept():
            values |= {"balance": sign * staged.balance, "balance_day": day}
    accounts.change_account(connection, account.no, values)


def _record_balances(
    connection: Connection,
    account: ResolvedAccount,
    stated: Mapping[int, int],
    sign: int,
    number: int,
) -> None:
    """Record what the files say; of days that are known already an export says nothing new."""
    known = set()
    if account.staged.is_exported:
        known = {day for day, _ in accounts.balances_of(connection, account.no)}
    for day in sorted(stated.keys() - known):
        accounts.record_balance(connection, account.no, day, sign * stated[day], number)


def commit_restored(connection: Connection, run: ImportRun, home: ExportedHome) -> ImportReport:
    """Restore the household, and record what undoing needs. Raises Conflict when accounts came first."""
    if accounts.has_accounts(connection, run.owner):
        raise Conflict(
            "Accounts have come here while the file was read, so the household in it was not restored"
            " and nothing was changed. Import it again to take its rows alone."
        )
    had = people.get_person(connection, run.owner)["currency"]
    (file,) = run.staged.files
    brings = HomeImport(home, run.staged.payees, file.source, run.number, run.now)
    restoration = restore_home(connection, run.owner, brings)
    for account, exported in zip(run.accounts, home.accounts, strict=True):
        placed = restoration.placed[exported.id]
        account.no, account.id, account.connection_no = (
            placed.no,
            placed.id,
            placed.connection_no,
        )
        account.staged.sources = set(exported.sources)
    currency = home.household.settings.currency if had is None else None
    waiting = restored_pending_record(connection, home, restoration.placed)
    rules = home.household.key_rules
    before = undo_record(run, currency, waiting, restoration.record, rules)
    report = record_commit(connection, run, before)
    refresh_pending(connection, run.owner, [account.id for account in run.accounts])
    settle_home(connection, run.owner, brings, restoration)
    return report

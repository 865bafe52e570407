"""What becomes of a linked bank's accounts when the link ends.

What statement files brought stays, as accounts of statement files, with words and rules; what the bank
alone brought goes, unless the person wants to keep it all.
"""

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, RowMapping

from finplan.model.connection import ConnectionRecord, RowSpan, UnlinkEffect
from finplan.model.errors import Conflict
from finplan.plan.ledger.days import date_of
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.reconciliation import reconcile_after_removal
from finplan.service.ledger.transfer_matching import match_rows, unpair_rows
from finplan.service.verdicts.relinked_accounts import settle
from finplan.store.queries import accounts, connections, imports, payees, syncs, transfers
from finplan.store.queries.duplicates import relinked_pairs


def must_be_linked(row: RowMapping) -> None:
    """Raises Conflict for statement files and the demo household, of which nothing can be kept apart."""
    if row["provider"] == "manual":
        raise Conflict(
            f"{row['institution_name']} holds statement files and no link, so there is nothing to keep"
            " without one. `finplan imports undo` takes one import back."
        )
    if row["provider"] == "demo":
        raise Conflict(
            "The demo household is made up, and never stands beside real data: it goes as a whole."
        )


def effect_of(connection: Connection, row: RowMapping, record: ConnectionRecord) -> UnlinkEffect:
    """What of a connection would go when it is unlinked, and what would stay."""
    own = [
        each
        for each in accounts.list_accounts(connection, row["owner_no"])
        if each["connection_no"] == row["no"]
    ]
    stays = _accounts_of_files(connection, row)
    by_bank = connections.rows_of_the_bank(connection, row["no"])
    by_files = connections.rows_of_files(connection, row["no"])
    if row["provider"] == "manual":
        stays, by_bank, by_files = set(), [*by_bank, *by_files], []
    return UnlinkEffect(
        record=record,
        accounts_gone=tuple(each["name"] for each in own if each["no"] not in stays),
        rows_gone=_span(by_bank),
        accounts_kept=tuple(each["name"] for each in own if each["no"] in stays),
        rows_kept=_span(by_files),
    )


def _span(counted: Iterable[connections.CountedRows]) -> RowSpan:
    found = list(counted)
    return RowSpan(
        count=sum(each.rows for each in found),
        since=date_of(min(each.first for each in found)) if found else None,
        until=date_of(max(each.last for each in found)) if found else None,
    )


def part(connection: Connection, row: RowMapping, now: int, *, keep: bool) -> None:
    """End a connection; with `keep` all of its accounts go on as those of statement files."""
    owner = row["owner_no"]
    own = [
        each
        for each in accounts.list_accounts(connection, owner)
        if each["connection_no"] == row["no"]
    ]
    asked = {each.listed for each in relinked_pairs(connection, owner)}
    stays = set[int]()
    if row["provider"] == "aggregator":
        stays = {each["no"] for each in own} if keep else _accounts_of_files(connection, row)
    alone = list[int]()
    for each in own:
        if each["no"] in stays:
            alone += _make_manual(connection, owner, each, keep=keep)
    _move_to_files(connection, row, [each for each in own if each["no"] in stays], now)
    alone += connections.unpair_rows_of(connection, row["no"])
    connections.remove_connection(connection, row["no"])
    settle(connection, owner, asked)
    recount_accounts(connection, owner)
    touched = payees.numbers_of(connection, owner).values()
    payees.remove_unused(connection, owner, touched)
    categorise_payees(connection, owner, None)
    there = sorted(transfers.rows(connection, set(alone)))
    categorise_payees(connection, owner, match_rows(connection, owner, there))
    if stays:
        reconcile_after_removal(connection, owner, [], [])


def _accounts_of_files(connection: Connection, row: RowMapping) -> set[int]:
    """The accounts of a connection that statement files tell of, also without a row."""
    found = {each.account for each in connections.rows_of_files(connection, row["no"])}
    named = {
        public_id
        for before in imports.undo_records(connection, row["owner_no"]).values()
        for public_id in json.loads(before).get("accounts", {})
    }
    return found | {
        each["no"]
        for each in accounts.list_accounts(connection, row["owner_no"])
        if each["connection_no"] == row["no"] and each["id"] in named
    }


def _make_manual(
    connection: Connection, owner: int, account: RowMapping, *, keep: bool
) -> list[int]:
    """Take away what the bank alone brought, unless all is kept; answers rows that lost their pair."""
    if keep:
        return []
    no = account["no"]
    connections.give_back_to_files(connection, no)
    gone = connections.numbers_of_the_bank(connection, no)
    alone = list(unpair_rows(connection, owner, gone))
    syncs.remove_posted(connection, gone)
    own_balance = "balance" in account["kept"].split()
    connections.forget_what_the_bank_said(connection, no, balances=not own_balance)
    if not own_balance:
        recorded = accounts.balances_of(connection, no)
        day, balance = recorded[-1] if recorded else (None, None)
        accounts.change_account(connection, no, {"balance_day": day, "balance": balance})
    return alone


def _move_to_files(
    connection: Connection, row: RowMapping, stay: Iterable[RowMapping], now: int
) -> None:
    """Let accounts be those of statement files of their institution."""
    places: dict[str, int] = {
        each["institution_name"]: each["no"]
        for each in connections.list_connections(connection, row["owner_no"])
        if each["provider"] == "manual"
    }
    synced = _imported_at(connection, row["owner_no"])
    for account in stay:
        institution = account["institution_name"]
        if institution not in places:
            places[institution] = _add_manual(connection, row, institution, now)
        values = {"connection_no": places[institution], "institution": None}
        accounts.change_account(connection, account["no"], values)
        stamp = synced.get(account["id"], row["last_synced_at"])
        connections.change_connection(connection, places[institution], {"last_synced_at": stamp})


def _imported_at(connection: Connection, owner: int) -> Mapping[str, int]:
    """When each account was imported last, by its id."""
    found: dict[str, int] = {}
    for batch in imports.list_imports(connection, owner):
        if batch["status"] == "committed":
            for public_id in json.loads(batch["before"]).get("accounts", {}):
                found[public_id] = max(batch["committed_at"], found.get(public_id, 0))
    return found


def _add_manual(connection: Connection, row: RowMapping, institution: str, now: int) -> int:
    return connections.add_connection(
        connection,
        {
            "id": new_id("con"),
            "owner_no": row["owner_no"],
            "provider": "manual",
            "institution_name": institution,
            "status": "ok",
            "failures": 0,
            "by_import": 1,
            "created_at": now,
        },
    )

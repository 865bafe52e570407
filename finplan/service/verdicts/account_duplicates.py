"""Two accounts that may be one: asked about, joined for good, or kept apart.

A bank may list an account under a new id, where nothing tells it apart. Until the person has said what
it is, an account that is new to finplan is in no total, since it may be one that is there already; so
nothing is counted twice meanwhile. Files may have made two of one: what is said of them, and the ways
out.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.intake.pages import RowFromElsewhere, Taken, days_off
from finplan.model.figures import count
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import date_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.repetition import DAYS_APART, ComparedRow, Repetition, joined_rows
from finplan.service.ids import derived_id
from finplan.service.ledger.reconciliation import reconcile_after_removal
from finplan.service.ledger.transfer_matching import match_account, recount_accounts, unpair_rows
from finplan.store.queries import accounts, duplicates, imports, payees, syncs

_AccountRow = Mapping[str, Any] | RowMapping
"""An account as the store has it."""


def ask_which(connection: Connection, owner: int, listed: str, formers: Iterable[str]) -> None:
    """Ask which of some accounts, which the bank lists no more, a new one is, all by their ids."""
    pairs = [
        duplicates.RelinkedPair(duplicate_id(former, listed), former, listed) for former in formers
    ]
    duplicates.ask_about_relinked(connection, owner, pairs)


def duplicate_id(first: str, second: str) -> str:
    """The id of the question whether two accounts are one, by their ids."""
    return derived_id("dup", *sorted((first, second)))


def keep_apart(connection: Connection, owner: int, pair: duplicates.RelinkedPair) -> None:
    """Let the two be two; an account that is none of those that were there counts from now on."""
    duplicates.forget_relinked_pairs(connection, owner, [pair.id])
    settle(connection, owner, {pair.listed})


def join(connection: Connection, owner: int, pair: duplicates.RelinkedPair) -> None:
    """Let the account that was there, by the bank or by files, go on as the one that the bank lists now.

    It keeps its id, its name and kind as the person set them, every word, note and row; a row that both
    have is there once.
    """
    by_id = {row["id"]: row for row in accounts.list_accounts(connection, owner)}
    stays: _AccountRow = by_id[pair.former]
    goes: _AccountRow = by_id[pair.listed]
    open_pairs = duplicates.relinked_pairs(connection, owner)
    others = [
        rival for rival in open_pairs if pair.former == rival.former or pair.listed == rival.listed
    ]
    duplicates.forget_relinked_pairs(connection, owner, [rival.id for rival in others])
    syncs.forget_ids(connection, stays["no"], goes["provider"])
    alone = _join_rows(connection, owner, stays, goes)
    touched = payees.payees_of_account(connection, goes["no"])
    if kind_owes(stays["kind"]) != kind_owes(goes["kind"]):
        accounts.negate_balances(connection, goes["no"])
        goes = {**goes, "balance": None if goes["balance"] is None else -goes["balance"]}
    duplicates.drop_waiting(connection, stays["no"])
    duplicates.move_content(connection, goes["no"], stays["no"])
    _cover(connection, stays["no"], goes["no"])
    _rename_in_imports(connection, owner, goes["id"], stays["id"])
    accounts.remove_account(connection, goes["no"])
    accounts.change_account(connection, stays["no"], _values(stays, goes))
    settle(connection, owner, {rival.listed for rival in others} - {pair.listed})
    reconcile_after_removal(connection, owner, alone, touched)
    match_account(connection, owner, stays["no"])


def _join_rows(
    connection: Connection, owner: int, stays: _AccountRow, goes: _AccountRow
) -> list[int]:
    """Let rows that both have be one; answers the rows of others that are in no pair any more."""
    moving = {row.no: row for row in duplicates.moving_rows(connection, goes["no"])}
    alone = unpair_rows(connection, owner, list(moving))
    if not moving:
        return list(alone)
    days = [row.day for row in moving.values()]
    since, until = days_off(min(days), -DAYS_APART), days_off(max(days), DAYS_APART)
    rows = syncs.rows_from_elsewhere(connection, stays["no"], goes["provider"], since, until)
    present = {values[0]: RowFromElsewhere(*values) for values in rows}
    joined = joined_rows(
        {no: ComparedRow(row.payee, row.day, row.amount) for no, row in moving.items()},
        {no: ComparedRow(row.payee, row.day, row.amount) for no, row in present.items()},
    )
    syncs.remove_posted(connection, joined)
    # Ids are the bank's own on its rows alone; the row of a file that both have needs none.
    taken = [
        Taken(present[there], row.external_id, row.day, row.code)
        for row, there in ((moving[no], there) for no, there in joined.items())
        if row.source == goes["provider"] and row.external_id is not None
    ]
    syncs.take_over(connection, stays["no"], goes["provider"], taken)
    return list(alone)


def settle(connection: Connection, owner: int, listed: set[str]) -> None:
    """Let accounts count that nothing is asked about any more."""
    waiting = {pair.listed for pair in duplicates.relinked_pairs(connection, owner)}
    for row in accounts.list_accounts(connection, owner):
        if row["id"] in listed - waiting:
            accounts.change_account(connection, row["no"], {"hidden": 0})
    recount_accounts(connection, owner)


def _cover(connection: Connection, stays: int, goes: int) -> None:
    covered = (accounts.synced_coverage(connection, no) for no in (stays, goes))
    intervals = [interval for interval in covered if interval is not None]
    if intervals:
        since = min(intervals, key=lambda interval: interval[0])
        until = max(intervals, key=lambda interval: interval[1])
        accounts.replace_synced_coverage(
            connection, stays, (since[0], until[1], since[2], until[3])
        )


_OF_THE_BANK = ("name", "mask", "credit_limit", "apr", "minimum_payment")


def _values(stays: _AccountRow, goes: _AccountRow) -> dict[str, object]:
    """What the account that stays is from now on: what the bank says, but for the person's words.

    What the bank does not say any more stays as it was last known.
    """
    own = set(stays["kept"].split())
    fresh = [name for name in _OF_THE_BANK if name not in own and goes[name] is not None]
    if "balance" not in own and goes["balance"] is not None:
        fresh += ["balance", "balance_day"]
    return {
        **{name: goes[name] for name in fresh},
        "external_id": goes["external_id"],
        "connection_no": goes["connection_no"],
        "institution": goes["institution"],
        "sources": " ".join(sorted({*stays["sources"].split(), *goes["sources"].split()})),
        "kept": " ".join(sorted(own | (set(goes["kept"].split()) - {"kind", "subtype"}))),
    }


def _rename_in_imports(connection: Connection, owner: int, former: str, now: str) -> None:
    """Let what undoing an import needs name the account that stays."""
    for no, before in imports.undo_records(connection, owner).items():
        record = json.loads(before)
        by_account, waiting = record.get("accounts", {}), record.get("waiting", {})
        if former not in by_account:
            continue
        gone = by_account.pop(former)
        both = {*by_account.get(now, {}).get("sources", ()), *gone["sources"]}
        by_account[now] = {"sources": sorted(both)}
        if former in waiting:
            waiting[now] = [*waiting.get(now, ()), *waiting.pop(former)]
        imports.replace_undo_record(connection, no, json.dumps(record))


def imports_of_account(connection: Connection, owner: int, account: str) -> list[str]:
    """The ids of the standing imports that had rows of an account, given by its id, newest first."""
    return [
        batch["id"]
        for batch in imports.list_imports(connection, owner)
        if batch["status"] == "committed" and account in json.loads(batch["before"])["accounts"]
    ]


def imported_twice(
    original: LedgerAccount,
    copy: LedgerAccount,
    repeated: Repetition,
    duplicate: str,
    batches: Sequence[str],
) -> str:
    """What two accounts have in common, and what to do where they are one.

    `batches` are the imports of the other account. Leaving it out suffices where the kept one covers all
    its days; else those imports are undone and done again as the same account.
    """
    since, until = date_of(repeated.since), date_of(repeated.until)
    days = f"from {since:%-d %b %Y} to {until:%-d %b %Y}"
    question = (
        f"{original.name} and {copy.name} have {count(repeated.shared, 'identical transaction')}"
        f" {days}. Are they one account, imported twice?"
    )
    if _covers(original, copy) or not batches:
        return f"{question} If so, `finplan duplicates same {duplicate}` excludes {copy.name}."
    undo = " and ".join(f"`finplan imports undo {batch}`" for batch in batches)
    return (
        f"{question} If so, run {undo}, import again, and answer that it is the same account. Do"
        f" not use `finplan duplicates same {duplicate}`: {copy.name} also covers other days,"
        " which would be excluded."
    )


def _covers(original: LedgerAccount, copy: LedgerAccount) -> bool:
    """Whether one account covers every day of another; False where a file has not said which."""
    days = (original.covered_since, copy.covered_since, copy.covered_until, original.covered_until)
    known_days = [day for day in days if day is not None]
    return len(known_days) == len(days) and known_days == sorted(known_days)

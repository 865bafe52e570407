"""Restoring the person's words on transfers, series, duplicates and rows, and what is set aside."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.household import (
    ExportedDuplicateVerdict,
    ExportedHousehold,
    ExportedRowIdentity,
    ExportedSetAside,
    ExportedSingleWord,
)
from finplan.plan.ledger.days import day_of
from finplan.service.restoring.accounts import PlacedAccount
from finplan.service.restoring.brought import BroughtWords
from finplan.store.queries import duplicates, people, single_words, verdicts
from finplan.store.queries.single_words import RowWord, WordPart
from finplan.store.tables import tables

Placed = Mapping[str, PlacedAccount]


def restore_transfer_verdicts(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    placed: Placed,
    ids: Mapping[str, str],
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> None:
    """Keep the verdicts on transfers; `ids` has those of pairs that go by another id here."""
    held = {each.id: each for each in verdicts.transfer_verdicts(connection, owner)}
    for verdict in household.transfers:
        public_id = ids.get(verdict.id, verdict.id)
        if public_id in held:
            if not overrule:
                continue
            verdicts.drop_transfer_verdict(connection, held[public_id])
        rows = (_identity(verdict.out, placed), _identity(verdict.into, placed))
        at = verdict.decided_at
        verdicts.save_transfer_verdict(connection, owner, public_id, verdict.verdict, rows, at)
        brought.transfers.append((public_id, at))


def restore_series_verdicts(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> None:
    """Keep the verdicts on what comes again."""
    held = {row["id"] for row in verdicts.series_verdicts(connection, owner)}
    for verdict in household.recurring:
        if verdict.id in held and not overrule:
            continue
        values = verdict.model_dump(by_alias=False, exclude={"date"})
        day = day_of(verdict.date)
        verdicts.save_series_verdict(connection, owner, values | {"day": day})
        brought.recurring.append((verdict.id, verdict.decided_at))


def restore_single_words(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    placed: Placed,
    ids: Mapping[str, str],
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> Mapping[str, int]:
    """Keep the words on single rows; answers their numbers by id. `ids` has the categories' ids here.

    Which rows they are about is found once all rows are there.
    """
    held = {row["id"]: row["no"] for row in single_words.list_words(connection, owner)}
    numbers = {}
    for word in household.single_words:
        if word.id in held:
            if not overrule:
                continue
            single_words.remove_word(connection, held[word.id])
        row = _identity(word.row, placed)
        numbers[word.id] = single_words.add_word(
            connection, owner, word.id, row, _row_word(word, ids), word.said_at
        )
        brought.words.append((word.id, word.said_at))
    return numbers


def _row_word(word: ExportedSingleWord, ids: Mapping[str, str]) -> RowWord:
    parts = (
        WordPart(part.amount, ids.get(part.category, part.category), part.note)
        for part in word.splits
    )
    category = None if word.category is None else ids.get(word.category, word.category)
    return RowWord(category, word.note, tuple(parts))


def restore_duplicate_verdicts(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    placed: Placed,
    numbers: Mapping[str, int],
    batch: int | None,
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> None:
    """Keep the verdicts on duplicates, with what they set aside; `numbers` has the payees' by key."""
    held = {each.id: each for each in duplicates.duplicate_verdicts(connection, owner)}
    for verdict in household.duplicates:
        if verdict.id in held:
            if not overrule:
                continue
            duplicates.drop_verdict(connection, held[verdict.id])
        _save_duplicate(connection, owner, verdict, placed)
        brought.duplicates.append((verdict.id, verdict.decided_at))
    kept = {each.id: each.no for each in duplicates.duplicate_verdicts(connection, owner)}
    people.add_rows(
        connection,
        tables.set_aside,
        [
            _aside(owner, kept[verdict.id], verdict.set_aside, placed, numbers, batch)
            for verdict in household.duplicates
            if verdict.set_aside is not None and verdict.set_aside.account_id in placed
        ],
    )


def _save_duplicate(
    connection: Connection, owner: int, verdict: ExportedDuplicateVerdict, placed: Placed
) -> None:
    word, at = verdict.verdict, verdict.decided_at
    if verdict.rows is not None:
        kept, other = (_identity(row, placed) for row in verdict.rows)
        duplicates.save_row_verdict(connection, owner, verdict.id, word, kept, other, at)
    elif verdict.accounts is not None:
        first, second = (placed[each].id if each in placed else each for each in verdict.accounts)
        ids = (first, second)
        duplicates.save_account_verdict(connection, owner, verdict.id, word, ids, at)


def _identity(row: ExportedRowIdentity, placed: Placed) -> verdicts.RowIdentity:
    account = placed.get(row.account_id)
    return verdicts.RowIdentity(
        account_id=row.account_id if account is None else account.id,
        account_key=row.account_key,
        currency=row.currency,
        day=day_of(row.date),
        amount=row.amount,
        raw=row.raw,
        external_id=row.external_id,
        ordinal=row.ordinal,
        pending=int(row.pending),
    )


def _aside(
    owner: int,
    verdict_no: int,
    row: ExportedSetAside,
    placed: Placed,
    numbers: Mapping[str, int],
    batch: int | None,
) -> dict[str, Any]:
    values = row.model_dump(by_alias=False, exclude={"account_id", "payee_key", "date"})
    return values | {
        "owner_no": owner,
        "verdict_no": verdict_no,
        "account_no": placed[row.account_id].no,
        "payee_no": numbers[row.payee_key],
        "day": day_of(row.date),
        "pending": 0,
        "import_no": batch,
    }

"""Putting a whole household into a home without accounts, in the transaction of its import.

Nothing is worked out again: which rows were found to be one movement, and what payees were taken for,
hangs on the order in which rows and words came.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from finplan.categorise.payee import KEY_RULES
from finplan.model.errors import BadRequest
from finplan.model.household import ExportedHome, ExportedJudgement
from finplan.plan.ledger.classes import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import save_restored_decisions
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.service.ledger.rekeying import key_again
from finplan.service.restoring.accounts import PlacedAccount, restore_accounts
from finplan.service.restoring.brought import BroughtWords
from finplan.service.restoring.collection import collect_home
from finplan.service.restoring.decisions import (
    restore_duplicate_verdicts,
    restore_series_verdicts,
    restore_single_words,
    restore_transfer_verdicts,
)
from finplan.service.restoring.words import (
    SETTINGS,
    restore_answers,
    restore_categories,
    restore_file_answers,
    restore_rules,
    restore_settings,
)
from finplan.store.queries import payees, people, staged_rows, transfers
from finplan.store.queries.payees import SavedDecision
from finplan.store.queries.staged_rows import RestoredPair
from finplan.store.tables import tables


@dataclass(frozen=True, slots=True)
class HomeImport:
    """A home that an import brings: its number and instant in ms, and the kind of source that it is.

    Its rows wait in the stage, where `payees` go by their places here and accounts by those in `home`.
    """

    home: ExportedHome
    payees: Sequence[tuple[str, str, str]]
    source: str
    number: int
    now: int


@dataclass(frozen=True, slots=True)
class Restoration:
    """Where each account of the export is, by the id that it had, and what undoing must know.

    `alone` are the rows that were a leg of a transfer whose other one is not in the file, `unjudged` the
    payees of whom the file has rows alone.
    """

    placed: Mapping[str, PlacedAccount]
    record: dict[str, Any]
    alone: Sequence[int]
    unjudged: Sequence[int]


def restore_home(connection: Connection, owner: int, brings: HomeImport) -> Restoration:
    """Restore a household with its rows, which have to be settled in it (`settle_home`).

    Raises BadRequest for a file that was tampered with.
    """
    if not staged_rows.are_told_apart(connection):
        raise BadRequest(
            "The file is damaged: it has the same transaction of an account twice. Export it again."
        )
    home, batch = brings.home, brings.number
    household = home.household
    person = people.get_person(connection, owner)
    before = {
        "settings": {name: person[name] for name in SETTINGS},
        "household": collect_home(connection, owner, {}).household.model_dump_json(by_alias=True),
        "payees": [
            (row["key"], row["name"], row["raw"]) for row in payees.list_payees(connection, owner)
        ],
    }
    brought = BroughtWords()
    restore_settings(connection, owner, household.settings, brought)
    categories = restore_categories(connection, owner, household, brought)
    placed = restore_accounts(connection, owner, home, batch, brought)
    named = [(payee.key, payee.name, payee.raw) for payee in home.payees]
    numbers = _intern(connection, owner, [*named, *brings.payees])
    pairs, alone = _insert_rows(connection, owner, brings, placed, numbers)
    ids = _join(connection, owner, pairs)
    restore_transfer_verdicts(connection, owner, household, placed, ids, brought)
    restore_series_verdicts(connection, owner, household, brought)
    restore_duplicate_verdicts(connection, owner, household, placed, numbers, batch, brought)
    saved = restore_rules(connection, owner, household, categories, numbers, brought)
    said = restore_single_words(connection, owner, household, placed, categories, brought)
    restore_answers(connection, owner, household, saved, said, brought)
    judged = {numbers[payee.key]: _decision(payee.judged, categories) for payee in home.payees}
    save_restored_decisions(connection, owner, judged)
    restore_file_answers(connection, owner, household, placed, batch)
    unjudged = {numbers[key] for key, _, _ in brings.payees} - judged.keys()
    record = {"before": before, "brought": asdict(brought)}
    return Restoration(placed, record, alone, sorted(unjudged))


def _decision(judged: ExportedJudgement, ids: Mapping[str, str]) -> SavedDecision:
    """What was decided for a payee, by the ids that categories have here."""
    return SavedDecision(
        ids.get(judged.out, judged.out),
        ids.get(judged.into, judged.into),
        judged.source,
        judged.confidence,
        " ".join(ids.get(each, each) for each in judged.alternatives),
        None if judged.suggested is None else ids.get(judged.suggested, judged.suggested),
        judged.why,
    )


def settle_home(
    connection: Connection, owner: int, brings: HomeImport, restoration: Restoration
) -> None:
    """Work out what the file left open, once everything else of the household is there."""
    newest = transfers.newest_row(connection)
    reconcile_added_rows(connection, owner, newest, restoration.unjudged, restoration.alone)
    if brings.home.household.key_rules != KEY_RULES:
        key_again(connection, owner, KEY_RULES, brings.now)


def _intern(
    connection: Connection, owner: int, listed: Sequence[tuple[str, str, str]]
) -> dict[str, int]:
    """The number of every payee by its key; those that are new come in the order that they had."""
    numbers = payees.numbers_of(connection, owner)
    new: dict[str, tuple[str, str, str]] = {}
    for payee in listed:
        if payee[0] not in numbers:
            new.setdefault(payee[0], payee)
    return numbers | payees.add_payees(connection, owner, new.values())


def _insert_rows(
    connection: Connection,
    owner: int,
    brings: HomeImport,
    placed: Mapping[str, PlacedAccount],
    numbers: Mapping[str, int],
) -> tuple[list[RestoredPair], list[int]]:
    currency = household_settings(people.get_person(connection, owner)).currency
    held = ledger_accounts(connection, owner)
    accounts = {
        local: (placed[each.id].no, counts_in_totals(held[placed[each.id].no], currency))
        for local, each in enumerate(brings.home.accounts)
    }
    local_payees = {local: numbers[key] for local, (key, _, _) in enumerate(brings.payees)}
    return staged_rows.insert_restored(
        connection, owner, accounts, local_payees, brings.source, brings.number
    )


def _join(connection: Connection, owner: int, pairs: Sequence[RestoredPair]) -> Mapping[str, str]:
    """Join the pairs; answers the ids of those whose own somebody in the store has already."""
    wanted = [pair.id for pair in pairs]
    ids = {taken: new_id("trf") for taken in people.taken_ids(connection, tables.transfer, wanted)}
    transfers.save_pairs(
        connection,
        owner,
        [(ids.get(pair.id, pair.id), pair.out, pair.into, pair.spends) for pair in pairs],
    )
    return ids

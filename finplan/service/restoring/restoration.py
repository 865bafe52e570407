"""Putting a whole household into a home without accounts, and taking it back.

It goes in in the transaction of its import. Nothing is worked out again: which rows were found to be
one movement, and what payees were taken for, hangs on the order in which rows and words came.

When it is taken back, what it brought goes, and what it replaced comes again. What the person has
said since stays, and with it the categories that it needs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.categorise.payee import KEY_RULES
from finplan.model.base import read_json
from finplan.model.errors import BadRequest
from finplan.model.household import ExportedHome, ExportedHousehold, ExportedJudgement
from finplan.plan.ledger.classes import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import save_restored_decisions
from finplan.service.ledger.payee_keys import key_again
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.service.restoring.accounts import BroughtWords, PlacedAccount, restore_accounts
from finplan.service.restoring.collection import collect_home
from finplan.service.restoring.words import SETTINGS, WordsToRestore
from finplan.store.queries import (
    accounts,
    categories,
    duplicates,
    payees,
    people,
    plans,
    single_words,
    staged_rows,
    transfers,
    verdicts,
)
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
            "The file is damaged: it lists a transaction of an account twice. Export it again."
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
    placed = restore_accounts(connection, owner, home, batch, brought)
    own_payees = [(payee.key, payee.name, payee.raw) for payee in home.payees]
    numbers = _intern(connection, owner, [*own_payees, *brings.payees])
    to_restore = WordsToRestore(connection, owner, household, placed, numbers, brought)
    to_restore.restore_settings()
    to_restore.restore_categories()
    pairs, alone = _insert_rows(connection, owner, brings, placed, numbers)
    to_restore.restore_transfer_verdicts(_join_pairs(connection, owner, pairs))
    to_restore.restore_series_verdicts()
    to_restore.restore_duplicate_verdicts(batch)
    saved, row_nos = to_restore.restore_rules(), to_restore.restore_single_words()
    to_restore.restore_answers(saved, row_nos)
    judged = {
        numbers[payee.key]: _decision(payee.judged, to_restore.categories) for payee in home.payees
    }
    save_restored_decisions(connection, owner, judged)
    to_restore.restore_file_answers(batch)
    to_restore.restore_planned()
    unjudged = {numbers[key] for key, _, _ in brings.payees} - judged.keys()
    record = {"before": before, "brought": asdict(brought)}
    return Restoration(placed, record, alone, sorted(unjudged))


def _decision(judged: ExportedJudgement, ids: Mapping[str, str]) -> payees.SavedDecision:
    """What was decided for a payee, by the ids that categories have here."""
    return payees.SavedDecision(
        ids.get(judged.out, judged.out),
        ids.get(judged.into, judged.into),
        judged.source,
        judged.confidence,
        " ".join(ids.get(alternative, alternative) for alternative in judged.alternatives),
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
) -> tuple[list[staged_rows.RestoredPair], list[int]]:
    currency = household_settings(people.get_person(connection, owner)).currency
    by_number = ledger_accounts(connection, owner)
    accounts = {
        local: (placed[account.id].no, counts_in_totals(by_number[placed[account.id].no], currency))
        for local, account in enumerate(brings.home.accounts)
    }
    local_payees = {local: numbers[key] for local, (key, _, _) in enumerate(brings.payees)}
    return staged_rows.insert_restored(
        connection, owner, accounts, local_payees, brings.source, brings.number
    )


def _join_pairs(
    connection: Connection, owner: int, pairs: Sequence[staged_rows.RestoredPair]
) -> Mapping[str, str]:
    """Join the pairs; answers the ids of those whose own somebody in the store has already."""
    needed = [pair.id for pair in pairs]
    ids = {taken: new_id("trf") for taken in people.taken_ids(connection, tables.transfer, needed)}
    transfers.save_pairs(
        connection,
        owner,
        [(ids.get(pair.id, pair.id), pair.out, pair.into, pair.spends) for pair in pairs],
    )
    return ids


def take_household_back(connection: Connection, owner: int, record: Mapping[str, Any]) -> list[int]:
    """Undo a restoration but for its accounts and rows, by what it recorded.

    Answers the rows that are no longer set aside. Which rows count, their transfers and what payees are
    for have to be worked out afterwards.
    """
    brought = BroughtWords(**record["brought"])
    back = _take_decisions_back(connection, owner, brought)
    _take_rules_back(connection, owner, brought)
    before = record["before"]
    _put_back(
        connection, owner, read_json(ExportedHousehold, before["household"]), before["payees"]
    )
    names = people.named_categories(connection, owner)
    for category in brought.categories:
        if category not in names:
            categories.remove_category(connection, owner, category)
    for name in brought.suggestions:
        categories.set_dismissed(connection, owner, name, dismissed=False)
    person = people.get_person(connection, owner)
    unchanged = {
        name: before["settings"][name]
        for name, value in brought.settings.items()
        # Undo has a rule of its own for the currency, which other imports may have brought since.
        if person[name] == value and (name != "currency" or before["settings"][name] is not None)
    }
    people.change_person(connection, owner, unchanged)
    return back


def take_balances_back(connection: Connection, owner: int, record: Mapping[str, Any]) -> None:
    """Delete the balances that a restoration brought and no statement stated."""
    numbers = {row["id"]: row["no"] for row in accounts.list_accounts(connection, owner)}
    for account_id, day, balance in BroughtWords(**record["brought"]).balances:
        if account_id in numbers:
            accounts.forget_own_balance(connection, numbers[account_id], day, balance)


def _take_decisions_back(connection: Connection, owner: int, brought: BroughtWords) -> list[int]:
    """Drop the verdicts; answers the posted rows that come back."""
    back: list[int | None] = []
    theirs = _unchanged(people.list_transfer_verdicts(connection, owner), brought.transfers)
    ids = {row["id"] for row in theirs}
    for transfer in verdicts.transfer_verdicts(connection, owner):
        if transfer.id in ids:
            verdicts.drop_transfer_verdict(connection, transfer)
    theirs = _unchanged(people.list_duplicate_verdicts(connection, owner), brought.duplicates)
    ids = {row["id"] for row in theirs}
    for duplicate in duplicates.duplicate_verdicts(connection, owner):
        if duplicate.id in ids:
            # What a later import has brought again is set aside by it, and comes back.
            back.append(duplicates.restore_row(connection, duplicate.no))
            duplicates.drop_verdict(connection, duplicate)
    word_rows = single_words.list_words(connection, owner)
    for row in _unchanged(word_rows, brought.words, at="said_at"):
        single_words.remove_word(connection, row["no"])
    for row in _unchanged(plans.list_planned(connection, owner), brought.planned, at="saved_at"):
        plans.remove_planned(connection, row["no"])
    for row in _unchanged(verdicts.series_verdicts(connection, owner), brought.recurring):
        verdicts.drop_series_verdict(connection, owner, row["id"])
    return [number for number in back if number is not None]


def _take_rules_back(connection: Connection, owner: int, brought: BroughtWords) -> None:
    answers = verdicts.list_answers(connection, owner)
    for row in _unchanged(answers, brought.answers, name="task_id", at="answered_at"):
        verdicts.remove_answer(connection, row["no"])
    rules = categories.list_rules(connection, owner)
    for row in _unchanged(rules, brought.rules, at="saved_at"):
        categories.remove_rule(connection, row["no"])
        if row["amount"] is None:
            payees.apply_rules(connection, row["payee_no"])


def _unchanged(
    rows: Iterable[RowMapping],
    brought: Iterable[tuple[str, int]],
    *,
    name: str = "id",
    at: str = "decided_at",
) -> list[RowMapping]:
    """Of some rows those that the export brought and that the person has not said anew since."""
    pairs = set(map(tuple, brought))
    return [row for row in rows if (row[name], row[at]) in pairs]


def _put_back(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    present: list[tuple[str, str, str]],
) -> None:
    """Let hold again what the restored household replaced."""
    numbers = payees.numbers_of(connection, owner)
    needed = {rule.payee_key for rule in household.rules} - numbers.keys()
    gone = [(key, name, raw) for key, name, raw in present if key in needed]
    numbers |= payees.add_payees(connection, owner, gone)
    to_restore = WordsToRestore(
        connection, owner, household, {}, numbers, BroughtWords(), overrule=False
    )
    to_restore.restore_categories()
    saved, row_nos = to_restore.restore_rules(), to_restore.restore_single_words()
    to_restore.restore_answers(saved, row_nos)
    to_restore.restore_transfer_verdicts({})
    to_restore.restore_series_verdicts()
    to_restore.restore_duplicate_verdicts(None)

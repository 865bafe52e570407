"""Taking a restored household back: what it brought goes, and what it replaced comes again.

What the person has said since stays, and with it the categories that it needs.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.base import read_json
from finplan.model.household import ExportedHousehold
from finplan.service.restoring.brought import BroughtWords
from finplan.service.restoring.decisions import (
    restore_duplicate_verdicts,
    restore_series_verdicts,
    restore_single_words,
    restore_transfer_verdicts,
)
from finplan.service.restoring.words import (
    restore_answers,
    restore_categories,
    restore_rules,
)
from finplan.store.queries import (
    accounts,
    categories,
    duplicates,
    payees,
    people,
    single_words,
    verdicts,
)


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
    named = people.named_categories(connection, owner)
    for category in brought.categories:
        if category not in named:
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
    said = set(map(tuple, [*brought.transfers, *brought.duplicates]))
    at = {
        row["id"]: row["decided_at"]
        for row in (
            *people.list_transfer_verdicts(connection, owner),
            *people.list_duplicate_verdicts(connection, owner),
        )
    }
    for transfer in verdicts.transfer_verdicts(connection, owner):
        if (transfer.id, at[transfer.id]) in said:
            verdicts.drop_transfer_verdict(connection, transfer)
    for duplicate in duplicates.duplicate_verdicts(connection, owner):
        if (duplicate.id, at[duplicate.id]) in said:
            # What a later import has brought again is set aside by it, and comes back.
            back.append(duplicates.restore_row(connection, duplicate.no))
            duplicates.drop_verdict(connection, duplicate)
    words = set(map(tuple, brought.words))
    for word in single_words.list_words(connection, owner):
        if (word["id"], word["said_at"]) in words:
            single_words.remove_word(connection, word["no"])
    recurring = set(map(tuple, brought.recurring))
    for row in verdicts.series_verdicts(connection, owner):
        if (row["id"], row["decided_at"]) in recurring:
            verdicts.drop_series_verdict(connection, owner, row["id"])
    return [number for number in back if number is not None]


def _take_rules_back(connection: Connection, owner: int, brought: BroughtWords) -> None:
    said = set(map(tuple, brought.answers))
    for answer in verdicts.list_answers(connection, owner):
        if (answer["task_id"], answer["answered_at"]) in said:
            verdicts.remove_answer(connection, answer["no"])
    saved = set(map(tuple, brought.rules))
    for rule in categories.list_rules(connection, owner):
        if (rule["id"], rule["saved_at"]) in saved:
            categories.remove_rule(connection, rule["no"])
            if rule["amount"] is None:
                payees.apply_rules(connection, rule["payee_no"])


def _put_back(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    known: list[tuple[str, str, str]],
) -> None:
    """Let hold again what the restored household replaced."""
    numbers = payees.numbers_of(connection, owner)
    needed = {rule.payee_key for rule in household.rules} - numbers.keys()
    gone = [(key, name, raw) for key, name, raw in known if key in needed]
    numbers |= payees.add_payees(connection, owner, gone)
    nothing = BroughtWords()
    ids = restore_categories(connection, owner, household, nothing)
    saved = restore_rules(connection, owner, household, ids, numbers, nothing, overrule=False)
    said = restore_single_words(connection, owner, household, {}, ids, nothing, overrule=False)
    restore_answers(connection, owner, household, saved, said, nothing, overrule=False)
    restore_transfer_verdicts(connection, owner, household, {}, {}, nothing, overrule=False)
    restore_series_verdicts(connection, owner, household, nothing, overrule=False)
    restore_duplicate_verdicts(
        connection, owner, household, {}, numbers, None, nothing, overrule=False
    )

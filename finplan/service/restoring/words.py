"""Restoring what the person set, said and decided: settings, categories, rules, answers, verdicts.

A word that is there already gives way to that of an export, and comes back when that is undone; what
the person has said since stays. Verdicts are on transfers, series, duplicates and rows, with what is
set aside.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.base import folded_name
from finplan.model.household import (
    ExportedCategory,
    ExportedDuplicateVerdict,
    ExportedHousehold,
    ExportedRowIdentity,
    ExportedSetAside,
    ExportedSettings,
    ExportedSingleWord,
)
from finplan.model.transaction import remarks_of
from finplan.plan.ledger.days import day_of
from finplan.service.ids import new_id, new_rule_id
from finplan.service.restoring.accounts import BroughtWords, PlacedAccount
from finplan.store.queries import (
    categories,
    duplicates,
    imports,
    payees,
    people,
    single_words,
    verdicts,
)
from finplan.store.queries.rows import add_all
from finplan.store.queries.single_words import RowWord, WordPart
from finplan.store.tables import tables

SETTINGS = ("currency", "time_zone", "budget_shares", "target_months", "monthly_income")
"""The columns of a person that are settings of the household."""


def restore_settings(
    connection: Connection, owner: int, settings: ExportedSettings, brought: BroughtWords
) -> None:
    """Let a household have the settings of an export."""
    shares = settings.budget_shares
    brought.settings = settings.model_dump(by_alias=False) | {
        "budget_shares": None if shares is None else shares.model_dump_json()
    }
    people.change_person(connection, owner, brought.settings)


def restore_categories(
    connection: Connection, owner: int, household: ExportedHousehold, brought: BroughtWords
) -> Mapping[str, str]:
    """Make the categories of a household; answers the id that each has here.

    One that is called like one that is here is that one.
    """
    for name in set(household.dismissed_suggestions) - categories.dismissed_names(
        connection, owner
    ):
        categories.set_dismissed(connection, owner, name, dismissed=True)
        brought.suggestions.append(name)
    held = categories.list_categories(connection, owner)
    own = {row["id"] for row in held}
    by_name = {row["known_as"]: row["id"] for row in held}
    wanted = (category.id for category in household.categories)
    taken = people.taken_ids(connection, tables.custom_category, wanted)
    ids: dict[str, str] = {}
    for category in household.categories:
        present = category.id if category.id in own else by_name.get(folded_name(category.name))
        if present is None:
            present = new_id("cat") if category.id in taken else category.id
            categories.add_category(connection, _row_of_category(owner, present, category))
            by_name[folded_name(category.name)] = present
            brought.categories.append(present)
        ids[category.id] = present
    return ids


def _row_of_category(owner: int, public_id: str, category: ExportedCategory) -> dict[str, Any]:
    return {
        "id": public_id,
        "owner_no": owner,
        "name": category.name,
        "known_as": folded_name(category.name),
        "line": category.line,
        "reimbursable": int(category.reimbursable),
        "created_at": category.created_at,
    }


def restore_rules(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    ids: Mapping[str, str],
    numbers: Mapping[str, int],
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> Mapping[str, int]:
    """Save the rules of a household; answers their numbers by the ids that they had.

    `ids` has the categories' ids here, `numbers` the payees' by key. Without `overrule` what is here
    already stays.
    """
    present = {
        (row["payee_no"], row["amount"], row["direction"]): row
        for row in categories.list_rules(connection, owner)
    }
    wanted = (rule.id for rule in household.rules)
    taken = people.taken_ids(connection, tables.rule, wanted)
    saved: dict[str, int] = {}
    for rule in household.rules:
        payee = numbers[rule.payee_key]
        earlier = present.get((payee, rule.amount, rule.direction))
        if earlier is not None:
            if not overrule:
                continue
            categories.remove_rule(connection, earlier["no"])
            taken.discard(earlier["id"])
        public_id = new_rule_id(rule.direction) if rule.id in taken else rule.id
        category = ids.get(rule.category, rule.category)
        values = {"id": public_id, "owner_no": owner, "payee_no": payee, "category": category}
        said = {
            "amount": rule.amount,
            "direction": rule.direction,
            "saved_at": rule.saved_at,
        }
        saved[rule.id] = categories.save_rule(connection, values | said)
        brought.rules.append((public_id, rule.saved_at))
        if rule.amount is None:
            payees.apply_rules(connection, payee)
    return saved


def restore_answers(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    saved: Mapping[str, int],
    said: Mapping[str, int],
    brought: BroughtWords,
    *,
    overrule: bool = True,
) -> None:
    """Keep what was answered: `saved` has the rules that answers made, `said` the words on rows.

    An answer whose rule or word stayed away stays away with it. A question that was answered here
    keeps those answers without `overrule`, and else those of the household alone.
    """
    wanted = {answer.task.id for answer in household.answers}
    given = [row for row in verdicts.list_answers(connection, owner) if row["task_id"] in wanted]
    kept = frozenset() if overrule else {row["task_id"] for row in given}
    for row in given:
        if overrule:
            verdicts.remove_answer(connection, row["no"])
    for answer in household.answers:
        rule_id, word_id = answer.rule_id, answer.word_id
        if answer.task.id in kept or not {rule_id, word_id} <= {None, *saved, *said}:
            continue
        verdicts.save_answer(
            connection,
            {
                "owner_no": owner,
                "task_id": answer.task.id,
                "body": answer.task.model_dump_json(),
                "rule_no": None if rule_id is None else saved[rule_id],
                "word_no": None if word_id is None else said[word_id],
                "each": int(answer.each),
                "answered_at": answer.answered_at,
            },
        )
        brought.answers.append((answer.task.id, answer.answered_at))


def restore_file_answers(
    connection: Connection,
    owner: int,
    household: ExportedHousehold,
    placed: Mapping[str, PlacedAccount],
    batch: int,
) -> None:
    """Keep what was said of how files are read, in the order in which it was."""
    imports.add_answers(
        connection,
        [
            {
                "owner_no": owner,
                "import_no": batch,
                "header": answer.columns,
                "account_no": None if answer.account_id is None else placed[answer.account_id].no,
                **answer.model_dump(by_alias=False, exclude={"columns", "account_id"}),
            }
            for answer in household.files
        ],
    )


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
    return RowWord(category, parts=tuple(parts), **remarks_of(word))


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
    add_all(
        connection,
        tables.set_aside,
        [
            _row_set_aside(owner, kept[verdict.id], verdict.set_aside, placed, numbers, batch)
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


def _row_set_aside(
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

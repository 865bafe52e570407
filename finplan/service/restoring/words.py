"""Restoring what the person set and said: settings, categories, rules, answers.

A word that is there already gives way to that of an export, and comes back when that is undone; what the
person has said since stays.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.household import (
    ExportedCategory,
    ExportedHousehold,
    ExportedSettings,
)
from finplan.model.names import folded
from finplan.service.ids import new_id, new_rule_id
from finplan.service.restoring.accounts import PlacedAccount
from finplan.service.restoring.brought import BroughtWords
from finplan.store.queries import categories, imports, payees, people, verdicts
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
        present = category.id if category.id in own else by_name.get(folded(category.name))
        if present is None:
            present = new_id("cat") if category.id in taken else category.id
            categories.add_category(connection, _category(owner, present, category))
            by_name[folded(category.name)] = present
            brought.categories.append(present)
        ids[category.id] = present
    return ids


def _category(owner: int, public_id: str, category: ExportedCategory) -> dict[str, Any]:
    return {
        "id": public_id,
        "owner_no": owner,
        "name": category.name,
        "known_as": folded(category.name),
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

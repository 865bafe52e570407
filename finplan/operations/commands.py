"""Which row a command of the command line asks, for sentences that name one.

What is said of a failure names the command that shows more or mends it. Who comes in by another face can
do the same there: its row is found by the command's words.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

from finplan.operation import AnyOperation
from finplan.operations import access, automation, household, planning

OfCommand = TypeVar("OfCommand")

NAMED = re.compile("`finplan ([^`]+)`")
"""A command where a sentence names it."""

ROWS: Mapping[str, AnyOperation] = {
    "accounts": household.LIST_ACCOUNT_RECORDS,
    "accounts set": household.CHANGE_ACCOUNT,
    "agents list": access.LIST_AGENTS,
    "categories": planning.LIST_CATEGORIES,
    "categories add": planning.CREATE_CATEGORY,
    "categories suggestions": planning.LIST_SUGGESTIONS,
    "clients list": access.LIST_CLIENTS,
    "connect": household.LINK_CONNECTION,
    "connections": household.LIST_CONNECTIONS,
    "connections sync": household.SYNC_ALL,
    "duplicates": planning.LIST_DUPLICATES,
    "duplicates same": planning.DECIDE_DUPLICATE,
    "import": household.IMPORT_FILES,
    "imports": household.LIST_IMPORTS,
    "imports profiles": household.LIST_IMPORT_PROFILES,
    "imports undo": household.UNDO_IMPORT,
    "invites list": access.LIST_INVITES,
    "keys list": access.LIST_KEYS,
    "me set": household.CHANGE_ME,
    "plan": planning.VIEW_PLAN,
    "plan build": planning.BUILD_PLAN,
    "plan explain": planning.EXPLAIN_PLAN,
    "recurring": planning.LIST_RECURRING,
    "rules list": planning.LIST_RULES,
    "secrets": access.SHOW_DATA_KEY,
    "secrets rotate": access.ROTATE_DATA_KEY,
    "sessions list": access.LIST_SESSIONS,
    "settings": household.SHOW_SETTINGS,
    "settings set": household.CHANGE_SETTINGS,
    "snapshot --income": planning.SET_INCOME,
    "tasks answer": planning.ANSWER_TASK,
    "tasks list": planning.LIST_TASKS,
    "tasks undo": planning.UNDO_ANSWER,
    "transactions": household.LIST_TRANSACTIONS,
    "transactions split": household.CHANGE_TRANSACTION,
    "transfers": planning.LIST_TRANSFERS,
    "transfers reject": planning.DECIDE_TRANSFER,
    "webhooks change": automation.CHANGE_WEBHOOK,
    "webhooks deliveries": automation.LIST_DELIVERIES,
    "webhooks list": automation.LIST_WEBHOOKS,
    "webhooks remove": automation.REMOVE_WEBHOOK,
}
"""By the words that a command begins with."""


def of_command(command: str, known: Mapping[str, OfCommand]) -> OfCommand | None:
    """What is known of a command by the most of the words that it begins with; None for nothing."""
    words = command.split()
    begins = (" ".join(words[:most]) for most in range(len(words), 0, -1))
    return next((known[each] for each in begins if each in known), None)


def rows_named(sentence: str) -> tuple[AnyOperation, ...]:
    """The rows of the commands that a sentence names, each once; of some commands there is none."""
    found = (of_command(match[1], ROWS) for match in NAMED.finditer(sentence))
    return tuple({row.name: row for row in found if row is not None}.values())

"""THE TABLE: one row for each thing a caller may ask for.

REST routes, the published description, the typed client, and so the CLI, all come from these rows;
`service.dispatch.PERFORMERS` has one function for each. A path parameter is a field of the row's
`asks`; its other fields travel in the query string of a GET or DELETE and in the body of anything else.
A family stands before its rows. Who asks for one thing imports its family alone, so that a command
starts without the shapes of all the others.

What is said of a failure names the command that shows more or mends it. Who comes in by another face can
do the same there: its row is found by the command's words.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

from finplan.operation import AnyOperation
from finplan.operations import (
    account,
    bank,
    category,
    credential,
    detection,
    person,
    plan,
    schedule,
    statement_file,
    task,
    transaction,
    webhook,
)

OPERATIONS: tuple[AnyOperation, ...] = (
    *person.ROWS,
    *bank.ROWS,
    *statement_file.ROWS,
    *account.ROWS,
    *transaction.ROWS,
    *detection.ROWS,
    *plan.ROWS,
    *task.ROWS,
    *category.ROWS,
    *webhook.ROWS,
    *schedule.ROWS,
    *credential.ROWS,
)


OfCommand = TypeVar("OfCommand")

NAMED_COMMAND = re.compile("`finplan ([^`]+)`")
"""A command where a sentence names it."""

ROWS_OF_COMMANDS: Mapping[str, AnyOperation] = {
    "accounts": account.LIST_ACCOUNT_RECORDS,
    "accounts add": account.ADD_ACCOUNT,
    "accounts balances": account.LIST_BALANCES,
    "accounts remove": account.REMOVE_ACCOUNT,
    "accounts set": account.CHANGE_ACCOUNT,
    "afford": plan.TRY_CHANGES,
    "agents list": credential.LIST_AGENTS,
    "categories": category.LIST_CATEGORIES,
    "categories add": category.CREATE_CATEGORY,
    "categories suggestions": category.LIST_SUGGESTIONS,
    "clients list": credential.LIST_CLIENTS,
    "connect": bank.LINK_CONNECTION,
    "connections": bank.LIST_CONNECTIONS,
    "connections sync": bank.SYNC_ALL,
    "duplicates": detection.LIST_DUPLICATES,
    "duplicates same": detection.DECIDE_DUPLICATE,
    "import": statement_file.IMPORT_FILES,
    "imports": statement_file.LIST_IMPORTS,
    "imports profiles": statement_file.LIST_IMPORT_PROFILES,
    "imports undo": statement_file.UNDO_IMPORT,
    "invites list": credential.LIST_INVITES,
    "keys list": credential.LIST_KEYS,
    "me set": person.CHANGE_ME,
    "plan": plan.VIEW_PLAN,
    "plan build": plan.BUILD_PLAN,
    "plan explain": plan.EXPLAIN_PLAN,
    "planned": plan.LIST_PLANNED,
    "planned add": plan.ADD_PLANNED,
    "planned remove": plan.REMOVE_PLANNED,
    "planned set": plan.CHANGE_PLANNED,
    "recurring": detection.LIST_RECURRING,
    "rules list": category.LIST_RULES,
    "secrets": credential.SHOW_DATA_KEY,
    "secrets rotate": credential.ROTATE_DATA_KEY,
    "sessions list": credential.LIST_SESSIONS,
    "settings": person.SHOW_SETTINGS,
    "settings set": person.CHANGE_SETTINGS,
    "snapshot --income": plan.SET_INCOME,
    "spending": transaction.QUERY_SPENDING,
    "sync": bank.SYNC_ALL,
    "tasks answer": task.ANSWER_TASK,
    "tasks list": task.LIST_TASKS,
    "tasks undo": task.UNDO_ANSWER,
    "transactions": transaction.LIST_TRANSACTIONS,
    "transactions split": transaction.CHANGE_TRANSACTION,
    "transfers": detection.LIST_TRANSFERS,
    "transfers reject": detection.DECIDE_TRANSFER,
    "webhooks change": webhook.CHANGE_WEBHOOK,
    "webhooks deliveries": webhook.LIST_DELIVERIES,
    "what-if": plan.TRY_CHANGES,
    "webhooks list": webhook.LIST_WEBHOOKS,
    "webhooks remove": webhook.REMOVE_WEBHOOK,
}
"""By the words that a command begins with."""


def of_command(command: str, by_command: Mapping[str, OfCommand]) -> OfCommand | None:
    """What is known of a command by the most of the words that it begins with; None for nothing."""
    tokens = command.split()
    begins = (" ".join(tokens[:most]) for most in range(len(tokens), 0, -1))
    return next((by_command[begin] for begin in begins if begin in by_command), None)


def find_named_rows(sentence: str) -> tuple[AnyOperation, ...]:
    """The rows of the commands that a sentence names, each once; of some commands there is none."""
    rows = (of_command(match[1], ROWS_OF_COMMANDS) for match in NAMED_COMMAND.finditer(sentence))
    return tuple({row.name: row for row in rows if row is not None}.values())

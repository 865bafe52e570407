"""Which tool does what a sentence names a command for."""

import re
from collections.abc import Mapping
from typing import Final

from finplan.operations.commands import NAMED, of_command

TYPED_BY_THE_PERSON: Final = "What begins with finplan is for the person to type."

WAYS: Mapping[str, str | None] = {
    "accounts": "`list_accounts`",
    "categories": "The resource `categories`",
    "categories add": None,
    "categories suggestions": None,
    "connect": "`link_connection`",
    # The token comes from a page that the person signs up on.
    "connect simplefin": None,
    "connections": "`list_connections`",
    "connections sync": "`sync_connections`",
    "plan": "`get_plan`",
    "plan build": "`build_plan`",
    "plan explain": "`explain_figure` with section {}",
    "recurring": "`get_plan` with recurring",
    "snapshot": "`get_snapshot`",
    "snapshot --income": None,
    "spending --by merchant": "`query_spending` with groupBy merchant",
    "sync": "`sync_connections`",
    "tasks": "`list_tasks`",
    "tasks answer": "`answer_task`",
    "tasks list --answered": "`list_tasks` with status answered",
    "tasks undo": "`answer_task` with undo",
    "transactions": "`list_transactions`",
    "transactions split": "`change_transaction` with splits",
}
"""What an agent does instead, by the words that a command begins with; None where no tool does it.

The command's last word stands for `{}`.
"""


def for_agents(sentence: str) -> str:
    """A sentence with the tool in the place of each command that one of them stands for."""
    return NAMED.sub(_way, sentence)


def _way(named: re.Match[str]) -> str:
    way = of_command(named[1], WAYS)
    return named[0] if way is None else way.format(named[1].split()[-1])


def names_commands(sentence: str) -> bool:
    """Whether a sentence names a command that no tool stands for."""
    return NAMED.search(for_agents(sentence)) is not None

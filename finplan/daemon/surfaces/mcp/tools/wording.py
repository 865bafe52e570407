"""How answers are put into words for an agent: short lines, and foreign text set apart.

Where a sentence names a command, an agent is told the tool that does it.
"""

import re
from collections.abc import Mapping
from typing import Final

from finplan.model.characters import visible
from finplan.model.money import exponent
from finplan.operations.table import NAMED_COMMAND, of_command
from finplan.views.page import Lines, Phrase, TextSpan

TYPED_BY_THE_PERSON: Final = "Only the person can type commands that begin with finplan."

WAYS: Mapping[str, str | None] = {
    "accounts": "`list_accounts`",
    "categories": "`categories` (resource)",
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
    # Commands stand in backticks. Most pieces have none, and a look is quicker than the pattern.
    return NAMED_COMMAND.sub(_way, sentence) if "`" in sentence else sentence


def _way(named: re.Match[str]) -> str:
    way = of_command(named[1], WAYS)
    return named[0] if way is None else way.format(named[1].split()[-1])


def names_commands(sentence: str) -> bool:
    """Whether a sentence names a command that no tool stands for."""
    return NAMED_COMMAND.search(for_agents(sentence)) is not None


def write_text(brief: Lines) -> str:
    """The short form of a view as a text: a line each, with what strangers wrote set apart."""
    texts = (_line(each) for each in brief if each)
    return "\n".join(text for text in texts if text)


def _line(words: Phrase) -> str:
    parts = (words,) if isinstance(words, str | TextSpan) else words
    return "".join([for_agents(each) if isinstance(each, str) else _piece(each) for each in parts])


def _piece(span: TextSpan) -> str:
    if not span.text:
        return ""
    match span.kind:
        case "name":
            return quoted(span.text)
        case "mentions":
            return with_names(span.text)
        case "label":
            return sentence(span.text)
        case _:
            return for_agents(span.text)


_FENCE = re.compile("`+")
_DRAWN = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "'"})
LONGEST_NAME: Final = 80
LONGEST_SENTENCE: Final = 600
"""How many characters of a name and of a sentence are said."""


def quoted(text: str, most: int = LONGEST_NAME) -> str:
    """A text that a stranger wrote, such as a payee, as data: a code span.

    Whoever wrote it may try to speak to the agent, or to have a host fetch an image. It is one line, of
    visible characters, and bounded.
    """
    seen = _FENCE.sub("'", visible(text)).strip()
    cut = seen if len(seen) <= most else seen[: most - 1].rstrip() + "…"
    return f"`{cut}`" if cut else "`–`"


def with_names(text: str, most: int = LONGEST_SENTENCE) -> str:
    """A sentence of finplan's own that names whom a stranger named: all of it is set apart as data.

    Nothing in it tells where a name begins and ends, so a name could go on as the sentence.
    """
    return quoted(for_agents(text).replace("`", "'"), most)


def sentence(text: str) -> str:
    """A sentence of finplan's own that names no payee, account or bank, without markup.

    Where it names a command, it names the tool that does the same.
    """
    return visible(for_agents(text)).translate(_DRAWN).replace("://", ":/ /")


def lines(*parts: str | None) -> str:
    """The parts that there are, a line each."""
    return "\n".join(part for part in parts if part)


def unit_of(currency: str) -> Mapping[str, str | int]:
    """What amounts are of, as answers carry it beside their content."""
    return {"finplan/currency": currency, "finplan/decimals": exponent(currency)}

"""A sentence that names a command leads callers of every face to the row that does the same."""

import re
from pathlib import Path

import finplan
from finplan.cli.app import COMMANDS
from finplan.operations.table import (
    NAMED_COMMAND,
    OPERATIONS,
    ROWS_OF_COMMANDS,
    find_named_rows,
    of_command,
)
from tests.daemon.running import RunningDaemon

SAID_IN = ("service", "plan", "model", "model/errors.py")
"""Where sentences are made that callers are told."""

AT_THE_MACHINE = frozenset({"backup", "daemon", "open", "--demo", "--profile"})
"""What commands begin with that no caller can do from elsewhere."""


def said() -> str:
    """All of those sources, with the strings of a sentence that goes on over lines put together."""
    root = Path(finplan.__file__).parent
    files = [path for each in SAID_IN for path in sorted(root.joinpath(each).rglob("*.py"))]
    files += [root / each for each in SAID_IN if each.endswith(".py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return re.sub(r'"\s*\n\s*f?"', "", text)


def test_every_command_that_is_named_has_a_row() -> None:
    """Whatever command a sentence names, its row is known, or it is for the machine alone."""
    found = {match[1] for match in NAMED_COMMAND.finditer(said()) if "\n" not in match[1]}
    assert len(found) > 40
    unknown = {each for each in found if of_command(each, ROWS_OF_COMMANDS) is None}
    assert {each.split()[0] for each in unknown} <= AT_THE_MACHINE


def test_every_row_of_a_command_is_one() -> None:
    """Each command that is known is one of the command line, and its row one of the table."""
    assert {each.split()[0] for each in ROWS_OF_COMMANDS} <= {*COMMANDS}
    assert set(ROWS_OF_COMMANDS.values()) <= set(OPERATIONS)


OF_TWO_ROWS = "`finplan tasks list` or `finplan tasks list --answered`, not `finplan tasks undo x`."
OF_NO_ROW = "See `finplan daemon logs`, finplan accounts."


def test_rows_are_named_once_and_by_the_most_words() -> None:
    """Of several commands each row is told once, the one of the longest beginning; others are none's."""
    assert [row.name for row in find_named_rows(OF_TWO_ROWS)] == ["list_tasks", "undo_answer"]
    assert find_named_rows(OF_NO_ROW) == ()
    assert of_command("accounts", ROWS_OF_COMMANDS) is not of_command(
        "accounts set Card", ROWS_OF_COMMANDS
    )


async def test_an_error_names_its_routes(daemon: RunningDaemon) -> None:
    """Over REST a refusal that names a command has the route that does the same beside it."""
    refused = await daemon.http.get("/api/v1/transactions", params={"category": "flubber"})
    assert "`finplan categories`" in refused.json()["message"]
    assert refused.json()["data"] == {"near": [], "see": ["GET /api/v1/categories"]}
    gone = await daemon.http.delete("/api/v1/tasks/task_none/answer")
    assert gone.json()["data"] == {"see": ["GET /api/v1/tasks"]}
    wrong = await daemon.http.get("/api/v1/nowhere")
    assert "data" not in wrong.json()

"""Whatever a caller may ask for, a command of the command line asks for it."""

import re
from io import BytesIO, TextIOWrapper

import pytest
import typer

from finplan.cli.app import COMMANDS as OF_THE_ROOT
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from tests.cli.conftest import Run
from tests.cli.stub import Stub
from tests.cli.test_answers import COMMANDS

ID = "0123456789abcdef01234567"

ASKED_BESIDES: dict[str, str] = {
    "show_me": "me",
    "change_me": "me set --name Ada",
    "delete_me": "me delete --yes",
    "list_connection_states": "connections",
    "begin_link": "connect plaid --print",
    "show_link": f"connect plaid --link {ID}",
    "list_account_records": "accounts",
    "export_transactions": "export --format csv",
    "view_plan": "plan",
    "list_webhook_records": "webhooks",
    "try_webhook": f"webhooks test whk_{ID}",
    "retry_delivery": f"webhooks retry whk_{ID} del_{ID}",
    "set_password": "me password",
}
"""The command that asks for a row of which `test_answers` has none, since it asks for others besides."""

OTHERWISE: dict[str, tuple[str, str]] = {
    "show_unlinking": (
        "connections remove",
        "asked before the question, which a person sees alone",
    ),
    "import_files": ("import", "the files go along: `test_importing.py`"),
    "cancel_import": ("import", "what Ctrl-C does in the midst of one: `test_importing.py`"),
    "change_account": ("accounts set", "after the account itself: `test_typed.py`"),
    "change_transaction": ("transactions set", "after the row itself: `test_own_words.py`"),
    "start_build": ("plan build", "builds and waits; without waiting it is for programs"),
    "show_build": ("plan build", "tells how far it is; by itself it is for programs"),
    "stream_build": ("plan build", "tells how far it is; by itself it is for programs"),
}
"""The command that does the same as a row, and why no single question to the daemon shows it here."""


def commands() -> set[str]:
    """The words of every command there is."""
    found = set(OF_THE_ROOT)
    for name, place in OF_THE_ROOT.items():
        app = place.load()
        inner = getattr(typer.main.get_command(app), "commands", {})
        found |= {f"{name} {each}" for each in inner}
    return found


def is_asked_by(row: AnyOperation, method: str, path: str) -> bool:
    """Whether a request is one for a row."""
    pattern = re.sub(r"\{\w+\}", "[^/]+", row.path)
    return method == row.method and re.fullmatch(pattern, path) is not None


ANSWERED = {row.name for row in OPERATIONS if any(is_asked_by(row, *each[1:]) for each in COMMANDS)}


def test_each_row_has_its_command() -> None:
    """Each row stands in one of the three tables, and nothing else does."""
    names = [row.name for row in OPERATIONS]
    assert sorted([*ANSWERED, *ASKED_BESIDES, *OTHERWISE]) == sorted(names)
    assert {command for command, _why in OTHERWISE.values()} <= commands()


@pytest.mark.parametrize("name", ASKED_BESIDES)
def test_the_command_asks_for_the_row(
    finplan: Run, stub: Stub, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is typed brings the question to the daemon, whatever the answer is."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"lantern maple orbit thimble\n")))
    row = next(each for each in OPERATIONS if each.name == name)
    # What is linked already is looked up before a bank is.
    stub.answer("GET", "/connections", [])
    finplan(*ASKED_BESIDES[name].split())
    assert any(is_asked_by(row, each.method, each.path) for each in stub.asked), stub.asked

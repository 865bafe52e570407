"""A pipe or a file gets every name whole: no page is cut where nobody looks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import finplan.daemon.surfaces.openapi
from finplan.client.request import API_ROOT
from finplan.operations.table import OPERATIONS
from tests.cli import made_up, made_up_bank, made_up_view
from tests.cli.conftest import Ended, Run
from tests.cli.stub import Stub

LONG = " and the Extraordinarily Long Name of its Company in Northern Vermont and Beyond"
CUT = re.compile(r"(?<!fpk_\w{6})…")
"""The sign of what was cut off, but for the rest of a key, which nobody is told."""

NAMES = {
    *("account", "accountName", "columns", "description", "detail", "email", "institutionName"),
    *("label", "name", "note", "payee", "raw", "suggestedLabel", "title", "why"),
}
"""The fields of answers that hold what a bank, a person or a sentence calls something."""

EXAMPLES = json.loads(
    Path(finplan.daemon.surfaces.openapi.__path__[0], "examples.json").read_bytes()
)
ANSWERED = {
    "list_account_records": [each.model_dump(mode="json") for each in made_up_bank.accounts()],
    "list_accounts": [each.account.model_dump(mode="json") for each in made_up_bank.accounts()],
    "view_plan": made_up_view.view().model_dump(mode="json", by_alias=True),
    "show_snapshot": made_up_view.snapshot().model_dump(mode="json", by_alias=True),
    "show_wealth": made_up.wealth().model_dump(mode="json", by_alias=True),
    "import_files": made_up_bank.import_report().model_dump(mode="json", by_alias=True),
}
"""Where the example that is recorded names too little, an answer that names more."""

WEBHOOK = EXAMPLES["list_webhook_records"]["answer"][0]["webhook"]["id"]

LINES = (
    *("plan", "plan --all", "plan history", "plan explain debt", "snapshot", "wealth", "forecast"),
    *(
        "spending",
        "spending --by merchant",
        "spending --monthly",
        "spending --monthly --by merchant",
    ),
    *("accounts", "accounts show {account}", "transactions", "transactions --why"),
    *("transactions find flat", "transactions show tx_1", "recurring", "transfers", "duplicates"),
    *("tasks", "rules", "categories", "categories suggestions", "connections", "sync"),
    *("import {file} --yes", "imports", "imports profiles", "me", "people", "keys", "clients"),
    *("agents", "invites", "sessions", "audit", "webhooks", "webhooks show {webhook}"),
    *("webhooks deliveries {webhook}", "settings", "daemon jobs"),
)
"""Every page that is drawn of an answer."""


def _long(value: Any, field: str = "") -> Any:
    """An answer whose every name is long."""
    if isinstance(value, dict):
        return {key: _long(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_long(each, field) for each in value]
    return f"{value}{LONG}" if isinstance(value, str) and field in NAMES else value


@pytest.fixture
def wordy(stub: Stub) -> Stub:
    """A daemon that answers every question with its example, all of whose names are long."""
    for operation in OPERATIONS:
        answer = ANSWERED.get(operation.name, EXAMPLES.get(operation.name, {}).get("answer"))
        head, _, tail = operation.path.removeprefix(API_ROOT).partition("{")
        content = (200, json.dumps(_long(answer)).encode())
        if not tail:
            stub.answer(operation.method, head, _long(answer))
        elif tail.endswith("}"):
            stub.answers_to(operation.method, head, _again(content))
    deliveries = _long(EXAMPLES["list_deliveries"]["answer"])
    stub.answer("GET", f"/webhooks/{WEBHOOK}/deliveries", deliveries)
    return stub


def _again(content: tuple[int, bytes]) -> Any:
    while True:
        yield content


def piped(finplan: Run, folder: Path, line: str) -> Ended:
    """What a reader that is no person gets of a page."""
    statement = folder / "statement.csv"
    statement.write_text("Date,Description,Amount\n2026-01-02,Coffee,-3.00\n", encoding="utf-8")
    words = line.format(
        account=made_up_bank.accounts()[0].account.id,
        webhook=WEBHOOK,
        file=statement,
    )
    return finplan(*words.split())


@pytest.mark.parametrize("line", LINES)
def test_no_page_is_cut_where_nobody_looks(
    finplan: Run, wordy: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Whatever a page holds, no name in it ends in an ellipsis on its way into a pipe."""
    monkeypatch.delenv("COLUMNS")
    ended = piped(finplan, tmp_path, line)
    assert ended.code == 0, ended.err
    page = ended.out.decode()
    assert page.strip()
    assert [each for each in page.splitlines() if CUT.search(each)] == []

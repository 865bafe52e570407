"""What a script gets: with --json the daemon's very bytes, and every name whole in a pipe.

The option may stand anywhere, and no more is said; no page is cut where nobody looks. Whatever a
caller may ask for, a command of the command line asks for it.
"""

import json
import re
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
import typer

import finplan.daemon.surfaces.openapi
from finplan.cli import commands as command_modules
from finplan.cli.app import COMMANDS as OF_THE_ROOT
from finplan.cli.console.errors import NOT_THERE, USAGE
from finplan.client.request import API_ROOT
from finplan.model.plan import StoredPlan
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Ended, Run
from tests.cli.stub import Stub

ODD = b'{"not" : "what any shape  looks like",\n "n":1.50 }'
"""An answer that no shape fits and that no serialiser would write like this."""

ACCOUNT = "acc_a1k3f9x2m7q4w8r1t5v6y0z"
IMPORT = "imp_k3f9x2m7q4w8r1t5v6y0z3b2"
PROFILE = "prf_3a7c5e9b1d2f4a6c8e0b1d3f"
CONNECTION = "con_a1k3f9x2m7q4w8r1t5v6y0z"
TASK = "tsk_1a2b3c4d5e6f7g8h9i0j1k2l"
PLANNED = "pln_1a2b3c4d5e6f7g8h9i0j1k2l"
CATEGORY = "cat_k3f9x2m7q4w8r1t5v6y0z3b2"
RULE = "rul_a1k3f9x2m7q4w8r1t5v6y0z"
KEY = "key_000000000000000000000000"
CLIENT = "app_k3f9x2m7q4w8r1t5v6y0z3b2"
AGENT = "reg_k3f9x2m7q4w8r1t5v6y0z3b2"
INVITE = "inv_k3f9x2m7q4w8r1t5v6y0z3b2"
WEBHOOK = "whk_k3f9x2m7q4w8r1t5v6y0z3b2"
BROWSER = "ses_k3f9x2m7q4w8r1t5v6y0z3b2"
TRANSFER = "trf_k3f9x2m7q4w8r1t5v6y0z3b2"
SERIES = "ser_k3f9x2m7q4w8r1t5v6y0z3b2"
DUPLICATE = "dup_k3f9x2m7q4w8r1t5v6y0z3b2"

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("plan", "GET", "/plan"),
    ("plan build", "POST", "/plan"),
    ("plan show", "GET", "/plan"),
    ("plan history", "GET", "/plans"),
    ("plan explain emergency-fund", "GET", "/plan/explain/emergency-fund"),
    ("snapshot", "GET", "/snapshot"),
    ("snapshot --income detected", "PUT", "/snapshot/income"),
    ("spending", "GET", "/spending"),
    ("spending --by month", "GET", "/spending"),
    ("spending --monthly", "GET", "/spending/months"),
    ("spending --monthly --by merchant --from 2025", "GET", "/spending/months"),
    ("wealth", "GET", "/wealth"),
    ("forecast --days 14", "GET", "/forecast"),
    ("accounts", "GET", "/accounts"),
    ("accounts list", "GET", "/accounts"),
    (f"accounts show {ACCOUNT}", "GET", f"/accounts/{ACCOUNT}"),
    (f"accounts balances {ACCOUNT}", "GET", f"/accounts/{ACCOUNT}/balances"),
    ("transactions", "GET", "/transactions"),
    ("transactions --limit 3", "GET", "/transactions"),
    ("transactions list --limit 3", "GET", "/transactions"),
    ("transactions find coffee", "GET", "/transactions"),
    ("transactions show tx_812", "GET", "/transactions/tx_812"),
    ("connect demo", "POST", "/connections"),
    ("connections", "GET", "/connections"),
    ("connections list", "GET", "/connections"),
    (f"connections show {CONNECTION}", "GET", f"/connections/{CONNECTION}"),
    ("connections sync", "POST", "/connections/sync"),
    (f"connections sync {CONNECTION}", "POST", f"/connections/{CONNECTION}/sync"),
    (f"connections remove {CONNECTION}", "DELETE", f"/connections/{CONNECTION}"),
    ("sync", "POST", "/connections/sync"),
    ("imports", "GET", "/imports"),
    ("imports list", "GET", "/imports"),
    (f"imports undo {IMPORT}", "DELETE", f"/imports/{IMPORT}"),
    ("imports profiles", "GET", "/imports/profiles"),
    (f"imports forget {PROFILE}", "DELETE", f"/imports/profiles/{PROFILE}"),
    ("transfers", "GET", "/transfers"),
    ("transfers list --status candidate --from 2025-01", "GET", "/transfers"),
    (f"transfers confirm {TRANSFER}", "PUT", f"/transfers/{TRANSFER}"),
    (f"transfers reject {TRANSFER}", "PUT", f"/transfers/{TRANSFER}"),
    (f"transfers undo {TRANSFER}", "PUT", f"/transfers/{TRANSFER}"),
    ("recurring", "GET", "/recurring"),
    ("recurring list --over", "GET", "/recurring"),
    (f"recurring confirm {SERIES}", "PUT", f"/recurring/{SERIES}"),
    (f"recurring dismiss {SERIES}", "PUT", f"/recurring/{SERIES}"),
    (f"recurring undo {SERIES}", "PUT", f"/recurring/{SERIES}"),
    ("duplicates", "GET", "/duplicates"),
    ("duplicates list --status open", "GET", "/duplicates"),
    (f"duplicates same {DUPLICATE}", "PUT", f"/duplicates/{DUPLICATE}"),
    (f"duplicates different {DUPLICATE}", "PUT", f"/duplicates/{DUPLICATE}"),
    (f"duplicates undo {DUPLICATE}", "PUT", f"/duplicates/{DUPLICATE}"),
    ("tasks", "GET", "/tasks"),
    ("tasks list --answered", "GET", "/tasks"),
    (f"tasks answer {TASK} --dismiss", "POST", f"/tasks/{TASK}/answer"),
    (f"tasks undo {TASK}", "DELETE", f"/tasks/{TASK}/answer"),
    ("planned", "GET", "/planned"),
    ("planned list", "GET", "/planned"),
    (f"planned set {PLANNED} --happened", "PATCH", f"/planned/{PLANNED}"),
    (f"planned remove {PLANNED}", "DELETE", f"/planned/{PLANNED}"),
    ("rules", "GET", "/categories/rules"),
    ("rules list", "GET", "/categories/rules"),
    (f"rules remove {RULE}", "DELETE", f"/categories/rules/{RULE}"),
    ("categories", "GET", "/categories"),
    ("categories list", "GET", "/categories"),
    ("categories add Bikes --line discretionary --payee trek", "POST", "/categories"),
    (f"categories rename {CATEGORY} Cycling", "PATCH", f"/categories/{CATEGORY}"),
    (f"categories change {CATEGORY} --line essential", "PATCH", f"/categories/{CATEGORY}"),
    (f"categories remove {CATEGORY}", "DELETE", f"/categories/{CATEGORY}"),
    ("categories suggestions", "GET", "/categories/suggestions"),
    ("categories dismiss Cycling", "PUT", "/categories/suggestions"),
    (f"rules set costco {CATEGORY}", "PUT", "/categories/rules"),
    (f"rules set costco safeway {CATEGORY}", "PUT", "/categories/rules/batch"),
    ("keys", "GET", "/keys"),
    ("keys list", "GET", "/keys"),
    ("keys create nightly", "POST", "/keys"),
    ("keys create nightly --scope service:read --scope write", "POST", "/keys"),
    ("keys create trial --expires 90d", "POST", "/keys"),
    (f"keys revoke {KEY}", "DELETE", f"/keys/{KEY}"),
    ("clients", "GET", "/clients"),
    ("clients list", "GET", "/clients"),
    ("clients create Dash --redirect https://dash.example.org/back", "POST", "/clients"),
    (
        "clients create Dash --redirect https://a.example/ --redirect b:/ --confidential --scope read",
        "POST",
        "/clients",
    ),
    (f"clients revoke {CLIENT}", "DELETE", f"/clients/{CLIENT}"),
    ("agents", "GET", "/agents"),
    ("agents list", "GET", "/agents"),
    (f"agents revoke {AGENT}", "DELETE", f"/agents/{AGENT}"),
    ("people", "GET", "/people"),
    ("people list", "GET", "/people"),
    ("invites", "GET", "/invites"),
    ("invites list", "GET", "/invites"),
    ("invites create --email grace@example.org --days 3", "POST", "/invites"),
    (f"invites revoke {INVITE}", "DELETE", f"/invites/{INVITE}"),
    ("sessions", "GET", "/sessions"),
    ("sessions list", "GET", "/sessions"),
    (f"sessions end {BROWSER}", "DELETE", f"/sessions/{BROWSER}"),
    ("audit --limit 3", "GET", "/audit"),
    ("secrets status", "GET", "/data-key"),
    ("secrets rotate", "POST", "/data-key/rotate"),
    ("webhooks", "GET", "/webhooks"),
    ("webhooks list", "GET", "/webhooks"),
    ("webhooks add https://a.example/ --event plan.built", "POST", "/webhooks"),
    (f"webhooks show {WEBHOOK}", "GET", f"/webhooks/{WEBHOOK}"),
    (f"webhooks change {WEBHOOK} --disable", "PATCH", f"/webhooks/{WEBHOOK}"),
    (f"webhooks remove {WEBHOOK}", "DELETE", f"/webhooks/{WEBHOOK}"),
    (f"webhooks deliveries {WEBHOOK} --limit 3", "GET", f"/webhooks/{WEBHOOK}/deliveries"),
    (f"webhooks rotate {WEBHOOK} --yes", "POST", f"/webhooks/{WEBHOOK}/secret"),
    ("open", "POST", "/sessions/link"),
    ("open --print", "POST", "/sessions/link"),
    ("daemon jobs", "GET", "/jobs"),
    ("daemon jobs list", "GET", "/jobs"),
    ("daemon jobs run prune", "POST", "/jobs/prune/run"),
    ("settings", "GET", "/settings"),
    ("settings show", "GET", "/settings"),
    ("settings set --currency eur", "PATCH", "/settings"),
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("line", "method", "path"), COMMANDS, ids=[each[0] for each in COMMANDS])
def test_json_is_bytes_as_sent(finplan: Run, stub: Stub, line: str, method: str, path: str) -> None:
    """--json prints the daemon's bytes and a line break, reads nothing into them, and says nothing."""
    stub.answer(method, path, ODD)
    ended = finplan(*line.split(), "--json")
    assert (ended.code, ended.out, ended.err) == (0, ODD + b"\n", "")


@pytest.mark.parametrize("words", ["wealth", "plan show", "imports list"])
def test_options_for_every_command_stand_anywhere(finplan: Run, stub: Stub, words: str) -> None:
    """--json, --quiet and --profile work before the command, between its words and after it."""
    for path in ("/wealth", "/plan", "/imports"):
        stub.answer("GET", path, ODD)
    line = words.split()
    for option in (["--json"], ["--json", "--quiet"], ["--json", "--profile", "default"]):
        for place in range(len(line) + 1):
            ended = finplan(*line[:place], *option, *line[place:])
            assert (ended.code, ended.out, ended.err) == (0, ODD + b"\n", "")


def test_options_said_at_one_depth_hold_at_every_other(finplan: Run, stub: Stub) -> None:
    """What is said before the command is not taken back by its absence after it."""
    stub.answer("GET", "/plan", ODD)
    assert finplan("--json", "plan", "--quiet", "show").out == ODD + b"\n"


def test_an_option_can_be_the_value_of_another(finplan: Run, stub: Stub) -> None:
    """What follows an option that takes a value is its value, even if it looks like --json."""
    record = made_up_bank.accounts()[0]
    stub.answer("GET", f"/accounts/{ACCOUNT}", record)
    stub.answer("PATCH", f"/accounts/{ACCOUNT}", record)
    finplan("accounts", "set", ACCOUNT, "--name", "--json")
    assert stub.requests("PATCH", f"/accounts/{ACCOUNT}")[0].json == {"name": "--json"}


def test_the_demo_is_a_profile_of_its_own(finplan: Run, demo_stub: Stub) -> None:
    """--demo asks the daemon of the profile `demo`, whose household that daemon links by itself."""
    demo_stub.answer("GET", "/wealth", ODD)
    ended = finplan("wealth", "--json", "--demo")
    assert (ended.code, ended.out, ended.err) == (0, ODD + b"\n", "")
    assert demo_stub.requests("POST", "/connections") == []


def test_what_is_asked_is_what_was_typed(finplan: Run, stub: Stub) -> None:
    """Filters reach the daemon under their outside names; a month means its first or last day."""
    stub.answer("GET", "/categories", made_up.category_choices())
    stub.answer("GET", "/spending", ODD)
    finplan(
        *["spending", "--json", "--by", "merchant", "--from", "2025-02", "--to", "2025-02"],
        *["--category", "Groceries", "--category", "dining", "--merchant", "costco"],
    )
    assert stub.requests("GET", "/spending")[0].query == {
        "from": ["2025-02-01"],
        "to": ["2025-02-28"],
        "groupBy": ["merchant"],
        "category": ["groceries", "dining"],
        "merchant": ["costco"],
    }


def test_a_word_of_two_titles_means_the_spending_one_of_spending(finplan: Run, stub: Stub) -> None:
    """Totals of spending are of no income; where both may be meant, both are named."""
    titles = (
        ("gifts_donations", "Gifts and donations"),
        ("other_income", "Gifts and other income"),
    )
    lines = ("discretionary", "not_spending")
    choices = [
        {"category": each, "label": label, "line": line, "custom": False, "reimbursable": False}
        for (each, label), line in zip(titles, lines, strict=True)
    ]
    stub.answer("GET", "/categories", choices)
    stub.answer("GET", "/spending", b"{}")
    finplan("spending", "--json", "--category", "gifts")
    assert stub.requests("GET", "/spending")[0].query["category"] == ["gifts_donations"]
    refused = finplan("transactions", "--category", "gifts")
    assert (refused.code, "'Gifts and other income'" in refused.err) == (NOT_THERE, True)
    stub.answer("GET", "/categories", [{**each, "line": "essential"} for each in choices])
    assert finplan("spending", "--category", "gifts").code == NOT_THERE


def test_accounts_are_asked_for_at_once(finplan: Run, stub: Stub) -> None:
    """However many there are, one request brings what is drawn of them."""
    records = [record.model_dump(mode="json", by_alias=True) for record in made_up_bank.accounts()]
    stub.answer("GET", "/accounts/records", records)

    ended = finplan("accounts")

    assert ended.code == 0
    assert all(record["account"]["name"] in ended.out.decode() for record in records)
    assert [(each.method, each.path) for each in stub.asked] == [("GET", "/accounts/records")]


@pytest.mark.parametrize("typed", ["DE89370400440532013000", "de89 3704 0044 0532 0130 00"])
def test_an_account_is_found_by_its_whole_number(finplan: Run, stub: Stub, typed: str) -> None:
    """An IBAN names its account however its digits are parted; a part of one names none."""
    records = [record.model_dump(mode="json", by_alias=True) for record in made_up_bank.accounts()]
    stub.answer("GET", "/accounts/records", records)
    stub.answer("GET", "/accounts", [record["account"] for record in records])
    meant = next(record for record in records if record["number"])
    stub.answer("GET", f"/accounts/{meant['account']['id']}", meant)
    ended = finplan("accounts", "show", typed)
    assert (ended.code, b"Tagesgeld" in ended.out) == (0, True)
    for none in (typed[:-1], "DE89", "..."):
        assert finplan("accounts", "show", none).code == NOT_THERE


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("accounts show -71004", "after `--`: `finplan accounts show -- -NAME`. See"),
        ("accounts set -Main --hide", "after `--`: `finplan accounts set -- -NAME`."),
        ("accounts show -h", "No such option: -h. See `finplan accounts show --help`."),
        ("accounts -7", "No such option: -7. See `finplan accounts --help`."),
    ],
)
def test_a_name_like_an_option_is_explained(finplan: Run, stub: Stub, line: str, told: str) -> None:
    """Where a name may stand, what looks like a short option is told how such a name is given."""
    ended = finplan(*line.split())
    assert (ended.code, told in ended.err) == (USAGE, True)


def test_a_name_like_an_option_stands_behind_two_signs(finplan: Run, stub: Stub) -> None:
    """What the refusal says works: the account is found by its name."""
    record = made_up_bank.accounts()[0].model_dump(mode="json", by_alias=True)
    record["account"]["name"] = "-71004"
    stub.answer("GET", "/accounts", [record["account"]])
    stub.answer("GET", f"/accounts/{record['account']['id']}", record)
    assert finplan("accounts", "show", "--", "-71004").code == 0


def test_only_what_is_named_is_changed(finplan: Run, stub: Stub) -> None:
    """A change names what the person named; amounts are exact in the account's own currency."""
    euro = made_up_bank.accounts()[2]
    path = f"/accounts/{euro.account.id}"
    stub.answer("GET", path, euro)
    stub.answer("PATCH", path, ODD)
    finplan(
        *f"accounts set {euro.account.id} --json --balance -1,840.25 --apr 21.99".split(),
        *["--minimum-payment", "none", "--hide"],
    )
    assert stub.requests("PATCH", path)[0].json == {
        "balance": -184_025,
        "apr": 0.2199,
        "minimumPayment": None,
        "hidden": True,
    }


def test_a_budget_is_sent_as_shares(finplan: Run, stub: Stub) -> None:
    """Percentages are typed, and shares of one are asked for; the months of a fund stay a number."""
    stub.answer("PATCH", "/settings", {})
    finplan("settings", "set", "--budget", "60/25/15", "--fund-months", "4", "--json")
    (sent,) = stub.requests("PATCH", "/settings")
    shares = {"essentials": 0.6, "discretionary": 0.25, "savings": 0.15}
    assert sent.json == {"budgetShares": shares, "targetMonths": 4}


def test_quiet_leaves_the_answer_alone(finplan: Run, stub: Stub) -> None:
    """--quiet takes away remarks, never the answer."""
    stub.answer("GET", "/transactions", _page())
    stub.answer("GET", "/categories", [])
    loud, quiet = finplan("transactions"), finplan("transactions", "--quiet")
    assert loud.out == quiet.out != b""
    assert "--cursor abc" in loud.err
    assert quiet.err == ""


def _page() -> bytes:
    rows = ",".join(each.model_dump_json() for each in made_up_bank.transactions())
    return f'{{"transactions":[{rows}],"nextCursor":"abc"}}'.encode()


@pytest.mark.parametrize(
    "line",
    ["plan --all", "plan show --all", "plan --all show", "plan build --all", "plan --all build"],
)
def test_the_whole_plan_is_shown_wherever_all_stands(finplan: Run, stub: Stub, line: str) -> None:
    """`plan --all` folds nothing, as `plan show --all` does."""
    view = made_up.view()
    stub.answer("POST", "/plan", StoredPlan(plan=view.plan, created_at=view.created_at))
    stub.answer("GET", "/plan/view", view)
    stub.answer("GET", "/settings", made_up.household_settings())
    ended = finplan(*line.split())
    assert ended.code == 0
    assert b"Gifts and donations" in ended.out
    assert b"finplan plan show --all" not in ended.out


ID = "0123456789abcdef01234567"

ASKED_BESIDES: dict[str, str] = {
    "add_account": "accounts add Home --kind property --currency USD",
    "remove_account": f"accounts remove acc_{ID} --yes",
    "try_changes": "afford 1200",
    "add_planned": "planned add Trip 2000 --on 2199-07",
    "remove_balance": f"accounts set acc_{ID} --balance none --as-of 2025-06-30",
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
    "set_balance": ("accounts set", "after the account itself: `test_own_accounts.py`"),
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
        app = place.load(name)
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
ANSWERED_IN_A_PIPE = {
    "list_account_records": [each.model_dump(mode="json") for each in made_up_bank.accounts()],
    "list_accounts": [each.account.model_dump(mode="json") for each in made_up_bank.accounts()],
    "view_plan": made_up.view().model_dump(mode="json", by_alias=True),
    "show_snapshot": made_up.snapshot().model_dump(mode="json", by_alias=True),
    "show_wealth": made_up.wealth().model_dump(mode="json", by_alias=True),
    "import_files": made_up_bank.import_report().model_dump(mode="json", by_alias=True),
}
"""Where the example that is recorded names too little, an answer that names more."""

EXAMPLE_WEBHOOK = EXAMPLES["list_webhook_records"]["answer"][0]["webhook"]["id"]

READING_LINES = (
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
        answer = ANSWERED_IN_A_PIPE.get(
            operation.name, EXAMPLES.get(operation.name, {}).get("answer")
        )
        head, _, tail = operation.path.removeprefix(API_ROOT).partition("{")
        content = (200, json.dumps(_long(answer)).encode())
        if not tail:
            stub.answer(operation.method, head, _long(answer))
        elif tail.endswith("}"):
            stub.answers_to(operation.method, head, _again(content))
    deliveries = _long(EXAMPLES["list_deliveries"]["answer"])
    stub.answer("GET", f"/webhooks/{EXAMPLE_WEBHOOK}/deliveries", deliveries)
    return stub


def _again(content: tuple[int, bytes]) -> Any:
    while True:
        yield content


def piped(finplan: Run, folder: Path, line: str) -> Ended:
    """What a reader that is no person gets of a page."""
    statement = folder / "statement.csv"
    statement.write_text("Date,Description,Amount\n2026-01-02,Coffee,-3.00\n", encoding="utf-8")
    words = line.format(
        account=made_up_bank.accounts()[0].account.id, webhook=EXAMPLE_WEBHOOK, file=statement
    )
    return finplan(*words.split())


@pytest.mark.parametrize("line", READING_LINES)
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


class Untouched:
    """A package of which nothing may be used."""

    def __getattr__(self, name: str) -> None:
        raise AssertionError(name)


@pytest.mark.parametrize("line", READING_LINES)
def test_what_a_program_reads_is_no_view(
    finplan: Run, wordy: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """With --json no command looks at a view, whose loading it would wait for."""
    for command in iter_modules(command_modules.__path__):
        module = import_module(f"{command_modules.__name__}.{command.name}")
        for drawing in {"views", "terminal"} & vars(module).keys():
            monkeypatch.setattr(module, drawing, Untouched())
    ended = piped(finplan, tmp_path, f"{line} --json")
    assert ended.code == 0, ended.err
    json.loads(ended.out)

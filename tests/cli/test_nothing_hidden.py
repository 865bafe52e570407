"""No command writes a character that commands a terminal, hides or turns what stands beside it."""

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer

from finplan.cli.app import root
from finplan.cli.console.session import Session
from finplan.client.announcement import read_announcement
from finplan.client.connect import stop
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.operations.table import OPERATIONS
from finplan.settings import load_settings
from tests.cli.conftest import Ended, Run
from tests.cli.hostile_household import EVIL, FILE, STATEMENT, UNSEEN, make_hostile, texts_of
from tests.cli.test_end_to_end import command
from tests.patience import LONG_ENOUGH

pytestmark = pytest.mark.thorough

NAME = f"Evil{EVIL}".replace("\x00", "")
"""As a text of a command line can be, which never holds a zero."""

NO_TEXT = "Evil\udcff"
"""A name with a byte that is of no text, as a file's may be."""

AGENT = "reg_k3f9x2m7q4w8r1t5v6y0z3b2"
"""An agent's id: to claim one takes a browser."""

SAID = ("--account", "Mine", "--kind", "checking", "--date-order", "ymd", "--yes")
"""What the statement leaves open."""

HOOK = "https://127.0.0.1:1/hook"
"""Where a webhook may be that nobody answers."""

LINES: tuple[tuple[str, ...], ...] = (
    ("secrets",),
    ("secrets", "status"),
    ("secrets", "rotate"),
    ("completions", "bash"),
    ("secrets", "move", NAME),
    ("secrets", "move", "file"),
    ("duplicates",),
    ("duplicates", "list"),
    ("duplicates", "same", "{duplicate}"),
    ("duplicates", "different", "{duplicate}"),
    ("duplicates", "undo", "{duplicate}"),
    ("duplicates", "undo", NAME),
    ("plan",),
    ("plan", "show", "--all"),
    ("plan", "build"),
    ("plan", "history"),
    ("plan", "explain"),
    ("plan", "explain", "income"),
    ("plan", "explain", "spending"),
    ("plan", "explain", NAME),
    ("snapshot",),
    ("snapshot", "--income", "detected"),
    ("spending",),
    ("spending", "--by", "merchant"),
    ("spending", "--by", "month"),
    ("spending", "--monthly"),
    ("spending", "--monthly", "--by", "merchant"),
    ("spending", "--by", NAME),
    ("spending", "--monthly"),
    ("spending", "--monthly", "--by", "merchant"),
    ("spending", "--period", NAME),
    ("spending", "--period", "last 2 years"),
    ("spending", "--merchant", NAME),
    ("spending", "--category", NAME),
    ("wealth",),
    ("forecast",),
    ("accounts",),
    ("accounts", "list"),
    ("accounts", "show", "{account}"),
    ("accounts", "show", NAME),
    ("accounts", "set", "{account}", "--limit", "4000"),
    ("accounts", "set", "{account}", "--name", NAME),
    ("accounts", "set", "{account}", "--balance", "12", "--as-of", "2020-06-30"),
    ("accounts", "set", "{account}", "--balance", "none", "--as-of", "2020-06-30"),
    ("accounts", "balances", "{account}"),
    ("accounts", "add", NAME, "--kind", "property", "--balance", "410000", "--currency", "USD"),
    ("accounts", "add", "Boat", "--kind", "vehicle", "--balance", "9000", "--currency", "USD"),
    ("accounts", "remove", "{account}", "--yes"),
    ("accounts", "set", "{account}", "--subtype", f"check{EVIL[-6:-2]}ing"),
    ("planned", "add", NAME, "1200", "--on", "2199-07", "--category", "travel"),
    ("planned",),
    ("planned", "list"),
    ("planned", "set", NAME, "--amount", "5"),
    ("planned", "set", "{planned}", "--amount", "6"),
    ("planned", "remove", "{planned}"),
    ("afford", "1200"),
    ("afford", "1200", "--apr", "6.4", "--months", "12"),
    ("what-if", "--one-time", "5", "--income", "5"),
    ("what-if", "--cancel", NAME),
    ("what-if", "--balance", f"{NAME}=5"),
    ("transactions", "--limit", "40"),
    ("transactions", "--why", "--limit", "20"),
    ("transactions", "--pending"),
    ("transactions", "list", "--limit", "3"),
    ("transactions", "list", "--amount", NAME),
    ("transactions", "find", NAME),
    ("transactions", "find", "evil", "--amount", "0.."),
    ("transactions", "--account", NAME),
    ("transactions", "--cursor", NAME),
    ("transactions", "show", "{transaction}"),
    ("transactions", "show", NAME),
    ("transactions", "set", "{transaction}", NAME),
    ("transactions", "set", "{transaction}", "groceries"),
    ("transactions", "note", "{transaction}", NAME),
    ("transactions", "tag", "{transaction}", NAME),
    ("transactions", "tag", "{transaction}", "party"),
    ("transactions", "untag", "{transaction}", NAME),
    ("transactions", "untag", "{transaction}"),
    ("transactions", "split", "{transaction}", f"groceries=1 {NAME}", "pets=rest"),
    ("transactions", "split", "{transaction}", f"{NAME}=1", "pets=rest"),
    ("transactions", "find", NAME, "--why"),
    ("transactions", "undo", "{transaction}"),
    ("recurring",),
    ("recurring", "list", "--active"),
    ("recurring", "confirm", "{series}"),
    ("recurring", "dismiss", "{series}"),
    ("recurring", "undo", "{series}"),
    ("recurring", "undo", NAME),
    ("export",),
    ("export", "--format", "csv"),
    ("export", "--format", "hledger"),
    ("export", "--format", "beancount"),
    ("export", "{folder}/" + NAME.replace("/", "") + ".csv", "--force"),
    ("export", "{folder}/none/" + NAME.replace("/", "") + ".csv"),
    ("connect", "demo"),
    ("connect", NAME),
    ("connect", "plaid", "--print"),
    ("connect", "plaid", "--link", NAME),
    ("connect", "enablebanking", "--country", "DE", "--bank", NAME),
    ("connections",),
    ("connections", "list"),
    ("connections", "show", "{connection}"),
    ("connections", "show", NAME),
    ("connections", "sync"),
    ("connections", "sync", "{connection}"),
    ("connections", "sync", NAME),
    ("import", "{file}", "--dry-run"),
    ("import", "{file}", "--account", "Other"),
    ("import", "{file}", *SAID),
    ("import", "{file}", "--account", NAME),
    ("import", "{file}", "--answer", f"{NAME}:currency=USD"),
    ("import", "{folder}/no" + NAME.replace("/", "")),
    ("imports",),
    ("imports", "list"),
    ("imports", "profiles"),
    ("imports", "forget", NAME),
    ("imports", "undo", NAME),
    ("tasks",),
    ("tasks", "list", "--answered"),
    ("tasks", "answer"),
    ("tasks", "answer", "{task}", "groceries", "--preview"),
    ("tasks", "answer", "{task}", "groceries"),
    ("tasks", "answer", "{task}", NAME),
    ("tasks", "answer", NAME, "groceries"),
    ("tasks", "answer", "--from", "{file}"),
    ("tasks", "answer", "--all-suggested", "--sure", "99"),
    ("tasks", "undo", "{task}"),
    ("transfers",),
    ("transfers", "list", "--status", "paired"),
    ("transfers", "confirm", "{transfer}"),
    ("transfers", "reject", "{transfer}"),
    ("transfers", "undo", "{transfer}"),
    ("transfers", "undo", NAME),
    ("rules",),
    ("rules", "list"),
    ("rules", "set", "{payee}", "groceries"),
    ("rules", "set", "{payee}", "{other}", "groceries"),
    ("rules", "set", NAME, "other", "groceries"),
    ("rules", "remove", "{rule}"),
    ("rules", "remove", NAME),
    ("categories",),
    ("categories", "list"),
    ("categories", "add", NAME, "--line", "essential"),
    ("categories", "add", "Own", "--line", "essential", "--payee", NAME),
    ("categories", "add", NAME, "--suggested"),
    ("categories", "rename", "{category}", NAME),
    ("categories", "change", "{category}", "--line", "essential"),
    ("categories", "suggestions"),
    ("categories", "dismiss", NAME),
    ("categories", "remove", "{category}"),
    ("categories", "remove", "{category}", "--yes"),
    ("settings",),
    ("settings", "show"),
    ("settings", "set", "--fund-months", "4"),
    ("settings", "set", "--time-zone", NAME),
    ("me",),
    ("me", "set", "--name", "Ada"),
    ("me", "set", "--name", NAME),
    ("me", "set", "--email", f"{NAME}@example.org"),
    ("keys",),
    ("keys", "list"),
    ("keys", "create", NAME),
    ("keys", "create", "good", "--scope", "service:read"),
    ("keys", "create", NAME, "--expires", NAME),
    ("keys", "revoke", "{key}"),
    ("keys", "revoke", NAME),
    ("clients",),
    ("clients", "list"),
    ("clients", "create", NAME, "--redirect", "https://a.example.org/back"),
    ("clients", "create", "good", "--redirect", "https://a.example.org/back", "--confidential"),
    ("clients", "create", "good", "--redirect", NAME),
    ("clients", "create", "good", "--redirect", "https://a.example.org/", "--scope", NAME),
    ("clients", "revoke", NAME),
    ("clients", "revoke", "{client}"),
    ("agents",),
    ("agents", "list"),
    ("agents", "revoke", NAME),
    ("agents", "revoke", AGENT),
    ("webhooks",),
    ("webhooks", "list"),
    ("webhooks", "add", f"https://{NAME}/"),
    ("webhooks", "add", HOOK, "--event", NAME),
    ("webhooks", "add", HOOK, "--event", "plan.built", "--description", NAME),
    ("webhooks", "show", "{webhook}"),
    ("webhooks", "change", "{webhook}", "--description", NAME),
    ("webhooks", "change", "{webhook}", "--enable"),
    ("webhooks", "test", "{webhook}"),
    ("webhooks", "deliveries", "{webhook}"),
    ("webhooks", "deliveries", NAME),
    ("webhooks", "retry", "{webhook}", NAME),
    ("webhooks", "retry", "{webhook}", "dlv_k3f9x2m7q4w8r1t5v6y0z3b2"),
    ("webhooks", "rotate", "{webhook}"),
    ("webhooks", "remove", NAME),
    ("webhooks", "remove", "{webhook}"),
    ("people",),
    ("people", "list"),
    ("invites",),
    ("invites", "list"),
    ("invites", "create", "--email", f"{NAME}@example.org"),
    ("invites", "create", "--email", "ines@example.org"),
    ("invites", "revoke", NAME),
    ("invites", "revoke", "{invite}"),
    ("sessions",),
    ("sessions", "list"),
    ("sessions", "end", NAME),
    ("sessions", "end", "{session}"),
    ("audit",),
    ("open", "--print"),
    ("me", "password"),
    ("config",),
    ("doctor",),
    ("daemon",),
    ("daemon", "start"),
    ("daemon", "status"),
    ("daemon", "logs", "-n", "5000"),
    ("daemon", "install", "--print"),
    ("daemon", "uninstall"),
    ("mcp", "install", "cursor", "--print"),
    ("mcp", "install", NAME),
    ("backup",),
    ("backup", "list"),
    ("backup", "create"),
    ("backup", "verify", NAME),
    ("backup", "restore", NAME, "--yes"),
    ("daemon", "jobs"),
    ("daemon", "jobs", "list"),
    ("daemon", "jobs", "run", "plan"),
    ("daemon", "jobs", "run", NAME),
    ("sync",),
    (NAME,),
    ("plan", NAME),
    ("plan", "--profile", NAME),
    ("accounts", "show", NO_TEXT),
    ("accounts", "set", "{account}", "--name", NO_TEXT),
    ("transactions", "--cursor", NO_TEXT),
    ("transactions", "find", NO_TEXT),
    ("transactions", "--period", NO_TEXT),
    ("spending", "--merchant", NO_TEXT),
    ("rules", "set", NO_TEXT, "groceries"),
    ("categories", "add", NO_TEXT, "--line", "essential"),
    ("connect", NO_TEXT),
    ("import", "{folder}/" + NO_TEXT),
    ("export", "{folder}/" + NO_TEXT + ".csv", "--force"),
    ("plan", "--profile", NO_TEXT),
    ("imports", "forget", "{profile}"),
    ("imports", "undo", "{import}"),
    ("connections", "remove", "{connection}"),
    ("connections", "remove", "{connection}", "--yes"),
    ("me", "delete", "--yes"),
    ("daemon", "stop"),
)
"""Each command at least once, and the words of a person where a command repeats them."""

PROFILES = ("demo", "own")
"""The demo household, and one of statements, which never share a store."""

ELSEWHERE = (
    ("daemon", "run"),
    ("daemon", "logs", "--follow"),
    ("webhooks", "listen"),
    ("watch",),
    ("tui",),
    ("mcp",),
    ("mcp", "serve"),
    ("mcp", "uninstall"),
)
"""Commands that do not end by themselves, or change what is elsewhere in the person's home."""

NO_COMMAND = frozenset(
    {"start_build", "show_build", "stream_build", "show_connection", "cancel_import"}
)
"""Operations that other programs ask for."""

Ids = dict[str, str]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of a hostile household, itself in a folder with such a name."""
    home = tmp_path_factory.mktemp("machine") / "ho\x1b[31mme\u202e"
    for line in (
        ("plan", "build"),
        ("categories", "add", "Cycling", "--line", "discretionary"),
        ("keys", "create", "Nightly"),
        ("clients", "create", "Reader", "--redirect", "https://a.example.org/back"),
        ("webhooks", "add", HOOK, "--description", "The flat"),
        ("invites", "create", "--email", "grace@example.org"),
        ("rules", "set", "amazon", "Cycling"),
        ("planned", "add", "Boots", "120", "--on", "2199-07"),
        ("me", "set", "--name", "Ada"),
    ):
        made = command(home, *line, "--demo", FINPLAN_WEBHOOK_PRIVATE_TARGETS="127.0.0.1")
        assert made.returncode == 0, made.stderr
    file = os.fsdecode(os.fsencode(home) + b"/" + FILE)
    Path(file).write_text(STATEMENT)
    brought = command(home, "import", file, *SAID, "--profile", "own")
    assert brought.returncode == 0, brought.stderr
    for profile in PROFILES:
        command(home, "daemon", "stop", "--profile", profile)
        store = home / profile / "finplan.db"
        assert not [text for text in texts_of(store) if UNSEEN.search(text)]
        make_hostile(store)
        # A daemon of another test may have taken the port by now.
        (home / profile / "port").unlink()
    yield home
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FINPLAN_HOME", str(home))
        for profile in PROFILES:
            stop(load_settings(profile))


@pytest.fixture
def home(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs in this process are on that machine, as often as need be."""
    monkeypatch.setenv("FINPLAN_HOME", str(machine))
    monkeypatch.setenv("FINPLAN_RATE_LIMIT", "1000000")
    monkeypatch.setenv("FINPLAN_WEBHOOK_PRIVATE_TARGETS", "127.0.0.1")
    monkeypatch.setenv("COLUMNS", "80")
    return machine


def profile_of(words: tuple[str, ...]) -> str:
    """Whose household a command is about."""
    return "own" if words[0] in ("import", "imports", "duplicates") else "demo"


def rest(path: str, method: str = "GET", profile: str = "demo") -> httpx.Response:
    """What the daemon answers to a plain request."""
    daemon = read_announcement(load_settings(profile).places.daemon_file)
    assert daemon is not None
    return httpx.request(
        method,
        f"{daemon.url}{API_ROOT}{path}",
        cookies={SESSION_COOKIE: daemon.token},
        headers={"content-type": "application/json"} if method != "GET" else {},
        trust_env=False,
        timeout=LONG_ENOUGH,
    )


def ids_of(home: Path) -> Ids:
    """Something of each kind that a command takes."""

    def first(path: str, name: str) -> str:
        return str(rest(path, profile=profile_of((path.split("/")[1],))).json()[0][name])

    categories = [each for each in rest("/categories").json() if each["custom"]]
    rows = rest("/transactions?limit=100").json()["transactions"]
    payees = list(dict.fromkeys(row["payeeKey"] for row in rows))
    return {
        "account": first("/accounts", "id"),
        "transaction": next(row["id"] for row in rows if row["transferId"] is None),
        "connection": first("/accounts", "connectionId"),
        "series": first("/recurring", "id"),
        "import": first("/imports", "id"),
        "profile": first("/imports/profiles", "id"),
        "planned": first("/planned", "id"),
        "task": first("/tasks", "id"),
        "transfer": first("/transfers", "id"),
        "duplicate": first("/duplicates", "id"),
        "rule": first("/categories/rules", "id"),
        "category": categories[0]["category"],
        "key": first("/keys", "id"),
        "client": first("/clients", "id"),
        "webhook": first("/webhooks", "id"),
        "invite": first("/invites", "id"),
        "session": first("/sessions", "id"),
        "payee": payees[0],
        "other": payees[1],
        "folder": str(home),
        "file": os.fsdecode(os.fsencode(home) + b"/" + FILE),
    }


def commands() -> set[tuple[str, ...]]:
    """Every command there is, by its words."""

    def below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        names = getattr(command, "list_commands", None)
        if names is None or command.invoke_without_command:
            yield words
        for name in names(None) if names else ():
            yield from below(command.get_command(None, name), (*words, name))

    return set(below(typer.main.get_command(root), ())) - {()}


def check(ended: Ended) -> None:
    """Hold the law."""
    for content in (ended.out.decode(), ended.err):
        found = UNSEEN.search(content)
        assert found is None, content[max(0, found.start() - 80) : found.end() + 80]


def test_every_command_is_looked_at() -> None:
    """No command is forgotten here."""
    named = {tuple(word for word in words if not word.startswith("-")) for words in LINES}
    every = {*named, *(tuple(words[:2]) for words in (*LINES, *ELSEWHERE))}
    # A noun below a noun has words of its own.
    every |= {words[:3] for words in LINES if words[:2] == ("daemon", "jobs")}
    every |= {words[:1] for words in LINES}
    assert commands() - every == set()


@pytest.mark.slow
def test_no_command_commands_a_terminal(
    finplan: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn, as JSON and in complaints; every operation is asked, and the log holds nothing either."""
    for profile in PROFILES:
        assert finplan("--profile", profile, "daemon", "start").code == 0
    ids = ids_of(home)
    for operation in OPERATIONS:
        if operation.name in NO_COMMAND:
            content = rest(operation.path.replace("{id}", ids["connection"]), operation.method).text
            assert UNSEEN.search(content) is None, content
    drawn = 0
    for words in LINES:
        typed = [word if NAME in word else word.format_map(ids) for word in words]
        whose = () if "--profile" in words else ("--profile", profile_of(words))
        for options in ((), ("--json",)):
            with monkeypatch.context() as patch:
                patch.setattr(Session, "interactive", not options)
                patch.setattr("sys.stdin", StringIO("?\ns\nq\n1\nn\n"))
                ended = finplan(*typed, *options, *whose)
            check(ended)
            assert "inside finplan" not in ended.err, (words, ended.err)
            drawn += b"[31m" in ended.out and not options
    assert drawn > 40, drawn
    logs = [(home / profile / "daemon.log").read_bytes().decode() for profile in PROFILES]
    assert UNSEEN.search("".join(logs)) is None
    asked = {tuple(line.split()[2:4]) for log in logs for line in log.splitlines()}
    every = {(each.method, f"{API_ROOT}{each.path}") for each in OPERATIONS}
    assert every - asked == set()


def test_no_log_commands_a_terminal(finplan: Run, home: Path) -> None:
    """Lines that another program or an older version wrote are shown as they can be seen."""
    log = load_settings("logs").places.log
    log.parent.mkdir()
    log.write_bytes(f"one Evil{EVIL}".encode() + b"two \xff\x9b\n")
    ended = finplan("daemon", "logs", "--profile", "logs")
    check(ended)
    assert ended.out.startswith(b"one Evil [31m ]8;;")
    assert ended.out.endswith(b"\ntwo \n")

"""The command line with the real daemon behind it, as a person or a script would use it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from finplan.cli.show_plan import TWO_SCREENS
from finplan.client.announcement import read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.settings import load_settings

COFFEES = """\
Date,Description,Amount
2025-11-17,Blue Bottle Coffee,-4.50
2025-11-18,Blue Bottle Coffee,-4.50
"""

READ = (
    ("plan show", "/plan"),
    ("plan history", "/plans"),
    ("snapshot", "/snapshot"),
    ("spending --by merchant", "/spending?groupBy=merchant"),
    ("spending --by month --to 2026", "/spending?groupBy=month&to=2026-12-31"),
    ("wealth", "/wealth"),
    ("accounts", "/accounts"),
    ("transactions --limit 20", "/transactions?limit=20"),
    ("connections", "/connections"),
    ("imports", "/imports"),
    ("tasks", "/tasks"),
    ("rules", "/categories/rules"),
    ("categories", "/categories"),
    ("settings", "/settings"),
)  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """A machine with nothing on it but finplan."""

    home: Path

    def finplan(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith("FINPLAN_")
        }
        return subprocess.run(
            [sys.executable, "-m", "finplan", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.home,
            env={**clean, "FINPLAN_HOME": str(self.home), "COLUMNS": "80"},
            timeout=60,
        )

    def rest(self, profile: str, path: str) -> str:
        settings = load_settings(profile, {"FINPLAN_HOME": str(self.home)})
        daemon = read_announcement(settings.places.daemon_file)
        assert daemon is not None
        cookies = {SESSION_COOKIE: daemon.token}
        url = f"{daemon.url}{API_ROOT}{path}"
        return httpx.get(url, cookies=cookies, trust_env=False).raise_for_status().text


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One machine for all tests here; its daemons are stopped in the end."""
    fresh = Machine(tmp_path_factory.mktemp("machine"))
    yield fresh
    for profile in fresh.home.iterdir():
        if profile.is_dir():
            fresh.finplan("daemon", "stop", "--profile", profile.name)


@pytest.fixture(scope="module")
def demo(machine: Machine) -> Machine:
    """The machine once the demo household has its plan."""
    built = machine.finplan("plan", "build", "--demo", "--json")
    assert built.returncode == 0, built.stderr
    return machine


def test_a_fresh_machine_shows_a_plan(demo: Machine) -> None:
    """`plan build --demo` is all it takes; once the daemon is warm nothing but the plan is said."""
    built = demo.finplan("plan", "build", "--demo")
    assert (built.returncode, built.stderr) == (0, "")
    lines = built.stdout.splitlines()
    assert len(lines) <= TWO_SCREENS
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in built.stdout
    for heading in ("WHERE THE MONEY GOES", "WHAT IS SAFE TO SPEND", "WHAT TO DO NEXT"):
        assert heading in built.stdout


@pytest.mark.parametrize(("line", "path"), READ, ids=[line for line, _ in READ])
def test_json_is_what_rest_says(demo: Machine, line: str, path: str) -> None:
    """--json and REST give the same bytes to the same question."""
    asked = demo.finplan(*line.split(), "--demo", "--json")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == demo.rest("demo", path) + "\n"


@pytest.mark.parametrize(
    "line", [line for line, _ in READ] + ["plan show --all", "daemon", "config"]
)
def test_everything_can_be_drawn(demo: Machine, line: str) -> None:
    """Every answer about the demo household can be drawn, without a word on stderr but a hint."""
    drawn = demo.finplan("--demo", *line.split(), "--quiet")
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert drawn.stdout.strip()


@pytest.mark.parametrize(
    "line",
    [
        "accounts show acc_000000000000000000000000",
        "accounts show nowhere",
        "connections sync con_000000000000000000000000",
        "connections remove con_000000000000000000000000",
        "imports undo imp_000000000000000000000000",
        "tasks answer tsk_000000000000000000000000 groceries",
        "tasks undo tsk_000000000000000000000000",
        "rules remove rul_000000000000000000000000",
        "rules set costco nonsense",
    ],
)
def test_an_unknown_id(demo: Machine, line: str) -> None:
    """An id that means nothing is one sentence and exit code 4."""
    ended = demo.finplan("--demo", *line.split())
    assert (ended.returncode, ended.stdout) == (4, "")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["spending --category nonsense", "transactions --merchant nonsense"]
)
def test_an_unknown_name(demo: Machine, line: str) -> None:
    """A category or merchant that does not exist is bad input, said in one sentence."""
    ended = demo.finplan("--demo", *line.split())
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.count("\n") == 1


def test_an_answer_is_given_and_taken_back(demo: Machine) -> None:
    """A question is answered by its payee's name, leaves the list, and comes back with undo."""
    first = json.loads(demo.finplan("--demo", "tasks", "--json").stdout)[0]
    answered = demo.finplan("--demo", "tasks", "answer", first["payee"], "Groceries")
    assert (answered.returncode, answered.stderr) == (0, "")
    left = json.loads(demo.finplan("--demo", "tasks", "--json").stdout)
    assert first["id"] not in [task["id"] for task in left]
    assert demo.finplan("--demo", "tasks", "undo", first["id"]).returncode == 0
    again = json.loads(demo.finplan("--demo", "tasks", "--json").stdout)
    assert first["id"] in [task["id"] for task in again]


def test_without_a_bank_the_way_on_is_told(machine: Machine) -> None:
    """A plan without a bank is exit code 6, and the sentence names both ways to get one."""
    ended = machine.finplan("plan", "build", "--profile", "empty", "--quiet")
    assert (ended.returncode, ended.stdout) == (6, "")
    assert "finplan connect demo" in ended.stderr
    assert "finplan import FILE" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_statement_comes_in_once_and_goes_out(machine: Machine) -> None:
    """The same file twice adds nothing; two equal coffees stay two; undo takes the rows away."""
    statement = machine.home / "coffee.csv"
    statement.write_text(COFFEES)
    own = ("--profile", "own", "--json")
    first = json.loads(machine.finplan("import", "coffee.csv", *own).stdout)
    second = json.loads(machine.finplan("import", "coffee.csv", *own).stdout)
    assert [report["files"][0]["new"] for report in (first, second)] == [2, 0]
    for report in (second, first):
        assert machine.finplan("imports", "undo", report["id"], *own).returncode == 0
    page = json.loads(machine.finplan("transactions", *own).stdout)
    assert page["transactions"] == []


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02\x7fELF" * 100, b"just words\n", b"<!DOCTYPE x [<!ENTITY a 'b'>]><OFX/>"],
)
def test_what_is_no_statement_is_bad_input(machine: Machine, content: bytes) -> None:
    """A file that cannot be read as a statement is one sentence that names it, and exit code 3."""
    (machine.home / "odd.csv").write_bytes(content)
    ended = machine.finplan("import", "odd.csv", "--profile", "own", "--quiet")
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.startswith("finplan: odd.csv: ")
    assert ended.stderr.count("\n") == 1


def test_the_daemon_comes_and_goes(machine: Machine) -> None:
    """Status tells by its exit code whether a daemon answers; start and stop can be repeated."""
    mine = ("--profile", "coming", "--json")
    assert machine.finplan("daemon", "status", *mine).returncode == 7
    for _ in range(2):
        started = machine.finplan("daemon", "start", *mine)
        assert (started.returncode, json.loads(started.stdout)["answering"]) == (0, True)
    running = json.loads(machine.finplan("daemon", "status", *mine).stdout)
    assert running["siteUrl"].startswith("http://127.0.0.1:")
    assert machine.finplan("daemon", "logs", "--profile", "coming").stdout
    for _ in range(2):
        assert machine.finplan("daemon", "stop", *mine).returncode == 0
    assert machine.finplan("daemon", "status", *mine).returncode == 7


def test_the_doctor_finds_a_healthy_machine(demo: Machine) -> None:
    """On a machine where all is well the doctor finds nothing to warn of."""
    found = demo.finplan("doctor", "--demo", "--json")
    assert found.returncode == 0
    assert [each for each in json.loads(found.stdout) if each["state"] != "ok"] == []

"""The command line with the real daemon behind it, as a person or a script would use it.

A household of three files whose names say nothing is imported and planned by two commands; exact.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from finplan.client.announcement import read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.settings import load_settings
from finplan.terminal.plan import TWO_SCREENS
from tests.cli.conftest import Ended, Run
from tests.model import part2
from tests.patience import LONG_ENOUGH
from tests.statements.test_ofx import sgml, statement

COFFEES = """\
Date,Description,Amount (USD)
2025-11-17,Blue Bottle Coffee,-4.50
2025-11-18,Blue Bottle Coffee,-4.50
"""

READ = (
    ("plan show", "/plan"),
    ("plan history", "/plans"),
    ("plan explain emergency-fund", "/plan/explain/emergencyFund"),
    ("snapshot", "/snapshot"),
    ("spending --by merchant", "/spending?groupBy=merchant"),
    ("spending --by month --to 2026", "/spending?groupBy=month&to=2026-12-31"),
    ("wealth", "/wealth"),
    ("forecast --days 14", "/forecast?days=14"),
    ("accounts", "/accounts"),
    ("transactions --limit 20", "/transactions?limit=20"),
    ("connections", "/connections"),
    ("imports", "/imports"),
    ("imports profiles", "/imports/profiles"),
    ("tasks", "/tasks"),
    ("rules", "/categories/rules"),
    ("categories", "/categories"),
    ("keys", "/keys"),
    ("clients", "/clients"),
    ("agents", "/agents"),
    ("settings", "/settings"),
    ("me", "/me"),
)  # fmt: skip


MUCH = {"FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT)}
"""These tests ask in a minute what a person asks in an hour."""

MOVED = (
    "/accounts",
    "/categories",
    "/recurring",
    "/settings",
    "/spending",
    "/spending?groupBy=category",
    "/tasks",
    "/tasks?status=answered",
    "/transfers",
)
"""What is the same, byte for byte, wherever a household is."""


def command(home: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command line as its own process on a machine that knows nothing but finplan."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FINPLAN_")}
    return subprocess.run(
        [sys.executable, "-m", "finplan", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**clean, "FINPLAN_HOME": str(home), "COLUMNS": "80", **MUCH, **more},
        timeout=LONG_ENOUGH,
    )


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of one machine for all tests here; its daemons are stopped in the end."""
    home = tmp_path_factory.mktemp("machine")
    yield home
    for profile in home.iterdir():
        if profile.is_dir():
            command(home, "daemon", "stop", "--profile", profile.name)


@pytest.fixture
def home(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs in this process are on that machine."""
    monkeypatch.setenv("FINPLAN_HOME", str(machine))
    monkeypatch.setenv("COLUMNS", "80")
    for name, value in MUCH.items():
        monkeypatch.setenv(name, value)
    return machine


@pytest.fixture(scope="module")
def demo(machine: Path) -> None:
    """The demo household has its plan."""
    built = command(machine, "plan", "build", "--demo", "--json")
    assert built.returncode == 0, built.stderr


def rest(home: Path, profile: str, path: str) -> bytes:
    """What the daemon of a profile answers to a plain GET."""
    daemon = read_announcement(load_settings(profile).places.daemon_file)
    assert daemon is not None
    cookies = {SESSION_COOKIE: daemon.token}
    answer = httpx.get(
        f"{daemon.url}{API_ROOT}{path}", cookies=cookies, trust_env=False, timeout=LONG_ENOUGH
    )
    return answer.raise_for_status().content


def told(ended: Ended) -> Any:
    """The JSON that a run printed."""
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.usefixtures("demo")
def test_a_fresh_machine_shows_a_plan(machine: Path) -> None:
    """`plan build --demo` is all it takes; once the daemon is warm nothing but the plan is said."""
    built = command(machine, "plan", "build", "--demo")
    assert (built.returncode, built.stderr) == (0, "")
    lines = built.stdout.splitlines()
    assert len(lines) <= TWO_SCREENS
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in built.stdout
    for heading in ("WHERE THE MONEY GOES", "SAFE TO SPEND", "WHAT TO DO NEXT"):
        assert heading in built.stdout


@pytest.mark.usefixtures("demo")
def test_a_plan_as_json_is_the_interfaces(finplan: Run) -> None:
    """`plan build --demo --json` prints a StoredPlan that a strict schema of the interface accepts."""
    jsonschema.validate(told(finplan("plan", "build", "--demo", "--json")), part2.STORED_PLAN)


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(("line", "path"), READ, ids=[line for line, _ in READ])
def test_json_is_what_rest_says(finplan: Run, home: Path, line: str, path: str) -> None:
    """--json and REST give the same bytes to the same question."""
    ended = finplan(*line.split(), "--demo", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == rest(home, "demo", path) + b"\n"


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    "line", [line for line, _ in READ] + ["plan show --all", "daemon", "config"]
)
def test_everything_can_be_drawn(finplan: Run, line: str) -> None:
    """Every answer about the demo household can be drawn, without a word on stderr but a hint."""
    ended = finplan("--demo", *line.split(), "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.strip()


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("accounts show acc_000000000000000000000000", 4),
        ("accounts show nowhere", 4),
        ("connections sync con_000000000000000000000000", 4),
        ("connections remove con_000000000000000000000000", 4),
        ("imports undo imp_000000000000000000000000", 4),
        ("imports forget prf_000000000000000000000000", 4),
        ("imports forget nothing", 4),
        ("tasks answer task_000000000000000000000000 groceries", 4),
        ("tasks undo task_000000000000000000000000", 4),
        ("rules remove rule_000000000000000000000000", 4),
        ("spending --category nonsense", 3),
        ("transactions --merchant nonsense", 3),
    ],
)
def test_what_does_not_exist(finplan: Run, line: str, code: int) -> None:
    """An id that means nothing is exit code 4, a filter that means nothing 3; both one sentence."""
    ended = finplan("--demo", *line.split())
    assert (ended.code, ended.out) == (code, b""), ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.usefixtures("demo")
def test_an_answer_is_given_and_taken_back(finplan: Run) -> None:
    """A question is answered by its payee's name, leaves the list, and comes back with undo."""
    first = told(finplan("--demo", "tasks", "--json"))[0]
    refused = finplan("--demo", "tasks", "answer", first["id"], "nonsense")
    assert (refused.code, refused.out) == (3, b""), refused.err
    answered = finplan("--demo", "tasks", "answer", first["payee"], "Groceries")
    assert (answered.code, answered.err) == (0, "")
    assert first["id"] not in [task["id"] for task in told(finplan("--demo", "tasks", "--json"))]
    assert finplan("--demo", "tasks", "undo", first["id"]).code == 0
    assert first["id"] in [task["id"] for task in told(finplan("--demo", "tasks", "--json"))]


@pytest.mark.thorough
def test_without_a_bank_the_way_on_is_told(finplan: Run) -> None:
    """A plan without a bank is exit code 6, and the sentence names both ways to get one."""
    ended = finplan("plan", "build", "--profile", "empty", "--quiet")
    assert (ended.code, ended.out) == (6, b""), ended.err
    assert "finplan --profile empty connect demo" in ended.err
    assert "finplan --profile empty import FILE" in ended.err
    assert ended.err.count("\n") == 1


def test_a_statement_comes_in_once_and_goes_out(finplan: Run, tmp_path: Path) -> None:
    """The same file twice adds nothing; two equal coffees stay two; undo takes rows away or says so."""
    statement = tmp_path / "card of coffee.csv"
    statement.write_text(COFFEES)
    own = ("--profile", "own", "--json")
    first, second = (told(finplan("import", str(statement), *own)) for _ in range(2))
    assert [report["files"][0]["new"] for report in (first, second)] == [2, 0]
    undone = finplan("imports", "undo", first["id"], *own[:2])
    assert f"also in the later import `{second['id']}` stay" in undone.err
    assert len(told(finplan("transactions", *own))["transactions"]) == 2
    assert "stay" not in finplan("imports", "undo", second["id"], *own[:2]).err
    assert told(finplan("transactions", *own))["transactions"] == []


@pytest.mark.thorough
@pytest.mark.usefixtures("demo")
def test_a_household_moves(finplan: Run, home: Path, tmp_path: Path) -> None:
    """Exported and imported where nothing is, every answer and the plan are the same, ids included."""
    first = told(finplan("--demo", "tasks", "--json"))[0]
    assert finplan("--demo", "tasks", "answer", first["id"], "groceries").code == 0
    file = tmp_path / "home.json"
    assert finplan("--demo", "export", str(file)).err.startswith(f"Wrote {file}")
    report = finplan("import", str(file), "--profile", "moved", "--quiet")
    assert report.code == 0, report.err
    assert b"settings in USD, 1 rule, 1 answer" in report.out

    for path in MOVED:
        assert json.loads(rest(home, "moved", path)) == json.loads(rest(home, "demo", path)), path
    rules = [json.loads(rest(home, name, "/categories/rules")) for name in ("demo", "moved")]
    named = [
        [
            (rule["payeeKey"], rule["category"], rule["source"], rule["confidence"])
            for rule in listed
        ]
        for listed in rules
    ]
    assert named[0] == named[1]
    plans = [
        told(finplan("plan", "build", "--json", "--profile", name)) for name in ("demo", "moved")
    ]
    assert plans[0]["plan"] == plans[1]["plan"]
    assert finplan("--demo", "tasks", "undo", first["id"]).code == 0


@pytest.mark.thorough
def test_a_word_about_a_file_is_kept_and_forgotten(finplan: Run, tmp_path: Path) -> None:
    """What is said of a file holds for the next with its columns, which is told, until forgotten."""
    march, april = tmp_path / "march.csv", tmp_path / "april.csv"
    march.write_text("Date,Text,Amount (USD)\n03/04/2026,A,-1.00\n05/06/2026,B,-2.00\n")
    april.write_text("Date,Text,Amount (USD)\n04/05/2026,C,-3.00\n06/07/2026,D,-4.00\n")
    mine = ("--profile", "sayings", "--quiet")
    asked = finplan("import", str(march), *mine)
    assert (asked.code, asked.out) == (4, b"")
    assert "--date-order dmy" in asked.err
    said = finplan("import", str(march), "--date-order", "dmy", "--account", "Giro", *mine)
    assert (said.code, said.err) == (0, "")

    for options in (("--dry-run",), ()):
        ended = finplan("import", str(april), *options, *mine)
        assert (ended.code, ended.err) == (0, "")
        assert ": day first, into Giro\n" in ended.out.decode()
    listed = told(finplan("imports", "profiles", "--json", *mine))
    assert [(each["dateOrder"], each["accounts"]) for each in listed] == [("dmy", ["Giro"])]
    assert b"day first, into Giro" in finplan("imports", "profiles", *mine).out
    assert finplan("imports", "forget", "date,text", *mine).code == 0
    assert told(finplan("imports", "profiles", "--json", *mine)) == []
    assert finplan("import", str(april), *mine).code == 4


@pytest.mark.thorough
def test_of_which_account_a_file_is_can_be_asked(finplan: Run, tmp_path: Path) -> None:
    """Where files with one header went to two accounts, a script is told both, by id and by name."""
    mine = ("--profile", "either", "--quiet")
    for name, account in (("a", "Giro"), ("b", "Visa")):
        file = tmp_path / f"{name}.csv"
        file.write_text("Date,Text,Amount (USD)\n2026-03-04,A,-1.00\n")
        assert finplan("import", str(file), "--account", account, *mine).code == 0
    download = tmp_path / "download.csv"
    download.write_text("Date,Text,Amount (USD)\n2026-04-05,B,-2.00\n")
    asked = finplan("import", str(download), *mine)
    assert (asked.code, asked.out) == (4, b"")
    (giro, visa) = (each["id"] for each in told(finplan("accounts", "--json", *mine)))
    assert f"--account {giro}\n      Statement files Giro\n" in asked.err
    assert f"--account {visa}\n      Statement files Visa\n" in asked.err
    assert finplan("import", str(download), "--account", visa, *mine).code == 0


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02\x7fELF" * 100, b"just words\n", b"<!DOCTYPE x [<!ENTITY a 'b'>]><OFX/>"],
)
def test_what_is_no_statement_is_bad_input(finplan: Run, tmp_path: Path, content: bytes) -> None:
    """A file that cannot be read as a statement is one sentence that names it, and exit code 3."""
    (tmp_path / "odd.csv").write_bytes(content)
    ended = finplan("import", str(tmp_path / "odd.csv"), "--profile", "own", "--quiet")
    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.startswith("finplan: odd.csv: ")
    assert ended.err.count("\n") == 1


@pytest.mark.thorough
def test_the_daemon_comes_and_goes(finplan: Run) -> None:
    """Status tells by its exit code whether a daemon answers; start and stop can be repeated."""
    mine = ("--profile", "coming", "--json")
    assert finplan("daemon", "status", *mine).code == 7
    for _ in range(2):
        assert told(finplan("daemon", "start", *mine))["answering"] is True
    assert told(finplan("daemon", "status", *mine))["siteUrl"].startswith("http://127.0.0.1:")
    assert finplan("daemon", "logs", "--profile", "coming").out
    for _ in range(2):
        assert finplan("daemon", "stop", *mine).code == 0
    assert finplan("daemon", "status", *mine).code == 7


@pytest.mark.thorough
@pytest.mark.usefixtures("demo")
def test_the_doctor_finds_a_healthy_machine(finplan: Run) -> None:
    """On a machine where all is well the doctor finds nothing to warn of."""
    found = told(finplan("doctor", "--demo", "--json"))
    assert [each for each in found if each["state"] != "ok"] == []


@pytest.mark.thorough
def test_who_deletes_themselves_begins_anew(machine: Path) -> None:
    """Everything goes, and the next command finds the same daemon with somebody fresh."""

    def told(*arguments: str) -> Any:
        ended = command(machine, *arguments, "--json", "--profile", "leaving")
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)

    told("connect", "demo")
    former, process = told("me"), told("daemon", "status")["pid"]
    gone = told("me", "delete", "--yes")

    assert gone["user"] == former
    assert gone["transactions"] > 1000
    assert told("me")["id"] != former["id"]
    assert told("accounts") == []
    assert told("daemon", "status")["pid"] == process
    told("connect", "demo")
    assert told("accounts") != []


MONTHS = 7
PAY, RENT, ASIDE, OPENED = 3120_55, 1450_00, 300_00, 2000_00


@dataclass(frozen=True)
class Booking:
    """A row of the household, `account` being the file that has it; money that comes in is positive."""

    account: str
    day: date
    text: str
    amount: int
    means: str


def months_before(today: date) -> list[tuple[int, int]]:
    """Whole months that have ended, oldest first."""
    last = today.year * 12 + today.month - 1
    return [divmod(month, 12) for month in range(last - MONTHS, last)]


def bookings(today: date) -> list[Booking]:
    """What a person did who pays for all with a card and pays the card from the bank each month."""
    found = []
    for place, (year, month0) in enumerate(months_before(today)):

        def book(account: str, day: int, text: str, amount: int, means: str) -> int:
            when = date(year, month0 + 1, day)  # noqa: B023  # Called in this very month.
            found.append(Booking(account, when, text, amount, means))
            return amount

        spent = [
            book("card", 4, "SAFEWAY #1711 OAKLAND CA", -(60_17 + 301 * place), "groceries"),
            book("card", 11, "SAFEWAY #1711 OAKLAND CA", -(71_90 + 11 * place), "groceries"),
            book("card", 9, "SHELL OIL 5744 OAKLAND CA", -(38_20 + 7 * place), "transport"),
            book("card", 13, "NETFLIX.COM", -15_49, "subscriptions"),
            book("card", 17, "QZELNHOF VURK OAKLAND CA", -64_00, "unknown"),
        ]
        book("card", 26, "PAYMENT - THANK YOU", -sum(spent), "move")
        book("bank", 25, "CITI CARD ONLINE PAYMENT", sum(spent), "move")
        book("bank", 1, "PROPERTY MGMT RENT PAYMENT", -RENT, "rent")
        book("bank", 3, "ASHGROVE LLC PAYROLL", PAY, "income")
        book("bank", 27, "ONLINE TRANSFER TO SAV ...4410", -ASIDE, "move")
        book("savings", 27, "ONLINE TRANSFER FROM CHK ...1029", ASIDE, "move")
        book("savings", 28, "INTEREST PAYMENT", 2_00 + place, "income")
    return sorted(found, key=lambda each: each.day)


def table(rows: list[Booking], sign: int, opened: int) -> str:
    """A bank's table; a card prints what is spent and what is owed without a minus."""
    lines, balance = ["Date,Description,Amount,Balance"], opened
    for row in rows:
        balance += sign * row.amount
        lines.append(f"{row.day},{row.text},{sign * row.amount / 100:.2f},{balance / 100:.2f}")
    return "\n".join((*lines, ""))


def ofx(rows: list[Booking], balance: int, today: date) -> str:
    listed = "".join(
        f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{row.day:%Y%m%d}<TRNAMT>{row.amount / 100:.2f}"
        f"<FITID>{place}<NAME>{row.text}</STMTTRN>"
        for place, row in enumerate(rows)
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        "<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>99884410<ACCTTYPE>SAVINGS</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>{rows[0].day:%Y%m}01<DTEND>{today:%Y%m%d}{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{balance / 100:.2f}<DTASOF>{today:%Y%m%d}</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def total(rows: list[Booking], *accounts: str) -> int:
    return sum(row.amount for row in rows if row.account in accounts)


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A machine whose daemon is stopped in the end."""
    home = tmp_path_factory.mktemp("three_files")
    yield home
    command(home, "daemon", "stop")


def shown(home: Path, *arguments: str) -> Any:
    return json.loads(command(home, *arguments, "--json").stdout)


@pytest.mark.thorough
def test_three_files_are_a_household(household: Path) -> None:
    """Income, spending, cash and what is owed are exact at once, categories after the one question."""
    today = date.today()  # noqa: DTZ011  # The daemon's own day, which nothing can set.
    booked = bookings(today)
    own = {
        name: [row for row in booked if row.account == name] for name in ("bank", "card", "savings")
    }
    files = {
        "export.csv": table(own["bank"], 1, OPENED),
        "export (1).csv": table(own["card"], -1, 120_00),
        "download.ofx": ofx(own["savings"], 5000_00 + total(booked, "savings"), today),
    }
    for name, text in files.items():
        (household / name).write_text(text)

    imported = command(
        household,
        "import",
        *(str(household / name) for name in files),
        "--yes",
        "--currency",
        "USD",
    )
    assert imported.returncode == 0, imported.stderr
    assert command(household, "plan", "build").returncode == 0

    accounts = {each["name"]: each for each in shown(household, "accounts")}
    assert {name: (each["kind"], each["subtype"]) for name, each in accounts.items()} == {
        "export": ("depository", "checking"),
        "export (1)": ("credit", "credit card"),
        "Savings 4410": ("depository", "savings"),
    }
    plan = shown(household, "plan", "show")["plan"]
    window = plan["window"]
    counted = [row for row in booked if window["from"] <= f"{row.day}" <= window["to"]]
    assert window["months"] >= MONTHS - 2
    spent = -sum(row.amount for row in counted if row.means not in ("income", "move"))
    earned = sum(row.amount for row in counted if row.means == "income")
    assert plan["monthly"]["income"] == round(earned / window["months"])
    assert sum(each["total"] for each in plan["categories"]) == spent
    assert plan["monthly"]["totalSpend"] == pytest.approx(spent / window["months"], abs=5)
    assert plan["snapshot"]["creditCardDebt"] == 120_00 - total(booked, "card")
    cash = OPENED + total(booked, "bank") + 5000_00 + total(booked, "savings")
    assert plan["snapshot"]["liquidCash"] == cash

    assert categories(plan) == expected(counted, unknown="uncategorized")
    (task,) = shown(household, "tasks")
    assert command(household, "tasks", "answer", task["id"], "dining").returncode == 0
    assert command(household, "plan", "build").returncode == 0
    answered = shown(household, "plan", "show")["plan"]
    assert categories(answered) == expected(counted, unknown="dining")
    assert shown(household, "tasks") == []


def categories(plan: Mapping[str, Any]) -> dict[str, int]:
    return {each["category"]: each["total"] for each in plan["categories"]}


def expected(counted: list[Booking], unknown: str) -> dict[str, int]:
    """What was spent in each category, added up from the bookings alone."""
    totals: dict[str, int] = {}
    for row in counted:
        if row.means not in ("income", "move"):
            category = unknown if row.means == "unknown" else row.means
            totals[category] = totals.get(category, 0) - row.amount
    return totals


@pytest.mark.thorough
def test_the_question_of_kind_is_worded_for_a_person(
    household: Path, golden: Callable[[str, str], None]
) -> None:
    """Where nothing tells the kind, each answer says what it means, with a row of the file."""
    (household / "a.csv").write_text(
        "Date,Description,Amount\n2026-03-01,MARTA WEBER,640.12\n2026-03-04,HARBOR BOOKS,-24.10\n"
        "2026-03-05,TRAIN TICKETS,-61.00\n"
    )
    (household / "b.csv").write_text(
        "Date,Description,Amount\n2026-03-04,HARBOR BOOKS,24.10\n2026-03-05,TRAIN TICKETS,61.00\n"
    )
    home = household / "asked"
    home.mkdir()
    one = command(home, "import", str(household / "a.csv"), "--yes", "--currency", "USD")
    two = command(
        home, "import", *(str(household / name) for name in ("a.csv", "b.csv")), "--currency", "USD"
    )
    command(home, "daemon", "stop")

    assert (one.returncode, two.returncode) != (0, 0)
    said = (one.stderr + "\n" + two.stderr).splitlines(keepends=True)
    golden("kind-questions", "".join(line for line in said if "daemon" not in line))


@pytest.mark.thorough
def test_the_questions_of_types_and_currencies_are_worded_for_a_person(
    household: Path, golden: Callable[[str, str], None]
) -> None:
    """Words that may go either way are shown with rows, and a shared currency is asked once."""
    files = {
        "types.csv": "Date,Description,Type,Amount\n2026-03-01,HARBOR BOOKS,Sale,24.10\n"
        "2026-03-02,TRAIN TICKETS,Sale,61.00\n2026-03-03,BANK,Payment,85.10\n2026-03-04,LATE,Fee,2.00\n",
        "bare.csv": "Date,Description,Amount\n2026-03-01,ASHGROVE LLC PAYROLL,900.00\n"
        "2026-03-04,BAKERY KRAUSE,-4.10\n2026-03-05,BAKERY KRAUSE,-3.10\n",
        "named.ofx": sgml(statement(currency="<CURDEF>EUR")),
    }
    home = household / "worded"
    home.mkdir()
    for name, text in files.items():
        (household / name).write_text(text)
    ended = command(home, "import", *(str(household / name) for name in files))
    command(home, "daemon", "stop")

    assert ended.returncode == 4
    said = ended.stderr.splitlines(keepends=True)
    golden("type-questions", "".join(line for line in said if "daemon" not in line))

"""A household of three files whose names say nothing: imported and planned by two commands; exact."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_end_to_end import command
from tests.statements.test_ofx import sgml, statement

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

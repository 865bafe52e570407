"""What pages show of a terminal is what finplan prints there, but for days and figures."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from finplan.cli.console.session import Session
from finplan.handbook.pages import handbook
from tests.crash.files import csv_of, ofx_of
from tests.crash.household import Row
from tests.handbook.shown.finding import BEGINS, SCRIPT
from tests.handbook.shown.machine import DEMO, NEW, Machine, machine_in

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = (BEGINS, SCRIPT)

ANY_DAY = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b")
ANY_FIGURE = re.compile(r"[\d,]*\d(?:\.\d+)?")


def screens(page: str) -> list[str]:
    """What a page shows of a terminal: its blocks of no language that hold no commands."""
    blocks = BLOCK.findall(handbook()[page].markdown)
    return [
        text.replace("Which one?", "")
        for language, text in blocks
        if not language and not any(each.match(text) for each in COMMANDS)
    ]


def masked(text: str) -> str:
    """A text without its days and figures."""
    return ANY_FIGURE.sub("0", ANY_DAY.sub("Jan", " ".join(text.split())))


@pytest.fixture
def machine(
    tmp_path: Path,
    household_store: Path,
    empty_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Machine]:
    """A machine at whose terminal somebody sits who leaves at the first question."""

    def leave(_session: Session, _question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "ask", leave)
    stores = {DEMO: household_store, NEW: empty_store}
    with machine_in(tmp_path, stores, monkeypatch, capfd) as machine:
        yield machine


def asked(machine: Machine, line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said up to the first question."""
    with monkeypatch.context() as here:
        here.setattr(Session, "interactive", True)
        return masked(machine.type(line, NEW).err)


def rows(first: date, days: int, step: int = 1) -> list[Row]:
    """A row of another size on every day."""
    return [
        Row(str(first + timedelta(day)), -(1_000 + 37 * day + day % 7), f"SHOP {day % 5}")
        for day in range(0, days, step)
    ]


def test_every_screen_is_known() -> None:
    """A page that shows one more has it looked at here."""
    shown = {name: len(screens(name)) for name in handbook() if screens(name)}
    assert shown == {"questions": 1, "statements": 3}


def test_what_an_answer_moves(machine: Machine) -> None:
    """The line that stands before an answer is kept."""
    ended = machine.type("finplan tasks answer venmo rent --preview", DEMO)
    assert masked(screens("questions")[0]) in masked(ended.out + ended.err)


def test_which_way_money_goes(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without signs that tell anything is asked about, with its own rows."""
    table = "Date,Description,Amount\n2026-03-02,SHOP,5.00\n2026-03-03,REFUND,-1.00\n"
    (machine.folder / "card.csv").write_text(table)
    said = asked(machine, "finplan import card.csv", monkeypatch)
    assert masked(screens("statements")[2]) in said


def test_the_next_month(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of other days with the columns of an account is asked about."""
    (machine.folder / "september.csv").write_bytes(csv_of(rows(date(2025, 9, 1), 30)))
    (machine.folder / "october.csv").write_bytes(csv_of(rows(date(2025, 10, 1), 31)))
    machine.type("finplan import september.csv --kind checking --direction in", NEW)
    said = asked(machine, "finplan import october.csv", monkeypatch)
    assert masked(screens("statements")[1]) in said


def test_the_same_account(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of rows that are there is asked about, with how many are the same."""
    there = rows(date(2026, 1, 1), 60)
    (machine.folder / "alpha.ofx").write_bytes(
        ofx_of("Alpha", "99991234", there, "2026-03-02", 240_000)
    )
    others = [*there[:-2], *(row._replace(amount=row.amount - 1) for row in there[-2:])]
    (machine.folder / "checking.csv").write_bytes(csv_of(others))
    machine.type("finplan import alpha.ofx", NEW)
    said = asked(machine, "finplan import checking.csv", monkeypatch)
    assert masked(screens("statements")[0]) in said

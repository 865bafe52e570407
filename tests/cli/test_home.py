"""`finplan` alone: how it stands, or how to begin."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from finplan.cli import app
from finplan.cli.commands import standing
from finplan.cli.showing.snapshot import draw_beginning, draw_home
from tests.cli import made_up_bank, made_up_view
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

NOW = datetime(2025, 11, 21, 18, tzinfo=UTC)
WAYS = (("finplan tui", "all of it on the whole screen"), ("finplan --help", "every command"))


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stdout is a terminal."""
    monkeypatch.setattr(app, "is_looked_at", lambda: True)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_how_it_stands_fits_the_terminal(draw: Draw, golden: Golden, width: int) -> None:
    """Today's figure, the first things to do and where to go on, in a few lines that are never cut."""
    drawn = draw(draw_home(made_up_view.view(), "USD", width, WAYS, NOW), width)
    assert max(map(len, drawn.splitlines())) <= width
    golden(f"home_{width}", drawn)


def test_who_has_nothing_is_told_how_to_begin(draw: Draw, golden: Golden) -> None:
    """Each way in is a command that can be typed."""
    golden("home_beginning", draw(draw_beginning(WAYS)))


def test_the_ways_in_stand_on_a_line_each(draw: Draw) -> None:
    """None of them is wrapped at 80 columns."""
    drawn = draw(draw_beginning(standing.WAYS_IN), 80).rstrip("\n")
    assert len(drawn.splitlines()) == 1 + len(standing.WAYS_IN)
    assert max(map(len, drawn.splitlines())) <= 80


def test_looking_at_nothing_starts_no_daemon(finplan: Run, home: Path, looked_at: None) -> None:
    """Where there is no store nothing is made and nobody is started for a look."""
    ended = finplan()
    assert (ended.code, ended.err) == (0, "")
    assert b"finplan import" in ended.out
    assert list(home.iterdir()) == []


def test_a_program_that_asks_nothing_gets_the_help(finplan: Run) -> None:
    """Off a terminal the list of commands is printed, as for --help."""
    assert finplan().out == finplan("--help").out
    assert finplan("--demo", "--quiet").out == finplan("--help").out


def test_a_program_may_ask_how_it_stands(finplan: Run, stub: Stub) -> None:
    """With `--json` alone the plan's figures are printed as the daemon tells them, in a pipe too."""
    answer = made_up_view.view().model_dump_json(by_alias=True).encode()
    stub.answer("GET", "/plan/view", answer)
    ended = finplan("--json")
    assert (ended.code, ended.out) == (0, answer + b"\n")


def test_a_program_is_told_where_nothing_is(finplan: Run, stub: Stub) -> None:
    """What is printed with `--json` is JSON, so who has no bank yet gets the daemon's refusal."""
    stub.refuse("GET", "/plan/view", 409, "NO_CONNECTIONS", "No bank is linked yet.")
    ended = finplan("--json")
    assert (ended.code, ended.out) == (6, b"")
    assert "No bank is linked yet" in ended.err


def test_an_unlinked_demo_says_how_it_is_linked_again(
    finplan: Run, demo_stub: Stub, looked_at: None
) -> None:
    """`--demo` itself would lead nowhere: the person removed the household from that profile."""
    demo_stub.refuse("GET", "/plan/view", 500, "NO_CONNECTIONS", "No bank is linked yet.")
    ended = finplan("--demo")
    assert (ended.code, ended.err) == (0, "")
    assert b"finplan --demo connect demo" in ended.out


def test_removing_the_demo_says_that_it_stays_removed(finplan: Run, demo_stub: Stub) -> None:
    """The person learns at once that no later start brings it back, and which command does."""
    (record, *_) = made_up_bank.connections()
    content = json.dumps([json.loads(record.model_dump_json(by_alias=True))]).encode()
    demo_stub.answer("GET", "/connections", content)
    path = f"/connections/{record.connection.id}"
    demo_stub.answer("DELETE", path, record.model_dump_json(by_alias=True).encode())
    ended = finplan("--demo", "connections", "remove", record.connection.id, "--yes")
    assert ended.code == 0
    assert "To link it again: `finplan --demo connect demo`." in ended.err

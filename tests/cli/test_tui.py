"""`finplan tui`: in a terminal it becomes the program, and where there is none it says so."""

import os
from pathlib import Path
from typing import Any, get_args

import pytest

from finplan.cli.commands import tui
from finplan.tui.widgets import PLACES
from tests.cli.conftest import Run
from tests.cli.stub import Stub


class _Became(Exception):
    pass


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command line of what this process would become, in a terminal of its own."""
    commands: list[list[str]] = []

    def become(_program: str, command: list[str], _environment: dict[str, str]) -> None:
        commands.append(command)
        raise _Became

    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setattr(tui, "_has_terminal", lambda: True)
    return commands


def test_it_says_that_it_needs_a_terminal(finplan: Run, home: Path) -> None:
    """In a pipe it ends with exit code 2 and names commands that print, and starts no daemon."""
    ended = finplan("tui")
    assert ended.code == 2
    assert "needs a terminal" in ended.err
    assert "finplan snapshot" in ended.err
    assert not (home / "default" / "finplan.db").exists()


def test_it_has_no_json(finplan: Run, home: Path) -> None:
    """`--json` is a usage error that names the way."""
    ended = finplan("tui", "--json")
    assert ended.code == 2
    assert "no JSON" in ended.err


def test_it_becomes_the_program(
    finplan: Run,
    stub: Stub,
    became: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Once the daemon answers it becomes the program, for the profile, screen and folder asked."""
    folder = tmp_path / "my files"
    folder.mkdir()
    monkeypatch.chdir(folder)
    finplan("tui", "questions", "--screen-reader")
    [command] = became
    assert command[1:] == [
        "-m", "finplan.tui", "--profile", "default", "--open", "questions",
        "--folder", str(folder), "--screen-reader",
    ]  # fmt: skip


def test_the_screens_are_those_that_there_are() -> None:
    """The command knows each screen by its name, as the program does."""
    assert list(get_args(tui.ScreenName)) == [each.name for each in PLACES]


def test_another_screen_is_refused(finplan: Run, home: Path, became: Any) -> None:
    """A screen that there is none of is a usage error that names those there are."""
    ended = finplan("tui", "budget")
    assert ended.code == 2
    assert "overview" in ended.err

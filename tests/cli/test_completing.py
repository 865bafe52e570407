"""What a shell offers: commands, options, words and a person's own names; asking changes nothing."""

import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import finplan as package
from finplan.cli.app import COMMANDS
from finplan.cli.commands.installation import SCRIPTS
from finplan.cli.completing.command_line import complete, unquoted
from finplan.cli.completing.values import PERIODS
from finplan.periods.reading import read_period
from tests.cli.stub import Stub

FOLDER = Path(package.__file__).parent.parent / "completions"


@pytest.fixture
def offered(home: Path, capfdbinary: pytest.CaptureFixture[bytes]):  # type: ignore[no-untyped-def]
    """What is offered for the last of some words, each with what it is."""

    def offer(*words: str) -> dict[str, str]:
        assert complete(words) == 0
        captured = capfdbinary.readouterr()
        assert captured.err == b""
        lines = captured.out.decode().splitlines()
        return dict(line.split("\t") for line in lines)

    return offer


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_kept_scripts_are_those_that_are_printed(shell: str) -> None:
    """Who packages the program takes the file that `finplan completions` prints."""
    path = FOLDER / f"finplan.{shell}"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(SCRIPTS[shell], encoding="utf-8")
    assert path.read_text(encoding="utf-8") == SCRIPTS[shell]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("spend",), "spending"),
        (("",), next(iter(COMMANDS))),
        (("accounts", ""), "list"),
        (("accounts", "sh"), "show"),
        (("--demo", "spend"), "spending"),
        (("--profile", "other", "spend"), "spending"),
        (("spending", "--mon"), "--monthly"),
        (("spending", "--by", "m"), "merchant"),
        (("spending", "--by=mo"), "--by=month"),
        (("export", "--format", "hl"), "hledger"),
        (("plan", "explain", "em"), "emergencyFund"),
        (("spending", "--period", "'last m"), "last month"),
        (("daemon", "jobs", "ru"), "run"),
        (("settings", "set", "--cur"), "--currency"),
    ],
)
def test_what_may_stand_next_is_offered(offered, words, first) -> None:  # type: ignore[no-untyped-def]
    """The first thing that is offered begins as the word does, or is the first of the list."""
    assert next(iter(offered(*words))) == first


def test_no_daemon_is_started_for_a_key(offered, home: Path) -> None:  # type: ignore[no-untyped-def]
    """Where no daemon runs, names are not offered, and nothing is left behind."""
    assert offered("spending", "--category", "") == {}
    assert list(home.iterdir()) == []


def test_names_come_from_the_daemon_that_runs(offered, stub: Stub) -> None:  # type: ignore[no-untyped-def]
    """Categories are offered by their ids, with their labels, of those alone that begin so."""
    plain = {"line": "essential", "custom": False, "reimbursable": False}
    rows = [
        {"category": "groceries", "label": "Groceries", **plain},
        {"category": "rent", "label": "Rent", **plain},
    ]
    stub.answer("GET", "/categories", rows)
    assert offered("spending", "--category", "gr") == {"groceries": "Groceries"}
    assert {each.method for each in stub.asked} == {"GET"}


def test_what_strangers_wrote_is_one_line_of_data(offered, stub: Stub) -> None:  # type: ignore[no-untyped-def]
    """A payee's name neither ends its line nor commands a terminal."""
    group = {"key": "x", "label": "a\nb\t\x1b[31m$(touch y)", "total": 1, "count": 1, "share": 1.0}
    report = {"from": "2026-01-01", "to": "2026-01-02", "groupBy": "merchant", "total": 1}
    stub.answer("GET", "/spending", {**report, "count": 1, "groups": [group], "recorded": None})
    (name,) = offered("spending", "--merchant", "")
    assert name.isprintable()
    assert name.startswith("a b")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("plain", "plain"),
        ("whole\\ fo", "whole fo"),
        ("'whole fo", "whole fo"),
        ('"a', "a"),
        ("", ""),
    ],
)
def test_a_word_is_read_as_the_shell_would(typed: str, meant: str) -> None:
    """Quotes that are not closed yet and escaped spaces are those of the word."""
    assert unquoted(typed) == meant


def shell_env(tmp_path: Path) -> dict[str, str]:
    """Where `finplan` is the program of this checkout, in a home of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "finplan"
    root = Path(package.__file__).parent.parent
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m finplan "$@"\n')
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {
        **os.environ,
        "PATH": path,
        "FINPLAN_HOME": str(tmp_path / "home"),
        "HOME": str(tmp_path),
    }


def test_bash_completes(tmp_path: Path) -> None:
    """A real bash offers commands, and quotes what has a space."""
    asks = (
        f'source "{FOLDER}/finplan.bash"; compopt() {{ :; }}\n'
        "COMP_WORDS=(finplan spend); COMP_CWORD=1; _finplan; echo ${COMPREPLY[@]}\n"
        'COMP_WORDS=(finplan spending --period "\'last m"); COMP_CWORD=3; _finplan\n'
        "echo ${COMPREPLY[@]}\n"
    )
    ended = subprocess.run(
        ["bash", "-c", asks], env=shell_env(tmp_path), capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines() == ["spending", "last\\ month"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(tmp_path: Path) -> None:
    """A real fish offers commands with what they are for."""
    asks = f'source "{FOLDER}/finplan.fish"; complete -C "finplan spend"'
    ended = subprocess.run(
        ["fish", "-c", asks], env=shell_env(tmp_path), capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines()[0].split("\t")[0] == "spending"


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    """A real zsh completes a command that is the only one to begin so."""
    asks = (
        "zmodload zsh/zpty; zpty z zsh -f -i\n"
        "zpty -w z 'PS1=; autoload -U compinit; compinit -u -D;"
        f' source "{FOLDER}/finplan.zsh"; echo ready\'\n'
        "zpty -r z told '*ready*ready*'\n"
        "zpty -n -w z $'finplan spend\\t'\n"
        "zpty -r -m z told '*spending*' && print -r -- completed\n"
    )
    ended = subprocess.run(
        ["zsh", "-f", "-c", asks],
        env=shell_env(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "completed" in ended.stdout


@pytest.mark.parametrize("offered", PERIODS)
def test_each_period_that_is_offered_is_one(offered: str) -> None:
    """What a shell completes for days is read as days by the command that it completes."""
    paydays = [date(2026, month, 1) for month in range(1, 13)]
    assert read_period(offered, date(2026, 3, 18), paydays).since is not None

"""What contradicts itself on a command line is refused: no word of a person is dropped in silence."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from finplan.cli.app import root
from finplan.cli.console.options import GlobalOptions
from tests.cli.conftest import Run
from tests.cli.stub import Stub


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command with the words that call it."""
    yield words, command
    context = typer.Context(command, obj=GlobalOptions())
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(context, name), (*words, name))


OPTIONS = [
    (words, option)
    for words, command in commands(typer.main.get_command(root))
    for option in command.params
    if option.param_type_name == "option" and "--profile" not in option.opts
]
OPPOSITES = [
    (*words, option.opts[0], option.secondary_opts[0])
    for words, option in OPTIONS
    if option.is_flag and option.secondary_opts
]
SINGLE = [
    (*words, f"{option.opts[0]}=1", f"{option.opts[-1]}=2")
    for words, option in OPTIONS
    if not (option.is_flag or option.multiple)
]


def test_the_opposites_are_seen() -> None:
    """The table is made of the commands themselves, so that a new pair is in it."""
    assert ("webhooks", "change", "--disable", "--enable") in OPPOSITES
    assert ("accounts", "set", "--hide", "--show") in OPPOSITES
    assert len(OPPOSITES) >= 6
    assert len(SINGLE) > 30


@pytest.mark.parametrize("line", OPPOSITES, ids=" ".join)
def test_opposites_are_refused(finplan: Run, line: tuple[str, ...]) -> None:
    """In either order; neither is taken for what was meant."""
    *words, one, other = line
    for typed in ((one, other), (other, one)):
        ended = finplan(*words, *typed)
        assert (ended.code, ended.out) == (2, b"")
        assert f"{one} and {other} are opposites; say one of them." in ended.err


@pytest.mark.parametrize("line", SINGLE, ids=" ".join)
def test_one_value_is_not_given_twice(finplan: Run, line: tuple[str, ...]) -> None:
    """The last one would win, and the first be lost without a word."""
    ended = finplan(*line)
    assert (ended.code, ended.out) == (2, b"")
    assert " has one value and was given 2; say one of them." in ended.err


def test_what_is_said_twice_alike_is_no_contradiction(finplan: Run, stub: Stub) -> None:
    """A flag that stands there twice, and one that stands in another option's value or behind `--`."""
    for line in (
        ("accounts", "set", "--hide", "--hide"),
        ("accounts", "set", "--name", "--show", "--hide"),
        ("accounts", "set", "--hide", "--", "--show"),
        ("transactions", "list", "--category", "a", "--category", "b", "--limit", "x"),
        ("daemon", "logs", "-n", "x"),
    ):
        ended = finplan(*line)
        assert "say one of them" not in ended.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--profile a accounts --profile b", "--profile is 'a' and 'b'; say one of them."),
        ("--profile a --profile b accounts", "--profile has one value and was given 2"),
        ("accounts --demo --profile x", "--demo is the profile 'demo'"),
        ("tasks answer venmo rent --sure 90", "--sure goes with --all-suggested alone."),
        ("tasks answer --sure 80", "--sure goes with --all-suggested alone."),
        ("tasks answer --from a.json --sure 80", "--sure goes with --all-suggested alone."),
        ("tasks answer venmo rent --dismiss", "Give a category, --each or --dismiss, one of them."),
        ("tasks answer --all-suggested --from a.json", "each stand alone"),
        ("transactions set tx_1000 dining --clear", "Give a CATEGORY or --clear, one of them."),
        ("transactions note tx_1000 hello --clear", "Give a TEXT or --clear, one of them."),
        ("spending --monthly --by month", "leave out --by month"),
        ("spending --period may --from 2026-01-01", "leave out --from and --to"),
        ("export --json --format csv", "cannot be csv as well"),
        ("export a.csv --format json", "a.csv is named like a file of csv, not of json"),
        ("export a.json --format hledger", "a.json is named like a file of json, not of hledger"),
        ("export a.csv --json", "a.csv is named like a file of csv, not of json"),
        ("plan show --html a.html --json", "--json is printed"),
        ("categories add Pets --suggested --line essential", "leave out what it says"),
    ],
)
def test_what_cannot_go_together_is_told(finplan: Run, line: str, told: str) -> None:
    """A usage error that names both, before anything is asked or written."""
    ended = finplan(*line.split())
    assert (ended.code, ended.out) == (2, b"")
    assert told in ended.err


def test_only_reading_is_said_before_or_after_the_command(
    finplan: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that shall only read gets no more for the place where that stands."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for line in (
        ("mcp", "--read-only", "install", "cursor", "--print", "--json"),
        ("mcp", "install", "cursor", "--read-only", "--print", "--json"),
    ):
        entry = json.loads(finplan(*line).out)["entry"]["mcpServers"]["finplan"]
        assert entry["args"][-2:] == ["serve", "--read-only"]
    entry = json.loads(finplan("mcp", "install", "cursor", "--print", "--json").out)["entry"]
    assert entry["mcpServers"]["finplan"]["args"][-1] == "serve"

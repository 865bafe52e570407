"""A setting that cannot be: what helps goes on working, and everything says where it is put right."""

import json
from pathlib import Path

import pytest

from finplan.settings import places_of
from finplan.store.store import Store
from tests.cli.conftest import Run

VARIABLE = "finplan: FINPLAN_PORT is 'web', which is not a whole number."
ADVICE = "Correct or remove the variable FINPLAN_PORT."
FILE = "The rate limit 0 is not between 1 and"


@pytest.fixture(autouse=True)
def bad(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One value of the environment and one of the file cannot be."""
    file = places_of("default").configuration / "finplan.toml"
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_text('\nrate_limit = 0\nlog_level = "debug"\n')
    monkeypatch.setenv("FINPLAN_PORT", "web")
    return file


def test_a_daemon_can_be_stopped(finplan: Run, bad: Path) -> None:
    """It is told to stop, after each fault has been told, also to who wants quiet."""
    ended = finplan("daemon", "stop")
    assert ended.code == 0
    first, second, said = ended.err.splitlines()
    assert first == f"{VARIABLE} {ADVICE}"
    assert FILE in second
    assert second.endswith(f" Correct or remove line 2 of {bad}.")
    assert said == "No daemon was running."
    assert VARIABLE in finplan("daemon", "stop", "--quiet").err


def test_the_values_are_shown(finplan: Run, bad: Path) -> None:
    """What can be holds, what cannot is at its default and told beside."""
    ended = finplan("config")
    assert ended.code == 0
    assert ended.err.startswith(VARIABLE)
    assert FILE in ended.err
    assert b"debug" in ended.out
    shown = json.loads(finplan("config", "--json").out)
    assert [fault["name"] for fault in shown["faults"]] == ["port", "rate_limit"]
    assert {each["name"]: each["value"] for each in shown["settings"]}["port"] is None


def test_where_the_keys_of_banks_belong_is_shown(finplan: Run, bad: Path) -> None:
    """The places of all files are told, with which of them are not there yet, and no secret."""
    places = places_of("default")
    places.plaid_secret.write_text("only for Plaid", encoding="utf-8")
    ended = finplan("config")
    lines = {line.split()[0]: line for line in ended.out.decode().splitlines() if "/" in line}
    assert lines["plaid"].split()[1:] == ["secret", str(places.plaid_secret)]
    assert lines["enablebanking"].endswith(f"key {places.enablebanking_key}  none yet")
    assert b"only for Plaid" not in ended.out
    shown = json.loads(finplan("config", "--json").out)
    assert shown["places"]["plaid_secret"] == str(places.plaid_secret)


@pytest.mark.thorough
def test_the_doctor_names_them_and_looks_on(finplan: Run, bad: Path) -> None:
    """Each is a finding with its advice; whether the store is whole is looked at all the same."""
    places = places_of("default")
    Store.open(places.database, places.backups).close()
    ended = finplan("doctor", "--json")
    assert ended.code == 1
    found = json.loads(ended.out)
    told = [each for each in found if each["name"] == "settings"]
    assert [each["state"] for each in told] == ["bad", "bad"]
    assert told[0]["advice"] == ADVICE
    assert told[1]["advice"] == f"Correct or remove line 2 of {bad}."
    (whole,) = (each for each in found if each["name"] == "integrity")
    assert whole["state"] == "ok"


@pytest.mark.parametrize(
    "line",
    [
        "accounts",
        "plan",
        "snapshot",
        "import x.csv",
        "mcp",
        "mcp serve",
        "webhooks",
        "keys",
        "daemon",
        "sync",
        "daemon status",
        "daemon start",
        "daemon run",
        "daemon logs",
        "daemon jobs",
        "secrets",
        "open",
    ],
)
def test_everything_else_is_refused_with_the_sentence(finplan: Run, line: str) -> None:
    """Bad input: nothing is begun under settings that nobody chose."""
    ended = finplan(*line.split())
    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.startswith(f"{VARIABLE} {ADVICE} {FILE}")
    assert ended.err.count("\n") == 1

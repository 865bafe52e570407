"""Planned money in a terminal: added, changed, marked and removed, with the way back."""

import json
from typing import Any

import pytest

from finplan.cli.console.errors import BAD_INPUT, USAGE
from tests.cli.conftest import Run


def answered(finplan: Run, *words: str) -> Any:
    """What a command answers as JSON."""
    ended = finplan("planned", *words, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.thorough
def test_planned_money_from_first_to_last(finplan: Run) -> None:
    """A trip is planned, moved, marked and removed; what the answer says adds the same again."""
    early = finplan("planned", "add", "Trip", "5", "--on", "2190-07")
    assert (early.code, "no currency yet" in early.err) == (BAD_INPUT, True)
    assert finplan("settings", "set", "--currency", "usd").code == 0
    trip = answered(
        finplan,
        *("add", "Summer trip", "2,000.50", "--on", "2190-07", "--category", "travel"),
        *("--every", "yearly", "--until", "2199-12-31"),
    )
    assert (trip["amount"], trip["month"], trip["date"]) == (2_000_50, "2190-07", None)
    assert (trip["every"], trip["until"], trip["category"]) == ("annual", "2199-12-31", "travel")
    assert answered(finplan) == [trip]

    once = answered(finplan, "set", "summer", "--every", "none", "--until", "none")
    assert (once["every"], once["until"]) == (None, None)
    moved = answered(finplan, "set", "summer", "--on", "2190-08-05", "--amount", "2400")
    assert (moved["date"], moved["month"], moved["amount"]) == ("2190-08-05", None, 2_400_00)
    assert answered(finplan, "set", "summer", "--happened")["status"] == "happened"
    assert answered(finplan, "set", "summer", "--not-happened")["status"] == "planned"
    assert answered(finplan, "set", "summer", "--category", "none")["category"] is None
    income = answered(finplan, "set", "summer", "--income", "--name", "Refund")
    assert (income["direction"], income["name"]) == ("in", "Refund")

    removed = finplan("planned", "remove", "refund")
    command = "`finplan planned add Refund 2400.00 --on 2190-08-05 --income`"
    assert command in removed.err
    again = answered(finplan, *command.strip("`").split()[2:])
    assert {**again, "id": income["id"]} == income


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("add Trip 20 --on 2190", USAGE),
        ("add Trip 20 --on soon", USAGE),
        ("add Trip 20 --on 2190-13", USAGE),
        ("add Trip much --on 2190-07", BAD_INPUT),
        ("add Trip 20 --on 2020-07", BAD_INPUT),
        ("add Trip 20 --on 2190-07 --every weekly", BAD_INPUT),
        ("add Trip 20 --on 2190-07 --until 2191-01-01", BAD_INPUT),
        ("add Trip 20", USAGE),
    ],
)
def test_what_cannot_be_planned_is_refused(finplan: Run, words: str, code: int) -> None:
    """Nothing is kept of a day that is none, is over, or says too little."""
    assert finplan("planned", *words.split()).code == code
    assert answered(finplan) == []


def test_an_empty_list_says_how_to_begin(finplan: Run) -> None:
    """Where there is none, an example of a command stands there."""
    assert b"finplan planned add" in finplan("planned").out

"""Accounts of one's own in a terminal: added, told by dates, and removed with the way back."""

import json
import shlex
from typing import Any

import pytest

from finplan.cli.console.errors import BAD_INPUT
from finplan.model.account import named_kind
from tests.cli.conftest import Run


def record(finplan: Run, *words: str) -> Any:
    """What a command answers as JSON."""
    ended = finplan(*words, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.thorough
def test_an_account_from_first_to_last(finplan: Run) -> None:
    """A home is added, gets a second balance by its date, loses it again, and is removed."""
    home = record(
        finplan,
        *("accounts", "add", "Home", "--kind", "property", "--currency", "usd"),
        *("--balance", "410,000", "--as-of", "2026-02", "--since", "2019-05"),
    )
    assert (home["account"]["kind"], home["account"]["subtype"]) == ("other", "property")
    assert (home["account"]["balance"], home["since"]) == (410_000_00, "2019-05-01")
    assert home["anchors"] == [{"date": "2026-02-28", "balance": 410_000_00}]

    dated = ("accounts", "set", "home", "--as-of", "2024-12-31", "--balance")
    assert record(finplan, *dated, "390000")["account"]["balance"] == 410_000_00
    balances = record(finplan, "accounts", "balances", "home")
    assert [each["date"] for each in balances] == ["2024-12-31", "2026-02-28"]
    assert len(record(finplan, *dated, "none")["anchors"]) == 1

    assert " by you " in finplan("connections").out.decode()

    removed = finplan("accounts", "remove", "home", "--yes")
    assert "`finplan accounts add Home --kind other --subtype property" in removed.err
    assert record(finplan, "accounts") == []


@pytest.mark.parametrize(
    ("word", "kind", "subtype"),
    [
        ("checking", "checking", None),
        ("Loan", "loan", None),
        ("property", "other", "property"),
        ("mortgage", "loan", "mortgage"),
        ("cash", "depository", "cash"),
        ("vehicle", "other", "vehicle"),
        ("pension", "investment", "pension"),
    ],
)
def test_a_kind_is_named_by_a_kind_or_a_subtype(word: str, kind: str, subtype: str | None) -> None:
    """A subtype stands for the kind that alone has it, or that people mean by it."""
    assert named_kind(word) == (kind, subtype)


@pytest.mark.parametrize("word", ["hsa", "line of credit", "house", ""])
def test_a_word_of_several_kinds_or_none_is_refused(finplan: Run, word: str) -> None:
    """Nothing is added where the kind is not clear."""
    assert finplan("accounts", "add", "X", "--kind", word).code == BAD_INPUT


@pytest.mark.thorough
def test_what_was_removed_comes_back_whole(finplan: Run) -> None:
    """The commands of the answer bring each balance, rate, limit, first day and currency back."""
    record(
        finplan,
        *("accounts", "add", "My house", "--kind", "mortgage", "--currency", "eur"),
        *("--balance", "286,000", "--as-of", "2026-02-01", "--since", "2019-05-01"),
        *("--apr", "3.2", "--minimum-payment", "1450", "--institution", "Savings Bank"),
    )
    earlier = ("accounts", "set", "my house", "--balance", "290000", "--as-of", "2025-12-31")
    before = record(finplan, *earlier)
    removed = finplan("accounts", "remove", "my house", "--yes").err
    for command in removed.split("`")[1::2]:
        assert finplan(*shlex.split(command)[1:]).code == 0, command
    (after,) = record(finplan, "accounts", "list")
    shown = record(finplan, "accounts", "show", "my house")
    assert after["name"] == "My house"
    for different in (before, shown):
        different["account"].pop("id")
        different["account"].pop("connectionId")
    assert shown == before


@pytest.mark.thorough
def test_a_kind_is_corrected_by_a_subtype(finplan: Run) -> None:
    """`set --kind` takes the same words as `add --kind`; what counts nowhere is said to do so."""
    added = finplan(
        "accounts", "add", "Barn", "--kind", "other", "--currency", "usd", "--balance", "5"
    )
    assert "Totals exclude Barn." in added.err
    barn = record(finplan, "accounts", "set", "barn", "--kind", "property")
    assert barn["account"]["subtype"] == "property"
    foreign = finplan("accounts", "add", "Hut", "--kind", "property", "--currency", "sek")
    assert "totals in USD exclude it" in foreign.err

"""Exports that somebody damaged or tampered with are refused whole, in one sentence."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from finplan.model.errors import BadRequest
from finplan.service.context import Context
from tests.service.household_tables import kept_tables
from tests.service.rich_household import elsewhere, exported, rich, rich_home, taken


def _word(whole: Any, name: str) -> Any:
    """The newest word on a row that says something of a kind."""
    return next(each for each in reversed(whole["household"]["singleWords"]) if each[name])


DAMAGED: dict[str, tuple[Callable[[Any], object], str]] = {
    "a version to come": (lambda w: w.update(exportVersion=4), "export version “4”"),
    "a version before households": (
        lambda w: w.update(exportVersion=1),
        "export version “1”",
    ),
    "a version that is none": (lambda w: w.update(exportVersion=True), "version “True”"),
    "a strange setting": (lambda w: w["household"]["settings"].update(pin=1), "pin"),
    "no such time zone": (
        lambda w: w["household"]["settings"].update(timeZone="Moon"),
        "time zone",
    ),
    "shares of two": (
        lambda w: w["household"]["settings"].update(
            budgetShares={"essentials": 1, "discretionary": 1, "savings": 0}
        ),
        "add up to 1",
    ),
    "an amount that is a word": (lambda w: w["household"]["rules"][0].update(amount="1"), "amount"),
    "a huge amount": (lambda w: w["accounts"][0].update(creditLimit=2**63), "creditLimit"),
    "an account of no currency": (lambda w: w["accounts"][0].update(currency="XQX"), "XQX"),
    "an account twice": (lambda w: w["accounts"].append(w["accounts"][0]), "duplicate"),
    "a rule of nobody": (lambda w: w["household"]["rules"][0].update(payeeKey="x"), "payee “x”"),
    "a rule of nothing": (
        lambda w: w["household"]["rules"][0].update(category="x"),
        "category “x”",
    ),
    "a rule twice": (
        lambda w: w["household"]["rules"].append(w["household"]["rules"][0] | {"id": "rule_other"}),
        "duplicate",
    ),
    "a connection of nobody": (lambda w: w["accounts"][0].update(connectionId="con_x"), "con_x"),
    "an answer without rule": (
        lambda w: w["household"]["answers"][1].update(ruleId="rule_x"),
        "rule “rule_x”",
    ),
    "an answer without word": (
        lambda w: w["household"]["answers"][0].update(wordId="word_x"),
        "“word_x”",
    ),
    "a word twice": (
        lambda w: w["household"]["singleWords"].extend(w["household"]["singleWords"]),
        "duplicate",
    ),
    "a word of nothing": (lambda w: _word(w, "category").update(category="x"), "category “x”"),
    "a word that says nothing": (
        lambda w: _word(w, "note").update(category=None, note=None, tags=[]),
        "an override is empty",
    ),
    "a part under nothing": (
        lambda w: _word(w, "splits")["splits"][0].update(category="x"),
        "category “x”",
    ),
    "parts that do not add up": (
        lambda w: _word(w, "splits")["splits"][0].update(amount=-19_99),
        "the amounts of a split do not add up",
    ),
    "one part": (
        lambda w: _word(w, "splits").update(splits=[{"amount": -31_00, "category": "travel"}]),
        "the amounts of a split do not add up",
    ),
    "a part of nothing": (
        lambda w: _word(w, "splits")["splits"].append({"amount": 0, "category": "travel"}),
        "the amounts of a split do not add up",
    ),
    "parts and a category": (
        lambda w: _word(w, "splits").update(category="travel"),
        "both a split and a category",
    ),
    "a note that nobody sees": (lambda w: _word(w, "note").update(note="\u202e"), "note"),
    "a rule that goes nowhere": (
        lambda w: w["household"]["rules"][0].update(direction="up"),
        "direction",
    ),
    "an answer to no question": (
        lambda w: w["household"]["answers"][0]["task"].update(kind="riddle"),
        "riddle",
    ),
    "an id that is code": (lambda w: w["accounts"][0].update(id="acc_1'; --"), "pattern"),
    "a decision about nothing": (
        lambda w: w["household"]["duplicates"][0].update(rows=None),
        "does not name any",
    ),
    "a balance twice": (
        lambda w: [a["balances"].extend(a["balances"]) for a in w["accounts"]],
        "balance of",
    ),
    "days that end before they begin": (
        lambda w: w["accounts"][0]["coverage"][0].update(to="2001-01-01"),
        "first covered day is after the last",
    ),
    "a direction that is none": (
        lambda w: w["household"]["files"][0].update(direction="sideways"),
        "direction",
    ),
    "the day of a verdict": (
        lambda w: w["household"]["recurring"][0].update(date="0001-01-01"),
        "years 1900 to 2199",
    ),
    "a pending row of nobody": (
        lambda w: w["household"]["pending"][0].update(accountId="acc_x"),
        "account “acc_x”",
    ),
    "a household that is none": (lambda w: w.update(household=[]), "damaged"),
    "payees that are none": (lambda w: w.update(payees=[1]), "damaged"),
    "half a letter": (lambda w: w["payees"][0].update(name="\ud800"), "damaged"),
    "a transfer that is none": (lambda w: w["transactions"][0].update(transferId="1"), "damaged"),
    "an ordinal below 0": (lambda w: w["transactions"][0].update(ordinal=-1), "damaged"),
    "a row twice": (
        lambda w: w["transactions"].append(
            next(row for row in w["transactions"] if row["externalId"])
        ),
        "an account twice",
    ),
}

__all__ = ["elsewhere", "rich", "rich_home"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", DAMAGED)
async def test_a_damaged_household_is_refused(rich: Context, elsewhere: Context, name: str) -> None:
    """One sentence says what is wrong, and nothing is stored."""
    damage, said = DAMAGED[name]
    whole = json.loads(await exported(rich))
    damage(whole)
    before = await elsewhere.store.read(kept_tables)
    with pytest.raises(BadRequest, match=said) as refused:
        await taken(elsewhere, json.dumps(whole))
    assert refused.value.message.endswith(".")
    assert await elsewhere.store.read(kept_tables) == before

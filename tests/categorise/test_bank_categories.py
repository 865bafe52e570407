"""What a statement's own categories hint at: a suggestion in its own words, and never more."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.bank_categories import (
    COLUMN_CONFIDENCE,
    category_code,
    match_category_code,
    match_code,
)
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.decide import APPLIES_FROM, Decision, PayeeFacts, decide, reason_for
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

SHIPPED: dict[str, str] = tomllib.loads(
    files("finplan.categorise").joinpath("bank_categories.toml").read_text("utf-8")
)


def said_of(value: str) -> str | None:
    code = category_code(value)
    found = None if code is None else match_category_code(code)
    return None if found is None else found.category


def decided(raw: str, value: str, *, debits: int = 3, credits_in: int = 0) -> Decision:
    payee, code = payee_of(raw), category_code(value)
    return decide(PayeeFacts(payee.key, payee.name, raw, debits, credits_in, code=code))


def test_every_value_hints_at_one_category_that_money_may_go_to() -> None:
    """Values are folded as they are looked up, stand once, and name no income and no bare move."""
    values = [
        (" ".join(value.split()), category)
        for category, block in SHIPPED.items()
        for value in block.split(",")
    ]
    assert [value for value, _ in values if " ".join(tokens_of(value)) != value] == []
    assert [value for value, count in Counter(v for v, _ in values).items() if count > 1] == []
    assert {BUILT_IN[category].flow for category in SHIPPED} <= {"spending", "saving"}
    assert all(said_of(value) == category for value, category in values)


@pytest.mark.parametrize(
    ("value", "category"),
    [
        ("Food & Drink", "dining"),
        ("Gas/Automotive", "transport"),
        ("Phone/Cable", "phone_internet"),
        ("Travel/ Entertainment", "travel"),
        ("Merchandise & Supplies-Groceries", "groceries"),
        ("Restaurant-Bar & Café", "dining"),
        ("Transportation-Rail Services", "transport"),
        ("Essen & Trinken", "dining"),
        ("Travel-Groceries", "groceries"),
        ("Travel-Whatever", "travel"),
        ("Versicherungen", "insurance"),
        (" SUPERMARKETS ", "groceries"),
        ("Merchandise", None),
        ("Services", None),
        ("Other", None),
        ("Transfer", None),
        ("", None),
        ("x" * 61, None),
    ],
)
def test_values_of_banks_are_known_whole_or_by_their_parts(
    value: str, category: str | None
) -> None:
    """The whole value counts first, then its last part, then its first; what says nothing is left."""
    assert said_of(value) == category


def test_a_value_is_a_name_and_no_essay() -> None:
    """What is longer than any name of a category is none, and is not kept with the row."""
    assert category_code("x" * 60) == f"category:{'x' * 60}"
    assert [category_code(value) for value in ("x" * 61, "", "  ")] == [None, None, None]


def test_an_unknown_payee_is_asked_about_with_the_hint_and_its_source() -> None:
    """The suggestion is likelier than not, files nothing, and says where it comes from."""
    decision = decided("QXZ VENTURES LLC", "Food & Drink")
    assert (decision.out, decision.source) == ("uncategorized", None)
    assert (decision.suggested, decision.confidence) == ("dining", COLUMN_CONFIDENCE)
    reason = "The statement's own category 'Food & Drink' hints at: restaurants and coffee"
    assert decision.text == reason
    assert reason_for(f"{reason}.", "QXZ VENTURES LLC") == f"{reason}."


@given(st.text(max_size=70), st.sampled_from(["out", "in"]))
def test_a_statements_category_never_files_anything(value: str, direction: str) -> None:
    """Whatever a column says, it is a suggestion for money out, and nothing for money in."""
    code = category_code(value)
    if code is None:
        return
    out, into = match_code(code, "out"), match_code(code, "in")
    assert out is None or out.confidence == COLUMN_CONFIDENCE < APPLIES_FROM
    assert into is None
    # What looks like a merchant's code or Plaid's value is none of these.
    assert match_category_code(value.strip()) is None or value.strip().startswith("category:")


@pytest.mark.parametrize(
    ("raw", "value", "category"),
    [
        ("NOTEMACHINE LTD", "Food & Drink", "cash"),
        ("WHOLE FOODS MKT 10242", "Travel", "groceries"),
        ("CORNER PHARMACY", "Food & Drink", "health"),
    ],
)
def test_what_a_name_says_for_sure_goes_before_it(raw: str, value: str, category: str) -> None:
    """A known merchant or a telling word files the payee, whatever the bank sorted its rows under."""
    assert decided(raw, value).out == category


def test_a_weak_word_beside_it_is_the_next_best() -> None:
    """Of two hints alike the statement's goes first, and the word's is among the alternatives."""
    decision = decided("QXZ STORE", "Travel")
    assert (decision.suggested, decision.alternatives[:1]) == ("travel", ("shopping",))


def test_money_in_takes_no_hint_from_it() -> None:
    """What comes in from an unknown payee is no dinner."""
    decision = decided("QXZ VENTURES LLC", "Food & Drink", debits=0, credits_in=2)
    assert (decision.into, decision.suggested) == ("unknown_inflow", None)

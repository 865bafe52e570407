"""The banks' own category codes: what each names, and what they must not say."""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from finplan.categorise.bank_categories import match_code, merchant_codes
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import Direction
from finplan.categorise.decide import APPLIES_FROM

SHIPPED: dict[str, Any] = tomllib.loads(
    files("finplan.categorise").joinpath("codes.toml").read_text("utf-8")
)


def test_every_code_names_a_category_that_fits_its_direction() -> None:
    """Codes name built-in categories; money out is never income, money in never a new spending."""
    for name, table in SHIPPED.items():
        for category in table:
            flow = BUILT_IN[category].flow
            assert name != "in" or flow != "spending"
            assert name not in ("merchant", "broad", "out") or flow != "income"


def test_a_code_means_one_thing() -> None:
    """The ranges of merchant codes do not overlap, and no value of Plaid's is listed twice."""
    numbers: Counter[int] = Counter()
    for table in (SHIPPED["merchant"], SHIPPED["broad"]):
        for part in " ".join(table.values()).split():
            first, _, last = part.partition("-")
            assert len(first) == 4
            assert len(last) in (0, 4)
            numbers.update(range(int(first), int(last or first) + 1))
    assert [number for number, count in numbers.items() if count > 1] == []
    assert numbers.keys() == merchant_codes().merchant.keys() | merchant_codes().broad.keys()
    for name in ("out", "in", "hint"):
        told = Counter(" ".join(SHIPPED[name].values()).split())
        assert [value for value, count in told.items() if count > 1] == []


def test_every_detailed_value_belongs_to_a_primary_one() -> None:
    """Plaid's detailed values begin with their primary value, so a typing error shows."""
    primaries = {*" ".join(SHIPPED["hint"].values()).split(), "TRANSFER_IN", "TRANSFER_OUT"}
    for direction in ("out", "in"):
        for value in " ".join(SHIPPED[direction].values()).split():
            assert any(value.startswith(f"{primary}_") for primary in primaries), value


def test_there_are_enough_of_them() -> None:
    """Most shops' codes and most of Plaid's values say something."""
    assert len(merchant_codes().merchant) >= 1_000
    assert len(merchant_codes().detailed["out"]) >= 70
    assert len(merchant_codes().detailed["in"]) >= 20


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("5411", "groceries"),
        ("5812", "dining"),
        ("5541", "transport"),
        ("3058", "travel"),
        ("0742", "pets"),
        ("742", "pets"),
        ("6011", "cash"),
        ("FOOD_AND_DRINK_COFFEE", "dining"),
        ("RENT_AND_UTILITIES_RENT", "rent"),
        ("MEDICAL_VETERINARY_SERVICES", "pets"),
        ("LOAN_PAYMENTS_CREDIT_CARD_PAYMENT", "unlinked_card"),
        ("TRANSFER_OUT_SAVINGS", "savings"),
    ],
)
def test_a_code_of_one_trade_files(code: str, category: str) -> None:
    """A code of one trade names its category, surely enough to apply, and says why."""
    said = match_code(code)
    assert said is not None
    assert said.category == category
    assert said.confidence >= APPLIES_FROM
    assert BUILT_IN[category].label.lower() in said.rule_text


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("INCOME_SALARY", "wages"),
        ("INCOME_WAGES", "wages"),
        ("INCOME_GIG_ECONOMY", "self_employment"),
        ("INCOME_TAX_REFUND", "tax_refund"),
        ("LOAN_DISBURSEMENTS_STUDENT", "loan_proceeds"),
        ("LOAN_PAYMENTS_CREDIT_CARD_PAYMENT", "card_payment"),
    ],
)
def test_money_in_has_codes_of_its_own(code: str, category: str) -> None:
    """What Plaid says of a credit files the credit."""
    said = match_code(code, "in")
    assert said is not None
    assert said.category == category


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("5999", "shopping"),
        ("TRAVEL", "travel"),
        ("FOOD_AND_DRINK_OTHER_FOOD_AND_DRINK", "dining"),
        ("ENTERTAINMENT_SOMETHING_NEW", "entertainment"),
    ],
)
def test_a_code_of_many_trades_only_suggests(code: str, category: str) -> None:
    """A broad code, a primary value and a value that is not known yet are hints."""
    said = match_code(code)
    assert said is not None
    assert said.category == category
    assert said.confidence < APPLIES_FROM


@pytest.mark.parametrize(
    ("code", "direction"),
    [
        *((code, "out") for code in ("4829", "5262", "9998", "", "abcd", "-5411", "５４１１")),
        ("5411", "in"),
        ("GENERAL_MERCHANDISE_ONLINE_MARKETPLACES", "out"),
        ("GENERAL_MERCHANDISE_SUPERSTORES", "out"),
        ("TRANSFER_OUT_TRANSFER_OUT_FROM_APPS", "out"),
        ("TRANSFER_IN_ACCOUNT_TRANSFER", "in"),
        ("INCOME_SALARY", "out"),
        ("FOOD_AND_DRINK_COFFEE", "in"),
        ("OTHER_OTHER", "out"),
    ],
)
def test_a_code_of_no_one_thing_says_nothing(code: str, direction: Direction) -> None:
    """Money transfer, marketplaces, the other direction and what is no code at all decide nothing."""
    assert match_code(code, direction) is None

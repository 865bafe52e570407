"""Classes: every row is on one sheet, by its pairing first, then its amount, then its sign."""

from dataclasses import replace

import pytest
from hypothesis import given

from finplan.plan.ledger.classes import category_of, classify_rows, paired_category
from finplan.plan.ledger.ledger import ACCOUNT, PEER, Row
from tests.plan.households import Household, household
from tests.plan.unruly import unruly_households


def furnished() -> Household:
    """A household with an account of every kind."""
    return (
        household()
        .checking()
        .savings()
        .card()
        .loan("car")
        .loan("home", "Mortgage")
        .brokerage()
        .account("hsa", subtype="hsa")
        .account("abroad", currency="EUR")
        .savings("hidden savings", hidden=True)
        .savings("copy of savings", hidden=True, duplicate=True)
        .checking("hidden checking", hidden=True)
        .payee("SHOP", "groceries")
        .payee("LENDER", "mortgage")
        .payee("TENANCY", "rent", filed=frozenset({"out"}))
        .payee("LODGER", "rent", filed=frozenset({"in"}))
    )


@pytest.mark.parametrize(
    ("peer", "payee", "amount", "counts", "category"),
    [
        ("savings", "SHOP", -1, False, "transfer"),
        ("savings", "SHOP", 1, False, "transfer"),
        ("savings", "SHOP", -1, True, "interest_fees"),
        ("card", "SHOP", -1, True, "interest_fees"),
        ("brokerage", "SHOP", -1, True, "interest_fees"),
        ("hidden savings", "SHOP", -1, False, "savings"),
        ("hidden savings", "SHOP", 1, False, "savings"),
        ("copy of savings", "SHOP", -1, False, "transfer"),
        ("hidden checking", "SHOP", -1, False, "transfer"),
        ("abroad", "SHOP", -1, False, "savings"),
        ("abroad", "SHOP", 1, False, "savings"),
        ("abroad", "SHOP", -1, True, "uncategorized"),
        ("abroad", "LENDER", -1, True, "uncategorized"),
        ("abroad", "TENANCY", -1, True, "rent"),
        ("abroad", "LODGER", -1, True, "uncategorized"),
        ("card", "SHOP", -1, False, "card_payment"),
        ("brokerage", "SHOP", -1, False, "investing"),
        ("brokerage", "SHOP", 1, False, "investing"),
        ("hsa", "SHOP", -1, False, "savings"),
        ("car", "SHOP", -1, True, "loan_payment"),
        ("home", "SHOP", -1, True, "mortgage"),
        ("car", "LENDER", -1, True, "mortgage"),
        ("car", "SHOP", -1, False, "extra_principal"),
        ("car", "SHOP", 1, False, "loan_proceeds"),
    ],
)
def test_a_pairing_decides_before_the_payee(
    peer: str,
    payee: str,
    amount: int,
    counts: bool,
    category: str,
) -> None:
    """What the other leg is on tells what a movement was, except which loan's payee it is."""
    home = furnished()
    own, other = home.accounts["checking"], home.accounts[peer]
    assert paired_category(amount, own, other, home.payees[payee], counts=counts) == category


def test_what_comes_back_of_money_spent_abroad_is_no_saving() -> None:
    """Where a payment to an account abroad was spending, its return is a move, and never income."""
    home = furnished()
    home.on("checking").row("2025-03-03", "SHOP", 100_00, peer="abroad", counts=False)
    ledger = home.ledger()
    (row,) = ledger.rows
    assert category_of(ledger, row) == "savings"
    spent = replace(ledger, spent_abroad=frozenset({row[PEER]}))
    assert category_of(spent, row) == "transfer"


def test_a_payment_is_one_from_both_ends() -> None:
    """The card's own row of its payment is a card payment too."""
    home = furnished()
    own, other = home.accounts["card"], home.accounts["checking"]
    assert paired_category(1, own, other, home.payees["SHOP"], counts=False) == "card_payment"


@given(unruly_households())
def test_every_row_is_on_one_sheet(home: Household) -> None:
    """Sheets hold all rows once, each under its own category, and none is empty."""
    ledger = home.ledger()
    sheets = classify_rows(ledger)
    rows: list[Row] = [row for sheet in sheets for row in sheet.rows]
    assert sorted(rows) == sorted(ledger.rows)
    for sheet in sheets:
        assert sheet.rows
        assert sheet.flow == ledger.catalogue.flow(sheet.category)
        for row in sheet.rows:
            assert row[0] == sheet.payee
            assert category_of(ledger, row) == sheet.category
        assert [row[2] for row in sheet.rows] == sorted(row[2] for row in sheet.rows)
    assert len({(sheet.payee, sheet.category) for sheet in sheets}) == len(sheets)


@given(unruly_households())
def test_amounts_of_ones_own_take_the_long_way_to_the_same_sheets(home: Household) -> None:
    """A rule for an amount that never comes changes nothing."""
    ledger = home.ledger()
    ruled = {
        number: replace(payee, by_amount={**payee.by_amount, 10**9: "rent"})
        for number, payee in ledger.payees.items()
    }
    plain = {(one.payee, one.category): list(one.rows) for one in classify_rows(ledger)}
    long = {
        (one.payee, one.category): list(one.rows)
        for one in classify_rows(replace(ledger, payees=ruled))
    }
    assert plain == long


def test_a_rows_own_word_goes_before_its_payee_and_not_before_its_pairing() -> None:
    """Of equal rows as many are filed by themselves as there are words; a transfer's leg is none."""
    home = furnished().on("checking")
    for _ in range(3):
        home.charge("2025-11-06", "SHOP", 20_00)
    home.charge("2025-11-07", "SHOP", 20_00)
    ledger = home.ledger()
    place = (ledger.rows[0][ACCOUNT], 20251106, -20_00)
    number = home.payee_number("SHOP")
    filed = replace(
        ledger.payees[number], by_row={place: [((-20_00, "dining"),)]}, by_amount={20_00: "pets"}
    )
    paired = (*ledger.rows[0][:4], home.number("savings"), 0)
    told = replace(
        ledger,
        rows=[paired, *ledger.rows[1:]],
        payees={**ledger.payees, number: filed},
    )
    assert {sheet.category: len(sheet.rows) for sheet in classify_rows(told)} == {
        "transfer": 1,
        "dining": 1,
        "pets": 2,
    }

"""Payments to own cards: paired whichever bank books first, and with no stranger's money."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.transfers import find_doubtful_pairs, find_pairs
from tests.plan.own_accounts import (
    ACCOUNTS,
    BROKERAGE,
    CARD,
    CHECKING,
    JOINT,
    LOAN,
    SAVINGS,
    Statement,
    account,
)

SPARROW, HERON, TWIN = 21, 22, 23
OTHER_CARDS: Mapping[int, LedgerAccount] = {
    **ACCOUNTS,
    SPARROW: account("credit", "credit card", "9090", "Sparrow Bank"),
    HERON: account("credit", "credit card", None, "Statement files", name="heron card"),
    TWIN: account("credit", "credit card", "9191", "Sparrow Bank"),
}
MONDAY = date(2025, 3, 10)


def paid(
    late: int, left: str, arrived: str, amount: int = 812_40, category: str | None = None
) -> bool:
    """Whether a payment from checking is paired with a card's credit so many days later."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -amount, left, category)
    rows.row(CARD, MONDAY + timedelta(late), amount, arrived)
    return bool(rows.pairs())


@pytest.mark.parametrize("late", range(-5, 6))
@pytest.mark.parametrize(
    ("left", "arrived"),
    [
        ("CHASE CREDIT CRD AUTOPAY", "PAYMENT THANK YOU-MOBILE"),
        ("ONLINE PAYMENT TO CREDIT CARD ...3333", "AUTOPAY PAYMENT"),
        ("BILL PAYMENT", "PAYMENT RECEIVED - THANK YOU"),
        ("E-PAYMENT 55120", "DIRECTPAY FULL BALANCE"),
        ("CHASE 88123", "INTERNET PAYMENT"),
        ("KREDITKARTENABRECHNUNG", "ZAHLUNG ERHALTEN"),
        ("PRELEVEMENT CARTE", "REGLEMENT"),
        ("HERON DDR 88123", "DIRECT DEBIT RECEIVED THANKS"),
        ("PAGO DE TARJETA", "PAGO RECIBIDO"),
    ],
)
def test_a_cards_credit_may_be_booked_five_days_before_its_debit_or_after(
    late: int, left: str, arrived: str
) -> None:
    """Issuers credit a payment when it is asked for, banks pay it when it is collected."""
    assert paid(late, left, arrived)


@pytest.mark.parametrize("late", [-6, 6])
def test_six_days_are_too_many(late: int) -> None:
    """However much the texts tell, a payment is not under way for longer than five days."""
    assert not paid(late, "CHASE AUTOPAY ...3333", "PAYMENT THANK YOU")


@pytest.mark.parametrize("late", [-5, -2, 5])
@pytest.mark.parametrize(
    ("left", "arrived"),
    [
        ("REF 88123", "PAYMENT THANK YOU"),
        ("CHASE AUTOPAY", "CREDIT 12"),
        ("CHASE AUTOPAY ...3333", "OUTFITTERS RETURN"),
        ("REF 88123", "CREDIT 12"),
    ],
)
def test_far_apart_both_rows_have_to_tell(late: int, left: str, arrived: str) -> None:
    """A debit that tells nothing, or a credit that does, is not joined over the unusual distance."""
    assert not paid(late, left, arrived)


@pytest.mark.parametrize("late", [-5, -2, 5])
def test_far_apart_a_round_sum_needs_the_cards_name(late: int) -> None:
    """What strangers pay is mostly round: a payment word on both sides is no evidence for it."""
    assert not paid(late, "ONLINE PAYMENT 5512", "PAYMENT THANK YOU", 50_00)
    assert not paid(late, "ONLINE PAYMENT 5512", "PAYMENT THANK YOU", 35_00)
    assert paid(late, "ONLINE PAYMENT 5512", "PAYMENT THANK YOU", 35_01)
    assert paid(late, "ONLINE PAYMENT ...3333", "PAYMENT THANK YOU", 50_00)
    assert paid(late, "CHASE PAYMENT", "PAYMENT THANK YOU", 50_00)
    assert paid(late, "CARDMEMBER SERV", "PAYMENT THANK YOU", 50_00, "unlinked_card")


@pytest.mark.parametrize("late", [-2, 5])
def test_what_is_filed_as_a_cards_payment_is_one_without_its_words(late: int) -> None:
    """Payees known for payments to cards need no other word for it, on either side."""
    assert paid(late, "BARCLAYCARD DD", "PAYMENT RECEIVED", category="unlinked_card")
    rows = Statement()
    rows.row(CHECKING, MONDAY, -812_40, "CHASE 12")
    rows.row(CARD, MONDAY + timedelta(late), 812_40, "MERCI", "card_payment")
    assert rows.pairs() == [(1, 2)]
    assert not paid(late, "DRIVEWELL LOAN", "PAYMENT", 50_00, "loan_payment")


@pytest.mark.parametrize("late", [-4, 5])
def test_far_apart_another_cards_name_rules_a_pair_out(late: int) -> None:
    """What went to one card is not what the other got, though both are paid the same."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -812_40, "SPARROW ONLINE PAYMENT", "unlinked_card")
    rows.row(CARD, MONDAY + timedelta(late), 812_40, "PAYMENT THANK YOU")
    assert find_pairs(rows.legs, ACCOUNTS)
    assert not find_pairs(rows.legs, OTHER_CARDS)


def test_cards_that_share_their_banks_name_rule_each_other_out_in_nothing() -> None:
    """A row that names the bank of two own cards, where the household banks too, names neither."""
    at_sparrow = account("depository", "checking", "1111", "Sparrow Bank")
    rows = Statement()
    rows.row(CHECKING, MONDAY, -812_40, "SPARROW ONLINE PMT")
    rows.row(SPARROW, MONDAY - timedelta(3), 812_40, "PAYMENT")
    assert len(find_pairs(rows.legs, {**OTHER_CARDS, CHECKING: at_sparrow})) == 1


@pytest.mark.parametrize(("left", "paired"), [("SPARROW E-PAYMENT", True), ("SPARROW 12", False)])
def test_a_payment_that_names_the_bank_of_both_accounts_is_the_cards(
    left: str, paired: bool
) -> None:
    """Where card and account are of one bank its name alone is no evidence, and with the word it is."""
    at_sparrow = account("depository", "checking", "1111", "Sparrow Bank")
    rows = Statement()
    rows.row(CHECKING, MONDAY, -50_00, left)
    rows.row(SPARROW, MONDAY - timedelta(3), 50_00, "PAYMENT")
    assert bool(find_pairs(rows.legs, {**OTHER_CARDS, CHECKING: at_sparrow})) is paired


@pytest.mark.parametrize("late", [0, 3])
def test_a_shops_refund_on_a_card_is_not_its_payment(late: int) -> None:
    """A bill of the same sum left the bank that week; only a number proves that it paid the card."""
    assert not paid(late, "ONLINE PAYMENT 41693610975 TO MERRIMONT", "QUILLDALE OUTFITTERS RENO")
    assert not paid(late, "CHASE CREDIT CRD AUTOPAY", "QUILLDALE OUTFITTERS RENO")
    assert paid(late, "ONLINE PAYMENT ...3333", "QUILLDALE OUTFITTERS RENO")


def test_one_payee_on_both_sides_is_a_purchase_and_its_refund() -> None:
    """Whatever words its text has; the card's own bank is on both sides of a payment."""
    assert not paid(1, "VALESTEAD ENERGY WEB PMTS", "VALESTEAD ENERGY WEB PMTS")
    assert paid(1, "CHASE WEB PMTS", "CHASE WEB PMTS")
    assert paid(1, "KREDITKARTENABRECHNUNG", "KREDITKARTENABRECHNUNG")
    assert paid(1, "HERON CARD WEB PMTS", "HERON CARD WEB PMTS", category="unlinked_card")


@pytest.mark.parametrize("late", [-4, 1])
def test_a_row_that_pays_a_named_card_is_believed_before_its_payees_category(late: int) -> None:
    """Some banks write so much into a payee's rows that it is filed by what others of them were for."""
    assert paid(late, "TYPE: EPAY CO: CHASE NAME: MAX", "PAYMENT - THANK YOU", 50_00, "utilities")
    assert not paid(late, "TYPE: EPAY CO: MOBILE NAME: MAX", "PAYMENT - THANK YOU", 1, "utilities")
    assert not paid(late, "CHASE 12", "PAYMENT - THANK YOU", 50_00, "utilities")
    assert not paid(late, "DRIVEWELL LOAN PMT", "PAYMENT - THANK YOU", 50_00, "utilities")
    rows = Statement()
    rows.row(CHECKING, MONDAY, -265_00, "TYPE: INVESTMENT CO: INVEST NAME: MAX", "hobbies")
    rows.row(BROKERAGE, MONDAY + timedelta(1), 265_00, "FUNDS RECEIVED")
    assert rows.pairs() == [(1, 2)]


def test_the_nearest_day_is_chosen_either_way() -> None:
    """Of two credits of one sum the one a day later is nearer than the one three days before."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -812_40, "CHASE AUTOPAY")
    rows.row(CARD, MONDAY - timedelta(3), 812_40, "PAYMENT")
    near = rows.row(CARD, MONDAY + timedelta(1), 812_40, "PAYMENT")
    assert rows.pairs() == [(1, near)]


def test_a_card_of_a_file_is_known_by_its_name() -> None:
    """Where a file tells no bank, the account is called after it, and rows name it so."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -50_00, "HERON ONLINE PMT")
    rows.row(HERON, MONDAY - timedelta(4), 50_00, "PAYMENT")
    assert len(find_pairs(rows.legs, OTHER_CARDS)) == 1


def test_two_cards_of_one_bank_are_told_apart_by_days_or_left() -> None:
    """A payment to a bank with two own cards goes to the nearest, and to none if two are as near."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -40_00, "SPARROW AUTOPAY")
    near = rows.row(SPARROW, MONDAY - timedelta(2), 40_00, "PAYMENT")
    rows.row(TWIN, MONDAY + timedelta(3), 40_00, "PAYMENT")
    assert [pair.into for pair in find_pairs(rows.legs, OTHER_CARDS)] == [near]
    rows.row(TWIN, MONDAY - timedelta(2), 40_00, "PAYMENT")
    assert find_pairs(rows.legs, OTHER_CARDS) == []
    assert len(find_doubtful_pairs(rows.legs, OTHER_CARDS)) == 3


@pytest.mark.parametrize("late", [-4, 5])
def test_transfers_are_far_apart_only_where_a_row_names_the_other_account(late: int) -> None:
    """Both say transfer, and a number, a bank, an order or a name ties the two."""
    for left, arrived, tied in [
        ("TRANSFER", "TRANSFER", False),
        ("TRANSFER TO ...2222", "TRANSFER", True),
        ("TRANSFER 123456789", "TRANSFER 123456789", True),
        ("UEBERWEISUNG MAX MUSTERMANN", "UEBERWEISUNG MUSTERMANN MAX", True),
        ("TRANSFER TO ...2222", "GUTSCHRIFT", False),
        ("MAX MUSTERMANN", "MUSTERMANN MAX", False),
    ]:
        rows = Statement()
        rows.row(CHECKING, MONDAY, -500_00, left)
        rows.row(SAVINGS, MONDAY + timedelta(late), 500_00, arrived)
        assert bool(rows.pairs()) is tied, (left, arrived)


def test_a_loans_payment_is_far_apart_by_words_of_both() -> None:
    """A loan's payment is booked as a card's is."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -300_00, "DRIVEWELL AUTO LOAN", "loan_payment")
    rows.row(LOAN, MONDAY - timedelta(3), 300_00, "PAYMENT RECEIVED")
    assert [pair.spends for pair in find_pairs(rows.legs, ACCOUNTS)] == [True]
    rows = Statement()
    rows.row(CHECKING, MONDAY, -300_00, "DRIVEWELL AUTO LOAN", "loan_payment")
    rows.row(LOAN, MONDAY - timedelta(3), 300_00, "ADJUSTMENT")
    assert find_pairs(rows.legs, ACCOUNTS) == []


def test_nothing_far_apart_is_asked_about_without_evidence() -> None:
    """Equal amounts of strangers days apart are no question either."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -42_17, "REF 88123")
    rows.row(CARD, MONDAY - timedelta(3), 42_17, "CREDIT 12")
    assert find_doubtful_pairs(rows.legs, ACCOUNTS) == []


DEBITS = {
    CARD: ("CHASE CREDIT CRD AUTOPAY", "Payment to Chase card ending in 3333", "CHASE EPAY 8812"),
    SPARROW: ("SPARROW BANK ACH PMT", "PAYMENT TO CRD 9090", "SPARROW ONLINE PMT"),
    HERON: ("HERON CARD BILL PAYMENT", "HERON E-PAYMENT", "HERON AUTOPAY"),
}
CREDITS = ("AUTOPAY PAYMENT - THANK YOU", "INTERNET PAYMENT", "Automatic Payment", "PAYMENT")


def a_year_of_cards(
    seed: int, lags: Sequence[int] = range(-5, 6)
) -> tuple[Statement, set[tuple[int, int]]]:
    """Three cards paid monthly, now and then by the same least sum, among strangers' equal amounts."""
    chance = random.Random(seed)
    rows, true = Statement(), set()
    for month in range(12):
        day = date(2025, 1, 8) + timedelta(30 * month)
        for card, left in DEBITS.items():
            amount = chance.choice([35_00, chance.randrange(10_00, 2000_00)])
            booked = day + timedelta(chance.randrange(4))
            out = rows.row(CHECKING, booked, -amount, chance.choice(left), "unlinked_card")
            arrival = booked + timedelta(chance.choice(lags))
            true.add((out, rows.row(card, arrival, amount, chance.choice(CREDITS), "card_payment")))
            near = booked + timedelta(chance.randrange(-5, 6))
            match chance.randrange(5):
                case 0:
                    rows.row(JOINT, near, -amount, "JANE DOE 5512")
                case 1:
                    rows.row(JOINT, near, -amount, "ONLINE PAYMENT GREENLEAF LAWN", "home_upkeep")
                case 2:
                    rows.row(card, near, amount, "OUTFITTERS RETURN", "shopping")
                case 3:
                    rows.row(SAVINGS, near, amount, "GUTSCHRIFT MAX MUSTERMANN")
                case 4:
                    rows.row(card, near, -amount, "TICKET OFFICE", "entertainment")
                    rows.row(CHECKING, near, amount, "ZELLE FROM JOHN SMITH")
    return rows, true


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_cards_paid_within_five_days_either_way_are_all_told(
    seed: int, order: random.Random
) -> None:
    """No pair is wrong, whatever else has the amount; nearly all are found; any order says the same."""
    rows, true = a_year_of_cards(seed)
    order.shuffle(rows.legs)
    found = {(pair.out, pair.into) for pair in find_pairs(rows.legs, OTHER_CARDS)}
    assert found <= true
    assert len(found) >= 0.97 * len(true) - 1

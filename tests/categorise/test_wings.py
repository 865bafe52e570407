"""A shop's wings keep their own category; banks' words, fees among them, are read by class."""

import pytest

from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.payee import payee_of


def _out(raw: str) -> tuple[str, str]:
    """The key of a descriptor, and where money out to it goes."""
    payee = payee_of(raw)
    return payee.key, decide(PayeeFacts(payee.key, payee.name, raw, debits=2, credits=0)).out


@pytest.mark.parametrize(
    ("raw", "key", "category"),
    [
        ("COSTCO GAS #0441 BOISE ID", "costco gas", "transport"),
        ("TESCO PHARMACY 0441 LEEDS GB", "tesco pharmacy", "health"),
        ("TESCO STORES 0441 LEEDS GB", "tesco", "groceries"),
        ("ASDA CAFE LEEDS GB", "asda cafe", "dining"),
        ("ASDA RESTAURANT LEEDS GB", "asda cafe", "dining"),
        ("ASDA 4412 PHARMACY LEEDS GB", "asda pharmacy", "health"),
        ("WALMART OPTICAL 1182 RENO NV", "walmart pharmacy", "health"),
        ("STARBUCKS HOTEL PLAZA", "starbucks", "dining"),
        ("ASDA LEEDS HOTEL ROAD", "asda", "groceries"),
    ],
)
def test_a_wing_of_a_shop_is_filed_as_what_it_is(raw: str, key: str, category: str) -> None:
    """The word behind a shop's name or number tells the wing; behind a place, or a café, it does not."""
    assert _out(raw) == (key, category)
    assert payee_of(key).key == key


@pytest.mark.parametrize(
    ("raw", "key", "category"),
    [
        ("WITHDRAWAL MADE IN A BRANCH/STORE", "cash withdrawal", "cash"),
        ("COUNTER WITHDRAWAL", "cash withdrawal", "cash"),
        ("PAST DUE FEE", "late fee", "interest_fees"),
        ("PAPER STATEMENT FEE", "bank fee", "interest_fees"),
        ("CMS MEDICARE DES:PREMIUM ID:44K2201 INDN:JANE ROE CCD", "medicare premium", "insurance"),
        ("STANDING ORDER STOCKS ISA", "own savings", "savings"),
        ("S/O TO CASH ISA", "own savings", "savings"),
    ],
)
def test_a_banks_words_are_read_by_class(raw: str, key: str, category: str) -> None:
    """Cash, fees, premiums of the state and what goes to one's own savings are told by their words."""
    assert _out(raw) == (key, category)


@pytest.mark.parametrize(
    ("raw", "category"),
    [
        ("QUILLZWALD LISBOA INCL FOREIGN TRANSACTION FEE 1.20", "uncategorized"),
        ("CASH WITHDRAWAL AT BPI ATM LISBOA INCL NON STERLING TRANSACTION FEE 1.20", "cash"),
        ("ÜBERWEISUNG QUILLZWALD GMBH MIETE", "rent"),
        ("NON STERLING TRANSACTION FEE", "interest_fees"),
        ("FOREIGN TRANSACTION FEE", "interest_fees"),
        ("ATM WITHDRAWAL FEE", "interest_fees"),
        ("QUILLZWALD BANK SERVICE CHARGE", "interest_fees"),
    ],
)
def test_a_fee_is_told_by_its_own_words(raw: str, category: str) -> None:
    """A row of a fee is one; a purchase or cash abroad is not, though its row tells the fee."""
    assert _out(raw)[1] == category

"""Evidence: what the text of a row tells about a transfer."""

import pytest

from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import beyond_schedule, evidence_of, names_bank, names_number


@pytest.mark.parametrize(
    "raw",
    [
        "Online Transfer to SAV ...2222",
        "INTERNET XFER 8831",
        "Umbuchung auf Tagesgeld",
        "VIREMENT VERS LIVRET A",
        "ÜBERWEISUNG",
        "from savings",
        "e-Transfer sent",
    ],
)
def test_transfer_words_are_read_in_many_languages(raw: str) -> None:
    """A bank's word for a transfer is one wherever it stands."""
    assert evidence_of(raw).transfer


@pytest.mark.parametrize("raw", ["TRANSFERWISE", "SHOP 12", "XFERRIS WHEEL", "", "VIRGINIA INN"])
def test_words_that_only_look_like_transfers_are_none(raw: str) -> None:
    """A part of a word is not the word."""
    assert not evidence_of(raw).transfer


@pytest.mark.parametrize(
    "raw", ["AUTOPAY 123", "PAYMENT - THANK YOU", "EPAY CRCARDPMT", "CARD PYMT"]
)
def test_payment_words_are_no_transfer_words(raw: str) -> None:
    """A payment may be anybody's; only cards and loans make it a movement."""
    text = evidence_of(raw)
    assert text.payment
    assert not text.transfer


def test_deposits_and_withdrawals_are_words_of_the_cash_desk() -> None:
    """What a savings bank writes for money that comes or goes is no transfer word."""
    text = evidence_of("WITHDRAWAL 12")
    assert text.cash_desk
    assert not text.transfer
    assert not evidence_of("SHOP").cash_desk


def test_services_between_people_are_known() -> None:
    """A transfer on such a service goes to a person."""
    assert evidence_of("ZELLE TRANSFER FROM JOHN").person
    assert not evidence_of("TRANSFER FROM JOHN").person


@pytest.mark.parametrize(
    ("raw", "endings"),
    [
        ("TO XXXX1234", {"1234"}),
        ("to ...1234 from *5678", {"1234", "5678"}),
        ("CARD ENDING 1234", {"1234"}),
        ("REF 88121234", set()),
        ("INV1234", set()),
        ("12345", set()),
    ],
)
def test_endings_are_four_digits_alone_or_behind_a_mask(raw: str, endings: set[str]) -> None:
    """The last digits of a longer number are no account's."""
    assert evidence_of(raw).endings == endings


def test_an_account_is_named_by_its_number_or_its_bank() -> None:
    """Numbers and institutions are told apart, and an account without a number is never named."""
    text = evidence_of("LARKMOOR CARD AUTOPAY 231120 XXXX1234")
    held = LedgerAccount("a", "c", "Larkmoor Bank", "A", "1234", "credit", None, "USD", 0)
    other = LedgerAccount("b", "c", "Chase", "B", None, "credit", None, "USD", 0)
    assert names_number(text, held)
    assert names_bank(text, held)
    assert not names_number(text, other)
    assert not names_bank(text, other)


@pytest.mark.parametrize(
    "raw", ["EXTRA PRINCIPAL", "ADDL PRIN PMT", "PRINCIPAL ONLY", "Sondertilgung"]
)
def test_a_payment_beyond_the_schedule_is_called_so(raw: str) -> None:
    """Banks say when a payment is principal alone."""
    assert beyond_schedule(raw)
    assert not beyond_schedule("PRINCIPAL AND INTEREST PAYMENT")


@pytest.mark.parametrize(
    "raw",
    [
        "CARD PAYMENT TO CORNER SHOP ON 10-11-2025",
        "PAIEMENT CB LIBRAIRIE PARIS",
        "PAGO CON TARJETA FARMACIA",
    ],
)
def test_a_purchase_by_card_is_no_payment_of_the_card(raw: str) -> None:
    """Some banks call what a card buys a payment too."""
    assert not evidence_of(raw).payment


@pytest.mark.parametrize(
    "raw", ["CHEQUE PAID IN", "BARGELDEINZAHLUNG", "VERSEMENT ESPECES", "MOBILE CHECK DEPOSIT"]
)
def test_cash_and_cheques_are_paper(raw: str) -> None:
    """What is paid in at a counter did not come by transfer."""
    assert evidence_of(raw).paper
    assert not evidence_of("TRANSFER TO CHECKING").paper


def test_only_long_numbers_are_references() -> None:
    """A day or a shop's number is shared by strangers; a number of nine digits is an order's."""
    text = evidence_of("WIRE 2337313354 ON 20260103 STORE 4471")
    assert text.references == {"2337313354"}
    assert text.endings == {"4471"}

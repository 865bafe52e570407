"""Texts of thousands of characters: their payees are found in steps that grow with the length alone."""

from dataclasses import replace
from itertools import count

import pytest

from finplan.categorise.decide import reason_for
from finplan.categorise.joining import joined
from finplan.categorise.long_numbers import _blank_shape, account_in, without_long_numbers
from finplan.categorise.payee import heads, payee_of_blanked
from finplan.categorise.shapes import recipient_text
from tests.hostile_files import filled
from tests.steps import steps

PIECES = (
    "x", "1", "é", "a b ", "co: ", "SQ *", "A>1 ", "A,", "A - ", "12/34 ", "PAYPAL *", "X*•.",
    "transfer to ", "NEW A-CITY OF ", "/NAME/A", "a.b", "IBAN+ ", "[AB] ", "PUR/A/", "LTD ", "M&",
    "POS DEBIT ", "CARTA *8812 ", "PAYMENT TO ", "D'", "A>", "VIR ", "TO ", "CITY OF ", "-12:30 ",
    "the ", "MR ", "ACH ", "des:", "id:1 ", "Visa ", "GmbH ", "1,2.3 ", "_a", "a-b-", "中", "ab cd ",
)  # fmt: skip
_numbers = count(1000)


def spent(piece: str, length: int) -> int:
    """The steps that the payee of a new text takes, which is filled with a piece."""
    # What was found before is remembered, so that no word may be there twice.
    name = "".join("abcdefghij"[int(digit)] for digit in str(next(_numbers)))
    text = f"{name}{filled(piece, length)}{name}"
    return steps(lambda: payee_of_blanked(without_long_numbers(text), None))


@pytest.mark.parametrize("piece", PIECES)
def test_a_payee_takes_steps_that_grow_with_its_text(piece: str) -> None:
    """Whatever a text is filled with, four times as much of it takes about four times as long."""
    spent(piece, 900)

    assert spent(piece, 3600) < 5 * spent(piece, 900)


def test_long_names_are_compared_with_no_others() -> None:
    """What is too long for a name is no other name's writing, however many words it has."""
    few, many = (
        [f"{filled(f'{start} gamma delta ', length)} end" for start in ("alpha", "beta", "eta")]
        for length in (900, 3600)
    )
    joined(few)

    assert steps(lambda: joined(many)) < 5 * steps(lambda: joined(few))
    assert joined(many) == {}


def test_only_the_last_parts_of_a_text_may_be_a_town() -> None:
    """A text of many parts is not asked at each of its commas whether a town begins there."""
    asked: list[str] = []

    def stands_in(_named: str, place: str) -> bool:
        asked.append(place)
        return False

    recipient_text("OTICA CLARA, " * 300 + "GOIANIA - GO", replace(heads(), stands_in=stands_in))

    assert len(asked) < 20


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Transfer to account ending in 1234", "1234"),
        ("Transfer to ****1234", "1234"),
        ("Transfer to xx 1234 CommBank app", "1234"),
        ("Transfer to x1234", None),
        ("Transfer to 123456", None),
        ("Transfer to ****1234 Rent", None),
        ("Account 123456", "123456"),
        ("Account 0000", None),
    ],
)
def test_the_last_digits_of_an_account_are_read(text: str, number: str | None) -> None:
    """A number is an account's if two signs or more mask it, or it stands behind a word for one."""
    assert account_in(text) == number


def test_a_reason_quotes_the_last_word_of_its_sentence() -> None:
    """Each sentence is judged by itself, and what it quotes may be of several words."""
    text = "The words 'corner shop' say groceries. By the bank, its code says 'fuel' of it. Sure."

    assert reason_for(text, "Corner shop 12") == (
        "The words 'corner shop' say groceries. By what other rows of this payee say. Sure."
    )


def test_a_long_text_is_not_remembered() -> None:
    """A long text is blanked as a short one is, and stays in no cache."""
    before = _blank_shape.cache_info().currsize
    long = "CORNER SHOP " * 100 + "REF 123456789"
    assert without_long_numbers(long) == "CORNER SHOP " * 100 + "REF 0000"
    assert _blank_shape.cache_info().currsize == before

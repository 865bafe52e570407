"""Tokens are what keys, shipped phrases and matching have in common."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.tokens import tokens_of


@given(st.text(max_size=60))
def test_tokens_of_tokens_are_the_tokens(text: str) -> None:
    """Splitting is idempotent, whatever the script."""
    tokens = tokens_of(text)
    assert tokens_of(" ".join(tokens)) == tokens


def test_every_character_folds_to_something_that_folds_to_itself() -> None:
    """No character of the basic plane breaks idempotence, alone or between letters."""
    broken = []
    for code in range(min(sys.maxunicode, 0xFFFF) + 1):
        if 0xD800 <= code < 0xE000:
            continue
        tokens = tokens_of(f"{chr(code)} a{chr(code)}b")
        if tokens_of(" ".join(tokens)) != tokens:
            broken.append(hex(code))
    assert broken == []


@given(st.text(max_size=60))
def test_a_token_holds_letters_marks_and_digits_only(text: str) -> None:
    """Punctuation, symbols and white space never reach a token, and no token is empty."""
    for token in tokens_of(text):
        assert token
        assert all(unicodedata.category(char)[0] in "LMN" for char in token)


@given(st.text(alphabet="abcdeABCDE0123 *#/-.'&", max_size=40))
def test_case_does_not_matter(text: str) -> None:
    """Banks write the same shop in any case."""
    assert tokens_of(text.upper()) == tokens_of(text.lower())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("NETFLIX.COM", ["netflix"]),
        ("WWW.AMAZON.CO.UK", ["amazon"]),
        ("HELP.UBER.COM", ["uber"]),
        ("AMZN.COM/BILL", ["amzn", "bill"]),
        ("T-MOBILE", ["tmobile"]),
        ("7-ELEVEN", ["7eleven"]),
        ("1-800-FLOWERS", ["1800flowers"]),
        ("ACH-GEICO", ["ach", "geico"]),
        ("800-555-1212", ["8005551212"]),
        ("21.05.11", ["210511"]),
        ("AT&T", ["att"]),
        ("MACY'S", ["macys"]),
        ("J.CREW", ["jcrew"]),
        ("ST.JOHN'S", ["st", "johns"]),
        ("DISNEY+", ["disneyplus"]),
        ("swiggy@ybl", ["swiggy"]),
        ("Café Müller Straße", ["cafe", "muller", "strasse"]),
        ("Łódź Ærø", ["lodz", "aero"]),
        ("Кофейня №5", ["кофейня", "5"]),
        ("株式会社セブン", ["株式会社セブン"]),
        ("नमस्ते", ["नमस्ते"]),
        ("***", []),
        ("", []),
    ],
)
def test_what_a_word_is(text: str, tokens: list[str]) -> None:
    """A web address is its name, a short side of a hyphen belongs to the other, scripts survive."""
    assert tokens_of(text) == tokens

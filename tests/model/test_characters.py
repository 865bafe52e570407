"""Texts without what a person cannot see."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.characters import are_visible, visible, visible_lines

BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.thorough
def test_no_control_or_bidirectional_character_is_left() -> None:
    """Whatever Unicode calls one, and white space of every kind becomes a blank."""
    for sign in map(chr, range(sys.maxunicode + 1)):
        shown = visible(f"a{sign}b")
        if sign in "\u061c\u200e\u200f" or unicodedata.bidirectional(sign) in BIDIRECTIONAL:
            assert shown == "ab"
        elif unicodedata.category(sign) == "Cc" or sign.isspace():
            assert shown == "a b"
        elif sign in "\u200c\u200d" or unicodedata.category(sign)[0] in "LMNPS":
            assert shown == f"a{sign}b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31mred", "[31mred"), ("a\r\n b", "a b"), ("\u202egnp.exe", "gnp.exe"), ("\x00", ""),
     ("two  blanks", "two  blanks"), ("می‌خواهم", "می‌خواهم")],
)  # fmt: skip
def test_what_is_seen_of_a_text(text: str, shown: str) -> None:
    """Escapes cannot command a terminal, nor can letters be turned round; words are kept."""
    assert visible(text) == shown


@given(st.lists(st.text(max_size=6), max_size=5))
def test_texts_that_are_said_to_be_visible_are(texts: list[str]) -> None:
    """The quick look never lets anything through, and what was cleaned stays as it is."""
    if are_visible(texts):
        assert list(map(visible, texts)) == texts
    assert [visible(visible(text)) for text in texts] == list(map(visible, texts))


@pytest.mark.parametrize("beside", ["", "é"])
def test_every_control_character_is_found(beside: str) -> None:
    """No control character is taken for visible, beside other letters or not."""
    for sign in map(chr, range(0xA0)):
        assert are_visible([f"a{sign}b", beside]) == sign.isprintable()


@pytest.mark.thorough
def test_lines_keep_their_breaks_and_spaces() -> None:
    """Of several lines each sign is as in one, but the breaks and the spaces that indent stay."""
    for sign in map(chr, range(sys.maxunicode + 1)):
        shown = visible_lines(f"  a{sign}b\n")
        if sign == "\n":
            assert shown == "  a\nb\n"
        elif not sign.isspace():
            assert shown == f"  {visible(f'a{sign}b')}\n"
    assert visible_lines("  a\r\n\tb  c\n") == "  a \n b  c\n"

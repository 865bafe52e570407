"""Descriptors as text."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.statements.text.descriptors import are_folded, fold

TEXTS = st.lists(st.text(st.sampled_from("ab |'\t\u2003é"), max_size=5), max_size=4)


@given(TEXTS)
def test_what_is_said_to_be_folded_is(texts: list[str]) -> None:
    """Texts are said to be folded where folding leaves each of them as it is."""
    assert are_folded(texts) == all(fold(text) == text for text in texts)


def test_two_blanks_are_not_folded() -> None:
    """Blanks in a row are folded to one, and two texts beside each other are two."""
    assert not are_folded(["a b", "a  b"])
    assert are_folded(["a b", "", "a|b", "a | b"])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_white_space_is_known(place: int) -> None:
    """No white space of Unicode but a single blank inside a text is taken for folded."""
    spaces = [sign for sign in map(chr, range(sys.maxunicode + 1)) if sign.isspace()]
    assert len(spaces) > 20
    for space in spaces:
        text = f"{'ab'[:place]}{space}{'ab'[place:]}"
        assert are_folded([text]) == (space == " " and place == 1)

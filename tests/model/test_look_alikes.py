"""Names that look like another name are told, and names that can be told apart are not."""

import unicodedata

import pytest

from finplan.model.base import _LOOK_ALIKES, look_alike


@pytest.mark.parametrize(
    ("name", "taken_for"),
    [
        ("F\u043eod", "Food"),
        ("Fo\u03bfd", "Food"),
        ("\uff26\u043e\u043ed", "Food"),
        ("\u0421\u0430r", "Car"),
        ("F\u200co\u043ed", "Food"),
        ("BiIIs", "Bills"),
        ("Food", "F\u043eod"),
        ("\u041d\u041e\u041c\u0415", "HOME"),
        ("Loans 0", "Loans O"),
    ],
)
def test_a_name_in_the_shape_of_another_is_told(name: str, taken_for: str) -> None:
    """One letter of another alphabet is enough, in either of the two names, in any case."""
    assert look_alike(name, ["Else", taken_for]) == taken_for


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Food", "food"),
        ("\uff26ood", "Food"),
        ("Food", "Foot"),
        ("Еда", "Food"),
        ("нота", "hota"),
        ("Fo od", "Food"),
        ("Föod", "Food"),
        ("Дом", "Dom"),
    ],
)
def test_names_that_differ_or_are_the_same_are_no_look_alikes(name: str, other: str) -> None:
    """What is one name has its own refusal; other words, marks and shapes are read apart."""
    assert look_alike(name, [other]) is None


def test_the_first_of_several_is_named() -> None:
    """Of several names of one shape the first is told; of none, nothing."""
    assert look_alike("F\u043e\u043ed", ["Fuel", "Food", "Fo\u03bfd"]) == "Food"
    assert look_alike("Food", []) is None


def test_each_letter_is_drawn_like_one_of_latin() -> None:
    """No letter stands in the table twice, and none is a letter of plain Latin but the capital I."""
    every = "".join(_LOOK_ALIKES.values())
    assert len(set(every)) == len(every)
    assert [sign for sign in every if sign.isascii()] == list("0I1|")
    for sign, likes in _LOOK_ALIKES.items():
        assert all(
            unicodedata.category(sign) == unicodedata.category(like)
            for like in likes
            if not like.isascii() and sign != "l" and like != "Ь"
        ), sign

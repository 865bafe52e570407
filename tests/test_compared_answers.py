"""Answers of two checkouts are compared by all that is no sentence."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from benchmarks.answers import differences, without_sentences

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.from_regex(r"[a-z_]{1,6}", fullmatch=True),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(_JSON)
def test_figures_codes_and_ids_are_compared(value: Any) -> None:
    """What has no words for people stays as it is, and differs from nothing but another value."""
    assert without_sentences(value) == value
    assert list(differences(value, value)) == []
    assert list(differences({"a": value}, {"a": "another"})) != []


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ({"text": "You owe $5."}, {"text": "Card debt: $5."}, True),
        ({"label": "Usual"}, {"label": "Everyday"}, True),
        ({"note": ["Pay the card in full."]}, {"note": ["Clear the card now."]}, True),
        ({"at": "2026-12-01T02:41:11Z"}, {"at": "2026-12-01T02:41:12Z"}, True),
        ({"on": "2026-12-01"}, {"on": "2026-12-02"}, False),
        ({"kind": "price_rise"}, {"kind": "avoid_fees"}, False),
        ({"raw": "ACME PAY OF MAY"}, {"raw": "ACME PAY OF JUNE"}, False),
        ({"text": "You owe it."}, {"detail": "You owe it."}, False),
        ({"amount": 500}, {"amount": 501}, False),
        ([{"text": "One."}], [{"text": "One."}, {"text": "Two."}], False),
    ],
)
def test_only_sentences_may_differ(old: Any, new: Any, *, same: bool) -> None:
    """Words and moments are blanked; names, figures, days, codes and a bank's words are not."""
    assert (list(differences(without_sentences(old), without_sentences(new))) == []) is same


def test_a_difference_says_where_it_is() -> None:
    """By the names and places that lead to it, with both values."""
    assert list(differences({"a": [1, 2]}, {"a": [1, 3], "b": 0})) == [
        "/a/1: 2 → 3",
        "/b: only in the new answer",
    ]

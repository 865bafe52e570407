"""A month says when, and is no part of a payee's key, unless it is all there is or a part of a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.curated import curated
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of

PLAIN = sorted(grammar().plain_months)
ANY = sorted(grammar().dated)
YEARS = st.sampled_from(("", " 2026", " 26", " 11/26"))


@given(
    st.sampled_from(PLAIN),
    YEARS,
    st.sampled_from(("BLUE HERON GYM", "HARLAN ESTATES", "VEREIN HELIOS")),
)
def test_a_month_that_closes_a_name_leaves_the_key(month: str, year: str, name: str) -> None:
    """A word that only names a month is no part of the key, with a year or without."""
    assert payee_of(f"{name} {month.upper()}{year}").key == payee_of(name).key


@given(
    st.sampled_from(ANY),
    YEARS,
    st.sampled_from(
        ("RENT {}", "MIETE {}", "LOYER {}", "RENT FOR {}", "ALQUILER DE {}", "HUUR VOOR {}")
    ),
)
def test_a_month_beside_what_is_paid_by_the_month_leaves_the_key(
    month: str, year: str, due: str
) -> None:
    """Beside rent even a word that may be a name is a month, and the "for" before it goes with it."""
    assert payee_of(due.format(month.upper()) + year).key == payee_of(due.split(maxsplit=1)[0]).key


def test_a_month_before_the_rent_leaves_the_key() -> None:
    """Some write the month first."""
    assert payee_of("OCTOBER RENT").key == payee_of("MARCH RENT").key == "rent"
    assert payee_of("APRIL 4711 RENT").key == "rent"


@given(st.sampled_from(ANY))
def test_a_month_that_is_all_there_is_stays(month: str) -> None:
    """No key is empty."""
    assert payee_of(month).key == month


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("BISTRO SOL Y MAR", "bistro sol mar"),
        ("CLUB ATLETICO 9 DE JULIO", "club atletico julio"),
        ("CAFE NOVEMBER", "cafe november"),
        ("MARCH FURNITURE", "march furniture"),
        ("MAYO CLINIC ROCHESTER MN", "mayo clinic"),
        ("MARCH OF DIMES", "march of dimes"),
        ("OCTOBER GALLERY", "october gallery"),
        ("EMMA MARCH", "emma march"),
    ],
)
def test_a_month_in_a_name_stays(raw: str, key: str) -> None:
    """A surname, the sea, a famous date, a trade's only name and a known merchant keep theirs."""
    assert payee_of(raw).key == key


def test_every_merchant_named_after_a_month_keeps_it() -> None:
    """A name known to the table is not taken apart."""
    named = [name for name in curated().whole if not grammar().dated.isdisjoint(name.split())]
    assert named
    assert {name: payee_of(name).key for name in named} == {
        name: curated().whole[name].key for name in named
    }

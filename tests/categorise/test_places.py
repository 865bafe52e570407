"""Towns end a name only where a descriptor shows that it closes with a place."""

from importlib.resources import files

import pytest

from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

TOWNS = files("finplan.categorise").joinpath("towns.txt").read_text("ascii").splitlines()


def test_the_towns_are_in_order_and_written_as_tokens() -> None:
    """A town that is not as `tokens_of` writes it would never be found; order keeps changes readable."""
    assert sorted(set(TOWNS)) == TOWNS
    assert [town for town in TOWNS if tokens_of(town) != town.split()] == []


def test_no_town_is_a_word_of_names() -> None:
    """A trade, a given name or a city of the hand-made list is no small town of one word."""
    words = grammar()
    cities = {" ".join(city) for named in words.cities.values() for city in named}
    assert words.trades.isdisjoint(TOWNS)
    assert words.given.isdisjoint(TOWNS)
    assert cities.isdisjoint(TOWNS)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("CB GARAGE PERRIN BAGNOLS SUR CEZE", "garage perrin"),
        ("POS DROGHERIA BONI CASALECCHIO DI RENO", "drogheria boni"),
        ("4412 14MAR25 C WILLOW AND FINCH LYDNEY GB", "willow finch"),
        ("FARMACIA SAN MARCO TORINO TO ITA", "farmacia san marco"),
        ("GASTHAUS ZUM HIRSCHEN FREIBURG", "gasthaus zum hirschen"),
        ("LA BANQUISE 994 RUE RACHEL E", "la banquise"),
    ],
)
def test_a_place_that_closes_a_descriptor_is_no_part_of_the_name(raw: str, key: str) -> None:
    """A card purchase, a country, a house number or two words of a shop before a city show a place."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "UNIVERSITY COLLEGE LONDON",
        "HARBOUR LONDON",
        "EMMA LOUISE LONDON",
        "PADARIA BELA VISTA",
        "WILLOW FINCH ALRESFORD",
        "BAR PIAZZA",
    ],
)
def test_a_place_that_may_be_the_name_stays(raw: str) -> None:
    """A seat, a person, a short name and a small town without any sign of an address keep it."""
    assert payee_of(raw).key == raw.lower()

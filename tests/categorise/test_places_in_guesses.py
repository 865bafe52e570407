"""Where a payee is, and who owns it, say nothing of what it sells."""

from importlib.resources import files

import pytest

from finplan.categorise.curated import curated, merchant_named
from finplan.categorise.grammar import grammar
from finplan.categorise.infer import AUTO_FROM, WHOLE_NAME, LabelledPayee, telling_words, train
from finplan.categorise.places import without_places

TOWNS = files("finplan.categorise").joinpath("towns.txt").read_text("ascii").splitlines()
TRADES = grammar().trades.union(*(phrases.words() for phrases in curated().words.values()))
"""Words that say what is sold, of which a few are a town's whole name."""


def _guessed(key: str, *taught: LabelledPayee) -> tuple[str, float] | None:
    guess = train("out", taught).guess(key)
    return None if guess is None else (guess.category, guess.confidence)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "name", ["qzxw vkj", "copper lantern bakery", "quill dental", "sonnenapotheke qzx"]
)
def test_a_town_changes_no_guess(name: str) -> None:
    """A name with any town behind it is guessed as without, unless the town's one word is a trade."""
    shipped = train("out", ())
    cities = {" ".join(city) for named in grammar().cities.values() for city in named}
    places = {*TOWNS, *cities} - TRADES
    assert len(places) > 25_000
    assert len(TRADES & {*TOWNS, *cities}) < 50
    alone = shipped.guess(name)
    assert [town for town in sorted(places) if shipped.guess(f"{name} {town}") != alone] == []


@pytest.mark.parametrize("region", ["west yorkshire", "new hampshire", "california", "toscana"])
def test_a_region_changes_no_guess(region: str) -> None:
    """A county, a state or a country is where a payee is, too."""
    assert train("out", ()).guess(f"qzxw {region}") == train("out", ()).guess("qzxw")


def test_a_place_in_a_merchants_name_is_no_evidence() -> None:
    """A well-known water company of a town makes no water company of a restaurant there."""
    assert merchant_named("san jose water") is not None
    guess = train("out", ()).guess("cheesecake san jose")
    assert guess is not None
    assert (guess.category, guess.word) == ("dining", "cheesecake")
    assert _guessed("san jose") is None


@pytest.mark.parametrize("name", ["emma thompson", "emma", "jack", "melissa"])
def test_a_given_name_is_no_evidence(name: str) -> None:
    """A shop called by a given name ("Emma") makes no shop of everybody of that name."""
    assert _guessed(name) is None


def test_a_given_name_that_is_a_trade_is_evidence() -> None:
    """A harbour called "Marina" is one."""
    assert _guessed("quillon marina") is not None


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("the house of quillon and sons", ["house", "quillon", "sons"]),
        ("la boutique de quillon", ["boutique", "quillon"]),
        ("quillon 44 b quillon card", ["quillon"]),
        ("emma quillon bakery san jose", ["quillon", "bakery"]),
    ],
)
def test_words_that_may_tell_what_is_sold(key: str, words: list[str]) -> None:
    """Articles, joining words, numbers, letters, how it was paid, persons and places tell nothing."""
    assert telling_words(key) == words


def test_a_filed_place_teaches_nothing() -> None:
    """Neither several shops of one town nor a payee called by the town alone speak for others there.

    The whole name that was filed still speaks for the same name with a tail, its town included.
    """
    shops = [LabelledPayee(f"{name} san jose", name, "kids") for name in ("qzxw", "vkjq", "wqzk")]
    town = LabelledPayee("san jose", "San Jose", "taxes")
    assert _guessed("zkwv san jose", *shops, town) is None
    assert _guessed("san jose", *shops, LabelledPayee("san jose qzxw", "Qzxw", "kids")) is None
    again = _guessed("qzxw san jose annex", *shops)
    assert again is not None
    assert again[0] == "kids"
    assert again[1] >= AUTO_FROM


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("quill san jose", "quill"),
        ("quill market drayton", "quill"),
        ("quill garden city kitchen", "quill kitchen"),
        ("quill kew gardens hills", "quill"),
        ("kew gardens", "gardens"),
        ("quill market kitchen", "quill market kitchen"),
        ("quill yorkshire america", "quill"),
        ("quill tours", "quill tours"),
        ("san jose", ""),
        ("", ""),
    ],
)
def test_what_is_left_without_places(name: str, left: str) -> None:
    """Towns go with all their words; a trade stays where it is no part of one, or all of the name."""
    assert without_places(name.split()) == left.split()


def test_a_word_that_is_listed_as_a_trade_counts_in_full() -> None:
    """Only what merchants alone have is a brand; a word of the shipped phrases is evidence by itself."""
    shipped = train("out", ()).shipped
    listed = [shipped.get(f"{WHOLE_NAME}{word}", {}) for word in curated().words["out"].words()]
    assert min(sum(counts.values()) for counts in listed if counts) == 1


@pytest.mark.thorough
def test_a_word_of_one_merchant_files_nothing() -> None:
    """A word that a single well-known merchant has may be a brand: beside unknown words it is a hint."""
    holders: dict[str, set[str]] = {}
    for merchant in curated().whole.values():
        for word in merchant.key.split():
            holders.setdefault(word, set()).add(merchant.key)
    single = {word for word, keys in holders.items() if len(keys) == 1} - TRADES
    assert len(single) > 5_000
    guesses = [_guessed(f"qzxw vkj {word}") for word in sorted(single)]
    sure = [guess for guess in guesses if guess is not None and guess[1] >= 0.5]
    assert len(sure) < len(single) / 2
    assert all(confidence < AUTO_FROM for _, confidence in sure)

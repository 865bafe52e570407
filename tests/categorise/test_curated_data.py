"""The shipped data file: every category exists, nothing is said twice, every phrase can match."""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any, get_args

import pytest

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import InflowSign, Order, Spelling, curated
from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

SHIPPED: dict[str, Any] = tomllib.loads(
    files("finplan.categorise").joinpath("curated.toml").read_text("utf-8")
)
MERCHANTS: list[dict[str, Any]] = SHIPPED["merchants"]
WORDS: list[dict[str, Any]] = SHIPPED["words"]


def listed(block: str) -> list[str]:
    return [" ".join(item.split()) for item in block.split(",")]


def categories_of(group: dict[str, Any]) -> list[str]:
    named = [group[field] for field in ("category", "out", "in", "suggest") if field in group]
    return [*named, *listed(group.get("alternatives", "uncategorized"))]


def spellings() -> list[str]:
    return [
        spelling.strip()
        for group in MERCHANTS
        for item in listed(group["names"])
        for spelling in item.split("|")
    ]


def test_every_category_exists() -> None:
    """Merchants and words name built-in categories only."""
    named = [category for group in (*MERCHANTS, *WORDS) for category in categories_of(group)]
    assert set(named) <= set(BUILT_IN)


def test_a_group_has_known_fields_and_one_way_to_decide() -> None:
    """A typing error in a field's name would drop what it says."""
    for group in MERCHANTS:
        assert group.keys() <= {
            "category",
            "out",
            "in",
            "ask",
            "suggest",
            "people",
            "alternatives",
            "confidence",
            "sign",
            "names",
        }
        assert ("category" in group) + ("out" in group or "in" in group) + ("ask" in group) == 1
    for group in WORDS:
        assert group.keys() <= {"category", "out", "in", "confidence", "sign", "order", "phrases"}
        assert ("category" in group) + ("out" in group or "in" in group) == 1


def test_money_out_is_never_income_and_money_in_never_a_new_spending() -> None:
    """A direction holds only categories whose money flows that way."""
    for group in (*MERCHANTS, *WORDS):
        assert "out" not in group or BUILT_IN[group["out"]].flow != "income"
        assert "in" not in group or BUILT_IN[group["in"]].flow != "spending"


def test_a_sign_is_of_income_and_tells_benefits_apart() -> None:
    """A sign is one of money in; all words of pensions and benefits say which of them they are of."""
    for group in (*MERCHANTS, *WORDS):
        sign = group.get("sign")
        assert sign in (None, *get_args(InflowSign))
        assert sign is None or BUILT_IN[group["in"]].flow == "income"
        assert (sign in ("pension", "temporary", "benefit")) == (
            group.get("in") == "pension_benefits"
        )
        assert group.get("order") in (None, *get_args(Order))


def test_no_phrase_is_said_twice() -> None:
    """Two meanings of one phrase would depend on the order of the file."""
    phrases = Counter(" ".join(tokens_of(one.lstrip("=~"))) for one in spellings())
    assert [phrase for phrase, count in phrases.items() if count > 1] == []
    for direction in ("out", "in"):
        told = Counter(
            phrase
            for group in WORDS
            if direction in group or "category" in group
            for phrase in listed(group["phrases"])
        )
        assert [phrase for phrase, count in told.items() if count > 1] == []


def test_every_phrase_is_normalised() -> None:
    """A phrase that is not what tokens make of it could never match."""
    aliases = [
        alias.strip()
        for group in MERCHANTS
        for item in listed(group["names"])
        for alias in item.split("|")[1:]
    ]
    phrases = [phrase for group in WORDS for phrase in listed(group["phrases"])]
    for phrase in (*aliases, *phrases):
        plain = phrase.lstrip("=~")
        assert " ".join(tokens_of(plain)) == plain


def test_no_name_is_empty() -> None:
    """Every spelling has a letter or a digit, so a stray comma shows."""
    assert [one for one in spellings() if not tokens_of(one.lstrip("=~"))] == []


def test_very_short_names_stand_alone() -> None:
    """Two letters are too few to own everything that follows them."""
    assert [
        spelling.phrase
        for found in curated().merchants.starting.values()
        for _, _, spelling in found
        if len(spelling.phrase) <= 2 and not spelling.alone
    ] == []


def test_a_rail_keeps_its_people() -> None:
    """If a spelling of a rail owns what follows, so does its key; else a key would not be its own."""
    owning = {
        spelling.phrase
        for found in curated().merchants.starting.values()
        for _, _, spelling in found
        if not spelling.alone
    }
    for found in curated().merchants.starting.values():
        for _, _, spelling in found:
            if spelling.merchant.people and not spelling.alone:
                assert spelling.merchant.key in owning


@pytest.mark.parametrize("group", WORDS, ids=lambda group: str(group["phrases"])[:20].strip())
def test_words_are_less_sure_than_merchants(group: dict[str, Any]) -> None:
    """Words are believed up to 0.95, and a hint is clearly below what applies."""
    assert 0.85 <= group["confidence"] <= 0.95 or 0.5 <= group["confidence"] <= 0.6


def test_merchants_are_sure() -> None:
    """A known merchant is believed from 0.95 to 0.99, less where its group says why not."""
    stated = {group["confidence"] for group in MERCHANTS if "confidence" in group}
    assert stated <= {0.85, 0.95}
    for merchant in curated().whole.values():
        assert 0.85 <= merchant.confidence <= 0.99


def shipped_spellings() -> list[Spelling]:
    return [spelling for found in curated().merchants.starting.values() for _, _, spelling in found]


def test_every_spelling_finds_its_own_merchant_and_category() -> None:
    """No spelling is hidden by another one or by the grammar: as a descriptor it is its merchant.

    It is filed where its group says, and a marketplace or a rail is not filed at all.
    """
    lost = []
    for phrase, _, merchant, _ in shipped_spellings():
        raw = phrase.upper()
        payee = payee_of(raw)
        decision = decide(PayeeFacts(payee.key, payee.name, raw, 1, 0))
        filed = merchant.out is None or decision.out == merchant.out
        if (
            payee.key != merchant.key
            or (merchant.ask and decision.source)
            or not (filed or merchant.ask)
        ):
            lost.append((phrase, payee.key, decision.out))
    assert lost == []


def test_a_branch_of_a_merchant_is_the_merchant() -> None:
    """A branch number and a city after a name change nothing, unless only the bare name is it."""
    lost = [
        phrase
        for phrase, alone, merchant, _ in shipped_spellings()
        if not alone and not merchant.people
        if payee_of(f"{phrase.upper()} #01234 PORTLAND OR").key != merchant.key
    ]
    assert lost == []


def test_there_is_enough_of_it() -> None:
    """The everyday merchants and words of many countries are known."""
    assert len({merchant.key for merchant in curated().whole.values()}) >= 8_000
    assert sum(len(listed(group["phrases"])) for group in WORDS) >= 2_000


def test_what_parts_two_payees_is_never_dropped_as_noise() -> None:
    """A word that makes "macys credit card" another payee may not be taken away as an ending."""
    words = grammar()
    dropped = words.trailers | words.noise | words.states | words.generic
    assert dropped.isdisjoint(curated().distinct)

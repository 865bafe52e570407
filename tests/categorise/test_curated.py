"""The shipped data: every category exists, nothing is said twice, every phrase can match.

What they say of a descriptor, and what they must never say; forgetting them changes no answer. The
themes' phrases can be found, no two themes are for one payee, and names are free.
"""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import (
    CuratedMatch,
    Direction,
    InflowSign,
    Order,
    Spelling,
    clear_caches,
    curated,
)
from finplan.categorise.decide import APPLIES_FROM, PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.matching import match
from finplan.categorise.payee import payee_of
from finplan.categorise.suggest import themes
from finplan.categorise.tokens import tokens_of
from finplan.model.category import Theme
from tests.categorise.descriptors import DESCRIPTORS
from tests.categorise.expected import ASKED, MONEY_IN, MONEY_OUT, MUST_NOT
from tests.present import present

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
    for merchant in curated().by_phrase.values():
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
    assert len({merchant.key for merchant in curated().by_phrase.values()}) >= 8_000
    assert sum(len(listed(group["phrases"])) for group in WORDS) >= 2_000


def test_what_parts_two_payees_is_never_dropped_as_noise() -> None:
    """A word that makes "macys credit card" another payee may not be taken away as an ending."""
    words = grammar()
    dropped = words.trailers | words.noise | words.states | words.generic
    assert dropped.isdisjoint(curated().distinct)


WAYS: tuple[Direction, Direction] = ("out", "in")


def rows(table: str) -> list[tuple[str, str]]:
    """Descriptor and category of each line of a table."""
    found = []
    category = ""
    for line in table.strip("\n").splitlines():
        if line.startswith(" "):
            found.append((line.strip(), category))
        else:
            category = line
    return found


def said_of(raw: str, direction: Direction) -> CuratedMatch | None:
    return match(payee_of(raw).key, raw, direction)


@pytest.mark.parametrize(("raw", "category"), rows(MONEY_OUT))
def test_money_out_is_filed_as_a_person_would(raw: str, category: str) -> None:
    """Known merchants and telling words file a charge, surely enough to apply."""
    said = present(said_of(raw, "out"))
    assert (said.category, said.ask) == (category, False)
    assert said.confidence >= APPLIES_FROM


@pytest.mark.parametrize(("raw", "category"), rows(MONEY_IN))
def test_money_in_is_filed_as_a_person_would(raw: str, category: str) -> None:
    """Pay, benefits, interest, refunds and payments of a card are told by their words."""
    said = present(said_of(raw, "in"))
    assert (said.category, said.ask) == (category, False)
    assert said.confidence >= APPLIES_FROM


@pytest.mark.parametrize("raw", [raw for raw, _ in rows(ASKED)])
def test_marketplaces_and_rails_are_asked(raw: str) -> None:
    """Where anything may be bought, or anybody paid, only the person knows."""
    assert present(said_of(raw, "out")).ask


@pytest.mark.parametrize(("raw", "category"), rows(MUST_NOT))
def test_a_word_that_only_looks_alike_does_not_match(raw: str, category: str) -> None:
    """A common word or a part of a word is not the merchant that is called so."""
    for direction in WAYS:
        said = said_of(raw, direction)
        assert said is None or said.category != category


def test_the_tables_are_large_enough_to_mean_something() -> None:
    """At least 150 descriptors are checked, and most categories among them."""
    expected = [*rows(MONEY_OUT), *rows(MONEY_IN)]
    assert len(expected) >= 150
    assert len({category for _, category in expected}) >= 38


def test_no_phrase_matches_inside_a_word() -> None:
    """A token with letters before or behind it is another token."""
    words = {phrase for phrase in curated().by_phrase if " " not in phrase}
    for telling in curated().phrases.values():
        words.update(telling.starting)
    glued = {around for word in words for around in (f"{word}zqk", f"zqk{word}")}
    for direction in WAYS:
        assert [word for word in glued if match(word, word, direction)] == []


def test_the_longest_phrase_wins() -> None:
    """More words say more: a fee at an ATM is a fee, an animal hospital is for pets."""
    for raw, category in [
        ("NON-NETWORK ATM FEE", "interest_fees"),
        ("BAYSIDE ANIMAL HOSPITAL", "pets"),
        ("COSTCO GAS #12", "transport"),
        ("WALMART PHARMACY #12", "health"),
    ]:
        assert present(said_of(raw, "out")).category == category


def test_of_equal_phrases_the_last_one_wins() -> None:
    """English puts what a shop is last: a college pizza is pizza, a pizza college a college."""
    said = present(match("gym pizza", "GYM PIZZA", "out"))
    assert said.category == "dining"
    said = present(match("pizza gym", "PIZZA GYM", "out"))
    assert said.category == "hobbies"


def test_for_money_out_a_merchant_is_better_evidence_than_words() -> None:
    """What is bought at a known merchant is filed with it, whatever words follow its name."""
    assert present(said_of("CHEVRON CAR WASH 0093998 PORTLAND OR", "out")).category == "transport"


def test_for_money_in_words_are_better_evidence_than_a_merchant() -> None:
    """A broker's dividend is interest, though what it pays back is a withdrawal."""
    assert present(said_of("ROBINHOOD DIVIDEND", "in")).category == "interest"


def test_the_sign_counts() -> None:
    """What comes in from a payee is judged by other words than what goes out.

    An employer that also sells is one payee, of which the sign tells pay from purchases.
    """
    paid, earned = (said_of("STARBUCKS PAYROLL 251115", way) for way in WAYS)
    assert paid is not None
    assert (paid.category, present(earned).category) == ("dining", "wages")
    owed, refunded = (said_of("IRS TREAS 310 TAX REF", way) for way in WAYS)
    assert owed is not None
    assert (owed.category, present(refunded).category) == ("taxes", "tax_refund")


def test_a_match_says_why() -> None:
    """The sentence names the category of a known merchant, or the words that matched."""
    known = match("safeway", "SAFEWAY #1711", "out")
    assert present(known).rule_text == "Known merchant: groceries"
    raw = "FIRST BANK CREDIT CARD PAYMENT"
    told = present(match(raw.lower(), raw, "out"))
    assert "“credit card payment”" in told.rule_text


@given(DESCRIPTORS, st.sampled_from(WAYS))
def test_a_match_is_always_a_category(raw: str, direction: Direction) -> None:
    """Whatever the text, a match names a category that exists, with a confidence and a reason."""
    said = said_of(raw, direction)
    if said is not None:
        assert said.category in BUILT_IN
        assert set(said.alternatives) <= set(BUILT_IN)
        assert 0 < said.confidence < 1
        assert said.rule_text


@pytest.mark.parametrize(
    "raw", ["NOTEMACHINE LTD LONDON", "CARDTRONICS UK 0412", "YOURCASH HULL", "CASHZONE 88 LEEDS"]
)
def test_who_runs_cash_machines_gives_cash(raw: str) -> None:
    """What was taken at a machine is cash, though its row names the operator and no withdrawal."""
    payee = payee_of(raw)
    decision = decide(PayeeFacts(payee.key, payee.name, raw, 3, 0))
    assert (decision.out, decision.source) == ("cash", "curated")


@pytest.mark.parametrize(
    ("raw", "confidence"),
    [
        ("S/O MARCUS SAVINGS", 0.6),
        ("STANDING ORDER RAINY DAY FUND", 0.6),
        ("FIRST DIRECT REGULAR SAVER", 0.6),
        ("DAUERAUFTRAG RÜCKLAGE URLAUB", 0.6),
        ("YORKSHIRE BUILDING SOCIETY", 0.5),
        ("ZORBLAX SAVINGS BANK", 0.5),
    ],
)
def test_a_name_like_savings_is_asked_about_as_savings(raw: str, confidence: float) -> None:
    """A name alone files nothing, since a building society lends, too; the question offers savings."""
    payee = payee_of(raw)
    decision = decide(PayeeFacts(payee.key, payee.name, raw, 3, 0))
    assert (decision.out, decision.source) == ("uncategorized", None)
    assert decision.confidence == confidence
    assert decision.suggested == "savings"


TEXTS = ("SQ *BLUE HERON CAFE 1234", "NETFLIX.COM", "POS PURCHASE 11/29 KROGER #123", "QUILLZWALD")


def test_what_was_forgotten_is_found_again() -> None:
    """Payees and categories are the same before and after, and nothing shipped is kept between."""

    def answers() -> list[object]:
        payees = [payee_of(text) for text in TEXTS]
        return [
            (payee, decide(PayeeFacts(payee.key, payee.name, text, 3, 1)))
            for payee, text in zip(payees, TEXTS, strict=True)
        ]

    before = answers()
    clear_caches()
    kept = (curated.cache_info().currsize, grammar.cache_info().currsize)

    assert kept == (0, 0)
    assert answers() == before


SHIPPED_THEMES = tomllib.loads(
    files("finplan.categorise").joinpath("themes.toml").read_text("utf-8")
)
LISTS = {
    "forbidden": SHIPPED_THEMES["forbidden"],
    **{each["name"]: each["phrases"] for each in SHIPPED_THEMES["themes"]},
    **{part: SHIPPED_THEMES["trips"][part] for part in ("anchors", "local", "work")},
}


def _phrases(block: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in block.split(",")]


@pytest.mark.parametrize("name", [*LISTS, "repaid"])
def test_every_phrase_is_written_as_descriptors_are_read(name: str) -> None:
    """A phrase of other tokens would never be found."""
    block = LISTS.get(name) or SHIPPED_THEMES["trips"]["repaid"]
    assert [each for each in _phrases(block) if " ".join(tokens_of(each)) != each] == []
    assert "" not in _phrases(block)


def test_no_phrase_is_in_two_lists() -> None:
    """A payee is of one theme at most, and what is forbidden is of none."""
    owner: dict[str, str] = {}
    for name, block in LISTS.items():
        for phrase in _phrases(block):
            assert owner.setdefault(phrase, name) == name, (phrase, name, owner[phrase])


def test_no_category_is_about_two_themes() -> None:
    """The categories that a theme names exist, and no other theme names them."""
    named = [
        name for each in SHIPPED_THEMES["themes"] for name in each.get("categories", "").split()
    ]
    assert len(named) == len(set(named))
    assert set(named) <= set(BUILT_IN)
    assert set(named).isdisjoint(SHIPPED_THEMES["settled"].split())


def test_settled_and_broad_categories_exist() -> None:
    """They are categories of spending, and no category is both."""
    settled, broad = set(SHIPPED_THEMES["settled"].split()), set(SHIPPED_THEMES["broad"].split())
    assert settled.isdisjoint(broad)
    assert {BUILT_IN[name].flow for name in settled | broad} == {"spending"}


def test_every_theme_of_the_interface_is_shipped() -> None:
    """Each has at least one suggestion, with a name that a new category can have."""
    shipped = {each["theme"] for each in SHIPPED_THEMES["themes"]} | {
        SHIPPED_THEMES["trips"]["theme"]
    }
    taken = {each.label.casefold() for each in BUILT_IN.values()} | set(BUILT_IN)

    assert shipped == set(get_args(Theme))
    assert {name.casefold() for name in themes().names}.isdisjoint(taken)
    assert len(themes().names) == len(SHIPPED_THEMES["themes"]) + 1

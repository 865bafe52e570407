"""What the shipped data say of a descriptor, and what they must never say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import CuratedMatch, Direction, curated
from finplan.categorise.decide import APPLIES_FROM, PayeeFacts, decide
from finplan.categorise.matching import match
from finplan.categorise.payee import payee_of
from tests.categorise.descriptors import DESCRIPTORS
from tests.categorise.expected import ASKED, MONEY_IN, MONEY_OUT, MUST_NOT

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
    said = said_of(raw, "out")
    assert said is not None
    assert (said.category, said.ask) == (category, False)
    assert said.confidence >= APPLIES_FROM


@pytest.mark.parametrize(("raw", "category"), rows(MONEY_IN))
def test_money_in_is_filed_as_a_person_would(raw: str, category: str) -> None:
    """Pay, benefits, interest, refunds and payments of a card are told by their words."""
    said = said_of(raw, "in")
    assert said is not None
    assert (said.category, said.ask) == (category, False)
    assert said.confidence >= APPLIES_FROM


@pytest.mark.parametrize("raw", [raw for raw, _ in rows(ASKED)])
def test_marketplaces_and_rails_are_asked(raw: str) -> None:
    """Where anything may be bought, or anybody paid, only the person knows."""
    said = said_of(raw, "out")
    assert said is not None
    assert said.ask


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
    words = {phrase for phrase in curated().whole if " " not in phrase}
    for telling in curated().words.values():
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
        said = said_of(raw, "out")
        assert said is not None
        assert said.category == category


def test_of_equal_phrases_the_last_one_wins() -> None:
    """English puts what a shop is last: a college pizza is pizza, a pizza college a college."""
    said = match("gym pizza", "GYM PIZZA", "out")
    assert said is not None
    assert said.category == "dining"
    said = match("pizza gym", "PIZZA GYM", "out")
    assert said is not None
    assert said.category == "hobbies"


def test_for_money_out_a_merchant_is_better_evidence_than_words() -> None:
    """What is bought at a known merchant is filed with it, whatever words follow its name."""
    said = said_of("CHEVRON CAR WASH 0093998 PORTLAND OR", "out")
    assert said is not None
    assert said.category == "transport"


def test_for_money_in_words_are_better_evidence_than_a_merchant() -> None:
    """A broker's dividend is interest, though what it pays back is a withdrawal."""
    said = said_of("ROBINHOOD DIVIDEND", "in")
    assert said is not None
    assert said.category == "interest"


def test_the_sign_counts() -> None:
    """What comes in from a payee is judged by other words than what goes out.

    An employer that also sells is one payee, of which the sign tells pay from purchases.
    """
    paid, earned = (said_of("STARBUCKS PAYROLL 251115", way) for way in WAYS)
    assert paid is not None
    assert earned is not None
    assert (paid.category, earned.category) == ("dining", "wages")
    owed, refunded = (said_of("IRS TREAS 310 TAX REF", way) for way in WAYS)
    assert owed is not None
    assert refunded is not None
    assert (owed.category, refunded.category) == ("taxes", "tax_refund")


def test_a_match_says_why() -> None:
    """The sentence names the category of a known merchant, or the words that matched."""
    known = match("safeway", "SAFEWAY #1711", "out")
    assert known is not None
    assert known.rule_text == "Known merchant: groceries"
    told = match("first bank credit card payment", "FIRST BANK CREDIT CARD PAYMENT", "out")
    assert told is not None
    assert told.rule_text == "Matches the words 'credit card payment'"


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

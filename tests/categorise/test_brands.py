"""A well-known name takes no descriptor whose other words name somebody else; whole words stay."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from finplan.categorise.curated import Spelling, curated
from finplan.categorise.decide import APPLIES_FROM, PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of

SPELLINGS = [
    spelling
    for started in curated().merchants.starting.values()
    for _, _, spelling in started
    if " " not in spelling.phrase
]
COMMON_WORDS = sorted(
    spelling for spelling in SPELLINGS if spelling.alone and not spelling.branched
)
CUT_WORDS = sorted(grammar().whole_trades)
GIVEN = ("james", "rachel", "peter", "susan")


@given(
    st.sampled_from(COMMON_WORDS),
    st.sampled_from(("LAW OFFICES", "DOWNS", "JONES DDS", "CLUB BAR", "INN")),
)
def test_a_common_word_with_another_name_behind_it_is_no_merchant(
    spelling: Spelling, other: str
) -> None:
    """A surname or a common word stands for a merchant only when nothing follows it.

    Behind a chain whose branches are named by their places the Downs may be such a place.
    """
    assume(not (spelling.branched and other == "DOWNS"))
    key = payee_of(f"{spelling.phrase.upper()} {other}").key
    assert key != spelling.merchant.key


def test_no_brand_that_owns_what_follows_is_a_common_word() -> None:
    """A given name or a trade is a brand only when it stands alone."""
    words = grammar()
    common = words.given | words.trades | words.generic
    assert {one.phrase for one in SPELLINGS if not one.alone} & common == set()


@pytest.mark.parametrize(
    ("raw", "merchant"),
    [
        ("MCDONALD LAW OFFICES", "mcdonalds"),
        ("MCDONALD JONES DDS", "mcdonalds"),
        ("CHURCHILL DOWNS", "churchill insurance"),
        ("PEACOCK INN", "peacock tv"),
        ("SEAMLESS GUTTERS OF OHIO", "seamless"),
        ("TIDAL WAVE AUTO SPA", "tidal"),
        ("HEALTHCARE ASSOCIATES", "healthcare"),
    ],
)
def test_another_trade_or_place_is_another_payee(raw: str, merchant: str) -> None:
    """What the further words name is somebody else."""
    assert payee_of(raw).key != merchant


@pytest.mark.parametrize(
    ("raw", "merchant"),
    [
        ("MCDONALD'S F2415 LOS ANGELES CA", "mcdonalds"),
        ("MCDONALDS LEEDS", "mcdonalds"),
        ("CHURCHILL INSURANCE", "churchill insurance"),
        ("PREMIERINN DUNSTABLE", "premier inn"),
        ("GOODYEAR 0412 TULSA OK", "goodyear"),
    ],
)
def test_a_merchant_is_still_known_by_its_name(raw: str, merchant: str) -> None:
    """A branch, a town or a lost space makes nobody else of it."""
    assert payee_of(raw).key == merchant


@given(st.sampled_from(GIVEN), st.sampled_from(CUT_WORDS))
def test_no_persons_name_is_completed(name: str, cut: str) -> None:
    """What stands after a given name is a surname, and no beginning of a trade."""
    assert payee_of(f"{name} {cut}").key.split()[-1] != grammar().whole_trades[cut]


@pytest.mark.parametrize(
    "raw", ["KQED RADIO", "HARLAN ENGINE", "HOLY SPIRIT", "TACO LOCO TRUCK", "LINDEN CONDO"]
)
def test_a_whole_word_is_not_completed(raw: str) -> None:
    """A word that is whole is no beginning of another: public radio is no radiology."""
    assert payee_of(raw).key == raw.lower()


def _confidence(raw: str) -> float:
    payee = payee_of(raw)
    decision = decide(PayeeFacts(payee.key, payee.name, raw, debits=3, credits=0))
    assert decision.source is None
    return decision.confidence or 0.0


@pytest.mark.parametrize(
    "raw", ["BARBER FORD", "MORTGAGE BROKERS CLUB BAR", "TAILOR QUINN", "INSURANCE EXCHANGE CAFE"]
)
def test_one_word_that_may_be_a_part_of_a_name_files_nothing(raw: str) -> None:
    """A calling that may be a surname, or another trade at the end, leaves the payee a question."""
    assert _confidence(raw) < APPLIES_FROM


@pytest.mark.parametrize("raw", ["BARBER ON MAIN", "TAILOR AT THE MILL"])
def test_a_calling_that_says_where_it_is_is_a_shop(raw: str) -> None:
    """No surname is followed by "on" or "at", so such a shop is filed without asking."""
    payee = payee_of(raw)
    assert decide(PayeeFacts(payee.key, payee.name, raw, debits=3, credits=0)).source is not None


def test_the_closing_trade_is_the_likelier_one() -> None:
    """English puts what a place is last; the other trade is the next best answer."""
    raw = "MORTGAGE BROKERS CLUB BAR"
    decision = decide(PayeeFacts(payee_of(raw).key, "", raw, debits=3, credits=0))
    assert (decision.suggested, decision.alternatives) == ("dining", ("mortgage",))

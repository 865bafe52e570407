"""The list of brands: a branch is its brand, a neighbour with another trade is somebody else."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.brands import brand_kinds, brand_named
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import merchant_at, merchant_named
from finplan.categorise.decide import APPLIES_FROM, Decision, PayeeFacts, decide
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

FOLDER = files("finplan.categorise")
LINES = [line.split("\t") for line in FOLDER.joinpath("brands.txt").read_text("utf-8").splitlines()]
NAMES = [phrase for phrase, *_ in LINES]
KEYS = {phrase: key for phrase, key, *_ in LINES}
BESIDE = [
    name
    for name in NAMES
    if merchant_named(payee_of(name).key) in {None, merchant_named(KEYS[name])}
]
"""The names that the curated list has not come to know since the list was made, which wins."""
LEVELS = ("owns", "placed", "doubtful", "alone")


def payee_key(raw: str) -> str:
    """The key of a descriptor's payee."""
    return payee_of(raw).key


def decided(raw: str) -> Decision:
    """What is decided of a payee that one card payment shows."""
    payee = payee_of(raw)
    return decide(PayeeFacts(payee.key, payee.name, raw, debits=1, credits=0))


def test_the_licence_of_the_names_ships_beside_them() -> None:
    """Whoever gets the names gets the terms that they are under."""
    licence = FOLDER.joinpath("brands_license.md").read_text("utf-8")
    assert "BSD 3-Clause" in licence
    assert "name-suggestion-index contributors" in licence


def test_each_line_is_one_name_of_a_kind() -> None:
    """Names stand in order, which look-ups halve, each once, as tokens, with a known kind and level."""
    assert sorted("\t".join(line) for line in LINES) == ["\t".join(line) for line in LINES]
    assert len(set(NAMES)) == len(NAMES) > 5000
    for phrase, key, name, kind, level in LINES:
        assert phrase == " ".join(tokens_of(phrase)), phrase
        assert key, phrase
        assert name, phrase
        assert kind in brand_kinds(), phrase
        assert level in LEVELS, phrase


def test_each_kind_has_a_category_of_spending_or_is_asked() -> None:
    """What a brand sells is spent, and a guess is only asked with."""
    for name, kind in brand_kinds().items():
        assert kind.category is None or BUILT_IN[kind.category].flow == "spending", name
        assert not kind.ask or kind.category is not None, name
        assert kind.classes, name


@pytest.mark.thorough
def test_each_name_gives_its_key_and_each_key_is_its_own() -> None:
    """A stored key is read as itself, and so stays the payee's for good."""
    assert [name for name in BESIDE if payee_of(name).key != KEYS[name]] == []
    assert [key for key in map(payee_key, NAMES) if payee_key(key) != key] == []


def test_the_curated_list_wins() -> None:
    """A name that the curated list knows is that merchant's, whatever the list of brands says."""
    assert len(BESIDE) > len(NAMES) * 0.99
    for name in NAMES:
        known = merchant_at([*name.split(), "xyz"], 0)
        assert known is None or payee_key(name) == known[1].key, name


@given(st.sampled_from(BESIDE), st.integers(1000, 9999))
def test_a_branch_number_keeps_the_key(name: str, number: int) -> None:
    """A brand's name with the number of a branch is the brand."""
    assert payee_of(f"{name.upper()} {number}").key == KEYS[name]


@given(
    st.sampled_from(BESIDE),
    st.sampled_from(
        (
            "LAW OFFICES",
            "AND SONS ROOFING",
            "PLUMBING",
            "PRIMARY SCHOOL",
            "FUNERAL HOME",
            "CREDIT CARD",
        )
    ),
)
def test_another_trade_behind_a_brands_name_is_another_payee(name: str, trade: str) -> None:
    """A neighbour that shares a brand's name and says another trade is somebody else."""
    assert payee_of(f"{name.upper()} {trade}").key != KEYS[name]


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("GIFI MOULINS", "gifi"),
        ("KRYS JARNAC OPTICIEN", "krys"),
        ("CB KRYS OPTIQUE COGNAC FACT 110625", "krys"),
        ("SUPERMERCADOS GADIS LUGO", "gadis"),
        ("BOUL MARIE BLACHERE VALENCE", "marie blachere"),
        ("AUTO POSTO IPIRANGA LTDA", "ipiranga"),
        ("THALIA BUCHHANDLUNG BAD HERSFELD", "thalia"),
        ("SUPER CHEAP AUTO PTY BATHURST NSW", "supercheap auto"),
        ("PAGAMENTO POS DISTRIBUTORE Q8 SPOLETO", "q8 easy"),
        ("SALTGRASS STEAK HOUSE #118 GALVESTON TX", "saltgrass"),
        ("MELLOW MUSHROOM ATHENS GA", "mellow mushroom"),
        ("CAFE ZUPAS RIVERTON CROSSING", "cafe zupas"),
        ("RESTAURANT SALTGRASS", "saltgrass"),
    ],
)
def test_what_stands_around_a_brands_name_is_its_branch(raw: str, key: str) -> None:
    """A town, a legal form, a lost space or what the brand is anyway makes nobody else of it."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("SALTGRASS BAKERY GALVESTON TX", "saltgrass"),
        ("GIFI PLUMBING", "gifi"),
        ("GIFI & SONS", "gifi"),
        ("GIFI MARTIN", "gifi"),
        ("KEURSLAGER TEN HOVE HASSELT", "keurslager"),
        ("PELUQUERIA RODILLA TORO", "rodilla"),
        ("KAPSALON BRUNA GELDERMALSEN", "bruna"),
        ("NORTHGATE ENGINEERING", "northgate"),
        ("FARM BOYS FRUIT STAND CRESTON BC", "farm boy"),
        ("SUPERMERCADO RODILLA", "rodilla"),
        ("PANADERIA SALTGRASS", "saltgrass"),
        ("TARGET BENDIGO", "target"),
        ("FRIENDLY BAR MELLOW MUSHROOM", "mellow mushroom"),
    ],
)
def test_a_neighbour_is_not_the_brand(raw: str, key: str) -> None:
    """Who sells something else, or has a name of its own behind a brand's word, is another payee."""
    assert payee_of(raw).key != key


def test_a_brand_is_filed_as_a_curated_merchant_is() -> None:
    """What a brand sells files it without a question, and the reason reads like any other merchant's."""
    brand = decided("CARPISA 0441 NAPOLI ITA")
    assert (brand.out, brand.source, brand.text) == (
        "shopping",
        "curated",
        "Known merchant: shopping",
    )


def test_a_brand_of_common_words_only_suggests() -> None:
    """A local shop may have the same name of common words, so that the person is asked."""
    assert brand_named("golden goose") is not None
    decision = decided("GOLDEN GOOSE KESWICK")
    assert (decision.out, decision.source) == ("uncategorized", None)
    assert decision.suggested == "shopping"
    assert decision.confidence is not None
    assert decision.confidence < APPLIES_FROM


def test_words_for_a_trade_say_more_than_a_brand_of_common_words() -> None:
    """A name that says its trade is filed by it, brand or not."""
    assert decided("SUNSET GRILL NASHVILLE TN").out == "dining"


def test_a_shop_of_many_things_is_asked() -> None:
    """What was bought at a department store only the person knows, so that it is asked."""
    decision = decided("HARRIS SCARFE 0441 BALLARAT VIC")
    assert (decision.out, decision.source) == ("uncategorized", None)
    assert decision.suggested == "shopping"


def test_a_cut_name_is_the_only_brand_that_goes_on_so() -> None:
    """A name cut off inside its last word is its brand's; one that several continue is nobody's."""
    assert payee_of("ADYAR ANANDA BHAV").key == payee_of("ADYAR ANANDA BHAVAN").key
    assert payee_of("ADYAR ANANDA").key == "adyar ananda"
    assert payee_of("ADYAR").key == "adyar"

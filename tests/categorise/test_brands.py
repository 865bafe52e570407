"""The list of brands: a branch is its brand, a neighbour with another trade is somebody else.

A well-known name takes no descriptor whose other words name somebody else; whole words stay. A
shop's wings keep their own category; banks' words, fees among them, are read by class.
"""

from importlib.resources import files

import pytest
from hypothesis import assume, given, strategies as st

from finplan.categorise.brands import brand_kinds, find_brand
from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import Spelling, curated, find_merchant, merchant_at
from finplan.categorise.decide import APPLIES_FROM, Decision, PayeeFacts, decide
from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of

FOLDER = files("finplan.categorise")
LINES = [line.split("\t") for line in FOLDER.joinpath("brands.txt").read_text("utf-8").splitlines()]
NAMES = [phrase for phrase, *_ in LINES]
KEYS = {phrase: key for phrase, key, *_ in LINES}
BESIDE = [
    name for name in NAMES if find_merchant(payee_of(name).key) in {None, find_merchant(KEYS[name])}
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
    assert find_brand("golden goose") is not None
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
def test_a_common_word_before_another_name_is_no_merchant(spelling: Spelling, other: str) -> None:
    """A surname or a common word stands for a merchant only when nothing follows it.

    Behind a chain whose branches are named by their places the Downs may be such a place.
    """
    assume(not (spelling.branched and other == "DOWNS"))
    assert payee_of(f"{spelling.phrase.upper()} {other}").key != spelling.merchant.key


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


def _out(raw: str) -> tuple[str, str]:
    """The key of a descriptor, and where money out to it goes."""
    payee = payee_of(raw)
    return payee.key, decide(PayeeFacts(payee.key, payee.name, raw, debits=2, credits=0)).out


@pytest.mark.parametrize(
    ("raw", "key", "category"),
    [
        ("COSTCO GAS #0441 BOISE ID", "costco gas", "transport"),
        ("TESCO PHARMACY 0441 LEEDS GB", "tesco pharmacy", "health"),
        ("TESCO STORES 0441 LEEDS GB", "tesco", "groceries"),
        ("ASDA CAFE LEEDS GB", "asda cafe", "dining"),
        ("ASDA RESTAURANT LEEDS GB", "asda cafe", "dining"),
        ("ASDA 4412 PHARMACY LEEDS GB", "asda pharmacy", "health"),
        ("WALMART OPTICAL 1182 RENO NV", "walmart pharmacy", "health"),
        ("STARBUCKS HOTEL PLAZA", "starbucks", "dining"),
        ("ASDA LEEDS HOTEL ROAD", "asda", "groceries"),
    ],
)
def test_a_wing_of_a_shop_is_filed_as_what_it_is(raw: str, key: str, category: str) -> None:
    """The word behind a shop's name or number tells the wing; behind a place, or a café, it does not."""
    assert _out(raw) == (key, category)
    assert payee_of(key).key == key


@pytest.mark.parametrize(
    ("raw", "key", "category"),
    [
        ("WITHDRAWAL MADE IN A BRANCH/STORE", "cash withdrawal", "cash"),
        ("COUNTER WITHDRAWAL", "cash withdrawal", "cash"),
        ("PAST DUE FEE", "late fee", "interest_fees"),
        ("PAPER STATEMENT FEE", "bank fee", "interest_fees"),
        ("CMS MEDICARE DES:PREMIUM ID:44K2201 INDN:JANE ROE CCD", "medicare premium", "insurance"),
        ("STANDING ORDER STOCKS ISA", "own savings", "savings"),
        ("S/O TO CASH ISA", "own savings", "savings"),
    ],
)
def test_a_banks_words_are_read_by_class(raw: str, key: str, category: str) -> None:
    """Cash, fees, premiums of the state and what goes to one's own savings are told by their words."""
    assert _out(raw) == (key, category)


@pytest.mark.parametrize(
    ("raw", "category"),
    [
        ("QUILLZWALD LISBOA INCL FOREIGN TRANSACTION FEE 1.20", "uncategorized"),
        ("CASH WITHDRAWAL AT BPI ATM LISBOA INCL NON STERLING TRANSACTION FEE 1.20", "cash"),
        ("ÜBERWEISUNG QUILLZWALD GMBH MIETE", "rent"),
        ("NON STERLING TRANSACTION FEE", "interest_fees"),
        ("FOREIGN TRANSACTION FEE", "interest_fees"),
        ("ATM WITHDRAWAL FEE", "interest_fees"),
        ("QUILLZWALD BANK SERVICE CHARGE", "interest_fees"),
    ],
)
def test_a_fee_is_told_by_its_own_words(raw: str, category: str) -> None:
    """A row of a fee is one; a purchase or cash abroad is not, though its row tells the fee."""
    assert _out(raw)[1] == category

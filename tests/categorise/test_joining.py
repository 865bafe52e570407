"""Names that write one payee are joined within a household, where nobody else may be meant."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.joining import joined
from finplan.categorise.likeness import writing_of
from tests.steps import steps

ONE_PAYEE = [
    ("rebstock metzgerei", "metzgerei rebstock"),
    ("metzgerei rebstock", "metzgerei rebstock leutkirch"),
    ("gasthaus krone leutkirch", "gasthaus krone stawell"),
    ("fundy tide chowder", "fundy tide chow"),
    ("fundy tide chowder house", "fundy tide chow"),
    ("annapoorna veg hotel", "annapoorna veg hot"),
    ("wagner teixeira prado", "wagner teixeira prad"),
    ("hortifruti tres irmaos", "hortifrutitresirmao"),
    ("coliban water", "colibanwater"),
    ("z markt", "zmarkt"),
    ("imobiliaria garcia", "imob garcia"),
    ("barwon strata management", "barwon strata mgmt"),
    ("brasserie lhorloge", "brasserie horloge"),
    ("caveau saint patern", "le caveau st patern"),
    ("academia forca total", "vindi academia forca total"),
    ("casa eulogio", "meson casa eulogio"),
    ("casa eulogio", "td casa eulogio"),
    ("amparo villalba ruiz", "bizum amparo ruiz villalba"),
    ("northwoods plowing", "zelle northwoods plowing"),
    ("golden wattle dental", "golden wattle dental denticare"),
    ("barwon water", "mb bill payment barwon water"),
    ("cafc acqua", "cafc acqua spa servizio idrico"),
    ("suresh vitthal deshmukh", "suresh vit"),
    ("mirjam scholten", "mirjam scholten betaalverzoek ing boodschappen"),
    ("cafcq", "cafcq spa acqua"),
    ("eolo", "eolo spa"),
    ("vera hintermaier", "hintermaier vera ruckzahlung essen"),
    ("wohnbau oberland", "wohnbau oberland eg nkabrechnung"),
    ("boulangerie kermorvan", "boulang kermorvan"),
    ("sabor da serra", "restaurant sabor da serra"),
    ("elk ridge storage expenses", "storage elk ridge expenses"),
    ("boulangerie cazenave", "blgerie cazenave"),
    ("pharmacie gave", "phcie gave"),
    ("zahnarztpraxis lindner", "zahnarzt lindner"),
    ("supermercado bom dia", "mercado bom dia"),
    ("blgerie cazenave leutkirch", "boulangerie cazenave"),
    ("kookaburra early learning center", "kookaburra elc"),
    ("juniper ridge homeowners association", "juniper ridge hoa"),
    ("turnverein lindenberg", "tv lindenberg"),
    ("condominio edificio quillardo", "condominio ed quillardo"),
    ("tynedale council", "tynedale dc"),
    ("annai autoworks", "annai auto works"),
    ("annai auto work", "annai auto works"),
    ("thiago rezende cunha", "thiago r rezende cunha"),
    ("zahnarzt lindner", "zahnarzt dr lindner"),
    ("garage larrieu", "garage larrieu freres"),
    ("pharmacie gave", "oloron ste m pharmacie gave"),
    ("kavitha clinic", "kavitha clinic leutkirch"),
    ("k barn", "kbarn"),
    ("brasserie ourse", "brasserie lourse"),
    ("quillmere terrvix cafe", "quillmeres terrvix cafe"),
]

_TRADES = (
    *("bakery", "cafe", "grill", "market", "pizzeria", "diner", "deli", "brewing", "kitchen"),
    *("bistro", "sushi", "hardware", "pharmacy", "dental", "cleaners", "parking", "florist"),
)

TWO_PAYEES = [
    ("juniper crossing cafe", "juniper crossing apartment"),
    ("golden harvest cafe", "golden harvest farm"),
    ("owen castellano", "owen c"),
    ("lucas petitjean", "lucas petit"),
    ("suresh vitthal deshmukh", "suresh vitthal"),
    ("vera hintermaier", "vera hintermaier catering"),
    ("textil vale do itajai", "adiant textil vale do itajai"),
    ("casa martinez", "casa martin"),
    ("maple grove carpet", "maple grove car"),
    ("quill terrvix dental", "quill terrvix dental stawell expenses"),
    ("joelma figueiredo", "joelma figueiredo costa"),
    ("harlow ridge market", "harlow ridge market fuel"),
    ("harlow ridge market", "harlow ridge market pharmacy"),
    ("chantier naval kerleau", "chantier naval kerleau wage advance"),
    ("chantier naval kerleau wage advance", "naval chantier kerleau expenses"),
    ("pizzeria roma", "pizzeria roma nord"),
    ("pizzeria roma bern", "pizzeria roma lyon"),
    ("condominio edificio aurora", "condominio edificio alvorada"),
    ("account 4417", "account 4417 fee"),
    ("starbucks", "starbuck"),
    ("target", "target practice range"),
    ("emma wood", "emma wood catering"),
    ("north barwon strata management", "barwon strata management"),
    ("bar laredo", "bar laredo imports"),
    ("zahnarzt lindner", "tierarzt lindner"),
    ("golden wattle dental", "golden wattle bakery"),
    ("quillarte", "quillarte fuel"),
    ("fincas leutkirch", "fincas stawell"),
    ("sparkasse leutkirch darlehen", "sparkasse stawell darlehen"),
    ("zapateria ruiz", "villalba ruiz"),
    ("aguas de alicante", "aguas de malaga"),
    ("condominio edificio quillardo", "condominio co quillardo"),
    ("rose", "rose bakery"),
    ("quillarte", "quillarte dental"),
    ("quillarte", "supermercado quillarte"),
    ("citibank", "citibank transfer"),
    ("quillmere", "quillmere sons"),
    ("quillmere", "the quillmere"),
    ("quillmere", "leutkirch quillmere"),
    ("fincas leutkirch shop", "fincas stawell"),
    ("terrvix house", "terrvix warehouse"),
    ("terrvix park", "terrvix parking"),
    ("hotel terrvix quillmere", "parking hotel terrvix quillmere"),
    ("gare terrvix", "garage terrvix"),
    ("kookaburra early learning center", "kookaburra eac"),
    ("quillmere dc", "quillmere dental"),
    ("quillmere council", "quillmere dental"),
    ("phare terrvix", "pharmacie terrvix"),
    ("ca terrvix", "centre auto terrvix"),
    ("ca terrvix", "carrosserie terrvix"),
    ("la terrvix", "terrvix laboratory"),
    ("condominio edificio quillardo", "condominio edificio terrvallo"),
    ("kookaburra early learning center", "kookaburra ebc"),
    ("k bar", "kbar"),
    ("brasserie orme", "brasserie lorme"),
    ("brasserie ourse expenses", "brasserie lourse"),
    ("elodie quillmere", "lelodie quillmere"),
    ("woods quillmere emma", "wood quillmere emma"),
    ("quillmere terrvix", "quillmere terrvix fuel"),
]


@pytest.mark.parametrize(("one", "other"), ONE_PAYEE)
def test_one_payee_that_is_written_in_two_ways(one: str, other: str) -> None:
    """Names turned round, cut off, shortened, run together, or with a place or code are one payee's."""
    assert len(set(_leads([one, other]).values())) == 1


@pytest.mark.parametrize(("one", "other"), TWO_PAYEES)
def test_two_payees_stay_two(one: str, other: str) -> None:
    """Another trade, another person, a shop's pumps or a purpose make two payees of like names."""
    assert joined([one, other]) == {}


def _leads(keys: list[str]) -> dict[str, str]:
    written = joined(keys)
    return {key: written.get(key, key) for key in keys}


def test_a_name_that_may_mean_two_payees_is_neither() -> None:
    """A cut name stays apart where two longer ones go on otherwise, and joins where they agree."""
    either = ["juniper crossing", "juniper crossing cafe", "juniper crossing apartment"]
    assert joined(either) == {}
    initials = ["thiago rezende", "thiago b rezende", "thiago c rezende"]
    assert joined(initials) == {}
    bound = ["restaurant sabor", "restaurant sabor da serra", "restaurant sabor ilha"]
    assert joined(bound) == {}
    agreeing = ["juniper crossing", "juniper crossing caf", "juniper crossing cafe"]
    assert set(_leads(agreeing).values()) == {"juniper crossing cafe"}


def test_the_fuller_name_is_kept_and_a_place_is_not() -> None:
    """The payee is called by the whole of a cut name, and without a place or a note."""
    assert joined(["fundy tide chow", "fundy tide chowder"]) == {
        "fundy tide chow": "fundy tide chowder"
    }
    assert joined(["metzgerei rebstock", "metzgerei rebstock leutkirch"]) == {
        "metzgerei rebstock leutkirch": "metzgerei rebstock"
    }


def test_a_town_is_learned_from_the_household() -> None:
    """A word behind two other names is where they are, though nobody lists it as a town."""
    home = ["blumen kuchler zorfheim", "optik lindner zorfheim"]
    shop = ["quill terrvix", "quill terrvix zorfheim"]
    assert joined(shop) == {}
    assert joined([*shop, home[0]]) == {}
    assert joined([*shop, *home]) == {"quill terrvix zorfheim": "quill terrvix"}


def test_payees_that_are_held_stay_what_they_are() -> None:
    """A new name goes to a held payee, whichever is fuller, and two held ones are never joined."""
    held = ["fundy tide chow", "metzgerei rebstock", "rebstock metzgerei"]
    assert joined(["fundy tide chowder"], held) == {"fundy tide chowder": "fundy tide chow"}
    assert joined([], held) == {}
    assert joined(held, held) == {}


def test_a_well_known_payee_leads() -> None:
    """A name that is a well-known one run apart is that payee, which no other name leads."""
    assert joined(["shop rite", "shoprite"]) in ({}, {"shop rite": "shoprite"})
    assert joined(["starbucks", "starbucks reserve roastery stawell"]).get("starbucks") is None


@given(st.permutations([key for pair in (*ONE_PAYEE, *TWO_PAYEES) for key in pair]))
def test_the_order_of_names_does_not_matter(keys: list[str]) -> None:
    """The same names are joined in whatever order they come."""
    assert joined(keys) == joined(sorted(keys))


def test_a_key_is_joined_to_one_that_leads_itself() -> None:
    """Whoever is answered is led by nobody, so that asking once is enough."""
    written = joined([key for pair in ONE_PAYEE for key in pair])
    assert written
    assert written.keys().isdisjoint(written.values())


def test_joining_costs_little() -> None:
    """A name takes some 300 lines of Python beside many others, however many share its words."""
    dice = random.Random(11)
    trades = ("cafe", "dental", "market", "pizza", "storage")

    def names(count: int) -> list[str]:
        words = ["".join(dice.choices("abdeiklmnorstuv", k=7)) for _ in range(count // 2)]
        return [
            f"{dice.choice(words)} {dice.choice(words)} {dice.choice(trades)}" for _ in range(count)
        ]

    few, many = names(500), names(2000)
    for key in (*few, *many):
        writing_of(key)
    assert steps(lambda: joined(many)) < 300 * len(many)
    assert steps(lambda: joined(many)) < 6 * steps(lambda: joined(few))


def test_a_name_that_shares_its_words_alone_costs_little() -> None:
    """A shop of two words, each of which a hundred others have, takes some 200 lines of Python."""
    first = ["quillmere", "terrvix", "zorfheim", "lindolme", "brackwen", "stawell", "korvasti"]
    shops = [f"{one}{ending} {trade}" for one in first for ending in "aeiou" for trade in _TRADES]
    assert joined(shops) == {}
    writing_of.cache_clear()
    assert steps(lambda: joined(shops)) < 240 * len(shops)

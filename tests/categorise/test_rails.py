"""People paid over rails: their key, their name as it is printed, and what is no person at all."""

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from finplan.categorise.curated import curated
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of
from tests.categorise.descriptors import DESCRIPTORS

RAILS = sorted(phrase for phrase, merchant in curated().whole.items() if merchant.people)
SHAPES = (
    "{rail} {text}",
    "{rail} TO {text}",
    "{rail} payment from {text}",
    "{rail} *{text}",
    "{text} VIA {rail}",
)
GIVEN = ("john", "maria", "tom", "bradley", "priya", "jean pierre", "maria del carmen")
SURNAMES = ("lopez", "wang", "fang", "baker", "doe smith", "o connor", "de la cruz", "garcia lopez")


@settings(max_examples=500)
@example("{text} VIA {rail}", "swish", "swish")
@example("{text} VIA {rail}", "payconiq", "grazie ﬁ")
@example("{text} VIA {rail}", "cashapp", "geico atm corral")
@example("{rail} *{text}", "transferwise", "eurotunnel octobre banbury 123")
@example("{text} VIA {rail}", "wise payments", "atco mixta fur clifton 1 olean")
@example("{rail} *{text}", "paytm", "maerz _* viagem tiruppur")
@example("{rail} TO {text}", "etransfer", "# johns checkatrade gndi el ibrahima")
@example("{rail} *{text}", "gpay", "auslagen")
@example("{rail} {text}", "e tfr", "quota")
@example("{rail} {text}", "bancomat pay", "pay advance")
@given(st.sampled_from(SHAPES), st.sampled_from(RAILS), DESCRIPTORS)
def test_a_key_over_a_rail_is_its_own_key(shape: str, rail: str, text: str) -> None:
    """Whatever stands beside a rail, its key read as a descriptor is the same payee."""
    key = payee_of(shape.format(rail=rail, text=text)).key
    assert payee_of(key).key == key


@given(st.sampled_from(GIVEN), st.sampled_from(SURNAMES))
def test_either_name_may_stand_first(given_name: str, surname: str) -> None:
    """A full name has one key, whichever name a bank writes first, and over every rail the same."""
    keys = {
        payee_of(f"{rail} {first} {last}").key
        for rail in ("ZELLE TO", "VENMO *", "BIZUM DE")
        for first, last in permutations((given_name, surname))
    }
    assert len(keys) == 1
    assert not any(key.startswith(("zelle", "venmo", "bizum")) for key in keys)


@given(st.permutations(("wang", "fang")), st.sampled_from(("ZELLE TO", "ZELLE FROM")))
def test_names_that_nobody_lists_have_one_key_with_the_rail(name: list[str], rail: str) -> None:
    """Where no given name tells, the words may be anything, so that they stay with the rail."""
    assert payee_of(f"{rail} {' '.join(name)}").key == "zelle fang wang"


@given(
    st.lists(
        st.sampled_from(["wang", "fang", "jones", "and", "tom", "bradley"]), min_size=2, unique=True
    )
)
def test_a_name_is_shown_in_its_printed_order(name: list[str]) -> None:
    """A name is shown as it is printed, but for a surname before the given name."""
    shown = tokens_of(payee_of(f"ZELLE TO {' '.join(name)}").name)
    told = [word for word in shown if word != "zelle"]
    turned = [name[place:] + name[:place] for place in range(len(name))]
    assert told == name or (name[0] in ("wang", "fang", "jones", "and") and told in turned)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("ZELLE TO TOM BRADLEY", "Tom Bradley"),
        ("ZELLE TO BRADLEY TOM", "Bradley Tom"),
        ("VENMO JONES AND SMITH", "Jones and Smith (Venmo)"),
        ("ZELLE FROM LOPEZ MARIA", "Maria Lopez"),
        ("ZELLE TO LOPEZ MARIA DEL CARMEN", "Maria del Carmen Lopez"),
        ("ZELLE TO LOPEZ GARCIA MARIA", "Maria Lopez Garcia"),
        ("VENMO JONES AND TOM", "Jones and Tom (Venmo)"),
        ("BIZUM A FAVOR DE WANG FANG", "Wang Fang (Bizum)"),
        ("TIKKIE BETALING S DE BOER", "De Boer (Tikkie)"),
    ],
)
def test_people_are_shown_as_they_are_called(raw: str, name: str) -> None:
    """Capitals, small words and the order are those of a name."""
    assert payee_of(raw).name == name


@pytest.mark.parametrize("note", ["RENT", "DINNER", "RENT MARCH", "half the rent", "REGALO"])
@pytest.mark.parametrize("person", ["JOHN SMITH", "JOHN", "WANG FANG", "JOHN LANDLORD"])
def test_a_note_is_no_part_of_a_name(person: str, note: str) -> None:
    """What is paid for ends the name; who somebody is ("landlord") is a part of it."""
    assert payee_of(f"ZELLE TO {person} {note}") == payee_of(f"ZELLE TO {person}")


@pytest.mark.parametrize(
    ("over_rail", "shop"),
    [
        ("VENMO PIZZA NIGHT", "PIZZA NIGHT"),
        ("VENMO BLUE HERON", "BLUE HERON"),
        ("ZELLE TO JOHN LEWIS", "JOHN LEWIS"),
    ],
)
def test_what_may_be_a_note_is_no_shop(over_rail: str, shop: str) -> None:
    """Words that neither name a person nor close with a trade stay apart from a shop of that name."""
    assert payee_of(over_rail).key != payee_of(shop).key


def test_a_month_may_be_a_persons_name() -> None:
    """Only after a full name is a month a date."""
    assert payee_of("ZELLE TO JUNE CARTER").key != payee_of("ZELLE TO ROY CARTER").key
    assert payee_of("ZELLE TO JUNE CARTER").name == "June Carter (Zelle)"
    assert payee_of("ZELLE TO JOHN SMITH JULY").key == payee_of("ZELLE TO JOHN SMITH").key


@pytest.mark.parametrize(
    "firm", ["QUARRY RENTALS", "LOPEZ DENTAL", "RITA YOGA", "ACME PLUMBING LLC"]
)
def test_a_firm_is_the_firm_over_a_rail(firm: str) -> None:
    """A name that closes with its trade is that firm, however it is paid."""
    assert payee_of(f"ZELLE TO {firm}").key == payee_of(f"POS DEBIT {firm}").key

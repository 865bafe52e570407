"""Rows by their structure: labelled memos, cards' days and terminals, branches, people over rails.

Names that a landlord may have, and names that say something else; tokens are what keys, shipped
phrases and matching have in common.
"""

import sys
import unicodedata
from itertools import permutations

import pytest
from hypothesis import example, given, settings, strategies as st

from finplan.categorise.curated import curated
from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.payee import payee_of
from finplan.categorise.people import names_landlord
from finplan.categorise.shapes import forms, labels, opens_of
from finplan.categorise.tokens import tokens_of
from tests.categorise.descriptors import DESCRIPTORS


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("TYPE: UTIL PYMT CO: QUILLZWALD GAS NAME: KAREN OLSEN", "quillzwald gas"),
        ("TYPE: WEB PAY ID: 8814 CO: QUILLZWALD GAS NAME: KAREN A OLSEN", "quillzwald gas"),
        ("EXT WITHDRAWAL QUILLZWALD TYPE: UTIL PYMT CO: QUILLZWALD GAS", "quillzwald gas"),
        ("TYPE: PAYROLL ID: 14 CO: QUILLZWALD NAME: OLSEN KAREN", "quillzwald"),
        ("TYPE: EXP REIMB ID: 14 CO: QUILLZWALD NAME: OLSEN KAREN", "quillzwald expenses"),
        ("/TRTP/SEPA OVERBOEKING/IBAN/NL44RABO0441200882/NAME/QUILLZWALD BV/REMI/x", "quillzwald"),
        ("SEPA Overboeking IBAN: NL44 Naam: QUILLZWALD BV Omschrijving: huur", "quillzwald"),
    ],
)
def test_a_label_names_the_payee_and_never_the_holder(raw: str, key: str) -> None:
    """Behind the company's label is who was paid; a name counts where no company is labelled."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "SAT 03/15 14:22 TERM K0412 {} EAU CLAIRE WI",
        "SAT 03/15 14:22 {} EAU CLAIRE WI",
        "Sign Based Point of Sale Withdrawal 03/14/25 11:42 TERM 00044120 {} DULUTH MN",
        "PIN BASED PURCHASE 03/21 17:05 00044120 {} DULUTH MN",
        "pin based purchase 03/21 5:05 PM {} DULUTH MN",
        "DBT PURCHASE SIGNATURE 04/02/25 09:11 {}",
        "POS W/D {}-14:20",
        "PAGAM. POS - PAGAMENTO POS 8,40 EUR DEL 14.03.2025 A (ITA) {} PAVIA",
        "{} EDAM >EDAM 20.05.2025 10U11 KV004 8812KL MCC:5451",
        "{} DULUTH MNUS",
        "FACTURE CARTE DU 040925 {} LURE CARTE 4975XXXXXXXX1177",
        "ACHAT CB {} 04.09.25 LURE",
        "{} 04.09 10LURE 1177022",
        "{} MOLONG NSW Card xx1177 Value Date: 04/09/2025",
        "OPERAZIONE POS CARTA 44129988 DEL 14/03/25 {} PAVIA",
        "{} KASSEL EC-KARTE 14.03. 11:20",
        "Card purchase\n{}\nDULUTH MN",
    ],
)
def test_day_time_and_terminal_are_no_part_of_a_shop(raw: str) -> None:
    """What stands before and after a card's shop goes, in each of the forms that banks print."""
    assert payee_of(raw.format("QUILLZWALD HARDWARE")).key == "quillzwald hardware"


@pytest.mark.parametrize(
    "raw", ["SAT 4 TUTORING", "SUN 12:30 CAFE", "MONTROSE 03/15 14:22 GRILL", "11:42 BISTRO"]
)
def test_a_name_with_a_day_or_time_is_a_name(raw: str) -> None:
    """A weekday or time that no form has is not taken away."""
    assert payee_of(raw).key.split()[0] in {"sat", "sun", "montrose", "11", "bistro", "42"}


def test_a_form_has_places_for_what_changes() -> None:
    """A place takes what it is called after, a blank any blanks, and letters either case."""
    opening = forms(["card {date} at {time} {code}"], at_end=False)
    assert opening.sub("", "CARD  03/04 at 11:20 K77  SHOP") == "SHOP"
    assert opening.search("CARD 03/04 at 11:20 KAA") is None
    assert opening.search("A CARD 03/04 at 11:20 K77") is None
    closing = forms(["-{time}"], at_end=True)
    assert closing.sub("", "SHOP-14:20 ") == "SHOP"
    assert closing.search("SHOP-14:20 X") is None
    assert {"mon", "sun", "pin", "v"} <= set(opens_of(["{weekday} {date}", "pin based", "v{code}"]))


def test_a_label_ends_where_the_next_one_begins() -> None:
    """What is behind a label goes up to the next label, a slash or the end,."""
    pattern = labels(["co:", "/name/"])
    assert [found[1] for found in pattern.finditer("X CO: AB C NAME: D")] == ["AB C"]
    assert [found[1] for found in pattern.finditer("9/NAME/AB/REMI/CO: DE")] == ["AB", "DE"]
    assert pattern.search("TACO: AB") is None


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("SHELL FIVEWAYS BIRMINGHAM", "shell"),
        ("SHELL UPPER CLIFTON ROAD", "shell"),
        ("BP SNAX 24 ROWNHAM SOUTHAMPTON GB", "bp"),
        ("BP M&S SIMPLY FOOD WICKHAM GB", "bp"),
        ("SHELL BEACH INN PISMO BEACH CA", "shell beach inn"),
        ("SHELL ENERGY", "shell energy"),
        ("BP NAILS", "bp nail"),
        ("SHELL ELECTRICITY CONNECT", "shell electricity connect"),
        ("TANGO FIVEWAYS", "tango fiveways"),
    ],
)
def test_a_branch_is_called_by_its_place(raw: str, key: str) -> None:
    """Pumps are one payee wherever they stand; a trade or a thing sold makes another payee."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "ONLINE TRANSFER TO XXXXXX4417",
        "INTERNET TRANSFER TO ACCT XXXX4417",
        "TRANSFER TO ACCOUNT ENDING IN 4417",
        "Transfer from account 4417",
        "ONLINE TRANSFER TO ...4417",
        "VIREMENT VERS COMPTE **4417",
        "account 4417",
    ],
)
def test_an_account_is_known_by_its_last_digits(raw: str) -> None:
    """A transfer that names only an account is apart by it, and read again it is the same."""
    assert payee_of(raw) == ("account 4417", "Account 4417", "")
    assert payee_of(raw.replace("4417", "9920")).key == "account 9920"
    assert without_long_numbers(raw) == raw


@pytest.mark.parametrize(
    "raw",
    [
        "ONLINE TRANSFER TO 441782",
        "TRANSFER TO QUILLZWALD XXXX4417",
        "PAYMENT TO ACCT XXXX4417",
        "TRANSFER TO ACCT XXXX44",
        "TRANSFER TO ACCT XXXX0000",
        "TRANSFER TO ACCT 4417 CONF",
        "TRANSFER TO XX4417 QUILLZWALD",
    ],
)
def test_a_number_that_may_be_a_reference_is_no_account(raw: str) -> None:
    """Without a mask or a word for an account, or with anything else said, a number is no account."""
    assert not payee_of(raw).key.startswith("account ")


def test_numbers_of_other_rows_are_still_blanked() -> None:
    """What is no account may be a reference, whatever stands before it."""
    assert without_long_numbers("TRANSFER TO QUILLZWALD 4417") == "TRANSFER TO QUILLZWALD 0000"
    assert without_long_numbers("ONLINE TRANSFER TO 4417") == "ONLINE TRANSFER TO 0000"


@pytest.mark.parametrize(
    ("raw", "key"),
    [("DA COPEL 0088120", "copel"), ("DA VINCI PIZZA", "da vinci pizza"), ("DA", "da")],
)
def test_some_words_open_a_row_only_before_a_well_known_payee(raw: str, key: str) -> None:
    """Brazil's short "DA" is a direct debit before a known payee, and else a part of the name."""
    assert payee_of(raw).key == key


def test_a_word_before_a_day_is_no_town() -> None:
    """The word "on" is a province only where no day follows, and a short French row keeps its name."""
    lion, dragon = (
        payee_of(f"CARD PAYMENT TO THE RED {name} ON 03-05-2024") for name in ("LION", "DRAGON")
    )
    assert lion.key != dragon.key
    assert payee_of("ACHAT CB 040925").key == payee_of(payee_of("ACHAT CB 040925").key).key
    assert payee_of("QUILLZWALD 24HOUR GYM").key == "quillzwald 24hour gym"
    assert payee_of("QUILLZWALD 4417 24HR GYM").key == "quillzwald gym"
    assert payee_of("KAASEDAM >EDAM 20.05.2025 10U11").key == "kaasedam"


RAILS = sorted(phrase for phrase, merchant in curated().by_phrase.items() if merchant.people)
SHAPES = (
    "{rail} {text}",
    "{rail} TO {text}",
    "{rail} payment from {text}",
    "{rail} *{text}",
    "{text} VIA {rail}",
)
GIVEN = ("john", "maria", "tom", "bradley", "priya", "jean pierre", "maria del carmen")
SURNAMES = ("lopez", "wang", "fang", "baker", "doe smith", "o connor", "de la cruz", "garcia lopez")


@pytest.mark.thorough
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


@pytest.mark.parametrize(
    "raw",
    [
        "ZQ PROPERTIES 4411",
        "OAK STREET REALTY LLC WEB PMT",
        "PARKVIEW TOWERS",
        "Immobilien Krause GmbH",
        "SCI DES LILAS",
        "STANDING ORDER P HARGREAVES",
        "ZELLE PAYMENT TO JOHN SMITH 12093",
        "SEPA-UEBERWEISUNG Hans Meier",
    ],
)
def test_who_lets_homes(raw: str) -> None:
    """Companies and houses by their words in several languages; people by a given name or an initial."""
    assert names_landlord(payee_of(raw).key)


@pytest.mark.parametrize(
    "raw",
    [
        "HAMPTON CARE HOME",
        "MANOR CARE RESIDENCE",
        "U-STOR STORAGE RENTALS",
        "LEEDS MAGISTRATES COURT",
        "ALLY BANK TRANSFER",
        "BRIGHTSTAR SUPPLY",
        "LEE AUTO",
        "X 77",
        "CHECK 1021",
    ],
)
def test_who_lets_none(raw: str) -> None:
    """Shops, banks and homes for the old; an initial beside no surname is nobody."""
    assert not names_landlord(payee_of(raw).key)


@given(st.text(max_size=60))
def test_tokens_of_tokens_are_the_tokens(text: str) -> None:
    """Splitting is idempotent, whatever the script."""
    tokens = tokens_of(text)
    assert tokens_of(" ".join(tokens)) == tokens


def test_every_character_folds_to_something_that_folds_to_itself() -> None:
    """No character of the basic plane breaks idempotence, alone or between letters."""
    broken = []
    for code in range(min(sys.maxunicode, 0xFFFF) + 1):
        if 0xD800 <= code < 0xE000:
            continue
        tokens = tokens_of(f"{chr(code)} a{chr(code)}b")
        if tokens_of(" ".join(tokens)) != tokens:
            broken.append(hex(code))
    assert broken == []


@given(st.text(max_size=60))
def test_a_token_holds_letters_marks_and_digits_only(text: str) -> None:
    """Punctuation, symbols and white space never reach a token, and no token is empty."""
    for token in tokens_of(text):
        assert token
        assert all(unicodedata.category(char)[0] in "LMN" for char in token)


@given(st.text(alphabet="abcdeABCDE0123 *#/-.'&", max_size=40))
def test_case_does_not_matter(text: str) -> None:
    """Banks write the same shop in any case."""
    assert tokens_of(text.upper()) == tokens_of(text.lower())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("NETFLIX.COM", ["netflix"]),
        ("WWW.AMAZON.CO.UK", ["amazon"]),
        ("HELP.UBER.COM", ["uber"]),
        ("AMZN.COM/BILL", ["amzn", "bill"]),
        ("T-MOBILE", ["tmobile"]),
        ("7-ELEVEN", ["7eleven"]),
        ("1-800-FLOWERS", ["1800flowers"]),
        ("ACH-GEICO", ["ach", "geico"]),
        ("800-555-1212", ["8005551212"]),
        ("21.05.11", ["210511"]),
        ("AT&T", ["att"]),
        ("MACY'S", ["macys"]),
        ("J.CREW", ["jcrew"]),
        ("ST.JOHN'S", ["st", "johns"]),
        ("DISNEY+", ["disneyplus"]),
        ("swiggy@ybl", ["swiggy"]),
        ("Café Müller Straße", ["cafe", "muller", "strasse"]),
        ("Łódź Ærø", ["lodz", "aero"]),
        ("Кофейня №5", ["кофейня", "5"]),
        ("株式会社セブン", ["株式会社セブン"]),
        ("नमस्ते", ["नमस्ते"]),
        ("***", []),
        ("", []),
    ],
)
def test_what_a_word_is(text: str, tokens: list[str]) -> None:
    """A web address is its name, a short side of a hyphen belongs to the other, scripts survive."""
    assert tokens_of(text) == tokens

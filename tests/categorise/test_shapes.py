"""Rows by their structure: labelled memos, cards' days and terminals, branches, accounts."""

import pytest

from finplan.categorise.long_numbers import all_without_long_numbers, without_long_numbers
from finplan.categorise.payee import payee_of
from finplan.categorise.shapes import forms, labels, opens_of


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
    assert opening.search("CARD 03/04 at 11:20 KAA SHOP") is None
    assert opening.search("A CARD 03/04 at 11:20 K77 SHOP") is None
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
    other = payee_of(raw.replace("4417", "9920"))
    assert other.key == "account 9920"
    assert all_without_long_numbers([raw, raw.replace("4417", "9920")]) == [
        raw,
        raw.replace("4417", "9920"),
    ]


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
    """What is no account is told by its shape alone, as is each row of the same shape."""
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

"""Words that only say how it was paid, in an order that no list has."""

import pytest

from finplan.categorise.payee import payee_of

OPENINGS = [
    ("MOBILE BANKING PAYMENT ORWEQUIL TERRVIX", "orwequil terrvix"),
    ("REAL TIME PAYMENT RECEIVED FROM ORWEQUIL TERRVIX", "orwequil terrvix"),
    ("INTERNET DEBIT PAYMENT QUILLZWALD STRATA MANAGEMENT", "quillzwald strata management"),
    ("TRASPASO INMEDIATO A FINCAS QUILLZWALD SL", "fincas quillzwald"),
    ("PAGAMENTO COM QR PIX PADARIA QUILLZWALD", "padaria quillzwald"),
    ("INSTANT TRANSFER FROM COINBASE", "coinbase"),
    ("BON.DA VOI DISPOSTO A FAV. OFFICINA QUILLZWALD", "officina quillzwald"),
]


@pytest.mark.parametrize(("raw", "key"), OPENINGS)
def test_words_of_how_in_any_order_are_no_name(raw: str, key: str) -> None:
    """Several words for the way of a payment are passed over, one of which says what moved the money."""
    assert payee_of(raw).key == key
    assert payee_of(key).key == key


FORMS = [
    ("AVOIR CARTE BOULANGERIE QUILLZWALD 12/04", "boulangerie quillzwald"),
    ("VIR FAV BOULANGERIE QUILLZWALD", "boulangerie quillzwald"),
    ("CHEQUE EMIS BOULANGERIE QUILLZWALD", "boulangerie quillzwald"),
    ("TELEPAIEMENT BOULANGERIE QUILLZWALD", "boulangerie quillzwald"),
    ("PURCHASE AUTHORISATION QUILLZWALD BAKERY GEELONG", "quillzwald bakery"),
    ("PENDING - QUILLZWALD BAKERY GEELONG", "quillzwald bakery"),
    ("EFTPOS PURCHASE QUILLZWALD BAKERY GEELONG QL", "quillzwald bakery"),
    ("TFR WDL BPAY INTERNET 08MAY 12:03 TO BILLER QUILLZWALD BAKERY", "quillzwald bakery"),
    ("EZI*QUILLZWALD BAKERY", "quillzwald bakery"),
    ("REDESHOP PADARIA QUILLZWALD", "padaria quillzwald"),
    ("PAGTO PIX QR CODE PADARIA QUILLZWALD", "padaria quillzwald"),
    ("KREDITKARTENZAHLUNG BAECKEREI QUILLZWALD PASSAU", "backerei quillzwald"),
    ("ABBUCHUNG BAECKEREI QUILLZWALD", "backerei quillzwald"),
    ("GC RE QUILLZWALD BAKERY", "quillzwald bakery"),
    ("BANK GIRO CREDIT REF QUILLZWALD BAKERY", "quillzwald bakery"),
    ("VOSTRA DISPOSIZIONE A FAVORE PANIFICIO QUILLZWALD", "panificio quillzwald"),
    ("OPERAZIONE POS 04/05 ORE 10:12 CARTA 5540 C/O PANIFICIO QUILLZWALD", "panificio quillzwald"),
    ("CARGO DOMICILIADO PANADERIA QUILLZWALD", "panaderia quillzwald"),
    ("UPIAR/441882091447/DR/QUILLZWALD SWEETS/YESB/q4418", "quillzwald sweets"),
    ("ORIG CO NAME:QUILLZWALD BAKERY CO ENTRY DESCR:RENT SEC:PPD", "quillzwald bakery"),
    (
        "Transferência enviada pelo Pix - PADARIA QUILLE - 12.345.678/0001-90 - ITAÚ (0) Agência: 4411",
        "padaria quille",
    ),
]


@pytest.mark.parametrize(("raw", "key"), FORMS)
def test_a_banks_own_form_around_a_name_is_no_part_of_it(raw: str, key: str) -> None:
    """A bank's words for a card, a debit, a transfer or a collector are passed over in each country."""
    assert payee_of(raw).key == key
    assert payee_of(key).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("REAL TIME GAMING LOUNGE", "real time gaming lounge"),
        ("INSTANT TRANSFER TO HOLIDAY POT", "instant transfer to holiday pot"),
        ("CREDIT QUILLZWALD TERRVIX", "credit quillzwald terrvix"),
        ("PAYMENT RECEIVED THANK YOU", "payment received thank you"),
        ("TRANSFER TO CREDIT CARD", "transfer to credit card"),
        ("INSTANT PAYMENT QUILLZWALD", "instant payment quillzwald"),
    ],
)
def test_words_of_how_stay_where_nobody_else_is_named(raw: str, key: str) -> None:
    """Before a trade, an account of one's own, thanks or a single unknown word they are all there is."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("Q QUILLZWALD ROOM RENT FT", "q quillzwald"),
        ("ORWEQUIL TERRVIX FPI CURRY", "orwequil terrvix"),
        ("ORWEQUIL TERRVIX FPO 5000 TICKETS", "orwequil terrvix"),
        ("ORWEQUIL TERRVIX BBP", "orwequil terrvix"),
        ("QUILLZWALD OIL FT WORTH TX", "quillzwald oil"),
        ("QUILLZWALD ORWE FT LAUDERDALE GRILL", "quillzwald orwe ft lauderdale grill"),
        ("QUILLZWALD FPO", "quillzwald"),
    ],
)
def test_a_code_of_a_british_transfer_ends_who_was_paid(raw: str, key: str) -> None:
    """What follows the code is a reference; "Ft" before a town is none."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    "raw",
    [
        "PP.4411.PP . Quillzwald Terrvix, Ihr Einkauf bei",
        "PP.4411.PP . QUILLZWALD TERRVIX, Ihr Einkauf bei QUILLZWALD TERRVIX",
        "PayPal Europe S.a.r.l. et Cie S.C.A PP.2390.PP . Quillzwald Terrvix, Ihr Einkauf bei",
        "PP.2390.PP/. QUILLZWALD TERRVIX",
    ],
)
def test_german_paypal_names_the_shop_behind_its_code(raw: str) -> None:
    """Whether the label behind the name was cut off or not, the shop is the payee."""
    assert payee_of(raw).key == "quillzwald terrvix"


def test_a_tikkie_names_who_asked_for_it_last() -> None:
    """Number and note stand before the person, and the account behind."""
    raw = "Tikkie ID 001188200441, lunch, samen, Mirjam Quillzwald, NL44INGB0007718820"
    assert payee_of(raw) == ("mirjam quillzwald", "Mirjam Quillzwald", "tikkie")


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("MEMO CARD PURCHASE QUILLZWALD", "quillzwald"),
        ("Withdrawal Memo QUILLZWALD OIL 1234", "quillzwald oil"),
        ("MB-BILL PAYMENT QUILLZWALD WATER", "quillzwald water"),
        ("PIX QRS PADARIA ORW05/02", "padaria orw"),
        ("RSHOP-PADARIA ORWE-07/02", "padaria orwe"),
        ("REST SABOR DA SERRA SAO PAULO BR", "restaurant sabor da serra"),
        ("QUILLZWALD FEED CAMP VERDE AZ", "quillzwald feed"),
        (
            "ORWE RIDGE SELF S DES:STORAGE ID:B118 INDN:A B CO ID:3881144007 WEB",
            "orwe ridge self storage",
        ),
        ("ONLINE PAYMENT TO RIVER ORWE PIZZA", "river orwe pizza"),
        ("BOULDER CITY OF UTILITY BILL", "boulder city utility"),
        ("QUILLZWALD WATER ELEC BILL PPD ID: 1010044180", "quillzwald water"),
        ("BEA, Betaalpas KAASHUIS ORWE,PAS041 NR:KW4411, 15.02.25/11:12 ORWE", "kaashuis orwe"),
        (
            "BEA, Betaalpas SLAGERIJ TEN HOVE,PAS022 NR:K1, 11.06.25/10:11 HASSELT",
            "slagerij ten hove",
        ),
        ("BEA, Apple Pay JUMBO EDAM,PAS041 NR:88B1C2, 20.05.25/18:11 EDAM", "jumbo"),
        ("R/ QUILLZWALD ORWE 11882004", "quillzwald orwe"),
        ("Draft Check", "check"),
        ("SHARE DRAFT CHECK 1044", "check"),
        ("DRAFT HOUSE TAPROOM", "draft house taproom"),
        ("Transfer To Loan Payment Auto", "transfer to loan"),
        ("Transfer to xx7181 CommBank app", "account 7181"),
        ("TRANSFER TO ACCOUNT XX7718 NETBANK", "account 7718"),
        ("SANTA LUCIA SEGUROS POLIZA", "santalucia"),
        ("SANTA LUCIA CAFE", "santa lucia cafe"),
        ("ORWEDALE DISTRICT COU", "orwedale council"),
        ("ORWEDALE REGIONAL C", "orwedale regional council"),
        ("ORWEDALE COUNTY COU", "orwedale county cou"),
    ],
)
def test_what_a_row_only_says_beside_the_name(raw: str, key: str) -> None:
    """A memo's label, a check's other word, a bank's channel and parted letters tell no other payee."""
    assert payee_of(raw).key == key
    assert payee_of(key).key == key

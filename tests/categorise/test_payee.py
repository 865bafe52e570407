"""A payee's key is the same for every branch of a shop, its own, and different for two shops."""

import random
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings, strategies as st

from finplan.categorise.curated import curated
from finplan.categorise.long_numbers import without_long_numbers
from finplan.categorise.payee import payee_of
from finplan.categorise.tokens import tokens_of
from tests.categorise.descriptors import DESCRIPTORS
from tests.steps import growth, steps

ONE_SHOP = [
    """
    SQ *BLUE BOTTLE 0423 OAKLAND CA
    SQ *BLUE BOTTLE COFFEE Oakland CA
    CHECKCARD 0423 BLUE BOTTLE COFFEE
    Blue Bottle Coffee
    """,
    """
    STARBUCKS STORE 04231 SEATTLE WA
    STARBUCKS 800-782-7282 WA
    PURCHASE AUTHORIZED ON 05/12 STARBUCKS #1149 SAN FRANCISCO CA S305132 CARD 1234
    """,
    """
    NETFLIX.COM 866-579-7172 CA
    VISA 1234 NETFLIX
    RECURRING PAYMENT AUTHORIZED ON 11/03 NETFLIX.COM NETFLIX.COM CA S30 CARD 9923
    PAYPAL INST XFER NETFLIX
    NETFLIX.COM DES:NETFLIX ID:XXXXX INDN:JOHN DOE CO ID:XXXXX WEB
    """,
    """
    AMZN Mktp US*2K4AB12C3 AMZN.COM/BILL WA
    AMAZON.COM*RT4GH1 SEATTLE WA
    DEBIT CARD PURCHASE AMAZON MKTPLACE PMTS W WWW.AMAZON.CO WA
    """,
    """
    TARGET T-1234 OAKLAND CA
    TARGET        00012345 EMERYVILLE CA
    TARGET.COM * 800-591-3869 MN
    """,
    """
    TST* THE COPPER HEN RALEIGH NC
    TST* THE COPPER HEN #22 AUSTIN TX
    POS DEBIT THE COPPER HEN LLC
    """,
    """
    SQ *THIRD PORCH COFFEE CO DENVER CO
    SQ *THIRD PORCH COFFEE CO KANSAS CITY MO
    """,
    """
    WAL-MART #1234 SACRAMENTO CA
    WM SUPERCENTER #2345 FRESNO CA
    DEBIT CARD PURCHASE POS1234 WAL-MART #1234 SACRAMENTO CA
    """,
    """
    CARD PAYMENT TO TESCO STORES 2345 ON 12 NOV 2024
    TESCO STORES 6112 LONDON GB
    TESCO STORES LEEDS
    """,
    """
    SEPA-LASTSCHRIFT REWE SAGT DANKE 4711 KOELN DE
    Kartenzahlung REWE Markt Berlin
    """,
    """
    ATM WITHDRAWAL 001234 123 MAIN ST OAKLAND CA
    NON-CHASE ATM WITHDRAW 123456 05/12 500 MAIN
    """,
    """
    Check 1234
    CHECK PAID #0000001001
    Cheque 000123
    """,
    """
    ZELLE PAYMENT TO JOHN SMITH JPM99abc123
    Zelle payment from John Smith 12345678901
    Zelle payment to John Smith for "rent"; Conf# a1b2c3
    ZELLE TO JOHN SMITH ON 11/12 REF #RP0XYZ1 RENT
    """,
    """
    VENMO *JOHN DOE NEW YORK NY
    Venmo payment to John Doe
    """,
    """
    Café Müller GmbH
    CAFE MULLER
    """,
    """
    PEACOCK Y5FXG TV 212-664-4444 NY
    PEACOCK LXQG2 TV 212-664-4444 NY
    """,
    """
    VENMO 07/05 PURCHASE 855-812-4430 NY
    VENMO CASHOUT
    """,
    """
    ZELLE TO MARIA LOPEZ ON 04/02 REF #RP0XK
    ZELLE FROM LOPEZ MARIA ON 05/01
    Zelle Transfer Conf# abc123xyz; Lopez, Maria
    Zelle payment to Maria J Lopez 18822410041
    """,
    """
    SQ *CEDAR CREEK BBQ Lubbock TX
    TST* CEDAR CREEK BBQ 1188 LUBBOCK TX
    CEDAR CREEK BBQ LLC LEVELLAND TX
    """,
    """
    VALLEY PEDIATRICS 801-555-0114 UT
    VALLEY PEDIATRI OGDEN UT
    """,
    """
    OAKWOOD APTS WEB PMTS PPD ID: 1
    OAKWOOD APARTMENTS LLC RENT
    ACH DEBIT OAKWOOD APARTM WEB PMTS 0401
    """,
    """
    BRIGHT WORKS INC PAYROLL PPD ID: 91
    BRIGHT WORKS DES:DIR DEP ID:1 INDN:DOE,J CO ID:9 PPD
    BRIGHT WORKS DIRECT DEP 240315
    POS PURCHASE BRIGHT WORKS 0441
    """,
    """
    STARBUCKS PAYROLL 251115
    STARBUCKS STORE 04231 SEATTLE WA
    """,
    """
    ZELLE TO DOE JOHN ON 04/02 REF #RP0XK
    VENMO *JOHN DOE
    CASH APP*JOHN DOE*CASH OUT
    FASTER PAYMENT TO JOHN DOE
    """,
    """
    INTERAC E-TRANSFER SENT QUARRY RENTALS CA8TT1QL
    PRE-AUTHORIZED DEBIT QUARRY RENTALS
    """,
    """
    PAYPAL *SPOTIFYUSAI 402-935-7733 CA
    PAYPAL DES:INST XFER ID:SPOTIFYUSAI INDN:J DOE CO ID:PAYPALSI77 WEB
    Spotify
    """,
    """
    PP.4412.PP . ZALANDO SE, Ihr Einkauf bei ZALANDO SE EREF+1033
    Zalando
    """,
    """
    AFTERPAY* PAYMENT 1234
    AFTERPAY* 4488 San Francisco CA
    Afterpay
    """,
    """
    ATM WITHDRAWAL 0012 WELLS FARGO 5TH AVE
    CASH WITHDRAWAL AT BARCLAYS BANK ATM LEEDS 22MAR
    PRELIEVO BANCOMAT 12/03 MILANO
    REINTEGRO CAJERO 12/03 MADRID
    """,
    """
    NON-NETWORK ATM FEE
    OUT OF NETWORK ATM WITHDRAWAL FEE
    NON CHASE ATM FEE
    ATM SURCHARGE
    """,
    """
    OVERDRAFT FEE
    COMMISSION D'INTERVENTION
    UNARRANGED OVERDRAFT
    """,
    """
    NSF FEE
    RETURNED ITEM CHARGE
    """,
    """
    LATE PAYMENT FEE
    LATE FEE
    """,
    """
    FOREIGN TRANSACTION FEE
    NON STERLING TRANSACTION FEE
    INTL EXCHANGE FEE
    """,
    """
    ANNUAL MEMBERSHIP FEE
    ADDITIONAL CARDHOLDER FEE
    """,
    """
    MONTHLY SERVICE FEE
    ACCOUNT MAINTENANCE CHARGE
    KONTOFUEHRUNG
    """,
    """
    PAPER STATEMENT FEE
    STOP PAYMENT FEE
    """,
    """
    CARD PAYMENT TO THE GREEN MAN,24.00 GBP, RATE 1.00/GBP ON 12-03-2024
    THE GREEN MAN CAMBRIDGE GB
    SUMUP *GREEN MAN
    """,
    """
    FPO EMMA CLARKE RENT 12MAR24 10:01
    FASTER PAYMENTS RECEIPT REF.SHOPPING FROM EMMA CLARKE
    STANDING ORDER TO EMMA CLARKE
    """,
    """
    Kartenzahlung APOTHEKE AM RING//KÖLN/DE 12-03-2024T10:10:10 Folgenr. 01
    girocard APOTHEKE AM RING KOELN 12.03
    """,
    """
    Dauerauftrag Thomas Weber Miete Maerz
    SEPA-Überweisung an THOMAS WEBER SVWZ+Nebenkosten
    """,
    """
    SIEMENS AG LOHN/GEHALT 0324
    GEHALT 03/24 SIEMENS AG
    """,
    """
    VIR SEPA MARC LEFEVRE LOYER AVRIL
    VIR INST vers MARC LEFEVRE resto
    """,
    """
    PAIEMENT CB 1403 VANNES BOUCHERIE MOREL 0441
    CARTE 12/03/24 BOUCHERIE MOREL VANNES CB*2201
    """,
    """
    COMPRA TARJ. 5402XXXXXXXX4471 PANADERIA LA ESPIGA-VILLALBA
    PAGO CON TARJETA EN PANADERIA LA ESPIGA
    """,
    """
    BIZUM A FAVOR DE CARLOS RUIZ CONCEPTO: PADEL
    TRANSFERENCIA BIZUM RECIBIDA DE CARLOS RUIZ
    """,
    """
    ADDEBITO SDD ACQUEDOTTO VERDE SPA RIF 44
    ACQUEDOTTO VERDE FATTURA 03/24
    """,
    """
    CCV*BAKKERIJ DE KORENBLOEM BREDA
    BEA, Betaalpas BAKKERIJ DE KORENBLOEM,PAS052 NR:1, 12.03.24/18:22 BREDA
    """,
    """
    INTERAC E-TRANSFER SENT AMY CHEN CA8KQ2
    E-TRANSFER ***9zP AMY CHEN
    """,
    """
    PIX ENVIADO 12/03 ANA BEATRIZ COSTA
    TRANSFERENCIA RECEBIDA PELO PIX - ANA BEATRIZ COSTA - ***.1.812-** - ITAU
    """,
    """
    8841 05MAR26 WILLOW & FINCH YATE GB
    WILLOW & FINCH YATE ON 12 JAN CLP
    WILLOW AND FINCH YATE ON 03 FEB BCC
    """,
    """
    Kaashandel Veldman>SNEEK 12.03.2026 09U14 KV005 7K21L0
    BEA, Betaalpas KAASHANDEL VELDMAN,PAS118 NR:77K2L0, 07.03.26/09:12 SNEEK
    """,
    """
    COMPRA EN OPTICA DEL PUERTO, SORIA, TARJETA 5402XXXXXXXX1188
    Pago movil en Optica del Puerto, Soria, Tarj. :*441188
    """,
    """
    Operazione carta presso DROGHERIA BONI - Transazione C-less
    POS DROGHERIA BONI PARMA ITA CARTA 1188
    PAGAMENTO CARTA 12/03 ORE 08:14 DROGHERIA BONI PARMA CARTA N. *1188
    """,
    """
    BIL/BPAY/00118820/RIVER WATER BOARD/4411882
    BY TRANSFER-NEFT*HDFC0000001*N0718820*RIVER WATER BOARD
    MMT/IMPS/411188773/water dues/RIVER WATER BOARD/SBIN0001234
    """,
    """
    PAG*PadariaDoZe CURITIBA BR
    Compra no débito - PADARIA DO ZE
    """,
    """
    POINT OF SALE DEBIT L340 TIME 06:41 PM DATE 03/12 FERNDALE TOY BARN DOTHAN AL
    DEBIT PURCHASE 03/12 FERNDALE TOY BARN DOTHANAL
    Debit Card Withdrawal FERNDALE TOY BARN DOTHAN AL Date 03/12/25
    """,
    """
    BILL PAY QUARRY LAWN CARE ON-LINE No Account Number ON 03-12
    QUARRY LAWN CARE BILL PAY
    """,
    """
    UPI/P2M/41/LAKSHMI STORES/paytmqr@paytm/NA
    UPI-LAKSHMI STORES-PAYTMQR@PAYTM-PYTM0123456-41-UPI
    """,
]

TWO_SHOPS = [
    ("COSTCO WHSE #0423", "COSTCO GAS #0423"),
    ("UBER *TRIP HELP.UBER.COM CA", "UBER *EATS HELP.UBER.COM CA"),
    ("AMAZON.COM*RT4GH1", "Amazon Prime*2A3B4 amzn.com/bill WA"),
    ("TARGET T-1234", "TARGET OPTICAL 123"),
    ("SHELL OIL 57444212", "SHELL BEACH CAFE"),
    ("MACY'S #003", "MACYS CREDIT CARD PAYMENT"),
    ("ZELLE TO JOHN SMITH", "ZELLE TO JANE SMITH"),
    ("ZELLE TO JOHN MA", "ZELLE TO JOHN"),
    ("VENMO *JOHN", "ZELLE TO JOHN"),
    ("ZELLE TO JOHN LEWIS", "JOHN LEWIS PARTNERS"),
    ("DENTAL CLINIC 0441 AUSTIN TX", "DENTAL CLINIC 0118 WACO TX"),
    ("CLINIQUE DENTAIRE LEVIS QC", "CLINIQUE DENTAIRE LAVAL QC"),
    ("CANADIAN TIRE 0441 GUELPH ON", "CANADIAN TIRE GAS BAR 0441 GUELPH ON"),
    ("CHECK 1234", "CHECK CITY 1234"),
    ("ONLINE TRANSFER TO SAV ...1234", "ONLINE TRANSFER TO CHK ...1234"),
    ("CITY OF AUSTIN WATER", "CITY OF DALLAS WATER"),
    ("UNIVERSITY OF CHICAGO 123 CHICAGO IL", "UNIVERSITY OF TEXAS 123 AUSTIN TX"),
    ("123456789", "987654321"),
    ("DELTA AIR 0062341234567", "DELTA DENTAL 123"),
    ("FOREVER 21 #22", "MOTEL 6 #22"),
    ("キリン堂", "マツモト"),
    ("MACYS 1234 HERALD SQ OH", "MACYS 1234 CREDIT CARD OH"),
    ("CATCH 21 OYSTER BAR NY", "CATCH 21 STEAK HOUSE NY"),
    ("HARBOUR LONDON", "HARBOUR PARIS"),
    ("STADTWERKE MUENCHEN 4711", "STADTWERKE KOELN 4711"),
    ("TESCO STORES 3341", "TESCO PFS 2840 BRISTOL"),
    ("VIR SEPA SOPHIE MARTIN", "VIR SEPA SOPHIE MARTINEZ"),
    ("SQ *LUNA SALON Tempe AZ", "SQ *LUNA COFFEE Tempe AZ"),
    ("PLANET SMOOTHIE 0331", "PLANET FIT CLUB FEES"),
    ("TARGET T-1344 BROOKLYN NY", "TARGET ARCHERY CLUB BOISE ID"),
    ("BOULANGERIE PAUL PARIS", "BOULANGERIE PAUL PARISH"),
    ("INSURANCE PEOPLE INC", "INVESTMENT PEOPLE INC"),
    ("COMPRA DEBITO POSTO LONDRINA", "COMPRA DEBITO POSTO CURITIBA"),
    ("POS BAR MILANO", "POS BAR TORINO"),
    ("COTTON ON #0123 PORTLAND OR", "COTTON #0123 PORTLAND OR"),
]

NAMES = [
    ("SQ *BLUE BOTTLE 0423 OAKLAND CA", "Blue Bottle Coffee"),
    ("TST* TACOS EL GORDO SAN DIEGO CA", "Tacos el Gordo"),
    ("PAYPAL *SPOTIFY USA 402-935-7733 CA", "Spotify"),
    ("PP*GITHUB INC 402-935-7733", "GitHub"),
    ("MCDONALD'S F2415 LOS ANGELES CA", "McDonald's"),
    ("24 HOUR FITNESS USA 800-432-6348", "24 Hour Fitness"),
    ("UNIVERSITY OF CHICAGO 1234 CHICAGO IL", "University of Chicago"),
    ("ZELLE PAYMENT TO JOHN SMITH JPM99abc123", "John Smith"),
    ("CASH APP*JANE ROE*CASH O", "Jane Roe"),
    ("ACME CORP DES:PAYROLL ID:XXXXX INDN:SMITH,JOHN CO ID:1234567 PPD", "Acme"),
    ("/TRTP/SEPA OVERBOEKING/IBAN/NL20INGB0001234567/NAME/J DE VRIES/REMI/Huur", "J de Vries"),
    ("ZELLE FROM LOPEZ MARIA ON 05/01", "Maria Lopez"),
    ("ZELLE TO JOHN", "John (Zelle)"),
    ("Naam: Albert Heijn 1423 Omschrijving: Pasvolgnr: 001", "Albert Heijn"),
    ("BEA   NR:XXX1234   21.05.11/12.04 HANS ANDERS OPT./056 KAT,PAS999", "Hans Anders"),
    ("UPI-RAMESH KUMAR-ramesh@okicici-SBIN0001234-412345678", "Ramesh Kumar"),
    ("CAFÉ MÜLLER", "Café Müller"),
    ("Le Petit O'Brien", "Le Petit O'Brien"),
    ("株式会社セブン 東京", "株式会社セブン 東京"),
    ("SEASHELL GIFTS & SURF", "Seashell Gifts Surf"),
    ("O'MALLEY'S PUB", "O'Malley's Pub"),
    ("JOE'S B&B 0423", "Joe's B&B"),
    ("NYC BIKE HOA", "NYC Bike HOA"),
    ("GREEN MTN BBQ", "Green MTN BBQ"),
    ("05/12/2024", "05/12/2024"),
    ("***", "Unknown"),
]


@settings(max_examples=500)
@example("x 12 xx")
@example("remitly al lubbock DES: jp 05 1")
@example("ENMAX 12ABCD345 BRASILIA CRD ÅB")
@example("1234 00ª")
@example("aranda de duero taree")
@example("blockfi a fee df")
@example("ucsf medicals mfg victorville")
@example("mag cadeau zu 1")
@example("april 4711 rent")
@example("0000 M abcmouse rebecca")
@example("0000 M addebito rebecca")
@example("0001A")
@example("A000.1")
@example("2018-05-19T00:08:52")
@given(DESCRIPTORS)
def test_a_key_is_its_own_key(raw: str) -> None:
    """A key read as a descriptor is the same payee, so that rules and re-imports agree."""
    key = payee_of(raw).key
    assert payee_of(key).key == key


@settings(max_examples=400)
@given(DESCRIPTORS)
def test_long_numbers_never_matter(raw: str) -> None:
    """A text with letters has the payee that it has without its long numbers, so it is found once."""
    if any(map(str.isalpha, raw)):
        assert payee_of(without_long_numbers(raw)) == payee_of(raw)


@pytest.mark.thorough
@settings(max_examples=500)
@given(DESCRIPTORS, st.none() | DESCRIPTORS)
def test_no_payee_is_empty(raw: str, name: str | None) -> None:
    """Whatever a bank writes, there is a key of tokens and a name to read."""
    payee = payee_of(raw, name)
    assert payee.key == " ".join(tokens_of(payee.key))
    assert payee.key
    assert payee.name.strip() == payee.name != ""


@pytest.mark.parametrize("descriptors", ONE_SHOP, ids=lambda block: block.split("\n")[1].strip())
def test_branches_are_one_payee(descriptors: str) -> None:
    """Store numbers, cities, dates, cards, processors and references do not make another payee."""
    keys = {payee_of(raw.strip()).key for raw in descriptors.strip().splitlines()}
    assert len(keys) == 1


@pytest.mark.parametrize(("one", "other"), TWO_SHOPS)
def test_two_payees_stay_two(one: str, other: str) -> None:
    """What tells two payees apart is never taken away."""
    assert payee_of(one).key != payee_of(other).key


@pytest.mark.parametrize(("raw", "name"), NAMES)
def test_a_person_recognises_the_name(raw: str, name: str) -> None:
    """The display name is how the payee writes itself."""
    assert payee_of(raw).name == name


@pytest.mark.parametrize(
    ("raw", "name", "key"),
    [
        ("SQ *BLUE BOTTLE 0423 OAKLAND CA", "Ritual Coffee", "ritual coffee"),
        ("POS 1234", "Netflix", "netflix"),
        ("SQ *BLUE BOTTLE 0423 OAKLAND CA", "  ", "blue bottle coffee"),
        ("SQ *BLUE BOTTLE 0423 OAKLAND CA", "12345", "blue bottle coffee"),
        ("SQ *BLUE BOTTLE 0423 OAKLAND CA", "Card Payment", "blue bottle coffee"),
        ("PAYPAL *SPOTIFY 402-935-7733", "PayPal", "spotify"),
        ("ZELLE TO JOHN SMITH", "Zelle", "john smith"),
        ("APPLE.COM/BILL 866-712-7753 CA", "Apple", "apple services"),
        ("Amazon Prime*2A3B4", "Amazon", "amazon prime"),
        ("POS DEBIT 1234", "Amazon", "amazon"),
    ],
)
def test_the_banks_own_name_wins_when_it_names_somebody(raw: str, name: str, key: str) -> None:
    """A merchant's name from the bank is better than the descriptor; a rail or a filler is not."""
    assert payee_of(raw, name).key == key


def test_every_spelling_of_a_merchant_is_the_merchant() -> None:
    """Each shipped name and alias has the merchant's canonical key and name."""
    wrong = {
        phrase: payee_of(phrase)
        for phrase, merchant in curated().by_phrase.items()
        if payee_of(phrase)[:2] != (merchant.key, merchant.name)
        or payee_of(merchant.name.upper()).key != merchant.key
    }
    assert wrong == {}


def test_a_descriptor_of_digits_keeps_a_key_of_its_own() -> None:
    """Where there is nothing but numbers, the numbers are the key."""
    assert payee_of("123456789").key == "123456789"
    assert payee_of("POS DEBIT 1234").key == "pos"


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("POS WWW", "pos"),
        ("POS GMBH", "pos"),
        ("POS OF SALARY", "pos"),
        ("CARD 1234 SALARY", "card"),
    ],
)
def test_a_descriptor_without_a_name_is_known_by_its_most_telling_words(raw: str, key: str) -> None:
    """Where another word is left, it is no noise, no word of pay, no small word and no legal form."""
    assert payee_of(raw).key == key


def test_a_descriptor_costs_little() -> None:
    """A distinct descriptor takes 300 lines of Python at most; a longer one, steps by its length."""
    dice = random.Random(7)
    shops = [merchant.name.upper() for merchant in curated().by_phrase.values()]
    descriptors = [
        f"SQ *{dice.choice(shops)} {number:05} OAKLAND CA"
        if number % 2
        else f"POS DEBIT {dice.choice(shops)[::-1]} #{number} SAN FRANCISCO CA"
        for number in range(2000)
    ]
    assert steps(lambda: [payee_of(raw) for raw in descriptors]) < 300 * len(descriptors)

    def repeated(times: int) -> Callable[[], object]:
        # One descriptor again and again, so that the longer text has nothing that the shorter lacks.
        texts = [" ".join([raw] * times) for raw in descriptors[:40]]
        return lambda: [payee_of(text) for text in texts]

    assert growth(repeated, 25) < 5

"""What banks print before, after and around a name: the name alone decides who was paid."""

import pytest

from finplan.categorise.payee import payee_of

_SHOPS = """
V4410 12/05 {} BALLARAT 74940715132
MISCELLANEOUS DEBIT V4410 12/05 {} BALLARAT 74940
{} BALLARAT VIC Card xx4410 AUD 23.50 Value Date: 12/05/2025
{} BALLARAT VIC AU USD 12.00 INCL INTL TRANS FEE
{} - Visa Purchase - Receipt 104412In BALLARAT Date 12/05/2025 Card 462263xxxxxx4410
ZLR*{} BALLARAT AU
EFTPOS WDL 0441 {} BALLARAT VIC
EZIDEBIT {} 0042217
{} 0441 BALLARAT
No estabelecimento {} SOROCABA BRA
COMPRA CARTAO ELO DEB VISTA {}
INT VISA ELECTRON {}
STONE*{} SOROCABA
{} - SOROCABA - SP
{} GOIANIA GO
FACTURE(S) CARTE 4974XXXXXXXX4410 DU 120525 {} RENNES FR
DU 120525 {} RENNES CARTE 4974XXXX4410
PAIEMENT CB {} DU 12/05 A MEYLAN - CARTE*4410
ACHAT PAR CARTE {} RENNES LE 12/05
{} 35RENNES
CARD PAYMENT TO {} ON 12 MAY
{} LEEDS CD 4410 DEB
{} Leeds GBR Apple Pay
)))  {} LEEDS GBR
WP-{} LEEDS
[PR]{} KELOWNA BCCA
[CW] {}
POINT OF SALE - INTERAC RETAIL PURCHASE 441288012 {}
PAGO CON TARJETA DE {}
COMPRA EN {}, CON LA TARJETA : 4410XXXXXXXX0012 EL 2025-05-12
COMPRA EN {} EL DIA 12/05 A LAS 18:22
COMPRA {} FECHA 12-05-2025 TARJ 4410
TARJETA CREDITO {} BURGOS
{}, BURGOS
{}\\BURGOS\\ES
EC-Kartenzahlung {} FULDA 12.05.25
POS MIT PIN. {} FULDA
ELV44128801 12.05 18.22 ME4 {}
NR XXXX 4410 {} FULDA KAUFUMSATZ 12.05 441288 ARN24
PAGAMENTO VISA DEBIT del 05/02/2025 CARTA *8812 DI EUR 4,20 {} TERNI
PAGAMENTO VISA DEBIT CARTA *8812 DI EUR 9 {} TERNI
Pag. del 06/02/25 ora 08:11 presso: {} VIA ROMA 4 TERNI 05100 ITA Carta N *** 812
CARTA *4410 DEL 12/05/2025 ORE 18:22 {} TERNI
{} DI BIANCHI LUCA TERNI
{} CUNEO FRA
Kaashuis: Naam: {} via Mollie Omschrijving: bestelling 4412
PAY.nl*{}
WDL TFR UPI/DR/441200882016/{}/YESB/q4412
UPIOUT/441200882016/{}@ybl/5411
VISA DDA PUR AP 441288 {} BOISE * ID
"""
_BILLS = """
WITHDRAWAL ONLINE 1441288 BPAY {} 44128
BPAY PAYMENT {} CRN 44128801
DA {} 44128801
SISPAG {}
TED RECEBIDA {} PAGTO SALARIO
PAIEMENT PREAUTORISE {}
[DS]{} RNT/LOY
{} PAY/PAY
DEPOT SALAIRE {}
ELECTRONIC FUNDS TRANSFER PAY {}
000001 VIR EUROPEEN EMIS LOGITEL POUR: {} 14 02 BQ 30004 REF: 0441 MOTIF: LOYER
VIREMENT SEPA EMIS /MOTIF LOYER /BEN {} /REFDO
VIREMENT SALAIRES {} SARL
VIR SEPA LOYER {}
DEPOT DIRECT {} INC
{} PRLV SEPA REF 441
{} VIA MOBILE - PYMT
Transfer to {} CommBank App rent
ADEUDO DE {}, N 441288012, CLAVE CTE
ABONO NOMINA EMPRESA {} SL
ADDEBITO SEPA DD PER FATTURA A VOSTRO CARICO Incasso 00441 SDD da IT44ZZZ0000001182200 {} SPA
Bonifico a Vostro favore disposto da: MITT.: {} BENEF.: ROSSI MARIO
GUTSCHR. UEBERW. DAUERAUFTR. {}
Empfänger: {} Verwendungszweck: Rate 5
{} SALARIS MEI
TPT-FEES-{}
E-PAYMENT {} WEB
{} UTIL PYMT 0044
"""
_TRANSFERS = """
PAYANYONE TO {}
RTP CREDIT FROM {} DINNER
WITHDRAWAL MOBILE 1822044 PYMT {} rent
CR {}
FPI {} DINNER
{} MOBILE-CHANNEL
CRED PIX {}
PIX ENVIADO OUTRA IF {}
VIR RECU 4471 DE: M {} MOTIF: PART
VIREMENT EN VOTRE FAVEUR MME {}
E-TRANSFER - AUTODEPOSIT {} CA1B2C
INTERAC E-TRANSFER REC'D {}
INTERNET BANKING E-TRANSFER 104412880123 {}
TRANSF INMED A {}
ENVIO BIZUM {}
POSTAGIRO A {}
Bonifico Da Voi Disposto A Favore Di {}
Naam: Mevr {} Omschrijving: eten IBAN: NL44
QuickPay with Zelle payment to {} 12345
Sent Rs.500.00 To {} On 12/05/25 Ref 4412
"""


def _forms(block: str) -> list[str]:
    return block.strip().splitlines()


@pytest.mark.parametrize("raw", _forms(_SHOPS))
def test_what_stands_around_a_shop_is_no_part_of_it(raw: str) -> None:
    """A shop that nobody lists has one key in every form in which cards' rows print it."""
    assert payee_of(raw.format("QUILLZWALD ORWE")).key == "quillzwald orwe"


@pytest.mark.parametrize("raw", _forms(_BILLS))
def test_what_stands_around_a_biller_or_employer_is_no_part_of_it(raw: str) -> None:
    """A firm that nobody lists has one key in every form of bills and pay."""
    assert payee_of(raw.format("QUILLZWALD ORWE")).key == "quillzwald orwe"


@pytest.mark.parametrize("raw", _forms(_TRANSFERS))
def test_what_stands_around_a_person_is_no_part_of_the_name(raw: str) -> None:
    """A person has one key over every rail, with or without an honorific or a note."""
    assert payee_of(raw.format("THERESA ORWEQUIL")).key == "theresa orwequil"


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("QUILLZWALD ORWE ON 4412", "quillzwald orwe"),
        ("LE 31 QUILLZWALD", "le quillzwald"),
        ("DEL MAR CAFE 12/05", "del mar cafe"),
        ("A TASTE OF QUILL LEEDS", "a taste quill"),
        ("QUILLZWALD 12 A LA CARTE", "quillzwald a la carte"),
        ("LA CANTINE QUILLZWALD", "la cantine quillzwald"),
        ("RESTAURANT CANTINE 4", "restaurant"),
        ("SA QUILLZWALD ORWE", "sa quillzwald orwe"),
        ("QUILLZWALD SA VEVEY", "quillzwald"),
        ("CARD QUILLZWALD ORWE", "card quillzwald orwe"),
        ("CB LOYER QUILLZWALD ORWE", "loyer quillzwald orwe"),
        ("VIR REGIE DU QUILLZWALD", "regie quillzwald"),
        ("CARTA BIANCA QUILLZWALD", "carta bianca quillzwald"),
        ("RECTORY CHEZ QUILLZWALD", "rectory chez quillzwald"),
        ("CHEZ QUILLZWALD", "chez quillzwald"),
        ("PURCHASE CHEZ QUILLZWALD", "chez quillzwald"),
        ("PIN OAK QUILLZWALD", "pin oak quillzwald"),
        ("IN-QUILLZWALD ORWE", "inquillzwald orwe"),
        ("DA QUILLZWALD", "da quillzwald"),
        ("DA QUILLZWALD 441", "da quillzwald"),
        ("INT QUILLZWALD ORWE", "int quillzwald orwe"),
        ("QUILLZWALD ORWE GO", "quillzwald orwe go"),
        ("OSKO PAYMENT TO JUN QUILLZ", "jun quillz"),
        ("QUILLZWALD 4412 APRIL ORWE", "quillzwald april orwe"),
        ("OSKO PAYMENT 4412 APRIL QUILLZ", "april quillz"),
        ("OSKO PAYMENT TO 12 JUN QUILLZ ORWE", "quillz orwe"),
    ],
)
def test_a_word_that_may_say_how_when_or_where_stays_where_nothing_shows_it(
    raw: str, key: str
) -> None:
    """A preposition, a card or a code is part of a name unless a number or a place is by it."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("QUILLZWALD - SOROCABA", "quillzwald"),
        ("QUILLZWALD, LEEDS", "quillzwald"),
        ("QUILLZWALD, ORWE", "quillzwald orwe"),
        ("QUILLZWALD, AUSTIN", "quillzwald austin"),
        ("QUILLZWALD - NATAL - RN", "quillzwald"),
        ("QUILLZWALD, MARTIN", "quillzwald martin"),
        ("COMPRA NO DEBITO - PAO DE ACUCAR", "pao de acucar"),
        ("QUILLZWALD - CARD", "quillzwald card"),
        ("PAYMENT - LEEDS", "payment leeds"),
        ("QUILLZWALD - Visa Purchase ORWE", "quillzwald visa purchase orwe"),
        ("PAIEMENT FACTURE - VILLE DE QUILLZWALD", "ville quillzwald"),
        ("QUILLZWALD VILLE DE", "ville quillzwald"),
        ("QUILLZWALD CITY OF DES:UTIL ID:44 INDN:J DOE CO ID:1 PPD", "city quillzwald"),
        ("BILL PAYMENT QUILLZWALD-CITY OF PROPERTY TAX", "city quillzwald"),
    ],
)
def test_a_place_behind_a_comma_or_dash_goes_and_any_other_words_stay(raw: str, key: str) -> None:
    """Only what is a town's name, and stands behind somebody's, is taken for one."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("ZLR*QUILLZWALD ORWE", "quillzwald orwe"),
        ("ZLR*QUILLZWALD", "quillzwald"),
        ("ZQK*QUILLZWALD", "zqk quillzwald"),
        ("ZQK*QUILLZWALD ORWE", "quillzwald orwe"),
        ("ZQKO*QUILLZWALD ORWE", "zqko quillzwald orwe"),
        ("QUILLZ ZQK*QUILLZWALD ORWE", "quillz zqk quillzwald orwe"),
        ("TST-QUILLZWALD ORWE", "quillzwald orwe"),
        ("ZQK-QUILLZWALD ORWE", "zqk quillzwald orwe"),
    ],
)
def test_a_processors_code_is_told_by_its_form(raw: str, key: str) -> None:
    """A short code without vowels before a star is a processor's; before a dash only a known one."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("FAST TRANSFER FROM Orwe Quillzwald pizza money", "orwe quillzwald"),
        ("FAST TRANSFER FROM Orwe Quillzwald", "orwe quillzwald"),
        ("Quillzwald Orwe bread and more", "quillzwald orwe bread more"),
        ("Fast transfer from Orwe de la quillz", "orwe la quillz"),
        ("TRANSFER TO ORWE QUILLZWALD", "orwe quillzwald"),
        ("TRANSFER TO HOUSE SAVINGS", "transfer to house savings"),
        ("TRANSFER TO Q QUILLZWALD", "q quillzwald"),
        ("TRASPASO A THERESA ORWEQUIL QUILLZ CENA", "theresa orwequil quillz"),
        ("VIR RECU 4412 DE: THERESA ORWEQUIL QUILLZ MOTIF: X", "theresa orwequil quillz"),
        ("ORWEQUIL FROM S QUILLZ", "orwequil from s quillz"),
        ("TRANSFER TO ZQK", "transfer to zqk"),
        ("TRANSFER TO Q R", "transfer to qr"),
        ("MR THERESA ORWEQUIL", "theresa orwequil"),
        ("MISS ORWEQUIL QUILLZ", "miss orwequil quillz"),
        ("VIR INST ORWEQUIL THERESA", "theresa orwequil"),
        ("VIR RECU 4412 DE: ORWEQUIL THERESA MOTIF: X", "theresa orwequil"),
    ],
)
def test_a_transfer_names_a_person_and_not_an_account(raw: str, key: str) -> None:
    """Two names are somebody, words for an account of one's own are not; small words are a note."""
    assert payee_of(raw).key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("CREPERIE DU PORT CANCALE FR", "creperie du port"),
        ("QUILLZWALD ORWE MEYLAN FRA", "quillzwald orwe"),
        ("QUILLZWALD MEYLAN ON 441288", "quillzwald"),
        ("QUILLZWALD MOLLIE", "quillzwald mollie"),
        ("QUILLZWALD ORWE MOLLIE", "quillzwald orwe"),
        ("EDI PYMNTS", "edi"),
        ("NON-SUFFICIENT FUNDS FEE", "returned payment fee"),
        ("PORT CANCALE FR", "port cancale"),
        ("BANK CANCALE FR", "bank cancale"),
        ("QUILLZWALD 0441 LOEBAU", "quillzwald"),
        ("CAFE 0441 LOEBAU", "cafe loebau"),
        ("QUILLZWALD ORWE MOUNT WAVERLEY VIC", "quillzwald orwe"),
        ("QUILLZWALD ORWE MITCHAM SA AUS", "quillzwald orwe"),
        ("QUILLZWALD ORWE PAY", "quillzwald orwe"),
        ("QUILLZWALD PAY", "quillzwald pay"),
        ("QUILLZWALD ORWE GUSTO PAY", "quillzwald orwe gusto pay"),
        ("QUILLZWALD NHS TRUST", "quillzwald nhs"),
        ("QUILLZWALD ORWE VETERI", "quillzwald orwe veterinary"),
        ("BAKKERIJ VD QUILLZ", "bakkerij quillz"),
        ("BAKKERIJ VAN DER QUILLZ", "bakkerij quillz"),
        ("STICHTING QUILLZ ORWE", "quillz orwe"),
        ("ADEUDO CDAD PROP CALLE QUILLZ 8", "comunidad property quillz"),
        ("RECIBO COM PROP C/ QUILLZ 8", "comunidad property quillz"),
        ("ADEUDO CDAD PROP CALLE ORWE 8", "comunidad property orwe"),
    ],
)
def test_where_a_name_ends(raw: str, key: str) -> None:
    """A town, a way of paying and a kind of body end a name, but where nothing else would name it."""
    assert payee_of(raw).key == key

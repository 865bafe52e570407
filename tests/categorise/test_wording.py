"""One spelling for names that banks write in several ways, while two names stay two."""

import pytest

from finplan.categorise.grammar import grammar
from finplan.categorise.payee import payee_of
from finplan.categorise.wording import distinctive_words, rejoined

ONE_NAME = [
    # Signs that a bank leaves out.
    "CB LA TABLE D'ANSELME 12/03 | CB LA TABLE D ANSELME FACT 120325 | CARTE 12/03 LA TABLE DANSELME",
    "JOE S CRAB SHACK 0412 | JOE'S CRAB SHACK",
    "POS Q & Z LINENS | POS Q AND Z LINENS | POS QZ LINENS",
    "TRANSFER TO LIAM O'BRADY | TRANSFER TO LIAM O BRADY",
    # What says no more once the calling is named, whole or cut off.
    "PINE RIDGE DAYCARE CENTER | PINE RIDGE DAYCARE CTR | PINE RIDGE DAYCARE",
    "RIDGE RUN COFFEE RO BOULDER CO | RIDGE RUN COFFEE ROASTERS 720-555-0129",
    "OAK HOLLOW VETERINARY CLINIC | OAK HOLLOW VET | OAK HOLLOW VETERINARY CLI",
    "PHO THANH RESTAURANT GARLAND TX | PHO THANH GARLAND TX",
    "NORTH FORK WATER COMMISSION | NORTH FORK WATER",
    # Levies of one authority.
    "CITY OF ORRVILLE PROPERTY TAX 0044 | CITY OF ORRVILLE TAX | BILL PAYMENT ORRVILLE-CITY OF TAX",
    # Small words, titles and words written apart.
    "PREFEITURA DE JACUTINGA IPTU | PREFEITURA JACUTINGA",
    "POS STUDIO DENTISTICO DR. FABBRI | POS STUDIO DENTISTICO FABBRI",
    "SUNNY LANE PRE SCHOOL | SUNNY LANE PRESCHOOL",
    # An owner, a legal form and a note after the name.
    "POS PANIFICIO BERTI DI BERTI MARCO | POS PANIFICIO BERTI SNC",
    "Lastschrift Kita Mohnblume e.V. Elternbeitrag März | KITA MOHNBLUME EV BEITRAG 04/25",
    "RECIBO GIMNASIO TITAN SLP CUOTA MAYO | PAGO EN GIMNASIO TITAN",
    # A surname before or after the given name.
    "BONIFICO A CHIARA FONTANA | BONIFICO A FAVORE DI FONTANA CHIARA CAUSALE REGALO",
    # An employer, whatever its row calls pay.
    "DIRECT CREDIT 0412 HARLAN PTY LTD PAY | SALARY HARLAN PTY LTD | HARLAN PTY LTD PAY 14MAR",
    "NEFT CR-CITI0000002-ORBIO INFRA PVT LTD-SALARY MAR-X1 | SALARY ORBIO INFRA PVT LTD",
]

TWO_NAMES = [
    ("KAMLOOPS CLAY STUDIO", "KAMLOOPS CLAY WORKS"),
    ("LAKESHORE AUTO PARTS", "LAKESHORE AUTO BODY"),
    ("MONCTON FAMILY DENTAL", "MONCTON FAMILY RESTAURANT"),
    ("CITY OF ORRVILLE WATER", "CITY OF ORRVILLE TAX"),
    ("PIX ENVIADO JOAO BATISTA DA SILVA", "PIX ENVIADO JOAO BATISTA FERREIRA"),
    (
        "RECIBO COMUNIDAD DE PROPIETARIOS CALLE LUNA 8",
        "RECIBO COMUNIDAD DE PROPIETARIOS CALLE SOL 8",
    ),
    ("TRATTORIA DI MARIO", "TRATTORIA DI SERGIO"),
    ("CONDOMINIO VIA VERDI", "CONDOMINIO VIA MANZONI"),
    ("SA HEALTH PAYROLL", "WA HEALTH PAYROLL"),
]


@pytest.mark.parametrize("rows", ONE_NAME, ids=lambda rows: rows.split(" | ")[0])
def test_a_name_has_one_key_however_a_bank_writes_it(rows: str) -> None:
    """Lost signs, cut ends, abbreviations, notes and the order of a person's names change no key."""
    assert len({payee_of(row).key for row in rows.split(" | ")}) == 1


@pytest.mark.parametrize(("one", "other"), TWO_NAMES)
def test_words_that_tell_two_names_apart_stay(one: str, other: str) -> None:
    """What is dropped as saying no more never is all that tells two payees apart."""
    assert payee_of(one).key != payee_of(other).key


def test_letters_come_together_only_where_a_sign_was_lost() -> None:
    """A name without single letters is the same list, so that nothing is paid for it."""
    words = grammar()
    name = ["blue", "heron"]
    assert rejoined(name, words) is name
    assert rejoined(["chez", "l", "ami"], words) == ["chez", "lami"]
    assert rejoined(["joe", "s"], words) == ["joes"]
    assert rejoined(["h", "and", "m"], words) == ["hm"]
    assert rejoined(["azul", "s", "a"], words) == ["azul", "sa"]


def test_small_words_stay_before_a_city() -> None:
    """Without "de" the city would no longer be a part of the name; a town hall has it anyway."""
    words = grammar()
    assert distinctive_words(["amigos", "de", "sevilla"], words) == ["amigos", "de", "sevilla"]
    assert distinctive_words(["mairie", "de", "roubaix"], words) == ["mairie", "roubaix"]

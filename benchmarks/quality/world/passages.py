"""What two banks write on the two legs of one movement between own accounts."""

from collections.abc import Mapping, Sequence
from datetime import date
from random import Random
from typing import Literal

from benchmarks.quality.world.truth import OwnAccount
from benchmarks.quality.world.voices import Country, Writer

Way = Literal["transfer", "card", "loan", "invest", "wire"]

# Each entry is the text of the leg that leaves, then of the leg that arrives. {there} and {here} are
# the banks, {mask} the last digits of the account on the other side.
PASSAGES: Mapping[Country, Mapping[Way, tuple[tuple[str, str], ...]]] = {
    "US": {
        "transfer": (
            (
                "Online Transfer to SAV ...{mask} transaction#: {ref} {mm}/{dd}",
                "Online Transfer from CHK ...{mask} transaction#: {ref}",
            ),
            (
                "{there} TRANSFER PPD ID: {ref}",
                "ACH DEPOSIT INTERNET TRANSFER FROM ACCOUNT ENDING IN {mask}",
            ),
            ("{THERE} DES:ACH TRANSF ID:{ref} INDN:{person}", "{HERE} TRANSFER {person}"),
            (
                "WITHDRAWAL TRANSFER TO {THERE} XXXXXX{mask}",
                "DEPOSIT TRANSFER FROM {HERE} XXXXXX{mask}",
            ),
            ("ONLINE TRANSFER REF #{ref} TO {THERE} {mm}/{dd}", "Deposit from {here} ...{mask}"),
        ),
        "card": (
            ("{THERE} CREDIT CRD AUTOPAY PPD ID: {ref}", "AUTOMATIC PAYMENT - THANK YOU"),
            ("Payment to {there} card ending in {mask} {mm}/{dd}", "Payment Thank You-Mobile"),
            ("{THERE} ACH PMT {ref} {person}", "ONLINE PAYMENT - THANK YOU"),
            ("{THERE} DES:E-PAYMENT ID:{ref} INDN:{person}", "INTERNET PAYMENT - THANK YOU"),
            ("{THERE} CARD ONLINE PAYMENT {ref}", "AUTOPAY PAYMENT RECEIVED"),
            ("{THERE} CRD AUTOPAY {ref}", "AUTOPAY {ref} AUTOPAY AUTO-PMT"),
            ("{THERE} EPAY {ref} {person}", "PAYMENT - THANK YOU"),
            ("{THERE} ONLINE PMT {ref} WEB", "ELECTRONIC PAYMENT RECEIVED"),
            ("ONLINE BANKING PAYMENT TO CRD {mask}", "PYMT FROM CHK {mask} THANK YOU"),
        ),
        "loan": (
            ("{THERE} LOAN PAYMENT {ref}", "PAYMENT RECEIVED THANK YOU"),
            ("{THERE} DES:LOAN PYMT ID:{ref} INDN:{person}", "LOAN PAYMENT"),
        ),
        "invest": (
            ("{THERE} DES:INVESTMENT ID:{ref} INDN:{person}", "ELECTRONIC FUNDS TRANSFER RECEIVED"),
            ("{THERE} MONEYLINK {ref}", "FUNDS RECEIVED FROM BANK {mask}"),
        ),
        "wire": (("WIRE TRANSFER OUT TO {THERE} {ref}", "INCOMING WIRE TRANSFER {HERE} {ref}"),),
    },
    "UK": {
        "transfer": (
            ("TRANSFER TO {mask} {person}", "TRANSFER FROM {mask} {person}"),
            (
                "FASTER PAYMENT TO {person} REF SAVINGS",
                "FASTER PAYMENTS RECEIPT REF.SAVINGS FROM {person}",
            ),
            ("STANDING ORDER {person} {there} SAVINGS", "{person} {HERE} STO"),
        ),
        "card": (
            ("{THERE} DIRECT DEBIT {ref}", "PAYMENT RECEIVED - THANK YOU"),
            ("{THERE} CARD PAYMENT {mask}", "DIRECT DEBIT PAYMENT - THANK YOU"),
            ("BILL PAYMENT TO {THERE} CARD {mask}", "PAYMENT, THANK YOU"),
            ("{THERE} DDR {ref}", "DIRECT DEBIT RECEIVED THANKS"),
        ),
        "loan": (("{THERE} LOAN REPAYMENT {ref}", "REPAYMENT RECEIVED"),),
        "invest": (("{THERE} ISA DEPOSIT {ref}", "DEPOSIT FROM BANK {mask}"),),
        "wire": (("INTERNATIONAL PAYMENT TO {THERE} {ref}", "INWARD TRANSFER {HERE} {ref}"),),
    },
    "DE": {
        "transfer": (
            ("UEBERWEISUNG {person} UEBERTRAG {there}", "GUTSCHRIFT {person} UEBERTRAG"),
            ("DAUERAUFTRAG {person} SPAREN", "{person} SPAREN DAUERAUFTRAG GUTSCHRIFT"),
            ("UMBUCHUNG AUF KONTO {mask}", "UMBUCHUNG VON KONTO {mask}"),
        ),
        "card": (("{THERE} KREDITKARTENABRECHNUNG {ref}", "AUSGLEICH KREDITKARTE DANKE"),),
        "loan": (("{THERE} DARLEHEN RATE {ref}", "RATENZAHLUNG EINGANG"),),
        "invest": (("{THERE} DEPOT SPARPLAN {ref}", "EINZAHLUNG VERRECHNUNGSKONTO"),),
        "wire": (("AUSLANDSUEBERWEISUNG {THERE} {ref}", "UEBERWEISUNG EINGANG {HERE} {person}"),),
    },
    "FR": {
        "transfer": (
            ("VIR EMIS VERS {person} EPARGNE", "VIR RECU DE {person} EPARGNE"),
            ("VIREMENT VERS LIVRET {mask}", "VIREMENT DEPUIS COMPTE {mask}"),
        ),
        "card": (("PRLV SEPA {THERE} CARTE {ref}", "PAIEMENT RECU MERCI"),),
        "loan": (("PRLV SEPA {THERE} ECHEANCE PRET {ref}", "REGLEMENT ECHEANCE"),),
        "invest": (("VIR {THERE} PEA VERSEMENT {ref}", "VERSEMENT RECU {mask}"),),
        "wire": (("VIREMENT INTERNATIONAL {THERE} {ref}", "VIREMENT RECU {HERE} {person}"),),
    },
}


LABELLED: Mapping[Way, tuple[tuple[str, str], ...]] = {
    "card": (
        (
            "TYPE: EPAY ID: {ref} CO: {THERE} NAME: {person} ENTRY CLASS CODE: WEB",
            "PAYMENT - THANK YOU",
        ),
        ("TYPE: AUTOPAY CO: {THERE} CARD NAME: {person} ENTRY CLASS CODE: PPD", "AUTOPAY PAYMENT"),
        ("TYPE: CRD PYMT CO: {THERE} %% ACH ECC WEB %% ACH TRACE {ref}", "ONLINE PYMT THANK YOU"),
    ),
    "loan": (("TYPE: LOAN PMT CO: {THERE} NAME: {person} ENTRY CLASS CODE: PPD", "LOAN PAYMENT"),),
    "invest": (
        ("TYPE: INVESTMENT CO: {THERE} NAME: {person} ENTRY CLASS CODE: PPD", "FUNDS RECEIVED"),
    ),
}
"""The same of US credit unions, where it differs."""


def passages(writer: Writer, way: Way) -> Sequence[tuple[str, str]]:
    """The ways in which a household's banks word both legs."""
    if writer.manner == "labelled" and way in LABELLED:
        return LABELLED[way]
    return PASSAGES[writer.country][way]


def standing(text: str, other: OwnAccount, person: str) -> str:
    """A leaving leg's template with all that stays the same filled in; days and references are open."""
    stays = {
        "there": other.institution,
        "THERE": other.institution.upper(),
        "mask": other.mask,
        "person": person,
    }
    for name, value in stays.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def texts(
    passage: tuple[str, str],
    out: OwnAccount,
    into: OwnAccount,
    person: str,
    day: date,
    dice: Random,
) -> tuple[str, str]:
    """The texts of both legs of a movement between two accounts."""
    ref = f"{dice.randrange(10**9, 10**10)}"

    def filled(text: str, other: OwnAccount) -> str:
        return text.format(
            there=into.institution,
            THERE=into.institution.upper(),
            here=out.institution,
            HERE=out.institution.upper(),
            mask=other.mask,
            person=person,
            ref=ref,
            mm=f"{day.month:02d}",
            dd=f"{day.day:02d}",
        )

    return filled(passage[0], into), filled(passage[1], out)

"""How banks of several countries spell a row: templates per channel, filled in for each row.

A payee keeps its template and what is its own (city, mandate, mask) until its descriptor is renamed;
days, reference numbers and order ids differ from row to row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from typing import Literal

Country = Literal["US", "UK", "DE", "FR"]
Channel = Literal[
    "card",
    "debit",
    "order",
    "person",
    "from_person",
    "pay",
    "client",
    "benefit",
    "cash",
    "numbered",
    "expenses",
    "support",
    "rail",
    "payout",
]

Manner = Literal["usual", "labelled", "lines"]
"""How a bank words its rows: as most do, as labelled memos, or in several lines of one cell."""

COUNTRIES: Mapping[Country, float] = {"US": 0.6, "UK": 0.15, "DE": 0.15, "FR": 0.1}
CURRENCY: Mapping[Country, str] = {"US": "USD", "UK": "GBP", "DE": "EUR", "FR": "EUR"}

VOICES: Mapping[Country, Mapping[Channel, tuple[str, ...]]] = {
    "US": {
        "card": (
            "{name} {city}",
            "{name} {city}",
            "{name} #{store} {city}",
            "{name} {phone} {state}",
            "POS PURCHASE {name} {city}",
            "CHECKCARD {mmdd} {name} {city} {ref}",
            "DEBIT CARD PURCHASE XXXXX{mask} {name} {city}",
            "PURCHASE AUTHORIZED ON {mm}/{dd} {name} {city} S{ref} CARD {mask}",
            "{name} {ref8} {city}",
        ),
        "debit": (
            "{name} DES:{entry} ID:XXXXX{mask} INDN:{person} CO ID:XXXXX{company} WEB",
            "{name} DES:{entry} ID:{ref} INDN:{person} CO ID:XXXXX{company} PPD",
            "{name} {entry} PPD ID: {company}",
            "{name} {entry} {yymmdd} {ref8} {person}",
            "ORIG CO NAME:{name} ORIG ID:{company} DESC DATE:{yymmdd} CO ENTRY DESCR:{entry} SEC:WEB",
            "ONLINE PAYMENT {ref} TO {name}",
            "{name} BILL PAYMENT",
            "ACH DEBIT {name} {entry} {ref8}",
        ),
        "order": (
            "BILL PAY {name} ON-LINE {ref8}",
            "ONLINE BILL PAYMENT TO {name}",
            "{name} {entry}",
        ),
        "person": (
            "Zelle payment to {name} {ref}",
            "ZELLE TO {name} ON {mm}/{dd} REF # {code}",
            "VENMO PAYMENT {ref} {name}",
        ),
        "from_person": (
            "Zelle payment from {name} {code}",
            "ZELLE FROM {name} ON {mm}/{dd} REF # {code}",
            "VENMO CASHOUT {ref}",
        ),
        "pay": (
            "{name} DES:PAYROLL ID:XXXXX{mask} INDN:{person} CO ID:{company} PPD",
            "{name} PAYROLL PPD ID: {company}",
            "{name} DIRECT DEP {yymmdd} {ref8} {person}",
            "{name} DIR DEP",
            "{name} SALARY {ref8}",
        ),
        "client": ("{name} INVOICE {ref8}", "{name} DES:INV PMT ID:{ref8} INDN:{person} CCD"),
        "benefit": ("{name} {ref8} PPD", "{name} DES:BENEFIT ID:XXXXX{mask} INDN:{person} PPD"),
        "numbered": ("BILL PAYMENT TO ACCT {number}", "PAYMENT TO {number} {ref8}"),
        "expenses": (
            "{name} DES:EXP REIMB ID:{ref} INDN:{person} CO ID:{company} CCD",
            "{name} EXPENSE REIMBURSEMENT {ref8}",
            "{name} TRAVEL EXPENSES {yymmdd}",
        ),
        "rail": ("{name} PAYMENT {ref}", "{name} DES:PAYMENT ID:{ref} INDN:{person} WEB"),
        "payout": ("{name} PAYOUT {ref8}", "{name} DES:DRIVER PAY ID:{ref} INDN:{person} PPD"),
        "support": ("{name} CHILD SUPPORT {ref8}", "{name} DES:CHILDSUPP ID:{ref} PPD"),
        "cash": (
            "ATM WITHDRAWAL {ref} {street} {city}",
            "NON-CHASE ATM WITHDRAW {ref} {mm}/{dd} {street}",
            "CASH WITHDRAWAL {city} {mmdd}",
        ),
    },
    "UK": {
        "card": (
            "CARD PAYMENT TO {name} ON {dd}-{mm}-{year}",
            "{name} {city} GB",
            "{name} {city} ON {dd} {mon} CLP",
            "{mask} {dd}{mon}{yy} {name} {city} GB",
        ),
        "debit": (
            "DIRECT DEBIT PAYMENT TO {name} REF {mandate}, MANDATE NO {store}",
            "{name} DDR {mandate}",
            "DIRECT DEBIT {name} {mandate}",
        ),
        "order": ("STANDING ORDER TO {name} REFERENCE {entry}", "{name} {entry} STO"),
        "person": (
            "FASTER PAYMENT TO {name} REF {word}",
            "BILL PAYMENT VIA FASTER PAYMENT TO {name}",
        ),
        "from_person": ("FASTER PAYMENTS RECEIPT REF.{word} FROM {name}", "{name} {word} FPI"),
        "pay": (
            "{name} SALARY BGC",
            "BANK GIRO CREDIT REF {name} {ref8}",
            "{name} WAGES {mon}{yy}",
        ),
        "client": ("BANK GIRO CREDIT {name} INVOICE {ref8}", "{name} INV {ref8} FPI"),
        "benefit": ("{name} {mandate} BGC", "BANK GIRO CREDIT REF {name}"),
        "numbered": (
            "BILL PAYMENT TO {sort} {number}",
            "{sort} {number} STO",
            "FPO {sort} {number}",
        ),
        "expenses": ("{name} EXPENSES BGC", "BANK GIRO CREDIT REF {name} EXPS {mon}"),
        "rail": ("{name} PAYMENT {mandate}", "{name} FPO {ref8}"),
        "payout": ("{name} PAYOUT {ref8} FPI", "{name} RIDER PAYMENT BGC"),
        "support": ("{name} CHILD MAINTENANCE {mandate}", "{name} CMS PAYMENT"),
        "cash": ("CASH WITHDRAWAL AT {street} ATM {city}", "LNK {street} {city} {dd}{mon}"),
    },
    "DE": {
        "card": (
            "{name}//{city}/DE {year}-{mm}-{dd}T12:41:22",
            "KARTENZAHLUNG {name} {city} {dd}.{mm}.{year}",
            "GIROCARD {name} {city} {ref8}",
            "VISA {name} {city}",
        ),
        "debit": (
            "{name} SEPA-LASTSCHRIFT MANDATSREF. {mandate} GLAEUBIGER-ID DE{company}",
            "LASTSCHRIFT {name} {mandate} RECHNUNG {ref8}",
            "{name} BASISLASTSCHRIFT EREF {ref}",
        ),
        "order": ("DAUERAUFTRAG {name} {entry}", "{name} DAUERAUFTRAG {entry}"),
        "person": ("UEBERWEISUNG {name} {word}", "SEPA-UEBERWEISUNG AN {name} {word}"),
        "from_person": ("GUTSCHRIFT {name} {word}", "SEPA-GUTSCHRIFT VON {name} {word}"),
        "pay": (
            "{name} LOHN/GEHALT {mm}/{year}",
            "GEHALT {name} {mm}.{year}",
            "{name} LOHN {ref8}",
        ),
        "client": ("GUTSCHRIFT {name} RECHNUNG {ref8}", "{name} HONORAR RE-NR {ref8}"),
        "benefit": ("{name} {mandate}", "GUTSCHRIFT {name} {mandate}"),
        "numbered": ("DAUERAUFTRAG DE{company}{number}", "UEBERWEISUNG DE{company}{number}"),
        "expenses": ("{name} REISEKOSTEN {mm}/{year}", "{name} SPESEN {ref8}"),
        "rail": ("{name} S.A.R.L. {ref}", "{name} ZAHLUNG {ref8}"),
        "payout": ("GUTSCHRIFT {name} AUSZAHLUNG {ref8}", "{name} PAYOUT {ref8}"),
        "support": ("{name} UNTERHALT KIND", "GUTSCHRIFT {name} KINDESUNTERHALT"),
        "cash": ("GELDAUTOMAT {street} {city}", "BARGELDAUSZAHLUNG {street} {dd}.{mm}."),
    },
    "FR": {
        "card": (
            "CB {name} {dd}/{mm}/{yy}",
            "CARTE {dd}/{mm} {name} {city}",
            "PAIEMENT CB {name} {city}",
        ),
        "debit": ("PRLV SEPA {name} {mandate}", "PRELEVEMENT {name} ECH {mandate}", "PRLV {name}"),
        "order": ("VIR PERMANENT {name} {entry}", "VIR SEPA {name} {entry}"),
        "person": ("VIR INST VERS {name}", "VIREMENT {name} {word}"),
        "from_person": ("VIR INST DE {name}", "VIREMENT RECU DE {name} {word}"),
        "pay": ("VIR SEPA {name} SALAIRE {mm}{year}", "VIREMENT {name} PAIE", "VIR {name} SALAIRE"),
        "client": ("VIR SEPA {name} FACTURE {ref8}", "VIREMENT {name} HONORAIRES {ref8}"),
        "benefit": ("VIR SEPA {name} {mandate}", "VIREMENT {name}"),
        "numbered": ("VIR PERMANENT FR76{company}{number}", "VIREMENT VERS FR76{company}{number}"),
        "expenses": ("VIR {name} NOTE DE FRAIS {mm}{year}", "VIR SEPA {name} FRAIS {ref8}"),
        "rail": ("{name} PAIEMENT {ref8}", "CB {name} {dd}/{mm}"),
        "payout": ("VIR {name} VERSEMENT COURSES {ref8}", "VIR SEPA {name} PAYOUT {ref8}"),
        "support": ("VIR {name} PENSION ALIMENTAIRE", "VIREMENT {name} PENSION ENFANT"),
        "cash": ("RETRAIT DAB {dd}/{mm} {city}", "RETRAIT DAB {street} {city}"),
    },
}

LABELLED: Mapping[Channel, tuple[str, ...]] = {
    "card": (
        "POS WITHDRAWAL {mm}/{dd} {clock} {terminal} SIGN BASED {name} {city}",
        "POS {mmdd} {clock4} TERM {terminal} PIN BASED {name} {city}",
        "DEBIT CARD {mm}/{dd}/{yy} {clock} {terminal} SIGN BASED {name} {city} US",
    ),
    "debit": (
        "TYPE: {entry} ID: {company} CO: {name} NAME: {person} ENTRY CLASS CODE: WEB",
        "TYPE: {entry} CO: {name} NAME: {person} %% ACH ECC PPD %% ACH TRACE {ref}",
    ),
    "order": ("TYPE: {entry} CO: {name} ENTRY CLASS CODE: PPD", "BILL PAYMENT CO: {name} {ref8}"),
    "pay": (
        "TYPE: PAYROLL ID: {company} CO: {name} NAME: {person} ENTRY CLASS CODE: PPD",
        "TYPE: DIR DEP CO: {name} %% ACH ECC PPD %% ACH TRACE {ref}",
    ),
    "benefit": ("TYPE: BENEFIT ID: {company} CO: {name} NAME: {person} ENTRY CLASS CODE: PPD",),
    "client": ("TYPE: INVOICE CO: {name} NAME: {person} ENTRY CLASS CODE: CCD",),
    "expenses": ("TYPE: EXPENSE CO: {name} NAME: {person} ENTRY CLASS CODE: CCD",),
    "payout": ("TYPE: PAYOUT ID: {company} CO: {name} NAME: {person} ENTRY CLASS CODE: PPD",),
    "rail": ("TYPE: PAYMENT CO: {name} NAME: {person} ENTRY CLASS CODE: WEB",),
    "support": ("TYPE: CHILDSUPP CO: {name} NAME: {person} ENTRY CLASS CODE: PPD",),
}
"""How US credit unions word rows: fields with labels, and card rows with their time and terminal."""

CITIES: Mapping[Country, tuple[str, ...]] = {
    "US": (
        "PORTLAND OR", "AUSTIN TX", "DENVER CO", "SEATTLE WA", "CHICAGO IL", "TAMPA FL", "RENO NV",
        "BOISE ID", "SAN JOSE CA", "SALT LAKE CIT UT", "ST LOUIS MO", "NEW YORK NY", "ALBANY NY",
    ),
    "UK": ("LONDON", "LEEDS", "BRISTOL", "GLASGOW", "YORK", "MANCHESTER", "CARDIFF"),
    "DE": ("BERLIN", "KOELN", "MUENCHEN", "LEIPZIG", "HAMBURG", "ESSEN"),
    "FR": ("PARIS", "LYON", "NANTES", "LILLE", "BORDEAUX", "RENNES"),
}  # fmt: skip
STREETS = ("HIGH ST", "2ND AVE", "OAK BLVD", "MARKET SQ", "STATION RD", "HARBOUR WAY")
STATES = ("CA", "WA", "NY", "TX", "MN", "OR", "NJ")
ENTRIES: Mapping[Country, tuple[str, ...]] = {
    "US": ("PAYMENT", "WEB PMTS", "AUTOPAY", "BILL PYMT", "ONLINE PMT", "E-PAYMENT", "DEBIT"),
    "UK": ("RENT", "HOUSE", "FEES", "ACCOUNT"),
    "DE": ("MIETE", "BEITRAG", "RATE", "KUNDENNR 4471"),
    "FR": ("LOYER", "COTISATION", "ECHEANCE", "ABONNEMENT"),
}
SHORT_WORDS = ("DINNER", "TICKETS", "THANKS", "TRIP", "GIFT", "SHARE", "PIZZA", "WEEKEND")
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"


@dataclass(frozen=True, slots=True)
class Writer:
    """How a household's bank words its rows."""

    country: Country
    manner: Manner

    def templates(self, channel: Channel) -> Sequence[str]:
        """The ways in which rows of a channel are worded."""
        if self.manner == "labelled" and channel in LABELLED:
            return LABELLED[channel]
        templates = VOICES[self.country][channel]
        return (
            [one.replace("{name}", "\n{name}\n") for one in templates] if self.lines else templates
        )

    @property
    def lines(self) -> bool:
        """Whether the payee stands in a line of its own."""
        return self.manner == "lines"


@dataclass(frozen=True, slots=True)
class Spelling:
    """How one payee's rows are written: a name, a template, and what stays the same in it."""

    name: str
    template: str
    fixed: Mapping[str, str]

    def on(self, day: date, dice: Random) -> str:
        """The text of a row of some day; `*` in a name is an order id."""
        name = self.name
        if name.endswith("*"):
            name += "".join(dice.choices(_LETTERS, k=9))
        text = self.template.format(
            name=name,
            clock=f"{day.day % 12 + 8:02d}:{dice.randrange(60):02d}",
            clock4=f"{dice.randrange(8, 22):02d}{dice.randrange(60):02d}",
            ref=f"{dice.randrange(10**10, 10**11)}",
            ref8=f"{dice.randrange(10**7, 10**8)}",
            code="".join(dice.choices(_LETTERS, k=10)),
            word=dice.choice(SHORT_WORDS),
            dd=f"{day.day:02d}",
            mm=f"{day.month:02d}",
            mmdd=f"{day.month:02d}{day.day:02d}",
            yy=f"{day.year % 100:02d}",
            yymmdd=f"{day:%y%m%d}",
            year=f"{day.year}",
            mon=f"{day:%b}".upper(),
            **self.fixed,
        )
        return text.strip()

    def elsewhere(self, country: Country, dice: Random) -> "Spelling":
        """The same payee's rows as another branch writes them."""
        own = {"city": dice.choice(CITIES[country]), "store": f"{dice.randrange(100, 9999)}"}
        return replace(self, fixed={**self.fixed, **own})


def spelling(name: str, channel: Channel, writer: Writer, person: str, dice: Random) -> Spelling:
    """A payee's spelling on a channel, with what is its own drawn at random."""
    fixed = {
        "city": dice.choice(CITIES[writer.country]),
        "state": dice.choice(STATES),
        "street": dice.choice(STREETS),
        "store": f"{dice.randrange(100, 9999)}",
        "phone": f"{dice.randrange(800, 889)}-{dice.randrange(200, 999)}-{dice.randrange(1000, 9999)}",
        "mask": f"{dice.randrange(1000, 9999)}",
        "company": f"{dice.randrange(10**9, 10**10)}",
        "mandate": f"{dice.choice('ABKMTV')}{dice.randrange(10**6, 10**8)}",
        "entry": dice.choice(ENTRIES[writer.country]),
        "terminal": f"{dice.randrange(10**7):08d}",
        "number": f"{dice.randrange(10**7, 10**8)}",
        "sort": f"{dice.randrange(10, 99)}-{dice.randrange(10, 99)}-{dice.randrange(10, 99)}",
        "person": person,
    }
    return Spelling(name, dice.choice(writer.templates(channel)), fixed)


def renamed(old: Spelling, channel: Channel, writer: Writer, name: str, dice: Random) -> Spelling:
    """The same payee's rows after its descriptor changed format."""
    others = [one for one in writer.templates(channel) if one != old.template]
    fresh = spelling(name, channel, writer, old.fixed["person"], dice)
    return replace(fresh, template=dice.choice(others) if others else old.template)

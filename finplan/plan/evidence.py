"""What the text of a bank row says about being one leg of a transfer between own accounts.

Banks name transfers in many languages and cards by the last digits of their numbers. Words are weighed,
never trusted alone: on one continent "transfer" stands before every rent.
"""

import re
from dataclasses import dataclass

from finplan.plan.ledger import LedgerAccount

_TRANSFER = re.compile(
    r"\b(?:(?:e-?)?transfers?|trnsfr|trsf|tfr|trf|xfer|xfr|sweep|virement|vir|überweisung|ueberweisung"
    r"|umbuchung|übertrag|uebertrag|overboeking|overschrijving|bonifico|giroconto|transferencia"
    r"|transferência|traspaso|przelew|siirto|överföring|overføring|overførsel|home banking"
    r"|(?:to|from) (?:savings?|sav|checking|chk|chequing|shares?|money market|brokerage)"
    r"|own accounts?|between accounts)\b",
    re.IGNORECASE,
)

_PAYMENT = re.compile(
    r"\b(?:(?:e-?|auto-?|re)?payments?|pymts?|pmts?|(?:auto-?|e-?|bill ?)pay|crcardpmt|thank you"
    r"|einzug|lastschrift|zahlung|paiement|prélèvement|prelevement|pago|pagamento|betaling|incasso)\b",
    re.IGNORECASE,
)

_CASH_DESK = re.compile(
    r"\b(?:deposits?|withdrawals?|withdrwl|einzahlung|auszahlung|versement|retrait|ingreso|reintegro"
    r"|contribution)\b",
    re.IGNORECASE,
)

_PEOPLE = re.compile(
    r"\b(?:zelle|venmo|cash ?app|paypal|popmoney|interac|bizum|swish|mobilepay|twint|tikkie|lydia"
    r"|vipps|wero|paylib|apple cash|upi|pix)\b",
    re.IGNORECASE,
)

_BEYOND_SCHEDULE = re.compile(
    r"\b(?:(?:extra|additional|addl|unscheduled) (?:principal|prin|payment|pmt)"
    r"|prin(?:cipal)?[ -](?:only|reduction|curtailment)|overpayment|sondertilgung)\b",
    re.IGNORECASE,
)

_ENDING = re.compile(r"(?<![0-9a-z])[x*#.•]*([0-9]{4})(?![0-9a-z])", re.IGNORECASE)
"""Four digits that stand alone or behind a mask: 1234, x1234, XXXX1234, ****1234, ...1234."""

_WORD = re.compile(r"[^\W\d_]{4,}")

_UNTELLING = """
transfer payment deposit withdrawal credit debit account online mobile bank banking card from into
autopay thank check sepa visa internal external funds internet electronic received pending posted
branch direct conf confirmation number reference
"""
_COMMON = frozenset(_UNTELLING.split())
"""Words that many unrelated rows share."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one row's text tells.

    `transfer`, `payment` and `cash_desk` (deposits, withdrawals) are words that banks use for such rows;
    `person` is the name of a service on which people pay each other.
    `endings` are four-digit numbers that may be the end of an account's number; `words` are its words
    that few other rows share, in small letters.
    """

    transfer: bool
    payment: bool
    cash_desk: bool
    person: bool
    endings: frozenset[str]
    words: frozenset[str]


def evidence_of(raw: str) -> Evidence:
    """Read a row's text as its bank wrote it."""
    return Evidence(
        transfer=_TRANSFER.search(raw) is not None,
        payment=_PAYMENT.search(raw) is not None,
        cash_desk=_CASH_DESK.search(raw) is not None,
        person=_PEOPLE.search(raw) is not None,
        endings=frozenset(_ENDING.findall(raw)),
        words=frozenset(word.lower() for word in _WORD.findall(raw)) - _COMMON,
    )


def beyond_schedule(raw: str) -> bool:
    """Whether the text calls a loan payment extra principal."""
    return _BEYOND_SCHEDULE.search(raw) is not None


def names_number(text: Evidence, account: LedgerAccount) -> bool:
    """Whether the text holds the last digits of an account's number."""
    return bool(account.mask) and account.mask in text.endings


def names_bank(text: Evidence, account: LedgerAccount) -> bool:
    """Whether the text names an account's institution."""
    words = {word.lower() for word in _WORD.findall(account.institution)}
    return not words.isdisjoint(text.words)

"""What the cells of a row say of its state: booked, pending, declined, or no transaction at all."""

import re
from typing import Literal

from finplan.statements.table.words import words_of

_PENDING = (
    "pending", "authori", "processing", "in progress", "on hold", "held", "unposted", "not posted",
    "scheduled", "vorgem", "offen", "ausstehend", "en attente", "pendiente", "in attesa", "reserv",
)  # fmt: skip
_DECLINED = (
    "declin", "fail", "revert", "cancel", "reject", "refus", "denied", "expired", "void", "removed",
    "unsuccessful", "abgelehnt", "storn", "annul", "rechaz", "rifiut",
)  # fmt: skip
_BALANCE_WORDS = (
    "balance", "saldo", "solde", "likutis", "apyvarta", "brought forward", "carried forward",
    "kontostand",
)  # fmt: skip
_SUM_WORDS = {"total", "totals", "sum", "summe", "gesamt", "totaal", "razem", "yhteensa", "suma"}
_BALANCE_BEGINNINGS = (
    "opening balance", "closing balance", "beginning balance", "ending balance", "starting balance",
    "balance brought forward", "balance carried forward", "likutis pradziai", "likutis pabaigai",
    "saldo inicial", "saldo final", "saldo iniziale", "saldo poczatkowe", "saldo koncowe",
    "solde initial", "solde final", "ingaende saldo", "utgaende saldo",
)  # fmt: skip
_BALANCE_LINES = frozenset(
    ["balance", "saldo", "solde", "apyvarta", "brought forward", "carried forward",
     "balance forward", "previous balance", "saldo anterior",
     "anfangssaldo", "endsaldo", "saldovortrag", "kontostand", "beginsaldo", "eindsaldo",
     "ancien solde", "nouveau solde", *_BALANCE_BEGINNINGS]
)  # fmt: skip
_SHOP = "new balance"
_DATE_WORD = re.compile(
    r"[0-3]?[0-9]|(?:19|20)[0-9]{2}(?:[0-9]{4})?|on|at|as|of|am|vom|zum|per|au|le|al|del|em|dzien"
    r"|jan\w*|feb\w*|mar(?:ch|zo)?|apr\w*|may|mai|june?|july?|aug\w*|sep\w*|oct\w*|okt\w*|nov\w*|de[cz]\w*"
)

BalanceName = Literal["whole", "begun", "shop", "none"]
"""How much of a text names a balance: all but a date, its beginning, or a shop's name, or nothing."""


def status_of(cell: str) -> Literal["booked", "pending", "declined"]:
    """Say what a cell in a column of states means for its row."""
    text = f" {cell.strip().casefold()}"
    if any(f" {beginning}" in text for beginning in _DECLINED):
        return "declined"
    return "pending" if any(f" {beginning}" in text for beginning in _PENDING) else "booked"


def mentions_balance(text: str) -> bool:
    """Say quickly whether a text in small letters may hold the name of a balance."""
    return any(word in text for word in _BALANCE_WORDS)


def names_sum(text: str) -> bool:
    """Say whether a text names a balance or a sum, which has an amount and needs no date."""
    words = words_of(text)
    if " ".join(words[:2]) == _SHOP and not all(map(_DATE_WORD.fullmatch, words[2:])):
        return False
    return mentions_balance(text.lower()) or not _SUM_WORDS.isdisjoint(words)


def balance_name(text: str) -> BalanceName:
    """Say how much of a description names an opening or closing balance or a turnover.

    Only the row's money can tell whether “New balance” is one, because a shop has that name.
    """
    words = words_of(text)
    while words and " ".join(words) not in _BALANCE_LINES and _DATE_WORD.fullmatch(words[-1]):
        words.pop()
    phrase = " ".join(words)
    if phrase in _BALANCE_LINES:
        return "whole"
    if phrase == _SHOP:
        return "shop"
    return "begun" if phrase.startswith(_BALANCE_BEGINNINGS) else "none"

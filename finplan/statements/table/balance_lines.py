"""What the texts of a row say of it when it is no transaction: that it states a balance or a sum."""

import re
from typing import Literal

from finplan.statements.table.words import words_of

_BALANCE_WORDS = (
    "balance", "saldo", "solde", "likutis", "apyvarta", "brought forward", "carried forward",
    "kontostand", "stanje", "sold ", "apgrozījums", "käive", "zůstatek", "zostatok", "egyenleg",
    "bakiye", "atlikums", "остаток", "залишок",
    "салдо", "υπόλοιπο", "残高", "余额", "餘額", "잔액", "יתרה", "ยอดคงเหลือ", "số dư",
)  # fmt: skip
_ASCII_BALANCE_WORDS = tuple(filter(str.isascii, _BALANCE_WORDS))
_SUM_BEGINNINGS = tuple(
    " ".join(words_of(name)) + " "
    for name in (
        "totale", "totalt", "totais", "totales", "summa", "celkem", "spolu", "összesen", "i alt",
        "kokku", "kopā", "iš viso", "skupaj", "ukupno", "toplam", "genel toplam", "σύνολο", "итого",
        "всего", "разом", "усього", "общо", "всичко", "укупно", "合計", "小計", "合计", "总计", "小计",
        "總計", "합계", "총계", "סך הכל", "סה כ", "รวม", "ยอดรวม", "tổng cộng", "jumlah", "samtals",
    )
)  # fmt: skip
"""What a sum is called in front of everything else, where a word within a text might be any other."""
_SUM_WORDS = {"total", "totals", "sum", "summe", "gesamt", "totaal", "razem", "yhteensa", "suma"}
_BALANCE_BEGINNINGS = (
    "opening balance", "closing balance", "beginning balance", "ending balance", "starting balance",
    "balance brought forward", "balance carried forward", "likutis pradziai", "likutis pabaigai",
    "saldo inicial", "saldo final", "saldo iniziale", "saldo poczatkowe", "saldo koncowe",
    "solde initial", "solde final", "ingaende saldo", "utgaende saldo",
    "open balance", "saldo awal", "saldo akhir", "baki awal", "baki akhir",
    *(
        " ".join(words_of(name))
        for name in (
            "sākuma atlikums", "beigu atlikums", "algsaldo", "lõppsaldo", "alkusaldo", "loppusaldo",
            "startsaldo", "slutsaldo", "inngående saldo", "počáteční zůstatek", "konečný zůstatek",
            "počiatočný zostatok", "konečný zostatok", "nyitó egyenleg", "záró egyenleg",
            "sold initial", "sold final", "početno stanje", "završno stanje", "začetno stanje",
            "končno stanje", "açılış bakiyesi", "kapanış bakiyesi", "devreden bakiye",
            "входящий остаток", "исходящий остаток", "остаток на начало", "остаток на конец",
            "вхідний залишок", "вихідний залишок", "начално салдо", "крайно салдо",
            "υπόλοιπο έναρξης", "υπόλοιπο λήξης", "số dư đầu kỳ", "số dư cuối kỳ",
        )
    ),
)  # fmt: skip
_BALANCE_LINES = frozenset(
    ["balance", "saldo", "solde", "apyvarta", "apgrozijums", "kaive", "balance b f", "balance c f",
     "brought forward", "carried forward",
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


def mentions_balance(text: str) -> bool:
    """Say quickly whether a text in small letters may hold the name of a balance."""
    words = _ASCII_BALANCE_WORDS if text.isascii() else _BALANCE_WORDS
    return any(word in text for word in words)


def names_sum(text: str) -> bool:
    """Say whether a text names a balance or a sum, which has an amount and needs no date."""
    words = words_of(text)
    if " ".join(words[:2]) == _SHOP and not all(map(_DATE_WORD.fullmatch, words[2:])):
        return False
    begins = " ".join([*words, ""]).startswith(_SUM_BEGINNINGS)
    return begins or mentions_balance(text.lower()) or not _SUM_WORDS.isdisjoint(words)


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

"""The words of table headers in the languages of banks, and what a column under them means."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from finplan.model.money import CODES
from finplan.statements.table.header_words import DEBTS, HEADER_WORDS, OTHER_NUMBERS, ColumnMeaning
from finplan.statements.text.currencies import currency_of

_LONGEST = 80
_REMEMBERED = 4096
"""How much of a name is read, and how many names are looked up but once."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WORD = re.compile(r"[^\w]+|_")


def words_of(name: str) -> list[str]:
    """Give a name's words in small letters without accents, also where only capitals part them."""
    split = _CAMEL.sub(" ", name[:_LONGEST])
    if split.isascii():
        # It has no accents, which take most of the time to look for.
        return _NO_WORD.sub(" ", split.lower()).split()
    letters = unicodedata.normalize("NFKD", split).casefold().replace("ł", "l").replace("ø", "o")
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _NO_WORD.sub(" ", plain).split()


_RANKS: dict[ColumnMeaning, dict[str, int]] = {
    meaning: {
        # Of names that differ in accents alone, the first one counts, which comes last here.
        " ".join(words_of(phrase)): rank
        for rank, phrase in reversed(list(enumerate(" ".join(words.split()).split("|"))))
    }
    for meaning, words in HEADER_WORDS.items()
}
_AFTER_HINTS = 2000
_FIRST_VALUE_DATE = _RANKS["date"]["value date"]
_RANKS["date"] = {
    # The day of value gives a row its day only where nothing else may be a date, whatever its name.
    name: rank if rank < _FIRST_VALUE_DATE else rank + _AFTER_HINTS
    for name, rank in _RANKS["date"].items()
}
_DEBT_NAMES = [" ".join(words_of(name)) for name in " ".join(DEBTS.split()).split("|")]
_RANKS["balance"] |= {name: _AFTER_HINTS + rank for rank, name in enumerate(_DEBT_NAMES)}
_UNPARTED = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_PARTS: list[tuple[str, ColumnMeaning]] = [
    ("".join(phrase.split()), meaning)
    for meaning, ranks in _RANKS.items()
    for phrase in ranks
    if _UNPARTED.match(phrase) and len(phrase) > 1
]
"""Names in the scripts of East Asia and Thailand, which stand within longer ones without a blank."""

_HINT_WORDS: dict[ColumnMeaning, str] = {
    "date": "date datum data fecha dato",
    "amount": "amount betrag montant importe importo kwota bedrag belopp suma",
    "debit": "debit withdrawal withdrawals soll debito",
    "credit": "credit deposit deposits haben credito",
    "balance": "balance saldo solde kontostand",
    "currency": "currency wahrung waehrung devise moneda",
    "description": "description beschreibung verwendungszweck libelle details memo",
    "payee": "payee merchant beneficiary counterparty empfanger",
}
_HINTS = {meaning: frozenset(words.split()) for meaning, words in _HINT_WORDS.items()}
"""Words that suggest a meaning when they are only a part of a header."""
_OTHER = """
    original foreign local fee fees tax taxes vat gst rate exchange converted limit minimum cashback
    subtotal tip points target instructed quantity count entries refund discount shipping insurance
    start end starting ending beginning opening initial final anfang due birth release expiry from
    statement closing period card billing fx number nummer numero numer cislo
    intl international
    originala originale oorspronkelijk oorspronkelijke divisa devise walucie oryginalna utlandskt
    ursprungligt povodna puvodni opprinnelig oprindelig oprindeligt alkuperainen originalbetrag
    fremdwahrung fremdwahrungsbetrag originario originaria estera
"""
_OTHER_WITHIN = tuple(
    "".join(words_of(word))
    for word in ("外币", "外幣", "外貨", "原币", "해외", "외화", "ต่างประเทศ")
)
"""Such words in scripts that part none."""
_OTHER_SIDE = tuple(
    "".join(words_of(word)) for word in ("对方", "對方", "交易对手", "相手", "상대", "收款", "付款")
)
"""Words of names that are of the other party, whose account is not the person's own."""
_OTHER_SUBJECTS = frozenset(_OTHER.split())
"""Words that say that a column is not about the row's own day, amount or balance."""
_CELLS_OF_A_NOTE = 2
_OTHER_NAMES = frozenset(
    " ".join(words_of(name)) for name in " ".join(OTHER_NUMBERS.split()).split("|")
)
_HINT_RANK = 1000
"""Behind all names of a meaning, however many they are."""
_CODE_RANK = 900
_EURO = frozenset(["euro", "euros"])
"""The currency that headers write out, as in “Addebiti (euro)”."""
_SIGN = re.compile(r"[^\w\s.,:;()/-]+")


def meanings_of(name: str) -> Mapping[ColumnMeaning, int]:
    """Say what a column with this header can mean; the lower the number, the more it does."""
    return _meanings(name[:_LONGEST])


@lru_cache(_REMEMBERED)
def _meanings(name: str) -> Mapping[ColumnMeaning, int]:
    words = [word for word in (word.rstrip("0123456789") for word in words_of(name)) if word]
    codes = [word for word in words if _is_code(word)]
    if codes and len(words) == len(codes):
        return {"amount": _CODE_RANK}
    phrase = " ".join(word for word in words if word not in codes)
    phrase = phrase.removesuffix(" in") if codes else phrase
    exact = {meaning: ranks[phrase] for meaning, ranks in _RANKS.items() if phrase in ranks}
    is_other = any(word in "".join(words) for word in _OTHER_WITHIN)
    if exact or is_other or phrase in _OTHER_NAMES or _OTHER_SUBJECTS.intersection(words):
        return exact
    if not phrase.isascii():
        return dict.fromkeys(_meanings_within("".join(phrase.split())), _HINT_RANK)
    return {meaning: _HINT_RANK for meaning, hints in _HINTS.items() if hints & set(words)}


def _is_code(word: str) -> bool:
    return word in _EURO or (word.upper() in CODES and word != "all")


def _meanings_within(name: str) -> set[ColumnMeaning]:
    """The meanings of the longest known names within one of a script that parts no words."""
    found = [(len(phrase), meaning) for phrase, meaning in _PARTS if phrase in name]
    longest = max(found, default=(0, None))[0]
    meanings = {meaning for length, meaning in found if length == longest}
    is_of_other_side = any(word in name for word in _OTHER_SIDE)
    return meanings - {"account", "account name"} if is_of_other_side else meanings


def is_of_other_numbers(name: str) -> bool:
    """Say whether a header names numbers that are no amounts, such as prices and rates of exchange."""
    words = [word for word in words_of(name) if word.upper() not in CODES]
    is_other = " ".join(words) in _OTHER_NAMES or not _OTHER_SUBJECTS.isdisjoint(words)
    return is_other and not meanings_of(name)


def is_debt(name: str) -> bool:
    """Say whether a header calls a balance what is owed."""
    return " ".join(word for word in words_of(name) if word.upper() not in CODES) in _DEBT_NAMES


def is_exact(name: str, meaning: ColumnMeaning) -> bool:
    """Say whether a header is a name of a meaning, and does not only have a word that suggests it."""
    return meanings_of(name).get(meaning, _HINT_RANK) < _HINT_RANK


def currency_in(name: str) -> str | None:
    """Find the currency that a header names, as in "Betrag (EUR)"."""
    texts = [*words_of(name), *_SIGN.findall(name)]
    codes = {code for text in texts if (code := currency_of(text)) is not None}
    return codes.pop() if len(codes) == 1 else None


def is_labelled_value(cells: Sequence[str]) -> bool:
    """Say whether a row is a label that ends with a colon, and what it labels."""
    return len(list(filter(None, cells))) == 2 and cells[0].rstrip().endswith(":")


def is_header(cells: Sequence[str]) -> bool:
    """Say whether a row names a column of dates and one of amounts.

    “Valuta: EUR” alone names none: it tells the currency. Neither does a label with its value.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    is_note = len(filled) <= _CELLS_OF_A_NOTE and any(cell.upper() in CODES for cell in filled)
    if is_note or is_labelled_value(cells):
        return False
    meanings = [meanings_of(cell) for cell in cells]
    money: set[ColumnMeaning] = {"amount", "debit", "credit"}
    return any("date" in each for each in meanings) and any(
        money & each.keys() for each in meanings
    )

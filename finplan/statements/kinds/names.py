"""What names say of an account's kind: a file's, an account's or a product's, in a bank's languages."""

import re
from collections.abc import Iterable, Iterator

from finplan.model.account import KindWord
from finplan.statements.kinds.conclusion import LIKELY, SURE
from finplan.statements.kinds.phrases import plain
from finplan.statements.statement import KindClue

_WORDS: dict[KindWord, str] = {
    "checking": """checking|chequing|current account|girokonto|giro ?konto\\w{0,40}
        |privatkonto|lohnkonto
        |gehaltskonto|kontokorrent|\\w{0,40}giro
        |compte (?:courant|cheques?|de depot)
        |cuenta (?:corriente|nomina)
        |conto corrente|conta (?:corrente|a ordem)|lonekonto|brukskonto|lonnskonto|lonkonto
        |betaalrekening|zichtrekening|privegirorekening|kayttotili|bezny ucet|konto osobiste|ror
        |everyday account|transaction account|streamline|vadesiz""",
    "credit": """(?<!debit )credit(?! unions?(?![a-z])| suisse| agricole| transfer| mutuel| note| debit)
        |(?<!debit )(?<!payment )cards?
        |creditcards?|(?<!debit )visa(?! debit)|(?<!debit )mastercard(?! debit)|amex|american express
        |\\w{0,40}kreditkarten?\\w{0,40}|kreditkort\\w{0,40}|kreditni kart[ay]|karta kredytowa
        |luottokortti|cartes? de credit
        |tarjetas? de credito|cartao|cartoes|cart[ae] di credito|credit ?card|diners club|barclaycard""",
    "savings": """savings?|money market|\\w{0,40}sparkonto|sparbuch|tagesgeld\\w{0,40}|festgeld\\w{0,40}
        |livret
        |(?:compte )?epargne|ahorros?|risparmio|poupanca|opsparing\\w{0,40}|sparekonto|spaarrekening
        |konto oszczednosciowe|sporici ucet|saastotili|定期預金|貯蓄""",
    "loan": """loans?|mortgage|darlehen\\w{0,40}|hypothek\\w{0,40}|baufinanzierung
        |pret immobilier|emprunt
        |prestamo|hipoteca|mutuo|emprestimo|heloc|boliglan|bolan|hypotheek|lening|kredyt|hitel""",
    "investment": """brokerage|401 ?k|roth|ira|investments?|securities|wertpapier\\w{0,40}|depotkonto
        |stocks and shares""",
}
_PATTERNS = {
    kind: re.compile(r"(?<![a-z])(?:" + "".join(map(str.strip, words.splitlines())) + r")(?![a-z])")
    for kind, words in _WORDS.items()
}
_DEBIT = re.compile(r"\bdebits?\b(?! cards?\b)")
_CREDIT_SIDE = re.compile(r"\bcredit\b(?! ?cards?\b)")
_SAID: dict[KindWord, str] = {
    "checking": "a checking account",
    "savings": "a savings account",
    "credit": "a credit card",
    "loan": "a loan",
    "investment": "an investment account",
}


def kind_named(texts: Iterable[str]) -> KindWord | None:
    """The kind that names speak of; checking is said louder than all else, as in "Visa checking"."""
    whole = " / ".join(map(plain, texts))
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(whole)), None)


def clues_of_names(texts: Iterable[str]) -> Iterator[KindClue]:
    """What names that people and banks give freely say: that a kind is likely."""
    kind = kind_named(texts)
    if kind is not None:
        yield KindClue((kind,), LIKELY, f"its name speaks of {_SAID[kind]}")


def clues_above(texts: Iterable[str]) -> Iterator[KindClue]:
    """What a bank says above the table: that a kind is sure; a name there may be anybody's product.

    Where debits are spoken of too, a “credit” that is no card's is a sum of what came in.
    """
    listed = list(texts)
    if any(_DEBIT.search(plain(text)) for text in listed):
        listed = [_CREDIT_SIDE.sub(" ", plain(text)) for text in listed]
    kind = kind_named(listed)
    if kind is not None:
        yield KindClue((kind,), SURE, f"the lines above its rows speak of {_SAID[kind]}")


def clues_of_product(cells: Iterable[str]) -> Iterator[KindClue]:
    """What the column of account types or products says in all rows: that a kind is sure.

    Where its rows name different things, as a bank's app does that calls what a card paid “Card”, they
    say it of no account.
    """
    kinds = {kind_named([cell]) for cell in cells if cell.strip()}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is not None:
        yield KindClue((kind,), SURE, f"its rows are said to be of {_SAID[kind]}")

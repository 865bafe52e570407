"""What a cell says of a person or a shop, and what only looks as if it did."""

import re

from finplan.statements.text.descriptors import fold

_FILLER_WORDS = """
    notprovided|notavailable|nonref|nonreference|noref|none|null|nil|n/a|na|n.a.|unknown|undefined
    |unbekannt|inconnu|desconocido|sconosciuto|onbekend|not provided|not available|nicht angegeben
    |no reference|no description|-|--|---|.|?|/"""
_FLAG_WORDS = """
    yes|no|true|false|y|n|ja|nein|nej|nei|oui|non|si|sí|sim|nao|não|tak|nie|ano|ne|kyllä|ei"""
_CARD_WORDS = """
    visa|mastercard|master|maestro|amex|american|express|card|karte|kreditkarte|girocard|girokarte|ec
    |carte|cb|tarjeta|carta|kort|debit|credit|debitkarte|kontokarte|karta|numer|nr|no|number|ending|in"""
_FILLERS, _FLAGS, _CARDS = (
    frozenset(" ".join(words.split()).replace(" |", "|").split("|"))
    for words in (_FILLER_WORDS, _FLAG_WORDS, _CARD_WORDS)
)
LONGEST_FILLER = max(map(len, _FILLERS))
"""No word that says nothing is longer than this, though a line of dashes may be."""

_LINE = re.compile(r"[-–—_=.*]{2,}")
_WORD = re.compile(r"(?<![^\W_])(?<!\*)[^\W\d_]{2,}")
_SHORT_CODE = re.compile(r"[A-Z]{1,3}")
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?|[A-Z]{2,}X{4}")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?")
_NUMBER = re.compile(r"(?<!\w)[\dXx*•#](?:[ -]?[\dXx*•#]){3,}(?!\w)")
"""A number of an account or a card, some of it perhaps masked."""

_CODE_DIGITS = 4


def is_filler(cell: str) -> bool:
    """Say whether a cell is one of the words that programs write where they have nothing to say."""
    text = fold(cell).casefold()
    return not text or text in _FILLERS or _LINE.fullmatch(text) is not None


def holds_text(cell: str) -> bool:
    """Say whether a cell holds a word, and is no code, flag or number of an account or a card."""
    text = fold(cell)
    if is_filler(text) or text.casefold() in _FLAGS or _SHORT_CODE.fullmatch(text):
        return False
    if not names_party(text):
        return False
    if " " not in text and sum(map(str.isdigit, text)) >= _CODE_DIGITS:
        return False
    return _WORD.search(text) is not None


def is_bank_code(cell: str) -> bool:
    """Say whether a cell has the shape of a bank's international code, as names of eight letters do."""
    return _BIC.fullmatch(cell) is not None


def names_party(cell: str) -> bool:
    """Say whether a cell names somebody, and is no filler and no number of an account or a card."""
    text = fold(cell)
    if is_filler(text) or _IBAN.fullmatch(text.replace(" ", "")):
        return False
    rest = _NUMBER.sub(" ", text)
    words = re.findall(r"[^\W\d_]+", rest.casefold())
    if rest != text:
        return not _CARDS.issuperset(words)
    return bool(words) or "&" in text

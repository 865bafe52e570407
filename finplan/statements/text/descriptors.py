"""Descriptors and cells as text: white space folded, several joined without repeating any.

Beside it stand what a cell says of a person or a shop, and what only looks as if it did; and columns
handled as one text: the shapes of their cells, and their digits.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

MOST_REMEMBERED = 50_000
LONGEST_REMEMBERED = 500
"""How many texts a reader remembers before it forgets them all, and how long one may be."""


_CUT_OFF = 16
"""From how many characters on a text may be cut off by the length of its field."""

_MOST_JOINED = 200
"""How many texts of one transaction are looked at, each beside all others."""

_ASCII_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f"
_OTHER_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All white space but the blank, in two parts."""


def fold(text: str) -> str:
    """Fold white space to single blanks, without any at the ends."""
    return " ".join(text.split())


def are_folded(texts: Iterable[str]) -> bool:
    """Say quickly whether all texts are folded."""
    listed = list(texts)
    text = "|".join(listed)
    spaces = _ASCII_SPACES if text.isascii() else _ASCII_SPACES + _OTHER_SPACES
    if "  " in text or any(space in text for space in spaces):
        return False
    return listed == list(map(str.strip, listed))


def quoted(text: str, most: int = 40) -> str:
    """Quote a text within a sentence, in one line; dots stand for what is beyond `most` characters."""
    folded = fold(text)
    return f"“{folded if len(folded) <= most else f'{shortened(folded, most - 1)}…'}”"


def shortened(text: str, most: int = 40) -> str:
    """Give the beginning of a text in one line."""
    return fold(text)[:most].rstrip()


def join_texts(texts: Iterable[str]) -> str:
    """Join folded texts with a blank, leaving out those that stand in another one word by word.

    A long text is also left out where it is another one cut off in the middle of a word. Of more than
    some hundred the first ones are taken.
    """
    distinct = list(islice(dict.fromkeys(filter(None, texts)), _MOST_JOINED))
    if len(distinct) == 2 and distinct[0] not in distinct[1] and distinct[1] not in distinct[0]:
        return f"{distinct[0]} {distinct[1]}"
    pieces: list[str] = []
    for text in distinct:
        if any(_stands_in(text, piece) for piece in pieces):
            continue
        pieces = [piece for piece in pieces if not _stands_in(piece, text)]
        pieces.append(text)
    return " ".join(pieces)


def _stands_in(text: str, longer: str) -> bool:
    if len(text) >= _CUT_OFF and text in longer:
        return True
    at = longer.find(text)
    while at >= 0:
        before, after = longer[at - 1 : at], longer[at + len(text) : at + len(text) + 1]
        if not (before.isalnum() and text[0].isalnum()) and not (
            after.isalnum() and text[-1].isalnum()
        ):
            return True
        at = longer.find(text, at + 1)
    return False


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
    frozenset(" ".join(listed.split()).replace(" |", "|").split("|"))
    for listed in (_FILLER_WORDS, _FLAG_WORDS, _CARD_WORDS)
)
LONGEST_FILLER = max(map(len, _FILLERS))
"""No word that says nothing is longer than this, though a line of dashes may be."""

_DRAWN_LINE = re.compile(r"[-–—_=.*]{2,}")
_WORD_OF_A_NAME = re.compile(r"(?<![^\W_])(?<!\*)[^\W\d_]{2,}")
_SHORT_CODE = re.compile(r"[A-Z]{1,3}")
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?|[A-Z]{2,}X{4}")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?")
_NUMBER_OF_AN_ACCOUNT = re.compile(r"(?<!\w)[\dXx*•#](?:[ -]?[\dXx*•#]){3,}(?!\w)")
"""A number of an account or a card, some of it perhaps masked."""

_CODE_DIGITS = 4


def is_filler(cell: str) -> bool:
    """Say whether a cell is one of the words that programs write where they have nothing to say."""
    text = fold(cell).casefold()
    return not text or text in _FILLERS or _DRAWN_LINE.fullmatch(text) is not None


def holds_text(cell: str) -> bool:
    """Say whether a cell holds a word, and is no code, flag or number of an account or a card."""
    text = fold(cell)
    if is_filler(text) or text.casefold() in _FLAGS or _SHORT_CODE.fullmatch(text):
        return False
    if not names_party(text):
        return False
    if " " not in text and sum(map(str.isdigit, text)) >= _CODE_DIGITS:
        return False
    return _WORD_OF_A_NAME.search(text) is not None


def is_bank_code(cell: str) -> bool:
    """Say whether a cell has the shape of a bank's international code, as names of eight letters do."""
    return _BIC.fullmatch(cell) is not None


def names_party(cell: str) -> bool:
    """Say whether a cell names somebody, and is no filler and no number of an account or a card."""
    text = fold(cell)
    if is_filler(text) or _IBAN.fullmatch(text.replace(" ", "")):
        return False
    bare = _NUMBER_OF_AN_ACCOUNT.sub(" ", text)
    tokens = re.findall(r"[^\W\d_]+", bare.casefold())
    if bare != text:
        return not _CARDS.issuperset(tokens)
    return bool(tokens) or "&" in text


CELL_GLUE = "\x1f"
"""Stands between the cells; no text that a reader decodes holds it."""

_DIGIT_TO_NINE = {ord(digit): "9" for digit in "012345678"}


class _OnlyDigits(dict[int, str | None]):
    """A translation that keeps what it holds and deletes all other characters."""

    def __missing__(self, key: int) -> None:
        return None


_ONLY_DIGITS = _OnlyDigits({ord(character): character for character in "0123456789" + CELL_GLUE})


def shapes_of(cells: Sequence[str]) -> list[str]:
    """Give each cell's shape: its text with every digit as 9."""
    return CELL_GLUE.join(cells).translate(_DIGIT_TO_NINE).split(CELL_GLUE) if cells else []


def digits_of(cells: Sequence[str]) -> Iterator[int]:
    """Give each cell's digits as one number, 0 for a cell without any."""
    digits = ("0" + (CELL_GLUE + "0").join(cells)).translate(_ONLY_DIGITS).split(CELL_GLUE)
    return map(int, digits) if cells else iter(())

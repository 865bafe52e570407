"""The numbers of descriptors that name nobody: references, branch numbers and dates are blanked.

Descriptors that differ in nothing else have one payee, so that it need be found only once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from finplan.categorise.grammar import grammar, named_numbers

# Four letters after a number may be a name that begins with it, as in "1800FLOWERS"; a single one ends a
# reference.
_LONG_NUMBER = re.compile(r"\d[\d/][\d/]?\d\d++(?:[A-Z]\b|(?![a-zA-Z]{4}))")
_DAY_RUN_IN = re.compile(r"\d\d/\d\d(?![\d/])(?<=[^\W\d_]\d\d/\d\d)")
_LAST_DIGITS = re.compile(r"([^\d]*)(\d{3,17})(\s[^\d]*)?")
_MASKS = "xX*•."
_NO_WORD = re.compile(r"[\W_]+")
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_BLANK = "0000"
_BETWEEN = "\x1f"
_SHAPES = 20_000
"""How many shapes of descriptors are remembered."""

_LONGEST_SHAPE = 400
"""In bytes; longer ones are not remembered, so that hostile texts fill no memory."""


def account_in(text: str) -> str | None:
    """The last digits of the account in a transfer that says nothing else of who was paid.

    They name somebody, and so are no reference. A number is an account's if it is masked, or stands
    behind a word for one; one that was blanked is known no more.
    """
    number = _account_number(text)
    return None if number == _BLANK else number


def _account_number(text: str) -> str | None:
    if text.partition(" ")[0].casefold() not in _about_accounts():
        return None
    found = _LAST_DIGITS.fullmatch(text)
    if found is None:
        return None
    before, number, behind = found.groups()
    if behind is not None and not _beside_accounts().issuperset(behind.casefold().split()):
        return None
    before = before[:-1] if before[-1:].isspace() else before
    masks = len(before) - len(before.rstrip(_MASKS))
    is_masked = masks > 1
    before = before[:-masks] if is_masked else before
    words, said = grammar(), _NO_WORD.sub(" ", before).casefold().split()
    if said == ["account"]:
        return str(number)
    if not said or words.transfers.isdisjoint(said) or not _about_accounts().issuperset(said):
        return None
    told = is_masked or said[-1] in words.accounts or said[-2:] == ["ending", "in"]
    return str(number) if told else None


@cache
def account_starts() -> frozenset[str]:
    """The first two letters of every descriptor in which an account may be named."""
    return frozenset(f"{word} "[:2] for word in _about_accounts())


@cache
def _about_accounts() -> frozenset[str]:
    words = grammar()
    return words.transfers | words.accounts | words.beside_accounts


@cache
def _beside_accounts() -> frozenset[str]:
    """What may stand behind an account's number: by which of the bank's channels it was sent."""
    return _about_accounts() | grammar().mechanics | {"commbank", "app"}


def without_long_numbers(text: str) -> str:
    """A descriptor with its references, branch numbers and dates blanked; they name nobody.

    Descriptors that are equal then have one payee, so that it need be found only once. A text without
    letters is left as it is, since its numbers are all that is known of it, and so is a number that a
    merchant is named after ("Optic 2000"), or an account to which money goes.
    """
    for number in named_numbers():
        if number in text:
            return _blanked(text, _blank_unless_named)
    return _of_shape(text.encode("utf-8", "surrogatepass").translate(_ZEROS)) or _one(text)


def _one(text: str) -> str:
    """A descriptor without its long numbers, of a shape that tells nothing by itself."""
    return text if account_in(text) is not None else _blanked(text, _BLANK)


def all_without_long_numbers(texts: Sequence[str]) -> list[str]:
    """What `without_long_numbers` makes of each text; many are looked at together in less time."""
    together = _BETWEEN.join(texts)
    shapes = together.encode("utf-8", "surrogatepass").translate(_ZEROS).split(_BETWEEN.encode())
    if len(shapes) != len(texts):
        return list(map(without_long_numbers, texts))
    blanked = [
        found or _one(text) for found, text in zip(map(_of_shape, shapes), texts, strict=True)
    ]
    for number in named_numbers():
        for place in _places_of(number, together):
            blanked[place] = without_long_numbers(texts[place])
    return blanked


def _places_of(number: str, together: str) -> Iterator[int]:
    """Which of the texts that stand together hold a number, found without looking at each."""
    place = looked = 0
    while (found := together.find(number, looked)) >= 0:
        place += together.count(_BETWEEN, looked, found)
        looked = found + len(number)
        yield place


def _of_shape(shape: bytes) -> str | None:
    if len(shape) > _LONGEST_SHAPE:
        return _blank_shape.__wrapped__(shape)
    return _blank_shape(shape)


@lru_cache(_SHAPES)
def _blank_shape(shape: bytes) -> str | None:
    """What all descriptors of a shape, which has 0 for every digit, are without their long numbers.

    None where they are not all the same. Looking that up is quicker than blanking each of them.
    """
    text = shape.decode("utf-8", "surrogatepass")
    blanked, numbers = _LONG_NUMBER.subn(_BLANK, _with_days_apart(text))
    if _account_number(text) is not None:
        return None
    if blanked.count("0") > 4 * numbers or (numbers and not _has_letters(blanked)):
        return None
    return blanked


def _blanked(text: str, blank: str | Callable[[re.Match[str]], str]) -> str:
    blanked = _LONG_NUMBER.sub(blank, _with_days_apart(text))
    return blanked if _has_letters(blanked) else text


def _with_days_apart(text: str) -> str:
    """A text in which a day no longer touches the word before it."""
    # Few texts have such a day, and looking for one is quicker than replacing none.
    return _DAY_RUN_IN.sub(r" \g<0>", text) if _DAY_RUN_IN.search(text) else text


def _has_letters(text: str) -> bool:
    return text.isupper() or any(map(str.isalpha, text))


def _blank_unless_named(number: re.Match[str]) -> str:
    return number[0] if number[0] in named_numbers() else _BLANK

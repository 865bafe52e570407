"""The numbers of descriptors that name nobody: references, branch numbers and dates are blanked.

Descriptors that differ in nothing else have one payee, so that it need be found only once.
"""

import re
from collections.abc import Callable
from functools import cache

from finplan.categorise.grammar import grammar, named_numbers

# Four letters after a number may be a name that begins with it, as in "1800FLOWERS"; a single one ends a
# reference.
_LONG_NUMBER = re.compile(r"\d[\d/][\d/]?\d\d++(?:[A-Z]\b|(?![a-zA-Z]{4}))")
_BEFORE_A_DAY_RUN_IN = re.compile(r"(?=\d\d/\d\d(?![\d/]))(?<=[^\W\d_])")
_LAST_DIGITS = re.compile(r"([^\d]*)(\d{3,17})(\s[^\d]*)?")
_MASKS = "xX*•."
_NO_WORD = re.compile(r"[\W_]+")
_BLANK = "0000"


def account_in(text: str) -> str | None:
    """The last digits of the account in a transfer that says nothing else of who was paid.

    They name somebody, and so are no reference. A number is an account's if it is masked, or stands
    behind a word for one; one that was blanked is known no more.
    """
    if text.partition(" ")[0].casefold() not in _about_accounts():
        return None
    match = _LAST_DIGITS.fullmatch(text)
    if match is None or match[2] == _BLANK:
        return None
    before, number, behind = match.groups()
    if behind is not None and not _beside_accounts().issuperset(behind.casefold().split()):
        return None
    before = before[:-1] if before[-1:].isspace() else before
    masks = len(before) - len(before.rstrip(_MASKS))
    is_masked = masks > 1
    before = before[:-masks] if is_masked else before
    vocab, tokens = grammar(), _NO_WORD.sub(" ", before).casefold().split()
    if tokens == ["account"]:
        return str(number)
    if not tokens or vocab.transfers.isdisjoint(tokens) or not _about_accounts().issuperset(tokens):
        return None
    is_account = is_masked or tokens[-1] in vocab.accounts or tokens[-2:] == ["ending", "in"]
    return str(number) if is_account else None


@cache
def _about_accounts() -> frozenset[str]:
    vocab = grammar()
    return vocab.transfers | vocab.accounts | vocab.beside_accounts


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
            return _blanked(text, _blank_unknown_number)
    return text if account_in(text) is not None else _blanked(text, _BLANK)


def _blanked(text: str, blank: str | Callable[[re.Match[str]], str]) -> str:
    # A day no longer touches the word before it; most texts print none with a stroke.
    apart = _BEFORE_A_DAY_RUN_IN.sub(" ", text) if "/" in text else text
    blanked = _LONG_NUMBER.sub(blank, apart)
    return blanked if blanked.isupper() or any(map(str.isalpha, blanked)) else text


def _blank_unknown_number(number: re.Match[str]) -> str:
    return number[0] if number[0] in named_numbers() else _BLANK

"""Sizes: "over $50" and the like, in the household's currency; a bare number may be anything."""

import re
from dataclasses import dataclass
from decimal import Decimal

from finplan.model.figures import SYMBOLS
from finplan.model.money import exponent

LONGEST_SIZE = 9

_OVER, _LEAST = r"over|above|more than|greater than|larger than|bigger than|exceeding", r"at least"
_UNDER, _MOST = r"under|below|less than|smaller than", r"at most|up to|no more than"
_SIGN = r"[^\w\s.,-]{1,2}|[a-z]{2}\$|[a-z]\$"
_WORD = r"dollars?|bucks?|euros?|pounds?|yen|rupees?|francs?|[a-z]{3}"
_AMOUNT = rf"(?:({_SIGN}) ?)?(\d+(?:\.\d{{1,3}})?)(?: ?({_SIGN}|{_WORD}))?"
_SIZE = re.compile(
    rf"(?:({_OVER})|({_LEAST})|({_UNDER})|({_MOST})) {_AMOUNT}|between {_AMOUNT} and {_AMOUNT}"
)
_WORDS = {
    **dict.fromkeys(("dollar", "dollars", "buck", "bucks"), "$"),
    **dict.fromkeys(("euro", "euros"), "€"),
    **dict.fromkeys(("pound", "pounds"), "£"),
    **dict.fromkeys(("rupee", "rupees"), "₹"),
    "yen": "¥",
}


@dataclass(frozen=True, slots=True)
class SpokenSize:
    """How large a purchase is, in minor units, both inclusive; `told` is how it was said."""

    least: int | None
    most: int | None
    told: str


class UnclearSize(ValueError):
    """A size that was not understood; it says why."""


def find_size(text: str, currency: str) -> SpokenSize | UnclearSize | None:
    """The size that a stretch of a sentence says, None where it says none."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    over, least, under, most = match.group(1, 2, 3, 4)
    try:
        if match[6] is None:
            said = next(filter(None, match.group(8, 10, 11, 13)), None)
            return SpokenSize(
                _minor(match[9], said, currency), _minor(match[12], said, currency), text
            )
        size = _minor(match[6], match[5] or match[7], currency)
    except UnclearSize as unclear:
        return unclear
    if over or least:
        return SpokenSize(size + bool(over), None, text)
    assert under or most
    return SpokenSize(None, size - bool(under), text)


def _minor(digits: str, said: str | None, currency: str) -> int:
    """An amount in minor units. Raises UnclearSize for no currency, and for another one."""
    if said is None:
        raise UnclearSize(
            f"It may be an amount or something else. Write an amount with its currency, like"
            f" `over {_shown(digits, currency)}`."
        )
    if not _is_of(said, currency):
        raise UnclearSize(
            f"The household's currency is {currency}. Write the amount in it, like"
            f" `over {_shown(digits, currency)}`."
        )
    amount = Decimal(digits).scaleb(exponent(currency))
    if amount != int(amount):
        raise UnclearSize(f"An amount in {currency} has at most {exponent(currency)} decimals.")
    return int(amount)


def _is_of(said: str, currency: str) -> bool:
    """Whether a sign or a word names a currency; `$` names any that is called a dollar."""
    sign = _WORDS.get(said, said)
    symbol = SYMBOLS.get(currency, currency).lower()
    return sign in (currency.lower(), symbol) or (sign == "$" and symbol.endswith("$"))


def _shown(digits: str, currency: str) -> str:
    symbol = SYMBOLS.get(currency)
    return f"{symbol}{digits}" if symbol else f"{digits} {currency}"

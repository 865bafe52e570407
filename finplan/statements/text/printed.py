"""Days and amounts as bank programs print them for other programs: year first, one decimal sign.

A day is a calendar date of 1900 to 2199.
"""

import re
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import lru_cache

from finplan.model.money import LARGEST_AMOUNT, exponent, to_minor, to_text
from finplan.statements.text.descriptors import quoted, shapes_of

_FIRST_YEAR, _LAST_YEAR = 1900, 2199


def day_number(year: int, month: int, day: int) -> int | None:
    """Give a calendar date as YYYYMMDD, None when there is none or it is not in 1900 to 2199."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        date(year, month, day)
    except ValueError:
        return None
    return year * 10000 + month * 100 + day


_LONGEST_DAY = 10
_PRINTED_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_PRINTED_AMOUNT = re.compile(
    r"([+-]?)\s*(?:(\d*)(?:[.,](\d*))?"
    r"|(\d{1,3}(?:[,' \u00a0]\d{3})+)(?:\.(\d*))?|(\d{1,3}(?:[.' \u00a0]\d{3})+)(?:,(\d*))?)"
)
_CENTS = re.compile(r"\s*[+-]?9{1,18}[.,]99\s*")
_LONGEST_AMOUNT = 40
_CURRENCY = re.compile(r"[A-Z]{3}")
_RUNNING_NUMBER = re.compile(r"0*\d{0,6}")
_NO_REFERENCE = {"NONREF", "NOTPROVIDED", "NOTAVAILABLE"}


def day_of(printed: str) -> int | None:
    """Read the day that a date begins with, as YYYYMMDD; its time and zone never move it."""
    return _day_printed(printed.strip()[:_LONGEST_DAY])


@lru_cache(maxsize=1000)
def _day_printed(printed: str) -> int | None:
    match = _PRINTED_DAY.match(printed)
    return day_number(int(match[1]), int(match[2]), int(match[3])) if match else None


def amount_of(printed: str, currency: str) -> int | None:
    """Read an amount in minor units, None when it is none; a single point or comma is decimal.

    A point alone is zero: banks whose programs suppress zeros print nothing else of 0.00.
    """
    bare = printed.strip()
    match = _PRINTED_AMOUNT.fullmatch(bare) if len(bare) <= _LONGEST_AMOUNT else None
    if match is None or not bare.lstrip("+-"):
        return None
    sign, plain_whole, plain_fraction, *grouped = match.groups()
    integer = plain_whole or re.sub(r"\D", "", grouped[0] or grouped[2] or "")
    fraction = plain_fraction or grouped[1] or grouped[3]
    return to_minor(Decimal(f"{sign}{integer or 0}.{fraction or 0}"), currency)


def amounts_of(printed: list[str], currency: str) -> list[int | None]:
    """Read amounts, all at once where each has two decimals, as nearly every bank prints them."""
    if exponent(currency) == 2 and all(map(_CENTS.fullmatch, set(shapes_of(printed)))):
        # int() does not take every control character for a space that a pattern takes for one.
        with suppress(ValueError):
            return [int(text.replace(".", "").replace(",", "")) for text in printed]
    return [amount_of(text, currency) for text in printed]


def currency_of(printed: str) -> str | None:
    """Read a currency code, None when it is none."""
    code = printed.strip().upper()
    return code if _CURRENCY.fullmatch(code) else None


def reference_of(printed: str) -> str | None:
    """Read a bank's own reference of a row, None for a filler or for a running number.

    A number of up to six digits counts the rows of one statement: the same row has another one in the
    next, so it identifies nothing.
    """
    reference = printed.strip()
    is_filler = reference.upper() in _NO_REFERENCE or _RUNNING_NUMBER.fullmatch(reference)
    return None if is_filler else reference


def why_too_large(printed: str, currency: str) -> str:
    """Say that an amount is larger than any that is kept."""
    limit = to_text(LARGEST_AMOUNT, currency)
    return f"{quoted(printed)} is too large (at most {limit})."

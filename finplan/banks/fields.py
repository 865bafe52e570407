"""Single fields of an aggregator's answer: numbers, amounts, days, instants and ids, within bounds.

A field is missing (None), fine, or odd: too large, too long, or not what belongs there. An odd one
raises OddValue, so that its reader can leave it out alone and name it.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar

from finplan.model.characters import visible
from finplan.model.money import CODES, LARGEST_AMOUNT, exponent, to_minor

NO_CURRENCY = "XXX"
"""ISO 4217's code for what is no money of a country, such as points and miles."""

LONGEST_REMARK = 300
"""How much is shown of a text that an aggregator writes, in characters."""

LONGEST_ID = 500
"""In characters; ids of aggregators have fewer than 100."""

LONGEST_NUMBER = 40
"""In characters, whether it is written as a number or as a text."""

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""The years of bookings: what is worked out of a day stays within the calendar."""

_LONGEST_DAY = 40
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WITHIN = Decimal(10) ** 20

FieldValue = TypeVar("FieldValue")


class Unreadable(Exception):
    """An answer, or a part of one, that cannot be read; the sentence says what about it."""


class OddValue(Unreadable):
    """A field that is there and holds nothing that belongs there."""


class OddFields:
    """Reads fields of one account, and notes the names of those that are odd."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def read(
        self, name: str, read: Callable[[object], FieldValue | None], value: object
    ) -> FieldValue | None:
        """Read a field that may be left out: None where it is missing or odd."""
        try:
            return read(value)
        except OddValue:
            self.names.append(name)
            return None


def remark(value: object) -> str:
    """A text fit to be shown: one line, without what hides, not too long; empty for what is no text."""
    if not isinstance(value, str):
        return ""
    text = visible(value[: 4 * LONGEST_REMARK])
    return text if len(text) <= LONGEST_REMARK else f"{text[: LONGEST_REMARK - 1]}…"


def is_id(value: object) -> bool:
    """Whether something can be known by this: a text that is not empty, and that can be stored."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        return False
    # Half of a surrogate pair cannot be written in UTF-8.
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def read_text_number(value: object) -> Decimal | None:
    """A decimal number that may be written as a text; None where it is missing. Raises OddValue."""
    if isinstance(value, str):
        text = value[: LONGEST_NUMBER + 1].strip()
        if not text and len(value) <= LONGEST_NUMBER:
            return None
        if len(value) > LONGEST_NUMBER or not _NUMBER.fullmatch(text):
            raise OddValue("it is not a number")
        return _within(Decimal(text))
    return read_number(value)


def read_number(value: object) -> Decimal | None:
    """A number of an answer's JSON; None where it is missing. Raises OddValue."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise OddValue("it is not a number")
    return _within(value)


def _within(value: int | Decimal) -> Decimal:
    if isinstance(value, int):
        if abs(value) >= _WITHIN:
            raise OddValue("it is too large")
        return Decimal(value)
    # Arithmetic on a number of any exponent may take forever, or fail; its exponent is just looked at.
    if not value.is_finite() or not -LONGEST_NUMBER <= value.adjusted() < 20:
        if value.is_zero():
            return Decimal(0)
        raise OddValue("it is not a number that finplan can save")
    if len(value.as_tuple().digits) > LONGEST_NUMBER:
        raise OddValue("it has too many digits")
    return value


def minor_units(value: Decimal, currency: str) -> int:
    """A number within bounds as minor units of a currency. Raises OddValue for more than is kept."""
    if abs(value) > Decimal(LARGEST_AMOUNT).scaleb(-exponent(currency)):
        raise OddValue("it is too large")
    return to_minor(value, currency)


def read_currency(code: object) -> str:
    """The currency that a code is of, `NO_CURRENCY` for what is no country's."""
    known = code.strip().upper() if isinstance(code, str) and len(code) <= LONGEST_ID else ""
    return known if known in CODES else NO_CURRENCY


def read_day(value: object) -> int | None:
    """The day YYYYMMDD that an ISO date or instant begins with; None where it is missing.

    Raises OddValue.
    """
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_DAY:
        raise OddValue("it is not a day")
    try:
        return day_number(date.fromisoformat(value[:10]))
    except ValueError:
        raise OddValue("it is not a day") from None


def read_instant(value: object) -> datetime | None:
    """An ISO instant, of UTC where it names no zone; None where it is missing. Raises OddValue."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_DAY:
        raise OddValue("it is not a time")
    try:
        instant = datetime.fromisoformat(value)
    except ValueError:
        raise OddValue("it is not a time") from None
    day_number(instant.date())
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


def read_epoch(value: object) -> datetime | None:
    """An instant in whole seconds since 1970; None where it is missing or zero. Raises OddValue."""
    seconds = read_text_number(value)
    if seconds is None or seconds == 0:
        return None
    if seconds < 0 or seconds != int(seconds):
        raise OddValue("it is not a time")
    try:
        instant = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise OddValue("it is not a time") from None
    day_number(instant.date())
    return instant


def day_number(day: date) -> int:
    """A day as YYYYMMDD. Raises OddValue for a year that no booking is of."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise OddValue("its year is not between 1900 and 2199")
    return day.year * 10_000 + day.month * 100 + day.day


def try_read(read: Callable[[object], FieldValue | None], value: object) -> FieldValue | None:
    """Read a field of which nothing is told: None where it is missing or odd."""
    try:
        return read(value)
    except OddValue:
        return None

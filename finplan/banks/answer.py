"""An aggregator's answer: its JSON and its fields within bounds, and what of it cannot be read.

It is bounded before a value of it is built, and its numbers are exact. A field is missing (None),
fine, or odd: too large, too long, or not what belongs there. An odd one raises OddValue, so that
its reader can leave it out alone and name it: it is told, and the rest is brought.

This runs in a process of its own for all but small answers, so it loads no client and no server.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

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
            raise OddValue("not a number")
        return _within_bounds(Decimal(text))
    return read_number(value)


def read_number(value: object) -> Decimal | None:
    """A number of an answer's JSON; None where it is missing. Raises OddValue."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise OddValue("not a number")
    return _within_bounds(value)


def _within_bounds(value: int | Decimal) -> Decimal:
    if isinstance(value, int):
        if abs(value) >= _WITHIN:
            raise OddValue("too large")
        return Decimal(value)
    # Arithmetic on a number of any exponent may take forever, or fail; its exponent is just looked at.
    if not value.is_finite() or not -LONGEST_NUMBER <= value.adjusted() < 20:
        if value.is_zero():
            return Decimal(0)
        raise OddValue("not a number that finplan can save")
    if len(value.as_tuple().digits) > LONGEST_NUMBER:
        raise OddValue("too many digits")
    return value


def minor_units(value: Decimal, currency: str) -> int:
    """A number within bounds as minor units of a currency. Raises OddValue for more than is kept."""
    if abs(value) > Decimal(LARGEST_AMOUNT).scaleb(-exponent(currency)):
        raise OddValue("too large")
    return to_minor(value, currency)


def read_currency(code: object) -> str:
    """The currency that a code is of, `NO_CURRENCY` for what is no country's."""
    currency = code.strip().upper() if isinstance(code, str) and len(code) <= LONGEST_ID else ""
    return currency if currency in CODES else NO_CURRENCY


def read_day(value: object) -> int | None:
    """The day YYYYMMDD that an ISO date or instant begins with; None where it is missing.

    Raises OddValue.
    """
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_DAY:
        raise OddValue("not a date")
    try:
        return day_number(date.fromisoformat(value[:10]))
    except ValueError:
        raise OddValue("not a date") from None


def read_instant(value: object) -> datetime | None:
    """An ISO instant, of UTC where it names no zone; None where it is missing. Raises OddValue."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_DAY:
        raise OddValue("not a time")
    try:
        instant = datetime.fromisoformat(value)
    except ValueError:
        raise OddValue("not a time") from None
    day_number(instant.date())
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


def read_millis(value: object) -> int | None:
    """An ISO instant in ms since 1970; None where it is missing or odd."""
    instant = try_read(read_instant, value)
    return None if instant is None else int(instant.timestamp() * 1000)


def merchant_code(value: object) -> str | None:
    """A merchant category code (ISO 18245), None for what is none."""
    text = str(value or "")
    return text if len(text) == 4 and text.isdecimal() else None


def read_epoch(value: object) -> datetime | None:
    """An instant in whole seconds since 1970; None where it is missing or zero. Raises OddValue."""
    seconds = read_text_number(value)
    if seconds is None or seconds == 0:
        return None
    if seconds < 0 or seconds != int(seconds):
        raise OddValue("not a time")
    try:
        instant = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise OddValue("not a time") from None
    day_number(instant.date())
    return instant


def day_number(day: date) -> int:
    """A day as YYYYMMDD. Raises OddValue for a year that no booking is of."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise OddValue("year not between 1900 and 2199")
    return day.year * 10_000 + day.month * 100 + day.day


def try_read(read: Callable[[object], FieldValue | None], value: object) -> FieldValue | None:
    """Read a field of which nothing is told: None where it is missing or odd."""
    try:
        return read(value)
    except OddValue:
        return None


LARGEST_ANSWER = 12 * 1024 * 1024
"""In bytes, unpacked. Two years of a busy household are 10,000 rows of about 1 KB."""

MOST_VALUES = 500_000
"""How many values an answer may hold; a row has 10 to 60, and a page of rows a few hundred rows."""

DEEPEST = 64
"""How many lists and objects may lie within each other; the aggregators' own answers have 6."""

SMALL_ANSWER = 128 * 1024
SMALL_VALUES = 4_000
"""An answer of fewer bytes and values than these is read within milliseconds."""

_TEXT_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""A text that does not end is matched as well, so that no letter is looked at twice."""

_FORMS = (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS)
"""gzip and deflate as they are meant, then deflate as some servers send it, without its head."""

_NOT_A_NUMBER = Decimal("NaN")

AnswerValue = TypeVar("AnswerValue")
Reader = Callable[[Any], AnswerValue]
"""Makes values of an answer's JSON; it can be pickled, and so can what it answers or raises."""


class TooMuch(Exception):
    """An answer that is larger, or takes longer, than can be read."""


class NotJson(ValueError):
    """An answer that is not JSON."""


def is_small(body: bytes) -> bool:
    """Whether an answer can be read at once, by what is counted without reading it."""
    return len(body) <= SMALL_ANSWER and count_values(body) <= SMALL_VALUES


def count_values(body: bytes) -> int:
    """At least as many as the values that a JSON text holds: its commas, colons and brackets."""
    return 1 + sum(body.count(mark) for mark in (b",", b":", b"[", b"{"))


def unpack(body: bytes) -> bytes:
    """A body that was packed by gzip or deflate. Raises TooMuch, and NotJson for what is neither."""
    for form in _FORMS:
        unpacker = zlib.decompressobj(form)
        try:
            content = unpacker.decompress(body, LARGEST_ANSWER + 1)
        except zlib.error:
            continue
        if len(content) > LARGEST_ANSWER:
            raise TooMuch
        if unpacker.eof:
            return content
    raise NotJson


def parse_answer(body: bytes) -> Any:
    """The JSON of a body; a number that cannot be kept is NaN. Raises NotJson, and TooMuch."""
    if len(body) > LARGEST_ANSWER or count_values(body) > MOST_VALUES:
        raise TooMuch
    _check_depth(body)
    try:
        return json.loads(
            body.decode("utf-8-sig"),
            parse_int=lambda text: int(text) if len(text) <= LONGEST_NUMBER else _NOT_A_NUMBER,
            parse_float=lambda text: Decimal(text if len(text) <= LONGEST_NUMBER else "NaN"),
            parse_constant=lambda _name: _NOT_A_NUMBER,
        )
    except (ValueError, RecursionError):
        # What the reader says of it would hold all of the text.
        raise NotJson from None


def read_answer(body: bytes, read: Reader[AnswerValue]) -> AnswerValue:
    """What a reader makes of a body. Raises as `parse_answer` does, and what the reader raises."""
    return read(parse_answer(body))


def _check_depth(body: bytes) -> None:
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return
    depth = 0
    for match in _TEXT_OR_BRACKET.finditer(body):
        bracket = match[0]
        if bracket in (b"[", b"{"):
            depth += 1
            if depth > DEEPEST:
                raise TooMuch
        elif bracket in (b"]", b"}"):
            depth -= 1


ASKED_ON = "finplan asks for the skipped data again at every sync."

MOST_SENTENCES = 12
"""How many sentences a person is shown of what one answer lacks."""


class NotRead(NamedTuple):
    """A row that is left out, with its day where that is known; a field; or else a whole account.

    `account` is what the account is called, and `why` goes on after "since". Of a field, if `is_field`,
    `why` is its name, and the account is brought without it.
    """

    account: str
    why: str
    is_row: bool = False
    day: str | None = None
    is_field: bool = False


def check_currency(currency: str, kept_in: str | None) -> str:
    """The currency of an account, perhaps kept in one already. Raises Unreadable for another one."""
    if kept_in is not None and currency != kept_in:
        raise Unreadable(f"currency changed from {kept_in} to {currency}")
    return currency


def odd_fields(account: str, names: Iterable[str]) -> list[NotRead]:
    """The fields of an account that are left out, by their names."""
    return [NotRead(account, name, is_field=True) for name in names]


def told_left_out(title: str, left_out: Iterable[NotRead]) -> str:
    """What a person is told of it, the accounts each once; empty where nothing is."""
    days: dict[NotRead, list[str | None]] = {}
    for unread in left_out:
        days.setdefault(unread._replace(day=None), []).append(unread.day)
    if not days:
        return ""
    sentences = first_few([_sentence_on(unread, of) for unread, of in days.items()])
    return f"{title} sent data that finplan cannot read. {sentences} {ASKED_ON}"


def first_few(sentences: Sequence[str]) -> str:
    """Sentences as a person reads them: the first ones, and how many more there are."""
    remaining = len(sentences) - MOST_SENTENCES
    if remaining <= 0:
        return " ".join(sentences)
    return f"{' '.join(sentences[:MOST_SENTENCES])} And {remaining:,} more."


def _sentence_on(left_out: NotRead, days: list[str | None]) -> str:
    if left_out.is_row:
        return _sentence_on_rows(left_out.account, left_out.why, days)
    if left_out.is_field:
        return f"{left_out.account}: skipped the {left_out.why}, which finplan cannot read."
    return f"{left_out.account}: not updated ({left_out.why})."


def _sentence_on_rows(account: str, why: str, days: list[str | None]) -> str:
    dated = sorted({day for day in days if day is not None})
    of = f" of {dated[0]}" if dated else ""
    if len(dated) > 1:
        of = f" from {dated[0]} to {dated[-1]}"
    if len(days) == 1:
        return f"{account}: skipped 1 transaction{of} ({why})."
    return f"{account}: skipped {len(days):,} transactions{of} ({why})."

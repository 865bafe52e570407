"""An aggregator's answer as JSON: bounded before a value of it is built, its numbers exact.

This runs in a process of its own for all but small answers, so it loads no client and no server.
"""

import json
import re
import zlib
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from finplan.banks.fields import LONGEST_NUMBER

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
    return 1 + sum(body.count(each) for each in (b",", b":", b"[", b"{"))


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
            parse_int=_whole_number,
            parse_float=_decimal_number,
            parse_constant=_constant,
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


def _whole_number(text: str) -> int | Decimal:
    return int(text) if len(text) <= LONGEST_NUMBER else _NOT_A_NUMBER


def _decimal_number(text: str) -> Decimal:
    return Decimal(text) if len(text) <= LONGEST_NUMBER else _NOT_A_NUMBER


def _constant(_name: str) -> Decimal:
    return _NOT_A_NUMBER

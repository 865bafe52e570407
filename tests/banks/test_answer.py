"""An answer is bounded before a value of it is built, and read exactly."""

import gzip
import zlib
from decimal import Decimal

import pytest

from finplan.banks.answer import (
    DEEPEST,
    LARGEST_ANSWER,
    MOST_VALUES,
    SMALL_ANSWER,
    SMALL_VALUES,
    NotJson,
    TooMuch,
    count_values,
    is_small,
    parse_answer,
    unpack,
)


def test_numbers_are_exact_and_what_cannot_be_kept_is_none() -> None:
    """A decimal stays as it was written; a number of 41 characters is not a number any more."""
    read = parse_answer(
        b"[1, -1.50, 1e5, %s, NaN, -Infinity, %s]" % (b"9" * 41, b"0.%s" % (b"1" * 40))
    )
    assert read[:3] == [1, Decimal("-1.50"), Decimal("1e5")]
    assert [each.is_nan() for each in read[3:]] == [True] * 4


@pytest.mark.parametrize(
    "body",
    [
        b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1),
        b'{"a":' * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1),
        b"[" + b"1," * MOST_VALUES + b"1]",
        b" " * (LARGEST_ANSWER + 1),
    ],
)
def test_more_than_can_be_read_is_refused(body: bytes) -> None:
    """By its depth, its values and its bytes."""
    with pytest.raises(TooMuch):
        parse_answer(body)


def test_brackets_within_texts_nest_nothing() -> None:
    """Also behind an escaped quotation mark, and where none ends the text."""
    text = b'"' + b"[" * 200 + b'\\"' + b"{" * 200 + b'"'
    assert len(parse_answer(b"[%s]" % text)[0]) == 401
    deepest = b"[" * DEEPEST + text + b"]" * DEEPEST
    assert isinstance(parse_answer(deepest), list)
    with pytest.raises(NotJson):
        parse_answer(b'["' + b"[" * 200)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"nul", b'{"a":"\xc3"}', b"[1e]"])
def test_what_is_no_json_is_said_to_be_none(body: bytes) -> None:
    """Without a word of it."""
    with pytest.raises(NotJson) as error:
        parse_answer(body)
    assert str(error.value) == ""


def test_small_is_what_has_few_bytes_and_few_values() -> None:
    """The count is never below the number of values."""
    assert is_small(b"[%s]" % (b" " * (SMALL_ANSWER - 2)))
    assert not is_small(b"[%s]" % (b" " * SMALL_ANSWER))
    assert not is_small(b"[" + b"1," * SMALL_VALUES + b"1]")
    assert count_values(b'{"a":[1,{"b":2}],"c":{}}') >= 8


def test_a_packed_answer_is_unpacked_within_the_bound() -> None:
    """gzip, and deflate with its head or without; never more than an answer may have."""
    bare = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    for packed in (
        gzip.compress(b"[1]"),
        zlib.compress(b"[1]"),
        bare.compress(b"[1]") + bare.flush(),
    ):
        assert unpack(packed) == b"[1]"
    with pytest.raises(TooMuch):
        unpack(gzip.compress(b" " * (LARGEST_ANSWER + 1)))
    for broken in (b"", b"[]", gzip.compress(b"[1]")[:-9]):
        with pytest.raises(NotJson):
            unpack(broken)

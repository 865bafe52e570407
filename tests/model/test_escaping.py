"""JSON says the same with every unseen character escaped."""

import json
import sys
import unicodedata

import pytest

from finplan.model.characters import escaped

BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.thorough
def test_no_json_hides_or_turns_anything() -> None:
    """No control or bidirectional character is written as it is, and the value stays the same."""
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    content = json.dumps(every, ensure_ascii=False).encode()
    written = escaped(content)

    assert json.loads(written) == every
    assert not [
        sign
        for sign in written.decode()
        if unicodedata.bidirectional(sign) in BIDIRECTIONAL
        or unicodedata.category(sign) == "Cc"
        or sign in "\u061c\u200e\u200f\u200b\u2028\u2029\u00ad\ufeff"
        or 0xE0000 <= ord(sign) < 0xE0080
    ]


def test_plain_json_stays_as_it_is() -> None:
    """What a person sees is not escaped."""
    for content in (b'{"a":"b\\u0007"}', '{"é":"東京 ‌ 😀"}'.encode()):
        assert escaped(content) == content
    assert escaped(b'"a\x7fb"') == rb'"a\u007fb"'

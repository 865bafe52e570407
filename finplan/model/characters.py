"""Which characters of a text a person never sees, texts without them, and JSON that escapes them.

Texts that come from outside are cut here, too, to lengths that everything behind can work on, and ids to
what a person types of them.
"""

import json
import re
from collections.abc import Iterable, Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
"""Columns of one to eight eighths of a line, which not every terminal has."""

_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_WITHOUT_WIDTH = (
    "\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\uffff\U000e0000-\U000e007f\ud800-\udfff"
)
_LEFT_OUT = re.compile(f"[{_DIRECTIONS}{_WITHOUT_WIDTH}]")
"""Characters that turn a text round or that take no room; the joiners are needed to spell."""

_ASCII_CONTROLS = (*map(chr, range(0x20)), "\x7f")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CONTROLS_IN_A_LINE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")

_UNSEEN_IN_UTF8 = re.compile(
    rb"\x7f|\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81][\x80-\xbf]"
)
"""Control, bidirectional and invisible characters in UTF-8, but for those that JSON escapes anyway."""


def visible(text: str) -> str:
    """Give a text as a person sees it: in one line, without control and bidirectional characters."""
    if text.isprintable():
        return text
    return " ".join(_CONTROLS.sub(" ", _LEFT_OUT.sub("", text)).split())


LONGEST_TEXT = 4000
LONGEST_NAME = 1000
"""How many characters are kept of the text of a transaction, and of a payee's or an account's name."""


def visible_text(text: str) -> str:
    """Give the text of a transaction as a person sees it, cut to `LONGEST_TEXT` characters."""
    return visible(text)[:LONGEST_TEXT].rstrip() if len(text) > LONGEST_TEXT else visible(text)


def visible_name(name: str) -> str:
    """Give a name as a person sees it, cut to `LONGEST_NAME` characters."""
    return visible(name)[:LONGEST_NAME].rstrip() if len(name) > LONGEST_NAME else visible(name)


def visible_lines(text: str) -> str:
    """Give a text of several lines as a person sees it: as `visible`, but breaks and spaces stay."""
    if text.replace("\n", "").isprintable():
        return text
    return _CONTROLS_IN_A_LINE.sub(" ", _LEFT_OUT.sub("", text))


def are_visible(texts: Iterable[str]) -> bool:
    """Say quickly whether `visible` would change none of some texts."""
    text = "".join(texts)
    if text.isascii():
        # Looking for each of a few characters is quicker than looking each character up.
        return not any(control in text for control in _ASCII_CONTROLS)
    return text.isprintable()


def escaped(content: bytes) -> bytes:
    """Escape the characters of a JSON text that would hide or turn round what stands beside them."""
    if content.isascii():
        return content.replace(b"\x7f", rb"\u007f")
    return _UNSEEN_IN_UTF8.sub(lambda match: json.dumps(match[0].decode())[1:-1].encode(), content)


SHORTEST_ID = 4
"""How many characters of a short id follow its prefix at least."""


def shortened(ids: Sequence[str]) -> dict[str, str]:
    """For each id the shortest beginning that a command understands, all of one length."""
    length = SHORTEST_ID
    while len({_short(public_id, length) for public_id in ids}) < len(set(ids)):
        length += 1
    return {public_id: _short(public_id, length) for public_id in ids}


def _short(identifier: str, length: int) -> str:
    prefix, line, tail = identifier.rpartition("_")
    # The beginning of a number is another number.
    return f"{prefix}{line}{tail[:length]}" if line and not tail.isdigit() else identifier

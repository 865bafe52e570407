"""JSON in which every character that a person cannot see is escaped."""

import re

_UNSEEN = re.compile(
    rb"\x7f|\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xa9]|\xef\xbb\xbf"
)
"""Control and bidirectional characters in UTF-8, but for those that JSON escapes anyway."""


def escaped(content: bytes) -> bytes:
    """Escape the characters of a JSON text that would hide or turn round what stands beside them."""
    if content.isascii():
        return content.replace(b"\x7f", rb"\u007f")
    return _UNSEEN.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), content)

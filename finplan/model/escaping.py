"""JSON in which every character that a person cannot see is escaped."""

import json
import re

_UNSEEN = re.compile(
    rb"\x7f|\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81][\x80-\xbf]"
)
"""Control, bidirectional and invisible characters in UTF-8, but for those that JSON escapes anyway."""


def escaped(content: bytes) -> bytes:
    """Escape the characters of a JSON text that would hide or turn round what stands beside them."""
    if content.isascii():
        return content.replace(b"\x7f", rb"\u007f")
    return _UNSEEN.sub(lambda found: json.dumps(found[0].decode())[1:-1].encode(), content)

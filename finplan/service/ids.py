"""Ids for the outside: a prefix that says what it is, and twenty-four letters and digits; and cursors.

A cursor is a place in pages, with a check of it and of what it is a place in. The check is no secret: it
finds what was cut off or belongs to another question.
"""

import base64
import re
import secrets
from hashlib import blake2s, sha256

from finplan.model.category import MoneyDirection

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """Make an id such as `acc_3k0v…`; 120 random bits, so that no two are ever the same."""
    # One byte for each letter: the alphabet has 32, so that each is as likely as the others.
    return prefix + "_" + "".join(_ALPHABET[byte % 32] for byte in secrets.token_bytes(24))


def new_rule_id(direction: MoneyDirection) -> str:
    """Make the id of a rule, which says the direction that it is for: `rule_in_…`, `rule_out_…`."""
    return new_id("rule" if direction == "both" else f"rule_{direction}")


def derived_id(prefix: str, *parts: object) -> str:
    """Make the id of something that is not stored: always the same for the same parts."""
    number = int.from_bytes(sha256(repr(parts).encode()).digest())
    letters = []
    for _ in range(24):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return prefix + "_" + "".join(letters)


_CHECKED_BYTES = 3
_CURSOR = re.compile(r"(.*)\.[0-9a-f]{6}")


def new_cursor(position: str, checked: str) -> str:
    """A place as a caller hands it back, with the check of a text."""
    check = blake2s(checked.encode(), digest_size=_CHECKED_BYTES).hexdigest()
    return base64.urlsafe_b64encode(f"{position}.{check}".encode()).decode().rstrip("=")


def place_of_cursor(cursor: str, form: re.Pattern[str]) -> re.Match[str] | None:
    """The place in a cursor, None where it has not that form; its check is not looked at."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        written = _CURSOR.fullmatch(base64.b64decode(padded, altchars=b"-_").decode())
    except ValueError:
        return None
    return None if written is None else form.fullmatch(written[1])

"""Ids for the outside: a prefix that says what it is, and twenty-four letters and digits."""

import secrets
from hashlib import sha256

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
        number, place = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[place])
    return prefix + "_" + "".join(letters)

"""Ids for the outside: a prefix that says what it is, and twenty-four letters and digits.

The external id of an account is what its bank or its files know it by: a number or a name.
"""

import re
import secrets
from hashlib import sha256

from finplan.model.category import MoneyDirection

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

BY_NAME = "name:"
"""What the external id of an account begins with whose files give it no number."""

SUBTYPE = re.compile(r" ([a-z][a-z ]{0,60})$")
"""What follows the number in an external id, where a file told it."""

_FEWEST_DIGITS = 4
"""How many digits make a number; an app's name for an account may hold one or two."""


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


def number_in(external_id: str) -> str | None:
    """The account number that an external id holds; None where an account goes by a name."""
    digits = sum(map(str.isdigit, external_id))
    if external_id.startswith((BY_NAME, "acc_")) or digits < _FEWEST_DIGITS:
        return None
    return external_id

"""Ids for the outside: a prefix that says what it is, and twenty-four random letters and digits."""

import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """Make an id such as `acc_3k0v…`; 120 random bits, so that no two are ever the same."""
    return prefix + "_" + "".join(secrets.choice(_ALPHABET) for _ in range(24))

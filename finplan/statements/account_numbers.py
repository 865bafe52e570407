"""Account numbers that mean one account: an IBAN, and the number that it is made of.

An older format prints the bank's code and the account's number (“10020030/1234567”) or the whole
national number, and a newer one the IBAN that holds both. The source of the structures is the IBAN
registry of SWIFT (ISO 13616).
"""

import re

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_BANK_AND_ACCOUNT = {"DE": (8, 10), "AT": (5, 11), "CH": (5, 12), "LI": (5, 12)}
"""Countries whose IBAN is the bank's code and the account's number, filled up with zeros at the left."""

_CHECKED_AS_WHOLE = "PL"
"""The country whose national number begins with the check digits of the IBAN."""

_SEPARATORS = re.compile(r"[\s./-]+")
_SHORTEST_WHOLE = 12


def same_account(first: str, second: str) -> bool:
    """Say whether two numbers are certainly one account's: equal, or one within the other, an IBAN."""
    return first == second or _holds(first, second) or _holds(second, first)


def _holds(iban: str, number: str) -> bool:
    """Say whether the first is an IBAN, and the second the same one or what it is made of."""
    compact = _compact(iban)
    if not is_iban(compact):
        return False
    country, national = compact[:2], compact[4:]
    whole = _compact(number)
    is_national = whole == national or (country == _CHECKED_AS_WHOLE and whole == compact[2:])
    if whole == compact or (is_national and len(whole) >= _SHORTEST_WHOLE):
        return True
    bank, slash, account = number.replace(" ", "").partition("/")
    if not slash or country not in _BANK_AND_ACCOUNT:
        return False
    bank_length, account_length = _BANK_AND_ACCOUNT[country]
    has_both = len(bank) == bank_length and 0 < len(account) <= account_length
    return has_both and national == bank + account.zfill(account_length)


def is_iban(compact: str) -> bool:
    """Say whether a number without blanks is an IBAN, by its form and its check digits."""
    if _IBAN.fullmatch(compact) is None:
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _compact(number: str) -> str:
    return _SEPARATORS.sub("", number).upper()

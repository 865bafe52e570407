"""Amounts as Enable Banking writes them: a decimal text with its currency."""

from collections.abc import Mapping
from typing import NamedTuple

from finplan.banks.fields import minor_units, read_text_number
from finplan.model.money import CODES


class WrittenAmount(NamedTuple):
    """Minor units of a currency, with the sign that was written."""

    amount: int
    currency: str


def currency_of(value: object) -> str | None:
    """A currency's code, None for what is none; an account of several has `XXX`."""
    code = value.strip().upper() if isinstance(value, str) else ""
    return code if code in CODES else None


def read_amount(value: object) -> WrittenAmount | None:
    """An amount, None where there is none in a currency. Raises OddValue."""
    if not isinstance(value, Mapping):
        return None
    currency = currency_of(value.get("currency"))
    if currency is None:
        return None
    number = read_text_number(value.get("amount"))
    return None if number is None else WrittenAmount(minor_units(number, currency), currency)

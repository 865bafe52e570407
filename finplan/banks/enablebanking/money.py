"""Amounts as Enable Banking writes them: a decimal text with its currency."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from finplan.banks.told_money import minor_units
from finplan.model.money import CODES


class WrittenAmount(NamedTuple):
    """Minor units of a currency, with the sign that was written."""

    amount: int
    currency: str


def currency_of(told: object) -> str | None:
    """A currency's code, None for what is none; an account of several has `XXX`."""
    code = told.strip().upper() if isinstance(told, str) else ""
    return code if code in CODES else None


def read_amount(told: object) -> WrittenAmount | None:
    """An amount, None for what is none or is too large to be kept."""
    if not isinstance(told, Mapping):
        return None
    currency = currency_of(told.get("currency"))
    if currency is None:
        return None
    try:
        amount = minor_units(Decimal(str(told.get("amount")).strip()), currency)
    except InvalidOperation:
        return None
    return None if amount is None else WrittenAmount(amount, currency)

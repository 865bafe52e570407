"""Which of an account's balances is shown: banks tell several, by ISO 20022's codes.

What is booked is wanted, since rows that wait are in no total: the balance of the day so far (ITBD) or
of the last day that closed (CLBD), whichever is the newer; then what is expected (XPCD), which counts
what waits, and older kinds. What is available (ITAV, CLAV) counts a credit line, too: it comes last.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from finplan.banks.enablebanking.money import read_amount
from finplan.banks.fields import OddFields, read_day

_BOOKED = ("ITBD", "CLBD")
_OTHERS = ("XPCD", "OPBD", "PRCD", "VALU", "OTHR")
_AVAILABLE = ("ITAV", "CLAV", "FWAV", "OPAV")


class ShownBalance(NamedTuple):
    """What an account is worth, below zero when it owes, and the day that is of, if it is told."""

    amount: int
    day: int | None


class ReadBalances(NamedTuple):
    """The balance to show of each currency, and the names of fields that are odd."""

    by_currency: dict[str, ShownBalance]
    odd: list[str]


def read_balances(answer: Mapping[str, Any], today: int, limit: int | None) -> ReadBalances:
    """The balances of an account; `limit` is its credit line."""
    odd = OddFields()
    balances = _by_currency(answer.get("balances"), today, limit, odd)
    return ReadBalances(balances, list(dict.fromkeys(odd.names)))


def _by_currency(
    told: object, today: int, limit: int | None, odd: OddFields
) -> dict[str, ShownBalance]:
    listed = [each for each in told if isinstance(each, dict)] if isinstance(told, list) else []
    by_currency: dict[str, list[tuple[str, ShownBalance]]] = {}
    for each in listed:
        amount = odd.read("balance", read_amount, each.get("balance_amount"))
        if amount is not None:
            day = odd.read(
                "day of the balance", partial(_day, today=today), each.get("reference_date")
            )
            of = by_currency.setdefault(amount.currency, [])
            of.append((str(each.get("balance_type")), ShownBalance(amount.amount, day)))
    chosen = ((currency, _chosen(of, limit)) for currency, of in by_currency.items())
    return {currency: balance for currency, balance in chosen if balance is not None}


def _chosen(told: Iterable[tuple[str, ShownBalance]], limit: int | None) -> ShownBalance | None:
    by_kind = dict(reversed(list(told)))
    booked = [by_kind[kind] for kind in _BOOKED if kind in by_kind]
    if booked:
        # Without a day it is of now.
        return max(booked, key=lambda each: each.day or 99_999_999)
    for kind in _OTHERS:
        if kind in by_kind:
            return by_kind[kind]
    for kind in _AVAILABLE:
        if kind in by_kind:
            available = by_kind[kind]
            return available._replace(amount=available.amount - (limit or 0))
    return None


def _day(value: object, today: int) -> int | None:
    """The day that a balance is of, None for now: a day to come says nothing. Raises OddValue."""
    day = read_day(value)
    return day if day is not None and day < today else None

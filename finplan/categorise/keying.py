"""Keying payees again after the rules for keys have changed: who each row is paid to, and who inherits.

A payee's rows may go to several keys, and several payees' rows to one. Each key has at most one payee of
before that goes on as it; what the person said of a payee goes on with its rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from finplan.categorise.curated import find_merchant
from finplan.categorise.payee import Payee, payee_of

_SHORTEST_WORD = 3


class Keyed(NamedTuple):
    """A payee under the key and the name that it had."""

    key: str
    name: str


def rekeyed_payee(was: Keyed, raw: str) -> Payee:
    """The payee of a row today, by its descriptor.

    The bank's own name of a payee is not kept with the row. Where the descriptor says nothing of the
    name that the payee had, the bank gave that name, and it still counts.
    """
    by_raw = payee_of(raw)
    if by_raw.key == was.key or find_merchant(by_raw.key) is not None or _is_in_text(was, raw):
        return by_raw
    return payee_of(raw, was.name)


def _is_in_text(was: Keyed, raw: str) -> bool:
    text = raw.casefold()
    tokens = (*was.key.split(), *was.name.casefold().split())
    return any(token in text for token in tokens if len(token) >= _SHORTEST_WORD)


@dataclass(frozen=True, slots=True)
class Succession:
    """`heirs` are the keys that what was said of a payee goes on with, the one of most rows first.

    `holders` are the payees that go on under a key; a key without one needs a new payee.
    """

    heirs: Mapping[int, tuple[str, ...]]
    holders: Mapping[str, int]


def succeed(payees: Mapping[int, Keyed], rows: Mapping[tuple[int, str], int]) -> Succession:
    """Who goes on as whom; `rows` counts each payee's rows by their key of today.

    Every payee must be among the rows, one that has none with a count of 0. A few rows that another
    payee takes over do not bring it what was said of their payee of before.
    """
    keys_of: dict[int, list[tuple[int, str]]] = {}
    payees_of: dict[str, list[tuple[int, int]]] = {}
    for (payee, key), count in rows.items():
        keys_of.setdefault(payee, []).append((count, key))
        payees_of.setdefault(key, []).append((count, payee))
    main = {
        payee: min(
            counted_keys,
            key=lambda counted: (-counted[0], counted[1] != payees[payee].key, counted[1]),
        )[1]
        for payee, counted_keys in keys_of.items()
    }
    holders = {}
    for key, counted_keys in payees_of.items():
        going_on = [
            (payees[payee].key != key, -count, payee)
            for count, payee in counted_keys
            if main[payee] == key
        ]
        if going_on:
            holders[key] = min(going_on)[2]
    totals = {
        key: sum(count for count, _ in counted_keys) for key, counted_keys in payees_of.items()
    }
    heirs = {
        payee: (
            main[payee],
            *sorted(
                key for count, key in counted_keys if key != main[payee] and 2 * count > totals[key]
            ),
        )
        for payee, counted_keys in keys_of.items()
    }
    return Succession(heirs, holders)

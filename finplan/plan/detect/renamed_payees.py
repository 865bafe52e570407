"""Payees that took over from another: the same biller under a changed descriptor.

A bank writes a biller in a new way from some day on, and what was one payee becomes two. The later one
begins when the earlier has ended, and their names share words. Whether they are one is for the charges
to say: only a rhythm that runs through both joins them (`recurring`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import LedgerPayee

_LONGEST_PAUSE = 2 * 366
"""Days: no cadence leaves a longer pause, one skipped period allowed for."""

_MOST_NAMESAKES = 16
"""A word that more payees' names begin with is no name."""


class PayeeLifetime(NamedTuple):
    """When a sheet's payee was seen first and last, and the words of its name."""

    sheet: Sheet
    first: int
    last: int
    words: tuple[str, ...]


def successions(
    sheets: Sequence[Sheet], payees: Mapping[int, LedgerPayee]
) -> list[tuple[Sheet, ...]]:
    """All sheets, each in one group: alone, or behind those that it may have taken over from."""
    by_word: defaultdict[str, list[list[PayeeLifetime]]] = defaultdict(list)
    groups: list[list[PayeeLifetime]] = []
    for life in sorted((_life(sheet, payees) for sheet in sheets), key=_order):
        namesakes = by_word[life.words[0]]
        latest = reversed(namesakes[-_MOST_NAMESAKES:])
        group = next((one for one in latest if _takes_over(life, one[-1])), None)
        if group is None:
            groups.append([life])
            namesakes.append(groups[-1])
        else:
            group.append(life)
    return [tuple(life.sheet for life in group) for group in groups]


def _life(sheet: Sheet, payees: Mapping[int, LedgerPayee]) -> PayeeLifetime:
    rows = sheet.rows
    key = payees[sheet.payee].key
    return PayeeLifetime(
        sheet, ORDINAL[rows[0][2]], ORDINAL[rows[-1][2]], tuple(key.split()) or (key,)
    )


def _order(life: PayeeLifetime) -> tuple[int, int, tuple[str, ...], str]:
    return life.first, life.last, life.words, life.sheet.category


def _takes_over(later: PayeeLifetime, earlier: PayeeLifetime) -> bool:
    """Whether one begins when the other has ended, and most words of the shorter name are shared."""
    if not 0 < later.first - earlier.last <= _LONGEST_PAUSE:
        return False
    shared = len(set(later.words) & set(earlier.words))
    return 2 * shared > min(len(later.words), len(earlier.words))

"""Cards that nothing is charged to any more: what was charged to one is not expected from it.

A card that is lost or closed takes its rare bills with it, and they say so only when they are due. That
all else on the card has stopped says it sooner.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY

_SILENT = 60
"""Days without a charge until the end of the data, after which a card in use is dead."""

_IN_USE_DAYS = 180
_IN_USE = 6
"""So many charges in the half year before show that a card was in use."""


def without_dead_cards(
    charges: Iterable[Series], sheets: Sequence[Sheet], cards: Collection[int], data_end: int
) -> list[Series]:
    """The charges; those last seen on a dead card are over.

    `cards` are the numbers of the card accounts, `data_end` is an ordinal.
    """
    found = list(charges)
    silent = {
        one.account
        for one in found
        if one.active and one.account in cards and data_end - one.last_date.toordinal() >= _SILENT
    }
    dead = _dead(silent, sheets, data_end)
    return [_ended(one) if one.active and one.account in dead else one for one in found]


def _dead(silent: Collection[int], sheets: Sequence[Sheet], data_end: int) -> set[int]:
    """Which cards were in use until they fell silent."""
    if not silent:
        return set()
    days: dict[int, list[int]] = {card: [] for card in silent}
    for sheet in sheets:
        for row in sheet.rows:
            if row[ACCOUNT] in days and row[AMOUNT] < 0:
                days[row[ACCOUNT]].append(ORDINAL[row[DAY]])
    return {
        card
        for card, charged in days.items()
        if data_end - (last := max(charged)) >= _SILENT
        and sum(day > last - _IN_USE_DAYS for day in charged) >= _IN_USE
    }


def _ended(charge: Series) -> Series:
    return replace(charge, active=False, next_date=None, signs=None, arrival=None, probability=None)

"""Who pays the household: one source for each payer, and one for all that came once or twice.

A payer whose descriptor changed is one payer (`renamed_payees`).

Every row of an income category is in exactly one source, so the totals of the sources add up to the
income of the window. Source: plan-semantics, section 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import half_even
from finplan.plan.detect.cadence import is_active, rhythm_of, share_seen
from finplan.plan.detect.renamed_payees import successions
from finplan.plan.detect.rhythm import Rhythm, fit
from finplan.plan.detect.series import (
    AsOf,
    Occurrence,
    SeriesOrigin,
    irregular_series,
    merged_by_day,
    occurrences_of,
    regular_series,
    total_within,
)
from finplan.plan.ledger.amounts import comparable, median
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.ledger import AMOUNT, LedgerPayee, Row

_AMOUNT = itemgetter(AMOUNT)


def detect_sources(
    sheets: Iterable[Sheet],
    payees: Mapping[int, LedgerPayee],
    catalogue: Catalogue,
    as_of: AsOf,
) -> list[Series]:
    """The income sources, largest in the window first; irregular ones only if active or in it."""
    found: list[Series] = []
    rest: dict[str, list[Sheet]] = {}
    paying = [sheet for sheet in sheets if sheet.flow == "income" and any(map(_AMOUNT, sheet.rows))]
    for group in successions(paying, payees):
        for sheets_of_one in _payers(group):
            origin = _origin(sheets_of_one, payees)
            rows = list(chain.from_iterable(sheet.rows for sheet in sheets_of_one))
            received = merged_by_day(occurrences_of(rows, outflows=False))
            if kept := _paydays(received):
                found.append(_regular_source(origin, rows, kept, as_of))
            elif len(received) >= 3:
                found.append(irregular_series(origin, rows, as_of))
            else:
                rest.setdefault(origin.category, []).extend(sheets_of_one)
    found += [_merged(category, few, catalogue, as_of) for category, few in rest.items()]
    shown = [
        one for one in found if one.cadence != "irregular" or one.active or one.total or one.count
    ]
    return sorted(shown, key=lambda one: (-one.total, -one.monthly, one.name, one.payees))


def _payers(group: Sequence[Sheet]) -> list[Sequence[Sheet]]:
    """The sheets of successive payers, together if they are of one category and no one's pay differs.

    Pay that goes on in another rhythm, or at twice or half the amount, is somebody else's.
    """
    if len(group) == 1 or len({sheet.category for sheet in group}) > 1:
        return [[sheet] for sheet in group]
    each = [_paydays(merged_by_day(occurrences_of(sheet.rows, outflows=False))) for sheet in group]
    rhythms = [kept for kept in each if kept is not None]
    cadences = {rhythm.cadence for _, rhythm in rhythms}
    usual_amounts = [median([amount for _, amount, _ in received]) for received, _ in rhythms]
    if len(cadences) > 1 or (
        usual_amounts and not comparable(min(usual_amounts), max(usual_amounts))
    ):
        return [[sheet] for sheet in group]
    return [group]


def _origin(group: Sequence[Sheet], payees: Mapping[int, LedgerPayee]) -> SeriesOrigin:
    numbers = tuple(dict.fromkeys(sheet.payee for sheet in group))
    return SeriesOrigin(numbers, payees[group[-1].payee].name, group[-1].category)


def _paydays(received: Sequence[Occurrence]) -> tuple[Sequence[Occurrence], Rhythm] | None:
    """The credits that keep a rhythm, with it: all of them, or those near the usual amount.

    Two credits make a rare cadence when their amounts are within 20 %.
    """
    rhythm = rhythm_of([day for day, _, _ in received])
    if rhythm and _is_afterwards(received, rhythm):
        return _paydays(received[:-1])
    if rhythm and len(received) == 2:
        low, high = sorted(amount for _, amount, _ in received)
        return (received, rhythm) if 5 * low >= 4 * high else None
    if rhythm:
        return received, rhythm
    if len(received) < 4:
        return None
    # A bonus or a repaid expense from the employer may lie between the paydays.
    middle = median([amount for _, amount, _ in received])
    near = [one for one in received if comparable(one[1], middle)]
    if not 3 <= len(near) < len(received):
        return None
    rhythm = rhythm_of([day for day, _, _ in near])
    return (near, rhythm) if rhythm else None


def _is_afterwards(received: Sequence[Occurrence], rhythm: Rhythm) -> bool:
    """Whether the last credit came after the pay had stopped, off its days and of another size.

    A repaid expense or what was left of a holiday is no sign that an employer pays again.
    """
    if len(received) < 4 or rhythm.last != received[-1][0]:
        return False
    before, (day, amount, _) = received[:-1], received[-1]
    earlier = fit(rhythm.cadence, [one[0] for one in before], rhythm.interval_days)
    tolerance = max(3, rhythm.interval_days // 6)
    return (
        not is_active(earlier.last, earlier.interval_days, day)
        and next(earlier.slots(day - tolerance - 1)) > day + tolerance
        and not comparable(amount, median([one[1] for one in before]))
    )


def _regular_source(
    origin: SeriesOrigin,
    rows: Sequence[Row],
    kept: tuple[Sequence[Occurrence], Rhythm],
    as_of: AsOf,
) -> Series:
    """A source with a rhythm; its total is of all the payer's rows, reversals among them."""
    received, rhythm = kept
    series = regular_series(origin, received, rhythm, as_of)
    seen = series.monthly * share_seen(rhythm, [day for day, _, _ in received])
    return replace(
        series,
        total=total_within(rows, as_of.window),
        monthly=half_even(seen.numerator, seen.denominator) if series.active else 0,
    )


def _merged(category: str, sheets: Sequence[Sheet], catalogue: Catalogue, as_of: AsOf) -> Series:
    """All payers of a category that paid once or twice, as one irregular source."""
    payers = tuple(sorted(sheet.payee for sheet in sheets))
    rows = list(chain.from_iterable(sheet.rows for sheet in sheets))
    return irregular_series(SeriesOrigin(payers, catalogue[category].label, category), rows, as_of)

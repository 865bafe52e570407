"""Charges that the person files apart from their payee's others, and that came all the same.

A word on one charge, or a rule for one amount, says what that charge was for. The bill still came that
month, so its series must not lack it: for detection alone, such a charge lies with the rest of them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import attrgetter, itemgetter

from finplan.plan.detect.series import Occurrence
from finplan.plan.detect.streams import Stream
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Row

_PAYEE = attrgetter("payee")
_ROW_DAY = itemgetter(DAY)

_A_SERIES = 3
"""So many charges that are filed alike are a series of their own, and stay in it."""


def with_filed_apart(
    sheets: Sequence[Sheet],
    billing: Callable[[Sheet], bool],
    find: Callable[[Sheet], Sequence[Stream]],
) -> list[Sheet]:
    """The sheets that may be billed, each with the charges of its series that are filed elsewhere.

    `find` tells the series of a sheet. A charge joins those that are most of its series, where one is
    missing; never one of income, of a transfer, or of a series that is filed apart as a whole.
    """
    gathered: list[Sheet] = []
    for _, group in groupby(sheets, key=_PAYEE):
        of_payee = list(group)
        are_many = sum(map(_has_charges, of_payee)) > 1
        gathered += filter(billing, _gathered(of_payee, billing, find) if are_many else of_payee)
    return gathered


def _has_charges(sheet: Sheet) -> bool:
    return any(row[AMOUNT] < 0 for row in sheet.rows)


def _gathered(
    of_payee: Sequence[Sheet],
    billing: Callable[[Sheet], bool],
    find: Callable[[Sheet], Sequence[Stream]],
) -> Iterator[Sheet]:
    """One payee's sheets, the largest first to be asked what it lacks; none of them empty."""
    found = {sheet.category: find(sheet) for sheet in of_payee}
    free = {sheet.category: _free(sheet, found[sheet.category]) for sheet in of_payee}
    rows: Mapping[str, Sequence[Row]] = {sheet.category: sheet.rows for sheet in of_payee}
    for sheet in sorted(filter(billing, of_payee), key=lambda one: (-len(one.rows), one.category)):
        here = sheet.category
        elsewhere = list(chain.from_iterable(free[each] for each in free if each != here))
        if not elsewhere:
            continue
        whole = sorted([*rows[here], *elsewhere], key=_ROW_DAY)
        lent = _lent(rows[here], found[here], find(replace(sheet, rows=whole)))
        taken = [row for row in elsewhere if _occurrence(row) in lent]
        gained = sorted([*rows[here], *taken], key=_ROW_DAY)
        rows = {each: _without(taken, rows[each]) for each in rows} | {here: gained}
        free = {each: _without(taken, free[each]) for each in free}
    for sheet in of_payee:
        if rows[sheet.category]:
            yield replace(sheet, rows=rows[sheet.category])


def _free(sheet: Sheet, streams: Sequence[Stream]) -> list[Row]:
    """The charges of a sheet that may be of a series which is filed elsewhere."""
    if sheet.flow == "income":
        return []
    held = {charge for each in streams if len(each.charges) >= _A_SERIES for charge in each.charges}
    return [
        row
        for row in sheet.rows
        if row[AMOUNT] < 0 and not row[PEER] and _occurrence(row) not in held
    ]


def _lent(
    rows: Sequence[Row], before: Sequence[Stream], after: Sequence[Stream]
) -> Collection[Occurrence]:
    """The charges from elsewhere in series that run on in them, and lose none that they had before."""
    own: Mapping[Occurrence, int] = Counter(_occurrence(row) for row in rows)
    lent: set[Occurrence] = set()
    for stream in after:
        kept = [charge for charge in stream.charges if own.get(charge)]
        away = [charge for charge in stream.charges if not own.get(charge)]
        touched = [each for each in before if set(each.charges) & set(kept)]
        if len(away) < len(kept) and all(set(each.charges) <= set(kept) for each in touched):
            lent |= {one for one in away if _is_missing(one, kept, stream.rhythm.interval_days)}
    return lent


def _is_missing(charge: Occurrence, kept: Sequence[Occurrence], interval_days: int) -> bool:
    """Whether no charge of the series came within half a period of this one."""
    return all(2 * abs(charge[0] - day) > interval_days for day, _, _ in kept)


def _without(taken: Collection[Row], rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row not in taken]


def _occurrence(row: Row) -> Occurrence:
    return ORDINAL[row[DAY]], -row[AMOUNT], row[ACCOUNT]

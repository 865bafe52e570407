"""Who pays the household: a source for each pay, and one for all that came once or twice.

A payer whose descriptor changed is one payer (`renamed_payees`); one who sends two pensions is two
sources (`paydays`). A new job counts before three pays are seen (`new_pay`).

Every row of an income category is in exactly one source, so the totals of the sources add up to the
income of the window. Source: plan-semantics, sections 2a and 3.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import half_even
from finplan.plan.detect.cadence import share_seen
from finplan.plan.detect.new_pay import YoungPayer, replace_late_pay, young_sources
from finplan.plan.detect.paydays import Pay, PayerCredits, find_pays
from finplan.plan.detect.renamed_payees import successions
from finplan.plan.detect.series import (
    AsOf,
    Occurrence,
    SeriesOrigin,
    irregular_series,
    merged_by_day,
    occurrences_of,
    regular_series,
    silence_allowed,
    total_within,
)
from finplan.plan.ledger.amounts import comparable, median
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, LedgerPayee, Row

_AMOUNT = itemgetter(AMOUNT)

_LEAST = 3
"""So many credits make a source of its own, and a regular one that is planned with."""


def detect_sources(
    sheets: Iterable[Sheet],
    payees: Mapping[int, LedgerPayee],
    catalogue: Catalogue,
    as_of: AsOf,
) -> list[Series]:
    """The income sources, largest in the window first; irregular ones only if active or in it."""
    found: list[Series] = []
    few: list[YoungPayer] = []
    rest: dict[str, list[tuple[int, Sequence[Row]]]] = {}
    paying = [sheet for sheet in sheets if sheet.flow == "income" and any(map(_AMOUNT, sheet.rows))]
    once = [sheet for sheet in paying if payees[sheet.payee].inflow_sign == "windfall"]
    again = [sheet for sheet in paying if payees[sheet.payee].inflow_sign != "windfall"]
    # Severance goes by its employer's name, and is no pay that goes on under another one.
    for group in [*successions(again, payees), *((sheet,) for sheet in once)]:
        for payer in _payers(group):
            origin = _origin(payer, payees)
            rows = list(chain.from_iterable(sheet.rows for sheet in payer))
            received = occurrences_of(rows, outflows=False)
            credits_ = _find_pays(received, origin.category)
            if credits_.pays:
                beside, others = _part_rows(rows, credits_.beside)
                if len(beside) >= _LEAST:
                    rest.setdefault(origin.category, []).append((origin.payees[-1], beside))
                    rows, beside = others, []
                found += _regular_sources(origin, rows, credits_.pays, beside, as_of)
            elif len(merged_by_day(received)) >= _LEAST:
                found.append(_irregular_source(origin, rows, as_of))
            else:
                few.append(YoungPayer(origin, merged_by_day(received), rows))
    young = young_sources(few, found, payees, as_of)
    found += young.values()
    for index, single in enumerate(few):
        if index not in young:
            rest.setdefault(single.origin.category, []).extend(_by_payee(single.rows))
    found += [_merged(category, parts, catalogue, as_of) for category, parts in rest.items()]
    found = replace_late_pay([_signed(one, payees) for one in found], as_of)
    shown = [
        one for one in found if one.cadence != "irregular" or one.active or one.total or one.count
    ]
    return sorted(shown, key=lambda one: (-one.total, -one.monthly, one.name, one.payees))


def _signed(source: Series, payees: Mapping[int, LedgerPayee]) -> Series:
    """The source with what the words of its payers say, where they agree."""
    signs = {payees[number].inflow_sign for number in source.payees}
    return replace(source, sign=signs.pop()) if len(signs) == 1 else source


def _find_pays(received: Sequence[Occurrence], category: str) -> PayerCredits:
    return find_pays(received, is_work=category == "wages")


def _payers(group: Sequence[Sheet]) -> list[Sequence[Sheet]]:
    """The sheets of successive payers, together if they are of one category and no one's pay differs.

    Pay that goes on in another rhythm, or at twice or half the amount, is somebody else's.
    """
    if len(group) == 1 or len({sheet.category for sheet in group}) > 1:
        return [[sheet] for sheet in group]
    pays = [
        pay
        for sheet in group
        for pay in _find_pays(occurrences_of(sheet.rows, outflows=False), sheet.category).pays
    ]
    cadences = {pay.rhythm.cadence for pay in pays}
    usual_amounts = [median([amount for _, amount, _ in pay.credits]) for pay in pays]
    if len(cadences) > 1 or (
        usual_amounts and not comparable(min(usual_amounts), max(usual_amounts))
    ):
        return [[sheet] for sheet in group]
    return [group]


def _origin(group: Sequence[Sheet], payees: Mapping[int, LedgerPayee]) -> SeriesOrigin:
    numbers = tuple(dict.fromkeys(sheet.payee for sheet in group))
    return SeriesOrigin(numbers, payees[group[-1].payee].name, group[-1].category)


def _regular_sources(
    origin: SeriesOrigin,
    rows: Sequence[Row],
    pays: Sequence[Pay],
    beside: Sequence[Row],
    as_of: AsOf,
) -> list[Series]:
    """The sources of a payer's pays, largest first.

    A bonus and what the payer took back are in the total of the first, and the bonus is not planned
    with.
    """
    found = [_regular_source(origin, pay, as_of) for pay in pays]
    found.sort(key=lambda one: (-one.amount, one.first_date))
    left = total_within(rows, as_of.window) - sum(one.total for one in found)
    bonus = tuple(row for row in beside if as_of.window.holds(row[DAY]))
    return [replace(found[0], total=found[0].total + left, beside=bonus), *found[1:]]


def _regular_source(origin: SeriesOrigin, pay: Pay, as_of: AsOf) -> Series:
    """A source with a rhythm; its month is what it brings since it last went on."""
    rhythm = pay.rhythm
    series = regular_series(origin, pay.credits, rhythm, as_of, is_pay=True)
    days = [day for day, _, _ in pay.credits if day <= rhythm.last]
    since = [day for day in days if series.resumed is None or day >= series.resumed.toordinal()]
    seen = series.monthly * share_seen(rhythm, since)
    return replace(
        series,
        monthly=half_even(seen.numerator, seen.denominator) if series.active else 0,
        running=(series.active or series.between_seasons) and len(days) >= _LEAST,
    )


def _irregular_source(origin: SeriesOrigin, rows: Sequence[Row], as_of: AsOf) -> Series:
    series = irregular_series(origin, rows, as_of)
    return _planned_by(series, rows, as_of) if series.active else series


def _planned_by(series: Series, rows: Sequence[Row], as_of: AsOf) -> Series:
    """An irregular source that is planned with at the mean of these rows."""
    return replace(
        series, running=True, planned=tuple(row for row in rows if as_of.window.holds(row[DAY]))
    )


def _part_rows(rows: Sequence[Row], credits_: Sequence[Occurrence]) -> tuple[list[Row], list[Row]]:
    """The rows of some of a payer's credits, and its others; of equal rows as many as are meant."""
    left = Counter(credits_)
    meant, others = [], []
    for row in rows:
        credit = (ORDINAL[row[DAY]], row[AMOUNT], row[ACCOUNT])
        if left[credit] > 0:
            left[credit] -= 1
            meant.append(row)
        else:
            others.append(row)
    return meant, others


def _by_payee(rows: Sequence[Row]) -> list[tuple[int, Sequence[Row]]]:
    grouped: dict[int, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row[0], []).append(row)
    return list(grouped.items())


def _merged(
    category: str, parts: Sequence[tuple[int, Sequence[Row]]], catalogue: Catalogue, as_of: AsOf
) -> Series:
    """All credits of a category that came once or twice or beside pay, as one irregular source.

    Planned with are those who paid more than once and have not stopped. Clients change, so that work
    for several of them goes on as long as any of them pays.
    """
    payers = tuple(sorted({payee for payee, _ in parts}))
    rows = list(chain.from_iterable(rows for _, rows in parts))
    origin = SeriesOrigin(payers, catalogue[category].label, category)
    series = irregular_series(origin, rows, as_of)
    if category == "self_employment" and series.active and series.count_all >= _LEAST:
        return _planned_by(series, rows, as_of)
    planned = [row for payee, of_payer in parts if _pays_again(of_payer, as_of) for row in of_payer]
    return _planned_by(series, planned, as_of) if planned else series


def _pays_again(rows: Sequence[Row], as_of: AsOf) -> bool:
    """Whether a payer has paid more than once and is not silent for longer than usual."""
    days = [day for day, _, _ in merged_by_day(occurrences_of(rows, outflows=False))]
    silent = as_of.window.data_end.toordinal() - days[-1] if days else 0
    return len(days) > 1 and silent <= silence_allowed(days)

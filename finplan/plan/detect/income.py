"""Who pays the household: a source for each pay, and one for all that came once or twice.

A payer may send one pay, in one part or several, or two streams of their own, such as two pensions;
a bonus or a repaid expense comes beside these. An occurrence is a day, a positive amount and an
account; days are ordinals. Source: plan-semantics, C28 and C34.

A payer whose descriptor changed is one payer (`series`); one who sends two pensions is two sources.
A new job counts before three pays are seen (`new_series`). Every row of an income category is in
exactly one source, so the totals of the sources add up to the income of the window. Source:
plan-semantics, sections 2a and 3.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from operator import itemgetter

from finplan.categorise.catalogue import Catalogue
from finplan.plan.detect.cadence import is_active, presence_share, rhythm_of
from finplan.plan.detect.new_series import YoungPayer, replace_late_pay, young_sources
from finplan.plan.detect.rhythm import Rhythm, fit
from finplan.plan.detect.series import (
    AsOf,
    Occurrence,
    SeriesOrigin,
    irregular_series,
    merged_by_day,
    occurrences_of,
    regular_series,
    silence_allowed,
    successions,
    total_within,
)
from finplan.plan.detect.streams import Stream, days_of, fixed_price_streams, with_new_prices
from finplan.plan.ledger.amounts import comparable, median, same_amount
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, LedgerPayee, Row

_LEAST_TO_PART = 3
"""So many equal amounts show a stream of its own."""

_MOST_STREAMS = 3
"""Of more amounts in turn nobody knows that they are streams: pay that varies repeats itself."""

_OUTSIDE_STREAMS = 10
"""At most one in so many credits may lie in none of several streams."""

_OFF_ITS_DAY = 3
"""Days from its slot beyond which a second credit of a period came beside the pay."""

_LATEST_CREDITS = 24
"""So many of the last credits are held against the slots."""

_MONTHLY_DAYS = 36
"""Days: two streams that keep one rhythm together come monthly at least."""

_OFTEN_DAYS = 10
"""Days: what comes more often than that has no room for a second credit in a period."""

_DAY_OF_CREDIT = itemgetter(0)


@dataclass(frozen=True, slots=True)
class PayerCredits:
    """The pays of one payer, one credit for each payday, and the single credits that came beside."""

    pays: Sequence[Stream]
    beside: Sequence[Occurrence]


def _find_pays(received: Sequence[Occurrence], category: str) -> PayerCredits:
    """Part ordered credits of one payer into its pays and the rest.

    Credits that keep no rhythm are all beside. Wages twice a month in two amounts are one pay.
    """
    streams = _part_streams(received, is_work=category == "wages")
    if streams:
        taken = Counter(charge for pay in streams for charge in pay.charges)
        return PayerCredits(streams, _left_of_credits(received, taken))
    paydays = _one_a_day(received)
    pay = _keep_rhythm(paydays)
    if pay is None:
        return PayerCredits((), received)
    stream = _one_a_period(pay)
    days = {day for day, _, _ in stream.charges}
    amounts = {day: amount for day, amount, _ in stream.charges}
    taken = Counter()
    for day, parts in groupby(received, _DAY_OF_CREDIT):
        if day in days:
            of_day = list(parts)
            together = sum(amount for _, amount, _ in of_day) == amounts[day]
            taken.update(of_day if together else [next(o for o in of_day if o[1] == amounts[day])])
    return PayerCredits((stream,), _left_of_credits(received, taken))


def _left_of_credits(
    received: Sequence[Occurrence], taken: Counter[Occurrence]
) -> list[Occurrence]:
    unused = Counter(received)
    unused.subtract(taken)
    return sorted(unused.elements())


def _part_streams(received: Sequence[Occurrence], *, is_work: bool) -> list[Stream]:
    """Two or more streams of fixed amounts that explain nearly all credits; empty where there are none.

    Each is one amount in a rhythm of its own, with what it was raised to.
    """
    times = Counter(amount for _, amount, _ in received)
    prices = frozenset(amount for amount, count in times.items() if count >= _LEAST_TO_PART)
    if len(prices) < 2:
        return []
    streams = fixed_price_streams(received, prices, len(prices))
    if not 2 <= len(streams) <= _MOST_STREAMS:
        return []
    taken = {credit for stream in streams for credit in stream.charges}
    remaining = [credit for credit in received if credit not in taken]
    streams = [with_new_prices(stream, remaining) for stream in streams]
    by_start = sorted(streams, key=lambda stream: stream.first)
    if not all(_run_apart(*two) for two in pairwise(by_start)):
        return []
    if len(remaining) * _OUTSIDE_STREAMS > len(received):
        return []
    rhythm = rhythm_of(sorted({day for day, _, _ in received}))
    if rhythm is not None and (
        (is_work and rhythm.cadence == "semimonthly")
        or len(streams) > 2
        or any(stream.rhythm.interval_days > _MONTHLY_DAYS for stream in streams)
    ):
        # Amounts that come by turns are one pay that varies, or pay twice a month.
        return []
    return [Stream(merged_by_day(stream.charges), stream.rhythm) for stream in streams]


def _run_apart(stream: Stream, later: Stream) -> bool:
    """Whether two streams run at the same time on days of their own."""
    days, later_days = days_of(stream.charges), days_of(later.charges)
    shared = len(set(days) & set(later_days))
    return later_days[0] <= days[-1] and 2 * shared < min(len(days), len(later_days))


def _one_a_day(received: Sequence[Occurrence]) -> list[Occurrence]:
    """One credit for each day: all of the day where parts come together, else the one near the level.

    Parts come together where two of three paydays in a row have several.
    """
    days = [list(parts) for _, parts in groupby(received, _DAY_OF_CREDIT)]
    several = [len(parts) > 1 for parts in days]
    if not any(several):
        return list(received)
    alone = [parts[0][1] for parts in days if len(parts) == 1]
    level = median(alone) if alone else 0
    chosen = []
    for index, parts in enumerate(days):
        near = several[max(0, index - 2) : index + 3]
        together = any(sum(near[start : start + 3]) > 1 for start in range(max(1, len(near) - 2)))
        if several[index] and not together and level:
            chosen.append(min(parts, key=lambda credit: (abs(credit[1] - level), credit)))
        else:
            chosen += merged_by_day(parts)
    return chosen


def _keep_rhythm(received: Sequence[Occurrence]) -> Stream | None:
    """The credits that keep a rhythm: all of them, or those near the usual amount.

    Two credits make a rare cadence when their amounts are within 20%.
    """
    rhythm = rhythm_of([day for day, _, _ in received])
    if rhythm and _is_afterwards(received, rhythm):
        return _keep_rhythm(received[:-1])
    if rhythm and len(received) == 2:
        low, high = sorted(amount for _, amount, _ in received)
        return Stream(received, rhythm) if 5 * low >= 4 * high else None
    if rhythm:
        return Stream(received, _gone_on(received, rhythm))
    if len(received) < 4:
        return None
    # A bonus or a repaid expense from the employer may lie between the paydays.
    middle = median([amount for _, amount, _ in received])
    near = [credit for credit in received if comparable(credit[1], middle)]
    if not 3 <= len(near) < len(received):
        return None
    rhythm = rhythm_of([day for day, _, _ in near])
    return Stream(near, rhythm) if rhythm else None


def _gone_on(received: Sequence[Occurrence], rhythm: Rhythm) -> Rhythm:
    """The rhythm up to the last credit, where one or two of its size have come after a long pause."""
    before = [amount for day, amount, _ in received if day <= rhythm.last]
    after = [amount for day, amount, _ in received if day > rhythm.last]
    if not after or not all(comparable(amount, median(before)) for amount in after):
        return rhythm
    return fit(rhythm.cadence, [day for day, _, _ in received], rhythm.interval_days)


def _is_afterwards(received: Sequence[Occurrence], rhythm: Rhythm) -> bool:
    """Whether the last credit came after the pay had stopped, off its days and of another size.

    A repaid expense or what was left of a holiday is no sign that an employer pays again.
    """
    if len(received) < 4 or rhythm.last != received[-1][0]:
        return False
    before, (day, amount, _) = received[:-1], received[-1]
    earlier = fit(rhythm.cadence, [credit[0] for credit in before], rhythm.interval_days)
    tolerance = max(3, rhythm.interval_days // 6)
    return (
        not is_active(earlier.last, earlier.interval_days, day)
        and next(earlier.slots(day - tolerance - 1)) > day + tolerance
        and not comparable(amount, median([credit[1] for credit in before]))
    )


def _one_a_period(pay: Stream) -> Stream:
    """The pay without second credits of a period that came off its day, such as a bonus."""
    rhythm = pay.rhythm
    if rhythm.interval_days <= _OFTEN_DAYS:
        return pay
    # The slots were fitted to the latest credits, and say little of those years before.
    charges = list(pay.charges[:-_LATEST_CREDITS])
    level = median([amount for _, amount, _ in pay.charges])
    latest = pay.charges[-_LATEST_CREDITS:]
    for _, of_slot in groupby(latest, lambda credit: _nearest_slot(rhythm, credit[0])[0]):
        charges += _on_their_day(rhythm, list(of_slot), level)
    if len(charges) == len(pay.charges) or len(charges) < 2:
        return pay
    days = [day for day, _, _ in charges]
    last = max(day for day in days if day <= rhythm.last)
    refitted = fit(rhythm.cadence, [day for day in days if day <= last], rhythm.interval_days)
    return Stream(charges, refitted)


def _on_their_day(
    rhythm: Rhythm, credits_: Sequence[Occurrence], level: int
) -> Iterator[Occurrence]:
    """The credits of one slot: of several, those near their day, or the one most like the pay."""
    if len(credits_) == 1:
        yield credits_[0]
        return
    near = [credit for credit in credits_ if _nearest_slot(rhythm, credit[0])[1] <= _OFF_ITS_DAY]
    alike = [credit for credit in credits_ if same_amount(credit[1], level)]
    if len(alike) == 1:
        yield alike[0]
    else:
        yield from near or [min(credits_, key=lambda credit: (abs(credit[1] - level), credit))]


def _nearest_slot(rhythm: Rhythm, day: int) -> tuple[int, int]:
    """The slot that a day is nearest to, and how many days lie between."""
    slots = rhythm.slots(day - rhythm.interval_days)
    before = next(slots)
    while (after := next(slots)) <= day:
        before = after
    slot = min((before, after), key=lambda day_of_slot: abs(day_of_slot - day))
    return slot, abs(slot - day)


_AMOUNT_OF_ROW = itemgetter(AMOUNT)

_LEAST_CREDITS = 3
"""So many credits make a source of its own, and a regular one that is planned with."""


def detect_sources(
    sheets: Iterable[Sheet], payees: Mapping[int, LedgerPayee], catalogue: Catalogue, as_of: AsOf
) -> list[Series]:
    """The income sources, largest in the window first; irregular ones only if active or in it."""
    series: list[Series] = []
    few: list[YoungPayer] = []
    irregular: dict[str, list[tuple[int, Sequence[Row]]]] = {}
    paying = [
        sheet for sheet in sheets if sheet.flow == "income" and any(map(_AMOUNT_OF_ROW, sheet.rows))
    ]
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
                if len(beside) >= _LEAST_CREDITS:
                    irregular.setdefault(origin.category, []).append((origin.payees[-1], beside))
                    rows, beside = others, []
                series += _regular_sources(origin, rows, credits_.pays, beside, as_of)
            elif len(merged_by_day(received)) >= _LEAST_CREDITS:
                series.append(_irregular_source(origin, rows, as_of))
            else:
                few.append(YoungPayer(origin, merged_by_day(received), payer))
    young = young_sources(few, series, payees, as_of)
    series += young.values()
    for index, single in enumerate(few):
        if index not in young:
            parts = [(sheet.payee, sheet.rows) for sheet in single.sheets]
            irregular.setdefault(single.origin.category, []).extend(parts)
    series += [
        _merged_source(category, parts, catalogue, as_of) for category, parts in irregular.items()
    ]
    series = replace_late_pay([_signed(source, payees) for source in series], as_of)
    sources = [
        source
        for source in series
        if source.cadence != "irregular" or source.active or source.total or source.count
    ]
    return sorted(
        sources, key=lambda source: (-source.total, -source.monthly, source.name, source.payees)
    )


def _signed(source: Series, payees: Mapping[int, LedgerPayee]) -> Series:
    """The source with what the words of its payers say, where they agree."""
    signs = {payees[number].inflow_sign for number in source.payees}
    return replace(source, sign=signs.pop()) if len(signs) == 1 else source


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
    usual_amounts = [median([amount for _, amount, _ in pay.charges]) for pay in pays]
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
    pays: Sequence[Stream],
    beside: Sequence[Row],
    as_of: AsOf,
) -> list[Series]:
    """The sources of a payer's pays, largest first.

    A bonus and what the payer took back are in the total of the first, and the bonus is not planned
    with.
    """
    sources = [_regular_source(origin, pay, as_of) for pay in pays]
    sources.sort(key=lambda source: (-source.amount, source.first_date))
    remainder = total_within(rows, as_of.window) - sum(source.total for source in sources)
    bonus = tuple(row for row in beside if as_of.window.holds(row[DAY]))
    return [replace(sources[0], total=sources[0].total + remainder, beside=bonus), *sources[1:]]


def _regular_source(origin: SeriesOrigin, pay: Stream, as_of: AsOf) -> Series:
    """A source with a rhythm; its month is what it brings since it last went on."""
    rhythm = pay.rhythm
    series = regular_series(origin, pay.charges, rhythm, as_of, is_pay=True)
    days = [day for day, _, _ in pay.charges if day <= rhythm.last]
    since = [day for day in days if series.resumed is None or day >= series.resumed.toordinal()]
    return replace(
        series,
        monthly=round(series.monthly * presence_share(rhythm, since)) if series.active else 0,
        running=(series.active or series.between_seasons) and len(days) >= _LEAST_CREDITS,
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
    unused = Counter(credits_)
    meant, others = [], []
    for row in rows:
        credit = (ORDINAL[row[DAY]], row[AMOUNT], row[ACCOUNT])
        if unused[credit] > 0:
            unused[credit] -= 1
            meant.append(row)
        else:
            others.append(row)
    return meant, others


def _merged_source(
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
    if category == "self_employment" and series.active and series.count_all >= _LEAST_CREDITS:
        return _planned_by(series, rows, as_of)
    planned = [row for payee, of_payer in parts if _pays_again(of_payer, as_of) for row in of_payer]
    return _planned_by(series, planned, as_of) if planned else series


def _pays_again(rows: Sequence[Row], as_of: AsOf) -> bool:
    """Whether a payer has paid more than once and is not silent for longer than usual."""
    days = [day for day, _, _ in merged_by_day(occurrences_of(rows, outflows=False))]
    silent = as_of.window.data_end.toordinal() - days[-1] if days else 0
    return len(days) > 1 and silent <= silence_allowed(days)

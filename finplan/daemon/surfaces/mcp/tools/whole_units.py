"""Means of whole units of the calendar, within what is asked for and within the rows."""

from datetime import date, timedelta
from typing import NamedTuple

from finplan.model.errors import BadRequest
from finplan.model.spending import RecordedDays
from finplan.model.words.spending import NO_ROWS
from finplan.periods.spans import unit_of


class WholeUnits(NamedTuple):
    """The first and last day of some whole units, and their number."""

    since: date
    until: date
    number: int


def whole_units(
    unit: str, since: date, until: date, recorded: RecordedDays | None, today: date
) -> WholeUnits:
    """The whole units within some days and the rows; one that is not over yet is none.

    Raises BadRequest where there is none.
    """
    if recorded is None:
        raise BadRequest(NO_ROWS)
    begin = max(since, recorded.since)
    end = min(until, recorded.until, today - timedelta(1))
    first = unit_of(unit, begin)
    if first.first < begin:
        first = unit_of(unit, begin, 1)
    count, last = 0, first
    while last.last <= end:
        count, last = count + 1, unit_of(unit, last.last + timedelta(1))
    if count == 0:
        raise BadRequest(
            f"There is no whole {unit} in these days that is over and that rows reach, and so no mean of"
            " one. Name more days, a shorter unit, or ask for the sum."
        )
    return WholeUnits(first.first, last.first - timedelta(1), count)

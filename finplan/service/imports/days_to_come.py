"""Rows that are booked on days to come: their days may have been read the wrong way round."""

from datetime import timedelta

from sqlalchemy import Connection

from finplan.plan.ledger.days import date_of, day_of
from finplan.service.imports.import_run import ImportRun
from finplan.store.queries import staged_rows

_MONTHS = 12
_AHEAD = timedelta(days=7)
"""How far ahead banks date what they have booked, over holidays and between time zones."""


def note_days_to_come(connection: Connection, run: ImportRun) -> dict[int, tuple[str, ...]]:
    """A sentence on each file, by its place, that has booked rows more than a week after today."""
    limit = day_of(date_of(run.today) + _AHEAD)
    latest = [said.last or 0 for each in run.staged.accounts for said in each.in_files.values()]
    if max(latest, default=0) <= limit:
        return {}
    return {
        place: (_sentence(run.staged.files[place].source, count, last),)
        for place, (count, last) in staged_rows.booked_after(connection, limit).items()
    }


def _sentence(source: str, count: int, last: int) -> str:
    day = f"{date_of(last):%-d %b %Y}"
    sentence = f"{count:,} rows are on days to come, the last on {day}"
    if count == 1:
        sentence = f"One row is on a day to come, {day}"
    # A day after the twelfth is no month, so it cannot be read the other way round.
    if source in {"csv", "qif"} and date_of(last).day <= _MONTHS:
        return f"{sentence}; if days and months are the wrong way round, say it with --date-order."
    return f"{sentence}."

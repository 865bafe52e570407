"""Days as a person types them: a day, a month or a year."""

import calendar
import re
from datetime import date

import typer

_TYPED = re.compile(r"^([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?$")
DAY_HELP = "YYYY-MM-DD, a month YYYY-MM or a year YYYY"


def first_day(text: str) -> date:
    """The day that a period begins with: "2025-03" is 1 March 2025. Raises a usage error."""
    return _date(text, *_ends(text)[0])


def last_day(text: str) -> date:
    """The day that a period ends with: "2025-02" is 28 February 2025. Raises a usage error."""
    return _date(text, *_ends(text)[1])


def _ends(text: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    typed = _TYPED.match(text.strip())
    if typed is None:
        raise typer.BadParameter(f"{text!r} is not a day; write {DAY_HELP}.")
    year, month, day = (None if part is None else int(part) for part in typed.groups())
    assert year is not None
    if month is None:
        return (year, 1, 1), (year, 12, 31)
    if day is None:
        last = calendar.monthrange(year, month)[1] if 1 <= month <= 12 and year else 0
        return (year, month, 1), (year, month, last)
    return (year, month, day), (year, month, day)


def _date(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not in the calendar.") from None

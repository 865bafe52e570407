"""Days as a person types them: a day, a month or a year."""

import calendar
import re
from datetime import date

import typer

_TYPED = re.compile(r"^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$")
DAY_HELP = "YYYY-MM-DD, a month YYYY-MM or a year YYYY"


def first_day(text: str) -> date:
    """The day that a period begins with: "2025-03" is 1 March 2025. Raises a usage error."""
    year, month, day = _parts(text)
    return _date(text, year, month or 1, day or 1)


def last_day(text: str) -> date:
    """The day that a period ends with: "2025-02" is 28 February 2025. Raises a usage error."""
    year, month, day = _parts(text)
    month = month or 12
    if day == 0 and 1 <= month <= 12 and year > 0:
        day = calendar.monthrange(year, month)[1]
    return _date(text, year, month, day)


def _parts(text: str) -> tuple[int, int, int]:
    typed = _TYPED.match(text.strip())
    if typed is None:
        raise typer.BadParameter(f"{text!r} is not a day; write {DAY_HELP}.")
    year, month, day = (int(part) if part is not None else 0 for part in typed.groups())
    return year, month, day


def _date(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not in the calendar.") from None

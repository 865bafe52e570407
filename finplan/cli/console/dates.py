"""Days as a person types them: a day, a month or a year."""

import calendar
import re
from datetime import UTC, date, datetime, time, timedelta

import typer

_TYPED = re.compile(r"^([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?$")
_DAYS = re.compile(r"^([1-9][0-9]{0,6})d$")
_NUMBER = re.compile(r"^[1-9][0-9]{0,6}$")
DAY_HELP = "YYYY-MM-DD, a month YYYY-MM or a year YYYY"


def first_day(text: str) -> date:
    """The day that a period begins with: "2025-03" is 1 March 2025. Raises a usage error."""
    return _date(text, *_ends(text)[0])


def last_day(text: str) -> date:
    """The day that a period ends with: "2025-02" is 28 February 2025. Raises a usage error."""
    return _date(text, *_ends(text)[1])


def end_after(text: str, now: datetime | None = None) -> datetime:
    """When something is over that holds for some days from now, or until a last day has passed here.

    Raises a usage error.
    """
    now = now or datetime.now(UTC)
    days = _DAYS.match(text.strip())
    if days is None and _TYPED.match(text.strip()) is None:
        raise typer.BadParameter(_no_end(text.strip()))
    try:
        if days is not None:
            return now + timedelta(days=int(days[1]))
        return datetime.combine(last_day(text) + timedelta(days=1), time.min).astimezone()
    except OverflowError:
        raise typer.BadParameter(f"{text!r} is too far away.") from None


def _no_end(text: str) -> str:
    told = f"{text!r} is neither so many days from now, like 90d, nor a last day, {DAY_HELP}."
    return f"{told} For {text} days write {text}d." if _NUMBER.match(text) else told


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

"""What a day of a statement may be."""

from datetime import date

_FIRST_YEAR, _LAST_YEAR = 1900, 2199


def day_number(year: int, month: int, day: int) -> int | None:
    """Give a calendar date as YYYYMMDD, None when there is none or it is not in 1900 to 2199."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        date(year, month, day)
    except ValueError:
        return None
    return year * 10000 + month * 100 + day

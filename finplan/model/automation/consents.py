"""When a person's consent to a bank's access ends: it is told a week before."""

from datetime import UTC, date, datetime, tzinfo

from finplan.model.figures import short_date

TOLD_BEFORE = 7
"""How many days before a consent ends the person is told."""


def last_day_of_access(ends_at: int, zone: tzinfo = UTC) -> date:
    """The day on which a consent ends at an instant in ms."""
    return datetime.fromtimestamp(ends_at / 1000, zone).date()


def ends_soon(ends_at: int | None, today: date, zone: tzinfo = UTC) -> bool:
    """Whether a consent ends within a week, or has ended."""
    return ends_at is not None and (last_day_of_access(ends_at, zone) - today).days <= TOLD_BEFORE


def consent_ends(ends_at: int, today: date, zone: tzinfo = UTC) -> str:
    """What is said of a consent that ends, as a part of a sentence."""
    day = last_day_of_access(ends_at, zone)
    left = (day - today).days
    if left < 0:
        return f"the consent that you gave ended on {short_date(day)}"
    when = {0: "today", 1: "tomorrow"}.get(left, f"on {short_date(day)}")
    return f"the consent that you gave ends {when}"

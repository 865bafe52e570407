"""The daily allowance as a person was last shown it, beside each of the newest events."""

from typing import NamedTuple

from sqlalchemy import Connection

_KEPT = 2
"""Of how many events it is kept: the newest, and the one it is compared with."""


class ShownDaily(NamedTuple):
    """A daily allowance in minor units, shown at an instant in ms while `event_no` was the newest event.

    `period_end` is the day, YYYYMMDD, before which the period of the allowance ended.
    """

    event_no: int
    at: int
    period_end: int
    daily: int


def shown_up_to(connection: Connection, owner: int, event_no: int) -> list[ShownDaily]:
    """What was shown while an event, or an earlier one, was the newest; the latest first."""
    rows = connection.exec_driver_sql(
        "SELECT event_no, at, period_end, daily FROM shown_allowance"
        " WHERE owner_no = ? AND event_no <= ? ORDER BY event_no DESC",
        (owner, event_no),
    )
    return [ShownDaily(*row) for row in rows]


def note_shown(connection: Connection, owner: int, shown: ShownDaily) -> None:
    """Note what a person was shown; it stands for all that was shown since the same event."""
    connection.exec_driver_sql(
        "INSERT INTO shown_allowance (owner_no, event_no, at, period_end, daily)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner_no, event_no) DO UPDATE SET"
        " at = excluded.at, period_end = excluded.period_end, daily = excluded.daily",
        (owner, *shown),
    )
    connection.exec_driver_sql(
        "DELETE FROM shown_allowance WHERE owner_no = ? AND event_no NOT IN"
        " (SELECT event_no FROM shown_allowance WHERE owner_no = ? ORDER BY event_no DESC LIMIT ?)",
        (owner, owner, _KEPT),
    )

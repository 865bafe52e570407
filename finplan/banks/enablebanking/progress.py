"""How far the accounts of a connection were read: the day through which each one was."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

LATE = 14
"""Days by which a row may come after its own day, so that so many are asked for again."""

HISTORY = 730
"""Days that are asked for where an account was never read."""

SHORT = 89
"""Days that every bank gives, whatever else it refuses."""


class UnknownCursor(Exception):
    """A cursor that this module did not write."""


@dataclass(frozen=True, slots=True)
class ReadThrough:
    """The day through which each account was read; `relinked` until a new access was read whole."""

    accounts: Mapping[str, date] = field(default_factory=dict)
    relinked: bool = False

    def since(self, account: str, today: date) -> date | None:
        """The first day to ask an account for, None where it was never read."""
        last = self.accounts.get(account)
        return last and min(last, today) - timedelta(days=LATE)

    def after(self, today: date, accounts: Iterable[str]) -> "ReadThrough":
        """The progress once some accounts were read through a day."""
        return ReadThrough({**self.accounts, **dict.fromkeys(accounts, today)})

    def under_a_new_access(self) -> "ReadThrough":
        """The progress under another consent, by which accounts may have other ids."""
        return replace(self, relinked=True)

    def write(self) -> str:
        """The cursor that says so."""
        told: dict[str, object] = {
            "accounts": {name: day.isoformat() for name, day in sorted(self.accounts.items())}
        }
        if self.relinked:
            told["relinked"] = True
        return json.dumps(told)


def read_progress(cursor: str | None) -> ReadThrough:
    """The progress that a cursor says. Raises UnknownCursor."""
    if cursor is None:
        return ReadThrough()
    try:
        told = json.loads(cursor)
        days = {name: date.fromisoformat(day) for name, day in told["accounts"].items()}
        return ReadThrough(days, told.get("relinked") is True)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownCursor from error

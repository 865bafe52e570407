"""How far a SimpleFIN connection has been read: the newest day of each account, and what is left behind.

A server gives a window of days at a time and allows few requests a day. So a sync asks for the newest
window of all accounts at once, then for older ones, a page each, until two in a row bring nothing.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

WINDOW = 60
"""Days that one request asks for; servers cut at 90, and some banks before that."""

LATE = 14
"""Days by which a row may come after its own day, so that so many are asked for again."""

EMPTY_WINDOWS = 2
MOST_WINDOWS = 5
"""How many older windows a first sync asks for at most, beside the newest."""


class UnknownProgress(Exception):
    """A cursor that this module did not write."""


@dataclass(frozen=True, slots=True)
class Older:
    """What is still to be asked for before `until`, not that day itself, newest first.

    `down_to` is where it ends for certain, None to go on until `EMPTY_WINDOWS` in a row are `empty` or
    `MOST_WINDOWS` were `asked`. `accounts` are whose rows are wanted, none for all.
    """

    until: date
    down_to: date | None = None
    empty: int = 0
    asked: int = 0
    accounts: tuple[str, ...] = ()

    @property
    def since(self) -> date:
        """The first day of the next window."""
        since = self.until - timedelta(days=WINDOW)
        return since if self.down_to is None else max(since, self.down_to)

    def after(self, *, found: bool) -> "Older | None":
        """What is left once that window was answered; `found` says that it held rows."""
        empty = 0 if found else self.empty + 1
        left = replace(self, until=self.since, empty=empty, asked=self.asked + 1)
        if self.down_to is not None:
            return left if left.until > self.down_to else None
        return left if empty < EMPTY_WINDOWS and left.asked < MOST_WINDOWS else None


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """The day through which each account was read, the day of the newest window, and what is left."""

    accounts: Mapping[str, date] = field(default_factory=dict)
    recent: date | None = None
    older: Older | None = None

    def window_since(self, today: date) -> date:
        """The first day of the newest window as it is to be asked for now."""
        since = min(self.accounts.values(), default=None)
        oldest = today - timedelta(days=WINDOW - 1)
        return oldest if since is None else max(oldest, min(since, today) - timedelta(days=LATE))

    def after_newest(
        self,
        today: date,
        listed: Iterable[str],
        troubled: Iterable[str],
        partly_read: Iterable[str] = (),
    ) -> "ReadSoFar":
        """The progress once the newest window was answered for the `listed` accounts.

        Those in trouble stay where they were. Those that were partly read are asked for all of the
        window again. What lies between an account's last day and the window, and the past of accounts
        that are new, is left to be asked for.
        """
        since, whole = self.window_since(today), set(listed) - set(troubled)
        new = tuple(sorted(whole - self.accounts.keys()))
        gap = min((self.accounts[each] for each in whole & self.accounts.keys()), default=today)
        older = self.older
        if new:
            of = () if len(new) == len(set(listed)) else new
            older = _joined(older, Older(since, accounts=of))
        if gap - timedelta(days=LATE) < since:
            older = _joined(older, Older(since, down_to=gap - timedelta(days=LATE)))
        # An account that is in trouble or gone for a while is read on from where it stood.
        through = dict.fromkeys(whole, today)
        through |= dict.fromkeys(whole & set(partly_read), min(since + timedelta(days=LATE), today))
        return ReadSoFar({**self.accounts, **through}, today, older)

    def after_older(self, older: Older, troubled: Collection[str], *, found: bool) -> "ReadSoFar":
        """The progress once an older window was answered; `found` says that it held rows.

        Of an account in trouble the window is asked for again with all before it, once the newest one is
        whole: as of one that was never read. Trouble without a name may be of any.
        """
        asked = set(older.accounts or self.accounts)
        lost = asked if "" in troubled else asked & set(troubled)
        kept = {name: day for name, day in self.accounts.items() if name not in lost}
        return replace(self, accounts=kept, older=older.after(found=found))

    def relinked(self) -> "ReadSoFar":
        """The progress under a new access, by which accounts may have other ids: all are asked for."""
        older = self.older and replace(self.older, accounts=())
        return replace(self, recent=None, older=older)

    def write(self) -> str:
        """The cursor that says so."""
        told: dict[str, object] = {
            "accounts": {name: day.isoformat() for name, day in sorted(self.accounts.items())},
            "recent": self.recent and self.recent.isoformat(),
        }
        if self.older is not None:
            older = self.older
            told["older"] = {
                "until": older.until.isoformat(),
                "downTo": older.down_to and older.down_to.isoformat(),
                "empty": older.empty,
                "asked": older.asked,
                "accounts": list(older.accounts),
            }
        return json.dumps(told)


def read_progress(cursor: str | None) -> ReadSoFar:
    """The progress that a cursor says. Raises UnknownProgress."""
    if cursor is None:
        return ReadSoFar()
    try:
        told = json.loads(cursor)
        older = told.get("older")
        return ReadSoFar(
            {name: date.fromisoformat(day) for name, day in told["accounts"].items()},
            _maybe_day(told["recent"]),
            older
            and Older(
                date.fromisoformat(older["until"]),
                _maybe_day(older["downTo"]),
                int(older["empty"]),
                int(older["asked"]),
                tuple(map(str, older["accounts"])),
            ),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownProgress from error


def _joined(one: Older | None, other: Older) -> Older:
    """What asks for all that two want: from the later end on, as far back as either goes."""
    if one is None:
        return other
    is_open = one.down_to is None or other.down_to is None
    down_to = None if is_open else min(filter(None, (one.down_to, other.down_to)))
    accounts = () if not (one.accounts and other.accounts) else one.accounts + other.accounts
    return Older(max(one.until, other.until), down_to, accounts=tuple(dict.fromkeys(accounts)))


def _maybe_day(told: str | None) -> date | None:
    return None if told is None else date.fromisoformat(told)

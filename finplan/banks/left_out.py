"""What of an aggregator's answer cannot be read: it is left out and told, and the rest is brought."""

from collections.abc import Iterable
from typing import NamedTuple

from finplan.banks.http import Unreadable

ASKED_ON = "What is left out is asked for again with every sync."


class NotRead(NamedTuple):
    """A row that is left out, with its day where that is known; or a whole account, if `is_row` is not.

    `account` is what the account is called, and `why` goes on after "since".
    """

    account: str
    why: str
    is_row: bool = False
    day: str | None = None


def as_kept(currency: str, kept_in: str | None) -> str:
    """The currency of an account, perhaps kept in one already. Raises Unreadable for another one."""
    if kept_in is not None and currency != kept_in:
        raise Unreadable(f"it is told in {currency} now, and is kept in {kept_in}")
    return currency


def told_left_out(title: str, left_out: Iterable[NotRead]) -> str:
    """What a person is told of it, the accounts each once; empty where nothing is."""
    days: dict[tuple[str, str, bool], list[str | None]] = {}
    for each in left_out:
        days.setdefault((each.account, each.why, each.is_row), []).append(each.day)
    if not days:
        return ""
    said = [
        _rows(account, why, of) if is_row else f"{account} is not brought up to date, since {why}."
        for (account, why, is_row), of in days.items()
    ]
    return f"{title} told something that cannot be read. {' '.join(said)} {ASKED_ON}"


def _rows(account: str, why: str, days: list[str | None]) -> str:
    known = sorted({day for day in days if day is not None})
    of = f" of {known[0]}" if known else ""
    if len(known) > 1:
        of = f" from {known[0]} to {known[-1]}"
    if len(days) == 1:
        return f"{account}: a row{of} is left out, since {why}."
    each = f"each {why.removeprefix('it ')}" if why.startswith("it ") else why
    return f"{account}: {len(days):,} rows{of} are left out, since {each}."

"""What of an aggregator's answer cannot be read: it is left out and told, and the rest is brought."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from finplan.banks.fields import Unreadable

ASKED_ON = "What is left out is asked for again with every sync."

MOST_SENTENCES = 12
"""How many sentences a person is shown of what one answer lacks."""


class NotRead(NamedTuple):
    """A row that is left out, with its day where that is known; a field; or else a whole account.

    `account` is what the account is called, and `why` goes on after "since". Of a field, if `is_field`,
    `why` is its name, and the account is brought without it.
    """

    account: str
    why: str
    is_row: bool = False
    day: str | None = None
    is_field: bool = False


def as_kept(currency: str, kept_in: str | None) -> str:
    """The currency of an account, perhaps kept in one already. Raises Unreadable for another one."""
    if kept_in is not None and currency != kept_in:
        raise Unreadable(f"it is told in {currency} now, and is kept in {kept_in}")
    return currency


def odd_fields(account: str, names: Iterable[str]) -> list[NotRead]:
    """The fields of an account that are left out, by their names."""
    return [NotRead(account, name, is_field=True) for name in names]


def told_left_out(title: str, left_out: Iterable[NotRead]) -> str:
    """What a person is told of it, the accounts each once; empty where nothing is."""
    days: dict[NotRead, list[str | None]] = {}
    for each in left_out:
        days.setdefault(each._replace(day=None), []).append(each.day)
    if not days:
        return ""
    sentences = first_few([_sentence(each, of) for each, of in days.items()])
    return f"{title} told something that cannot be read. {sentences} {ASKED_ON}"


def first_few(sentences: Sequence[str]) -> str:
    """Sentences as a person reads them: the first ones, and how many more there are."""
    left = len(sentences) - MOST_SENTENCES
    if left <= 0:
        return " ".join(sentences)
    return f"{' '.join(sentences[:MOST_SENTENCES])} And {left:,} more."


def _sentence(left_out: NotRead, days: list[str | None]) -> str:
    if left_out.is_row:
        return _rows(left_out.account, left_out.why, days)
    if left_out.is_field:
        return f"{left_out.account}: skipped the {left_out.why}, which cannot be read."
    return f"{left_out.account} is not brought up to date, since {left_out.why}."


def _rows(account: str, why: str, days: list[str | None]) -> str:
    known = sorted({day for day in days if day is not None})
    of = f" of {known[0]}" if known else ""
    if len(known) > 1:
        of = f" from {known[0]} to {known[-1]}"
    if len(days) == 1:
        return f"{account}: a row{of} is left out, since {why}."
    each = f"each {why.removeprefix('it ')}" if why.startswith("it ") else why
    return f"{account}: {len(days):,} rows{of} are left out, since {each}."

"""Income that stopped lately: which sources, what each brought, and what has taken its place.

Source: plan-semantics, C30.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from finplan.plan.detect.cadence import per_month as per_month_of
from finplan.plan.detect.series import silence_allowed
from finplan.plan.ledger.books import Books, Series
from finplan.plan.sections.monthly import PlannedMonth, per_month

_LEAST_PAYMENTS = 3
"""A gift or two never stop."""

_LATELY = 120
_KNOWN_FOR = 45
_GRACE = 5
"""Days: a source that has been silent for so long, or longer than its grace and these, is history."""

_AROUND = 60
"""Days around the last pay of a source within which what takes its place begins."""

_KEPT_TENTHS = 7
"""A source is replaced by what brings seven tenths of it."""


@dataclass(frozen=True, slots=True)
class StoppedSource:
    """A source that stopped: what it brought a month, and what of that comes from elsewhere now."""

    source: Series
    former: int
    instead: int

    @property
    def lost(self) -> int:
        """What is missing a month; 0 at least."""
        return max(0, self.former - self.instead)


def stopped_sources(books: Books, planned: PlannedMonth) -> list[StoppedSource]:
    """The large sources that stopped lately and were not replaced, the largest first.

    What began takes the place of one source alone: two jobs that ended are not replaced by one.
    """
    if planned.unanswered:
        # What took its place may be among the money in that waits for an answer.
        return []
    large = [
        source
        for source in books.sources
        if not source.active
        and not source.running
        and 4 * source.total >= books.income - books.running.one_off_income > 0
        and (source.cadence != "irregular" or source.count >= _LEAST_PAYMENTS)
        and _stopped_lately(books, source)
    ]
    began = {id(change.series) for change in books.running.changes if change.kind != "ended"}
    new = [
        [other.first_date.toordinal(), monthly]
        for other, monthly in books.running.by_source
        if other.category != "interest" and id(other) in began
    ]
    found = []
    for source in sorted(large, key=lambda each: -_former_monthly(books, each)):
        stopped = _replaced(source, _former_monthly(books, source), new)
        if _KEPT_TENTHS * stopped.former > 10 * stopped.instead:
            found.append(stopped)
    return found


def _replaced(source: Series, former: int, new: Sequence[list[int]]) -> StoppedSource:
    """A source with what took its place.

    `new` are the first days of what began and what each brings, less what is taken here.
    """
    instead = 0
    for place in new:
        since, left = place
        if abs(since - source.last_date.toordinal()) <= _AROUND:
            taken = min(left, former - instead)
            place[1] = left - taken
            instead += taken
    return StoppedSource(source, former, instead)


def _stopped_lately(books: Books, source: Series) -> bool:
    days = [day.toordinal() for day, _ in source.recent]
    if source.interval_days is None:
        grace = silence_allowed(days)
    else:
        grace = 3 * source.interval_days // 2 + _GRACE
    silent = (books.window.data_end - source.last_date).days
    return silent <= max(_LATELY, grace + _KNOWN_FOR)


def _former_monthly(books: Books, source: Series) -> int:
    """What an inactive source paid a month while it paid."""
    if source.cadence == "irregular":
        return max(0, per_month(source.total, books.window.months))
    return per_month_of(source.amount, source.cadence, source.interval_days)

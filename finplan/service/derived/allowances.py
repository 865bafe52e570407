"""The daily allowances that were last worked out, from which the next event moves them.

Working one out takes a look at the whole ledger. What holds after one event holds before the next, so
each event works it out once.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import NamedTuple

from finplan.service.asker import Asking
from finplan.service.derived.joining import Joined, Work


class Daily(NamedTuple):
    """A daily allowance, with the generation of the data and the day, in a time zone, that it is of.

    `plan` is when the plan was built that it follows.
    """

    generation: int
    time_zone: str
    today: date
    plan: int
    amount: int


class KeptAllowances:
    """The last known allowance of each person, and how many events go on that may move it.

    Of events that go on side by side, the first whose effect is worked out notes what all that came
    before have moved; so every move is noted once, however many there were.
    """

    def __init__(self) -> None:
        self._known: dict[int, Daily] = {}
        self._events: Counter[int] = Counter()
        self._joined = Joined[Daily | None]()

    async def worked_out(self, owner: int, work: Work[Daily | None]) -> Daily | None:
        """What `work` comes to that begins after this call; done once for all who ask at once."""
        return await self._joined.done(owner, work)

    @contextmanager
    def event(self, owner: int) -> Iterator[None]:
        """An event goes on as long as the block does."""
        self._events[owner] += 1
        try:
            yield
        finally:
            self._events[owner] -= 1

    def known(self, asking: Asking, generation: int | None = None) -> Daily | None:
        """What holds before an event of somebody; None when that is to be worked out.

        It holds for the generation and the day that it is of, and for any generation while other events
        go on, since those note what they move.
        """
        known = self._known.get(asking.owner)
        if known is None or known.today != asking.today(known.time_zone):
            return None
        return known if known.generation == generation or self._events[asking.owner] else None

    def learn(self, owner: int, daily: Daily) -> None:
        """Take what was worked out before an event.

        While others go on, what they moved may be in it, which they are to find by what was known.
        """
        known = self._known.get(owner)
        if known is not None and self._events[owner] and known.today == daily.today:
            return
        if known is None or daily.generation >= known.generation:
            self._known[owner] = daily

    def moved(self, owner: int, daily: Daily) -> tuple[int, int] | None:
        """Take what was worked out after an event; answers from what to what it moved, to be noted.

        None when nothing moved, when somebody notes it already, and when the day or the plan is another:
        what the calendar does is no event's.
        """
        known = self._known.get(owner)
        if known is not None and daily.generation <= known.generation:
            return None
        self._known[owner] = daily
        if known is None or (known.today, known.plan) != (daily.today, daily.plan):
            return None
        return None if known.amount == daily.amount else (known.amount, daily.amount)

    def noted(self, owner: int, daily: Daily, generation: int) -> None:
        """Say that a move was noted, which alone made the data another generation."""
        if self._known.get(owner) == daily and generation == daily.generation + 1:
            self._known[owner] = daily._replace(generation=generation)

    def forget(self, owner: int) -> None:
        """Say that what a person's allowance follows from changed otherwise than by a watched event."""
        self._known.pop(owner, None)

"""What an account held on a past day where statements are missing between others.

Rows of the missing statements moved the balance and nobody knows how, so the days before a hole are told
by a balance that was stated there, and the days in a hole not at all. Source: plan-semantics, section 8.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import itemgetter

from finplan.plan.ledger.days import widened
from finplan.plan.ledger.ledger import LedgerAccount

_DAY = itemgetter(0)


class PastBalances:
    """The balances of an account with holes; `moves` are day and amount of its rows in any order.

    `stated` are days and balances in order. Days are YYYYMMDD; a balance is owned, or on credit and loan
    accounts owed.
    """

    def __init__(
        self,
        account: LedgerAccount,
        moves: Iterable[tuple[int, int]],
        stated: Sequence[tuple[int, int]],
    ) -> None:
        ordered = sorted(moves)
        self._days = [day for day, _ in ordered]
        self._sums = [0, *accumulate(amount for _, amount in ordered)]
        self._sign = -1 if account.kind in {"credit", "loan"} else 1
        self._runs = [widened(each) for each in account.coverage]
        self._stated = stated

    def on(self, day: int) -> int | None:
        """The balance at the end of a day before the last hole; None where nothing tells it."""
        run = next((each for each in self._runs if day <= each.until), self._runs[-1])
        if day < run.since and run is not self._runs[0]:
            return None
        # Where stated balances contradict each other, the later one holds.
        place = bisect_right(self._stated, run.until, key=_DAY) - 1
        if place < 0 or self._stated[place][0] < run.since:
            return None
        stated, balance = self._stated[place]
        return balance + self._sign * (self._moved(day) - self._moved(stated))

    def is_after_holes(self, day: int) -> bool:
        """Whether every day from this one on is covered, so that today's balance tells this day's."""
        return day >= self._runs[-1].since

    def _moved(self, day: int) -> int:
        """What all rows up to the end of a day add up to."""
        return self._sums[bisect_right(self._days, day)]

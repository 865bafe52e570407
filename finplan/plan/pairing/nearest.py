"""Rows of equal amounts on two sides, each with the nearest in time that is left of the other side."""

from collections import defaultdict, deque
from collections.abc import Sequence

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.repetition import DAYS_APART, DatedAmount


def pair_nearest(
    ours: Sequence[DatedAmount], theirs: Sequence[DatedAmount]
) -> list[tuple[int, int]]:
    """Pair rows of equal amounts at most three days apart, those of one day first, each at most once.

    Answers places in `ours` and in `theirs`; of equally near ones the first of ours gets the first of
    theirs. Each row is looked up once for each of the days around it, however many are equal.
    """
    waiting: defaultdict[tuple[int, int], deque[int]] = defaultdict(deque)
    for place, (day, amount) in enumerate(theirs):
        waiting[amount, ORDINAL[day]].append(place)
    left: Sequence[int] = range(len(ours))
    found = []
    for apart in range(DAYS_APART + 1):
        unpaired = []
        for place in left:
            day, amount = ours[place]
            near = {(amount, ORDINAL[day] - apart), (amount, ORDINAL[day] + apart)}
            queues = [waiting[key] for key in near if waiting.get(key)]
            if queues:
                found.append((place, min(queues, key=lambda queue: queue[0]).popleft()))
            else:
                unpaired.append(place)
        left = unpaired
    return found

"""How the reads of a household grow with its rows, over REST: the smallest ledger beside the largest.

Nothing may come from memory: before each question a change makes stale all that was worked out. The
floor is the smaller ledger's time as many times as the larger one has more rows, so that 1 is what
grows as the rows do; a page, or what is kept in sums, grows less.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial

from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from benchmarks.spending import LARGE, change

ROUTES: Mapping[str, Target | None] = {
    "/duplicates": Target(1.1, LARGE),
    **dict.fromkeys(
        (
            *(
                "/transactions",
                "/transactions?text=coffee",
                "/transfers",
                "/accounts",
                "/recurring",
            ),
            *("/wealth", "/tasks", "/snapshot", "/imports", "/categories", "/plan"),
        )
    ),
}


def measure(ground: Ground) -> list[Figure]:
    """The growth of each route, nothing where there is only one size."""
    few, many = ground.sizes[0], ground.sizes[-1]
    if few == many:
        return []
    with ExitStack() as running:
        contestants: dict[tuple[str, int], Contestant] = {}
        for rows in (few, many):
            home = ground.new_home(like=ground.planned_store(rows))
            asked = running.enter_context(daemon(home))
            contestants |= {(route, rows): partial(_ask, asked, route) for route in ROUTES}
        times = race(contestants, ground.rounds)
    return [
        against(
            times[route, few] * many / few, times[route, many], f"GET {route}", many, "time", target
        )
        for route, target in ROUTES.items()
    ]


def _ask(running: Daemon, route: str) -> float:
    change(running)
    return timed(lambda: running.get(route))

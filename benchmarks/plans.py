"""Building a plan over the whole ledger, beside fetching the same rows as raw tuples.

A plan is also built, and the days ahead and a day's other questions are asked, after a change: before
each the account is given its name again, untimed, so that none finds what another has worked out.
"""

from collections.abc import Callable
from functools import partial

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import race, timed
from benchmarks.spending import change
from benchmarks.wire import saying

BUILD = saying("POST", "/plan", {})
DAILY = ("/tasks", "/snapshot", "/wealth", "/recurring")
"""What is asked of a household day by day; the first of them reads it."""


def measure(ground: Ground) -> list[Figure]:
    """The figures of plans, of the days ahead and of a day's questions, for each size."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    home = ground.new_home(like=ground.planned_store(rows))
    connection = floors.connect(home.places.database)
    with daemon(home) as running:
        contestants = {
            "floor": partial(timed, partial(floors.read_rows, connection)),
            "plan": partial(timed, partial(running.ask, BUILD)),
            "plan anew": partial(_anew, running, partial(running.ask, BUILD)),
            "ahead": partial(_anew, running, partial(running.get, "/forecast")),
            "first": partial(_anew, running, partial(_ask, running, DAILY[:1])),
            "all": partial(_anew, running, partial(_ask, running, DAILY)),
        }
        times = race(contestants, ground.rounds)
    connection.close()
    ground.forget(home)
    return [
        against(times[floor], times[name], told, rows, "time", Target(bound))
        for floor, name, told, bound in (
            ("floor", "plan", "Plan, POST /plan", 2),
            ("floor", "plan anew", "Plan after a change", 4),
            ("plan anew", "ahead", "Forecast, GET /forecast", 1.1),
            ("first", "all", "Four questions of a day, against one", 1.2),
        )
    ]


def _anew(running: Daemon, work: Callable[[], object]) -> float:
    change(running)
    return timed(work)


def _ask(running: Daemon, paths: tuple[str, ...]) -> None:
    for path in paths:
        running.get(path)

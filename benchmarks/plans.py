"""Building a plan over the whole ledger, beside fetching the same rows as raw tuples.

The days ahead are asked beside a plan. Before both the account is given its name again, untimed, so that
neither finds what the other has worked out.
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


def measure(ground: Ground) -> list[Figure]:
    """The figures of a plan and of the days ahead, for each size."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    home = ground.new_home(like=ground.filled_store(rows))
    connection = floors.connect(home.places.database)
    with daemon(home) as running:
        contestants = {
            "floor": partial(timed, partial(floors.read_rows, connection)),
            "plan": partial(timed, partial(running.ask, BUILD)),
            "plan anew": partial(_anew, running, partial(running.ask, BUILD)),
            "ahead": partial(_anew, running, partial(running.get, "/forecast")),
        }
        times = race(contestants, ground.rounds)
    connection.close()
    ground.forget(home)
    return [
        against(times["floor"], times["plan"], "Plan, POST /plan", rows, "time", Target(4)),
        against(
            times["plan anew"],
            times["ahead"],
            "The days ahead, GET /forecast",
            rows,
            "time",
            Target(1.5),
        ),
    ]


def _anew(running: Daemon, work: Callable[[], object]) -> float:
    change(running)
    return timed(work)

"""Building a plan over the whole ledger, beside fetching the same rows as raw tuples."""

from functools import partial

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Ground, daemon
from benchmarks.race import race, timed
from benchmarks.wire import saying

BUILD = saying("POST", "/plan", {})


def measure(ground: Ground) -> list[Figure]:
    """The figure of a plan, for each size."""
    return [_of_size(ground, rows) for rows in ground.sizes]


def _of_size(ground: Ground, rows: int) -> Figure:
    home = ground.new_home(like=ground.filled_store(rows))
    connection = floors.connect(home.places.database)
    with daemon(home) as running:
        contestants = {
            "floor": partial(timed, partial(floors.read_rows, connection)),
            "plan": partial(timed, partial(running.ask, BUILD)),
        }
        times = race(contestants, ground.rounds)
    connection.close()
    ground.forget(home)
    return against(times["floor"], times["plan"], "Plan, POST /plan", rows, "time", Target(4))

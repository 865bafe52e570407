"""The command line on a warm daemon, beside the loading of its libraries and beside `sqlite3`."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Ground, daemon
from benchmarks.race import race, timed

# What the console script does, whether or not it is on the PATH.
FINPLAN = (sys.executable, "-c", "from finplan.__main__ import main; main()")
SPENDING = (*FINPLAN, "spending", "--by", "month")
ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""


def measure(ground: Ground) -> list[Figure]:
    """The figure of a command whose answer no ledger makes longer, and of a question for each size."""
    target = Target(1.2)
    rows = target.rows if target.rows in ground.sizes else ground.sizes[0]
    home = ground.new_home(like=ground.filled_store(rows))
    with daemon(home) as running:
        run = partial(_run, environment=running.environment)
        contestants = {
            "floor": partial(run, floors.START),
            "accounts": partial(run, (*FINPLAN, "accounts", "--json")),
        }
        times = race(contestants, ground.rounds * ROUNDS)
    ground.forget(home)
    name = "`finplan accounts --json`"
    return [
        against(times["floor"], times["accounts"], name, rows, "time", target),
        *(_of_spending(ground, size) for size in ground.sizes if shutil.which("sqlite3")),
    ]


def _of_spending(ground: Ground, rows: int) -> Figure:
    """A question that a daemon is asked often, by a new process, beside `sqlite3` in one."""
    home = ground.new_home(like=ground.filled_store(rows))
    query = ("sqlite3", str(home.places.database), floors.EVERY_MONTH)
    with daemon(home) as running:
        run = partial(_run, environment=running.environment)
        contestants = {"floor": partial(run, query), "spending": partial(run, SPENDING)}
        times = race(contestants, ground.rounds * ROUNDS)
    ground.forget(home)
    name = "`finplan spending --by month`, against `sqlite3`"
    return against(times["floor"], times["spending"], name, rows, "time", Target(2))


def _run(command: Sequence[str], environment: dict[str, str]) -> float:
    return timed(
        lambda: subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    )

"""The command line on a warm daemon, beside what Python needs to load its three libraries."""

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
ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""


def measure(ground: Ground) -> list[Figure]:
    """The figure of a command; what it asks does not depend on the ledger, so one size will do."""
    target = Target(1.3)
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
    return [against(times["floor"], times["accounts"], name, rows, "time", target)]


def _run(command: Sequence[str], environment: dict[str, str]) -> float:
    return timed(
        lambda: subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    )

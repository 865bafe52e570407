"""How much memory a daemon occupies, a minute after it has imported a ledger and built a plan."""

from contextlib import ExitStack
from time import sleep

from benchmarks.figures import Figure, Target
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.plans import BUILD

REST = 60.0
"""How long the daemon is left alone, in seconds."""

MEGABYTE = 1_000_000


def measure(ground: Ground) -> list[Figure]:
    """The resident memory of one daemon for each size; they all rest at the same time."""
    target = Target(120)
    with ExitStack() as stack:
        daemons = {rows: stack.enter_context(daemon(ground.new_home())) for rows in ground.sizes}
        at_once = {rows: _work(ground, each, rows) for rows, each in daemons.items()}
        sleep(REST)
        rested = {rows: each.resident() / MEGABYTE for rows, each in daemons.items()}
    return [
        Figure(
            f"Daemon, {REST:.0f} s after a plan",
            rows,
            "size",
            size,
            f"{at_once[rows] / MEGABYTE:.0f} MB at once",
            "",
            target.bound if rows == target.rows else None,
            size,
        )
        for rows, size in rested.items()
    ]


def _work(ground: Ground, running: Daemon, rows: int) -> int:
    running.bring(ground.statement(rows, "csv"))
    running.ask(BUILD)
    return running.resident()

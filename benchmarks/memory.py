"""How much memory a daemon occupies, a minute after it has imported a ledger and built a plan."""

from contextlib import ExitStack
from time import sleep

from benchmarks.figures import Figure, Target
from benchmarks.ground import Daemon, Ground, daemon
from finplan.model.base import Nothing
from finplan.model.statement import ImportRequest
from finplan.operations import BUILD_PLAN, IMPORT_FILES

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
        return [
            Figure(
                f"Daemon, {REST:.0f} s after a plan",
                rows,
                "size",
                each.resident() / MEGABYTE,
                f"{at_once[rows] / MEGABYTE:.0f} MB at once",
                "",
                target.bound if rows == target.rows else None,
            )
            for rows, each in daemons.items()
        ]


def _work(ground: Ground, running: Daemon, rows: int) -> int:
    running.client.call_raw(IMPORT_FILES, ImportRequest(), [ground.statement(rows, "csv")])
    running.client.call_raw(BUILD_PLAN, Nothing())
    return running.resident()

"""Memory of a daemon: at once after a plan, a minute later, and a minute after an export."""

from contextlib import ExitStack
from http.client import HTTPConnection
from time import sleep

from benchmarks.figures import Figure, Target
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.plans import BUILD

REST = 60.0
"""How long the daemon is left alone, in seconds."""

MEGABYTE = 1_000_000
PIECE = 2**16


def measure(ground: Ground) -> list[Figure]:
    """The resident memory of one daemon for each size; they all rest at the same time."""
    with ExitStack() as stack:
        daemons = {rows: stack.enter_context(daemon(ground.new_home())) for rows in ground.sizes}
        at_once = {rows: _work(ground, each, rows) for rows, each in daemons.items()}
        sleep(REST)
        rested = {rows: each.resident() for rows, each in daemons.items()}
        for each in daemons.values():
            _export(each)
        sleep(REST)
        exported = {rows: each.resident() for rows, each in daemons.items()}
    return [
        _figure(name, rows, found[rows], Target(bound))
        for rows in ground.sizes
        for name, found, bound in (
            ("Daemon and workers, right after a plan", at_once, 200),
            (f"Daemon, {REST:.0f} s after a plan", rested, 110),
            (f"Daemon, {REST:.0f} s after an export", exported, 115),
        )
    ]


def _figure(name: str, rows: int, occupied: int, target: Target) -> Figure:
    size = occupied / MEGABYTE
    bound = target.bound if rows == target.rows else None
    return Figure(name, rows, "size", size, f"{size:.0f} MB", "", bound, size)


def _work(ground: Ground, running: Daemon, rows: int) -> int:
    running.bring(ground.statement(rows, "csv"))
    running.ask(BUILD)
    return running.resident()


def _export(running: Daemon) -> None:
    """Download everything; it comes in pieces, whose number nobody knows before."""
    connection = HTTPConnection("127.0.0.1", running.port)
    connection.request("GET", "/api/v1/export", headers={"Cookie": running.cookie})
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"The export was refused with {answer.status}.")
    while answer.read(PIECE):
        pass
    connection.close()

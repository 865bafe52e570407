"""`python -m benchmarks.soak`: one daemon under a mixed load for an hour, and what it holds each minute.

A round is 20,000 mixed requests of a crowd of two hundred on a ledger of 100,000 rows, 50 plans of it,
10 imports, each of the whole ledger after the last was undone, and a minute of rest. At rest,
memory, descriptors, threads and workers are to be what they were a round before.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from benchmarks.crowd import Life, Member, crowd
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.load import CLIENTS, LARGE, merchants_of, must_be_right, must_be_written, use
from benchmarks.memory import MEGABYTE, REST
from benchmarks.plans import BUILD
from benchmarks.wire import Question, Wire

REQUESTS = 20_000
PLANS = 50
IMPORTS = 10
CROWD_SECONDS = 10.0
MINUTE = 60.0
_BARS = "▁▂▃▄▅▆▇█"


class Held(NamedTuple):
    """What a daemon holds: megabytes with those of its workers, descriptors, threads and workers."""

    megabytes: float
    descriptors: int
    threads: int
    workers: int


@dataclass
class Soak:
    """What was seen: what was held each minute, and in the rest that ends each round."""

    minutes: list[Held] = field(default_factory=list)
    rests: list[Held] = field(default_factory=list)
    requests: int = 0
    plans: int = 0
    imports: int = 0


def soak(ground: Ground, minutes: float, tell: Callable[[str], None]) -> Soak:
    """Let a daemon live for so long; the round in which the time is over is brought to its end.

    Raises RuntimeError when an answer is wrong.
    """
    seen = Soak()
    until = monotonic() + minutes * MINUTE
    statement = ground.statement(LARGE, "csv")
    with daemon(ground.new_home()) as started:
        running = started
        imported = _brought(running, statement)
        running.ask(BUILD)
        life = partial(use, merchants_of(running))
        members: Sequence[Member] = ()
        with _noted_each_minute(running, seen):
            while monotonic() < until:
                members = _ask_mixed(running, life, members, seen)
                # A connection that nobody used meanwhile has been closed.
                running = replace(running, wire=Wire(running.port, running.cookie))
                must_be_written(running, members)
                for _ in range(PLANS):
                    running.ask(BUILD)
                    seen.plans += 1
                for _ in range(IMPORTS):
                    running.ask(Question("DELETE", f"/imports/{imported}"))
                    imported = _brought(running, statement)
                    seen.imports += 1
                Event().wait(REST)
                seen.rests.append(held(running))
                tell(f"Round {len(seen.rests)} is over: {seen.rests[-1]}")
    return seen


def _brought(running: Daemon, statement: Path) -> str:
    """Import a statement; answers the import's id."""
    return str(json.loads(running.bring(statement))["id"])


def held(running: Daemon) -> Held:
    """What a daemon holds at this moment (Linux)."""
    process = Path(f"/proc/{running.process.pid}")
    tasks = list((process / "task").iterdir())
    workers = sum(len((task / "children").read_text("ascii").split()) for task in tasks)
    descriptors = len(list((process / "fd").iterdir()))
    return Held(running.resident() / MEGABYTE, descriptors, len(tasks), workers)


def plotted(figures: Sequence[float]) -> str:
    """A row of bars from the lowest figure to the highest; all are low where none differs."""
    low, high = min(figures), max(figures)
    steps = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((figure - low) * steps)] for figure in figures)


def as_text(seen: Soak) -> str:
    """The plot of each figure minute by minute, and what was held after each round."""
    done = (
        f"{len(seen.minutes)} minutes: {seen.requests:,} requests, {seen.plans:,} plans,"
        f" {seen.imports:,} imports of {LARGE:,} rows, {len(seen.rests)} rounds."
    )
    lines = [done, ""]
    for place, name in enumerate(Held._fields):
        figures = [each[place] for each in seen.minutes]
        lines.append(f"{name:<12}{plotted(figures)}  {min(figures):.0f} to {max(figures):.0f}")
    lines += ["", f"{'At rest after':<15}" + "".join(f"{name:>13}" for name in Held._fields)]
    for number, rest in enumerate(seen.rests, start=1):
        lines.append(f"{f'round {number}':<15}" + "".join(f"{figure:>13.0f}" for figure in rest))
    return "\n".join(lines)


def _ask_mixed(
    running: Daemon, life: Life, members: Sequence[Member], seen: Soak
) -> Sequence[Member]:
    """Let a crowd ask its share of a round; answers who it was, to come again in the next one."""
    asked = 0
    while asked < REQUESTS:
        answers, members = asyncio.run(
            crowd(running.port, running.cookie, CLIENTS, CROWD_SECONDS, life, members)
        )
        must_be_right(answers)
        asked += len(answers.taken)
    seen.requests += asked
    return members


@contextmanager
def _noted_each_minute(running: Daemon, seen: Soak) -> Iterator[None]:
    over = Event()

    def note() -> None:
        while not over.wait(MINUTE):
            seen.minutes.append(held(running))

    thread = Thread(target=note)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak a daemon for as long as was asked for, and print what it held."""
    parser = argparse.ArgumentParser("python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long, at least")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="finplan-soak-") as folder:
        ground = Ground(Path(folder), (LARGE,), 1)
        seen = soak(ground, options.minutes, lambda line: print(line, file=sys.stderr, flush=True))
    print(as_text(seen))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

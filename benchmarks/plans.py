"""Building a plan over the whole ledger, beside fetching the same rows as raw tuples."""

import asyncio
from functools import partial
from sqlite3 import Connection
from time import perf_counter

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon, opened
from benchmarks.race import race, timed
from finplan.model.base import Nothing
from finplan.operations import BUILD_PLAN
from finplan.plan.build import assess, plan_of
from finplan.plan.detect.bookkeeping import keep_books
from finplan.service.context import Context
from finplan.service.derived.household import load_ledger


def measure(ground: Ground) -> list[Figure]:
    """The figures of a plan, for each size: in the process, and by POST /plan."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    home = ground.new_home(like=ground.filled_store(rows))
    connection = floors.connect(home.places.database)
    with daemon(home) as running, opened(home.places.database) as context:
        contestants = {
            "floor": partial(_floor, connection),
            "process": partial(_in_process, context),
            "rest": partial(_over_rest, running),
        }
        times = race(contestants, ground.rounds)
    connection.close()
    ground.forget(home)
    return [
        against(
            times["floor"], times["process"], "Plan: load, books, sections", rows, "time", Target(4)
        ),
        against(times["floor"], times["rest"], "Plan, POST /plan", rows, "time", Target(4)),
    ]


def _floor(connection: Connection) -> float:
    return timed(lambda: floors.read_rows(connection))


def _in_process(context: Context) -> float:
    async def build() -> float:
        start = perf_counter()
        ledger = await context.store.read(lambda c: load_ledger(c, context.caller.owner))
        today = context.today(ledger.settings.time_zone)
        await asyncio.to_thread(lambda: plan_of(assess(ledger, keep_books(ledger, today), today)))
        return perf_counter() - start

    return asyncio.run(build())


def _over_rest(running: Daemon) -> float:
    return timed(lambda: running.client.call_raw(BUILD_PLAN, Nothing()))

"""Questions about the whole ledger's spending, over REST, beside hand-written SQL and orjson.

Nothing may come from memory: before each question, also a floor's, the account is given its name again,
untimed, which raises the generations of data and rows that every cache is kept under, and makes SQLite
read its pages again. A question that is asked once more, of data that stay, does come from memory.
Connections stay open from question to question, as a client's do.
"""

import json
from collections.abc import Callable
from functools import partial
from sqlite3 import Connection

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from benchmarks.wire import saying

FLOORS: dict[str, Callable[[Connection], bytes]] = {
    "category": floors.group_by_category,
    "merchant": floors.group_by_merchant,
    "month": floors.group_by_month,
}
LARGE = 1_000_000
ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""


def measure(ground: Ground) -> list[Figure]:
    """The figures of grouping, one for each grouping and size."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    home = ground.new_home(like=ground.filled_store(rows))
    connection = floors.connect(home.places.database)
    with daemon(home) as running:
        contestants: dict[tuple[str, str], Contestant] = {
            **{("floor", by): partial(_floor, running, connection, by) for by in FLOORS},
            **{("rest", by): partial(_over_rest, running, by) for by in FLOORS},
            **{("again", by): partial(_again, running, by) for by in FLOORS},
        }
        times = race(contestants, ground.rounds * ROUNDS)
    connection.close()
    ground.forget(home)
    target = Target(1.2, LARGE) if rows == LARGE else Target(1.15)
    once_more = Target(0.05, LARGE)
    return [
        *(
            against(
                times["floor", by],
                times["rest", by],
                f"Spending by {by}, REST",
                rows,
                "time",
                target,
            )
            for by in FLOORS
        ),
        *(
            against(
                times["floor", by],
                times["again", by],
                f"The same by {by}, again",
                rows,
                "time",
                once_more,
            )
            for by in FLOORS
        ),
    ]


def _floor(running: Daemon, connection: Connection, group_by: str) -> float:
    change(running)
    return timed(lambda: FLOORS[group_by](connection))


def _over_rest(running: Daemon, group_by: str) -> float:
    change(running)
    return timed(lambda: running.get(f"/spending?groupBy={group_by}"))


def _again(running: Daemon, group_by: str) -> float:
    running.get(f"/spending?groupBy={group_by}")
    return timed(lambda: running.get(f"/spending?groupBy={group_by}"))


def change(running: Daemon) -> None:
    """Give the account its name again, so that nothing that was worked out holds any more."""
    (account,) = json.loads(running.get("/accounts"))
    running.ask(saying("PATCH", f"/accounts/{account['id']}", {"name": account["name"]}))

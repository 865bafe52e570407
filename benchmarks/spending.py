"""Questions about the whole ledger's spending, over REST, beside hand-written SQL and orjson.

Nothing may come from memory: before each question, also a floor's, the settings are saved again as
they are, untimed, which raises the data generation that every cache of answers is kept under, and
makes SQLite read its pages again. Connections stay open from question to question, as a client's do.
"""

from collections.abc import Callable
from functools import partial
from sqlite3 import Connection

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from finplan.model.base import Nothing
from finplan.model.user import SettingsChange
from finplan.operations import CHANGE_SETTINGS, SHOW_SETTINGS

FLOORS: dict[str, Callable[[Connection], bytes]] = {
    "category": floors.group_by_category,
    "merchant": floors.group_by_merchant,
    "month": floors.group_by_month,
}
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
        }
        times = race(contestants, ground.rounds * ROUNDS)
    connection.close()
    ground.forget(home)
    target = Target(1.3)
    return [
        against(
            times["floor", by], times["rest", by], f"Spending by {by}, REST", rows, "time", target
        )
        for by in FLOORS
    ]


def _floor(running: Daemon, connection: Connection, group_by: str) -> float:
    _change(running)
    return timed(lambda: FLOORS[group_by](connection))


def _over_rest(running: Daemon, group_by: str) -> float:
    _change(running)
    return timed(lambda: running.get(f"/spending?groupBy={group_by}"))


def _change(running: Daemon) -> None:
    time_zone = running.client.call(SHOW_SETTINGS, Nothing()).time_zone
    running.client.call(CHANGE_SETTINGS, SettingsChange(time_zone=time_zone))

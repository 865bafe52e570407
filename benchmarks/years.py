"""Spending of random years while the data change, beside the trivial route: requests per second.

Each block is a write and 99 questions, all three groupings in turn, over connections that stay open and
are all busy. The write files a merchant, or its charges of one exact amount, elsewhere, so that what was
answered before is wrong from then on. The trivial route reads one row, `GET /me`.
"""

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import cycle, islice
from random import Random

from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import race, timed
from benchmarks.wire import Question, Wire, ask_all

ROWS = 50_000
BLOCK = 100
ROUNDS = 6
"""How often more than the long measurements these short ones are repeated."""

CONNECTIONS = 4
GROUPINGS = ("category", "merchant", "month")
CATEGORIES = ("groceries", "dining", "shopping")
YEAR = timedelta(days=364)
TARGET = Target(0.3, ROWS)
SEED = 20


def measure(ground: Ground) -> list[Figure]:
    """How many requests a second there are, as a share of the trivial route's."""
    home = ground.new_home(like=ground.filled_store(ROWS))
    with daemon(home) as running:
        wires = running.wires(CONNECTIONS)
        blocks: dict[str, Callable[[], list[Question]]] = {
            "GET /me": _trivial,
            "a rule of one amount": partial(_block, _Dice(ground, running), amount=1234),
            "a rule of a merchant": partial(_block, _Dice(ground, running), amount=None),
        }
        contestants = {name: partial(_asked, wires, block) for name, block in blocks.items()}
        for contestant in contestants.values():
            contestant()
        times = race(contestants, ground.rounds * ROUNDS)
        for wire in wires:
            wire.close()
    ground.forget(home)
    trivial = times.pop("GET /me")
    return [
        against(
            trivial, taken, f"Random years, each {BLOCK}th request {write}", ROWS, "speed", TARGET
        )
        for write, taken in times.items()
    ]


class _Dice:
    """Random years of a ledger, and random merchants of its daemon's household."""

    def __init__(self, ground: Ground, running: Daemon) -> None:
        self._dice = Random(SEED)
        rows = ground.ledger(ROWS)
        self._first, last = (date.fromisoformat(str(row.day)) for row in (rows[0], rows[-1]))
        self._years = (last - YEAR - self._first).days
        rules = json.loads(running.get("/categories/rules"))
        self._merchants = [rule["payeeKey"] for rule in rules]

    def year(self) -> str:
        """A year of the ledger, as a query string."""
        since = self._first + timedelta(days=self._dice.randrange(self._years))
        return f"from={since}&to={since + YEAR}"

    def rule(self, amount: int | None) -> dict[str, str | int | None]:
        """A rule for a merchant, or for its charges of an amount."""
        merchant, category = self._dice.choice(self._merchants), self._dice.choice(CATEGORIES)
        return {"payeeKey": merchant, "category": category, "amount": amount}


def _asked(wires: Sequence[Wire], block: Callable[[], list[Question]]) -> float:
    questions = block()
    return timed(lambda: ask_all(wires, questions))


def _trivial() -> list[Question]:
    return [Question("GET", "/me")] * BLOCK


def _block(dice: _Dice, amount: int | None) -> list[Question]:
    write = Question("PUT", "/categories/rules", json.dumps(dice.rule(amount)).encode())
    groupings = islice(cycle(GROUPINGS), BLOCK - 1)
    years = [Question("GET", f"/spending?{dice.year()}&groupBy={by}") for by in groupings]
    return [write, *years]

"""Changes of a household with a plan, beside the least that a store does for them.

What touches one thing stands beside a commit of one row by the same daemon, a setting's, which itself
stands beside that commit in SQL; what touches an account's rows, beside one SQL update of those; and a
daemon's first change beside its later ones. Before each change the snapshot is shown, untimed, as it is
to a person who changes one thing after another; so each change finds an allowance that it may move.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from benchmarks.wire import Question, saying

ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""

LATER = 5
"""How many changes follow a daemon's first one."""

CATEGORIES = ("groceries", "dining", "shopping")
SEED = 24
COMMIT, ONE_ROW, ALL_ROWS = "commit", "PATCH /settings", "all rows"


class Changes:
    """What a person may change in the household of a daemon; each answers the seconds that it took."""

    def __init__(self, running: Daemon) -> None:
        self._running = running
        (account,) = json.loads(running.get("/accounts"))
        self._account, self._kind = f"/accounts/{account['id']}", account["subtype"]
        rules = json.loads(running.get("/categories/rules"))
        self._payees = [rule["payeeKey"] for rule in rules]
        page = json.loads(running.get("/transactions?limit=500"))
        self._rows = [row["id"] for row in page["transactions"] if row["transferId"] is None]
        asks_of_a_payee, self._task = max(
            (task["kind"] == "categorize_payee", task["id"])
            for task in json.loads(running.get("/tasks"))
        )
        # A small ledger asks of no payee; what it asks can be dismissed, which is an answer too.
        self._answer = {"answer": "dining"} if asks_of_a_payee else {"dismiss": True}
        self._numbers = count(1)
        self._dice = Random(SEED)

    def settings(self) -> float:
        """Another target of the emergency fund."""
        months = next(self._numbers) % 6 + 1
        return self._time(saying("PATCH", "/settings", {"targetMonths": months}))

    def rule(self) -> float:
        """Another category for a payee."""
        payee, category = self._dice.choice(self._payees), self._dice.choice(CATEGORIES)
        return self._time(rule_of(payee, category))

    def answer(self) -> float:
        """An answer to a question; it is taken back, since there are few of them."""
        path = f"/tasks/{self._task}/answer"
        return self._time(saying("POST", path, self._answer), Question("DELETE", path))

    def word(self) -> float:
        """Another category for a row by itself."""
        path = f"/transactions/{self._dice.choice(self._rows)}"
        return self._time(saying("PUT", path, {"category": self._dice.choice(CATEGORIES)}))

    def name(self) -> float:
        """Another name of the account."""
        return self._time(self._account_with(name=f"Checking {next(self._numbers)}"))

    def balance(self) -> float:
        """Another balance of the account."""
        return self._time(self._account_with(balance=500_000 + next(self._numbers)))

    def kind(self) -> float:
        """Another kind of account; it is taken back, since its rows are spent otherwise."""
        return self._time(self._account_with(kind="credit"), self._account_with(kind=self._kind))

    def hidden(self) -> float:
        """The account hidden; it is taken back, since there is nothing to see without it."""
        return self._time(self._account_with(hidden=True), self._account_with(hidden=False))

    def _account_with(self, **changes: object) -> Question:
        return saying("PATCH", self._account, changes)

    def _time(self, change: Question, back: Question | None = None) -> float:
        self._running.get("/snapshot")
        seconds = timed(partial(self._running.ask, change))
        if back is not None:
            self._running.ask(back)
        return seconds


Measured = Mapping[str, tuple[Callable[[Changes], float], str, Target | None]]

OF_ONE_THING: Measured = {
    ONE_ROW: (Changes.settings, COMMIT, None),
    "PUT /categories/rules": (Changes.rule, ONE_ROW, Target(5)),
    "POST /tasks/{id}/answer": (Changes.answer, ONE_ROW, Target(5)),
    "PUT /transactions/{id}": (Changes.word, ONE_ROW, Target(5)),
    "PATCH /accounts/{id}, name": (Changes.name, ONE_ROW, Target(5)),
    "PATCH /accounts/{id}, balance": (Changes.balance, ONE_ROW, Target(5)),
}
"""Changes that leave the rows alone, each with its floor and its target."""

OF_ROWS: Measured = {
    "PATCH /accounts/{id}, kind": (Changes.kind, ALL_ROWS, Target(3)),
    "PATCH /accounts/{id}, hidden": (Changes.hidden, ALL_ROWS, Target(3)),
}
"""Changes of which rows count; what was known of their payees holds no more for the next rule."""


def measure(ground: Ground) -> list[Figure]:
    """The figures of changes, for each size."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def rule_of(payee: str, category: str) -> Question:
    """The question that files a payee."""
    return saying("PUT", "/categories/rules", {"payeeKey": payee, "category": category})


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    planned = ground.planned_store(rows)
    home = ground.new_home(like=planned)
    connection = floors.connect(ground.new_store(like=planned))
    names = (f"Checking {number}" for number in count())
    with daemon(home) as running:
        changes = Changes(running)
        below: dict[str, Contestant] = {
            COMMIT: lambda: timed(lambda: floors.commit_a_row(connection, next(names))),
            ALL_ROWS: lambda: timed(lambda: floors.commit_all_rows(connection)),
        }
        figures = [
            figure
            for floor, measured in ((COMMIT, OF_ONE_THING), (ALL_ROWS, OF_ROWS))
            for figure in _figures(changes, measured, {floor: below[floor]}, rows, ground.rounds)
        ]
    connection.close()
    ground.forget(home)
    return [*figures, _first(ground, rows, planned)]


def _figures(
    changes: Changes, measured: Measured, below: Mapping[str, Contestant], rows: int, rounds: int
) -> list[Figure]:
    contestants = {name: partial(change, changes) for name, (change, _, _) in measured.items()}
    times = race({**below, **contestants}, rounds * ROUNDS)
    return [
        against(times[floor], times[name], name, rows, "time", target)
        for name, (_, floor, target) in measured.items()
    ]


def _first(ground: Ground, rows: int, planned: Path) -> Figure:
    """The first change that a daemon is asked for, beside the median of some later ones."""
    firsts, laters = list[float](), list[float]()
    for _ in range(ground.rounds):
        home = ground.new_home(like=planned)
        with daemon(home) as running:
            rules = [rule_of(payee, CATEGORIES[0]) for payee in _payees(planned)]
            # Connecting is no part of a write, nor is the first look at who asks.
            running.get("/me")
            first, *later = (timed(partial(running.ask, rule)) for rule in rules)
        ground.forget(home)
        firsts.append(first)
        laters.append(median(later))
    name = "PUT /categories/rules, a daemon's first"
    return against(median(laters), median(firsts), name, rows, "time", Target(3))


def _payees(planned: Path) -> list[str]:
    """Some payees of a store, read beside the daemon: it is to be asked for nothing before."""
    connection = floors.connect(planned)
    keys = connection.execute("SELECT key FROM payee ORDER BY no LIMIT ?", (1 + LATER,)).fetchall()
    connection.close()
    return [key for (key,) in keys]

"""Finding rows by words and sizes, over REST, beside the same pages without either.

Each question is asked once, so that no answer comes from memory; the rows stay, as they do while
somebody looks for some. Words of many rows, of few and of none take turns, and the slow end counts.
"""

import json
from collections import defaultdict
from urllib.parse import quote

from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import timed

WORDS = (
    *("market", "netflix", "verizon wireless", "anytime fitness club", "zzyzx", "power light"),
    *("payroll", "café", "москва", "state farm zzyzx"),
)
PAGE = 50
ROUNDS = 10
"""Rounds for each one of the long measurements: a slow end needs many questions."""


def measure(ground: Ground) -> list[Figure]:
    """The slow ends of looking for words and for sizes, for each size of ledger."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    home = ground.new_home(like=ground.filled_store(rows))
    with daemon(home) as running:
        running.get("/transactions")
        times: dict[str, list[float]] = defaultdict(list)
        for place in range(ground.rounds * ROUNDS):
            limit = f"limit={PAGE + place}"
            for word in WORDS:
                text = quote(word)
                asked = f"{limit}&to={_day(word)}"
                times["page"].append(_asked(running, asked))
                times["text"].append(_asked(running, f"{limit}&text={text}"))
            times["size"].append(_asked(running, f"{limit}&minAmount=4000&maxAmount=6000"))
        found = json.loads(running.get(f"/transactions?text={quote(WORDS[0])}"))
        if not found["transactions"]:
            raise RuntimeError(
                f"Nothing was found of {WORDS[0]!r}: what was measured is no search."
            )
    ground.forget(home)
    page = slow_end(times["page"])
    return [
        against(page, slow_end(times["text"]), "Words, p95 of a page", rows, "time", Target(3)),
        against(page, slow_end(times["size"]), "A size, p95 of a page", rows, "time", Target(3)),
    ]


def slow_end(times: list[float]) -> float:
    """The time that nineteen of twenty questions take at most."""
    return sorted(times)[-(-19 * len(times) // 20) - 1]


def _day(word: str) -> str:
    # A page without words is asked for as often, each time of other days.
    return f"2026-{WORDS.index(word) + 1:02d}-15"


def _asked(running: Daemon, query: str) -> float:
    return timed(lambda: running.get(f"/transactions?{query}"))

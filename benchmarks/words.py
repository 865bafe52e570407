"""Spending over REST with words on single rows in the ledger, beside the same ledger without any.

Two daemons take turns. Nothing may come from memory: before each question the account is given its name
again, untimed. The words are on rows of the whole ledger, as many as a diligent person says in years.
"""

from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from sqlite3 import Connection

from benchmarks import floors
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from benchmarks.spending import ROUNDS, change
from finplan.store.queries.single_words import IN_PARTS

CATEGORIES = 1_000
"""Rows with a category of their own."""

SPLITS = 500
"""Rows in two parts."""

GROUPINGS = ("category", "merchant", "month")
SEED = 51

_REMEMBER = (
    "INSERT INTO remembered_row (owner_no, account_id, account_key, currency, day, amount, raw,"
    " external_id, ordinal, pending) SELECT tx.owner_no, account.id, account.external_id, currency, day,"
    " amount, raw, tx.external_id, ordinal, 0 FROM tx JOIN account ON account.no = account_no"
    " WHERE tx.no = ? RETURNING no"
)


def measure(ground: Ground) -> list[Figure]:
    """The figures of spending with words beside those without, for each size."""
    return [figure for rows in ground.sizes for figure in _of_size(ground, rows)]


def _of_size(ground: Ground, rows: int) -> list[Figure]:
    filled = ground.filled_store(rows)
    plain, worded = ground.new_home(like=filled), ground.new_home(like=filled)
    speak(worded.places.database)
    with daemon(plain) as silent, daemon(worded) as spoken:
        contestants: dict[tuple[str, str], Contestant] = {
            (name, by): partial(_asked, running, by)
            for by in GROUPINGS
            for name, running in (("plain", silent), ("worded", spoken))
        }
        times = race(contestants, ground.rounds * ROUNDS)
    for home in (plain, worded):
        ground.forget(home)
    return [
        against(
            times["plain", by],
            times["worded", by],
            f"Spending by {by}, with words",
            rows,
            "time",
            Target(1.1),
        )
        for by in GROUPINGS
    ]


def _asked(running: Daemon, group_by: str) -> float:
    change(running)
    return timed(lambda: running.get(f"/spending?groupBy={group_by}"))


def speak(database: Path) -> None:
    """Say of rows of a store, drawn by lot, what they or their parts are for."""
    with closing(floors.connect(database)) as connection:
        numbers = [no for (no,) in connection.execute("SELECT no FROM tx WHERE counts = 1")]
        drawn = Random(SEED).sample(numbers, CATEGORIES + SPLITS)
        for place, number in enumerate(drawn):
            word = _word(connection, number, None if place < SPLITS else "pets")
            if place < SPLITS:
                _split(connection, word, number)
        connection.commit()


def _word(connection: Connection, row: int, category: str | None) -> int:
    (was,) = connection.execute(_REMEMBER, (row,)).fetchone()
    (word,) = connection.execute(
        "INSERT INTO single_word (id, owner_no, row_no, tx_no, category, said_at)"
        " SELECT 'word_' || no, owner_no, ?, no, ?, 0 FROM tx WHERE no = ? RETURNING no",
        (was, category, row),
    ).fetchone()
    connection.execute("UPDATE tx SET filed = ? WHERE no = ?", (category or IN_PARTS, row))
    return int(word)


def _split(connection: Connection, word: int, row: int) -> None:
    halves = (("amount / 2", "gifts_donations"), ("amount - amount / 2", "pets"))
    for place, (amount, category) in enumerate(halves):
        connection.execute(
            "INSERT INTO word_part (owner_no, word_no, place, amount, category)"
            f" SELECT owner_no, ?, ?, {amount}, ? FROM tx WHERE no = ?",
            (word, place, category, row),
        )

"""Importing a CSV by POST /imports and with the command, beside a plain sqlite3 loop; other formats."""

import json
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from benchmarks import floors
from benchmarks.commands import FINPLAN
from benchmarks.figures import Figure, Target, against
from benchmarks.ground import OWNER, Daemon, Ground, daemon
from benchmarks.ledgers import FEWEST_ROWS, LedgerRow
from benchmarks.race import Contestant, race, timed
from benchmarks.wire import Question
from finplan.categorise.joining import join_keys
from finplan.categorise.payee import payee_of

COMMAND = (*FINPLAN, "--quiet", "import")


def measure(ground: Ground) -> list[Figure]:
    """The figures of importing a CSV; all sizes and ways take turns, so that they compare."""
    times = _raced(ground, ("floor", "csv", "command"))
    figures = [
        against(times[rows, "floor"], times[rows, way], name, rows, "speed", Target(bound))
        for rows in ground.sizes
        for way, name, bound in (
            ("csv", "CSV import, POST /imports", 0.75),
            ("command", "CSV import, `finplan import`", 0.35),
        )
    ]
    return figures + _growth(ground, {rows: times[rows, "csv"] for rows in ground.sizes})


def measure_formats(ground: Ground) -> list[Figure]:
    """The figures of other formats beside CSV, and of each file once more."""
    times = _raced(ground, _FORMAT_WAYS)
    figures = []
    for rows in ground.sizes:
        took = {way: times[rows, way] for way in _FORMAT_WAYS if (rows, way) in times}
        figures += _beside_csv(rows, took)
    return figures


def _raced(ground: Ground, ways: Iterable[str]) -> dict[tuple[int, str], float]:
    contestants: dict[tuple[int, str], Contestant] = {
        (rows, way): partial(_WAYS[way], ground, rows)
        for rows in ground.sizes
        for way in ways
        if way in _OF_EVERY_SIZE or rows <= _LARGEST_OF_OTHER_FORMATS
    }
    return race(contestants, ground.rounds)


def convert(connection: sqlite3.Connection, rows: list[LedgerRow]) -> list[floors.ConvertedRow]:
    """What the floor starts from: one account, the payees, and the rows ready for INSERT."""
    connection.execute("BEGIN")
    connection.execute(
        "INSERT INTO connection (no, id, owner_no, provider, institution_name, status, created_at)"
        " VALUES (1, 'con_1', ?, 'manual', 'Statement files', 'ok', 0)",
        (OWNER,),
    )
    connection.execute(
        "INSERT INTO account (no, id, owner_no, connection_no, external_id, name, kind, currency)"
        " VALUES (1, 'acc_1', ?, 1, 'name:checking', 'checking', 'depository', 'USD')",
        (OWNER,),
    )
    connection.execute(
        "INSERT INTO import_batch (no, id, owner_no, status, started_at)"
        " VALUES (1, 'imp_1', ?, 'running', 0)",
        (OWNER,),
    )
    named = {raw: payee_of(raw) for raw in dict.fromkeys(row.raw for row in rows)}
    written = join_keys(dict.fromkeys(payee.key for payee in named.values()))
    payees: dict[str, int] = {}
    for raw, payee in named.items():
        if payee.key not in payees and payee.key not in written:
            payees[payee.key] = len(payees) + 1
            connection.execute(
                "INSERT INTO payee (no, owner_no, key, name, raw, category_out, category_in,"
                " decided_out, decided_in, why) VALUES (?, ?, ?, ?, ?, '', '', '', '', '')",
                (payees[payee.key], OWNER, payee.key, payee.name, raw),
            )
    numbers = {raw: payees[written.get(each.key, each.key)] for raw, each in named.items()}
    connection.execute("COMMIT")
    seen: Counter[LedgerRow] = Counter()
    converted: list[floors.ConvertedRow] = []
    for row in rows:
        ordinal = seen[row]
        seen[row] = ordinal + 1
        day, amount, raw = row
        converted.append((OWNER, 1, numbers[raw], day, amount, raw, None, ordinal, "csv", 1, 1))
    return converted


def _floor(ground: Ground, rows: int) -> float:
    home = ground.new_home()
    connection = floors.connect(home.places.database)
    converted = convert(connection, ground.ledger(rows))
    seconds = timed(lambda: floors.import_rows(connection, converted))
    connection.close()
    ground.forget(home)
    return seconds


def _posted(ground: Ground, rows: int, suffix: str, like: Path | None = None) -> float:
    home = ground.new_home(like)
    with daemon(home) as running:
        _warm_up(ground, running)
        seconds = timed(lambda: running.bring(ground.statement(rows, suffix)))
    ground.forget(home)
    return seconds


def _again(ground: Ground, rows: int, suffix: str) -> float:
    return _posted(ground, rows, suffix, ground.holding(ground.statement(rows, suffix)))


def _by_command(ground: Ground, rows: int) -> float:
    home = ground.new_home()
    command = [*COMMAND, str(ground.statement(rows, "csv"))]
    with daemon(home) as running:
        _warm_up(ground, running)
        seconds = timed(
            lambda: subprocess.run(
                command, env=running.environment, check=True, stdout=subprocess.DEVNULL
            )
        )
    ground.forget(home)
    return seconds


def _warm_up(ground: Ground, running: Daemon) -> None:
    """Let a daemon import a small file and undo that, so that it has read what it ships with."""
    report = json.loads(running.bring(ground.statement(FEWEST_ROWS, "csv")))
    if report["id"] is not None:
        running.ask(Question("DELETE", f"/imports/{report['id']}"))


_FORMATS = {
    "qif": "QIF",
    "sta": "MT940",
    "xml": "CAMT",
    "journal": "hledger",
    "beancount": "beancount",
}
_TARGETS = dict.fromkeys(("qif", "sta", "xml"), Target(4.0))
"""Of banks' formats beside CSV; a journal has none."""

_AGAIN = {"csv": "CSV", "ofx": "OFX", **_FORMATS}
_OF_EVERY_SIZE = frozenset(["floor", "csv", "ofx", "command"])
_LARGEST_OF_OTHER_FORMATS = 100_000
"""Banks give these out month by month; a million rows of CAMT would be 400 MB."""

_WAYS: Mapping[str, Callable[[Ground, int], float]] = {
    "floor": _floor,
    # What is compared runs one after the other, so that both find the machine in the same state.
    **{
        way: partial(run, suffix=suffix)
        for suffix in _AGAIN
        for way, run in ((suffix, _posted), (f"{suffix} again", _again))
    },
    "command": _by_command,
}
_FORMAT_WAYS = [way for way in _WAYS if way not in {"floor", "command"}]


def _beside_csv(rows: int, took: Mapping[str, float]) -> list[Figure]:
    return [
        against(took["csv"], took["ofx"], "OFX import against CSV", rows, "time", Target(2.0)),
        *(
            against(
                took["csv"],
                took[suffix],
                f"{name} import against CSV",
                rows,
                "time",
                _TARGETS.get(suffix),
            )
            for suffix, name in _FORMATS.items()
            if suffix in took
        ),
        *(
            against(
                took[suffix],
                took[f"{suffix} again"],
                f"{name} again, against its first import",
                rows,
                "time",
                Target(1.0),
            )
            for suffix, name in _AGAIN.items()
            if f"{suffix} again" in took
        ),
    ]


def _growth(ground: Ground, took: Mapping[int, float]) -> list[Figure]:
    """The cost of a row in the largest ledger beside the smallest one's."""
    small, large = min(ground.sizes), max(ground.sizes)
    if small == large:
        return []
    name = f"CSV import, cost per row beside {small:,} rows"
    target = Target(1.25, rows=1_000_000)
    return [against(took[small] / small, took[large] / large, name, large, "time", target)]

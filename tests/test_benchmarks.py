"""What the benchmarks compare is the same: the ledger for a seed, and the answers of floor and product.

No time is asserted here; `make bench` measures.
"""

import asyncio
import json
import sqlite3
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import floors, load
from benchmarks.crowd import Member, crowd
from benchmarks.descriptors import PAYEES
from benchmarks.figures import Target, against, as_markdown, as_text
from benchmarks.ground import OWNER, Ground, daemon
from benchmarks.imports import convert
from benchmarks.ledgers import WRITERS, generate, write_csv, write_ofx
from benchmarks.race import race
from benchmarks.spending import FLOORS
from benchmarks.wire import Question, ask_all
from finplan.categorise.payee import payee_of
from finplan.service.derived.household import load_ledger
from finplan.statements.detect import read
from finplan.statements.statement import Hints, Source
from finplan.store.store import Store

ROWS = 2_000
UNTIL = date(2026, 2, 28)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return Ground(tmp_path_factory.mktemp("bench"), (ROWS,), rounds=1)


def test_a_seed_gives_one_ledger() -> None:
    """The same size, day and seed give the same rows, and another seed gives others."""
    assert generate(ROWS, UNTIL, seed=7) == generate(ROWS, UNTIL, seed=7)
    assert generate(ROWS, UNTIL, seed=7) != generate(ROWS, UNTIL, seed=8)


def test_a_ledger_has_the_shape_that_it_promises() -> None:
    """A ledger has exactly so many rows over ten years, in order, and three in ten texts are new.

    Its descriptors come to about as many payees as it was made of, and pay covers the spending.
    """
    rows = generate(30_000, UNTIL)
    days = [row.day for row in rows]
    assert len(rows) == 30_000
    assert days == sorted(days)
    assert (days[0], days[-1]) == (20160229, 20260228)
    texts = {row.raw for row in rows}
    assert 0.25 < len(texts) / len(rows) < 0.35
    assert 0.5 * PAYEES < len({payee_of(text).key for text in texts}) < 1.2 * PAYEES
    assert 0 < sum(row.amount for row in rows) < 0.15 * sum(max(0, row.amount) for row in rows)


def test_a_statement_is_the_same_file_each_time(tmp_path: Path) -> None:
    """Both formats are written byte for byte the same, and hold a row for each of the ledger's."""
    rows = generate(ROWS, UNTIL)
    for write, mark in ((write_csv, b"\r\n"), (write_ofx, b"<STMTTRN>")):
        write(rows, tmp_path / "first")
        write(rows, tmp_path / "second")
        written = (tmp_path / "first").read_bytes()
        assert written == (tmp_path / "second").read_bytes()
        assert written.count(mark) == len(rows) + (mark == b"\r\n")


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_statement_holds_the_ledger(tmp_path: Path, suffix: str) -> None:
    """Whatever the format, a reader finds the days and amounts of the ledger in order, and its texts."""
    rows = generate(ROWS, UNTIL)
    path = tmp_path / f"statement.{suffix}"
    WRITERS[suffix](rows, path)
    found = [row for part in read(Source.of(path), Hints()).parts for row in part.rows]
    assert [(row.day, row.amount) for row in found] == [(row.day, row.amount) for row in rows]
    # A bank's MT940 says before each text how the money went.
    assert all(its.raw.endswith(row.raw) for its, row in zip(found, rows, strict=True))


def test_the_import_floor_stores_what_the_product_stores(ground: Ground) -> None:
    """The floor's plain loop and an import of the CSV file leave the same rows in the same table."""
    connection = floors.connect(ground.new_store())
    floors.import_rows(connection, convert(connection, ground.ledger(ROWS)))
    by_floor = _stored(connection)
    connection.close()
    connection = floors.connect(ground.filled_store(ROWS))
    by_product = _stored(connection)
    connection.close()
    assert len(by_floor) == ROWS
    assert by_floor == by_product


@pytest.mark.parametrize("group_by", FLOORS)
def test_a_grouping_floor_answers_what_the_product_answers(ground: Ground, group_by: str) -> None:
    """The floor's hand-written SQL comes to the same totals, shares and order as GET /spending."""
    home = ground.new_home(like=ground.filled_store(ROWS))
    connection = floors.connect(home.places.database)
    by_floor = json.loads(FLOORS[group_by](connection))
    connection.close()
    with daemon(home) as running:
        report = json.loads(running.get(f"/spending?groupBy={group_by}"))
    assert len(report["groups"]) > 10
    assert by_floor == report


def test_the_plan_floor_fetches_what_a_plan_reads(ground: Ground) -> None:
    """The floor fetches the very rows that a ledger is loaded with."""
    connection = floors.connect(ground.filled_store(ROWS))
    by_floor = floors.read_rows(connection)
    connection.close()
    store = Store.open(ground.new_store(ground.filled_store(ROWS)), ground.folder / "backups")
    ledger = asyncio.run(store.read(lambda c: load_ledger(c, OWNER)))
    store.close()
    assert len(by_floor) == ROWS
    assert by_floor == ledger.rows


def test_contestants_take_turns() -> None:
    """A race runs A B A B …, and answers the median of each."""
    order: list[str] = []
    times = {"a": [1.0, 9.0, 2.0], "b": [3.0, 3.0, 8.0]}

    def contestant(name: str) -> float:
        order.append(name)
        return times[name][order.count(name) - 1]

    medians = race({name: partial(contestant, name) for name in times}, rounds=3)
    assert "".join(order) == "ababab"
    assert medians == {"a": 2.0, "b": 3.0}


def test_a_figure_stands_beside_its_target() -> None:
    """More speed or less time than the target meets it; another size than its own has none."""
    half = Target(0.5)
    fast = against(1.0, 2.0, "import", 100_000, "speed", half)
    slow = against(1.0, 2.5, "import", 100_000, "speed", half)
    other = against(1.0, 2.5, "import", 10_000, "speed", half)
    assert (fast.verdict, slow.verdict, other.verdict) == ("met", "missed", "")
    assert against(1.0, 1.3, "group", 100_000, "time", Target(1.3)).verdict == "met"
    assert against(1.0, 1.4, "group", 100_000, "time", Target(1.3)).verdict == "missed"
    assert "| import | 100,000 | 2.00 s | 1.00 s | 0.50× | ≥ 0.5× | met |" in as_markdown([fast])
    assert as_text([fast, slow]).count("≥ 0.5×") == 2


def test_the_command_measures_what_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """`--only`, `--rows` and `--rounds` choose, and the table is all that goes to stdout."""
    assert command.main(["--only", "plan", "--rows", str(ROWS), "--rounds", "1"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["Figure", "Rows", "Measured", "Floor", "Ratio", "Target"]
    assert [line.split()[0] for line in table[1:]] == ["Plan,"]


def test_a_crowd_reads_and_writes_and_loses_nothing(tmp_path: Path) -> None:
    """Clients that read and write for a moment get only right answers, and all they wrote is there.

    What one had been told was written, and is not there, is found.
    """
    ground = Ground(tmp_path, (ROWS,), rounds=1, seconds=0.5)
    home = ground.new_home()
    with daemon(home) as running:
        merchants = load.settle(running)
        seen, members = asyncio.run(
            crowd(running.port, running.cookie, 20, ground.seconds, partial(load.use, merchants))
        )
        load.must_be_right(seen)
        load.must_be_written(running, members)
        writer = next(member for member in members if member.written)
        writer.written |= {"category": "cat_lost", "name": "Lost"}
        with pytest.raises(RuntimeError, match="was lost"):
            load.must_be_written(running, members)

        seen, _ = asyncio.run(crowd(running.port, running.cookie, 1, 0.0, _ask_nonsense))
        assert seen.wrong == []
        seen, _ = asyncio.run(crowd(running.port, running.cookie, 1, 0.1, _ask_nonsense))
        with pytest.raises(RuntimeError, match="404 GET /nonsense"):
            load.must_be_right(seen)


async def _ask_nonsense(member: Member) -> None:
    await member.ask(Question("GET", "/nonsense"))


def test_questions_are_answered_over_few_connections(tmp_path: Path) -> None:
    """However many there are, each is put once; one that is refused ends the measurement."""
    home = Ground(tmp_path, (ROWS,), rounds=1).new_home()
    with daemon(home) as running:
        wires = running.wires(3)
        names = [json.dumps({"name": f"Ada {place}"}).encode() for place in range(20)]
        ask_all(wires, [Question("PATCH", "/me", name) for name in names])
        assert json.loads(running.get("/me"))["name"].startswith("Ada ")
        with pytest.raises(RuntimeError, match="answered 404"):
            ask_all(wires, [Question("GET", "/nonsense")])
        for wire in wires:
            wire.close()


def _stored(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT day, amount, tx.raw, payee.key, external_id, ordinal, tx.source, counts FROM tx"
        " JOIN payee ON payee.no = tx.payee_no ORDER BY day, amount, tx.raw, ordinal"
    ).fetchall()

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

import finplan
from benchmarks import __main__ as command, changes, floors, load
from benchmarks.crowd import Member, crowd
from benchmarks.descriptors import PAYEES
from benchmarks.figures import Target, against, as_json, as_markdown, as_text
from benchmarks.ground import OWNER, Ground, daemon
from benchmarks.imports import convert
from benchmarks.ledgers import WRITERS, generate, write_csv, write_ofx
from benchmarks.race import race
from benchmarks.spending import FLOORS
from benchmarks.wire import Question, ask_all
from finplan.categorise.payee import payee_of
from finplan.service.derived.household import load_ledger
from finplan.statements.detect import read
from finplan.statements.statement import Hints, SourceFile
from finplan.store.store import Store

pytestmark = pytest.mark.slow

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
    found = [
        row for part in read(SourceFile.of(path), Hints(household="USD")).parts for row in part.rows
    ]
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


def test_a_grouping_floor_answers_what_the_product_answers(ground: Ground) -> None:
    """The floor's hand-written SQL comes to the same totals, shares and order as GET /spending."""
    home = ground.new_home(like=ground.filled_store(ROWS))
    connection = floors.connect(home.places.database)
    with daemon(home) as running:
        for group_by, floor in FLOORS.items():
            report = json.loads(running.get(f"/spending?groupBy={group_by}"))
            assert len(report["groups"]) > 10
            assert json.loads(floor(connection)) == report
    connection.close()


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
    row = as_markdown([fast]).splitlines()[-1].strip("| ")
    assert row.split(" | ") == ["import", "100,000", "2.00 s", "1.00 s", "0.50×", "≥ 0.5×", "met"]
    assert as_text([fast, slow]).count("≥ 0.5×") == 2


def test_the_command_measures_what_it_is_asked_for(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--only`, `--rows` and `--rounds` choose, and the table is all that goes to stdout."""
    chosen: list[object] = []

    def take(_folder: Path, *choices: object) -> Ground:
        chosen.extend(choices)
        return ground

    monkeypatch.setattr(command, "Ground", take)
    asked = ["--only", "plan", "--rows", str(ROWS), "--rounds", "1", "--seconds", "2"]
    assert command.main(asked) == 0
    assert chosen == [(ROWS,), 1, 2.0]
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["Figure", "Rows", "Measured", "Floor", "Ratio", "Target"]
    assert [line.split()[0] for line in table[1:]] == ["Plan,", "Plan", "Forecast,", "Four"]


def test_changes_leave_the_household_fit_for_the_next(ground: Ground) -> None:
    """What was answered is open again, and the account neither hidden nor of another kind.

    What is changed for good differs from what was there before.
    """
    with daemon(ground.new_home(like=ground.planned_store(ROWS))) as running:
        seen = [running.get(path) for path in ("/tasks", "/accounts", "/settings")]
        possible = changes.Changes(running)
        for change in (possible.answer, possible.kind, possible.hidden):
            change()
        assert [running.get(path) for path in ("/tasks", "/accounts", "/settings")] == seen
        for change in (possible.name, possible.balance, possible.settings):
            change()
        _, before, months = seen
        assert running.get("/accounts") != before
        assert running.get("/settings") != months
        possible.rule()
        rules = json.loads(running.get("/categories/rules"))
        assert [rule["source"] for rule in rules].count("user") == 1


NAMES, LEFT_OUT = "SELECT name FROM account", "SELECT count(*) FROM tx WHERE counts = 0"


def test_the_floors_of_changes_commit(ground: Ground) -> None:
    """One floor changes the account's row, the other all of its rows, and another reader sees both."""
    database = ground.new_store(ground.filled_store(ROWS))
    writer, reader = floors.connect(database), floors.connect(database)
    floors.commit_a_row(writer, "Another name")
    floors.commit_all_rows(writer)
    assert reader.execute(NAMES).fetchall() == [("Another name",)]
    assert reader.execute(LEFT_OUT).fetchone() == (ROWS,)
    writer.close()
    reader.close()


def test_figures_are_for_programs_too() -> None:
    """`--json` has what each figure is, what the product itself took, and which product it was."""
    said = json.loads(as_json([against(1.0, 2.0, "import", 100_000, "speed", Target(0.5))]))
    assert Path(said["product"]) == Path(finplan.__file__).parent
    (figure,) = said["figures"]
    assert (figure["name"], figure["rows"], figure["kind"]) == ("import", 100_000, "speed")
    assert (figure["value"], figure["cost"], figure["target"]) == (0.5, 2.0, 0.5)


def test_a_crowd_reads_and_writes_and_loses_nothing(ground: Ground) -> None:
    """Clients that read and write for a moment get only right answers, and all they wrote is there.

    What one had been told was written, and is not there, is found.
    """
    with daemon(ground.new_home()) as running:
        merchants = load.settle(running)
        seen, members = asyncio.run(
            crowd(running.port, running.cookie, 20, 0.5, partial(load.use, merchants))
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


def test_questions_are_answered_over_few_connections(ground: Ground) -> None:
    """However many there are, each is put once; one that is refused ends the measurement."""
    with daemon(ground.new_home()) as running:
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

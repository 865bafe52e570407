"""What reading 100,000 rows may cost, as ratios of medians taken in turn in the same run."""

import csv
import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from finplan.model.money import to_text
from finplan.statements.detect import read
from finplan.statements.statement import Hints, Source

ROWS = 100_000
ROUNDS = 5


def table(folder: Path, rows: int) -> Path:
    path = folder / f"table{rows}.csv"
    first = date(2015, 1, 1)
    balance = 0
    lines = ["Date,Description,Amount,Balance"]
    for number in range(rows):
        cents = (number * 7919) % 90_000 - 80_000
        balance += cents
        day = first + timedelta(days=number // 30)
        shop = f"TRADER JOES #{number % 997:04} SEATTLE WA"
        lines.append(f"{day:%m/%d/%Y},{shop},{to_text(cents, 'USD')},{to_text(balance, 'USD')}")
    path.write_text("\n".join(lines) + "\n")
    return path


def ofx(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.ofx"
    first = date(2015, 1, 1)
    body = "".join(
        f"<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>{first + timedelta(days=number // 30):%Y%m%d}120000\n"
        f"<TRNAMT>{to_text((number * 7919) % 90_000 - 80_000, 'USD')}\n<FITID>{number}\n"
        f"<NAME>TRADER JOES #{number % 997:04}\n<MEMO>SEATTLE WA\n</STMTTRN>\n"
        for number in range(rows)
    )
    account = "<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>"
    path.write_text(f"<OFX><STMTRS><CURDEF>USD{account}{body}</STMTRS></OFX>")
    return path


def count(path: Path) -> int:
    return sum(len(part.rows) for part in read(Source.of(path), Hints()).parts)


def split(path: Path) -> int:
    with path.open(newline="") as file:
        return len(list(csv.reader(file)))


def medians(jobs: dict[str, Callable[[], object]]) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            gc.collect()
            began = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - began)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


@pytest.mark.slow
def test_reading_keeps_its_ratios(tmp_path: Path) -> None:
    """A table costs at most 7 times the bare splitting of its cells, OFX at most twice a table."""
    the_table, the_ofx = table(tmp_path, ROWS), ofx(tmp_path, ROWS)
    assert count(the_table) == count(the_ofx) == ROWS
    taken = medians(
        {
            "split": lambda: split(the_table),
            "table": lambda: count(the_table),
            "ofx": lambda: count(the_ofx),
        }
    )
    assert taken["table"] <= 7 * taken["split"]
    assert taken["ofx"] <= 2 * taken["table"]


@pytest.mark.slow
@pytest.mark.parametrize("write", [table, ofx])
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, write: Callable[[Path, int], Path]
) -> None:
    """Ten times the rows take no more memory at once."""
    peaks = []
    for rows in (20_000, 200_000):
        path = write(tmp_path, rows)
        tracemalloc.start()
        assert count(path) == rows
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]

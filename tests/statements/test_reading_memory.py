"""What reading a large file may occupy; what it may take is measured by `make bench`."""

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from finplan.model.money import to_text
from finplan.statements import export_household
from finplan.statements.csv import layout
from finplan.statements.detect import read
from finplan.statements.statement import Hints, SourceFile, UnreadableStatement
from tests.statements import bank_files
from tests.statements.bank_files import Row

HINTS = Hints(household="USD")


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


def generated(rows: int) -> Iterator[Row]:
    first = date(2015, 1, 1)
    for number in range(rows):
        shop = f"TRADER JOES #{number % 997:04} SEATTLE WA"
        yield first + timedelta(days=number // 30), (number * 7919) % 90_000 - 80_000, shop


def qif(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.qif"
    path.write_text(bank_files.qif(generated(rows)))
    return path


def mt940(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.sta"
    path.write_text(bank_files.mt940(generated(rows)))
    return path


def camt(folder: Path, rows: int) -> Path:
    path = folder / f"statement{rows}.xml"
    path.write_text(bank_files.camt(generated(rows), version=8))
    return path


def export(folder: Path, rows: int) -> Path:
    """An export of finplan's own, whose rows come after everything else."""
    path = folder / f"home{rows}.json"
    listed = ",\n".join(
        f'{{"accountId": "acc_1", "date": "{day}", "amount": {amount}, "raw": "{shop}",'
        f' "payeeKey": "trader joes", "source": "csv"}}'
        for day, amount, shop in generated(rows)
    )
    account = '{"id": "acc_1", "name": "Everyday", "currency": "USD"}'
    path.write_text(f'{{"finplan": 1, "accounts": [{account}],\n"transactions": [\n{listed}\n]}}\n')
    return path


def peak_of(path: Path, rows: int) -> int:
    """The most bytes that reading a file of so many rows takes at once."""
    tracemalloc.start()
    try:
        assert count(path) == rows
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def count(path: Path) -> int:
    return sum(len(part.rows) for part in read(SourceFile.of(path), HINTS).parts)


@pytest.mark.thorough
@pytest.mark.parametrize("write", [table, ofx, qif, mt940, camt, export])
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, write: Callable[[Path, int], Path]
) -> None:
    """Ten times the rows take no more memory at once."""
    few, many = (peak_of(write(tmp_path, rows), rows) for rows in (20_000, 200_000))
    assert many < 1.5 * few


def test_memory_does_not_grow_with_lines_that_are_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not kept until the columns are known, nor for the second pass."""
    monkeypatch.setattr(layout, "_MOST_CELLS", 3_000)
    path = tmp_path / "table.csv"
    peaks = []
    for lines in (20_000, 60_000):
        path.write_text(
            "Date,Description,Amount\n2026-03-04,SHOP,-3.50\n" + f"{'x' * 40},\n" * lines
        )
        peaks.append(peak_of(path, 1))
    assert peaks[1] < 1.2 * peaks[0]


def test_a_value_that_never_ends_is_refused_while_it_is_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes some of its bound, and not as much as the file has."""
    bound = 1 << 16
    monkeypatch.setattr(export_household, "_LONGEST_VALUE", bound)
    path = tmp_path / "home.json"
    path.write_text('{"finplan": 1, "accounts": [{"id": "' + "x" * (128 * bound))
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableStatement):
            count(path)
        assert tracemalloc.get_traced_memory()[1] < 32 * bound
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("most", [0, 40, 1_500, 3_000])
def test_a_table_reads_alike_whether_its_rows_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Also where it is too large before enough rows of data have shown what its columns mean."""
    path = table(tmp_path, 700)
    path.write_text(path.read_text().replace("\n", "\n,,,\n", 400))
    rows = [row for part in read(SourceFile.of(path), HINTS).parts for row in part.rows]
    monkeypatch.setattr(layout, "_MOST_CELLS", most)
    monkeypatch.setattr(layout, "_ROWS_FOR_COLUMNS", 500)
    again = [row for part in read(SourceFile.of(path), HINTS).parts for row in part.rows]
    assert len(rows) == 700
    assert again == rows

"""Real files from public repositories, against their index and this folder's corrections of it."""

import csv
import os
import re
import time
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from tests.statements.reading_files import Statement, read_path

PROJECT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("FINPLAN_SAMPLES", PROJECT.parent / "shared" / "samples"))
CORRECTIONS = tomllib.loads((Path(__file__).parent / "sample_counts.toml").read_text())

pytestmark = pytest.mark.skipif(
    not (FOLDER / "index.tsv").exists(), reason=f"the samples are not in {FOLDER} (FINPLAN_SAMPLES)"
)


class Sample(NamedTuple):
    """One line of the index, corrected: how many rows, or what the refusal says."""

    file: str
    transactions: int | None
    refused: str
    date_order: str | None
    is_corrected: bool


def indexed() -> list[dict[str, str]]:
    index = FOLDER / "index.tsv"
    if not index.exists():
        return []
    with index.open(newline="", encoding="utf-8") as lines:
        return [row for row in csv.DictReader(lines, delimiter="\t") if row["format"] in FORMATS]


FORMATS = {"OFX", "QFX", "CSV", "?"}


def corrected(row: dict[str, str]) -> Sample:
    correction = CORRECTIONS.get(row["file"], {})
    refusals = {"investment-only": "investments only", "hostile/negative": ""}
    if correction:
        count = correction.get("transactions")
    else:
        count = int(row["expected_tx"]) if row["role"] == "positive" else None
    return Sample(
        row["file"],
        count,
        correction.get("refused", refusals.get(row["role"], "")),
        correction.get("date_order"),
        bool(correction),
    )


SAMPLES = [corrected(row) for row in indexed() if row["role"] != "snippet"]
WHOLE = [sample for sample in SAMPLES if sample.transactions is not None]
REFUSED = [sample for sample in SAMPLES if sample.transactions is None]
ASKED = [sample for sample in SAMPLES if sample.date_order]


def read_sample(file: str, date_order: str | None = None) -> Statement:
    return read_path(FOLDER / file, Hints(date_order=date_order))  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", WHOLE, ids=lambda sample: sample.file)
def test_every_row_of_a_real_file_is_read(sample: Sample) -> None:
    """A file holds as many rows as somebody counted in it, each with a day and a descriptor."""
    found = read_sample(sample.file, sample.date_order)
    assert len(found.rows) == sample.transactions
    assert all(19900101 < row.day < 20991231 for row in found.rows)
    assert not sample.transactions or any(found.raws)


@pytest.mark.parametrize("sample", REFUSED, ids=lambda sample: sample.file)
def test_a_hostile_file_is_refused_within_a_second(sample: Sample) -> None:
    """What cannot be a bank's rows ends in one sentence, soon."""
    began = time.perf_counter()
    with pytest.raises(UnreadableStatement) as refused:
        read_sample(sample.file)
    assert sample.refused in str(refused.value)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("sample", ASKED, ids=lambda sample: sample.file)
def test_an_open_question_is_asked(sample: Sample) -> None:
    """A file that leaves the order of its dates open is not guessed at."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_sample(sample.file)
    assert asked.value.hint == "date_order"
    assert sample.date_order in asked.value.choices


def test_most_files_need_neither_correction_nor_question() -> None:
    """Corrections are exceptions: 85 % of the positive files are right as the index has them."""
    positive = [corrected(row) for row in indexed() if row["role"] == "positive"]
    untouched = [sample for sample in positive if not sample.is_corrected]
    assert len(untouched) >= 0.85 * len(positive)


def test_every_correction_is_of_a_file_and_says_why() -> None:
    """No correction outlives its file, and each has its reason."""
    files = {row["file"] for row in indexed()}
    assert files >= CORRECTIONS.keys()
    assert all(correction["why"].endswith(".") for correction in CORRECTIONS.values())


GOLDEN = {
    "generic_importer/test_basic": "generic_importer/csv/generic_statement.csv",
    "mint/test_basic": "mint/mint.csv",
    "ofx/test_amex": "ofx/amex.ofx",
    "ofx/test_anzcc": "ofx/anzcc.ofx",
    "ofx/test_bank_medium": "ofx/bank_medium.ofx",
    "ofx/test_checking": "ofx/checking.ofx",
    "ofx/test_checking_emptyledgerbal": "ofx/checking-emptyledgerbal.ofx",
    "ofx/test_suncorp": "ofx/suncorp.ofx",
}
"""The results of another importer, and the file that each is of."""


@pytest.mark.parametrize("golden", GOLDEN)
def test_days_and_amounts_agree_with_another_importer(golden: str) -> None:
    """To the cent and to the day, a second program reads the same rows."""
    project = FOLDER / "jbms+beancount-import"
    results = project / "_golden" / "testdata" / "source" / golden / "import_results.beancount"
    pattern = r'"amount": "(-?[\d.]+) \w+",\n;\s*"date": "(\d+)-(\d+)-(\d+)"'
    theirs = sorted(
        (int("".join(day)), int(Decimal(amount) * 100))
        for amount, *day in re.findall(pattern, results.read_text())
    )
    found = read_sample(f"jbms+beancount-import/testdata/source/{GOLDEN[golden]}")
    assert sorted(found.money) == theirs
    assert theirs


def test_a_code_page_is_told_from_a_real_file() -> None:
    """Baltic and Western letters of real banks come out as they were meant."""
    danske = "kedder+ofxstatement-lithuanian/src/ofxstatement/plugins/tests/samples/danske.csv"
    assert "Mokėjimo nurodymas" in " ".join(read_sample(danske).raws)
    french = [f"simonmichael+hledger/examples/sample.fr.{name}.csv" for name in ("utf8", "cp1252")]
    assert read_sample(french[0]).raws == read_sample(french[1]).raws

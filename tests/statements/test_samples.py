"""Real files from public repositories, against their index and this folder's corrections of it."""

import ast
import base64
import csv
import os
import re
import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from finplan.statements.detect import read
from finplan.statements.statement import (
    AmbiguousStatement,
    HeaderAnswers,
    Hints,
    SourceFile,
    UnreadableStatement,
)
from tests.statements.reading_files import Statement, read_path
from tests.steps import steps

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


FORMATS = {
    "OFX", "QFX", "CSV", "QIF", "CAMT.053", "CAMT.054", "MT940", "MT942", "?",
}  # fmt: skip


def corrected(row: dict[str, str]) -> Sample:
    correction = CORRECTIONS.get(row["file"], {})
    refusals = {"investment-only": "only investments", "hostile/negative": ""}
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


SAID = Hints(currency="USD", direction="in", amount_column="4")
"""A person's words for what a file of the samples leaves open, whichever that is."""


def read_sample(file: str, date_order: str | None = None) -> Statement:
    return read_path(FOLDER / file, replace(SAID, date_order=date_order))  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", WHOLE, ids=lambda sample: sample.file)
def test_every_row_of_a_real_file_is_read(sample: Sample) -> None:
    """A file holds as many rows as somebody counted in it, each with a day and a descriptor."""
    found = read_sample(sample.file, sample.date_order)
    assert len(found.rows) == sample.transactions
    assert all(19900101 < row.day < 20991231 for row in found.rows)
    assert not sample.transactions or any(found.raws)


@pytest.mark.parametrize("sample", REFUSED, ids=lambda sample: sample.file)
def test_a_hostile_file_is_refused_soon(sample: Sample) -> None:
    """What cannot be a bank's rows ends in one sentence, after fifty lines of Python for a byte."""

    def refuse() -> None:
        with pytest.raises(UnreadableStatement) as refused:
            read_sample(sample.file)
        assert sample.refused in str(refused.value)

    # What is read once and kept, such as tables of words, is no part of it.
    refuse()
    assert steps(refuse) < 5000 + 50 * (FOLDER / sample.file).stat().st_size


@pytest.mark.parametrize("sample", ASKED, ids=lambda sample: sample.file)
def test_an_open_question_is_asked(sample: Sample) -> None:
    """A file that leaves the order of its dates open is not guessed at."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_sample(sample.file)
    (question,) = asked.value.questions
    assert question.about == "date_order"
    assert question.allows(sample.date_order)


@pytest.mark.parametrize(
    "sample",
    [sample for sample in WHOLE if not sample.date_order and sample.file.endswith(".csv")],
    ids=lambda sample: sample.file,
)
def test_no_word_of_before_overrules_a_real_file(sample: Sample) -> None:
    """Where a file leaves nothing open, whatever was said of others like it changes no row."""
    source = SourceFile.of(FOLDER / sample.file)
    reading = read(source, SAID)
    rows = [part for part in reading.parts if part.rows]
    if reading.header is None:
        return
    for said in (
        HeaderAnswers(None, "dmy", ","),
        HeaderAnswers(None, "mdy", "."),
        HeaderAnswers(None, "ymd", ","),
    ):
        again = read(source, replace(SAID, profiles={reading.header.signature: said}))
        assert again.used == HeaderAnswers()
        assert [part for part in again.parts if part.rows] == rows


def test_most_files_need_neither_correction_nor_question() -> None:
    """Corrections are exceptions: 85 % of the positive files are right as the index has them."""
    positive = [corrected(row) for row in indexed() if row["role"] == "positive"]
    untouched = [sample for sample in positive if not sample.is_corrected]
    assert len(untouched) >= 0.85 * len(positive)


def test_every_correction_is_of_a_file_and_says_why() -> None:
    """No correction outlives its file, and each has its reason."""
    assert {row["file"] for row in indexed()} >= CORRECTIONS.keys()
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


MT940_FOLDER = FOLDER / "wolph+mt940"
MT940_RESULTS = sorted((MT940_FOLDER / "_golden").rglob("*.yml"))


def results_of_mt940(path: Path) -> list[tuple[int, int]]:
    """The booking day and the amount in cents of each transaction that the library mt-940 found.

    It leaves a reversed credit (RC) positive, though balances prove that it takes money away.
    """
    found = []
    for transaction in path.read_text().partition("\ntransactions:")[2].split("Transaction\n")[1:]:
        amount = re.search(r"Decimal\n +- '(-?[\d.]+)'", transaction)
        status = re.search(r"\n    status: (\w+)", transaction)
        days = dict(re.findall(r"\n    (\w*date): .*Date\n    - !!binary \|\n +(\S+)", transaction))
        printed = days.get("entry_date") or days.get("guessed_entry_date") or days["date"]
        century, year, month, day = base64.b64decode(printed)
        assert amount is not None
        assert status is not None
        sign = -1 if status[1] == "RC" else 1
        booked = (century * 256 + year) * 10000 + month * 100 + day
        found.append((booked, sign * int(Decimal(amount[1]) * 100)))
    return found


@pytest.mark.parametrize("golden", MT940_RESULTS, ids=lambda path: path.stem)
def test_mt940_agrees_with_a_library(golden: Path) -> None:
    """To the cent and to the day, mt-940 reads the same rows, where its own file is there."""
    theirs = results_of_mt940(golden)
    own = golden.relative_to(MT940_FOLDER / "_golden").with_suffix(".sta")
    if theirs and (MT940_FOLDER / own).exists():
        assert sorted(read_path(MT940_FOLDER / own).money) == sorted(theirs)


def test_the_library_s_results_were_understood() -> None:
    """The comparison above is of many rows."""
    assert sum(len(results_of_mt940(path)) for path in MT940_RESULTS) > 150


def test_rows_lead_from_one_balance_to_the_next() -> None:
    """What banks print as opening balance and the rows add up to the closing one, reversals too."""
    path = MT940_FOLDER / "mt940_tests" / "betterplace" / "sepa_mt9401.sta"
    opened = re.findall(r"^:60[FM]:([CD])\d{6}EUR(\d+),(\d*)", path.read_text(), re.MULTILINE)
    opening = [
        int(f"{'-' if sign == 'D' else ''}{whole}{cents:0<2}") for sign, whole, cents in opened
    ]
    balance, checked = 0, 0
    for part in read_path(path).parts:
        balance += sum(part.rows.amounts)
        if part.balance is not None:
            assert opening[checked] + balance == part.balance
            balance, checked = 0, checked + 1
    assert checked == len(opening) == 26


def test_camt_agrees_with_another_importer() -> None:
    """To the cent and to the day, Odoo's importer reads the same entries, which it splits."""
    odoo = FOLDER / "OCA+bank-statement-import"
    for name in ("camt053", "camt053-txdtls", "camt054"):
        text = (odoo / "_golden" / f"golden-{name}.pydata").read_text()
        _, number, statements = ast.literal_eval(text)
        found = read_sample(
            f"OCA+bank-statement-import/account_statement_import_camt/test_files/test-{name}"
        )
        theirs = [row for statement in statements for row in statement["transactions"]]
        assert sum(found.amounts) == sum(round(row["amount"] * 100) for row in theirs)
        assert set(found.days) == {int(row["date"].replace("-", "")) for row in theirs}
        assert {account.number for account in found.accounts} == {number}


def test_a_code_page_is_told_from_a_real_file() -> None:
    """Baltic and Western letters of real banks come out as they were meant."""
    danske = "kedder+ofxstatement-lithuanian/src/ofxstatement/plugins/tests/samples/danske.csv"
    assert "Mokėjimo nurodymas" in " ".join(read_sample(danske).raws)
    french = [f"simonmichael+hledger/examples/sample.fr.{name}.csv" for name in ("utf8", "cp1252")]
    assert read_sample(french[0]).raws == read_sample(french[1]).raws

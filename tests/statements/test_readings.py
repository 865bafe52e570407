"""Every real CSV file is read as a person reads it, or asked about, or refused; see golden_readings.

`readings/not_yet.txt` lists the files that are not, with what is wrong: one that is right by now has to
leave it, so that nothing that was right once goes wrong unseen.
"""

import os
from pathlib import Path

import pytest

from tests.statements.golden_readings import READINGS, Golden, goldens, judge

SHARED = Path(
    os.environ.get("FINPLAN_SAMPLES", Path(__file__).parents[3] / "shared" / "samples")
).parent
SETS = ("samples", "samples2")
NOT_YET = dict(
    line.split("\t", 1) for line in (READINGS / "not_yet.txt").read_text("utf-8").splitlines()
)

pytestmark = pytest.mark.skipif(
    not all((SHARED / each / "index.tsv").exists() for each in SETS),
    reason=f"the samples are not in {SHARED} (FINPLAN_SAMPLES)",
)

GOLDENS = [golden for each in SETS for golden in goldens(each)]


def name_of(golden: Golden) -> str:
    return f"{golden.set_}/{golden.file}"


@pytest.mark.parametrize("golden", GOLDENS, ids=name_of)
def test_a_file_is_read_as_a_person_reads_it(golden: Golden) -> None:
    """Days, amounts, currencies and texts are those of the file; only what it leaves open is asked."""
    judgement = judge(golden, SHARED / golden.set_)
    expected = NOT_YET.get(name_of(golden), "right")

    word = judgement.word.removeprefix("asks, ")
    assert {"refused": "right"}.get(word, word) == expected, "\n".join(
        (*judgement.wrong, *judgement.poor)
    )


def test_every_csv_file_has_a_golden() -> None:
    """No file of the samples is left out, and none is listed as wrong that is not there."""
    missing = [
        f"{each}/{file}"
        for each in SETS
        for line in (SHARED / each / "index.tsv").read_text("utf-8").splitlines()[1:]
        for file, _, _, kind, *_ in [line.split("\t")]
        if kind == "CSV" and not (READINGS / each / f"{file.replace('/', '~')}.tsv").exists()
    ]

    assert missing == []
    assert NOT_YET.keys() <= {name_of(golden) for golden in GOLDENS}

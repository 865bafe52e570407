"""A file of an account that is there already: the question and the refusal as people see them."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.golden_files import Golden
from tests.service import one_truth

ROWS = one_truth.rows(30)


@pytest.fixture
def files(finplan: Run, tmp_path: Path) -> Iterator[list[str]]:
    """An OFX file that has been imported, and CSV files of the same account; the last lacks its pay."""
    ofx, csv, spent = (tmp_path / name for name in ("checking.ofx", "umsatz.csv", "spent.csv"))
    ofx.write_text(one_truth.ofx(ROWS))
    csv.write_text(one_truth.other_csv(ROWS[10:]))
    spent.write_text(one_truth.bank_csv([row for row in ROWS[10:] if row[1] < 0]))
    assert finplan("import", str(ofx), "--yes", "--quiet").code == 0
    yield [str(ofx), str(csv), str(spent)]
    finplan("daemon", "stop")


def test_nobody_to_ask(finplan: Run, files: list[str], golden: Golden) -> None:
    """With --yes nothing is imported, and each answer stands with its option, which can be pasted.

    What kind of account it is matters only where it is another one.
    """
    arguments = ("import", files[2], "--currency", "EUR", "--direction", "in", "--yes")
    refused = finplan(*arguments)
    assert (refused.code, refused.out) == (4, b"")
    golden("same-account-refused", re.sub(r"acc_[0-9a-z]+", "acc_ID", refused.err))
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1

    option = re.search(r"--same-account (acc_\w+)", refused.err)
    assert option is not None
    taken = finplan(*arguments, "--same-account", option[1])
    assert (taken.code, b"17 rows: 0 new, 17 ambiguous" in taken.out) == (0, True)
    assert "Nothing new, but your answers are kept." in taken.err
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1


def test_a_person_is_asked(
    finplan: Run, files: list[str], golden: Golden, person: list[str]
) -> None:
    """In a terminal the question says what was compared and what each answer means."""
    person += ["2", "y"]
    ended = finplan("import", files[1], "--currency", "EUR")
    assert ended.code == 0
    golden("same-account", ended.err.split("Imported.")[0])
    assert finplan("accounts", "--json").out.count(b'"mask"') == 2

    found = finplan("duplicates")
    ids = re.sub(r"(dup|imp)_[0-9a-z]+", r"\1_ID", found.out.decode())
    golden("same-account-twice", ids)


def test_an_answer_is_kept_though_no_row_is_new(
    finplan: Run, files: list[str], person: list[str]
) -> None:
    """The next file of the same kind is not asked about, though the one that was brought nothing."""
    person += ["1", "y"]
    ended = finplan("import", files[1], "--currency", "EUR")
    assert ended.code == 0
    assert "Nothing new, but your answers are kept.\n`finplan imports undo imp_" in ended.err
    later = one_truth.rows(10, ROWS[-1][0] + timedelta(2))
    Path(files[1]).write_text(one_truth.other_csv(later))
    again = finplan("import", files[1], "--yes")
    assert (again.code, b"10 rows: 10 new" in again.out) == (0, True)
    assert finplan("accounts", "--json").out.count(b'"mask"') == 1


def test_an_answer_that_is_not_kept(finplan: Run, files: list[str], person: list[str]) -> None:
    """A person who says no is asked about the file again."""
    person += ["1", "n"]
    assert finplan("import", files[1], "--currency", "EUR").code == 0
    assert finplan("import", files[1], "--currency", "EUR", "--yes").code == 4


def test_a_file_that_asks_nothing_and_brings_nothing(
    finplan: Run, files: list[str], person: list[str]
) -> None:
    """There is nothing to keep where nothing was asked and no day or balance is new."""
    ended = finplan("import", files[0])
    assert ended.err.endswith("There is nothing new to import.\n")
    assert person == []


def test_a_quiet_month_is_kept(finplan: Run, files: list[str], person: list[str]) -> None:
    """The days and the balance of a statement without a new row are kept, if the person says so."""
    quiet = f"{ROWS[0][0]:<DTSTART>%Y%m%d}{ROWS[-1][0] + timedelta(31):<DTEND>%Y%m%d}"
    statement = Path(files[0])
    statement.write_text(statement.read_text().replace("<BANKTRANLIST>", f"<BANKTRANLIST>{quiet}"))
    person += ["n"]
    assert "are kept" not in finplan("import", files[0]).err
    person += ["y"]
    assert "the stated days and balances are kept." in finplan("import", files[0]).err
    assert "There is nothing new to import." in finplan("import", files[0]).err

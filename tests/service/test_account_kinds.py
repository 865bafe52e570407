"""What the names of files and accounts say of the accounts that are read from them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from finplan.model.account import KindWord
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.imports.import_run import ImportRun, StagedAccount
from finplan.service.imports.kind_resolution import finding_of, kind_said
from finplan.service.imports.reading import stage_files
from finplan.statements.statement import Hints
from finplan.store.offload import ReadDoor

Stage = Callable[[str], StagedAccount]


@pytest.fixture
def staged(tmp_path: Path) -> Stage:
    """Read a table that names no account, and whose rows say nothing, from a file with this name."""

    def stage(name: str) -> StagedAccount:
        path = tmp_path / "uploaded"
        path.write_text("Date,Text,Amount\n2026-03-04,A,-1.00\n")
        request = ImportRequest()
        files, at = (UploadedFile(name, path),), tmp_path / "stage"
        run = ImportRun(1, "imp_1", request, files, (request,), at)
        (account,) = stage_files(
            ReadDoor(create_engine("sqlite://")), run, [Hints(household="USD")]
        ).accounts
        return account

    return stage


@pytest.mark.parametrize(
    "name",
    [
        "Alliant Credit Union.csv",
        "navy_federal_credit_unions.csv",
        "discarded rows.csv",
        "postcards shop.csv",
        "accredited.csv",
        "lifesavings.csv",
        "debit card.csv",
        "visa debit 2026.csv",
        "debit_credit.csv",
        "Umsaetze_Sparkasse.csv",
        "export.csv",
    ],
)
def test_a_name_without_words_of_a_kind_says_nothing(staged: Stage, name: str) -> None:
    """Only whole words speak; a credit union is no card, and nothing is assumed."""
    assert finding_of(staged(name)).kind is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("alliant credit union checking.csv", "checking"),
        ("Visa checking.csv", "checking"),
        ("savings to checking.csv", "checking"),
        ("Umsätze_Girokonto.csv", "checking"),
        ("Lönekonto 2026.csv", "checking"),
        ("conta corrente.csv", "checking"),
        ("Credit Card.csv", "credit"),
        ("chase_credit_2026.csv", "credit"),
        ("my-card.csv", "credit"),
        ("VISA2026.csv", "credit"),
        ("CreditCard.csv", "credit"),
        ("amex.csv", "credit"),
        ("Alliant Credit Union Visa.csv", "credit"),
        ("Kreditkartenumsätze.csv", "credit"),
        ("carte de crédit.csv", "credit"),
        ("cartão.csv", "credit"),
        ("Savings 2026.csv", "savings"),
        ("my_saving.csv", "savings"),
        ("Money Market.csv", "savings"),
        ("Tagesgeldkonto.csv", "savings"),
        ("Livret A.csv", "savings"),
        ("mortgage 2026.csv", "loan"),
        ("Hypothekendarlehen.csv", "loan"),
        ("roth ira.csv", "investment"),
    ],
)
def test_a_name_with_the_word_of_a_kind_is_of_it(staged: Stage, name: str, kind: str) -> None:
    """Whole words speak in a bank's language; checking is said louder than all else."""
    assert finding_of(staged(name)).kind == kind


@pytest.mark.parametrize(
    ("name", "word", "said"),
    [
        ("export.csv", "checking", ("depository", "checking")),
        ("export.csv", "savings", ("depository", "savings")),
        ("export.csv", "credit", ("credit", "credit card")),
        ("export.csv", "loan", ("loan", None)),
        ("export.csv", "depository", ("depository", None)),
        ("Savings 2026.csv", "depository", ("depository", "savings")),
        ("Savings 2026.csv", "checking", ("depository", "checking")),
        ("savings to checking.csv", "depository", ("depository", None)),
        ("Savings 2026.csv", "investment", ("investment", None)),
    ],
)
def test_the_word_of_a_person_is_the_kind(
    staged: Stage, name: str, word: KindWord, said: tuple[str, str | None]
) -> None:
    """Checking and savings are said in one word; `depository` alone leaves them to the name."""
    assert kind_said(staged(name), word) == said

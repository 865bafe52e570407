"""What the files' names say of the accounts that are read from them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from finplan.model.account import AccountKind
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.reading import stage_files
from finplan.statements.statement import Hints
from finplan.store.offload import ReadDoor

KindOf = Callable[..., tuple[str, str | None]]


@pytest.fixture
def kind_of(tmp_path: Path) -> KindOf:
    """Read a table that names no account from a file with this name; give its kind and subtype."""

    def read_named(name: str, asked: AccountKind | None = None) -> tuple[str, str | None]:
        path = tmp_path / "uploaded"
        path.write_text("Date,Text,Amount\n2026-03-04,A,-1.00\n")
        request = ImportRequest(account_kind=asked)
        files, stage = (UploadedFile(name, path),), tmp_path / "stage"
        run = ImportRun(1, "imp_1", request, files, (request,), stage)
        (account,) = stage_files(
            ReadDoor(create_engine("sqlite://")), run, [Hints(household="USD")]
        ).accounts
        return account.kind, account.subtype

    return read_named


@pytest.mark.parametrize(
    "name",
    [
        "alliant credit union checking.csv",
        "Alliant Credit Union.csv",
        "navy_federal_credit_unions.csv",
        "discarded rows.csv",
        "postcards shop.csv",
        "accredited.csv",
        "lifesavings.csv",
        "debit card.csv",
        "Visa checking.csv",
        "savings to checking.csv",
        "export.csv",
    ],
)
def test_a_name_without_the_words_of_a_card_or_savings_is_checking(
    kind_of: KindOf, name: str
) -> None:
    """Only whole words speak; a credit union is no card, and checking is said louder than all else."""
    assert kind_of(name) == ("depository", "checking")


@pytest.mark.parametrize(
    "name",
    [
        "Credit Card.csv",
        "chase_credit_2026.csv",
        "my-card.csv",
        "cards 2026.csv",
        "VISA2026.csv",
        "CreditCard.csv",
        "amex.csv",
        "Alliant Credit Union Visa.csv",
    ],
)
def test_a_name_with_the_word_of_a_card_is_a_card(kind_of: KindOf, name: str) -> None:
    """A card is known by its word, whatever stands around it."""
    assert kind_of(name) == ("credit", "credit card")


@pytest.mark.parametrize(
    "name",
    ["Savings 2026.csv", "my_saving.csv", "Money Market.csv", "alliant credit union savings.csv"],
)
def test_a_name_with_the_word_of_savings_is_savings(kind_of: KindOf, name: str) -> None:
    """Savings are known by their word, also at a credit union."""
    assert kind_of(name) == ("depository", "savings")


@pytest.mark.parametrize(
    ("name", "asked", "subtype"),
    [
        ("Savings 2026.csv", "depository", "savings"),
        ("savings to checking.csv", "depository", None),
        ("Savings 2026.csv", "investment", None),
    ],
)
def test_the_word_of_savings_speaks_for_a_kind_that_is_told(
    kind_of: KindOf, name: str, asked: AccountKind, subtype: str | None
) -> None:
    """A person who says that an account is a bank account has not said that it is no savings one."""
    assert kind_of(name, asked) == (asked, subtype)

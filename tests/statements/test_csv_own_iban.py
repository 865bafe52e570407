"""The currency by the account's own IBAN, which stands in every row."""

import pytest

from finplan.statements.statement import AmbiguousStatement
from tests.statements.reading_files import ReadFile

OWN, OTHER = "CH8993000000000000001", "SE5193000000000000002"


def table(name: str, ibans: list[str]) -> str:
    """A German table with a column of IBANs."""
    rows = [f"{day}.03.2026,SHOP,-7.50,{iban}\n" for day, iban in enumerate(ibans, start=13)]
    return f"Buchungstag,Buchungstext,Betrag,{name}\n" + "".join(rows)


@pytest.mark.parametrize("name", ["Konto", "Vorbel"])
def test_an_iban_in_every_row_is_the_accounts_own(read_file: ReadFile, name: str) -> None:
    """Its country names the currency, below any name that says nothing else."""
    found = read_file(table(name, [OWN, OWN]), household=None)
    assert found.accounts[0].currency == "CHF"


@pytest.mark.parametrize("ibans", [[OWN], [OWN, OTHER]])
def test_ibans_that_differ_or_stand_alone_prove_nothing(
    read_file: ReadFile, ibans: list[str]
) -> None:
    """Below a name that says nothing they may be other people's."""
    with pytest.raises(AmbiguousStatement, match="currency"):
        read_file(table("Vorbel", ibans), household=None)


def test_an_iban_below_a_payees_name_is_not_the_accounts(read_file: ReadFile) -> None:
    """A name that says something else leaves the currency open."""
    with pytest.raises(AmbiguousStatement, match="currency"):
        read_file(table("Empfänger", [OWN, OWN]), household=None)


@pytest.mark.parametrize(
    "name", ["对方账号", "對方帳號", "相手口座番号", "상대계좌번호", "收款账号"]
)
@pytest.mark.parametrize("other", ["/", "880012345678"])
def test_the_other_sides_account_is_nobodys_own(read_file: ReadFile, name: str, other: str) -> None:
    """A number of the other party's account is not the person's, though few of them come in a file."""
    rows = f"2026-03-04,A,-1.00,{other}\n2026-03-15,B,-2.00,{other}\n"
    found = read_file(f"Date,Text,Amount,{name}\n{rows}", currency="CNY")
    assert [account.name for account in found.accounts] == ["Girokonto"]
    assert found.accounts[0].number is None


@pytest.mark.parametrize(
    "name", ["Inhaberkonto", "Kliendi konto", "Klienta konts", "This Party Account"]
)
def test_a_column_of_the_own_account_parts_the_rows(read_file: ReadFile, name: str) -> None:
    """A file may have rows of several accounts of its holder, each of which keeps its own."""
    rows = "".join(
        f"{own};2026-03-1{n};X;-{n}.00\n" for n, own in enumerate(["A-100", "B-200"] * 2, 1)
    )
    found = read_file(f"{name};Date;Text;Amount\n{rows}")
    assert {account.name for account in found.accounts} == {"A-100", "B-200"}

"""Known layouts: an entry of data proves what a bank's header alone does not say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from finplan.statements.statement import AmbiguousStatement, Hints, KindClue
from finplan.statements.table import layouts
from tests.statements.reading_files import Statement, read_content

NORTHWIND: Mapping[str, Any] = {
    "bank": "a Northwind card",
    "columns": ["Booked", "Shop", "Card No.", "Charge", "Owed"],
    "besides": ["Points"],
    "kind": "credit",
    "currency": "EUR",
    "reads": {"Charge": "amount", "Owed": "owed", "Card No.": "account", "Shop": "payee"},
    "direction": "out",
    "date_order": "dmy",
}
ITS_FILE = (
    "Booked,Shop,Card No.,Charge,Owed\n"
    "03/04/2026,Meadow Bakery,5204-1,12.50,112.50\n"
    "05/04/2026,Harbour Books,5204-1,40.00,152.50\n"
)


@pytest.fixture
def northwind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one layout alone be known."""
    known = (layouts.read_layout(NORTHWIND),)
    monkeypatch.setattr(layouts, "known_layouts", lambda: known)


def clues(found: Statement) -> set[KindClue]:
    return {clue for part in found.parts for clue in part.kind_clues}


@pytest.mark.usefixtures("northwind")
def test_an_entry_proves_everything_at_once(tmp_path: Path) -> None:
    """Kind, columns, direction, currency, dates, the account and what is owed follow from the header."""
    found = read_content(tmp_path / "april.csv", ITS_FILE)
    (account,) = found.accounts
    assert found.money == [(20260403, -1250), (20260405, -4000)]
    assert (account.number, account.currency, account.currency_is_assumed) == (
        "5204-1",
        "EUR",
        True,
    )
    assert found.balances == {"5204-1": (-15250, 20260405)}
    assert [row.payee for row in found.rows] == ["Meadow Bakery", "Harbour Books"]
    assert [each.kinds for each in clues(found) if "Northwind" in each.why] == [("credit",)]


def test_without_its_entry_it_is_asked_about(tmp_path: Path) -> None:
    """Nothing of the file itself says what the entry does, so that the entry is what told it."""
    with pytest.raises(AmbiguousStatement):
        read_content(tmp_path / "april.csv", ITS_FILE)


@pytest.mark.usefixtures("northwind")
@pytest.mark.parametrize(("further", "is_known"), [("Points", True), ("Branch", False)])
def test_a_table_with_other_columns_is_another_one(
    tmp_path: Path, further: str, *, is_known: bool
) -> None:
    """Of a known table only those columns that it may have as well stand beside its own."""
    head, *rows = ITS_FILE.splitlines()
    content = "\n".join([f"{head},{further}", *(f"{row},North 7" for row in rows), ""])
    said = Hints(currency="EUR", direction="out", date_order="dmy")
    found = read_content(tmp_path / "april.csv", content, said)
    assert any("Northwind" in each.why for each in clues(found)) == is_known


@pytest.mark.usefixtures("northwind")
def test_a_persons_word_goes_before_an_entry(tmp_path: Path) -> None:
    """An entry answers only what nobody has said and the file leaves open."""
    found = read_content(tmp_path / "april.csv", ITS_FILE, Hints(date_order="mdy"))
    assert found.days == [20260304, 20260504]


SHIPPED = {
    "discover": (
        (
            "Trans. Date,Post Date,Description,Amount,Category\n"
            '09/03/2026,09/04/2026,"MEADOW FOODS",45.67,"Merchandise"\n'
            '09/05/2026,09/06/2026,"HARBOUR GAS",20.00,"Gasoline"\n'
        ),
        [-4567, -2000],
    ),
    "apple": (
        (
            "Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),"
            "Purchased By\n"
            '09/03/2026,09/04/2026,"MEADOW FOODS","Meadow","Grocery","Purchase","45.67","Jo"\n'
            '09/05/2026,09/06/2026,"HARBOUR GAS","Harbour","Gas","Purchase","20.00","Jo"\n'
        ),
        [-4567, -2000],
    ),
    "amex": (
        (
            "Date,Description,Card Member,Account #,Amount\n"
            "09/13/2026,MEADOW FOODS,JO,-11005,45.67\n09/20/2026,HARBOUR GAS,JO,-11005,20.00\n"
        ),
        [-4567, -2000],
    ),
}


@pytest.mark.parametrize(("content", "amounts"), SHIPPED.values(), ids=SHIPPED)
def test_a_bank_s_own_table_is_not_asked_about(
    tmp_path: Path, content: str, amounts: list[int]
) -> None:
    """What a known card prints without a minus was spent, also in a month without a payment."""
    assert read_content(tmp_path / "september.csv", content).amounts == amounts


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"colums": ["A"]}, "colums"),
        ({"columns": []}, "columns"),
        ({"kind": "piggy"}, "piggy"),
        ({"currency": "EURO"}, "EURO"),
        ({"reads": {"Charge": "sum"}}, "sum"),
        ({"reads": {"Tip": "amount"}}, "Tip"),
    ],
)
def test_a_wrong_entry_says_what_is_wrong(entry: Mapping[str, Any], what: str) -> None:
    """An entry with a key, kind, currency, meaning or column that is none is refused by its name."""
    with pytest.raises(ValueError, match=what):
        layouts.read_layout({**NORTHWIND, **entry})


def test_every_entry_is_read_and_stands_once() -> None:
    """The shipped entries are right, and no two of them know the same table for the same."""
    known = [(each.columns, each.besides) for each in layouts.known_layouts()]
    assert len(known) == len(set(known)) > 60

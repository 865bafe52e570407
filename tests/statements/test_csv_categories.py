"""The bank's own categories of a table's rows are kept beside them, and are no part of their texts."""

import pytest

from tests.statements.reading_files import ReadFile

ROWS = (
    ("2026-10-03", "BLUE HERON", "Food & Drink", "-20.50"),
    ("2026-10-04", "ZEPHYR 12", "  Travel  ", "-7.25"),
    ("2026-10-05", "QXZ", "", "-3.10"),
)


def _table(name: str, rows: tuple[tuple[str, ...], ...] = ROWS) -> str:
    lines = [f"Date,Description,{name},Amount", *(",".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "name", ["Category", "category", "Kategorie", "Catégorie", "Categoría", "Spending Category"]
)
def test_a_column_of_categories_is_kept_with_its_rows(read_file: ReadFile, name: str) -> None:
    """Each row has the category that its bank gives it; a blank cell gives none."""
    rows = read_file(_table(name)).rows
    assert [row.code for row in rows] == ["category:Food & Drink", "category:Travel", None]
    assert [row.raw for row in rows] == ["BLUE HERON", "ZEPHYR 12", "QXZ"]


@pytest.mark.parametrize("name", ["Subcategory", "Category Group", "Branch", "Reference"])
def test_a_column_of_another_name_gives_no_category(read_file: ReadFile, name: str) -> None:
    """Only what a bank calls its category is one."""
    assert [row.code for row in read_file(_table(name)).rows] == [None, None, None]


def test_a_table_without_any_category_has_none(read_file: ReadFile) -> None:
    """A column whose cells are all blank says nothing."""
    blank = tuple((day, text, " ", amount) for day, text, _, amount in ROWS)
    assert [row.code for row in read_file(_table("Category", blank)).rows] == [None, None, None]


def test_of_several_columns_the_first_is_the_category(read_file: ReadFile) -> None:
    """Where a bank has a main and a finer category, the first column counts."""
    found = read_file(
        "Date,Description,Hauptkategorie,Kategorie,Amount\n"
        "10/13/2026,BLUE HERON,Freizeit,Restaurants,-20.50\n"
        "10/14/2026,ZEPHYR 12,Mobilität,Tanken,-7.25\n"
    )
    assert [row.code for row in found.rows] == ["category:Freizeit", "category:Mobilität"]


def test_an_app_keeps_its_own_reading(read_file: ReadFile) -> None:
    """The columns of an app's table are made up by its reader, so that none is taken for a category."""
    found = read_file(
        "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n"
        "Checking,2025-11-20,Whole Foods,,Food,Groceries,-25.1,0,Cleared\n"
        "Checking,2025-11-17,Corner Deli,,Food,Dining,-7.25,0,Cleared\n"
    )
    assert [row.code for row in found.rows] == [None, None]

"""Months by their names in the languages of banks, and the one name that two languages share."""

import pytest

from finplan.statements.statement import UnreadableStatement
from finplan.statements.table.dates import read_days
from tests.statements.layouts.languages import languages
from tests.statements.reading_files import ReadFile

MONTHS = [
    (language.code, number, name)
    for language in languages()
    for number, name in enumerate(language.months, start=1)
]


def table(header: str, *dates: str) -> str:
    """A table with a row of each date."""
    return f"{header}\n" + "".join(f"{date};SHOP;-1.50\n" for date in dates)


@pytest.mark.parametrize(("language", "month", "name"), MONTHS)
def test_each_month_of_each_language_is_known(language: str, month: int, name: str) -> None:
    """A month's name is its month, but for Croatia's October, which is the November of others."""
    days = read_days(f"7. {name} 2026")
    is_of_two = (language, month) == ("hr", 10)
    assert days is not None
    assert days.dmy == 20260007 + (month + is_of_two) * 100


@pytest.mark.parametrize(
    ("header", "dates", "months"),
    [
        ("Date;Text;Amount", ["7 listopada 2026", "1 studenoga 2026"], [10, 11]),
        ("Date;Text;Amount", ["30 rujna 2026", "7 listopada 2026"], [9, 10]),
        ("Date;Text;Amount", ["30 srpnja 2026", "7. LISTOPADA 2026"], [7, 10]),
        ("Date;Text;Amount", ["31 października 2026", "7 listopada 2026"], [10, 11]),
        ("Date;Text;Amount", ["1 srpna 2026", "7 listopadu 2026"], [8, 11]),
        ("Date;Text;Amount", ["7 listopadu 2026"], [11]),
        ("Datum;Opis plaćanja;Iznos", ["7 listopada 2026"], [10]),
        ("Datum;Opis plaćanja;Iznos", ["7-lis-26"], [10]),
        ("Data operacji;Tytuł;Kwota", ["7 listopada 2026"], [11]),
        ("Data operacji;Tytuł;Kwota", ["7 lis 2026"], [11]),
        ("Datum;Popis;Částka", ["7. listopad 2026"], [11]),
    ],
)
def test_other_months_or_words_tell_which_month_listopad_is(
    read_file: ReadFile, header: str, dates: list[str], months: list[int]
) -> None:
    """The names of other months decide, and the language of the file where there are none."""
    found = read_file(table(header, *dates), currency="EUR").days
    assert [day // 100 % 100 for day in found] == months


def test_words_above_and_in_the_rows_tell_it_too(read_file: ReadFile) -> None:
    """Lines above the table and marks in it are words of the file's language as well."""
    above = "Stanje računa;5,00\n" + table("A;B;C", "7 listopada 2026", "8 listopada 2026")
    assert read_file(above, currency="EUR").days == [20261007, 20261008]
    marked = "A;B;C;D\n7 listopada 2026;SHOP;1,50;Duguje\n8 listopada 2026;SHOP;2,50;Potražuje\n"
    assert read_file(marked, currency="EUR").days == [20261007, 20261008]


def test_a_listopad_that_nothing_explains_is_refused(read_file: ReadFile) -> None:
    """October or November is never guessed: the refusal says what the name means and what to do."""
    with pytest.raises(UnreadableStatement, match="October in Croatian and November in Polish"):
        read_file(table("Date;Text;Amount", "7 listopada 2026"))


@pytest.mark.parametrize("date", ["7 Tishrei 2026", "7. xyzember 2026", "31 listopadu 2026"])
def test_a_row_whose_month_is_not_known_is_refused(read_file: ReadFile, date: str) -> None:
    """A row with an amount and a date that cannot be read is never left out in silence."""
    dates = ["5 March 2026", date, "9 March 2026"]
    for header in ("Date;Text;Amount", "Date;Wendra;Amount"):
        with pytest.raises(UnreadableStatement, match="no possible date"):
            read_file(table(header, *dates))


def test_a_row_without_a_date_is_refused_by_any_text_of_it(read_file: ReadFile) -> None:
    """A text below a name that is not known makes a row without a date one that is lost."""
    header = "Дата на транзакция;Пояснение;Сума;Салдо"
    rows = "5 март 2026;Lundeby Feldora;-1;9\n;Ravisch Brastik;-2;7\n9 март 2026;Milvane;-3;4\n"
    with pytest.raises(UnreadableStatement, match="“Ravisch Brastik” has an amount but no date"):
        read_file(f"{header}\n{rows}", currency="EUR")

"""Dates in every order, told from the whole column or asked about; months by their names.

One name of a month is shared by two languages.
"""

import pytest

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.table.dates import read_days
from tests.statements.layouts.printing import languages
from tests.statements.reading_files import ReadFile


def column(*dates: str, header: str = "Date", amount: str = "-1.50") -> str:
    """A table with these dates."""
    return f"{header};Description;Amount\n" + "".join(f'"{date}";SHOP;{amount}\n' for date in dates)


@pytest.mark.parametrize(
    "printed",
    [
        "2026-03-27", "2026/3/27", "2026.03.27", "2026:03:27", "2026. 03. 27.", "20260327",
        "27/03/2026", "03/27/2026", "3/27/26", "27.03.26", "27-3-2026", "27032026",
        "27 Mar 2026", "27-Mar-26", "27Mar2026", "Mar 27, 2026", "Mar-27-2026", "2026-Mar-27",
        "March 27, 2026", "27. März 2026", "27 mars 2026", "27 de marzo de 2026", "27 mrt 2026",
        "Fri, 27 Mar 2026", "Friday, March 27, 2026", "27th March 2026",
        "2026-03-27T23:59:59Z", "2026-03-27 10:00:00", "27/03/2026 10:00", "3/27/2026 9:05 PM",
        "27 mar 2026. 23:59:45",
        "2026-03-27-11.57.44.235044", "20260327235959", "Mar 27, 2026 at 10:15 AM",
    ],
)  # fmt: skip
def test_a_style_is_understood(read_file: ReadFile, printed: str) -> None:
    """A date is the day as printed, whatever its style and whatever time follows it."""
    assert read_file(column(printed)).days == [20260327]


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["03/04/2026", "13/04/2026"], [20260403, 20260413]),
        (["03/04/2026", "04/13/2026"], [20260304, 20260413]),
        (["03/04/2026"] * 300 + ["31/12/2026"], [20260403] * 300 + [20261231]),
        (
            ["26/03/04", "26/03/05", "26/04/01", "26/04/02"],
            [20260304, 20260305, 20260401, 20260402],
        ),
    ],
    ids=["day first", "month first", "the last row", "year first"],
)
def test_one_date_decides_for_all(read_file: ReadFile, dates: list[str], days: list[int]) -> None:
    """Any date that rules an order out rules it out for all."""
    assert read_file(column(*dates)).days == days


def test_an_order_that_sorts_the_file_is_the_order(read_file: ReadFile) -> None:
    """Statements run through time; an order in which this one would jump about is wrong."""
    assert (
        read_file(column("01/02/2026", "05/02/2026", "03/03/2026", "04/03/2026")).days[1]
        == 20260205
    )
    assert (
        read_file(column("04/03/2026", "03/03/2026", "05/02/2026", "01/02/2026")).days[2]
        == 20260205
    )
    assert (
        read_file(column("02/01/2026", "02/05/2026", "03/03/2026", "03/04/2026")).days[1]
        == 20260205
    )


def test_three_sorted_days_prove_nothing(read_file: ReadFile) -> None:
    """A few days are in order by chance."""
    with pytest.raises(AmbiguousStatement):
        read_file(column("01/02/2026", "05/02/2026", "03/03/2026"))


def test_a_second_date_column_decides_too(read_file: ReadFile) -> None:
    """The value date has the order of the booking date."""
    content = "Booking date;Value date;Description;Amount\n03/04/2026;13/04/2026;SHOP;-1.50\n"
    assert read_file(content).days == [20260403]


def test_points_and_decimal_commas_exclude_the_month_first(read_file: ReadFile) -> None:
    """Nobody who writes 03.04.2026 or -1,50 begins a date with the month."""
    assert read_file(column("03.04.2026")).days == [20260403]
    assert read_file(column("03/04/2026", amount="-1,50")).days == [20260403]


def test_an_undecidable_order_is_asked_about(read_file: ReadFile) -> None:
    """Where day and month could change places everywhere, the person is asked by an example."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(column("03/04/2026", "03/04/2026"))
    (question,) = asked.value.questions
    assert question.about == "date_order"
    assert question.choices == (
        ("dmy", "Day first", "03/04/2026 is 3 April 2026"),
        ("mdy", "Month first", "03/04/2026 is 4 March 2026"),
    )


@pytest.mark.parametrize(("order", "day"), [("dmy", 20260403), ("mdy", 20260304)])
def test_the_persons_answer_counts(read_file: ReadFile, order: str, day: int) -> None:
    """The answer to the question decides."""
    assert read_file(column("03/04/2026"), date_order=order).days == [day]


def test_an_answer_leaves_unmistakable_dates_alone(read_file: ReadFile) -> None:
    """A date with the year first, or with a month's name, has one reading whatever the answer is."""
    assert read_file(column("2026-03-04", "5 Mar 2026"), date_order="dmy").days == [
        20260304,
        20260305,
    ]


@pytest.mark.parametrize(
    ("dates", "hints", "words"),
    [
        (["2026-03-04", "2026-02-30"], {}, "Line 3: “2026-02-30” is not a possible date"),
        (["13/04/2026", "32/04/2026"], {}, "Line 3: “32/04/2026” is not a possible date"),
        (["13/04/2026", "04/13/2026"], {}, "“04/13/2026” is not a possible date"),
        (["13/04/2026"], {"date_order": "mdy"}, "Line 2: “13/04/2026” is not a possible date"),
        (["03/04/2026"], {"date_order": "ymd"}, "is not a possible date with the year first"),
        (["2026-03-04", "0001-01-01"], {}, "Line 3: “0001-01-01” is not a possible date"),
        (["2026-03-04", "20261"], {}, "Line 3: “20261” is not a possible date"),
    ],
)
def test_an_impossible_date_refuses_the_file(
    read_file: ReadFile, dates: list[str], hints: dict[str, str], words: str
) -> None:
    """A row whose day does not exist is named, not skipped and not moved."""
    with pytest.raises(UnreadableStatement) as refused:
        read_file(column(*dates), **hints)
    assert words in str(refused.value)


def test_booking_comes_before_transaction_and_value(read_file: ReadFile) -> None:
    """Of several dates the one on which the bank booked counts."""
    content = (
        "Transaction Date,Value Date,Posted Date,Description,Amount\n"
        "2026-03-01,2026-03-03,2026-03-02,SHOP,-1.50\n"
    )
    assert read_file(content).days == [20260302]


def test_a_row_without_its_booking_date_is_pending(read_file: ReadFile) -> None:
    """What has begun and is not completed is shown as pending, on the day it began."""
    content = (
        "Started Date,Completed Date,Description,Amount\n"
        "2026-03-01 10:00:00,2026-03-02 09:00:00,A,-1.50\n2026-03-04 10:00:00,,B,-2.50\n"
    )
    assert [(row.day, row.pending) for row in read_file(content).rows] == [
        (20260302, False),
        (20260304, True),
    ]


@pytest.mark.parametrize(
    "text", ["10:46:49", "1.2.3", "12", "99 items 12", "2026-03-04 COFFEE", "", "12345678", "Total"]
)
def test_other_texts_are_no_dates(text: str) -> None:
    """Times, versions, counts, ids and words are never dates."""
    assert read_days(text) is None


def test_years_of_two_digits_are_near(read_file: ReadFile) -> None:
    """70 to 99 lie in the last century, the rest in this one."""
    assert read_file(column("31.12.69", "31.12.70", "31.12.00")).days == [
        20691231,
        19701231,
        20001231,
    ]


@pytest.mark.parametrize(
    ("printed", "day"),
    [
        ("2026年1月5日", 20260105),
        ("令和8年1月5日", 20260105),
        ("平成31年4月30日", 20190430),
        ("令和元年5月1日", 20190501),
        ("2026년 1월 5일", 20260105),
        ("2026.01.05.", 20260105),
        ("2026. 1. 5", 20260105),
        ("20091224120000[0:GMT]", 20091224),
        ("20091224120000.000[-5:EST]", 20091224),
        ("10-Nov-9", 20091110),
        ("5 янв 2026", 20260105),
        ("5 мая 2026", 20260505),
        ("05 Oca 2026", 20260105),
        ("05 Ağu 2026", 20260805),
        ("5 paź 2026", 20261005),
        ("3 Μαΐ 2026", 20260503),
        ("2569-01-05", 20260105),
    ],
)
def test_a_date_of_any_country_is_one_day(printed: str, day: int) -> None:
    """What names its parts, or can be written in one way only, is the same day in each order."""
    assert read_days(printed) == (day, day, day)


def test_a_thai_year_is_ours_less_543() -> None:
    """A year that no bank has seen is Thailand's, in whatever order; the limits are both calendars'."""
    assert read_days("05/03/2569") == (20260305, 20260503, None)
    assert read_days("01/01/2443") == (19000101, 19000101, None)
    assert read_days("01/01/2442") == (None, None, None)
    assert read_days("01/01/2700") == (None, None, None)


def test_thai_years_of_two_digits_are_refused(read_file: ReadFile) -> None:
    """69 is 2026 in Thailand; it is not read as 2069, nor anything else that is not certain."""
    thai = "วันที่,รายการ,จำนวนเงิน\n{},ค่าเช่า,-1200.00\n"
    with pytest.raises(UnreadableStatement, match=r"2069.*four-digit"):
        read_file(thai.format("25/03/69"))
    assert read_file(thai.format("25/03/26")).days == [20260325]
    assert read_file(thai.format("25/03/2569")).days == [20260325]


@pytest.mark.parametrize(
    "content",
    [
        "取引日;SHOP;金額\n22/04/03;A;-100\n22/04/03;B;-200\n",
        "Date;Text;Amount;Wendra\n22/04/03;A;100;出\n22/04/03;B;200;入\n",
    ],
)
def test_the_year_may_lead_where_a_word_is_east_asian(read_file: ReadFile, content: str) -> None:
    """Between strokes a year of two digits stands in front in East Asia alone, whose words tell it."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content, currency="JPY")
    assert [each.about for each in asked.value.questions] == ["date_order"]
    assert read_file(content, currency="JPY", date_order="ymd").days == [20220403] * 2
    assert read_file("Date;Text;Amount\n22/04/03;A;-100\n22/04/03;B;-200\n").days == [20030422] * 2


@pytest.mark.parametrize("printed", ["12 Jun '23", "12 Jun ’23", "12-Jun-'23", "Jun 12, '23"])
def test_a_year_may_have_an_apostrophe_for_its_century(read_file: ReadFile, printed: str) -> None:
    """Behind a month's name two digits with an apostrophe are a year."""
    assert read_file(f'Date,Text,Amount\n"{printed}",A,-5.00\n').money == [(20230612, -500)]


def test_an_apostrophe_in_front_of_a_date_is_a_spreadsheets(read_file: ReadFile) -> None:
    """It says that what follows is a text, and is no part of it."""
    assert read_file("Date,Text,Amount\n'13/06/2026,A,-5.00\n").money == [(20260613, -500)]


def test_the_day_of_processing_goes_before_that_of_the_purchase(read_file: ReadFile) -> None:
    """A bank books what it has processed, whatever the day of the purchase."""
    header = "Datum obrade;Datum transakcije;Opis;Iznos;Valuta\n"
    assert read_file(f"{header}15.03.2026;13.03.2026;A;-5,00;RSD\n").money == [(20260315, -500)]


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
    with pytest.raises(UnreadableStatement, match=r"October.*November"):
        read_file(table("Date;Text;Amount", "7 listopada 2026"))


@pytest.mark.parametrize("date", ["7 Tishrei 2026", "7. xyzember 2026", "31 listopadu 2026"])
def test_a_row_whose_month_is_not_known_is_refused(read_file: ReadFile, date: str) -> None:
    """A row with an amount and a date that cannot be read is never left out in silence."""
    dates = ["5 March 2026", date, "9 March 2026"]
    for header in ("Date;Text;Amount", "Date;Wendra;Amount"):
        with pytest.raises(UnreadableStatement, match="not a possible date"):
            read_file(table(header, *dates))


def test_a_row_without_a_date_is_refused_by_any_text_of_it(read_file: ReadFile) -> None:
    """A text below a name that is not known makes a row without a date one that is lost."""
    header = "Дата на транзакция;Пояснение;Сума;Салдо"
    rows = "5 март 2026;Lundeby Feldora;-1;9\n;Ravisch Brastik;-2;7\n9 март 2026;Milvane;-3;4\n"
    with pytest.raises(UnreadableStatement, match=r"“Ravisch Brastik”.*no date"):
        read_file(f"{header}\n{rows}", currency="EUR")

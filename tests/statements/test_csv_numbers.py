"""Amounts in every way that banks print them, told from the whole column."""

import pytest

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.table.numbers import has_odd_groups, read_shape
from tests.statements.reading_files import ReadFile, Statement


def column(*amounts: str) -> str:
    """A table with these amounts."""
    rows = "".join(
        f"2026-03-{day:02};SHOP {day};{amount}\n" for day, amount in enumerate(amounts, 1)
    )
    return "Date;Description;Amount\n" + rows


@pytest.mark.parametrize(
    ("printed", "amounts"),
    [
        (["-110.7", "1.25"], [-11070, 125]),
        (["-110,7 €", "1,25 €"], [-11070, 125]),
        (["1.234,56", "-3.000"], [123456, -300000]),
        (["1,234.56", "-3,000"], [123456, -300000]),
        (["1'234.50", "-7’000.00"], [123450, -700000]),
        (["7 000,10", "1\u00a0234\u00a0567,00", "1\u202f000,5"], [700010, 123456700, 100050]),
        (["1,23,456.70", "12,34,567.00"], [12345670, 123456700]),
        (["(12.34)", "$(5.00)", "12.34"], [-1234, -500, 1234]),
        (["12.34-", "1.00"], [-1234, 100]),
        (["−12.34", "– 1.00", "+2.00"], [-1234, -100, 200]),
        (["- $73.01", "+ $1,000.00"], [-7301, 100000]),
        (["$-5.25", "$1.10"], [-525, 110]),
        ([".5", "-.46"], [50, -46]),
        (["12,-", "-3,-"], [1200, -300]),
        (["12.", "1.5"], [1200, 150]),
        (["100", "-7"], [10000, -700]),
        (["12.50 DR", "100.00 CR"], [-1250, 10000]),
        (["12.50DR", "100.00"], [-1250, 10000]),
        (["12.50", "100.00 CR"], [-1250, 10000]),
        (["100,00 S", "5,00 H"], [-10000, 500]),
        (["Rs.500.00", "Rs. 1,000.00"], [50000, 100000]),
        (["kr 12,50", "-3,75 kr"], [1250, -375]),
        (["US$1,234.50", "US$-1.00"], [123450, -100]),
        (["0.125", "0.135", "1.0"], [12, 14, 100]),
    ],
)  # fmt: skip
def test_a_style_is_understood(read_file: ReadFile, printed: list[str], amounts: list[int]) -> None:
    """Signs, groups, marks and currencies never change what an amount is."""
    currency = "SEK" if "kr" in printed[0] else "INR" if "Rs" in printed[0] else "USD"
    assert read_file(column(*printed), currency=currency).amounts == amounts


@pytest.mark.parametrize(
    ("printed", "amounts"),
    [
        (["1.000", "2.500", "0,99"], [100000, 250000, 99]),
        (["1.000", "2.500", "9.99"], [100, 250, 999]),
        (["1.000", "0.500"], [100, 50]),
        (["1.000.000", "1.000"], [100000000, 100000]),
        (["1000.000", "1.000"], [100000, 100]),
    ],
)
def test_one_amount_decides(read_file: ReadFile, printed: list[str], amounts: list[int]) -> None:
    """What 1.000 means is told by any other amount that can be read in one way only."""
    assert read_file(column(*printed)).amounts == amounts


def test_a_late_amount_decides_too(read_file: ReadFile) -> None:
    """The last row of a long file proves the format as well as the first."""
    assert read_file(column(*["1.000"] * 30, "0,5")).amounts == [100000] * 30 + [50]


def test_another_column_tells_the_decimal_sign(read_file: ReadFile) -> None:
    """An exchange rate shows what a point means in a file whose amounts do not."""
    content = (
        "Date,Description,Amount,Rate\n2026-03-04,A,29.000,1.000000\n2026-03-05,B,10.000,0.848252\n"
    )
    assert read_file(content).amounts == [2900, 1000]


@pytest.mark.parametrize(
    ("currency", "amounts"),
    [("KWD", [1000, 2500]), ("JPY", [1000, 2500]), ("IDR", [100000, 250000])],
)
def test_digits_depend_on_currency(read_file: ReadFile, currency: str, amounts: list[int]) -> None:
    """Three decimals belong to a dinar; a yen has none and a rupiah's are not in use: thousands."""
    assert read_file(column("1.000", "2.500"), currency=currency).amounts == amounts


def test_undecidable_thousands_are_asked_about(read_file: ReadFile) -> None:
    """Where every amount looks like 1.000 the person is asked, and the answer counts."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(column("1.000", "-2.500"))
    (question,) = asked.value.questions
    assert question.about == "decimal_sign"
    assert {choice.value for choice in question.choices} == {".", ","}
    assert read_file(column("1.000", "-2.500"), decimal_sign=".").amounts == [100, -250]
    assert read_file(column("1.000", "-2.500"), decimal_sign=",").amounts == [100000, -250000]


@pytest.mark.parametrize(
    ("currency", "printed", "choices"),
    [
        ("USD", ["-3.858", "-12.345", "850.000"], [".", ","]),
        ("USD", ["-3,858", "-12,345", "850,000"], [".", ","]),
        ("EUR", ["-3.858", "-12.345", "850.000"], [",", "."]),
        ("EUR", ["-3,858", "-12,345", "850,000"], [",", "."]),
        ("USD", ["-3.858", "-12.345", "850"], [".", ","]),
    ],
)
def test_three_digits_of_a_currency_with_cents_are_asked_about(
    read_file: ReadFile, currency: str, printed: list[str], choices: list[str]
) -> None:
    """A last digit that cents cannot write is no proof of thousands: programs print three decimals.

    The decimal sign of the currency's countries is the likely one.
    """
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(column(*printed), currency=currency)
    (question,) = asked.value.questions
    assert (question.about, [choice.value for choice in question.choices]) == (
        "decimal_sign",
        choices,
    )


@pytest.mark.parametrize(
    ("balances", "amounts"),
    [
        (["100.000", "112.600", "125.200", "975.200", "962.600"], [500, 1260, 1260, 85000, -1260]),
        (
            ["100.000", "112.600", "125.200", "126.050", "113.450"],
            [500000, 1260000, 1260000, 85000, -1260000],
        ),
    ],
)
def test_a_balance_that_follows_in_one_reading_tells_the_decimal_sign(
    read_file: ReadFile, balances: list[str], amounts: list[int]
) -> None:
    """Beside amounts without a separator, only one reading of the others makes the balance follow."""
    printed = ["5.000", "12.600", "12.600", "850", "-12.600"]
    rows = "".join(
        f"2026-03-{day:02};SHOP;{amount};{balance}\n"
        for day, (amount, balance) in enumerate(zip(printed, balances, strict=True), 1)
    )
    found = read_file("Date;Description;Amount;Balance\n" + rows, decimal_sign=None)
    assert found.amounts == amounts


def test_debits_and_credits_beside_a_balance_tell_the_decimal_sign(read_file: ReadFile) -> None:
    """Both columns move the balance; a pending row without one is no step of it."""
    rows = (
        "2026-03-01;A;12.345;;booked;100.000\n2026-03-02;B;;850;booked;950.000\n"
        "2026-03-03;C;1.500;;pending;\n2026-03-04;D;12.345;;booked;937.655\n"
        "2026-03-05;E;37;;booked;900.655\n"
    )
    found = read_file("Date;Description;Debit;Credit;Status;Balance\n" + rows)
    assert found.amounts == [-1234, 85000, -150, -1234, -3700]
    assert "--decimal-sign" not in "".join(notes(found))


def test_a_balance_that_follows_in_both_readings_tells_nothing(read_file: ReadFile) -> None:
    """Where every number has its separator, thousands add up as thousandths do."""
    printed = ["5.000;10.000", "2.345;12.345", "1.000;13.345", "-3.345;10.000"]
    rows = "".join(f"2026-03-{day:02};SHOP;{each}\n" for day, each in enumerate(printed, 1))
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("Date;Description;Amount;Balance\n" + rows)
    assert [question.about for question in asked.value.questions] == ["decimal_sign"]


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (["1.50", "1,50"], "decimal point and others a decimal comma"),
        (["1.50", "1.5.0"], "Line 3: “1.5.0” is not an amount"),
        (["1.50", "n.a. 7"], "Line 3"),
        (
            ["1.00", "-100000000000.01"],
            "Line 3: -100000000000.01 is too large (at most 100000000000.00",
        ),
        (
            ["1.00", "-99999999999999999999.00"],
            "Line 3: “-99999999999999999999.00” is not an amount",
        ),
        (["5.00 EUR", "5.00 USD"], "EUR and USD"),
    ],
)
def test_a_wrong_amount_stops_a_file(read_file: ReadFile, printed: list[str], words: str) -> None:
    """A row that must be a transaction and has no possible amount is named, not skipped."""
    with pytest.raises(UnreadableStatement) as refused:
        read_file(column(*printed))
    assert words in str(refused.value)


def test_the_largest_amounts_are_kept_exactly(read_file: ReadFile) -> None:
    """Both ends of the range are read; hundreds of such amounts still add up within JSON's integers."""
    largest = "100000000000.00"
    assert read_file(column(largest, f"-{largest}")).amounts == [10**13, -(10**13)]


@pytest.mark.parametrize("blank", ["", "-", "--", "n/a", " "])
def test_rows_without_an_amount_are_no_transactions(read_file: ReadFile, blank: str) -> None:
    """A note among the rows costs nothing."""
    assert read_file(column("1.00", blank, "2.00")).amounts == [100, 200]


def test_an_amount_of_zero_is_kept(read_file: ReadFile) -> None:
    """A bank that books nothing has still booked."""
    assert read_file(column("0.00", "-0", "1.00")).amounts == [0, 0, 100]


@pytest.mark.parametrize(
    "text",
    [
        "9%",
        "Ref 9",
        "9.9.9",
        "--9",
        "99/99/9999",
        "9 USD 9",
        "",
        "abc",
        "9" * 19,
        "-.",
        "\x81|9",
        "¦9",
        "9§",
    ],
)
def test_other_texts_are_no_numbers(text: str) -> None:
    """Percentages, references, dates and words are never amounts."""
    assert read_shape(text, ".") is None


def notes(statement: Statement) -> list[str]:
    return [note for part in statement.parts for note in part.notes]


def test_decimals_that_a_currency_has_not_are_told(read_file: ReadFile) -> None:
    """Cents are lost where a point is proven and three decimals follow it; the first row is named.

    Zeros that are cut off lose nothing.
    """
    found = read_file(column("-0.858", "-5.120", "-12.345", "7.115"), currency=None)
    assert found.amounts == [-86, -512, -1234, 712]
    (note,) = notes(found)
    figures = ["3 amounts", "USD", "line 2", "-0.858", "-0.86.", "--currency"]
    assert sorted(figures, key=note.index) == figures
    assert notes(read_file(column("-0.850", "-5.1200"))) == []
    dinars = read_file(column("-0.858", "-5.120"), currency="KWD")
    assert (dinars.amounts, notes(dinars)) == ([-858, -5120], [])


def test_a_decimal_sign_that_was_said_is_named_as_the_other_way(read_file: ReadFile) -> None:
    """Where the answer alone makes three decimals of 12.345, the other answer makes thousands."""
    (note,) = notes(read_file(column("-12.340", "-12.345"), decimal_sign="."))
    figures = ["one amount", "USD", "line 3", "-12.345", "-12.34.", "--decimal-sign"]
    assert sorted(figures, key=note.index) == figures


def test_a_currency_that_the_file_names_is_not_asked_for(read_file: ReadFile) -> None:
    """Beside a column of currencies, no option makes another of it; debits round as credits do."""
    rows = "2026-03-01;A;0.858;;USD\n2026-03-02;B;;10.006;USD\n2026-03-03;C;0.001;;EUR\n"
    dollars, euros = notes(read_file("Date;Description;Debit;Credit;Currency\n" + rows))
    for note, said in (
        (dollars, ["2 amounts", "USD", "line 2", "0.858", "0.86."]),
        (euros, ["one amount", "EUR", "line 4", "0.001", "0.00."]),
    ):
        assert sorted(said, key=note.index) == said
        assert note.endswith(said[-1])


def test_rounded_amounts_are_counted_through_a_long_file(read_file: ReadFile) -> None:
    """However many rows a file has, the first rounded one is named and all are counted."""
    rows = [f"2026-03-04;SHOP {row};-{row % 90}.50" for row in range(40_000)]
    rows[9_000] = rows[9_000] + "4"
    rows[39_999] = rows[39_999] + "7"
    (note,) = notes(read_file("\n".join(["Date;Description;Amount", *rows])))
    figures = ["2 amounts", "line 9002", "-0.504", "-0.50."]
    assert sorted(figures, key=note.index) == figures


@pytest.mark.parametrize(
    ("cell", "odd"),
    [
        ("6กว035", True), ("1¡234¡567", True), ("KRW -41กฏ854กฏ980", True), ("- 7กฏ287.046 KWD", True),
        ("第12回345", False), ("12回345 KRWD", False), ("12_345.67", True), ("7:500,00", True),
        ("1¡234¤567", False), ("12_345", False), ("6กวก035", False), ("6กว03", False),
        ("Haus 12", False), ("12.345", False), ("1234กว035", False),
    ],
)  # fmt: skip
def test_groups_in_another_encoding_are_known(cell: str, odd: bool) -> None:
    """Thousands parted by a sign or two beyond ASCII, or by any where cents follow, are a number."""
    assert has_odd_groups(cell) is odd


def test_thousands_that_cannot_be_read_are_refused(read_file: ReadFile) -> None:
    """No other column becomes the amounts because theirs are in another encoding."""
    with pytest.raises(UnreadableStatement, match=r"Line 1: “6¡035”.*“2” is not an amount"):
        read_file("04.10.2019,6¡035,Shop,1017132\n03.10.2019,87¡163,Bar,1009213\n")

"""Laws of the labels: what a careful person can know from a file, and what nobody can."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.statements.layouts.labels import Label, Subject, label
from tests.statements.layouts.languages import languages
from tests.statements.layouts.layout import Layout
from tests.statements.layouts.printing import (
    DAY_FIRST,
    MONTH_FIRST,
    NAMED,
    NUMBERS,
    SHORT_YEAR_FIRST,
    YEAR_FIRST,
)
from tests.statements.layouts.truth import TrueRow, Truth
from tests.statements.layouts.writing import write

ENGLISH = languages()[0]
POLISH = next(each for each in languages() if each.code == "pl")
BRAZIL = next(each for each in languages() if each.code == "pt-BR")
CROATIAN = next(each for each in languages() if each.code == "hr")
GERMAN = next(each for each in languages() if each.code == "de")
PLAIN = Layout(
    ENGLISH, "named", ("date", "text", "amount"), "signed", YEAR_FIRST[0], NUMBERS[0], "column"
)
SPENT = (-1250, -4200, 150_000, -999, -1, -75_000)


def account(amounts: tuple[int, ...] = SPENT, start: str = "2024-03-10", **other: object) -> Truth:
    """An account with a row each day, in euros."""
    first = date.fromisoformat(start)
    rows = tuple(
        TrueRow(first + timedelta(days=place), amount, "Orvella")
        for place, amount in enumerate(amounts)
    )
    return replace(Truth(rows, "EUR", 100_000), **other)  # type: ignore[arg-type]


def is_(subject: Subject, truth: Truth, **choices: object) -> Label:
    """Label a plain layout with some other choices."""
    layout = replace(PLAIN, **choices)  # type: ignore[arg-type]
    return label(truth, layout, write(truth, layout)).of[subject]


@pytest.mark.parametrize(
    ("start", "style", "labelled"),
    [
        ("2024-03-10", YEAR_FIRST[0], "provable"),
        ("2024-03-10", NAMED[0], "provable"),
        ("2024-03-10", DAY_FIRST[0], "provable"),
        ("2024-03-01", DAY_FIRST[0], "open"),
        ("2024-03-01", MONTH_FIRST[0], "open"),
        ("2024-03-01", DAY_FIRST[1], "either"),
        ("2024-03-01", SHORT_YEAR_FIRST[0], "either"),
        ("2024-03-07", DAY_FIRST[0], "open"),
        ("2024-03-08", DAY_FIRST[0], "provable"),
    ],
)
def test_order_of_days(start: str, style: object, labelled: Label) -> None:
    """A year in front, a month's name or a day above 12 shows the order; points come near to it."""
    assert is_("day order", account(start=start), dates=style) == labelled


def test_days_in_order_in_one_reading_alone() -> None:
    """Four days that only one reading puts in order prove it; three may stand so by chance."""
    days = [date(2024, 1, 3), date(2024, 2, 9), date(2024, 3, 2), date(2024, 4, 1)]
    rows = tuple(TrueRow(day, -100, "Orvella") for day in days)
    assert is_("day order", Truth(rows, "EUR", 0), dates=DAY_FIRST[0]) == "provable"
    assert is_("day order", Truth(rows[:3], "EUR", 0), dates=DAY_FIRST[0]) == "either"


def test_day_and_month_that_are_equal_have_no_order() -> None:
    """Where day and month are the same number, every reading is the same."""
    rows = (TrueRow(date(2024, 2, 2), -1, "Orvella"),) * 2
    columns = ("date", "text", "amount", "value_date")
    assert is_("day order", Truth(rows, "EUR", 0), dates=DAY_FIRST[0]) == "provable"
    assert (
        is_("day order", Truth(rows, "EUR", 0), dates=DAY_FIRST[0], columns=columns) == "provable"
    )


def test_another_language_hardly_puts_the_month_first() -> None:
    """Below words of another language than English, whoever takes the day to be first may."""
    truth = account(start="2024-03-01")
    assert is_("day order", truth, dates=DAY_FIRST[0], language=GERMAN) == "either"
    assert is_("day order", truth, dates=DAY_FIRST[0], language=GERMAN, header="none") == "open"


def test_a_month_of_two_languages_shows_no_order_by_itself() -> None:
    """Croatia's October is the November of others, unless a word or another month tells the language."""
    october = account(start="2024-10-10")
    made: dict[str, object] = {"dates": NAMED[0], "language": CROATIAN}
    assert is_("day order", october, **made) == "provable"
    assert is_("day order", october, header="none", **made) == "open"
    assert is_("day order", october, header="none", footer=("total",), **made) == "provable"
    assert is_("day order", account(start="2024-10-29"), header="none", **made) == "provable"
    assert is_("day order", account(start="2024-09-10"), header="none", **made) == "provable"


@pytest.mark.parametrize(
    ("signs", "amounts", "labelled"),
    [
        ("signed", SPENT, "provable"),
        ("signed", (-5, 3, 2), "open"),
        ("signed", (-5, 3), "either"),
        ("signed", (-5, -3), "either"),
        ("signed", (5, 3), "open"),
        ("suffix", SPENT, "provable"),
        ("inverse", SPENT, "open"),
        ("payment_plus", SPENT, "provable"),
        ("payment_cr", SPENT, "provable"),
        ("payment_cr", (-5, -3), "open"),
        ("unsigned", SPENT, "open"),
    ],
)
def test_printed_direction(signs: str, amounts: tuple[int, ...], labelled: Label) -> None:
    """Both signs where they should be, or CR and DR, show the direction; none or turned ones do not."""
    assert is_("direction", account(amounts), signs=signs) == labelled


def test_thanks_show_who_paid() -> None:
    """A payment's thank-you shows it with a sign of its own; without any it comes near to it."""
    assert is_("direction", account(), signs="inverse", thanks=True) == "provable"
    assert is_("direction", account(), signs="unsigned", thanks=True) == "either"
    assert is_("direction", account((-5, -3)), signs="inverse", thanks=True) == "open"


@pytest.mark.parametrize(
    ("choices", "labelled"),
    [
        ({}, "provable"),
        ({"marks": ("D", "C")}, "provable"),
        ({"mark_is_named": False}, "provable"),
        ({"mark_is_named": False, "marks": ("D", "C")}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False, "mark_is_named": False}, "open"),
        ({"marks": ("O", "I"), "marks_are_known": False, "mark_is_named": False}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False, "marked_and_signed": True}, "provable"),
    ],
)
def test_marks(choices: dict[str, object], labelled: Label) -> None:
    """Words for in and out show the direction; a letter needs a name, and X and Y say nothing."""
    columns = ("date", "text", "amount", "mark")
    assert is_("direction", account(), signs="mark", columns=columns, **choices) == labelled


@pytest.mark.parametrize(
    ("choices", "labelled"),
    [
        ({}, "provable"),
        ({"header": "none"}, "open"),
        ({"header": "none", "fill": "zero"}, "open"),
        ({"header": "none", "debit_minus": True}, "provable"),
        ({"header": "unknown", "debit_minus": True, "fill": "dash"}, "either"),
    ],
)
def test_two_columns(choices: dict[str, object], labelled: Label) -> None:
    """The names of two columns, or a minus in one of them, show which one goes out."""
    columns = ("date", "text", "debit", "credit")
    assert is_("direction", account(), signs="two_columns", columns=columns, **choices) == labelled


@pytest.mark.parametrize(
    ("amounts", "choices", "labelled"),
    [
        (SPENT, {"signs": "inverse"}, "provable"),
        (SPENT[:4], {"signs": "inverse"}, "provable"),
        (SPENT[:3], {"signs": "inverse"}, "open"),
        (SPENT, {"signs": "inverse", "contradicted": 2}, "open"),
        (SPENT, {"signs": "inverse", "balance": "before"}, "either"),
        (SPENT, {"signs": "inverse", "balance": "owed"}, "either"),
        (SPENT[:3], {"signs": "inverse", "balance": "owed"}, "open"),
        (SPENT, {"signs": "signed", "contradicted": 2}, "either"),
        (SPENT, {"signs": "signed", "balance": "owed"}, "either"),
        (SPENT, {"signs": "unsigned"}, "either"),
        ((-1, -2, -3, -4), {"signs": "unsigned"}, "either"),
        ((-1, -2, -3, -4), {"signs": "inverse"}, "either"),
        ((-1, -2, -3, -4), {"signs": "signed"}, "provable"),
        ((1, 2, 3, 4), {"signs": "unsigned"}, "either"),
        ((1, 2, 3, 4), {"signs": "signed"}, "either"),
        ((1, 2, 3, 4), {"signs": "signed", "plus": True}, "provable"),
        ((1, 2, 3, -4), {"signs": "signed"}, "provable"),
        ((1, 2), {"signs": "signed"}, "either"),
        ((1, 2), {"signs": "signed", "balance": "before"}, "open"),
        ((-1, -2, -3), {"signs": "unsigned"}, "open"),
    ],
)
def test_a_running_balance(
    amounts: tuple[int, ...], choices: dict[str, object], labelled: Label
) -> None:
    """Three steps of a balance show the direction, unless one contradicts them; a debt's nearly does."""
    columns = ("date", "text", "amount", "balance")
    made: dict[str, object] = {"columns": columns, "balance": "after"} | choices
    assert is_("direction", account(amounts), **made) == labelled


def test_rows_of_one_day_do_not_say_which_came_first() -> None:
    """Where all rows are of one day, a balance could also have been printed the other way round."""
    rows = tuple(replace(row, day=date(2024, 3, 10)) for row in account().rows)
    columns = ("date", "text", "amount", "balance")
    truth = Truth(rows, "EUR", 0)
    assert is_("direction", truth, signs="inverse", columns=columns, balance="after") == "either"


@pytest.mark.parametrize(
    ("columns", "choices", "labelled"),
    [
        (("amount",), {}, "provable"),
        (("amount", "foreign"), {}, "either"),
        (("amount", "rate"), {}, "either"),
        (("amount", "balance"), {"balance": "after"}, "provable"),
        (("amount", "balance"), {"balance": "after", "contradicted": 2}, "either"),
        (("amount", "balance", "fee"), {"balance": "after"}, "either"),
        (("debit", "credit"), {"signs": "two_columns"}, "provable"),
        (("debit", "credit", "price"), {"signs": "two_columns"}, "either"),
        (("amount", "price"), {"signs": "unsigned"}, "open"),
        (("amount", "fee"), {"signs": "unsigned"}, "open"),
        (
            ("debit", "credit", "balance"),
            {"signs": "two_columns", "balance": "after", "contradicted": 2},
            "either",
        ),
    ],
)
def test_amounts_without_names(
    columns: tuple[str, ...], choices: dict[str, object], labelled: Label
) -> None:
    """Without names, a single column, two in turns or the steps of a balance show the amounts."""
    made: dict[str, object] = {"columns": ("date", "text", *columns), **choices}
    assert is_("amount column", account(), header="none", **made) == labelled
    assert is_("amount column", account(), header="named", **made) == "provable"


def test_a_column_of_zeros_is_no_rival() -> None:
    """Nobody takes a column of nothing but zeros for the amounts."""
    made: dict[str, object] = {"columns": ("date", "text", "amount", "fee"), "signs": "unsigned"}
    rows = account(SPENT[:3])
    assert is_("amount column", rows, header="none", names=1, **made) == "either"
    assert is_("amount column", rows, header="none", names=0, **made) == "open"


def test_a_third_column_in_turns_leaves_the_amounts_open() -> None:
    """A foreign amount beside every row that goes out takes turns with what comes in, too."""
    columns = ("date", "text", "debit", "credit", "foreign")
    made: dict[str, object] = {"columns": columns, "signs": "two_columns", "header": "none"}
    assert is_("amount column", account((-5, 7, -9)), names=1, **made) == "either"
    assert is_("amount column", account((5, -7, -9)), names=0, **made) == "open"


def test_decimal_sign() -> None:
    """Other than three digits behind a sign show that it is decimal; else the currency may."""
    dinars = account((-1250, -4200, -1_250_000), currency="TND")
    assert is_("decimal sign", account()) == "provable"
    assert is_("decimal sign", dinars) == "provable"
    whole = account((-123_400, -567_800))
    trimmed = replace(NUMBERS[1], trimmed=True)
    assert is_("decimal sign", whole, numbers=trimmed) == "open"
    assert is_("decimal sign", whole, numbers=trimmed, unit="nowhere") == "either"
    rated = ("date", "text", "amount", "rate")
    assert is_("decimal sign", whole, numbers=trimmed, columns=rated) == "either"
    four = account((-123_400, -567_800, -123_400, -567_800))
    stated: dict[str, object] = {"balance": "after", "columns": (*rated[:3], "balance")}
    assert is_("decimal sign", four, numbers=trimmed, **stated) == "either"
    forints = account((-123_400, -567_800), currency="HUF")
    assert is_("decimal sign", forints, numbers=trimmed) == "provable"
    assert is_("decimal sign", dinars, numbers=NUMBERS[1]) == "provable"
    assert is_("decimal sign", dinars, unit="nowhere") == "either"
    assert is_("decimal sign", dinars, unit="nowhere", numbers=NUMBERS[1]) == "provable"
    yen = account((-125, -999), currency="JPY")
    assert is_("decimal sign", yen, unit="nowhere") == "provable"


@pytest.mark.parametrize(
    ("choices", "currency", "labelled"),
    [
        ({"unit": "column"}, "EUR", "provable"),
        ({"unit": "iban"}, "EUR", "provable"),
        ({"unit": "cell symbol"}, "EUR", "provable"),
        ({"unit": "cell symbol"}, "USD", "open"),
        ({"unit": "file name"}, "EUR", "either"),
        ({"unit": "nowhere"}, "EUR", "open"),
        ({"unit": "nowhere", "language": POLISH}, "PLN", "provable"),
        ({"unit": "nowhere", "language": POLISH, "header": "none"}, "PLN", "open"),
        ({"unit": "nowhere", "language": POLISH, "columns": ("date", "amount")}, "PLN", "either"),
        ({"unit": "nowhere", "language": GERMAN}, "EUR", "open"),
        ({"unit": "nowhere", "language": BRAZIL, "names": 2}, "BRL", "open"),
        ({"unit": "nowhere", "language": BRAZIL, "names": 0}, "BRL", "either"),
    ],
)
def test_currency(choices: dict[str, object], currency: str, labelled: Label) -> None:
    """A code, an own symbol, an IBAN or the language of one country names the currency."""
    assert is_("currency", account(currency=currency), **choices) == labelled

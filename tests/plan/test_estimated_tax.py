"""Estimated tax is due on the days of the law, however far apart they lie."""

from datetime import date, timedelta
from itertools import islice

import pytest

from finplan.plan.detect.cadence import due_days, expected_days
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Series
from tests.plan.households import Household, household, monthly
from tests.plan.typical import TODAY, assessed, live

DUE = ("2025-01-15", "2025-04-15", "2025-06-16", "2025-09-15")
"""Of 2025; the fifteenth of June is a Sunday."""


def paying(
    *days: str, payee: str = "irs", category: str = "taxes", until: date = TODAY
) -> Household:
    home = household().checking(balance=5_000_00, covered=("2024-01-01", until))
    home.charges(monthly("2024-01-03", 24), "LANDLORD", 1_000_00, "rent")
    return home.charges(days, payee, 450_00, category)


def series_of(home: Household, today: date = TODAY, payee: str = "irs") -> list[Series]:
    return [each for each in home.books(today).charges if each.name == payee]


@pytest.mark.parametrize(
    ("year", "days"),
    [
        # The 15th of January 2022 was a Saturday before a holiday, and that of April a holiday itself.
        (2022, ("01-18", "04-18", "06-15", "09-15")),
        # A Sunday before a holiday; a Saturday before a holiday that was a Sunday.
        (2023, ("01-17", "04-18", "06-15", "09-15")),
        # The 15th of January was the holiday.
        (2024, ("01-16", "04-15", "06-17", "09-16")),
        (2025, ("01-15", "04-15", "06-16", "09-15")),
        # A Sunday before a holiday that fell on a Monday.
        (2018, ("01-16", "04-17", "06-15", "09-17")),
    ],
)
def test_the_days_are_those_that_the_revenue_service_told(year: int, days: tuple[str, ...]) -> None:
    """The fifteenth of four months, or the next day that is no weekend and no federal holiday."""
    found = islice(due_days(date(year - 1, 12, 31).toordinal()), 4)
    assert [f"{date.fromordinal(day):%m-%d}" for day in found] == list(days)


def test_a_due_day_comes_after_the_day_asked_for() -> None:
    """Asked on a due day, the next one is meant; the day before, that day."""
    due = date(2025, 6, 16)
    assert next(due_days(due.toordinal())) == date(2025, 9, 15).toordinal()
    assert next(due_days(due.toordinal() - 1)) == due.toordinal()


@pytest.mark.parametrize(
    ("days", "today", "following"),
    [
        (DUE, TODAY, date(2026, 1, 15)),
        (DUE[1:], TODAY, date(2026, 1, 15)),
        # Early and late payments are for the day that they are near.
        (("2025-04-01", "2025-06-20", "2025-09-12"), TODAY, date(2026, 1, 15)),
        ((*DUE, "2026-01-12"), date(2026, 1, 20), date(2026, 4, 15)),
        # One day left out says nothing of the others.
        (("2024-06-17", "2024-09-16", *DUE[1:]), TODAY, date(2026, 1, 15)),
        # Paid on one day in two parts.
        ((*DUE, DUE[-1]), TODAY, date(2026, 1, 15)),
    ],
)
def test_who_pays_on_the_days_of_the_law_pays_on_the_next_one(
    days: tuple[str, ...], today: date, following: date
) -> None:
    """Three due days in succession, and the next payment is expected on the day of the law."""
    (tax,) = series_of(paying(*days, until=today), today)
    assert (tax.cadence, tax.next_date, tax.by_law) == ("quarterly", following, True)
    assert tax.monthly == 150_00


@pytest.mark.parametrize(
    ("days", "payee", "category"),
    [
        # Two days only; a pause of a year between; payments nowhere near the days.
        (DUE[2:], "irs", "taxes"),
        (("2024-04-15", "2025-06-16", "2025-09-15"), "irs", "taxes"),
        # Two due days in succession were left out.
        (("2024-06-17", "2024-09-16", "2025-06-16", "2025-09-15"), "irs", "taxes"),
        (("2025-03-03", "2025-05-28", "2025-08-25"), "irs", "taxes"),
        # A day too early, and one too late.
        (("2025-04-15", "2025-06-16", "2025-08-31"), "irs", "taxes"),
        (("2025-04-15", "2025-06-16", "2025-09-21"), "irs", "taxes"),
        # An instalment each month meets four of the days.
        (tuple(str(day) for day in monthly("2025-01-15", 12)), "irs", "taxes"),
        (DUE, "california franchise tax board", "taxes"),
        (DUE, "irs", "uncategorized"),
    ],
)
def test_what_keeps_other_days_is_no_estimated_tax(
    days: tuple[str, ...], payee: str, category: str
) -> None:
    """Balances, instalments, and other payees or purposes are read like any other charge."""
    assert not any(each.by_law for each in series_of(paying(*days, payee=payee, category=category)))


def test_instalments_beside_estimated_tax_are_a_charge_of_their_own() -> None:
    """What is paid to the service on other days keeps its own rhythm."""
    home = paying(*DUE)
    home.charges(["2025-09-28", "2025-10-28", "2025-11-28"], "irs", 75_00)
    tax, instalment = sorted(series_of(home), key=lambda each: -each.amount)
    assert (tax.by_law, tax.amount) == (True, 450_00)
    assert (instalment.by_law, instalment.cadence) == (False, "monthly")


def test_every_later_day_is_one_of_the_law() -> None:
    """Over a year ahead the expected days are the four due days, each once."""
    (tax,) = series_of(paying(*DUE))
    expected = expected_days(tax, TODAY, TODAY + timedelta(365))
    assert [f"{day:%Y-%m-%d}" for day in expected] == [
        "2026-01-15",
        "2026-04-15",
        "2026-06-15",
        "2026-09-15",
    ]


def test_a_late_payment_puts_off_none_that_follows() -> None:
    """That of April is still out on the 18th; that of June is due 59 days later all the same."""
    today = date(2026, 4, 18)
    home = paying(*DUE, "2026-01-15", until=today)
    (tax,) = series_of(home, today)
    late, *later = expected_days(tax, today, today + timedelta(365))
    assert late < date(2026, 4, 25)
    assert [f"{day:%Y-%m-%d}" for day in later] == [
        "2026-06-15",
        "2026-09-15",
        "2027-01-15",
        "2027-04-15",
    ]


def test_a_payment_that_is_pending_is_not_due_again() -> None:
    """Sent before its day, the payment of January is pending, and none is due in thirty days."""
    home = paying(*DUE)
    assert [each.date for each in live(home).upcoming if each.name == "irs"] == [date(2026, 1, 15)]
    home.charge(TODAY, "irs", 450_00, pending=True)
    assert [each.date for each in live(home).upcoming if each.name == "irs"] == []


def test_the_explanation_tells_the_days() -> None:
    """It does not come every three months, and is not said to."""
    said = " ".join(explain(assessed(paying(*DUE)), None, "recurring").reasons)
    assert "irs comes on the four days of a year on which estimated tax falls due: 4 times" in said

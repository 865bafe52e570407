"""What came once and is of a yearly kind is likely to come again a year later."""

from datetime import date, timedelta

import pytest

from finplan.plan.advise.shortfall import running_month
from finplan.plan.bookkeeping import keep_books
from finplan.plan.detect.expected_again import (
    _DAYS_OF_AUTHORITIES,
    LAPSED,
    a_year_after,
    days_of_authority,
)
from finplan.plan.detect.series import return_of
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import SeriesVerdict
from finplan.plan.live.usual import usual_days
from tests.plan.formulas import exactly, worked_out
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import assessed, live, plan_of

TODAY = date(2025, 12, 1)
PAID = date(2025, 1, 30)
"""A payment on account to the tax office, a day before the day of the law."""


def at_home(until: date = TODAY, since: str = "2024-01-01") -> Household:
    """Two years of pay of 3,000 and rent of 1,000 a month; 50 is the least that is looked at."""
    home = household().checking(balance=9_000_00, covered=(since, until))
    home.credits(monthly("2024-01-25", 24), "ACME", 3_000_00, "wages")
    return home.charges(monthly("2024-01-03", 25), "LANDLORD", 1_000_00, "rent")


def books_of(home: Household, today: date = TODAY) -> Books:
    return keep_books(home.ledger(), today)


def again(home: Household, today: date = TODAY) -> list[tuple[str, int, date | None]]:
    """Name, amount and day of what is expected again."""
    return [(one.name, one.amount, one.next_date) for one in books_of(home, today).expected_again]


def the_one(home: Household, today: date = TODAY) -> Series:
    (one,) = books_of(home, today).expected_again
    return one


def test_a_tax_bill_that_came_once_is_expected_after_a_year() -> None:
    """Its day, amount, account and category are those of the payment; a month holds a twelfth."""
    home = at_home().charge(PAID, "hmrc", 4_612_00, "taxes")
    one = the_one(home)
    assert (one.amount, one.monthly, one.next_date) == (4_612_00, 384_33, date(2026, 1, 30))
    assert (one.category, one.parts, one.count_all) == ("taxes", ((PAID, 4_612_00),), 1)
    assert one.account == home.books(TODAY).charges[0].account
    assert one.probability is not None
    assert 0.6 <= one.probability < 0.8


def test_it_is_no_recurring_charge_and_yet_ahead() -> None:
    """Upcoming and the schedule hold it as likely, `recurring` does not, and usual days leave it out."""
    today = date(2026, 1, 10)
    home = at_home(today).charge(PAID, "hmrc", 4_612_00, "taxes")
    assert "hmrc" not in {each.name for each in plan_of(home, today).recurring}
    ahead = {each.name: each for each in live(home, today).upcoming}
    assert (ahead["hmrc"].date, ahead["hmrc"].amount, ahead["hmrc"].likely) == (
        date(2026, 1, 30),
        4_612_00,
        True,
    )
    assert not ahead["LANDLORD"].likely
    assert ahead["hmrc"].title == "hmrc (likely)"
    schedule = assessed(home, today).ahead
    assert schedule is not None
    assert [each.amount for each in schedule.bills(today, date(2026, 1, 31)) if each.name == "hmrc"]
    books = books_of(home, today)
    usual = usual_days(home.ledger(), books, {books.charges[0].account}, ())
    assert usual is not None
    assert min(usual.days) > -4_612_00


def test_a_large_one_is_prepared_for() -> None:
    """A bill of the next sixty days that is large against the surplus is named, though it came once."""
    today = date(2026, 1, 10)
    home = at_home(today).charge(PAID, "hmrc", 9_000_00, "taxes")
    (action,) = [each for each in plan_of(home, today).actions if each.kind == "prepare_bill"]
    assert action.amount == 9_000_00
    assert "hmrc" in action.title


@pytest.mark.parametrize(
    ("payee", "category"),
    [
        ("anything", "taxes"),
        ("anything", "insurance"),
        ("anything", "education"),
        ("anything", "subscriptions"),
        ("tv licence", "phone_internet"),
        ("leeds city council", "uncategorized"),
        ("zorblax versicherung", "uncategorized"),
        ("hundesteuer", "uncategorized"),
        ("golf club membership", "hobbies"),
        ("vehicle registration", "car"),
        ("haftpflichtkasse", "uncategorized"),
        ("st marys school", "kids"),
    ],
)
def test_kinds_that_come_every_year(payee: str, category: str) -> None:
    """By the category, or by the payee's words where a category holds other things as well."""
    assert again(at_home().charge(PAID, payee, 300_00, category)) == [
        (payee, 300_00, date(2026, 1, 30))
    ]


@pytest.mark.parametrize(
    ("payee", "category"),
    [
        ("zorblax", "uncategorized"),
        ("zorblax", "car"),
        ("school of rock", "dining"),
        ("tax free shop", "shopping"),
        ("hotel insurance", "travel"),
        ("hmrc penalty", "taxes"),
        ("irs settlement", "taxes"),
        ("estate of john smith", "taxes"),
        ("hmrc capital gains", "taxes"),
        ("parking fine council", "uncategorized"),
        ("erbschaftsteuer", "taxes"),
    ],
)
def test_what_comes_once_is_never_expected_again(payee: str, category: str) -> None:
    """A purchase, and whatever its words say comes once: penalty, settlement, estate, capital gains."""
    assert again(at_home().charge(PAID, payee, 300_00, category)) == []


@pytest.mark.parametrize(("amount", "is_expected"), [(49_99, False), (50_00, True)])
def test_a_small_payment_is_not_worth_it(amount: int, is_expected: bool) -> None:
    """From the twentieth part of a month's spending on."""
    paid = date(2024, 11, 30)
    home = at_home().charge(paid, "anything", amount, "insurance")
    assert bool(again(home)) == is_expected


def test_a_car_bought_once_makes_no_bill_small() -> None:
    """A month's spending is the middle one, which no one-off moves."""
    home = at_home().charge(date(2024, 11, 30), "anything", 60_00, "insurance")
    found = again(home)
    home.charge("2025-06-12", "MOTORS", 24_000_00, "car")
    assert again(home) == found != []


def test_each_payment_on_account_is_expected_a_year_later() -> None:
    """January with what a year lacked, and July with less, are two payments of different amounts."""
    home = at_home().charge(PAID, "hmrc", 4_612_00, "taxes")
    home.charge("2025-07-31", "hmrc", 1_900_00, "taxes")
    assert again(home) == [
        ("hmrc", 4_612_00, date(2026, 1, 30)),
        ("hmrc", 1_900_00, date(2026, 7, 31)),
    ]


def test_january_alone_is_yearly() -> None:
    """Who paid in January and not in July is expected in January only."""
    home = at_home(date(2026, 7, 1)).charge("2026-01-30", "hmrc", 900_00, "taxes")
    assert again(home, date(2026, 7, 1)) == [("hmrc", 900_00, date(2027, 1, 30))]


def test_the_newest_of_unequal_years_stands() -> None:
    """Two that are too far apart for a renewal show no rhythm; the newer one is expected again."""
    home = at_home().charge("2024-01-30", "hmrc", 2_000_00, "taxes")
    home.charge(PAID, "hmrc", 4_612_00, "taxes")
    assert again(home) == [("hmrc", 4_612_00, date(2026, 1, 30))]


def test_a_renewal_is_recurring_and_no_guess() -> None:
    """Two within 15 % are a series, which is counted once; a dismissed one is expected by nobody."""
    home = at_home().charge("2024-01-30", "hmrc", 4_500_00, "taxes")
    home.charge(PAID, "hmrc", 4_612_00, "taxes")
    assert [each.name for each in books_of(home).charges if each.category == "taxes"] == ["hmrc"]
    assert again(home) == []
    dismissed = SeriesVerdict(
        id="ver_1",
        kind="charge",
        payee_key="hmrc",
        amount=4_612_00,
        day=20250130,
        cadence="annual",
        interval_days=366,
        verdict="dismiss",
    )
    ledger = home.ledger()
    object.__setattr__(ledger, "verdicts", (dismissed,))
    books = keep_books(ledger, TODAY)
    assert [each.name for each in books.charges if each.category == "taxes"] == []
    assert list(books.expected_again) == []


@pytest.mark.parametrize(
    ("late", "expected"), [(0, True), (1, True), (LAPSED, True), (LAPSED + 1, False)]
)
def test_what_did_not_come_lapses(late: int, expected: bool) -> None:
    """Until 45 days after its day it is expected today, then no more."""
    today = date(2026, 1, 30) + timedelta(late)
    home = at_home(today, "2024-06-01").charge(PAID, "hmrc", 4_612_00, "taxes")
    assert again(home, today) == ([("hmrc", 4_612_00, today)] if expected else [])


@pytest.mark.parametrize(("apart", "is_answered"), [(-45, True), (45, True), (-46, False)])
def test_what_came_is_expected_no_more_this_year(apart: int, is_answered: bool) -> None:
    """A payment within 45 days of the day is the one that was expected."""
    came = date(2026, 1, 30) + timedelta(apart)
    home = at_home(date(2026, 3, 20), "2024-06-01").charge(PAID, "hmrc", 4_612_00, "taxes")
    home.charge(came, "hmrc", 2_000_00, "taxes")
    found = again(home, date(2026, 3, 16))
    assert (("hmrc", 4_612_00, date(2026, 3, 16)) not in found) == is_answered
    assert ("hmrc", 2_000_00, a_year_after(came)) in found


def test_a_pending_payment_is_the_one_expected() -> None:
    """What is pending has come, so that it is not ahead a second time."""
    today = date(2026, 1, 28)
    home = at_home(today).charge(PAID, "hmrc", 4_612_00, "taxes")
    home.charge("2026-01-28", "hmrc", 4_700_00, pending=True)
    assert "hmrc" not in {each.name for each in live(home, today).upcoming}


def test_what_was_paid_back_is_not_expected() -> None:
    """A policy that was cancelled has been repaid."""
    home = at_home().charge(PAID, "insurer", 600_00, "insurance")
    home.credit("2025-02-20", "insurer", 300_00, "insurance")
    assert again(home) == []


def test_instalments_and_visits_are_not_yearly() -> None:
    """Three in a year, or two like ones a month apart, come more often than every year."""
    often = at_home().charges(["2025-01-30", "2025-05-02", "2025-10-09"], "x", 300_00, "insurance")
    assert again(often) == []
    begun = at_home().charges(["2025-10-01", "2025-11-01"], "insurer", 300_00, "insurance")
    assert again(begun) == []
    terms = at_home().charges(["2025-01-08", "2025-04-22", "2025-09-03"], "x", 900_00, "education")
    assert [day for _, _, day in again(terms)] == [
        date(2026, 1, 8),
        date(2026, 4, 22),
        date(2026, 9, 3),
    ]


def test_a_bill_that_comes_monthly_leaves_its_payee_out() -> None:
    """What else such an insurer took once is no second policy."""
    home = at_home().charges(monthly("2024-01-10", 23), "insurer", 80_00, "insurance")
    home.charge("2025-03-05", "insurer", 500_00, "insurance")
    assert again(home) == []


@pytest.mark.parametrize(
    ("payee", "days", "following"),
    [
        ("finanzamt", ("2025-06-10", "2025-09-10"), ("12-10", "03-10")),
        ("irs", ("2025-06-16", "2025-09-15"), ("01-15", "04-15")),
        ("income tax department", ("2025-06-14", "2025-09-15"), ("12-15", "03-15")),
        ("australian taxation office", ("2025-07-28", "2025-10-28"), ("02-28", "04-28")),
    ],
)
def test_two_days_of_an_authority_say_what_follows(
    payee: str, days: tuple[str, ...], following: tuple[str, ...]
) -> None:
    """Four payments a year are expected from the second in succession on, until a year is over."""
    home = at_home().charges(days, payee, 800_00, "taxes")
    found = [day for _, _, day in again(home) if day is not None]
    assert [f"{day:%m-%d}" for day in found[:2]] == list(following)
    assert len(found) == 4
    assert found == sorted(found)


def test_one_day_of_an_authority_is_yearly() -> None:
    """One payment, or two that are not in succession, say nothing of the days between."""
    once = at_home().charge("2025-09-10", "finanzamt", 800_00, "taxes")
    assert [day for _, _, day in again(once)] == [date(2026, 9, 10)]
    apart = at_home().charges(["2025-03-10", "2025-09-10"], "finanzamt", 800_00, "taxes")
    assert [day for _, _, day in again(apart)] == [date(2026, 3, 10), date(2026, 9, 10)]


def test_an_authority_that_was_left_out_is_over() -> None:
    """A day between that passed 45 days ago without a payment shows that no more are due."""
    today = date(2026, 2, 1)
    home = at_home(today, "2024-06-01").charges(
        ["2025-06-10", "2025-09-10"], "finanzamt", 800_00, "taxes"
    )
    assert [day for _, _, day in again(home, today)] == [date(2026, 6, 10), date(2026, 9, 10)]


def test_estimated_tax_by_law_is_recurring_and_counted_once() -> None:
    """Three days in succession are a series of their own."""
    home = at_home().charges(["2025-04-15", "2025-06-16", "2025-09-15"], "irs", 450_00, "taxes")
    assert again(home) == []


@pytest.mark.parametrize("days", _DAYS_OF_AUTHORITIES.values())
def test_days_of_authorities_ascend_and_include_the_first(
    days: tuple[tuple[int, int], ...],
) -> None:
    """From one of its days on, that day comes first, and each year holds as many."""
    month, day = min(days)
    found = days_of_authority(days, date(2025, month, day))
    first = [next(found) for _ in range(len(days) + 1)]
    assert first[0] == date(2025, month, day)
    assert first == sorted(first)
    assert first[-1] == date(2026, month, day)


def test_a_leap_day_has_the_day_before_a_year_later() -> None:
    """29 February is in no other year."""
    assert a_year_after(date(2024, 2, 29)) == date(2025, 2, 28)
    assert a_year_after(date(2025, 2, 28)) == date(2026, 2, 28)
    assert a_year_after(date(2025, 12, 31)) == date(2026, 12, 31)


def test_nothing_makes_one_payment_sure_or_a_guess() -> None:
    """Whatever the signs, at least 0.6 and below what counts as sure."""
    assert return_of({"always": 1, "school": 50}) == 0.6
    assert return_of({"always": 1, "licence": 50}) == 0.79


def test_no_history_says_nothing() -> None:
    """Without a full month or without spending there is no twentieth part."""
    home = household().checking(covered=("2025-11-28", TODAY))
    assert again(home.charge("2025-11-29", "hmrc", 900_00, "taxes")) == [
        ("hmrc", 900_00, date(2026, 11, 29))
    ]
    assert again(household().checking(), TODAY) == []


def test_weekly_visits_to_a_school_are_no_yearly_bill() -> None:
    """Lessons that come each week are a series; those that stopped are not expected in a year."""
    home = at_home().charges(every("2025-02-03", 7, 12), "swim school", 60_00, "education")
    assert again(home) == []


@pytest.mark.parametrize(
    ("since", "paid", "observed", "running"),
    [
        # Twelve months hold one payment, so that the mean is the twelfth.
        ("2024-01-01", "2025-01-30", 1_384_33, 1_384_33),
        # Six months hold it: the mean is twice the twelfth.
        ("2025-06-01", "2025-07-31", 1_768_67, 1_384_33),
        # It was paid before the averaged months.
        ("2024-01-01", "2024-11-28", 1_000_00, 1_384_33),
    ],
)
def test_a_month_from_now_on_holds_a_twelfth(
    since: str, paid: str, observed: int, running: int
) -> None:
    """Whatever part of it the averaged months hold; the observed means stay as they were."""
    home = household().checking(balance=9_000_00, covered=(since, TODAY))
    home.credits(monthly("2024-01-25", 24), "ACME", 3_000_00, "wages")
    home.charges(
        [day for day in monthly("2024-01-03", 24) if day >= date.fromisoformat(since)],
        "LANDLORD",
        1_000_00,
        "rent",
    )
    home.rows = [row for row in home.rows if row[2] >= int(since.replace("-", ""))]
    home.charge(paid, "hmrc", 4_612_00, "taxes")
    assert plan_of(home, TODAY).monthly.total_spend == observed
    books = books_of(home)
    assert abs(books.running.spend - running) <= 1
    assert not books.running.one_offs
    told = [change.kind for change in books.running.changes if change.series.name == "hmrc"]
    assert told == ([] if observed == running else ["yearly"])
    month = running_month(home.ledger(), books, TODAY)
    sentences = [change.text for change in month.changes]
    assert any(
        "probably comes every year. Last payment: $4,612" in each for each in sentences
    ) == bool(told)
    figures = [
        each for each in explain(assessed(home, TODAY), None, "monthly").figures if each.formula
    ]
    assert "runningSpend" in {each.name for each in figures}
    assert all(worked_out(each) == exactly(each.result) for each in figures)

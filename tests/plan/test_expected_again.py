"""What came once: of a yearly kind it is likely to come again, unlike anything else it is a one-off.

Two charges a year apart are a renewal where such things come yearly, else a coincidence.
"""

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
from finplan.plan.detect.recurring import _YEARLY
from finplan.plan.detect.series import return_of
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import SeriesVerdict
from finplan.plan.live.usual import usual_days
from tests.plan.formulas import exactly, worked_out
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.typical import assessed, live, plan_of
from tests.present import present
from tests.says import says

IN_DECEMBER = date(2025, 12, 1)
PAID = date(2025, 1, 30)
"""A payment on account to the tax office, a day before the day of the law."""


def at_home(until: date = IN_DECEMBER, since: str = "2024-01-01") -> Household:
    """Two years of pay of 3,000 and rent of 1,000 a month; 50 is the least that is looked at."""
    home = with_cash(9_000_00, (since, until))
    return home.earns(3_000_00, "2024-01-25", 24).rents(1_000_00, "2024-01-03", 25)


def again(home: Household, today: date = IN_DECEMBER) -> list[tuple[str, int, date | None]]:
    """Name, amount and day of what is expected again."""
    return [(one.name, one.amount, one.next_date) for one in home.books(today).expected_again]


def the_one(home: Household, today: date = IN_DECEMBER) -> Series:
    (one,) = home.books(today).expected_again
    return one


def test_a_tax_bill_that_came_once_is_expected_after_a_year() -> None:
    """Its day, amount, account and category are those of the payment; a month holds a twelfth."""
    home = at_home().charge(PAID, "hmrc", 4_612_00, "taxes")
    one = the_one(home)
    assert (one.amount, one.monthly, one.next_date) == (4_612_00, 384_33, date(2026, 1, 30))
    assert (one.category, one.parts, one.count_all) == ("taxes", ((PAID, 4_612_00),), 1)
    assert one.account == home.books(IN_DECEMBER).charges[0].account
    assert 0.6 <= present(one.probability) < 0.8


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
    schedule = present(assessed(home, today).ahead)
    assert [each.amount for each in schedule.bills(today, date(2026, 1, 31)) if each.name == "hmrc"]
    books = home.books(today)
    usual = present(usual_days(home.ledger(), books, {books.charges[0].account}, ()))
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
    assert bool(again(at_home().charge(paid, "anything", amount, "insurance"))) == is_expected


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
    assert [each.name for each in home.books(IN_DECEMBER).charges if each.category == "taxes"] == [
        "hmrc"
    ]
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
    books = keep_books(ledger, IN_DECEMBER)
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
def test_days_of_authorities_ascend_from_the_first(days: tuple[tuple[int, int], ...]) -> None:
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
    home = household().checking(covered=("2025-11-28", IN_DECEMBER))
    assert again(home.charge("2025-11-29", "hmrc", 900_00, "taxes")) == [
        ("hmrc", 900_00, date(2026, 11, 29))
    ]
    assert again(household().checking(), IN_DECEMBER) == []


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
def test_a_month_ahead_holds_a_twelfth(since: str, paid: str, observed: int, running: int) -> None:
    """Whatever part of it the averaged months hold; the observed means stay as they were."""
    home = with_cash(9_000_00, (since, IN_DECEMBER)).earns(3_000_00, "2024-01-25", 24)
    home.charges(
        [day for day in monthly("2024-01-03", 24) if day >= date.fromisoformat(since)],
        "LANDLORD",
        1_000_00,
        "rent",
    )
    home.rows = [row for row in home.rows if row[2] >= int(since.replace("-", ""))]
    home.charge(paid, "hmrc", 4_612_00, "taxes")
    assert plan_of(home, IN_DECEMBER).monthly.total_spend == observed
    books = home.books(IN_DECEMBER)
    assert abs(books.running.spend - running) <= 1
    assert not books.running.one_offs
    told = [change.kind for change in books.running.changes if change.series.name == "hmrc"]
    assert told == ([] if observed == running else ["yearly"])
    month = running_month(home.ledger(), books, IN_DECEMBER)
    yearly = [says(change.text, "yearly.", "payment: $4,612") for change in month.changes]
    assert any(yearly) == bool(told)
    figures = [
        each
        for each in explain(assessed(home, IN_DECEMBER), None, "monthly").figures
        if each.formula
    ]
    assert "runningSpend" in {each.name for each in figures}
    assert all(worked_out(each) == exactly(each.result) for each in figures)


MONTH_OF_SPENDING = 2_000_00 + 300_00


def family() -> Household:
    """Pay of 4,000, rent of 2,000 and food of 300 a month, for a year."""
    return (
        with_cash(9_000_00)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .rents(2_000_00)
        .charges(monthly("2025-01-11", 12), "SAFEWAY", 300_00, "groceries")
    )


def one_offs(home: Household) -> list[tuple[str, int]]:
    """Payee and amount of each, by payee."""
    found = home.books(TODAY).running.one_offs
    return sorted((home.ledger().payees[row[0]].name, row[3]) for row in found)


def test_a_household_without_a_large_row_has_none() -> None:
    assert one_offs(family()) == []


@pytest.mark.parametrize(
    ("category", "amount", "is_one"),
    [
        ("shopping", MONTH_OF_SPENDING, True),
        ("shopping", MONTH_OF_SPENDING - 1, False),
        ("car", 2 * MONTH_OF_SPENDING, True),
        ("car", 2 * MONTH_OF_SPENDING - 1, False),
        ("travel", 2 * MONTH_OF_SPENDING - 1, False),
        ("taxes", 5 * MONTH_OF_SPENDING, False),
        ("insurance", 5 * MONTH_OF_SPENDING, False),
    ],
)
def test_it_is_a_month_of_spending_or_two_if_rare(category: str, amount: int, is_one: bool) -> None:
    """What is due each year is none at any size."""
    home = family().charge("2025-06-14", "SELLER", amount, category)
    assert one_offs(home) == ([("SELLER", -amount)] if is_one else [])


@pytest.mark.parametrize(("amount", "is_one"), [(4_500_00, True), (4_499_99, False)])
def test_it_is_three_usual_months_of_its_category(amount: int, is_one: bool) -> None:
    """Beside 1,500 a month at a mall, what is dearer than a month of all spending may be usual."""
    home = family().charges(monthly("2025-01-17", 12), "MALL", 1_500_00, "shopping")
    home.charge("2025-06-14", "SELLER", amount, "shopping")
    assert one_offs(home) == ([("SELLER", -amount)] if is_one else [])


@pytest.mark.parametrize(("last_year", "is_one"), [(2_800_00, False), (2_799_99, True)])
def test_nothing_is_like_it(last_year: int, is_one: bool) -> None:
    """A holiday each July is no one-off, wherever it leads: 2,800 is within 30 % of 4,000."""
    home = with_cash(9_000_00, ("2024-01-01", TODAY)).rents(1_000_00, "2024-01-01", 25)
    home.charge("2024-07-10", "ISLAND", last_year, "travel")
    home.charge("2025-07-12", "LAKE", 4_000_00, "travel")
    assert (("LAKE", -4_000_00) in one_offs(home)) == is_one


def test_a_third_one_within_a_year_stays_in_the_mean() -> None:
    """Car, boiler and dentist: the two largest are one-offs."""
    home = family().charge("2025-03-14", "DEALER", 9_000_00, "car")
    home.charge("2025-06-14", "BOILERS", 6_000_00, "home_upkeep")
    home.charge("2025-10-14", "DENTIST", 5_000_00, "health")
    assert one_offs(home) == [("BOILERS", -6_000_00), ("DEALER", -9_000_00)]


def test_what_came_back_of_it_goes_with_it() -> None:
    """Its payee's refund, and what an insurer paid of it, but not what was paid back before."""
    home = family().charge("2025-06-14", "CLINIC", 8_000_00, "health")
    home.credit("2025-05-20", "CLINIC", 50_00, "health")
    home.credit("2025-07-01", "CLINIC", 100_00, "health")
    home.credit("2025-08-01", "INSURER", 5_000_00, "health")
    home.credit("2025-08-02", "PHARMACY", 5_00, "health")
    assert one_offs(home) == [("CLINIC", -8_000_00), ("CLINIC", 100_00), ("INSURER", 5_000_00)]


def test_of_money_in_a_median_month_of_it_counts() -> None:
    home = family().credit("2025-06-14", "NOTARY", 4_000_00, "unknown_inflow")
    assert one_offs(home) == [("NOTARY", 4_000_00)]
    assert one_offs(family().credit("2025-06-14", "NOTARY", 3_999_99, "unknown_inflow")) == []


def test_words_of_an_inheritance_are_enough() -> None:
    home = family().payee("ESTATE", "uncategorized", "other_income", inflow_sign="windfall")
    home.credit("2025-06-14", "ESTATE", 100_00)
    assert one_offs(home) == [("ESTATE", 100_00)]


def test_what_comes_in_a_rhythm_is_none() -> None:
    """Pay of eight times what it was, in its rhythm."""
    home = with_cash(0)
    home.credits(monthly("2025-01-28", 12), "JOB", [500_00] * 9 + [4_000_00] * 3, "wages")
    home.rents(300_00, times=12)
    assert one_offs(home) == []


def test_a_paired_move_between_own_accounts_is_none() -> None:
    home = family().savings("rainy day", balance=0, covered=YEAR)
    home.transfer("2025-06-14", "checking", "rainy day", 9_000_00)
    assert one_offs(home) == []


def test_a_payment_to_a_broker_that_was_made_once_is_one() -> None:
    home = family().brokerage(balance=9_000_00)
    home.transfer(
        "2025-06-14", "checking", "brokerage", 9_000_00, category="investing", counts=False
    )
    assert one_offs(home) == [("TRANSFER", -9_000_00)]


def test_without_a_full_month_nothing_is_told() -> None:
    home = with_cash(0, ("2026-01-02", TODAY))
    home.charge("2026-01-05", "DEALER", 9_000_00, "car")
    assert one_offs(home) == []


def test_adding_one_changes_no_running_figure() -> None:
    """The invariant of section 2a: income and costs from now on stay as they are to the unit."""
    before = family().books(TODAY).running
    home = family().charge("2025-06-14", "DEALER", 18_500_00, "car")
    home.payee("ESTATE", "uncategorized", "other_income", inflow_sign="windfall")
    home.credit("2025-06-20", "ESTATE", 40_000_00)
    after = home.books(TODAY).running
    assert (before.income, before.spend) == (after.income, after.spend)
    assert len(after.one_offs) == 2


BEFORE_CHRISTMAS = date(2025, 12, 22)


def found(home: Household) -> list[Series]:
    """The annual charges of a household."""
    return [one for one in home.books(BEFORE_CHRISTMAS).charges if one.cadence == "annual"]


def renting_for_years(rent: int = 1_000_00) -> Household:
    """Three years of rent, so that it is known what little money is."""
    home = household().checking(covered=("2023-01-01", BEFORE_CHRISTMAS))
    return home.rents(rent, "2023-01-01", 36)


def renewals(
    category: str, *charges: tuple[date, int], home: Household | None = None
) -> list[Series]:
    """The annual charges when so much is paid to one payee on such days."""
    home = home or renting_for_years()
    for day, amount in charges:
        home.charge(day, "ZORBLAX", amount, category)
    return found(home)


FIRST = date(2024, 6, 10)


@pytest.mark.parametrize("category", sorted(_YEARLY))
def test_a_renewal_is_known_from_its_second_year(category: str) -> None:
    """Insurance, taxes and the like come again next year, at the last price."""
    (one,) = renewals(category, (FIRST, 1_140_00), (date(2025, 6, 10), 1_218_00))
    assert (one.amount, one.price_before, one.monthly) == (1_218_00, 1_140_00, 101_50)
    assert one.next_date == date(2026, 6, 10)


@pytest.mark.parametrize(
    "category",
    ["health", "dining", "shopping", "travel", "entertainment", "gifts_donations", "uncategorized"],
)
def test_two_equal_visits_a_year_apart_are_a_coincidence(category: str) -> None:
    """A check-up has its price, and the hotel of last summer is no contract; a third year is one."""
    assert renewals(category, *[(FIRST, 300_00), (FIRST + timedelta(365), 300_00)]) == []


@pytest.mark.parametrize(
    ("days", "is_found"), [(349, False), (350, True), (380, True), (381, False)]
)
def test_a_renewal_comes_after_a_year(days: int, is_found: bool) -> None:
    """Between 350 and 380 days, both counted."""
    again = renewals("insurance", (FIRST, 300_00), (FIRST + timedelta(days), 300_00))
    assert bool(again) == is_found


@pytest.mark.parametrize(
    ("price", "is_found"), [(84_99, False), (85_00, True), (115_00, True), (115_01, False)]
)
def test_a_renewal_costs_about_the_same(price: int, is_found: bool) -> None:
    """Within 15 % of the first price, both ways."""
    again = renewals("insurance", (FIRST, 100_00), (FIRST + timedelta(365), price))
    assert bool(again) == is_found


@pytest.mark.parametrize(("price", "is_found"), [(100_00, True), (90_00, False)])
def test_two_small_charges_a_year_apart_are_not_told(price: int, is_found: bool) -> None:
    """Below 2 % of a month's spending nothing hangs on it; a third charge is told all the same."""
    rent = 100_00 * 50 - price // 6  # The charge itself is spending too, or about a twelfth of it.
    again = [(FIRST, price), (date(2025, 6, 10), price)]
    assert bool(renewals("subscriptions", *again, home=renting_for_years(rent))) == is_found
    third = (date(2023, 6, 10), price)
    assert renewals("subscriptions", third, *again, home=renting_for_years(rent))


def test_a_renewal_is_not_picked_out_of_visits() -> None:
    """Among five charges two are often a year apart within 15 %; equal ones among thirteen."""
    home = renting_for_years()
    again = [(FIRST, 300_00), (date(2025, 6, 10), 310_00)]
    for place, day in enumerate((date(2024, 2, 2), date(2024, 9, 27))):
        home.charge(day, "ZORBLAX", 90_00 + place * 47_00, "car")
    assert len(renewals("car", *again, home=home)) == 1
    home.charge(date(2025, 3, 3), "ZORBLAX", 44_00, "car")
    assert found(home) == []
    home = renting_for_years()
    for place, day in enumerate(every("2024-02-03", 17, 11)):
        home.charge(day, "ZORBLAX", 11_00 + place * 13, "hobbies")
    assert renewals("hobbies", (FIRST, 95_00), (date(2025, 6, 10), 95_00), home=home) == []


def test_two_policies_at_one_insurer_are_two() -> None:
    """Each pair holds the amounts that are nearest to each other."""
    home = renting_for_years()
    for day, amount in ((FIRST, 300_00), (FIRST + timedelta(8), 330_00)):
        home.charge(day, "ZORBLAX", amount, "insurance")
        home.charge(day + timedelta(366), "ZORBLAX", amount + 10_00, "insurance")
    assert sorted(one.amount for one in found(home)) == [310_00, 340_00]


def test_a_yearly_charge_goes_on_by_the_calendar() -> None:
    """The next one is a calendar year after the last, though the last distance was longer."""
    (one,) = renewals("insurance", (FIRST, 300_00), (date(2025, 6, 20), 300_00))
    assert one.next_date == date(2026, 6, 20)

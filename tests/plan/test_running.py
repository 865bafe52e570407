"""Running figures: what a month brings and costs from now on. Source: plan-semantics, section 2a.

Twenty-one households whose life changes, and the advice that they get.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.plan.advise.assessment import Assessment
from finplan.plan.build import assess, build_plan, plan_of
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.monthly import plan_month, take_means
from tests.plan.households import TODAY, Household, every, household, monthly, with_cash
from tests.plan.typical import assessed, plan_of as plan_of_home

SINCE = "2024-01-01"

many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

amounts = st.integers(20_00, 2_000_00)


@st.composite
def steady_lives(draw: st.DrawFn) -> Household:
    """Two years in which nothing begins, ends or steps: pay, rent, a bill and food."""
    home = with_cash(draw(st.integers(0, 20_000_00)), (SINCE, TODAY))
    pay = draw(st.integers(1_500_00, 6_000_00))
    if draw(st.booleans()):
        home.earns_biweekly(pay // 2, "2024-01-05", 52)
    else:
        home.earns(pay, "2024-01-28", 24)
    home.rents(draw(st.integers(400_00, 1_400_00)), "2024-01-01", 25)
    home.charges(monthly("2024-01-12", 24), "POWER CO", draw(amounts), "utilities")
    food = draw(st.lists(st.integers(30_00, 90_00), min_size=1, max_size=5))
    home.charges(every("2024-01-03", 5, 146), "MARKET", food, "groceries")
    wants = draw(st.lists(st.integers(5_00, 40_00), min_size=1, max_size=5))
    return home.charges(every("2024-01-04", 6, 122), "BISTRO", wants, "dining")


def running(home: Household, today: date = TODAY) -> tuple[int, int, int]:
    """Running income, essentials and discretionary."""
    found = home.books(today).running
    return found.income, found.essentials, found.discretionary


@pytest.mark.thorough
@many
@given(steady_lives())
def test_without_a_change_running_is_observed_to_the_unit(home: Household) -> None:
    """Nothing began, ended or stepped: what was is what is planned with."""
    books = home.books(TODAY)
    means, found = take_means(books, home.catalogue), books.running
    assert not found.changes
    assert not found.one_offs
    assert (found.income, found.spend) == (means.income, means.total_spend)
    assert (found.essentials, found.discretionary) == (means.essentials, means.discretionary)
    assert sum(found.by_category.values()) == found.spend
    assert sum(monthly for _, monthly in found.by_source) == found.income


@pytest.mark.thorough
@many
@given(
    steady_lives(),
    st.sampled_from(["shopping", "car", "health", "uncategorized", "home_goods"]),
    st.integers(1, 340),
    st.integers(15_000_00, 60_000_00),
)
def test_a_one_off_changes_no_target(home: Household, category: str, ago: int, amount: int) -> None:
    """A car is in what was and in the balance, never in what is planned with."""
    before = plan_of_home(home), running(home), daily(home)
    home.charge(TODAY - timedelta(ago), "LUTHER TOYOTA", amount, category)
    after = plan_of_home(home), running(home), daily(home)
    assert after[1:] == before[1:]
    targets = [[item.target for item in plan.budget] for plan in (before[0], after[0])]
    assert targets[0] == targets[1]
    funds = [
        (plan.emergency_fund.target_amount, plan.emergency_fund.monthly_contribution)
        for plan in (before[0], after[0])
    ]
    assert funds[0] == funds[1]


def daily(home: Household) -> int:
    ledger, books = home.ledger(), home.books(TODAY)
    return live_snapshot(ledger, books, build_plan(ledger, TODAY), TODAY).allowance.daily


@many
@given(st.integers(2, 11), st.integers(800_00, 4_000_00))
def test_an_equal_job_or_rent_in_place_of_another_changes_nothing(moved: int, amount: int) -> None:
    """A new employer on the old day and a new landlord at the old rent."""
    old, new = household(), household()
    for home in (old, new):
        home.checking(covered=(SINCE, TODAY))
    for index, day in enumerate(monthly("2024-01-28", 24)):
        old.credit(day, "ACME", 2 * amount, "wages")
        new.credit(day, "ACME" if index < 24 - moved else "GLOBEX", 2 * amount, "wages")
    for index, day in enumerate(monthly("2024-01-03", 25)):
        old.charge(day, "LANDLORD", amount, "rent")
        new.charge(day, "LANDLORD" if index < 25 - moved else "OTHER FLATS", amount, "rent")
    new.payee("GLOBEX", into="wages", inflow_sign="pay")
    assert running(new) == running(old)


def lives() -> Sequence[Callable[[], Household]]:
    """Households in which something happens."""

    def base() -> Household:
        home = with_cash(5_000_00, (SINCE, "2026-06-01"))
        return home.charges(every(SINCE, 7, 120), "MARKET", 90_00, "groceries")

    def new_job() -> Household:
        home = base().payee("GLOBEX", into="wages", inflow_sign="pay")
        home.credits(every("2024-01-05", 14, 46), "INITECH", 2_100_00, "wages")
        return home.credits(every("2025-10-17", 14, 8), "GLOBEX", [1_100_00, *[2_360_00] * 7])

    def new_rent() -> Household:
        home = base().earns(4_000_00, "2024-01-28", 25)
        home.charges(monthly("2024-01-01", 21), "OLD FLATS", 1_000_00, "rent")
        return home.charges(monthly("2025-10-01", 4), "NEW FLATS", 1_900_00, "rent")

    def client() -> Household:
        days = [date(2024, 1, 8) + timedelta(59 * place) for place in range(12)]
        return base().credits(days, "CLIENT", 6_000_00, "self_employment")

    def daycare() -> Household:
        home = base().earns(4_000_00, "2024-01-28", 25)
        return home.charges(monthly("2025-09-04", 5), "KINDER CARE", 1_250_00, "childcare")

    return (new_job, new_rent, client, daycare)


@pytest.mark.thorough
@pytest.mark.parametrize("life", lives(), ids=lambda life: life.__name__)
def test_no_figure_jumps_on_a_day_without_a_reason(life: Callable[[], Household]) -> None:
    """Day by day over 120 days: a running figure moves only with a change, a source or the window."""
    home, before = life(), None
    for ago in range(120, -1, -1):
        today = TODAY - timedelta(ago)
        home_then = life()
        home_then.rows = [row for row in home.rows if row[2] <= int(f"{today:%Y%m%d}")]
        books = home_then.books(today)
        found = books.running
        figures = (found.income, found.essentials, found.discretionary)
        reasons = (
            books.window.runs,
            tuple((change.series.name, change.kind, change.now) for change in found.changes),
            tuple((source.name, source.amount, source.running) for source in books.sources),
            len(found.one_offs),
        )
        if before is not None and before[0] != figures:
            assert before[1] != reasons, today
        before = figures, reasons


@pytest.mark.parametrize(
    ("today", "rent"),
    [
        (date(2025, 9, 20), 1_000_00),
        # One month of the new rent, and the old one is seven days late.
        (date(2025, 10, 9), 1_900_00),
        (date(2025, 11, 3), 1_900_00),
        (date(2026, 1, 10), 1_900_00),
    ],
)
def test_a_new_rent_replaces_the_old_one(today: date, rent: int) -> None:
    """A need that begins while one of its kind is late counts at first sight; the two never together."""
    home = household().checking(covered=(SINCE, TODAY))
    home.charges(monthly("2024-01-01", 21), "OLD FLATS", 1_000_00, "rent")
    home.charges(monthly("2025-10-01", 4), "NEW FLATS", 1_900_00, "rent")
    home.rows = [row for row in home.rows if row[2] <= int(f"{today:%Y%m%d}")]
    assert home.books(today).running.by_category == {"rent": rent}


def test_a_fixed_charge_steps_at_one() -> None:
    """The same landlord at a higher rent, paid once so far."""
    home = household().checking(covered=(SINCE, TODAY)).rents(1_000_00, "2024-02-01", 23)
    home.charge("2026-01-01", "LANDLORD", 1_200_00)
    assert home.books(TODAY).running.by_category == {"rent": 1_200_00}


def test_what_is_over_counts_nothing() -> None:
    """A gym that ended in summer is in the average and not in what is planned with."""
    home = household().checking(covered=(SINCE, TODAY))
    home.charges(monthly("2024-01-05", 18), "GYM", 60_00, "subscriptions")
    home.rents(900_00, "2024-01-01", 25)
    books = home.books(TODAY)
    assert take_means(books, home.catalogue).discretionary == 30_00
    assert books.running.discretionary == 0
    (change,) = books.running.changes
    assert (change.kind, change.since, change.now) == ("ended", date(2025, 6, 5), 0)


def test_ten_instalments_a_year_are_not_over_in_the_pause() -> None:
    """Council tax from April to January, in its second pause."""
    today = date(2026, 3, 20)
    days = [day for day in monthly("2024-04-05", 22) if day.month not in {2, 3}]
    home = household().checking(covered=("2024-01-01", today))
    home.charges(days, "COUNCIL", 148_00, "taxes")
    home.rents(900_00, "2024-01-01", 27)
    assert home.books(today).running.by_category["taxes"] == round(148_00 * 10 / 12)


@pytest.mark.parametrize(("sightings", "counts"), [(1, False), (2, True), (3, True)])
def test_daycare_counts_from_its_second_sighting(sightings: int, *, counts: bool) -> None:
    """Two payments a month apart are a bill of its kind."""
    home = household().checking(covered=(SINCE, TODAY)).rents(900_00, "2024-01-01", 25)
    home.charges(monthly("2025-10-04", 4)[-sightings:], "KINDER CARE", 1_250_00, "childcare")
    assert (home.books(TODAY).running.by_category.get("childcare", 0) == 1_250_00) is counts


def test_a_dining_habit_of_two_months_is_no_bill() -> None:
    """Only kinds that surely come again count from the second sighting."""
    home = household().checking(covered=(SINCE, TODAY)).rents(900_00, "2024-01-01", 25)
    home.charges(["2025-11-20", "2025-12-20"], "BISTRO", 300_00, "dining")
    assert home.books(TODAY).running.by_category["dining"] == 50_00


def test_income_that_came_once_is_not_planned_with() -> None:
    """A gift, however small, and a client who paid once."""
    home = household().checking(covered=(SINCE, TODAY)).earns(3_000_00, "2024-01-28", 24)
    home.credit("2025-06-06", "AUNT", 120_00, "other_income")
    home.credit("2025-11-06", "CLIENT", 900_00, "self_employment")
    assert home.books(TODAY).running.income == 3_000_00


def test_a_pensioner_with_child_benefit_alone_is_not_retired() -> None:
    """Only words of pension, annuity or old age retire a household."""

    def with_benefit(sign: str) -> Household:
        home = with_cash(9_000_00, (SINCE, TODAY))
        home.payee("PAYER", into="pension_benefits", inflow_sign=sign)
        home.rents(900_00, "2024-01-01", 25)
        return home.credits(monthly("2024-01-07", 24), "PAYER", 250_00)

    retired = {
        sign: assess(
            with_benefit(sign).ledger(), with_benefit(sign).books(TODAY), TODAY
        ).living.retired
        for sign in ("pension", "benefit", "temporary")
    }
    assert retired == {"pension": True, "benefit": False, "temporary": False}


def test_a_benefit_that_may_end_shortens_what_savings_last() -> None:
    """Half a year after its start the benefit may be over, and the shorter time is told."""
    home = with_cash(12_000_00, (SINCE, TODAY))
    home.payee("LABOR OFFICE", into="pension_benefits", inflow_sign="temporary")
    home.rents(2_000_00, "2024-01-01", 25).earns(4_000_00, "2024-01-28", 21)
    home.credits(every("2025-10-13", 14, 7), "LABOR OFFICE", 600_00)
    living = assessed(home).living
    assert living.applies
    # 700 a month for three months and a few days, then 2,000.
    assert living.months_by_targets is not None
    assert 7 < living.months_by_targets < 9


def at_work() -> Household:
    """A year of pay, rent and food, and more before."""
    home = with_cash(5_000_00, (SINCE, TODAY))
    home.earns(4_000_00, "2024-01-28", 24).rents(1_300_00, "2024-01-01", 25)
    return home.charges(every("2024-01-03", 7, 105), "MARKET", 100_00, "groceries")


def test_an_inheritance_is_no_main_source_and_hides_no_account() -> None:
    """Neither the fund's months nor a draw nor a missing account follow from what came once."""
    home = at_work().payee("ESTATE", into="other_income", inflow_sign="windfall")
    home.credit("2025-05-10", "ESTATE", 60_000_00)
    plan, before = plan_of_home(home), plan_of_home(at_work())
    assert plan.emergency_fund.target_months == before.emergency_fund.target_months == 6
    assert "connect_account" not in {action.kind for action in plan.actions}
    ledger, books = home.ledger(), home.books(TODAY)
    assert live_snapshot(ledger, books, plan, TODAY).income.draw is None


def test_an_inheritance_does_not_settle_what_money_in_is() -> None:
    """A tenth of what came in is measured without what came once."""
    home = at_work().credits(monthly("2025-01-05", 12), "FLATMATE", 500_00, "unknown_inflow")
    home.payee("ESTATE", into="other_income", inflow_sign="windfall")
    home.credit("2025-05-10", "ESTATE", 60_000_00)
    assert plan_month(home.ledger(), home.books(TODAY)).unanswered == 500_00


def test_a_short_history_is_not_planned_with_a_windfall() -> None:
    """Two months with an inheritance and no pay."""
    home = with_cash(50_000_00, ("2025-11-01", TODAY))
    home.charges(every("2025-11-02", 3, 23), "MARKET", 100_00, "groceries")
    home.payee("ESTATE", into="other_income", inflow_sign="windfall")
    home.credit("2025-12-10", "ESTATE", 50_000_00)
    assert plan_month(home.ledger(), home.books(TODAY)).income == 0


def test_a_teacher_in_summer_after_a_raise_keeps_the_pay() -> None:
    """Silent as a year ago at this time: the mean of the window goes on."""
    today = date(2025, 8, 30)
    home = household().checking(covered=("2022-08-01", today)).rents(900_00, "2022-08-01", 37)
    for day in monthly("2022-09-28", 34):
        if day.month not in {7, 8}:
            amount = 4_300_00 if day >= date(2024, 12, 1) else 4_000_00
            home.credit(day, "SCHOOL PAYROLL", amount, "wages")
    books = home.books(today)
    assert books.running.income == take_means(books, home.catalogue).income > 3_000_00


@pytest.mark.parametrize("last", [1, 2, 3])
def test_an_equal_rent_from_any_period_on_is_the_rent(last: int) -> None:
    """The old landlord was paid so many times in the window, on its first days."""
    old = 12 + last
    home = household().checking(covered=(SINCE, TODAY))
    home.charges(monthly("2024-01-01", old), "OLD FLATS", 1_300_00, "rent")
    home.charges(monthly("2024-01-01", 25)[old:], "NEW FLATS", 1_300_00, "rent")
    assert home.books(TODAY).running.by_category == {"rent": 1_300_00}


def test_a_child_benefit_that_began_replaces_no_pay() -> None:
    """Pay that is a little late goes on beside a small benefit."""
    home = household().checking(covered=(SINCE, TODAY)).earns(4_000_00, "2024-01-28", 23)
    home.payee("FAMILY OFFICE", into="pension_benefits", inflow_sign="benefit")
    home.credits(["2025-12-06", "2026-01-05"], "FAMILY OFFICE", 100_00)
    assert home.books(TODAY).running.income == round(11 * 4_000_00 / 12) + 100_00


def test_a_deposit_beside_the_first_rent_is_no_second_rent() -> None:
    """Of two new payees of one kind the one that is nearest to the old rent takes its place."""
    home = household().checking(covered=(SINCE, TODAY))
    home.charges(monthly("2024-01-01", 24), "OLD LANDLORD", 1_200_00, "rent")
    home.charge("2026-01-02", "AGENCY DEPOSIT", 1_800_00, "rent")
    home.charge("2026-01-04", "NEW LANDLORD", 1_300_00, "rent")
    assert home.books(TODAY).running.by_category == {"rent": 1_300_00}


def test_daycare_that_went_on_counts_whole() -> None:
    """A pause of nine months at the same price takes nothing off what a month costs."""
    home = household().checking(covered=(SINCE, TODAY)).rents(900_00, "2024-01-01", 25)
    home.charges(monthly("2024-01-05", 12), "KINDER CARE", 1_000_00, "childcare")
    home.charges(monthly("2025-10-05", 4), "KINDER CARE", 1_000_00)
    assert home.books(TODAY).running.by_category["childcare"] == 1_000_00


def test_a_standing_order_from_an_own_account_is_no_unanswered_income() -> None:
    """What has a twin on another account is asked about as a transfer."""
    home = at_work()
    for day in monthly("2025-01-02", 13):
        home.on("checking").charge(day, "T ASHWORTH", 900_00, "uncategorized")
    home.checking("other", covered=(SINCE, TODAY))
    for day in monthly("2025-01-03", 13):
        home.on("other").credit(day, "THOMAS A", 900_00, "unknown_inflow")
    assert plan_month(home.ledger(), home.books(TODAY)).unanswered == 0


def test_a_temporary_benefit_sets_no_months_of_the_fund() -> None:
    """A partner's unemployment benefit makes no second earner."""
    home = at_work().payee("LABOR OFFICE", into="pension_benefits", inflow_sign="temporary")
    home.credits(every("2025-01-07", 14, 27), "LABOR OFFICE", 600_00)
    assert plan_of_home(home).emergency_fund.target_months == 6


def test_a_bonus_as_large_as_the_pay_is_counted_once() -> None:
    """A second equal credit on three paydays: Σ total of the sources is the income."""
    home = at_work()
    for day in ("2025-01-28", "2025-05-28", "2025-09-28"):
        home.credit(day, "ACME", 4_000_00)
    books = home.books(TODAY)
    assert sum(source.total for source in books.sources) == books.income


IN_LATE_NOVEMBER = date(2026, 11, 22)
"""The averaged months are November 2025 to October 2026."""

BAD_NEWS = frozenset({"income_stopped", "cover_shortfall", "cover_cash_gap"})


def base(pay: int = 3_000_00, cash: int = 12_000_00) -> Household:
    """A pay on the 25th, a rent of 1,000 on the 1st and food for 400 on the 10th."""
    home = with_cash(cash, ("2025-10-01", IN_LATE_NOVEMBER))
    if pay:
        home.earns(pay, "2025-10-25", 13)
    home.rents(1_000_00, "2025-10-01", 14)
    return home.charges(monthly("2025-10-10", 14), "MARKET", 400_00, "groceries")


def former(last: str, pay: int = 3_000_00, cash: int = 12_000_00) -> Household:
    """The same whose pay was last paid on a day."""
    home, end = base(0, cash), date.fromisoformat(last)
    days = [day for day in monthly("2025-10-25", 13) if day <= end]
    return home.credits(days, "ACME", pay, "wages")


def says(home: Household, name: str, sign: str = "pay", category: str = "wages") -> Household:
    return home.payee(name, into=category, inflow_sign=sign)


def new_monthly_job() -> Household:
    home = says(former("2026-08-25"), "GLOBEX")
    return home.credits(["2026-09-30", "2026-10-30"], "GLOBEX", 3_500_00)


def new_biweekly_job() -> Household:
    home = says(former("2026-09-25"), "GLOBEX")
    return home.credits(["2026-10-23", "2026-11-06", "2026-11-20"], "GLOBEX", 1_500_00)


def first_pay_of_a_new_job() -> Household:
    return says(former("2026-09-25"), "GLOBEX").credit("2026-10-30", "GLOBEX", 3_300_00)


def jobless_until_november() -> Household:
    home = says(former("2026-05-25"), "GLOBEX")
    return home.credits(["2026-11-06", "2026-11-20"], "GLOBEX", 1_450_00)


def lost_with_benefit() -> Household:
    home = says(former("2026-09-25"), "LABOR OFFICE", "temporary", "pension_benefits")
    return home.credits(every("2026-10-09", 14, 4), "LABOR OFFICE", 450_00)


def lost_without_benefit() -> Household:
    return former("2026-08-25", cash=5_000_00)


def second_earner() -> Household:
    return says(base(), "INITECH").credits(monthly("2026-09-15", 3), "INITECH", 1_800_00)


def two_jobs_lost_one_found() -> Household:
    home = former("2026-08-25").credits(monthly("2025-10-15", 11), "HOOLI", 2_800_00, "wages")
    return says(home, "GLOBEX").credits(monthly("2026-09-28", 2), "GLOBEX", 3_000_00)


def new_rent() -> Household:
    home = base().charges(["2026-10-03", "2026-11-03"], "NEW LANDLORD", 1_900_00, "rent")
    home.rows = [row for row in home.rows if row[2] < 20261001 or row[3] != -1_000_00]
    return home


def daycare() -> Household:
    return base().charges(monthly("2026-09-05", 3), "KINDERCARE", 1_250_00, "childcare")


def parental_pay() -> Household:
    home = says(former("2026-08-25"), "ELTERNGELD", "temporary", "pension_benefits")
    return home.credits(["2026-10-01", "2026-11-01"], "ELTERNGELD", 1_800_00)


def raised() -> Household:
    return former("2026-08-25").credits(["2026-09-25", "2026-10-25"], "ACME", 3_240_00)


def bonus_beside_pay() -> Household:
    return base().credit("2026-10-25", "ACME", 2_400_00)


def hospital() -> Household:
    return base().charge("2026-07-14", "MERCY HOSPITAL", 6_500_00, "health")


def house_sold() -> Household:
    home = base(cash=180_000_00).payee("TITLE CO", into="other_income", inflow_sign="windfall")
    return home.credit("2026-06-02", "TITLE CO", 170_000_00)


def car_boiler_and_dentist() -> Household:
    home = base().charge("2026-03-12", "TOYOTA CITY", 14_000_00, "car")
    home.charge("2026-05-20", "BOILER WORKS", 5_200_00, "home_upkeep")
    return home.charge("2026-08-04", "DENTIST", 3_600_00, "health")


def refunded_holiday() -> Household:
    home = base().charge("2026-02-03", "SUNWAY TOURS", 5_000_00, "travel")
    return home.credit("2026-03-01", "SUNWAY TOURS", 5_000_00, "travel")


def two_pensions() -> Household:
    home = says(base(0), "STATE PENSION", "pension", "pension_benefits")
    for first, amount in (("2025-10-06", 900_00), ("2025-10-20", 600_00)):
        home.credits(every(first, 28, 15 if amount > 700_00 else 14), "STATE PENSION", amount)
    return home


def child_benefit_alone() -> Household:
    home = says(base(0, cash=9_000_00), "KINDERGELD", "benefit", "pension_benefits")
    home.credits(monthly("2025-10-12", 14), "KINDERGELD", 255_00)
    return home.account("401k", "investment", "401k", balance=60_000_00)


def clients_every_two_months() -> Household:
    home = base(0)
    days = ["2025-11-04", "2026-01-02", "2026-03-01", "2026-04-30", "2026-06-28", "2026-08-26"]
    home.credits([*days, "2026-10-23"], "STUDIO CLIENT", 6_000_00, "self_employment")
    return home.charges(["2026-01-30"], "hmrc", 4_612_00, "taxes")


def nothing_answered() -> Household:
    home = with_cash(6_000_00, ("2025-10-01", IN_LATE_NOVEMBER))
    home.credits(every("2025-10-07", 11, 38), "J DOE", 900_00, "unknown_inflow")
    return home.charges(every("2025-10-09", 9, 45), "K ROE", 800_00, "uncategorized")


class Life(NamedTuple):
    """A household with its month from now on, in units and give or take one, and its advice."""

    home: Callable[[], Household]
    income: int
    spend: int
    required: frozenset[str]
    forbidden: frozenset[str]


LIVES = [
    Life(new_monthly_job, 3_500, 1_400, frozenset(), BAD_NEWS),
    Life(new_biweekly_job, 3_250, 1_400, frozenset(), BAD_NEWS),
    Life(first_pay_of_a_new_job, 3_300, 1_400, frozenset(), BAD_NEWS),
    Life(jobless_until_november, 3_142, 1_400, frozenset(), BAD_NEWS),
    Life(
        lost_with_benefit,
        975,
        1_400,
        frozenset({"income_stopped", "cover_shortfall"}),
        frozenset({"invest_idle_cash", "build_emergency_fund"}),
    ),
    Life(
        lost_without_benefit,
        0,
        1_400,
        frozenset({"income_stopped", "cover_shortfall"}),
        frozenset({"invest_idle_cash", "build_emergency_fund"}),
    ),
    Life(second_earner, 4_800, 1_400, frozenset(), BAD_NEWS),
    Life(
        two_jobs_lost_one_found,
        3_000,
        1_400,
        frozenset({"income_stopped"}),
        frozenset({"cover_shortfall"}),
    ),
    Life(new_rent, 3_000, 2_300, frozenset(), BAD_NEWS),
    Life(daycare, 3_000, 2_650, frozenset(), BAD_NEWS),
    Life(parental_pay, 1_800, 1_400, frozenset(), frozenset({"cover_shortfall"})),
    Life(raised, 3_240, 1_400, frozenset(), BAD_NEWS),
    Life(bonus_beside_pay, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(hospital, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(house_sold, 3_000, 1_400, frozenset({"invest_idle_cash"}), BAD_NEWS),
    Life(car_boiler_and_dentist, 3_000, 1_700, frozenset(), BAD_NEWS),
    Life(refunded_holiday, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(two_pensions, 1_625, 1_400, frozenset(), BAD_NEWS),
    Life(child_benefit_alone, 255, 1_400, frozenset({"cover_shortfall"}), frozenset()),
    Life(
        clients_every_two_months,
        3_500,
        1_784,
        frozenset(),
        frozenset({"income_stopped", "cover_shortfall"}),
    ),
    Life(
        nothing_answered,
        0,
        2_733,
        frozenset({"answer_questions"}),
        frozenset({"income_stopped", "cover_shortfall", "build_emergency_fund"}),
    ),
]


def looked_at(home: Household) -> Assessment:
    return assess(home.ledger(), home.books(IN_LATE_NOVEMBER), IN_LATE_NOVEMBER)


@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.home.__name__)
def test_what_a_planner_would_say(life: Life) -> None:
    """Income and spending from now on, and the kinds of advice."""
    seen = looked_at(life.home())
    assert seen.planned.income / 100 == pytest.approx(life.income, abs=1)
    assert seen.planned.spend / 100 == pytest.approx(life.spend, abs=1)
    kinds = {action.kind for action in plan_of(seen).actions}
    assert life.required <= kinds
    assert life.forbidden.isdisjoint(kinds)

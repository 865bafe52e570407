"""Income sources: who pays, how much, how often, and nothing twice, also where income changes.

A new job, a raise, a bonus, a year of leave, two pensions of one payer; two credits make a level,
one may.
"""

from datetime import date, timedelta
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from finplan.model.plan import IncomeCadence
from finplan.model.snapshot import Forecast
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.detect.series import silence_allowed
from finplan.plan.ledger.amounts import income_level, income_step, other_income_level
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import InflowSign
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from tests.plan.households import (
    Household,
    every,
    household,
    monthly,
    on_weekdays,
    semimonthly,
    with_cash,
)

TODAY = date(2025, 12, 22)


def at_home(until: date = TODAY) -> Household:
    """A checking account that is covered for two years."""
    return household().checking(covered=("2023-12-01", until))


def sources(home: Household) -> list[Series]:
    """The income sources of a household."""
    return list(home.books(TODAY).sources)


def test_a_salary_is_a_source() -> None:
    """Every field says what happened."""
    (source,) = sources(at_home().credits(monthly("2025-01-31", 11), "EMPLOYER", 3000_00, "wages"))
    assert source.name == "EMPLOYER"
    assert source.category == "wages"
    assert source.cadence == "monthly"
    assert (source.amount, source.monthly) == (3000_00, 3000_00)
    assert (source.total, source.count, source.count_all) == (33000_00, 11, 11)
    assert source.last_date == date(2025, 11, 30)
    assert source.next_date == date(2025, 12, 31)
    assert source.active
    assert source.steady


def test_biweekly_pay_is_26_a_year() -> None:
    """A month of biweekly pay is 26 twelfths of it."""
    (source,) = sources(at_home().credits(every("2025-01-03", 14, 26), "E", 1200_00, "wages"))
    assert source.cadence == "biweekly"
    assert source.monthly == 2600_00
    assert source.next_date == date(2026, 1, 2)


def test_twice_monthly_pay_is_24_a_year() -> None:
    """Pay on the 15th and the last, before weekends, is semimonthly."""
    days = on_weekdays(semimonthly("2025-01-01", 23), -1)
    (source,) = sources(at_home().credits(days, "E", 1200_00, "wages"))
    assert source.cadence == "semimonthly"
    assert source.monthly == 2400_00
    assert source.next_date == date(2025, 12, 31)


def test_hourly_pay_is_regular_whatever_it_is() -> None:
    """Dates decide the cadence; amounts that vary only change the amount."""
    hours = [410_00, 655_00, 298_00, 720_00, 505_00, 350_00, 610_00]
    (source,) = sources(at_home().credits(every("2025-01-03", 14, 26), "DINER", hours, "wages"))
    assert source.cadence == "biweekly"
    assert not source.steady
    assert source.active


def test_a_raise_is_the_pay_from_then_on() -> None:
    """With one step between two fixed amounts, the last one counts."""
    pay = [2000_00] * 9 + [2150_00] * 2
    (source,) = sources(at_home().credits(monthly("2025-01-31", 11), "E", pay, "wages"))
    assert (source.amount, source.monthly) == (2150_00, 2150_00)
    assert source.price_before == 2000_00


def test_a_bonus_is_not_expected_again() -> None:
    """A last credit of three months' pay is total, not amount."""
    pay = [2000_00] * 10 + [6000_00]
    (source,) = sources(at_home().credits(monthly("2025-01-31", 11), "E", pay, "wages"))
    assert source.amount == 2000_00
    assert source.total == 26000_00


def test_a_bonus_between_paydays_is_no_change_of_cadence() -> None:
    """Extra credits from the employer come beside its paydays, as irregular income."""
    home = at_home().credits(monthly("2025-01-31", 11), "E", 2000_00, "wages")
    home.credit("2025-03-12", "E", 9000_00)
    for day in ("2025-02-10", "2025-05-16", "2025-06-09", "2025-08-20", "2025-10-07"):
        home.credit(day, "E", 61_30)
    source, beside = sources(home)
    assert (source.cadence, beside.cadence) == ("monthly", "irregular")
    assert (source.amount, source.total) == (2000_00, 22000_00)
    assert (beside.total, beside.count) == (9000_00 + 5 * 61_30, 6)


def test_pay_split_over_two_accounts_is_one_paycheck() -> None:
    """Same payer, same day: one credit, whole."""
    days = every("2025-01-03", 14, 25)
    home = at_home().credits(days, "E", 1500_00, "wages")
    home.savings(covered=("2023-12-01", TODAY)).credits(days, "E", 500_00)
    (source,) = sources(home)
    assert source.amount == 2000_00
    assert source.count_all == 25
    assert source.account == home.number("checking")


def test_two_earners_are_two_sources() -> None:
    """Payers are told apart, the larger total first."""
    home = at_home().credits(every("2025-01-03", 14, 26), "A", 1900_00, "wages")
    home.credits(monthly("2025-01-28", 11), "B", 2500_00, "wages")
    assert [(one.name, one.cadence) for one in sources(home)] == [
        ("A", "biweekly"),
        ("B", "monthly"),
    ]


def test_a_freelancer_is_irregular() -> None:
    """Seven uneven credits have no payday; their month is the mean of the window."""
    days = ["2025-01-09", "2025-02-27", "2025-03-06", "2025-05-30", "2025-07-02", "2025-09-24"]
    home = at_home().credits([*days, "2025-11-28"], "CLIENT", [900_00, 2100_00], "self_employment")
    (source,) = sources(home)
    assert source.cadence == "irregular"
    assert source.interval_days is None
    assert source.next_date is None
    assert source.active
    assert source.monthly == source.total // 12


def test_payers_of_once_or_twice_are_one_source_per_category() -> None:
    """Gifts from three people are one irregular source, pay is another."""
    home = at_home().credits(every("2025-01-03", 14, 26), "E", 1200_00, "wages")
    for day, giver in (("2025-02-01", "AUNT"), ("2025-11-07", "UNCLE"), ("2025-11-07", "FRIEND")):
        home.credit(day, giver, 50_00, "other_income")
    pay, gifts = sources(home)
    assert pay.name == "E"
    assert gifts.name.startswith("Gifts")
    assert gifts.payees == tuple(home.payee_number(name) for name in ("AUNT", "UNCLE", "FRIEND"))
    assert (gifts.total, gifts.count, gifts.count_all) == (150_00, 2, 2)


def test_three_credits_make_a_source_of_ones_own() -> None:
    """A client who paid three times without a rhythm is told by name."""
    home = at_home().credits(["2025-01-09", "2025-02-27", "2025-11-06"], "CLIENT", 900_00, "wages")
    home.credits(["2025-03-09", "2025-11-26"], "OTHER", 100_00, "wages")
    assert [(one.name, one.cadence) for one in sources(home)] == [
        ("CLIENT", "irregular"),
        ("Pay", "irregular"),
    ]


def test_the_first_and_last_day_of_the_window_are_in_it() -> None:
    """A source's total has exactly the window's days, for regular and irregular ones alike."""
    for days in (["2024-12-01", "2025-11-30"], ["2024-11-30", "2025-12-01"]):
        home = (
            at_home()
            .credits(days, "CLIENT", 100_00, "wages")
            .credit(days[1], "B", 1_00, "interest")
        )
        books = home.books(TODAY)
        assert sum(source.total for source in books.sources) == books.income
        assert books.income == (201_00 if days[0] == "2024-12-01" else 0)


def test_a_yearly_bonus_of_about_the_same_is_regular_from_its_second_time() -> None:
    """Two credits a year apart within a fifth of each other are annual."""
    near = at_home().credits(monthly("2024-12-05", 2, 12), "E", [1000_00, 1250_00], "wages")
    assert [one.cadence for one in sources(near)] == ["annual"]
    far = at_home().credits(monthly("2024-12-05", 2, 12), "E", [1000_00, 1400_00], "wages")
    assert [one.cadence for one in sources(far)] == ["irregular"]


def test_a_lost_job_gives_nothing_a_month() -> None:
    """A source that stopped is told with what it gave, and with no month."""
    home = at_home().credits(every("2025-01-03", 14, 18), "E", 1200_00, "wages")
    home.charge(TODAY, "SHOP", 5_00, "shopping")
    (source,) = sources(home)
    assert not source.active
    assert source.monthly == 0
    assert source.next_date is None
    assert source.total == 18 * 1200_00


def test_what_an_employer_repays_later_is_no_payday() -> None:
    """A small credit off the paydays, after the pay has stopped, does not keep the source running."""
    home = at_home().credits(monthly("2025-01-31", 8), "E", 3800_00, "wages")
    home.credit("2025-11-20", "E", 790_00)
    home.charge(TODAY, "SHOP", 5_00, "shopping")
    (source,) = sources(home)
    assert not source.active
    assert (source.monthly, source.next_date) == (0, None)
    assert (source.last_date, source.count_all) == (date(2025, 8, 31), 8)
    assert source.total == 8 * 3800_00 + 790_00


def test_pay_that_comes_again_is_a_payday() -> None:
    """After a pause the source runs again, with less pay on its day or with the same pay on any day."""
    paid = monthly("2025-01-31", 8)
    for day, amount in (("2025-11-30", 790_00), ("2025-11-20", 3800_00)):
        home = at_home().credits(paid, "E", 3800_00, "wages").credit(day, "E", amount)
        (source,) = sources(home)
        assert source.active


def test_sources_are_active_at_the_end_of_old_data() -> None:
    """Data that end eighty days ago stop nobody's pay, and the next payday is ahead."""
    home = at_home(date(2025, 10, 3)).credits(every("2025-01-03", 14, 20), "E", 1200_00, "wages")
    (source,) = sources(home)
    assert source.active
    assert source.next_date == date(2026, 1, 2)


def test_a_reversal_lowers_the_total_and_is_no_credit() -> None:
    """Pay that was taken back is not pay, nor a payday."""
    home = at_home().credits(monthly("2025-01-31", 11), "E", 2000_00, "wages")
    home.charge("2025-07-02", "E", 2000_00)
    (source,) = sources(home)
    assert source.total == 20000_00
    assert source.count_all == 11
    assert source.cadence == "monthly"


def test_a_reversal_alone_is_still_accounted_for() -> None:
    """Income below zero has a source too."""
    (source,) = sources(at_home().charge("2025-07-02", "E", 2000_00, "wages"))
    assert source.total == -2000_00
    assert source.count == 0
    assert source.amount > 0


def test_money_from_nobody_known_is_no_income() -> None:
    """Unknown inflows are moves until somebody says what they are."""
    home = at_home().credits(monthly("2025-01-31", 11), "STRANGER", 300_00)
    assert sources(home) == []
    assert home.books(TODAY).moves == 11 * 300_00


def test_what_was_long_ago_and_irregular_is_not_told() -> None:
    """A gift before the window is no source of today."""
    assert sources(at_home().credit("2024-02-01", "AUNT", 50_00, "other_income")) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "B", "C"]),
            st.dates(date(2023, 12, 1), TODAY),
            st.integers(-500_00, 3000_00),
        ),
        max_size=60,
    )
)
def test_the_sources_of_any_income_add_up(rows: list[tuple[str, date, int]]) -> None:
    """Whoever pays when, every row of the window is in one source, once."""
    home = at_home()
    for name, category in (("A", "wages"), ("B", "interest"), ("C", "wages")):
        home.payee(name, into=category)
    for name, day, amount in rows:
        home.row(day, name, amount)
    books = home.books(TODAY)
    assert sum(source.total for source in books.sources) == books.income
    payees = [payee for source in books.sources for payee in source.payees]
    assert len(payees) == len(set(payees))


def at_home_for_years(until: date = TODAY) -> Household:
    """A checking account that is covered for four years."""
    return household().checking(covered=("2021-12-01", until))


def employer(home: Household, name: str, sign: InflowSign = "pay") -> Household:
    """Add a payer whose rows say what they are."""
    into = "wages" if sign == "pay" else "pension_benefits"
    return home.payee(name, into=into, inflow_sign=sign)


def sources_by_name(home: Household, today: date = TODAY) -> dict[str, Series]:
    """The income sources of a household by name."""
    return {source.name: source for source in home.books(today).sources}


@pytest.mark.parametrize(
    ("amounts", "level"),
    [
        ([100], 100),
        ([70, 100], 100),
        ([70, 100, 100], 100),
        ([100] * 9 + [120], 100),
        ([100] * 9 + [120, 120], 120),
        ([100] * 9 + [60, 60], 60),
        ([100] * 9 + [300, 100], 100),
        ([100] * 6 + [120, 120, 300], 120),
        ([100] * 6 + [120, 120, 300, 120], 120),
        ([410, 655, 298, 720, 505, 350, 610], 558),
    ],
    ids=str,
)
def test_the_level_of_income_changes_after_two_credits(amounts: list[int], level: int) -> None:
    """A single credit off the level is a bonus or the first of a raise."""
    assert income_level(amounts) == level


@pytest.mark.parametrize(
    ("amounts", "step"),
    [
        ([100] * 4, None),
        ([100] * 4 + [120], None),
        ([100] * 4 + [120, 120], 4),
        ([100] * 4 + [120, 120, 300], 4),
        ([100] * 4 + [300], None),
        ([70, 100], None),
    ],
    ids=str,
)
def test_the_step_of_income_is_its_first_credit(amounts: list[int], step: int | None) -> None:
    """A level that came once is no step."""
    assert income_step(amounts) == step


def test_a_bonus_with_the_pay_is_not_planned_with() -> None:
    """Of two rows on one payday the one at the level is the pay."""
    home = at_home_for_years().credits(monthly("2025-01-27", 11), "STADTWERKE", 2741_18, "wages")
    home.credit("2025-11-27", "STADTWERKE", 1200_00)
    books = home.books(TODAY)
    (pay,) = books.sources
    assert (pay.amount, pay.monthly) == (2741_18, 2741_18)
    assert pay.total == 11 * 2741_18 + 1200_00
    assert books.running.income == 2741_18


def test_pay_that_came_in_two_parts_lately_is_one_pay() -> None:
    """Parts that came together on two of the last three paydays are the pay."""
    home = at_home_for_years().credits(monthly("2025-01-27", 9), "E", 3000_00, "wages")
    for day in ("2025-10-27", "2025-11-27"):
        home.credit(day, "E", 2500_00).credit(day, "E", 500_00)
    (source,) = sources_by_name(home).values()
    assert (source.amount, source.count_all) == (3000_00, 11)


def test_the_share_counts_since_the_last_resumption() -> None:
    """After a leave of nineteen months a person has the whole pay again."""
    home = at_home_for_years().credits(every("2022-01-07", 14, 30), "INITECH", 2000_00, "wages")
    home.credits(every("2024-10-11", 14, 31), "INITECH", 2000_00)
    (source,) = sources_by_name(home).values()
    assert source.monthly == 4333_33
    assert source.resumed == date(2024, 10, 11)


def test_a_summer_without_pay_stays_in_the_share() -> None:
    """A pause of the same season a year before is no resumption."""
    months = [day for day in monthly("2023-01-28", 35) if day.month not in {7, 8, 9}]
    (source,) = sources_by_name(
        at_home_for_years().credits(months, "SCHOOL", 3000_00, "wages")
    ).values()
    assert source.resumed is None
    assert source.monthly == pytest.approx(3000_00 * 26 / 35, abs=1)


def test_a_hole_in_the_statements_is_no_pause() -> None:
    """Months that no statement covers say nothing of whether pay came."""
    home = household().checking(covered=[("2024-12-01", "2025-03-31"), ("2025-08-01", TODAY)])
    days = [day for day in monthly("2024-12-28", 12) if not 4 <= day.month <= 7]
    (source,) = sources_by_name(home.credits(days, "E", 3000_00, "wages")).values()
    assert source.resumed is None


@pytest.mark.parametrize(
    ("gaps", "allowed"),
    [((), 60), ((20,), 60), ((59, 61, 40), 118), ((59, 200, 58, 57), 118), ((90, 30, 85), 170)],
)
def test_irregular_income_stops_by_its_own_gaps(gaps: tuple[int, ...], allowed: int) -> None:
    """Twice the longest of the last six gaps but the largest, and sixty days at least."""
    days = [0]
    for gap in gaps:
        days.append(days[-1] + gap)
    assert silence_allowed(days) == allowed


def test_a_client_who_pays_every_two_months_has_not_stopped() -> None:
    """Silence as long as usual is no end."""
    days = [date(2025, 1, 3)]
    for gap in (52, 66, 45, 70, 41):
        days.append(days[-1] + timedelta(gap))
    (client,) = sources_by_name(
        at_home_for_years().credits(days, "CLIENT", 4000_00, "self_employment")
    ).values()
    assert (TODAY - client.last_date).days > 60
    assert client.active
    assert client.running


@pytest.mark.parametrize(
    ("first", "step", "cadence", "month"),
    [("2025-10-24", 30, "monthly", 3200_00), ("2025-11-28", 14, "biweekly", 6933_33)],
)
def test_two_pays_make_a_new_job(first: str, step: int, cadence: IncomeCadence, month: int) -> None:
    """The later pay is the level, since the first is often partial."""
    home = at_home_for_years().credits(monthly("2024-01-31", 21), "OLD", 3000_00, "wages")
    employer(home, "NEW").credits(every(first, step, 2), "NEW", [1400_00, 3200_00])
    new = sources_by_name(home)["NEW"]
    assert (new.cadence, new.amount, new.monthly, new.running) == (cadence, 3200_00, month, True)
    assert new.next_date is not None


def test_two_credits_without_words_need_a_job_before() -> None:
    """Twice the same from somebody new may be anything."""
    home = at_home_for_years().credits(every("2025-10-24", 30, 2), "X", 3200_00, "wages")
    assert "X" not in sources_by_name(home)


def test_a_first_pay_counts_once_the_old_job_has_ended() -> None:
    """It is taken to come as the old pay did."""
    home = at_home_for_years().credits(every("2025-01-03", 14, 22), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-12", "NEW", 2000_00)
    found = sources_by_name(home)
    assert (found["NEW"].cadence, found["NEW"].running) == ("biweekly", True)
    assert (found["NEW"].monthly, found["NEW"].next_date) == (4333_33, date(2025, 12, 26))
    assert not found["OLD"].active


@pytest.mark.parametrize("amount", [700_00, 3100_00])
def test_a_first_pay_of_another_size_is_not_planned_with(amount: int) -> None:
    """Half to twice the pay of the old job is a job in its place."""
    home = at_home_for_years().credits(every("2025-01-03", 14, 22), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-05", "NEW", amount)
    assert "NEW" not in sources_by_name(home)


def test_a_first_pay_beside_a_job_that_goes_on_is_not_planned_with() -> None:
    """Nothing has ended that it could follow."""
    home = at_home_for_years().credits(every("2025-01-03", 14, 26), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-12", "NEW", 1500_00)
    found = sources_by_name(home)
    assert "NEW" not in found
    assert found["OLD"].running


@pytest.mark.parametrize(
    ("today", "counts"), [(date(2025, 12, 5), True), (date(2025, 12, 6), False)]
)
def test_late_pay_is_replaced_by_new_pay(today: date, *, counts: bool) -> None:
    """The old pay of 31 October counts until it is more than five days late."""
    home = at_home_for_years(today).credits(monthly("2025-01-31", 10), "OLD", 3000_00, "wages")
    employer(home, "NEW").credits(["2025-11-07", "2025-11-21", "2025-12-05"], "NEW", 1500_00)
    old = sources_by_name(home, today)["OLD"]
    assert (old.running, old.active, old.replaced) == (counts, counts, not counts)
    assert (old.monthly > 0, old.next_date is not None) == (counts, counts)


def test_severance_is_no_pay_that_goes_on() -> None:
    """What an employer pays at the end goes by its name, and takes the place of nothing."""
    home = at_home_for_years().earns(3000_00, "2024-01-31", 20)
    home.payee("ACME SEVERANCE", into="other_income", inflow_sign="windfall")
    home.credit("2025-09-12", "ACME SEVERANCE", 9000_00)
    found = sources_by_name(home)
    assert (found["ACME"].last_date, found["ACME"].total) == (date(2025, 8, 31), 9 * 3000_00)
    assert not any(source.running for source in found.values())


def test_a_benefit_counts_from_its_second_payment() -> None:
    """Unemployment benefit is planned with after two payments."""
    home = at_home_for_years().credits(monthly("2024-01-31", 20), "OLD", 3000_00, "wages")
    employer(home, "LABOR OFFICE", "temporary")
    home.credits(every("2025-12-01", 14, 2), "LABOR OFFICE", 1154_00)
    benefit = sources_by_name(home)["LABOR OFFICE"]
    assert (benefit.running, benefit.monthly) == (True, 2500_33)


@pytest.mark.parametrize("raised", [False, True])
def test_two_pensions_of_one_payer_are_two_sources(*, raised: bool) -> None:
    """Each keeps its own amount and days, raised in April or not."""
    home = at_home_for_years()
    for first, amount in (("2024-06-03", 884_80), ("2024-06-17", 615_20)):
        for index, day in enumerate(every(first, 28, 20)):
            more = 36_00 if raised and index > 10 else 0
            home.credit(day, "STATE PENSION", amount + more, "pension_benefits")
    found = [one for one in home.books(TODAY).sources if one.name == "STATE PENSION"]
    more = 36_00 if raised else 0
    assert [one.amount for one in found] == [884_80 + more, 615_20 + more]
    assert [one.interval_days for one in found] == [28, 28]
    assert sum(one.count_all for one in found) == 40


def test_pay_twice_a_month_in_two_amounts_is_one_source() -> None:
    """What the employer takes off at the month's end makes no second job."""
    days = semimonthly("2025-01-01", 23)
    (source,) = sources_by_name(
        at_home_for_years().credits(days, "E", [1900_00, 1700_00], "wages")
    ).values()
    assert (source.cadence, source.count_all) == ("semimonthly", 23)


IN_MARCH = date(2026, 3, 20)
SHARES = {"raise": (1.03, 1.25), "cut": (0.6, 0.96), "new job": (0.7, 1.5), "bonus": (1.5, 3.5)}
SEEDS = range(20)


class Seen(NamedTuple):
    """Pay before and since, and what finplan makes of it."""

    before: int
    since: int
    running: list[Series]
    found: Forecast


def paydays(dice: Random, ago: int) -> list[date]:
    """A year of paydays of some cadence, the last so many days ago."""
    last = IN_MARCH - timedelta(ago)
    apart = dice.choice((0, 14, 7))
    if apart:
        return [last - timedelta(apart * place) for place in range(365 // apart)][::-1]
    months = [divmod(last.year * 12 + last.month - 1 - place, 12) for place in range(13)]
    return [date(year, month + 1, min(last.day, 28)) for year, month in reversed(months)]


def seen(kind: str, seed: int, times: int) -> Seen:
    """A household of pay and food whose last `times` credits are at another level, or are bonuses."""
    dice = Random(f"{kind} {seed}")
    # New pay takes the place of what is more than five days late.
    days = paydays(dice, 6 if kind == "new job" else dice.randint(1, 6))
    before = dice.randint(900_00, 5_000_00)
    since = round(before * dice.uniform(*SHARES[kind]))
    home = with_cash(dice.randint(500_00, 9_000_00), (days[0], IN_MARCH))
    home.payee("GLOBEX", into="wages", inflow_sign="pay")
    for place, day in enumerate(days, start=1):
        is_new = place > len(days) - times
        name = "GLOBEX" if is_new and kind == "new job" else "ACME"
        home.credit(day, name, since if is_new else before, "wages")
    shopping = days[0]
    while shopping < IN_MARCH:
        home.charge(shopping, "SAFEWAY", dice.randint(20_00, 90_00), "groceries")
        shopping += timedelta(dice.randint(2, 5))
    ledger = home.ledger()
    books = keep_books(ledger, IN_MARCH)
    live = live_view(ledger, books, build_plan(ledger, IN_MARCH), IN_MARCH)
    running = [source for source in books.sources if source.running]
    return Seen(before, since, running, forecast(ledger, books, live, 60))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["raise", "cut", "new job"])
def test_two_credits_make_the_level(kind: str, seed: int) -> None:
    """The one source that runs pays what came twice."""
    told = seen(kind, seed, times=2)
    assert [source.amount for source in told.running] == [told.since]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", SHARES)
def test_after_one_credit_both_levels_lie_in_the_range(kind: str, seed: int) -> None:
    """Nobody knows yet whether a raise, a bonus or a first full pay is the level."""
    told = seen(kind, seed, times=1)
    (source,) = told.running
    if kind != "new job":
        assert source.amount == told.before
    days = told.found.days
    first, pay = next(
        (place, item)
        for place, day in enumerate(days)
        for item in day.items
        if item.kind == "income"
    )
    for day in days[first : first + 6]:
        assert day.low is not None
        assert day.high is not None
        for level in (told.before, told.since):
            assert day.low <= day.expected - pay.amount + level <= day.high


def test_the_other_level_lasts_for_one_pay() -> None:
    """A bonus may come again, and is not in the range once more for each payday."""
    told = seen("bonus", 1, times=1)
    day = told.found.days[-1]
    assert day.high is not None
    pays = sum(item.kind == "income" for each in told.found.days for item in each.items)
    assert pays > 1
    assert day.high < day.expected + pays * (told.since - told.before)


@pytest.mark.parametrize(
    ("amounts", "other"),
    [
        ([100, 100, 130], 130),
        ([100, 100, 70], 70),
        ([100, 100, 100], None),
        ([100, 130, 130], None),
        ([100, 120, 140], None),
        ([100, 130], None),
        ([100], None),
    ],
    ids=str,
)
def test_the_last_credit_may_be_another_level(amounts: list[int], other: int | None) -> None:
    """Where the two before it were at one level and it is not."""
    assert other_income_level(amounts) == other

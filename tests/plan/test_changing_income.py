"""Income that changes: a new job, a raise, a bonus, a year of leave, two pensions of one payer."""

from datetime import date, timedelta

import pytest

from finplan.model.plan import IncomeCadence
from finplan.plan.detect.series import silence_allowed
from finplan.plan.ledger.amounts import income_level, income_step
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import InflowSign
from tests.plan.households import Household, every, household, monthly, semimonthly

TODAY = date(2025, 12, 22)


def at_home(until: date = TODAY) -> Household:
    """A checking account that is covered for four years."""
    return household().checking(covered=("2021-12-01", until))


def employer(home: Household, name: str, sign: InflowSign = "pay") -> Household:
    """Add a payer whose rows say what they are."""
    into = "wages" if sign == "pay" else "pension_benefits"
    return home.payee(name, into=into, inflow_sign=sign)


def sources(home: Household, today: date = TODAY) -> dict[str, Series]:
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
def test_the_step_of_income_is_its_first_credit_at_the_level(
    amounts: list[int], step: int | None
) -> None:
    """A level that came once is no step."""
    assert income_step(amounts) == step


def test_a_bonus_with_the_pay_is_not_planned_with() -> None:
    """Of two rows on one payday the one at the level is the pay."""
    home = at_home().credits(monthly("2025-01-27", 11), "STADTWERKE", 2741_18, "wages")
    home.credit("2025-11-27", "STADTWERKE", 1200_00)
    books = home.books(TODAY)
    (pay,) = books.sources
    assert (pay.amount, pay.monthly) == (2741_18, 2741_18)
    assert pay.total == 11 * 2741_18 + 1200_00
    assert books.running.income == 2741_18


def test_pay_that_came_in_two_parts_lately_is_one_pay() -> None:
    """Parts that came together on two of the last three paydays are the pay."""
    home = at_home().credits(monthly("2025-01-27", 9), "E", 3000_00, "wages")
    for day in ("2025-10-27", "2025-11-27"):
        home.credit(day, "E", 2500_00).credit(day, "E", 500_00)
    (source,) = sources(home).values()
    assert (source.amount, source.count_all) == (3000_00, 11)


def test_the_share_counts_since_the_last_resumption() -> None:
    """After a leave of nineteen months a person has the whole pay again."""
    home = at_home().credits(every("2022-01-07", 14, 30), "INITECH", 2000_00, "wages")
    home.credits(every("2024-10-11", 14, 31), "INITECH", 2000_00)
    (source,) = sources(home).values()
    assert source.monthly == 4333_33
    assert source.resumed == date(2024, 10, 11)


def test_a_summer_without_pay_stays_in_the_share() -> None:
    """A pause of the same season a year before is no resumption."""
    months = [day for day in monthly("2023-01-28", 35) if day.month not in {7, 8, 9}]
    (source,) = sources(at_home().credits(months, "SCHOOL", 3000_00, "wages")).values()
    assert source.resumed is None
    assert source.monthly == pytest.approx(3000_00 * 26 / 35, abs=1)


def test_a_hole_in_the_statements_is_no_pause() -> None:
    """Months that no statement covers say nothing of whether pay came."""
    spans = [("2024-12-01", "2025-03-31"), ("2025-08-01", TODAY)]
    home = household().checking(covered=spans)
    days = [day for day in monthly("2024-12-28", 12) if not 4 <= day.month <= 7]
    (source,) = sources(home.credits(days, "E", 3000_00, "wages")).values()
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
    (client,) = sources(at_home().credits(days, "CLIENT", 4000_00, "self_employment")).values()
    assert (TODAY - client.last_date).days > 60
    assert client.active
    assert client.running


@pytest.mark.parametrize(
    ("first", "step", "cadence", "month"),
    [("2025-10-24", 30, "monthly", 3200_00), ("2025-11-28", 14, "biweekly", 6933_33)],
)
def test_a_new_job_counts_from_its_second_pay(
    first: str, step: int, cadence: IncomeCadence, month: int
) -> None:
    """The later pay is the level, since the first is often partial."""
    home = at_home().credits(monthly("2024-01-31", 21), "OLD", 3000_00, "wages")
    employer(home, "NEW").credits(every(first, step, 2), "NEW", [1400_00, 3200_00])
    new = sources(home)["NEW"]
    assert (new.cadence, new.amount, new.monthly, new.running) == (cadence, 3200_00, month, True)
    assert new.next_date is not None


def test_two_credits_without_words_need_a_job_before() -> None:
    """Twice the same from somebody new may be anything."""
    home = at_home().credits(every("2025-10-24", 30, 2), "X", 3200_00, "wages")
    assert "X" not in sources(home)


def test_a_first_pay_counts_once_the_old_job_has_ended() -> None:
    """It is taken to come as the old pay did."""
    home = at_home().credits(every("2025-01-03", 14, 22), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-12", "NEW", 2000_00)
    found = sources(home)
    assert (found["NEW"].cadence, found["NEW"].running) == ("biweekly", True)
    assert (found["NEW"].monthly, found["NEW"].next_date) == (4333_33, date(2025, 12, 26))
    assert not found["OLD"].active


@pytest.mark.parametrize("amount", [700_00, 3100_00])
def test_a_first_pay_of_another_size_is_not_planned_with(amount: int) -> None:
    """Half to twice the pay of the old job is a job in its place."""
    home = at_home().credits(every("2025-01-03", 14, 22), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-05", "NEW", amount)
    assert "NEW" not in sources(home)


def test_a_first_pay_beside_a_job_that_goes_on_is_not_planned_with() -> None:
    """Nothing has ended that it could follow."""
    home = at_home().credits(every("2025-01-03", 14, 26), "OLD", 1500_00, "wages")
    employer(home, "NEW").credit("2025-12-12", "NEW", 1500_00)
    found = sources(home)
    assert "NEW" not in found
    assert found["OLD"].running


@pytest.mark.parametrize(
    ("today", "counts"), [(date(2025, 12, 5), True), (date(2025, 12, 6), False)]
)
def test_late_pay_is_replaced_by_new_pay(today: date, *, counts: bool) -> None:
    """The old pay of 31 October counts until it is more than five days late."""
    home = at_home(today).credits(monthly("2025-01-31", 10), "OLD", 3000_00, "wages")
    employer(home, "NEW").credits(["2025-11-07", "2025-11-21", "2025-12-05"], "NEW", 1500_00)
    old = sources(home, today)["OLD"]
    assert (old.running, old.active, old.replaced) == (counts, counts, not counts)
    assert (old.monthly > 0, old.next_date is not None) == (counts, counts)


def test_severance_is_no_pay_that_goes_on() -> None:
    """What an employer pays at the end goes by its name, and takes the place of nothing."""
    home = at_home().credits(monthly("2024-01-31", 20), "ACME", 3000_00, "wages")
    home.payee("ACME SEVERANCE", into="other_income", inflow_sign="windfall")
    home.credit("2025-09-12", "ACME SEVERANCE", 9000_00)
    found = sources(home)
    assert (found["ACME"].last_date, found["ACME"].total) == (date(2025, 8, 31), 9 * 3000_00)
    assert not any(source.running for source in found.values())


def test_a_benefit_counts_from_its_second_payment() -> None:
    """Unemployment benefit is planned with after two payments."""
    home = at_home().credits(monthly("2024-01-31", 20), "OLD", 3000_00, "wages")
    employer(home, "LABOR OFFICE", "temporary")
    home.credits(every("2025-12-01", 14, 2), "LABOR OFFICE", 1154_00)
    benefit = sources(home)["LABOR OFFICE"]
    assert (benefit.running, benefit.monthly) == (True, 2500_33)


@pytest.mark.parametrize("raised", [False, True])
def test_two_pensions_of_one_payer_are_two_sources(*, raised: bool) -> None:
    """Each keeps its own amount and days, raised in April or not."""
    home = at_home()
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
    (source,) = sources(at_home().credits(days, "E", [1900_00, 1700_00], "wages")).values()
    assert (source.cadence, source.count_all) == ("semimonthly", 23)

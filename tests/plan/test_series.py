"""Series: laws that hold for any household, and what keeps one a series through whatever happens to it.

A biller's other name, a charge filed apart, a card that is dead, a verdict, another price.
"""

import random
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.catalogue import Catalogue
from finplan.model.user import HouseholdSettings
from finplan.plan.detect.series import AsOf, Occurrence
from finplan.plan.detect.varying_bills import monthly_bill
from finplan.plan.detect.verdicts import accepted_charges, apply_verdicts, regularity
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, LedgerPayee, RowParts, RowPlace, SeriesVerdict
from finplan.plan.ledger.window import window_of
from tests.plan.households import Day, Household, as_date, every, household, monthly
from tests.says import says

TODAY = date(2025, 12, 22)
BILLS = [61_20, 58_40, 55_10, 49_90, 44_30, 41_80, 43_20, 47_70, 52_60, 57_30, 60_10, 63_40]
"""A year of a power bill."""


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-01-01", TODAY))


def found(home: Household) -> list[Series]:
    """The recurring charges of a household."""
    return list(home.books(TODAY).charges)


def said(home: Household, day: Day, amount: int, category: str) -> dict[RowPlace, list[RowParts]]:
    """The person's word on one row, as a payee's details hold it."""
    return {(home.number(home.here), day_of(as_date(day)), -amount): [((-amount, category),)]}


@pytest.mark.parametrize("category", ["home_upkeep", "groceries", "work_expenses", "transfer"])
@pytest.mark.parametrize("place", [1, 6, 11])
@pytest.mark.parametrize("months", [4, 12])
def test_a_charge_filed_by_itself_keeps_its_series(months: int, place: int, category: str) -> None:
    """Whatever one charge of a bill was for, the bill came that month and comes again on its day."""
    days, amounts = monthly("2025-01-10", 12)[-months:], BILLS[-months:]
    place = min(place, months - 1)
    home = at_home()
    home.payee("POWER", "utilities", by_row=said(home, days[place], amounts[place], category))
    (charge,) = found(home.charges(days, "POWER", amounts))
    assert (charge.cadence, charge.category, charge.count_all) == ("monthly", "utilities", months)
    assert (charge.last_date, charge.next_date) == (date(2025, 12, 10), date(2026, 1, 10))


@pytest.mark.parametrize("months", [5, 12])
def test_a_charge_that_a_rule_files_by_its_amount_stays_in_its_series(months: int) -> None:
    """A rule for one amount of a bill moves no date of it, and no charge out of it."""
    days, amounts = monthly("2025-01-10", 12)[-months:], BILLS[-months:]
    home = at_home().payee("POWER", "utilities", by_amount={amounts[-2]: "home_upkeep"})
    home.charges(days, "POWER", amounts).credit("2025-11-20", "POWER", 12_00)
    (charge,) = found(home)
    assert (charge.category, charge.count_all) == ("utilities", months)
    assert charge.next_date == date(2026, 1, 10)


def test_what_a_charge_was_for_stays_what_the_person_says() -> None:
    """Only the series holds the charge: the totals of both categories are as they are filed."""
    home = at_home().payee("POWER", "utilities", by_amount={BILLS[5]: "home_upkeep"})
    books = home.charges(monthly("2025-01-10", 12), "POWER", BILLS).books(TODAY)
    assert books.categories["home_upkeep"].total == BILLS[5]
    assert books.categories["utilities"].total == sum(BILLS[:11]) - BILLS[5]


def test_a_series_that_is_filed_apart_as_a_whole_stays_apart() -> None:
    """Two policies at one insurer, each under its own category, are two series of theirs."""
    home = at_home().payee("INSURER", "insurance", by_amount={80_00: "health"})
    home.charges(monthly("2025-01-10", 12), "INSURER", 84_00)
    home.charges(monthly("2025-01-20", 12), "INSURER", 80_00)
    charges = [(one.category, one.amount, one.count_all) for one in found(home)]
    assert charges == [("insurance", 84_00, 12), ("health", 80_00, 12)]


def test_a_new_price_under_a_rule_of_its_own_begins_a_series() -> None:
    """Three charges that are filed alike are a series, even where one could run on in it."""
    home = at_home().payee("CLUB", "hobbies", by_amount={30_00: "kids"})
    home.charges(monthly("2025-01-10", 9), "CLUB", 29_00)
    home.charges(monthly("2025-10-10", 3), "CLUB", 30_00)
    assert sorted((one.category, one.count_all) for one in found(home)) == [
        ("hobbies", 9),
        ("kids", 3),
    ]


@pytest.mark.parametrize("day", ["2025-06-10", "2025-06-14", "2025-06-24"])
def test_a_purchase_beside_a_bill_that_is_filed_apart_is_none_of_it(day: str) -> None:
    """A bill that came that month lacks nothing, so another charge adds nothing to it."""
    home = at_home()
    home.payee("POWER", "utilities", by_row=said(home, day, 45_00, "home_goods"))
    home.charges(monthly("2025-01-10", 12), "POWER", BILLS).charge(day, "POWER", 45_00)
    (charge,) = found(home)
    assert charge.count_all == 12
    assert [amount for _, amount in charge.recent] == BILLS


def test_charges_that_are_filed_here_and_there_by_turns_are_in_no_series() -> None:
    """Where no category holds most of them, nobody knows what the next one is for."""
    home = at_home().payee("CLUB", "hobbies", by_amount={30_00: "kids"})
    assert found(home.charges(monthly("2025-01-10", 12), "CLUB", [29_00, 30_00])) == []


def test_pay_that_is_taken_back_is_no_charge_of_its_payer() -> None:
    """What reverses income lies in no series of charges, though it fills a gap in one."""
    home = at_home().payee("ACME", "insurance", by_amount={50_00: "wages"})
    days = monthly("2025-01-10", 12)
    home.charges([*days[:6], *days[7:]], "ACME", 51_00).charge(days[6], "ACME", 50_00)
    (charge,) = found(home)
    assert charge.count_all == 11


def test_a_charge_is_in_one_series() -> None:
    """Two charges a year apart that are filed elsewhere fill gaps of a bill and are no yearly one."""
    home = at_home().payee("POWER", "utilities", by_amount={BILLS[0]: "home_upkeep"})
    home.charges(monthly("2024-01-10", 24), "POWER", BILLS)
    assert [(one.cadence, one.count_all) for one in found(home)] == [("monthly", 24)]


def test_a_refund_is_nothing_that_a_series_lacks() -> None:
    """Money that came back in a month without a bill is no charge of that month."""
    home = at_home().payee("POWER", "utilities", "other_income")
    days = monthly("2025-01-10", 12)
    home.charges([*days[:6], *days[7:]], "POWER", [*BILLS[:6], *BILLS[7:]])
    (charge,) = found(home.credit(days[6], "POWER", BILLS[6]))
    assert charge.count_all == 11


TWO_YEARS = monthly("2024-01-05", 24)


def at_home_for_two_years() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-12-01", TODAY))


def renamed(before: str, after: str, price: int, price_after: int) -> list[Series]:
    """The charges of a biller that is written in another way from its sixteenth charge on."""
    home = at_home_for_two_years().charges(TWO_YEARS[:15], before, price, "insurance")
    home.charges(TWO_YEARS[15:], after, price_after, "insurance")
    return list(home.books(TODAY).charges)


@pytest.mark.parametrize("price_after", [30_00, 32_50])
def test_a_biller_under_a_new_descriptor_is_one_series(price_after: int) -> None:
    """Same days, like price, shared words, the one ending where the other begins."""
    (charge,) = renamed("KESWICK INSURANCE", "KESWICK INSURANCE DDR", 30_00, price_after)
    assert charge.payees == (1, 2)
    assert charge.name == "KESWICK INSURANCE DDR"
    assert (charge.count_all, charge.amount, charge.active) == (24, price_after, True)


@pytest.mark.parametrize(
    ("after", "price_after"),
    [("OSPREY INSURANCE", 30_00), ("KESWICK INSURANCE DDR", 75_00), ("KESWICK GARAGE", 30_00)],
)
def test_another_biller_is_another_series(after: str, price_after: int) -> None:
    """Another name or another price is another contract, and what has ended is not alive."""
    charges = renamed("KESWICK INSURANCE", after, 30_00, price_after)
    assert sorted(one.payees for one in charges) == [(1,), (2,)]
    assert [one.payees for one in charges if one.active] == [(2,)]


def test_two_that_are_alive_together_are_two() -> None:
    """A name that begins like another's does not make them one."""
    home = at_home_for_two_years().charges(TWO_YEARS, "KESWICK INSURANCE", 30_00, "insurance")
    home.charges(TWO_YEARS, "KESWICK INSURANCE LIFE", 30_00, "insurance")
    assert sorted(one.payees for one in home.books(TODAY).charges) == [(1,), (2,)]


def test_few_charges_under_each_name_are_enough_together() -> None:
    """Twice two charges half a year apart are known as one series only."""
    home = at_home_for_two_years().charges(
        ["2024-03-10", "2024-09-10"], "KESWICK DENTAL", 90_00, "health"
    )
    home.charges(["2025-03-10", "2025-09-10"], "KESWICK DENTAL PLAN", 90_00, "health")
    (charge,) = home.books(TODAY).charges
    assert (charge.cadence, charge.count_all, charge.payees) == ("twice_yearly", 4, (1, 2))


def test_a_payer_under_a_new_descriptor_is_one_source() -> None:
    """Pay goes on, and every credit is in the one source."""
    days = every("2024-12-06", 14, 27)
    home = at_home_for_two_years().credits(days[:14], "FOXGLOVE FOODS", 1400_00, "wages")
    home.credits(days[14:], "FOXGLOVE FOODS PAYROLL", 1400_00, "wages")
    books = home.books(TODAY)
    (source,) = books.sources
    assert (source.cadence, source.payees, source.count_all) == ("biweekly", (1, 2), 27)
    assert source.total == books.income


def test_a_new_job_at_another_pay_is_another_source() -> None:
    """An employer of a like name who pays otherwise is another; the old pay has ended."""
    home = at_home_for_two_years().credits(
        every("2024-12-06", 14, 14), "FOXGLOVE FOODS", 1400_00, "wages"
    )
    home.credits(monthly("2025-07-31", 5), "FOXGLOVE FOODS GROUP", 3900_00, "wages")
    sources = home.books(TODAY).sources
    assert sorted((one.payees, one.active) for one in sources) == [((1,), False), ((2,), True)]


FIRST = date(2024, 11, 14)
DAYS = 395


def bill(chance: random.Random, months: int = 13, sway: float = 0.2) -> list[Occurrence]:
    """A monthly bill that varies, up to two days late."""
    return [
        ((day + timedelta(chance.choice((0, 0, 0, 1, 2)))).toordinal(), amount, 1)
        for day in monthly(FIRST, months)
        if (amount := round(80_00 * chance.uniform(1 - sway, 1 + sway)))
    ]


def others(chance: random.Random, count: int) -> list[Occurrence]:
    """Charges on any days of thirteen months, of any amounts."""
    return [
        (FIRST.toordinal() + chance.randrange(DAYS), chance.randint(10_00, 240_00), 1)
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", [1, 3, 6])
def test_a_bill_is_found_beside_other_charges(count: int) -> None:
    """Of a hundred bills with up to six other charges in thirteen months, 95 are found whole."""
    found = 0
    for seed in range(100):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        charges = bill(chance)
        stream = monthly_bill(sorted(charges + others(chance, count)))
        held = set() if stream is None else set(stream.charges)
        found += len(held & set(charges)) >= 11 and len(held - set(charges)) <= 1
    assert found >= 95


def test_a_payee_without_a_bill_has_none() -> None:
    """Of two hundred payees that are paid on any days, four at most look like a bill."""
    false = 0
    for seed in range(200):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        charges = others(chance, chance.randint(6, 20))
        false += monthly_bill(sorted(charges)) is not None
    assert false <= 4


def test_a_busy_payee_is_not_looked_at() -> None:
    """Where somebody pays twice a month and more, each day of the month has its charges."""
    chance = random.Random(1)  # The same payee on every run.
    few, many = others(chance, 8), others(chance, 14)
    assert monthly_bill(sorted(bill(chance) + few)) is not None
    assert monthly_bill(sorted(bill(chance) + many)) is None


def test_visits_on_a_weekday_are_no_bill() -> None:
    """The first Saturday's shopping keeps a weekday, and so it does with two visits beside it."""
    chance = random.Random(3)  # The same amounts on every run.
    saturdays = [day for day in every("2024-01-06", 7, 102) if day.day <= 7]
    visits = [(day.toordinal(), chance.randrange(150_00, 200_00), 1) for day in saturdays]
    assert monthly_bill(sorted([*visits, *others(chance, 2)])) is None


def test_a_few_charges_are_no_bill_among_others() -> None:
    """Four on their day may be an accident beside others; with ten months they are none."""
    chance = random.Random(2)  # The same payee on every run.
    beside = others(chance, 4)
    assert monthly_bill(sorted(bill(chance, 4) + beside)) is None
    assert monthly_bill(sorted(bill(chance, 11) + beside)) is not None


def test_amounts_that_are_far_apart_are_no_bill() -> None:
    """Somebody who goes there on pay day spends this and that."""
    chance = random.Random(4)  # The same amounts on every run.
    visits = [(day.toordinal(), chance.randint(5_00, 300_00), 1) for day in monthly(FIRST, 13)]
    assert monthly_bill(sorted([*visits, *others(chance, 3)])) is None


def test_the_plan_holds_the_bill_and_not_what_is_beside_it() -> None:
    """The phone bill is recurring at about its amount; the accessories are not."""
    chance = random.Random(7)  # The same payee on every run.
    home = household().checking(covered=("2024-01-01", TODAY))
    for day, amount, _ in bill(chance, 14) + others(chance, 5):
        home.charge(date.fromordinal(day), "ZORBLAX", amount)
    (one,) = home.books(TODAY).charges
    assert (one.cadence, one.active) == ("monthly", True)
    assert 64_00 <= one.amount <= 96_00
    assert one.count_all in range(13, 16)


SETTINGS = HouseholdSettings(
    currency="USD", time_zone="UTC", budget_shares=None, target_months=None
)
PAYEES = {
    number: LedgerPayee(key, key.title(), "subscriptions", "unknown_inflow", {})
    for number, key in ((1, "netflix"), (2, "gym"))
}
SAID = SeriesVerdict("ser_1", "charge", "netflix", 9_99, 20250314, "monthly", 30, "dismiss")
NEW_YEAR = date(2026, 1, 1)


def _ledger(*verdicts: SeriesVerdict) -> Ledger:
    return Ledger(SETTINGS, {}, PAYEES, (), (), Catalogue(), verdicts=verdicts)


def _moment() -> AsOf:
    return AsOf(window_of(_ledger(), NEW_YEAR), NEW_YEAR)


def _series(amount: int, first: int, last: int, **more: Any) -> Series:
    """Monthly charges of the 14th in 2025, from one month to another."""
    recent = tuple((date(2025, month, 14), amount) for month in range(first, last + 1))
    series = Series(
        payees=(1,),
        name="Netflix",
        category="subscriptions",
        cadence="monthly",
        interval_days=30,
        amount=amount,
        monthly=amount,
        total=0,
        count=len(recent),
        count_all=len(recent),
        first_date=recent[0][0],
        last_date=recent[-1][0],
        next_date=None,
        active=True,
        steady=True,
        recent=recent,
        account=1,
    )
    return replace(series, **more)


def _held(*series: Series, said: SeriesVerdict = SAID) -> list[bool]:
    """Which of the series the verdict holds for."""
    found = apply_verdicts(series, "charge", _ledger(said), (), _moment())
    return [each.verdict is not None for each in found]


@pytest.mark.parametrize(
    ("series", "held"),
    [
        ([_series(9_99, 1, 6)], [True]),
        ([_series(9_99, 1, 6), _series(24_99, 1, 6)], [True, False]),
        ([_series(24_99, 1, 6), _series(9_99, 1, 6)], [False, True]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9)], [True, True]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9), _series(13_99, 10, 12)], [True] * 3),
        ([_series(9_99, 1, 6), _series(24_99, 7, 9)], [True, False]),
        ([_series(9_99, 1, 4), _series(11_99, 9, 12)], [True, False]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9, cadence="annual")], [True, False]),
        ([_series(11_99, 4, 9)], [True]),
        ([_series(24_99, 4, 9)], [False]),
        ([_series(9_99, 1, 6, payees=(2,))], [False]),
    ],
    ids=[
        "its own",
        "two at one payee",
        "in any order",
        "a price step that parts it",
        "two steps",
        "another subscription",
        "long after",
        "another cadence",
        "a detector that sees less",
        "another price",
        "another payee",
    ],
)
def test_what_a_verdict_holds_for(series: list[Series], held: list[bool]) -> None:
    """For the series with the charge it remembers, and for what continues that one."""
    assert _held(*series) == held


def test_a_dismissed_series_is_left_out_and_a_confirmed_one_is_not() -> None:
    """Only a dismissal takes something out of the plan, and only what it is about."""
    found = [_series(24_99, 1, 6), _series(9_99, 1, 6)]
    for verdict, left in (("dismiss", [24_99]), ("confirm", [24_99, 9_99])):
        said = replace(SAID, verdict=verdict)  # type: ignore[arg-type]
        kept = accepted_charges(found, _ledger(said), (), _moment())
        assert [one.amount for one in kept] == left
    assert accepted_charges(found, _ledger(), (), _moment()) == found


MISSED = {"tenths of its periods missed": 5}


def test_what_hardly_comes_on_its_day_is_recurring_only_by_the_persons_word() -> None:
    """A charge that is less likely than not to come leaves the plan, unless it was confirmed."""
    unlikely = replace(_series(9_99, 1, 6), signs=MISSED)
    likely = replace(_series(24_99, 1, 6), signs={"always": 1, "late": 1})
    kept = accepted_charges([likely, unlikely], _ledger(), (), _moment())
    assert [one.amount for one in kept] == [24_99]
    other = replace(SAID, amount=24_99)
    kept = accepted_charges([likely, unlikely], _ledger(other), (), _moment())
    assert 9_99 not in [one.amount for one in kept]
    confirmed = replace(SAID, verdict="confirm")
    kept = accepted_charges([likely, unlikely], _ledger(confirmed), (), _moment())
    assert [one.amount for one in kept] == [24_99, 9_99]


def test_a_verdict_on_income_is_none_on_charges() -> None:
    """One payee may be paid and pay."""
    assert _held(_series(9_99, 1, 6), said=replace(SAID, kind="income")) == [False]


FOUR_CENTURIES = timedelta(146_097)
"""After so many days the calendar repeats, weekdays and leap years included."""

Rows = list[tuple[date, int]]

categories = st.sampled_from(["utilities", "hobbies", "shopping", "groceries", "uncategorized"])


@st.composite
def charged(draw: st.DrawFn) -> Rows:
    """Charges of one payee: a planted rhythm, disturbed, among others."""
    step = draw(st.sampled_from([7, 14, 15, 30, 91, 182, 365]))
    prices = draw(st.lists(st.integers(3_00, 60_00), min_size=1, max_size=3))
    planted = [
        (
            TODAY - timedelta(place * step + draw(st.integers(-2, 2)) + 3),
            prices[place % len(prices)],
        )
        for place in range(draw(st.integers(0, min(24, 700 // step))))
    ]
    days = st.dates(date(2024, 1, 1), TODAY)
    return planted + draw(st.lists(st.tuples(days, st.integers(1_00, 90_00)), max_size=20))


def found_among(rows: Rows, category: str, shift: timedelta = timedelta(0)) -> list[Series]:
    """The recurring charges among rows that lie so much later, in the order given."""
    return list(_home(rows, category, shift).books(TODAY + shift).charges)


def _home(rows: Rows, category: str, shift: timedelta = timedelta(0)) -> Household:
    home = household().checking(covered=(date(2024, 1, 1) + shift, TODAY + shift))
    for day, amount in rows:
        home.charge(day + shift, "BILLER", amount, category)
    return home


def shifted(series: Series, shift: timedelta) -> Series:
    """The same series so much later."""
    return replace(
        series,
        first_date=series.first_date + shift,
        last_date=series.last_date + shift,
        next_date=series.next_date and series.next_date + shift,
        recent=tuple((day + shift, amount) for day, amount in series.recent),
        parts=tuple((day + shift, amount) for day, amount in series.parts),
        price_changed=series.price_changed and series.price_changed + shift,
        resumed=series.resumed and series.resumed + shift,
    )


@given(charged(), categories)
def test_no_charge_is_in_two_series(rows: Rows, category: str) -> None:
    """However a payee charges, its series never count a charge twice, nor one that never was."""
    claimed = Counter(part for one in found_among(rows, category) for part in one.parts)
    assert claimed <= Counter(rows)


@given(charged(), categories)
def test_time_itself_changes_nothing(rows: Rows, category: str) -> None:
    """Four centuries later, when the calendar is the same again, the same series are found."""
    later = found_among(rows, category, FOUR_CENTURIES)
    assert later == [shifted(one, FOUR_CENTURIES) for one in found_among(rows, category)]


@given(charged(), categories, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: Rows, category: str, chance: object) -> None:
    """Rows of one day may stand in any order."""
    assert hasattr(chance, "shuffle")
    mixed = list(rows)
    chance.shuffle(mixed)
    assert found_among(mixed, category) == found_among(rows, category)


@pytest.mark.thorough
@given(charged(), charged(), categories)
def test_other_payees_change_nothing(rows: Rows, others: Rows, category: str) -> None:
    """What is charged by somebody of another name is no evidence."""
    home = _home(rows, category)
    number = home.payee_number("BILLER") if rows else None
    alone = list(home.books(TODAY).charges)
    for day, amount in others:
        home.charge(day, "SOMEBODY ELSE", amount, "hobbies")
    assert [one for one in home.books(TODAY).charges if one.payees == (number,)] == alone


@given(charged(), categories)
def test_what_is_expected_lies_ahead(rows: Rows, category: str) -> None:
    """An active series has a next date, never before today; one that has ended has none."""
    for one in found_among(rows, category):
        assert one.amount > 0
        assert (one.next_date is not None) == one.active
        assert one.next_date is None or one.next_date >= TODAY


def _series_on(cadence: Any, days: list[date], amounts: list[int]) -> Series:
    return Series(
        payees=(1,),
        name="Netflix",
        category="subscriptions",
        cadence=cadence,
        interval_days=30,
        amount=amounts[-1],
        monthly=amounts[-1],
        total=sum(amounts),
        count=len(days),
        count_all=len(days),
        first_date=days[0],
        last_date=days[-1],
        next_date=None,
        active=True,
        steady=True,
        recent=tuple(zip(days, amounts, strict=True)),
        account=1,
    )


def _months(*days: int, first: int = 1) -> list[date]:
    return [date(2026, first + place, day) for place, day in enumerate(days)]


FRIDAYS = [date(2026, 1, 2) + timedelta(7 * week) for week in range(8)]


@pytest.mark.parametrize(
    ("cadence", "days", "amounts", "said"),
    [
        (
            "monthly",
            _months(14, 14, 15, 14, 13, 14),
            [999] * 6,
            "6 of 6 on the 14th ± 1 day, $9.99",
        ),
        ("monthly", _months(31, 28, 31, 30), [999] * 4, "4 of 4 on the last day, $9.99"),
        ("monthly", [*_months(1, 1, 1), date(2026, 5, 1)], [999] * 4, "4 of 5 on the 1st, $9.99"),
        ("weekly", FRIDAYS, [500] * 8, "8 of 8 on Fridays, $5.00"),
        ("weekly", [*FRIDAYS[:3], *FRIDAYS[4:]], [500] * 7, "7 of 8 on Fridays, $5.00"),
        ("biweekly", FRIDAYS[::2], [500] * 4, "4 of 4 on every second Friday, $5.00"),
        (
            "semimonthly",
            [date(2026, month, day) for month in (1, 2, 3) for day in (1, 15)],
            [100] * 6,
            "6 of 6 on the 1st and 15th, $1.00",
        ),
        (
            "quarterly",
            [date(2025, 1, 3), date(2025, 4, 14), date(2025, 7, 24), date(2025, 10, 9)],
            [100, 120, 90, 100],
            "4 times, about every 3 months, $0.90 to $1.20",
        ),
        (
            "annual",
            [date(2024, 2, 29), date(2025, 2, 28)],
            [100] * 2,
            "2 of 2 on the last day, $1.00",
        ),
        (
            "monthly",
            _months(5, 5, 5, 5),
            [899, 899, 999, 999],
            "4 of 4 on the 5th, $9.99, previously $8.99",
        ),
        ("irregular", _months(5, 9), [100, 100], "2 times, $1.00"),
    ],
)
def test_what_is_said(cadence: str, days: list[date], amounts: list[int], said: str) -> None:
    """One sentence tells a person whether to believe it."""
    assert regularity(_series_on(cadence, days, amounts), "USD") == said


def test_a_weekday_of_the_month_is_said_as_such() -> None:
    """Most dates on the second Wednesday say so; three of them, or one day of the month, do not."""
    wednesdays = _months(14, 11, 11, 8, 13, 10)
    said = regularity(_series_on("monthly", wednesdays, [999] * 6), "USD")
    assert says(said, "6 of 6", "2nd Wednesday, $9.99")
    strayed = [*wednesdays[:4], date(2026, 5, 14), wednesdays[5]]
    said = regularity(_series_on("monthly", strayed, [999] * 6), "USD")
    assert says(said, "5 of 6", "2nd Wednesday, $9.99")
    assert "Wednesday" not in regularity(_series_on("monthly", wednesdays[:3], [999] * 3), "USD")
    on_a_day = _months(11, 11, 11, 8, 11, 10)
    assert "11th" in regularity(_series_on("monthly", on_a_day, [999] * 6), "USD")


def test_four_weeks_are_said_as_such() -> None:
    """What comes every 28 days is on every fourth Friday."""
    series = replace(_series_on("monthly", FRIDAYS[::4], [999] * 2), interval_days=28)
    assert says(regularity(series, "USD"), "2 of 2", "every fourth Friday, $9.99")


COVERED = ("2024-01-01", TODAY)


def home_with(card_days: list[date], *, kind: str = "card", quarters: int = 8) -> Household:
    """An insurance paid by card each quarter, and whatever else is bought with the card."""
    home = household().checking(covered=COVERED).rents(900_00, "2024-01-01", 24)
    home = (home.card if kind == "card" else home.checking)("visa", covered=COVERED)
    home.charges(monthly("2024-01-12", quarters, 3), "INSURER", 210_00, "insurance")
    return home.charges(card_days, "BISTRO", 31_00, "dining")


def insurance(home: Household) -> Series:
    (one,) = [each for each in home.books(TODAY).charges if each.name == "INSURER"]
    return one


LAST = TODAY - timedelta(60)


def used_until(last: date, times: int = 30) -> list[date]:
    return [last - timedelta(11 * back) for back in reversed(range(times))]


def test_a_rare_bill_ends_with_its_card() -> None:
    """The card fell silent two months ago, so its quarterly bill is over before it is due."""
    home = home_with(used_until(LAST))
    assert not insurance(home).active
    assert insurance(home).next_date is None
    assert insurance(home).probability is None


@pytest.mark.parametrize(
    ("days", "kind"),
    [(used_until(LAST + timedelta(1)), "card"), ([], "card"), (used_until(LAST), "checking")],
    ids=["a card in use", "a card that is hardly used", "no card"],
)
def test_a_card_is_dead_only_when_it_was_in_use(days: list[date], kind: str) -> None:
    """A card used lately, one that only pays this bill, and a current account are not dead."""
    assert insurance(home_with(days, kind=kind)).active


def test_a_bill_that_moved_to_another_card_goes_on() -> None:
    """Where the last charge was on a living card, the dead one has no say."""
    home = home_with(used_until(LAST), quarters=7)
    home.card("amex", covered=COVERED).charge("2025-10-12", "INSURER", 210_00, "insurance")
    assert insurance(home).active

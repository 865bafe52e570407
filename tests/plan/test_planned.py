"""Planned money: when it is expected, when it has happened, and what it moves until then."""

from datetime import date, timedelta
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from finplan.model.plan import Cadence, Plan
from finplan.model.snapshot import Snapshot
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.ledger import PlannedMoney
from finplan.plan.ledger.planned import FollowedMoney, occurrences
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.live.forecast import forecast
from finplan.plan.live.lump_sum import rare_bills_ahead
from finplan.plan.live.view import live_view
from finplan.plan.planned import months_to_save
from tests.plan.households import TODAY, Day, Household, as_date, every, monthly, with_cash
from tests.plan.strategies import households, planning


def paid(balance: int = 20_000_00) -> Household:
    """Pay of 4,000 on the 28th, rent of 1,500 on the 1st, food of 70 each Saturday."""
    return (
        with_cash(balance)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .rents(1_500_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 70_00, "groceries")
    )


def money(first: Day, cadence: Cadence | None = None, **details: Any) -> PlannedMoney:
    home = with_cash(0).plans_money("Trip", 2_000_00, first, cadence=cadence, **details)
    return home.planned[0]


def followed(home: Household, today: date = TODAY) -> FollowedMoney:
    return home.books(today).planned[-1]


def plan(home: Household, today: date = TODAY) -> Plan:
    return build_plan(home.ledger(), today)


def snapshot(home: Household, today: date = TODAY) -> Snapshot:
    ledger = home.ledger()
    return live_snapshot(ledger, keep_books(ledger, today), build_plan(ledger, today), today)


def moved(
    home: Household, name: str, today: date = TODAY, days: int = 120
) -> list[tuple[str, int]]:
    """Day and amount of what the forecast names so."""
    ledger, books = home.ledger(), home.books(today)
    live = live_view(ledger, books, build_plan(ledger, today), today)
    return [
        (str(day.date), item.amount)
        for day in forecast(ledger, books, live, days).days
        for item in day.items
        if item.name == name
    ]


@pytest.mark.parametrize(
    ("cadence", "first", "days"),
    [
        (None, "2026-03-05", ["2026-03-05"]),
        ("weekly", "2026-02-26", ["2026-02-26", "2026-03-05", "2026-03-12"]),
        ("biweekly", "2026-02-26", ["2026-02-26", "2026-03-12", "2026-03-26"]),
        ("semimonthly", "2026-02-01", ["2026-02-01", "2026-02-16", "2026-03-01"]),
        ("monthly", "2026-01-31", ["2026-01-31", "2026-02-28", "2026-03-31"]),
        ("quarterly", "2026-11-30", ["2026-11-30", "2027-02-28", "2027-05-30"]),
        ("twice_yearly", "2026-08-31", ["2026-08-31", "2027-02-28", "2027-08-31"]),
        ("annual", "2028-02-29", ["2028-02-29", "2029-02-28", "2030-02-28"]),
    ],
)
def test_days_follow_the_cadence(cadence: Cadence | None, first: str, days: list[str]) -> None:
    """A day that a month lacks is the month's last, and the next month has the day again."""
    found = islice(occurrences(money(first, cadence), date(2031, 1, 1)), 3)
    assert [str(day) for day in found] == days


def test_the_last_day_counts() -> None:
    """A series ends on its last day, not before it."""
    until = as_date("2026-03-12")
    planned = money("2026-02-26", "weekly", until=until)
    assert list(occurrences(planned, date(2027, 1, 1)))[-1] == until


@pytest.mark.parametrize(("incoming", "day"), [(False, "2026-02-01"), (True, "2026-02-28")])
def test_an_open_day_is_the_careful_one(*, incoming: bool, day: str) -> None:
    """Money of a month leaves cash on its first day, and is there on its last."""
    home = paid().plans_money("Trip", 900_00, day, incoming=incoming, in_month=True)
    assert moved(home, "Trip") == [(day, 900_00 if incoming else -900_00)]


@pytest.mark.parametrize(
    ("day", "amount", "payee", "category", "happened"),
    [
        ("2026-02-10", 1_000_00, "ALPS TRAVEL", "travel", True),
        ("2026-02-10", 800_00, "ALPS TRAVEL", "travel", True),
        ("2026-02-10", 799_99, "ALPS TRAVEL", "travel", False),
        ("2026-02-10", 1_200_00, "ALPS TRAVEL", "travel", True),
        ("2026-02-10", 1_200_01, "ALPS TRAVEL", "travel", False),
        ("2026-01-31", 1_000_00, "ALPS TRAVEL", "travel", True),
        ("2026-01-30", 1_000_00, "ALPS TRAVEL", "travel", False),
        ("2026-02-20", 1_000_00, "ALPS TRAVEL", "travel", True),
        ("2026-02-10", 1_000_00, "SKIING LTD", "shopping", True),
        ("2026-02-10", 1_000_00, "ALPS SHOP", "shopping", False),
    ],
)
def test_a_transaction_shows_it(
    day: str, amount: int, payee: str, category: str, *, happened: bool
) -> None:
    """Within a fifth of the amount and ten days of the day, by its category or a word of its name."""
    home = paid().plans_money("Skiing", 1_000_00, "2026-02-10", category="travel")
    home.charge(day, payee, amount, category)
    today = as_date("2026-02-20")
    assert followed(home, today).status(today) == ("happened" if happened else "planned")


def test_what_was_paid_before_is_not_what_was_planned() -> None:
    """A transaction of the day before it was planned shows nothing."""
    home = paid().charge("2026-01-09", "ALPS TRAVEL", 500_00, "travel")
    home.plans_money("Trip", 500_00, "2026-01-12", category="travel")
    assert followed(home).status(TODAY) == "planned"


def test_a_named_account_must_be_it() -> None:
    """A transaction of another account shows nothing."""
    home = paid().savings(balance=0, covered=("2025-01-01", "2026-02-20")).on("checking")
    home.plans_money("Trip", 500_00, "2026-01-20", category="travel", account="savings")
    home.charge("2026-01-20", "ALPS TRAVEL", 500_00, "travel")
    assert followed(home, as_date("2026-01-21")).status(as_date("2026-01-21")) == "planned"


@pytest.mark.parametrize(
    ("in_month", "first", "late"),
    [(False, "2026-02-10", "2026-02-21"), (True, "2026-02-01", "2026-03-11")],
)
def test_it_is_waited_for_ten_days(*, in_month: bool, first: str, late: str) -> None:
    """Until then it is due today; after that it is overdue and in no figure."""
    home = paid().plans_money("Trip", 500_00, first, category="travel", in_month=in_month)
    last = as_date(late) - timedelta(1)
    assert followed(home, last).status(last) == "planned"
    assert moved(home, "Trip", last) == [(str(last), -500_00)]
    assert followed(home, as_date(late)).status(as_date(late)) == "overdue"
    assert moved(home, "Trip", as_date(late)) == []
    assert followed(home, as_date(late)).monthly == 0


def test_the_person_may_say_that_it_happened() -> None:
    """What happened without a transaction is neither expected nor overdue."""
    home = paid().plans_money("Trip", 500_00, "2026-02-10", done=True)
    for today in (TODAY, as_date("2026-03-10")):
        assert followed(home, today).status(today) == "happened"
    assert moved(home, "Trip") == []


@pytest.mark.parametrize(
    ("first", "amount", "monthly_share"),
    [
        ("2026-07-15", 2_000_00, 333_33),
        ("2026-02-01", 100_01, 100_01),
        ("2026-01-31", 100_00, 100_00),
        ("2026-03-31", 1, 1),
        ("2027-01-10", 600_06, 50_01),
    ],
)
def test_a_payment_is_saved_for_month_by_month(first: str, amount: int, monthly_share: int) -> None:
    """Evenly over the months from the one in which it was planned; half-up, and the same each month."""
    home = paid().plans_money("Trip", amount, first)
    assert followed(home).monthly == monthly_share
    assert abs(months_to_save(home.planned[0]) * monthly_share - amount) <= 6
    later = as_date(first) - timedelta(1)
    assert followed(home, max(TODAY, later)).monthly == monthly_share


@pytest.mark.parametrize(
    ("cadence", "first", "share"),
    [
        ("weekly", "2026-01-17", 86_67),
        ("weekly", "2026-01-18", 0),
        ("monthly", "2026-02-10", 20_00),
        ("monthly", "2026-02-11", 0),
        ("annual", "2026-12-24", 1_67),
        ("annual", "2027-02-24", 0),
    ],
)
def test_what_repeats_takes_its_month(cadence: Cadence, first: str, share: int) -> None:
    """From one period before it begins: 20 a week are 20 x 52 / 12."""
    assert followed(paid().plans_money("Swim", 20_00, first, cadence=cadence)).monthly == share


def test_money_in_is_never_counted_before_it_comes() -> None:
    """A bonus to come changes no plan, and safe to spend neither; cash has it on its day."""
    home, with_bonus = paid(), paid().plans_money("Bonus", 3_000_00, "2026-03-01", incoming=True)
    assert plan(with_bonus) == plan(home)
    assert snapshot(with_bonus) == snapshot(home)
    assert moved(with_bonus, "Bonus") == [("2026-03-01", 3_000_00)]


def test_a_payment_lowers_what_can_be_put_aside() -> None:
    """The planned surplus and the share of a day fall by what is saved for it each month."""
    home, with_trip = paid(), paid().plans_money("Trip", 1_200_00, "2026-07-01")
    before, after = (assess(each.ledger(), each.books(TODAY), TODAY) for each in (home, with_trip))
    assert before.planned.capacity - after.planned.capacity == 200_00
    assert after.planned.spend == before.planned.spend
    period = live_view(with_trip.ledger(), with_trip.books(TODAY), plan(with_trip), TODAY).period
    bills = [snapshot(each).allowance.breakdown.bills for each in (home, with_trip)]
    assert bills[1] - bills[0] in {round(200_00 * period.months), round(200_00 * period.months) + 1}


def test_what_is_due_before_payday_is_taken_whole() -> None:
    """Planned and due within the period: it lowers safe to spend once, before it is paid and after."""
    home = paid().plans_money("Dentist", 300_00, "2026-01-15", category="health")
    none, before = snapshot(paid()), snapshot(home)
    assert before.allowance.breakdown.bills - none.allowance.breakdown.bills == 300_00
    home.charge("2026-01-16", "DR WHITE", 310_00, "health").on("checking")
    day = as_date("2026-01-16")
    after, unplanned = snapshot(home, day), snapshot(paid(), day)
    assert after.allowance.breakdown.bills - unplanned.allowance.breakdown.bills == 310_00
    assert after.allowance.breakdown.spent == unplanned.allowance.breakdown.spent


def test_it_is_due_and_the_guard_holds_it() -> None:
    """What is planned to be paid before payday is upcoming, and cash cannot spare it."""
    home = paid().plans_money("Dentist", 300_00, "2026-01-15")
    without, with_it = snapshot(paid()), snapshot(home)
    assert ("Dentist", 300_00) in [(each.name, each.amount) for each in with_it.upcoming]
    assert with_it.due.total - without.due.total == 300_00
    assert without.period.guard is not None
    assert with_it.period.guard == without.period.guard - 300_00


def test_a_pending_payment_is_not_due_again() -> None:
    """What its bank already shows as pending has left cash."""
    home = paid().plans_money("Trip", 500_00, "2026-01-20", category="travel")
    home.charge(TODAY, "ALPS TRAVEL", 480_00, "travel", pending=True)
    assert moved(home, "Trip") == []
    assert "Trip" not in [each.name for each in snapshot(home).upcoming]


def test_what_was_planned_is_in_no_later_month() -> None:
    """A payment that happened once is one-time: running figures are as without it."""
    home = paid().plans_money(
        "Trip", 900_00, "2026-01-05", category="travel", planned_on="2025-12-20"
    )
    home.charge("2026-01-05", "ALPS TRAVEL", 900_00, "travel")
    unplanned = paid().charge("2026-01-05", "ALPS TRAVEL", 900_00, "travel")
    assert home.books(TODAY).running.spend == paid().books(TODAY).running.spend
    assert home.books(TODAY).spending == unplanned.books(TODAY).spending


def test_a_recurring_charge_takes_over() -> None:
    """Once finplan has found the series, the planned money moves nothing."""
    home = paid().plans_money(
        "Swimming", 40_00, "2025-06-03", cadence="monthly", planned_on="2025-06-01"
    )
    home.charges(monthly("2025-06-03", 8), "SWIMMING CLUB", 40_00, "subscriptions")
    assert followed(home).recurring
    assert followed(home).status(TODAY) == "happened"
    assert followed(home).monthly == 0
    assert moved(home, "Swimming") == []
    assert len(moved(home, "Swimming Club", days=60) or moved(home, "SWIMMING CLUB", days=60)) == 2


def test_equal_payments_are_one_occurrence_each() -> None:
    """Two occurrences are not shown by one transaction."""
    home = paid().plans_money(
        "Cleaner",
        50_00,
        "2026-01-03",
        cadence="weekly",
        planned_on="2026-01-01",
        category="home_upkeep",
    )
    home.charge("2026-01-06", "CLEANER", 50_00, "home_upkeep")
    found = followed(home)
    assert list(found.happened) == [as_date("2026-01-03")]
    assert found.next_day(TODAY) == TODAY


def test_rare_bills_hold_planned_payments() -> None:
    """What is planned within ninety days stays in cash when a card is paid at once."""
    home = paid().plans_money("Roof", 4_000_00, TODAY + timedelta(90))
    assert rare_bills_ahead(home.books(TODAY), TODAY) == 4_000_00
    later = paid().plans_money("Roof", 4_000_00, TODAY + timedelta(91))
    assert rare_bills_ahead(later.books(TODAY), TODAY) == 0


@pytest.mark.parametrize("section", ["emergencyFund", "allowance"])
def test_an_explanation_names_it(section: str) -> None:
    """What is set aside for planned payments stands among the figures that a result follows from."""
    home = paid().plans_money("Trip", 1_200_00, "2026-07-01")
    ledger, books = home.ledger(), home.books(TODAY)
    latest = build_plan(ledger, TODAY)
    figures = explain(assess(ledger, books, TODAY), latest, section, latest).figures
    assert {figure.name: figure.result for figure in figures}["forPlanned"] == 200_00


@settings(max_examples=40, deadline=None)
@given(households())
def test_what_is_over_moves_nothing(home: Household) -> None:
    """Planned money that happened without a transaction leaves every figure as it is without it."""
    home.planned.clear()
    before = plan(home), snapshot(home)
    home.plans_money("Nothing Like It", 777_77, TODAY, done=True)
    assert (plan(home), snapshot(home)) == before


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(planning())
def test_one_schedule_holds_what_is_planned(home: Household) -> None:
    """The guard, the forecast and what is due are of the same days and amounts."""
    ledger, books, now = home.ledger(), home.books(TODAY), snapshot(home)
    live = live_view(ledger, books, build_plan(ledger, TODAY), TODAY)
    last = live.period.end - timedelta(1)
    assert live.guard.free == live.schedule.lowest(TODAY, last).cash
    steps = [step for step in live.schedule.steps if step.kind == "planned" and step.amount < 0]
    due = [(each.date, each.name, each.amount) for each in live.expected.planned]
    until = TODAY + timedelta(30)
    assert sorted(due) == sorted(
        (step.day, step.name, -step.amount) for step in steps if step.day <= until
    )
    assert 0 <= now.period.set_aside <= now.allowance.breakdown.bills


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5_000_00), st.integers(0, 120))
def test_each_payment_moves_cash_by_itself(amount: int, days: int) -> None:
    """Expected cash is lower by the payment from its day on, and as it was before."""
    day = TODAY + timedelta(days)
    home, with_it = paid(), paid().plans_money("Trip", amount, day)
    assert moved(with_it, "Trip") == [(str(day), -amount)]
    ledger, books = home.ledger(), home.books(TODAY)
    assert list(keep_books(with_it.ledger(), TODAY).sources) == list(books.sources)
    assert ledger.rows == with_it.ledger().rows


def test_a_pending_payment_is_taken_once() -> None:
    """While the payment of what was planned is pending, safe to spend is as before and after it."""
    home = paid().plans_money("Skis", 300_00, "2026-01-12", category="shopping")
    planned = snapshot(home)
    home.charge(TODAY, "ALPINE SHOP", 300_00, "shopping", pending=True)
    pending = snapshot(home)
    assert pending.allowance.daily == planned.allowance.daily > 0
    assert pending.allowance.breakdown.remaining == planned.allowance.breakdown.remaining
    assert pending.allowance.breakdown.spent == 0

"""The days ahead: exact sums, the same bytes, one truth with the guard, and a range that holds."""

from collections.abc import Iterable
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.model.money import half_even
from finplan.model.snapshot import FURTHEST_DAY_AHEAD, Forecast, ForecastItem
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.live.forecast import UNTIMED_NAME, USUAL_NAME, forecast, look_ahead
from finplan.plan.live.usual import UsualDays, card_paces
from finplan.plan.live.view import LiveView, live_view
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.strategies import households
from tests.plan.typical import two_earners
from tests.says import says

some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def seen(home: Household, today: date = TODAY) -> LiveView:
    ledger = home.ledger()
    return live_view(ledger, keep_books(ledger, today), build_plan(ledger, today), today)


def ahead(home: Household, days: int = 60, today: date = TODAY) -> Forecast:
    return forecast(home.ledger(), home.books(today), seen(home, today), days)


def items(found: Forecast, name: str) -> list[tuple[date, int]]:
    return [
        (day.date, each.amount) for day in found.days for each in day.items if each.name == name
    ]


def known(each: Iterable[ForecastItem]) -> int:
    return sum(item.amount for item in each if item.kind != "spending")


def paid(balance: int = 3_000_00) -> Household:
    """Pay of 4,000 on the 28th, rent of 1,500 on the 1st, food of 70 each Saturday."""
    return (
        with_cash(balance)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .rents(1_500_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 70_00, "groceries")
    )


@pytest.mark.thorough
@some
@given(households(), st.integers(1, FURTHEST_DAY_AHEAD))
def test_each_evening_is_the_one_before_and_what_moves_it(home: Household, days: int) -> None:
    """Exact in minor units from start to end; every day once, today first, the lowest one of them."""
    found = ahead(home, days)
    evening = found.start
    assert evening is not None
    assert [each.date for each in found.days] == [TODAY + timedelta(n) for n in range(days + 1)]
    assert (found.since, found.until) == (found.days[0].date, found.days[-1].date)
    for day in found.days:
        evening += sum(each.amount for each in day.items)
        assert day.expected == evening
        assert (day.low is None) == (day.high is None)
        if day.low is not None and day.high is not None:
            assert day.low <= day.expected <= day.high
    assert found.low is not None
    least = min(each.expected for each in found.days)
    assert found.low.expected == least
    assert found.low.date == next(each.date for each in found.days if each.expected == least)


@pytest.mark.thorough
@some
@given(households(), st.integers(1, FURTHEST_DAY_AHEAD - 1))
def test_fewer_days_are_the_first_of_more(home: Household, days: int) -> None:
    """The same household gives the same bytes, however far it looks."""
    short, long = ahead(home, days), ahead(home, FURTHEST_DAY_AHEAD)
    assert short.days == long.days[: days + 1]
    assert ahead(home, days).model_dump_json() == short.model_dump_json()


@pytest.mark.thorough
@some
@given(households())
def test_the_guard_is_the_lowest_evening_without_usual_spending(home: Household) -> None:
    """And without what is estimated of cards and put aside: what is known is in both alike."""
    live = seen(home)
    days = (live.period.end - TODAY).days
    evening, lowest = live.schedule.start, []
    by_day = {each.date: each for each in ahead(home, days).days}
    steps = dict.fromkeys(by_day, 0)
    for step in live.schedule.steps:
        steps[step.day] = steps.get(step.day, 0) + step.amount
    for day in sorted(by_day)[:days]:
        evening += steps[day]
        lowest.append(evening)
        named = {each.name for each in by_day[day].items}
        told = {
            each.name.removesuffix(" minimum") for each in live.schedule.steps if each.day == day
        }
        assert told <= named
    assert live.guard.free == min(lowest)


def test_pay_and_bills_come_on_their_days() -> None:
    """With no cards and nothing put aside, what moves cash is the pay, the bills and what is usual."""
    found = ahead(paid())
    assert found.start == 3_000_00
    assert items(found, "CITY SCHOOL") == [
        (date(2026, 1, 28), 4_000_00),
        (date(2026, 2, 28), 4_000_00),
    ]
    assert items(found, "LANDLORD") == [
        (date(2026, 2, 1), -1_500_00),
        (date(2026, 3, 1), -1_500_00),
    ]


def test_usual_spending_keeps_its_weekday() -> None:
    """Food is bought on Saturdays, of which today is one and is over."""
    usual = items(ahead(paid()), USUAL_NAME)
    assert usual[0] == (date(2026, 1, 17), -70_00)
    assert {day.weekday() for day, _ in usual} == {5}
    assert {amount for _, amount in usual} == {-70_00}


def test_refunds_lower_what_is_usual_and_gifts_are_spread() -> None:
    """A shop's refund is spending taken back; money that nobody has named comes on no day of its own."""
    home = paid().credits(every("2025-01-11", 28, 13), "SAFEWAY", 28_00)
    home.credits(every("2025-01-06", 21, 17), "A FRIEND", 500_00, "unknown_inflow")
    usual = items(ahead(home), USUAL_NAME)
    assert {day.weekday() for day, _ in usual} == {5}
    assert {amount for _, amount in usual} == {-63_00}
    brought = sum(amount for _, amount in items(ahead(home), UNTIMED_NAME))
    mean = 17 * 500_00 * 60 // 365
    assert mean * 95 // 100 < brought <= mean


def test_even_months_are_foretold_as_they_were() -> None:
    """Where every four weeks take the same, nothing is added to what the days held."""
    found = ahead(paid())
    assert items(found, UNTIMED_NAME) == []
    assert len(items(found, USUAL_NAME)) == 8


def test_a_bonus_is_spread_and_the_level_stays() -> None:
    """Pay of 4,000 and once 9,000 more: expected is 4,000 on payday, and the rest a bit each day."""
    home = with_cash(3_000_00)
    home.credits(
        monthly("2025-01-28", 12),
        "CITY SCHOOL",
        [4_000_00] * 5 + [6_000_00] + [4_000_00] * 6,
        "wages",
    )
    found = ahead(home)
    assert {amount for _, amount in items(found, "CITY SCHOOL")} == {4_000_00}
    brought = sum(amount for _, amount in items(found, UNTIMED_NAME))
    assert brought == half_even(2_000_00 * 60, 365)


@pytest.mark.parametrize(
    ("payee", "amount", "category"),
    [("DEALER", -18_500_00, "car"), ("NOTARY", 40_000_00, "unknown_inflow")],
)
def test_a_one_off_moves_no_day_and_no_range(payee: str, amount: int, category: str) -> None:
    """C36: a car or a house that was sold is in the balance, and is never drawn again."""
    before = ahead(paid())
    assert ahead(paid().row("2025-06-14", payee, amount, category)).days == before.days


@pytest.mark.thorough
@some
@given(households())
def test_a_day_after_today_has_a_width(home: Household) -> None:
    """C36: as wide as its bills and pay would be a day late, and a usual day strays."""
    for day in ahead(home).days[1:]:
        if day.low is not None and day.high is not None:
            dated = [each.amount for each in day.items if each.kind != "spending"]
            assert day.low <= day.expected - sum(amount for amount in dated if amount > 0)
            assert day.high >= day.expected - sum(amount for amount in dated if amount < 0)


def test_steady_weeks_have_a_width_every_day() -> None:
    """Who spends the same each week strays by a day at least."""
    days = ahead(paid()).days[1:]
    assert all((day.low or 0) < day.expected < (day.high or 0) for day in days)


@pytest.mark.parametrize(("balance", "is_told"), [(100_00, True), (9_000_00, False)])
def test_cash_that_may_run_out_is_told_by_day_and_odds(balance: int, is_told: bool) -> None:
    """100 now, food of 70 a week and pay on the 28th: expected cash is below zero from the 24th on."""
    notes = [note for note in ahead(paid(balance)).notes if note.startswith("Cash may")]
    assert bool(notes) == is_told
    for note in notes:
        assert says(note, "from 15 January", "57 of 100 cases", "by 11 March.")


def test_how_likely_cash_is_gone_agrees_with_the_range() -> None:
    """Where low is below zero more than a tenth of the paths are, where high is nine tenths are."""
    home = paid(400_00)
    ledger, live = home.ledger(), seen(home)
    books = keep_books(ledger, TODAY)
    outlook = look_ahead(ledger, books, live.cards, 400_00, (), live.period, TODAY)
    days = ahead(home, FURTHEST_DAY_AHEAD).days
    shares = [outlook.below_zero(days) for days in range(FURTHEST_DAY_AHEAD + 1)]
    assert shares == sorted(shares)
    for furthest in (0, 1, 9, FURTHEST_DAY_AHEAD):
        assert outlook.lowest(furthest) == min(day.low or 0 for day in days[: furthest + 1])
    for share, day in zip(shares[1:], days[1:], strict=True):
        if day.expected < 0:
            assert share > 0.1


def test_what_is_known_is_not_usual_too() -> None:
    """A bill is expected once: on its day, and in no mean of weekdays, before and after a price step."""
    home = with_cash(3_000_00)
    days = every("2025-01-06", 7, 53)
    home.charges(days, "GYM", [20_00] * 30 + [24_00] * 23, "hobbies")
    found = ahead(home)
    assert items(found, USUAL_NAME) == []
    assert items(found, "GYM")[0] == (date(2026, 1, 12), -24_00)


def test_less_than_a_month_of_history_tells_what_is_known_alone() -> None:
    """No range, nothing usual, and a sentence that says so."""
    since = TODAY - timedelta(20)
    home = with_cash(900_00, (since, TODAY))
    home.charges(every(since, 2, 10), "SAFEWAY", 31_00, "groceries")
    found = ahead(home)
    assert all(day.low is None and day.high is None for day in found.days)
    assert items(found, USUAL_NAME) == []
    assert found.notes[0].startswith("Less than a")


def test_cash_that_nobody_told_has_no_days() -> None:
    """No figure is made of a balance that is not known, and the sentence names the account."""
    found = ahead(paid().savings("jar", balance=None))
    assert (found.start, found.low, found.days) == (None, None, ())
    assert "jar" in found.notes[0]


def test_without_an_account_with_cash_a_sentence_says_so() -> None:
    """A card alone, and money abroad, tell of no evening, and the page is told why."""
    card = household().card(balance=300_00, covered=YEAR)
    card.charges(every("2025-01-04", 7, 53), "SAFEWAY", 70_00, "groceries")
    for home in (card, household().checking(balance=5_00, currency="EUR", covered=YEAR)):
        found = ahead(home)
        assert (found.start, found.days) == (None, ())
        assert "no cash account" in found.notes[0]
    assert not any("no cash account" in note for note in ahead(paid()).notes)


def test_pending_charges_have_left_cash() -> None:
    """Start is cash less what is pending, and a pending bill is not expected again."""
    found = ahead(paid().charge(TODAY, "CAFE", 30_00, "dining", pending=True))
    assert found.start == 2_970_00
    assert any("$30" in note for note in found.notes)


def test_hidden_accounts_and_other_currencies_are_no_cash() -> None:
    """What the guard leaves out is left out here, and said."""
    home = paid().savings("hidden", balance=9_000_00, hidden=True)
    home.savings("abroad", balance=9_000_00, currency="EUR")
    found = ahead(home)
    assert found.start == 3_000_00
    assert any("abroad" in note for note in found.notes)
    assert any("hidden" in note for note in found.notes)


def test_only_hidden_cash_is_said_to_be_left_out() -> None:
    """A hidden card, and cash that is shown, are no cash that is left out."""
    home = paid().card("old card", balance=50_00, hidden=True)
    assert not any("hidden" in note for note in ahead(home).notes)
    notes = ahead(home.savings("jar", hidden=True)).notes
    assert any("1 hidden account" in note for note in notes)


def test_the_furthest_day_is_reached_with_and_without_history() -> None:
    """All of 120 days after today are there."""
    since = TODAY - timedelta(20)
    new = with_cash(900_00, (since, TODAY))
    for home in (paid(), new.charges(every(since, 2, 10), "SAFEWAY", 31_00, "groceries")):
        days = ahead(home, FURTHEST_DAY_AHEAD).days
        assert (len(days), days[-1].date) == (
            FURTHEST_DAY_AHEAD + 1,
            TODAY + timedelta(FURTHEST_DAY_AHEAD),
        )


def test_a_card_takes_its_bill_then_what_it_usually_is() -> None:
    """600 are owed and due on 6 February, with a day until the statement; then what a month charges."""
    home = two_earners()
    (day, bill), (later, usual) = items(ahead(home), "visa")
    a_day = round(600_00 * 12 / 365)
    assert (day, bill) == (date(2026, 2, 6), -600_00 - a_day)
    assert (later, usual) == (date(2026, 3, 6), -round(28 * 600_00 * 12 / 365))
    assert [each.amount for each in seen(home).schedule.steps if each.card] == [-600_00]


def test_a_card_that_revolves_takes_what_is_usually_paid() -> None:
    """400 a month are paid where 90 are asked for: one item a month, the minimum in it."""
    home = paid(9_000_00).card(
        "visa", balance=6_000_00, apr=0.2, minimum_payment=90_00, covered=YEAR
    )
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    home.card_payments(monthly("2025-01-15", 12), "visa", 400_00)
    assert items(ahead(home), "visa") == [
        (date(2026, 1, 15), -400_00),
        (date(2026, 2, 15), -400_00),
    ]
    assert seen(home).guard.minimums == 90_00


def test_regular_savings_leave_cash_if_they_are_put_where_it_is_not_at_hand() -> None:
    """300 to a brokerage each month are an item; 300 to a savings account are cash as before."""
    home = paid().brokerage().savings("jar")
    for day in monthly("2025-01-12", 12):
        home.transfer(day, "checking", "brokerage", 300_00, category="investing")
        home.transfer(day, "checking", "jar", 300_00)
    found = ahead(home)
    assert (
        items(found, "To brokerage")
        == [
            (date(2026, 1, 12), -300_00),
            (date(2026, 2, 12), -300_00),
            (date(2026, 3, 11), -300_00),
        ][:2]
    )
    assert items(found, "To jar") == []
    assert {day.weekday() for day, _ in items(found, USUAL_NAME)} == {5}


@pytest.mark.parametrize(
    ("payee", "account", "amount", "days"),
    [
        ("BROKERAGE ACH", "checking", 300_00, [12]),
        ("BROKERAGE ACH", "checking", 40_00, [12, 12]),
        ("BROKERAGE ACH", "visa", 300_00, [12, 12]),
        ("OTHER ACH", "checking", 300_00, [12, 12]),
    ],
)
def test_a_pending_transfer_is_next(payee: str, account: str, amount: int, days: list[int]) -> None:
    """It has left cash: February's is expected next, and January's still is beside any other row."""
    home = paid().brokerage().card("visa", balance=0, covered=YEAR)
    more = {"category": "investing", "payee": "BROKERAGE ACH"}
    home.transfers(monthly("2025-01-12", 12), "checking", "brokerage", 300_00, **more)
    home.on(account).payee(payee, "investing").charge(TODAY, payee, amount, pending=True)
    found = items(ahead(home), "To brokerage")
    assert [(day.day, moved) for day, moved in found] == [(day, -300_00) for day in days]


@pytest.mark.parametrize(
    ("account", "amount", "left_for"),
    [
        ("checking", 280_00, "brokerage"),
        ("checking", 300_00, "fund"),
        ("checking", 291_00, "fund"),
        ("joint", 291_00, "brokerage"),
    ],
)
def test_a_pending_transfer_serves_one_plan_alone(account: str, amount: int, left_for: str) -> None:
    """Of two plans of one payee it is that of its account, then the nearer one; the other stays due."""
    home = paid().checking("joint", balance=900_00, covered=YEAR)
    home.brokerage().brokerage("fund")
    source = "joint" if account == "joint" else "checking"
    for day in monthly("2025-01-12", 12):
        for at, to, moved in (("checking", "brokerage", 300_00), (source, "fund", 280_00)):
            home.transfer(day, at, to, moved, category="investing", payee="SAVING")
    home.on(account).payee("SAVING", "investing").charge(TODAY, "SAVING", amount, pending=True)
    found = ahead(home)
    days = {
        name: [day.day for day, _ in items(found, f"To {name}")] for name in ("brokerage", "fund")
    }
    assert days == {"brokerage": [12], "fund": [12], left_for: [12, 12]}


def test_nothing_that_moves_no_money_is_a_usual_amount() -> None:
    """Rows of 0 are in no series and no payment of a card, so that every spread has a middle."""
    home = paid().card("visa", balance=400_00, covered=YEAR)
    home.charges(monthly("2025-01-05", 12), "WATERWORKS", 0, "utilities")
    home.on("visa").charges(monthly("2025-01-08", 12), "BISTRO", 200_00, "dining")
    for place, day in enumerate(monthly("2025-01-20", 12)):
        home.transfer(day, "checking", "visa", 0 if place % 2 else 90_00, category="card_payment")
    books = home.books(TODAY)
    series = [*books.charges, *books.sources]
    assert series
    assert all(amount > 0 for each in series for _, amount in each.recent)
    assert all(amount > 0 for card in seen(home).cards for _, amount in card.payments)
    assert ahead(home).days


def test_what_is_far_is_less_sure_than_what_is_near() -> None:
    """Nothing is left of today but what is due, and each week that differs makes the next less sure."""
    days = every("2025-01-08", 7, 52)
    home = paid().charges(days, "BAR", [5_00, 300_00, 20_00, 80_00] * 13, "dining")
    widths = [(day.high or 0) - (day.low or 0) for day in ahead(home).days]
    assert widths[1] <= widths[14] < widths[30] < widths[60]
    today = ahead(paid()).days[0]
    assert today.low == today.expected == today.high


def test_weeks_that_differ_are_in_the_range() -> None:
    """Whose food costs 20 one week and 200 the next has a range that even weeks have not."""
    even = ahead(paid())
    days = every("2025-01-08", 7, 52)
    uneven = ahead(paid().charges(days, "BAR", [5_00, 500_00] * 26, "dining"))
    width = [(each.days[20].high or 0) - (each.days[20].low or 0) for each in (even, uneven)]
    assert width[1] > width[0] + 100_00


def test_income_without_a_rhythm_is_spread_over_the_days() -> None:
    """A client who pays now and then is on no day but in all: 7,800 a year, or some less."""
    home = paid()
    before = ahead(home).days[40]
    days = ["2025-02-02", "2025-03-27", "2025-05-09", "2025-07-30", "2025-10-04", "2025-12-20"]
    home.credits(days, "GIG", 1_300_00, "self_employment")
    found = ahead(home)
    assert items(found, "GIG") == []
    mean = 6 * 1_300_00 * 40 // 365
    assert mean * 7 // 10 < found.days[40].expected - before.expected <= mean
    assert (found.days[40].high or 0) - found.days[40].expected > (
        before.high or 0
    ) - before.expected
    assert any("GIG" in note for note in found.notes)


@pytest.mark.parametrize(
    "days", [["2026-01-03"], ["2025-12-03"], ["2026-01-02", "2026-01-04", "2026-01-09"]]
)
def test_income_that_the_range_does_not_know_is_not_said_to_be_in_it(days: list[str]) -> None:
    """Money that came once, or since the last full month, is on no day and in no range."""
    before = ahead(paid())
    found = ahead(paid().credits(days, "GIG", 1_300_00, "self_employment"))
    assert [(day.low, day.high) for day in found.days] == [
        (day.low, day.high) for day in before.days
    ]
    (note,) = [note for note in found.notes if note.startswith("Income")]
    assert note.endswith("is excluded.")


@pytest.mark.parametrize(
    ("today", "comes"), [(27, "2026-01-28"), (28, "2026-01-29"), (30, "2026-01-31")]
)
def test_pay_that_is_late_or_due_today_comes_tomorrow(today: int, comes: str) -> None:
    """What is not there yet is not counted on before tomorrow, and the pay after it keeps its day."""
    home = with_cash(3_000_00, (YEAR[0], date(2026, 1, today)))
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
    home.charges(every("2025-01-04", 7, 55), "SAFEWAY", 70_00, "groceries")
    pay = items(ahead(home, today=date(2026, 1, today)), "CITY SCHOOL")
    assert pay[:2] == [(date.fromisoformat(comes), 4_000_00), (date(2026, 2, 28), 4_000_00)]


def test_a_stated_bill_is_what_its_statement_says_and_the_rest_comes_with_the_next() -> None:
    """480 stated of 600 owed: 480 on the 6th, and a month later 120 and what is charged until then."""
    home = two_earners().recorded_balance("visa", "2026-01-08", 480_00, stated=True)
    (day, bill), (later, usual) = items(ahead(home), "visa")
    assert (day, bill) == (date(2026, 2, 6), -480_00)
    assert later == date(2026, 3, 6)
    assert usual < -120_00 - 500_00


def test_a_payment_that_is_pending_is_paid_once() -> None:
    """What is on its way to a card has left cash, so that no bill takes it, neither next nor later."""
    home = two_earners()
    before = ahead(home)
    home.on("checking").payee("VISA AUTOPAY", "card_payment")
    after = ahead(home.charge(TODAY, "VISA AUTOPAY", 200_00, pending=True))
    bills = [sum(amount for _, amount in items(each, "visa")) for each in (before, after)]
    assert bills == [bills[1] - 200_00, bills[1]]
    assert after.days[-1].expected == before.days[-1].expected
    assert after.start == (before.start or 0) - 200_00


def test_what_is_on_its_way_pays_what_is_due_before_payday_first() -> None:
    """The minimum of the 12th, before pay of the 16th: nothing of it is left, and the bill is whole."""
    home = with_cash(9_000_00).earns_biweekly(2_000_00)
    home.card("gold", balance=500_00, covered=YEAR)
    home.charges(monthly("2025-01-02", 13), "BISTRO", 500_00, "dining")
    home.card("visa", balance=6_000_00, apr=0.2, minimum_payment=90_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    for place in range(1, 13):
        home.transfer(monthly("2025-01-16", 12)[place - 1], "checking", "gold", 500_00)
        home.transfer(monthly("2025-01-12", 12)[place - 1], "checking", "visa", 90_00)
    home.on("checking").payee("AUTOPAY", "card_payment")
    home.charge(TODAY, "AUTOPAY", 90_00, pending=True)
    live = seen(home)
    assert live.period.end == date(2026, 1, 16)
    due = [(each.day.day, each.name, each.amount) for each in live.schedule.steps if each.card]
    assert due[0] == (16, "gold", -500_00)
    assert live.guard.minimums == 0


def revolving(balance: int = 6_000_00, least: int = 90_00, usual: int = 400_00) -> Household:
    """A card that revolves and is paid on the 15th of each month."""
    home = paid(9_000_00)
    home.card("visa", balance=balance, apr=0.2, minimum_payment=least, covered=YEAR)
    home.card_payments(monthly("2025-01-15", 12), "visa", usual, "VISA AUTOPAY")
    home.charge("2025-12-20", "INTEREST", 1_00, "interest_fees")
    return home


def minimums(home: Household) -> list[tuple[date, str, int]]:
    return [(each.day, each.name, each.amount) for each in seen(home).schedule.steps if each.card]


@pytest.mark.parametrize(("sent", "left"), [(50_00, 350_00), (399_00, 1_00), (400_00, 0)])
@pytest.mark.parametrize("payee", ["VISA AUTOPAY", "SOME BANK"])
def test_a_pending_payment_to_a_debt_card_is_its_next(sent: int, left: int, payee: str) -> None:
    """Of 400 in January so much is left; February's 400 and its minimum are whole."""
    home = revolving().on("checking").payee(payee, "card_payment")
    home.charge(TODAY, payee, sent, pending=True)
    found = ahead(home)
    assert found.start == 9_000_00 - sent
    january = [(date(2026, 1, 15), -left)] if left else []
    assert items(found, "visa") == [*january, (date(2026, 2, 15), -400_00)]
    assert minimums(home)[-1] == (date(2026, 2, 15), "visa minimum", -90_00)


@pytest.mark.parametrize("payee", ["VISA AUTOPAY", "GOLD AUTOPAY", "SOME BANK"])
def test_a_pending_payment_lessens_what_its_own_card_takes(payee: str) -> None:
    """The one that its payee has always paid, else the one that is due first, up to its usual 400."""
    home = revolving()
    home.card("gold", balance=4_000_00, apr=0.2, minimum_payment=60_00, covered=YEAR)
    home.card_payments(monthly("2025-01-20", 12), "gold", 60_00, "GOLD AUTOPAY")
    home.on("checking").payee(payee, "card_payment")
    whole = minimums(home)
    assert len(whole) == 4
    home.charge(TODAY, payee, 400_00, pending=True)
    paid_now = 1 if payee == "GOLD AUTOPAY" else 0
    assert minimums(home) == [each for place, each in enumerate(whole) if place != paid_now]


@pytest.mark.parametrize(
    ("owed", "asked"), [(50_00, [35_00, 15_00]), (35_00, [35_00]), (90_00, [35_00] * 2)]
)
def test_minimums_come_to_what_is_owed_at_most(owed: int, asked: list[int]) -> None:
    """Each month's comes off what a card owes, and so does what is on its way to it."""
    home = revolving(owed, 35_00, 35_00)
    assert [-amount for _, _, amount in minimums(home)] == asked
    home.on("checking").charge(TODAY, "VISA AUTOPAY", 35_00, pending=True)
    assert [-amount for _, _, amount in minimums(home)] == asked[1:]


def test_a_card_without_a_minimum_still_takes_what_is_usually_paid() -> None:
    """Nothing is owed by now, and 400 are paid as in every month."""
    home = paid(9_000_00).card("visa", balance=0, apr=0.2, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    home.card_payments(monthly("2025-01-15", 12), "visa", 400_00)
    assert items(ahead(home), "visa")[0] == (date(2026, 1, 15), -400_00)


def test_four_weeks_are_a_month() -> None:
    """February alone, 28 days, shows what is usual."""
    home = with_cash(900_00, ("2025-02-01", "2025-02-28"))
    home.charges(every("2025-02-01", 3, 10), "SAFEWAY", 31_00, "groceries")
    assert items(ahead(home, today=date(2025, 3, 1)), USUAL_NAME)


def test_what_else_is_bought_where_a_bill_is_paid_is_usual() -> None:
    """A bicycle of 520 at the gym, months before the bills that a series shows, is none of them."""
    home = with_cash(3_000_00)
    home.charges(every("2025-01-06", 7, 53), "GYM", 20_00, "hobbies")
    home.rents(900_00, "2025-01-03")
    home.charge("2025-02-05", "GYM", 520_00, "hobbies")
    usual = items(ahead(home), USUAL_NAME)
    assert {day.weekday() for day, _ in usual} == {2}
    assert {amount for _, amount in usual} == {-round(520_00 / 53)}


def test_pay_that_varies_is_in_the_range() -> None:
    """Who is paid by the hour knows less of the evening after payday."""
    even = ahead(paid()).days[25]
    home = with_cash(3_000_00)
    home.credits(monthly("2025-01-28", 12), "SHIFTS", [4_000_00, 3_000_00, 5_000_00] * 4, "wages")
    uneven = ahead(home).days[25]
    assert (uneven.high or 0) - (uneven.low or 0) > (even.high or 0) - (even.low or 0) + 1_000_00


def test_three_transfers_are_a_plan_and_two_are_not() -> None:
    """A rhythm shows from three on."""
    for times in (2, 3):
        home = paid().brokerage()
        for day in sorted(monthly("2025-12-12", times, -1)):
            home.transfer(day, "checking", "brokerage", 300_00, category="investing")
        assert bool(items(ahead(home), "To brokerage")) == (times == 3)


@pytest.mark.parametrize("times", [2, 3])
def test_two_transfers_a_quarter_apart_are_no_plan_either(times: int) -> None:
    """Two bills may show that they come each quarter; what somebody puts aside takes three."""
    home = paid().brokerage()
    for day in ["2025-04-12", "2025-07-12", "2025-10-12"][-times:]:
        home.transfer(day, "checking", "brokerage", 300_00, category="investing")
    assert bool(items(ahead(home, FURTHEST_DAY_AHEAD), "To brokerage")) == (times == 3)


def test_data_of_today_are_not_said_to_end() -> None:
    """Only what ended before today is told, with its day."""
    assert not any("data ends" in note for note in ahead(paid()).notes)
    late = ahead(paid(), today=TODAY + timedelta(3))
    assert any("ends on 10 January." in note for note in late.notes)


@pytest.mark.parametrize(
    ("today", "days"),
    [
        (11, ["2026-01-12", "2026-02-12", "2026-03-12"]),
        (12, ["2026-01-12", "2026-02-12", "2026-03-12"]),
        (20, ["2026-01-20", "2026-02-12", "2026-03-12"]),
        (22, ["2026-01-22", "2026-02-12", "2026-03-12"]),
        (23, ["2026-02-12", "2026-03-12"]),
    ],
)
def test_a_payment_that_is_overdue_moves_no_later_one(today: int, days: list[str]) -> None:
    """A card that is paid on the 12th is expected now while it is late, then on the 12th again.

    Where statements end before, as those of a month do, it is left out once and not for good.
    """
    home = paid(9_000_00).card("visa", balance=400_00, covered=YEAR)
    home.charges(monthly("2025-01-02", 13), "BISTRO", 400_00, "dining")
    home.card_payments(monthly("2025-01-12", 12), "visa", 400_00)
    found = items(ahead(home, today=date(2026, 1, today)), "visa")
    assert [f"{day}" for day, _ in found] == days
    assert -sum(amount for _, amount in found) >= 400_00


@pytest.mark.parametrize(("today", "first"), [(8, "2026-01-12"), (20, "2026-01-20")])
def test_later_minimums_keep_their_day(today: int, first: str) -> None:
    """What is usually paid to a card that revolves is expected on the 12th, however late it is now."""
    home = paid(9_000_00).card(
        "visa", balance=6_000_00, apr=0.2, minimum_payment=90_00, covered=YEAR
    )
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    home.card_payments(monthly("2025-01-12", 12), "visa", 400_00)
    found = items(ahead(home, today=date(2026, 1, today)), "visa")
    assert [f"{day}" for day, _ in found][:2] == [first, "2026-02-12"]
    assert found[1][1] == -400_00


def test_a_card_whose_payments_had_stopped_is_not_waited_for() -> None:
    """Its last payment lies months before the end of the data, so that none is expected."""
    home = paid(9_000_00).card("visa", balance=400_00, covered=YEAR)
    home.charges(monthly("2025-01-02", 13), "BISTRO", 400_00, "dining")
    home.card_payments(monthly("2025-01-12", 9), "visa", 400_00)
    assert items(ahead(home), "visa") == []


def test_cash_is_that_of_the_day_on_which_the_data_end() -> None:
    """Pay that was due since then is neither in cash nor ahead, and no note says that it came."""
    home = paid()
    late = ahead(home, today=date(2026, 2, 5))
    assert late.start == home.accounts["checking"].balance
    assert items(late, "CITY SCHOOL")[0][0] == date(2026, 2, 28)
    (note,) = late.notes
    assert "ends on 10 January." in note


def test_of_a_young_household_that_knows_no_bill_the_days_say_so() -> None:
    """A line that nothing moves is no answer to whether cash will last."""
    home = with_cash(900_00, [("2025-12-20", "2026-01-10")])
    home.charge("2026-01-03", "SAFEWAY", 70_00, "groceries")
    found = ahead(home)
    assert {day.expected for day in found.days} == {900_00}
    assert says(found.notes[0], "Less than a", "stays flat.")


def on_card(balance: int | None, times: int = 12) -> Household:
    """Food of 100 on each Wednesday is on a card, whose last months are paid on the 20th."""
    home = paid().card("visa", balance=balance, covered=YEAR)
    home.charges(every("2025-01-01", 7, 54), "MARKET", 100_00, "groceries")
    home.card_payments(monthly("2025-01-20", 12)[-times:] if times else [], "visa", 400_00)
    return home


def test_the_next_bill_of_a_card_that_nobody_told_the_balance_of_is_a_usual_one() -> None:
    """What it owes by now is in it, not only what will be charged; that it is a guess is said."""
    found = ahead(on_card(None))
    (first, bill), (_, later), *_ = items(found, "visa")
    assert (first, later) == (date(2026, 1, 20), bill)
    assert bill == -round(53 * 100_00 * 31 / 365)
    (note,) = [note for note in found.notes if "visa" in note]
    assert says(note, "a typical next card bill:", "`finplan accounts set`")


def test_a_card_that_was_never_paid_is_not_in_the_days_and_that_is_said() -> None:
    """Nobody knows when it is paid, or how much; a card whose balance is known is not spoken of."""
    found = ahead(on_card(None, times=0))
    assert items(found, "visa") == []
    assert any(says(note, "excludes a card:", "of visa") for note in found.notes)
    assert not any("visa" in note for note in ahead(on_card(300_00)).notes)


def test_a_card_of_unknown_habit_takes_what_it_owes_at_its_next_payment() -> None:
    """One payment shows the day; no bill is known for sure, so the guard holds none and this does."""
    home = paid().card("visa", balance=90_00, covered=YEAR)
    home.transfer("2025-12-20", "checking", "visa", 70_00, category="card_payment")
    assert seen(home).guard.card_bills == 0
    assert items(ahead(home), "visa")[0] == (date(2026, 1, 20), -90_00)


@pytest.mark.parametrize(
    ("category", "peer", "is_charged"),
    [
        ("card_payment", "checking", False),
        ("card_payment", None, False),
        ("transfer", None, False),
        ("gifts_donations", "checking", False),
        ("groceries", None, True),
    ],
)
def test_card_payments_are_no_charges(category: str, peer: str | None, is_charged: bool) -> None:
    """A payment is one by what it is for, or by the account of cash that it comes from."""
    charged = []
    for is_back in (False, True):
        home = on_card(300_00)
        if is_back:
            home.on("visa").row(
                "2025-06-16", "BACK", 30_00, category, peer=peer, counts=peer is None
            )
        paces = card_paces(home.books(TODAY), seen(home).cards)
        charged.append(sum(paces[home.number("visa")].charged))
    assert charged[0] > 0
    assert charged[0] - charged[1] == (30_00 if is_charged else 0)


def test_what_a_mean_is_counted_on_for() -> None:
    """Worked out by hand: two stretches of eight weeks, of 560 and 1,680, and cash 240 above its growth.

    The squared error of the mean day of 20, 16 times 100, is four times its square, so that a fifth is
    counted on; of what lies above, a quarter returns in 60 days.
    """
    days = [10] * 56 + [30] * 56
    weekdays = [place % 7 for place in range(112)]
    usual = UsualDays(weekdays, days, [0] * 112, above=Fraction(360))
    assert usual.levelled(Fraction(0)) == Fraction(-84, 5)
    assert UsualDays(weekdays, [20] * 112, [0] * 112).levelled(Fraction(0)) == 0


def test_cash_returns_only_where_months_are_uneven() -> None:
    """Who spends now 100 and now 900 a week draws on what lies above their usual cash; others do not."""

    def untimed(each_week: list[int], last_pay: int) -> int:
        home = with_cash(9_000_00).earns(2_500_00)
        home.charges(every("2025-01-04", 7, 53), "MARKET", each_week, "groceries")
        if last_pay:
            home.credit("2026-01-07", "ACME", last_pay, "wages")
        return sum(amount for _, amount in items(ahead(home), UNTIMED_NAME))

    uneven = [100_00] * 9 + [900_00] * 9 + [100_00] * 9 + [1_000_00] * 9 + [300_00] * 17
    even = [500_00] * 53
    assert untimed(uneven, 2_000_00) < untimed(uneven, 0)
    assert untimed(even, 0) == 0

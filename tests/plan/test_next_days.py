"""The days until and after payday: cash, bills and pay that are known, and how likely a charge comes.

Nothing beyond what was seen or is expected is drawn; a bill of the seasons is expected as a year
before.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from importlib.resources import files

import pytest

from finplan.model.money import LARGEST_AMOUNT
from finplan.model.snapshot import FURTHEST_DAY_AHEAD, DueSoon, Forecast, Upcoming
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.series import LEAST_LIKELY, arrival_of, is_likely, probability_of, signs_of
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.expected import amount_due
from finplan.plan.live.forecast import USUAL_NAME, forecast
from finplan.plan.live.outcomes import ranges
from finplan.plan.live.schedule import CashSchedule, CashStep, LowPoint
from finplan.plan.live.usual import CardPace, UsualDays
from finplan.plan.live.view import CashAhead, live_view
from finplan.views import live_text
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.test_forecast import ahead, items, paid
from tests.plan.typical import assessed, live, plan_of
from tests.present import present
from tests.says import says

NOTHING_USUAL = UsualDays([day % 7 for day in range(28)], [0] * 28, [0] * 28)


def of_ledger(ledger: Ledger) -> Forecast:
    books = keep_books(ledger, TODAY)
    live = live_view(ledger, books, build_plan(ledger, TODAY), TODAY)
    return forecast(ledger, books, live, FURTHEST_DAY_AHEAD)


@pytest.mark.parametrize(
    ("before", "now"), [(300_00, 3_000_00), (20_00, 3_000_00), (1, LARGEST_AMOUNT)]
)
def test_pay_that_has_risen_is_no_multiple_of_itself(before: int, now: int) -> None:
    """Who went from a few hours to full time is paid about what came lately, or what came before."""
    home = with_cash(0)
    lately = [now, now - now // 50, now - now // 25, now - now // 50, now]
    first = [before + place * (before // 30 + 1) for place in range(7)]
    home.credits(monthly("2025-01-28", 12), "SHIFTS", [*first, *lately], "wages")
    days = ahead(home).days
    payday = days[20]
    assert payday.expected >= now - now // 25
    for evening, times in ((payday, 1), (days[-1], 2)):
        assert evening.low is not None
        assert 0 <= present(evening.high) - evening.expected <= times * now // 2
        assert evening.expected - evening.low <= 2 * times * now


def test_a_card_that_is_used_more_takes_no_multiple_of_its_bill() -> None:
    """Seven payments of 50 and five of 1,500: the next is of the size of these, not thirty times it."""
    home = with_cash(9_000_00)
    home.credits(monthly("2025-01-28", 12), "JOB", 3_000_00, "wages")
    bills = [50_00] * 7 + [1_500_00] * 5
    home.card("visa", balance=1_500_00, covered=YEAR)
    home.charges(monthly("2025-01-08", 12), "BISTRO", bills, "dining")
    home.card_payments(monthly("2025-01-20", 12), "visa", bills)
    for evening in ahead(home).days:
        assert present(evening.low) > evening.expected - 5_000_00


def test_what_a_card_is_called_has_no_say() -> None:
    """Two cards of one name stray by their own payments each, as two of different names do."""
    home = paid(9_000_00)
    bills: dict[str, Sequence[int]] = {
        "card a": [400_00] * 12,
        "card b": [100_00, 900_00, 400_00] * 4,
    }
    for name, amounts in bills.items():
        home.card(name, balance=400_00, covered=YEAR)
        home.charges(monthly("2025-01-08", 12), f"SHOP {name}", amounts, "dining")
        home.card_payments(monthly("2025-02-05", 12), name, amounts)
    ledger = home.ledger()
    alike = {
        number: replace(account, name="card a") if account.name == "card b" else account
        for number, account in ledger.accounts.items()
    }
    one, other = of_ledger(ledger), of_ledger(replace(ledger, accounts=alike))
    assert [(day.low, day.high) for day in one.days] == [(day.low, day.high) for day in other.days]


def test_what_does_not_come_is_on_no_day() -> None:
    """Of a hundred payments due today one or another never comes, however far is looked."""
    days = [TODAY + timedelta(place) for place in range(FURTHEST_DAY_AHEAD + 1)]
    due = [CashStep(TODAY, f"PAYER {place}", 100, "income") for place in range(100)]
    last = ranges([100 * 100] * len(days), due, NOTHING_USUAL, {}, days)[-1]
    assert last.low < 100 * 100 <= last.high


def test_the_last_day_of_february_is_a_day_like_any() -> None:
    """Bills of the 31st fall on it in a leap year, too, and each evening has its range."""
    today = date(2028, 2, 1)
    home = with_cash(5_000_00, (date(2027, 1, 1), today)).rents(900_00, "2027-01-31")
    found = ahead(home, today=today)
    moved = [day.date for day in found.days for item in day.items if item.name == "LANDLORD"]
    assert moved == [date(2028, 2, 29), date(2028, 3, 31)]
    assert all(day.low is not None for day in found.days)


def saturdays_alone(weekdays: Sequence[int]) -> UsualDays:
    """The days of who spends 70 each Saturday and nothing else."""
    spent = [-70_00 if day == 5 else 0 for day in weekdays]
    return UsualDays(weekdays, spent, [0] * len(weekdays))


@pytest.mark.parametrize("first", range(7))
@pytest.mark.parametrize(
    "stretches", [(28,), (31,), (59,), (90,), (365,), (31, 31), (28, 30, 31), (6, 31), (31, 90)]
)
def test_a_weekdays_usual_amount_is_drawn_on_it(first: int, stretches: tuple[int, ...]) -> None:
    """Who spends the same each Saturday strays on no evening, whatever holes there are."""
    weekdays = [
        (first + 10 * hole + day) % 7 for hole, days in enumerate(stretches) for day in range(days)
    ]
    days = [TODAY + timedelta(place) for place in range(61)]
    spent = [-70_00 * sum(day.weekday() == 5 for day in days[1 : place + 1]) for place in range(61)]
    evenings = ranges(spent, [], saturdays_alone(weekdays), {}, days)
    assert [(each.low, each.high) for each in evenings] == [(each, each) for each in spent]


def test_days_that_are_no_week_are_usual_all_the_same() -> None:
    """Statements of three days here and there tell what is spent, and nothing hangs on the rest."""
    days = [TODAY + timedelta(place) for place in range(61)]
    for weekdays in ([0, 1, 2] * 10, [5, 6, 0] * 10, [4] * 30):
        last = ranges([0] * len(days), [], saturdays_alone(weekdays), {}, days)[-1]
        assert last.low <= 0 <= last.high


@pytest.mark.parametrize(
    ("bills", "strays"), [([200, 600], False), ([200, 400, 600], True), ([400, 400, 400], False)]
)
def test_three_payments_show_how_far_they_stray(bills: list[int], strays: bool) -> None:
    """Two show nothing, and three alike that the next is like them, but for what nobody foresees."""
    days = [TODAY + timedelta(place) for place in range(61)]
    bill = CashStep(days[9], "visa", -400, "later bill", card=1)
    last = ranges([-400] * 61, [bill], NOTHING_USUAL, {1: CardPace([], bills)}, days)[-1]
    assert (last.high - last.low > 200) == strays


def test_paths_stray_around_what_is_expected() -> None:
    """Where the middle goes has no say in how far cash strays from it, nor has cash at the start."""
    days = [TODAY + timedelta(place) for place in range(61)]
    usual = saturdays_alone([0, 1, 2, 3, 4, 5, 6] * 8)
    uneven = UsualDays(
        usual.weekdays, [day * (place % 3) for place, day in enumerate(usual.days)], [0] * 56
    )
    due = [CashStep(days[9], "RENT", -400_00, "charge")]
    one = ranges([0] * 61, due, uneven, {}, days)
    other = ranges([0, *range(100, 6_100, 100)], due, uneven, {}, days)
    assert [each.high - each.low for each in one] == [each.high - each.low for each in other]


def test_a_share_below_zero_is_that_of_the_paths() -> None:
    """Nobody is sure of nothing where as much may come as go, and of all far below."""
    days = [TODAY + timedelta(place) for place in range(61)]
    weekdays = [0, 1, 2, 3, 4, 5, 6] * 8
    uneven = UsualDays(
        weekdays, [100_00 if place // 7 % 2 else -100_00 for place in range(56)], [0] * 56
    )
    middles = {
        amount: ranges([amount] * 61, [], uneven, {}, days)[-1] for amount in (-(10**8), 0, 10**8)
    }
    assert (middles[-(10**8)].below_zero, middles[10**8].below_zero) == (1.0, 0.0)
    near = ranges([250_00] * 61, [], uneven, {}, days)
    shares = [each.below_zero for each in near]
    assert shares == sorted(shares)
    assert shares[1] == 0 < shares[-1] < 1


def test_what_is_paid_to_a_card_is_not_usual_too() -> None:
    """Its payments are foreseen by themselves, so that usual spending is food on Saturdays alone."""
    home = paid(9_000_00).card("visa", balance=400_00, covered=YEAR)
    home.charges(monthly("2025-01-02", 13), "BISTRO", 400_00, "dining")
    home.card_payments(monthly("2025-01-15", 12), "visa", 400_00)
    usual = items(ahead(home), USUAL_NAME)
    assert {(day.weekday(), amount) for day, amount in usual} == {(5, -70_00)}


PAYDAY = date(2026, 1, 16)


def paid_biweekly(cash: int = 500_00) -> Household:
    """Pay of 2,000 every second Friday, next on 16 January, and rent of 1,800 on the 20th."""
    return with_cash(cash).earns_biweekly(2_000_00).rents(1_800_00, "2025-01-20", 12)


def ahead_of(home: Household) -> CashAhead:
    return present(assessed(home).ahead)


def steps(home: Household, name: str) -> list[tuple[date, int]]:
    return [(each.day, each.amount) for each in ahead_of(home).schedule.steps if each.name == name]


def test_cash_is_that_of_the_end_of_each_day() -> None:
    """What comes and goes on a day is in the cash of its evening, not of the one before."""
    found = ahead_of(paid_biweekly()).schedule
    assert found.lowest(TODAY, date(2026, 1, 15)) == LowPoint(TODAY, 500_00)
    assert found.lowest(PAYDAY, date(2026, 1, 19)) == LowPoint(PAYDAY, 2_500_00)
    assert found.lowest(PAYDAY, date(2026, 1, 20)) == LowPoint(date(2026, 1, 20), 700_00)
    assert found.lowest(date(2026, 1, 30), date(2026, 1, 30)).cash == 2_700_00


def test_pay_that_stopped_or_has_no_rhythm_is_not_counted_on() -> None:
    """Only active regular sources come again."""
    home = paid_biweekly().credits(monthly("2025-01-11", 5), "OLD JOB", 900_00, "wages")
    home.credits(["2025-02-02", "2025-02-27", "2025-09-09"], "GIG", 300_00, "self_employment")
    assert {each.name for each in ahead_of(home).schedule.steps} == {"ACME", "LANDLORD"}


def test_minimums_come_month_by_month() -> None:
    """A card that revolves asks for its minimum again a month later, on the last day of a short one."""
    home = paid_biweekly().card(
        "visa", balance=6_000_00, apr=0.2, minimum_payment=90_00, covered=YEAR
    )
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    home.card_payments(monthly("2025-01-31", 12), "visa", 90_00)
    assert steps(home, "visa minimum") == [(date(2026, 1, 31), -90_00), (date(2026, 2, 28), -90_00)]


def test_the_bill_of_a_card_that_is_paid_in_full_is_due_on_its_day() -> None:
    """What its purchases came to leaves cash on the usual day, or today where that is past, once."""
    home = paid_biweekly(9_000_00).card("visa", balance=600_00, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "MARKET", 600_00, "groceries")
    home.card_payments(monthly("2025-02-06", 11), "visa", 600_00)
    assert steps(home, "visa") == [(TODAY, -600_00)]


def test_charges_on_a_card_leave_no_cash() -> None:
    """A subscription on a card is in the card's bill."""
    home = paid_biweekly().card("visa", balance=0, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "STREAMFLIX", 15_00, "subscriptions")
    assert steps(home, "STREAMFLIX") == []
    home.on("checking").charges(monthly("2025-01-13", 12), "GYM", 25_00, "hobbies")
    assert steps(home, "GYM")[0] == (date(2026, 1, 13), -25_00)


def with_flatmate(*, months: int = 12, last: str = "2025-12-02") -> Household:
    """A flatmate who pays 600 of the rent back on the 2nd, so many months until the last."""
    days = sorted(monthly(last, months, -1))
    return paid_biweekly().credits(days, "FLATMATE", 600_00, "rent")


def test_what_is_paid_back_every_month_comes_again() -> None:
    """Three months in turn show the fourth; two do not, nor what ended a month ago."""
    assert steps(with_flatmate(months=3), "FLATMATE") == [(date(2026, 2, 2), 600_00)]
    assert steps(with_flatmate(months=2), "FLATMATE") == []
    assert steps(with_flatmate(last="2025-11-02"), "FLATMATE") == []


def test_a_repayment_that_came_this_month_is_not_expected_twice() -> None:
    """The next one is that of the next month."""
    home = with_flatmate().credit("2026-01-02", "FLATMATE", 600_00)
    assert steps(home, "FLATMATE")[0] == (date(2026, 2, 2), 600_00)


def test_what_a_shop_gives_back_of_purchases_is_not_expected() -> None:
    """A refund each month brings nothing ahead where something is bought there, too."""
    days = sorted(monthly("2025-12-02", 4, -1))
    home = paid_biweekly().credits(days, "OUTFITTER", 60_00, "shopping")
    assert steps(home, "OUTFITTER")[0] == (date(2026, 2, 2), 60_00)
    home.charge("2025-12-19", "OUTFITTER", 200_00)
    assert [amount for _, amount in steps(home, "OUTFITTER") if amount > 0] == []


def test_a_repayment_of_today_is_not_waited_for() -> None:
    """What has not come by now may not come: the next month's is the next one."""
    assert steps(with_flatmate(last="2025-12-10"), "FLATMATE")[0][0] == date(2026, 2, 10)


def test_the_least_of_three_months_is_expected_on_the_latest_day() -> None:
    """Neither the best month nor the earliest day is counted on."""
    home = paid_biweekly().credits(
        ["2025-10-20", "2025-11-28", "2025-12-23"], "FLATMATE", [600_00, 550_00, 700_00], "rent"
    )
    assert steps(home, "FLATMATE")[0] == (date(2026, 1, 28), 550_00)


def test_a_refund_on_a_card_brings_no_cash() -> None:
    """What comes back to a card lowers its bill."""
    home = paid_biweekly().card("visa", balance=0, covered=YEAR)
    home.credits(monthly("2025-10-20", 3), "SHOP", 50_00, "shopping")
    assert steps(home, "SHOP") == []


def test_usual_needs_are_food_and_fares_from_cash_beside_their_bills() -> None:
    """A pass at one price is a bill; what is bought on a card, and any want, is not among them."""
    home = paid_biweekly().charges(
        every("2025-01-04", 9, 40), "SAFEWAY", [90_00, 71_00, 84_50], "groceries"
    )
    spent = sum(-row[3] for row in home.rows if row[0] == home.payee_number("SAFEWAY"))
    home.charges(monthly("2025-01-09", 12), "METRO PASS", 60_00, "transport")
    home.charges(every("2025-01-05", 11, 30), "BISTRO", 41_00, "dining")
    home.card("visa", balance=0, covered=YEAR)
    home.charges(every("2025-01-06", 10, 30), "CARD MARKET", 41_00, "groceries")
    assert abs(ahead_of(home).usual - spent / 12) <= 1


def test_usual_needs_and_what_is_set_aside_are_taken_day_by_day() -> None:
    """365 a month are 12 a day: needs from tomorrow, the sum from its first day."""
    pay = CashStep(TODAY + timedelta(5), "PAY", 100, "income")
    plain = CashAhead(CashSchedule(TODAY, 1_000, 0, (pay,)), usual=365)
    since = TODAY + timedelta(2)
    assert plain.schedule.lowest(TODAY, TODAY + timedelta(9)) == LowPoint(TODAY, 1_000)
    assert plain.lowest_in_use(TODAY, TODAY, 365).cash == 1_000
    assert plain.lowest_in_use(since, since, 365).cash == 1_000 - 2 * 12
    assert plain.lowest_in_use(since, since + timedelta(1), 365).cash == 1_000 - 4 * 12
    assert plain.lowest_in_use(since, since + timedelta(10), 0) == LowPoint(
        TODAY + timedelta(4), 1_000 - 4 * 12
    )


@pytest.mark.parametrize("until", [19, 20])
def test_bills_are_those_of_the_days_the_largest_first(until: int) -> None:
    """Both ends are counted, and pay is no bill."""
    home = paid_biweekly().charges(monthly("2025-01-16", 12), "GYM", 25_00, "hobbies")
    named = [each.name for each in ahead_of(home).bills(PAYDAY, date(2026, 1, until))]
    assert named == (["LANDLORD", "GYM"] if until == 20 else ["GYM"])


def test_nothing_is_known_ahead_of_cash_that_nobody_told() -> None:
    """Without a balance there is no cash to count from."""
    ledger = paid_biweekly().savings("jar", balance=None).ledger()
    assert assess(ledger, keep_books(ledger, TODAY), TODAY).ahead is None


RENT_DAY = date(2025, 11, 10)


def renter() -> Household:
    """A rent on the 10th, not booked yet on the day itself, and pay on the 28th."""
    home = with_cash(6_000_00, ("2024-10-01", "2025-11-09"))
    return home.earns(3_000_00, "2024-11-28").rents(900_00, "2024-11-10", 12)


def with_card(home: Household) -> Household:
    """A card of which all that was owed at the end of a month is paid on the 20th of the next one."""
    home.card("Visa", balance=828_00, covered=("2024-10-01", "2025-11-09"))
    bought = [
        310_00,
        295_00,
        402_00,
        350_00,
        277_00,
        388_00,
        333_00,
        291_00,
        365_00,
        342_00,
        319_00,
    ]
    home.charges(monthly("2024-11-05", 11), "GROCER", bought, "groceries")
    home.charge("2025-10-05", "GROCER", 400_00).charge("2025-11-05", "GROCER", 428_00)
    home.card_payments(monthly("2024-12-20", 11), "Visa", bought, "VISA PAYMENT")
    return home


def test_a_monthly_charge_is_due_once_in_thirty_days() -> None:
    """Today is the first of them: in a month of thirty days, the same day of the next is the 31st."""
    shown = live(renter(), RENT_DAY)
    assert [each.date for each in shown.upcoming] == [RENT_DAY, date(2025, 12, 10)]
    assert (shown.due.until, shown.due.total) == (date(2025, 12, 9), 900_00)
    assert [each.date for each in live_text.due_soon(shown)] == [RENT_DAY]


def test_the_thirtieth_day_is_among_them() -> None:
    """What is due twenty-nine days from now is due in thirty days."""
    shown = live(renter(), date(2025, 11, 11))
    assert (
        [each.date for each in live_text.due_soon(shown)]
        == [shown.due.until]
        == [date(2025, 12, 10)]
    )
    assert shown.due.total == 900_00


def test_a_bill_of_a_card_stands_apart() -> None:
    """Cash pays it, and its purchases were counted: it is told with its day, and in no sum."""
    shown = live(with_card(renter()), RENT_DAY)
    assert shown.due == DueSoon(
        until=date(2025, 12, 9),
        total=900_00,
        card_bills=(Upcoming(date=date(2025, 11, 20), name="Visa", amount=400_00),),
        repayments=(),
    )
    assert shown.period.guard == 6_000_00 - 900_00 - 400_00
    told = present(live_text.describe_card_bills(shown, "USD"))
    assert says(told, "not in this total", "Visa $400.00", "Thu 20 Nov.")
    assert live_text.describe_card_bills(live(renter(), RENT_DAY), "USD") is None


@pytest.mark.parametrize(("pending", "left"), [(399_00, [1_00]), (400_00, []), (500_00, [])])
def test_a_bill_whose_payment_is_pending_is_due_no_more(pending: int, left: list[int]) -> None:
    """It has left cash already, in the list as in the guard."""
    home = with_card(renter()).on("checking")
    home.charge("2025-11-09", "VISA PAYMENT", pending, pending=True)
    assert [each.amount for each in live(home, RENT_DAY).due.card_bills] == left


def test_two_bills_are_told_by_their_day() -> None:
    """Each card has its own; a payment on a card's own account pays no bill."""
    home = with_card(renter())
    home.card("Amex", balance=250_00, covered=("2024-10-01", "2025-11-09"))
    home.charges(monthly("2024-11-05", 13), "SHOP", 250_00, "shopping")
    home.card_payments(monthly("2024-12-25", 11), "Amex", 250_00, "AMEX PAYMENT")
    home.on("Amex").charge("2025-11-09", "VISA PAYMENT", 400_00, pending=True)
    shown = live(home, RENT_DAY)
    assert [each.name for each in shown.due.card_bills] == ["Visa", "Amex"]
    said = present(live_text.describe_card_bills(shown, "USD"))
    assert says(said, "Visa $400.00", "Thu 20 Nov;", "Amex $250.00", "Tue 25 Nov.")


@pytest.mark.parametrize(("today", "named"), [("2025-10-21", []), ("2025-10-22", ["Visa"])])
def test_a_bill_of_the_thirtieth_day_is_named(today: str, named: list[str]) -> None:
    """What a card takes on the last of the days is due in them, what it takes on the next is not."""
    shown = live(with_card(renter()), date.fromisoformat(today))
    assert [each.name for each in shown.due.card_bills] == named


def test_what_flatmates_pay_back_stands_beside_the_rent() -> None:
    """The rent is due whole; their shares come on their days, the next first, and are in no sum."""
    home = renter().credits(monthly("2024-11-12", 12), "ZOE PARK", 250_00, "rent")
    home.credits(monthly("2024-11-12", 12), "ADA LEE", 300_00, "rent")
    home.credits(monthly("2024-11-11", 12), "KIM ROY", 200_00, "rent")
    shown = live(home, RENT_DAY)
    assert shown.due.total == 900_00
    assert [(each.date.day, each.name, each.amount) for each in shown.due.repayments] == [
        (11, "KIM ROY", 200_00),
        (12, "ADA LEE", 300_00),
        (12, "ZOE PARK", 250_00),
    ]
    told = present(live_text.describe_repayments(shown, "USD"))
    first = ("KIM ROY $200.00", "Tue 11 Nov;")
    assert says(told, "not counted", *first, "ADA LEE $300.00", "ZOE PARK $250.00", "Wed 12 Nov.")
    assert live_text.describe_repayments(live(renter(), RENT_DAY), "USD") is None


@pytest.mark.parametrize(("day", "named"), [("09", True), ("10", False)])
def test_what_is_paid_back_later_than_in_thirty_days_is_not_named(day: str, named: bool) -> None:
    """The thirtieth day is the last, as of bills; on the tenth of November that is the ninth."""
    home = renter().credits(monthly(f"2024-11-{day}", 12), "ADA LEE", 300_00, "rent")
    if not named:
        home.credit("2025-11-10", "ADA LEE", 300_00, "rent")
    assert bool(live(home, RENT_DAY).due.repayments) is named


def cards(*, months: int = 12) -> Household:
    """Interest of 155.00 on one card, and of 93.00 on another one for so many months."""
    home = with_cash(900_00).earns(3_000_00)
    home.card("Visa 1111", balance=6_000_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 155_00, "interest_fees")
    home.card("Amex 2222", balance=4_000_00, covered=YEAR)
    return home.charges(monthly("2025-01-20", months), "INTEREST CHARGE", 93_00)


def names(home: Household) -> set[str]:
    return {each.name for each in plan_of(home).recurring}


def test_charges_on_two_cards_name_their_card() -> None:
    """The list of the plan and its explanation tell which card each is on."""
    wanted = {"INTEREST CHARGE · Visa 1111", "INTEREST CHARGE · Amex 2222"}
    assert names(cards()) == wanted
    explanation = explain(assessed(cards()), None, "recurring")
    assert {f"{name} a month" for name in wanted} <= {each.label for each in explanation.figures}
    assert all(any(name in reason for reason in explanation.reasons) for name in wanted)


def test_what_is_due_names_its_card() -> None:
    """Two equal subscriptions on two cards are two lines of what is due, and are spent once."""
    home = cards(months=0)
    for card in ("Visa 1111", "Amex 2222"):
        home.on(card).charges(monthly("2025-01-05", 13), "MUSIC", 12_00, "subscriptions")
    due = [each.name for each in live(home).upcoming if each.name.startswith("MUSIC")]
    assert due == ["MUSIC · Amex 2222", "MUSIC · Visa 1111"]
    assert live(home).allowance.breakdown.spent == 0


def test_one_that_is_over_does_not_count() -> None:
    """A card that charged the same last year needs no telling apart."""
    assert names(cards(months=4)) == {"INTEREST CHARGE"}


def test_charges_on_one_account_keep_their_name() -> None:
    """Two prices of one payee on one card differ by their amounts; the account tells nothing."""
    home = cards(months=0).on("Visa 1111")
    for amount in (12_00, 30_00):
        home.charges(monthly("2025-01-15", 12), "MUSIC", amount, "subscriptions")
    assert names(home) == {"INTEREST CHARGE", "MUSIC"}
    assert len(plan_of(home).recurring) == 3


BEFORE_CHRISTMAS = date(2025, 12, 22)


def signs(
    days: list[date], amounts: list[int] | int = 50_00, *, others: int = 0, end: int = 3
) -> dict[str, int]:
    """What is seen of charges on such days when the data end some days after the last."""
    ordinals = [day.toordinal() for day in days]
    rhythm = present(rhythm_of(ordinals))
    paid = [amounts] * len(days) if isinstance(amounts, int) else amounts
    seen = signs_of(rhythm, ordinals, paid, paid[-1], others, ordinals[-1] + end)
    return {sign: int(value) for sign, value in seen.items() if value}


ELEVEN_MONTHS = monthly("2025-01-05", 11)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (signs(ELEVEN_MONTHS), {}),
        (signs(ELEVEN_MONTHS[:3]), {"seen three times": 1}),
        (signs(ELEVEN_MONTHS[:4]), {"seen four or five times": 1}),
        (signs(ELEVEN_MONTHS[:5]), {"seen four or five times": 1}),
        (signs(ELEVEN_MONTHS[:6]), {}),
        (signs(monthly("2025-01-05", 12)), {"seen twelve times or more": 1}),
        (signs(ELEVEN_MONTHS, others=1), {"other charges at the payee": 1}),
        (signs(ELEVEN_MONTHS, others=11), {"other charges at the payee": 1}),
        (
            signs(ELEVEN_MONTHS, others=12),
            {"other charges at the payee": 1, "more other charges than own": 1},
        ),
        (signs(ELEVEN_MONTHS, end=30), {}),
        (signs(ELEVEN_MONTHS, end=31), {"late": 1}),
        (signs(ELEVEN_MONTHS, end=35), {"late": 1}),
        (signs(ELEVEN_MONTHS, end=36), {"left out once": 1}),
        (signs([*ELEVEN_MONTHS[:4], *ELEVEN_MONTHS[5:]]), {"tenths of its periods missed": 1}),
        (
            signs(ELEVEN_MONTHS, [50_00] * 9 + [40_00, 50_00]),
            {"sixths of the last amounts that were off": 1},
        ),
        (signs(ELEVEN_MONTHS, [50_00] * 4 + [40_00] + [50_00] * 6), {}),
        (
            signs(ELEVEN_MONTHS, [50_00] * 10 + [45_00]),
            {"sixths of the last amounts that were off": 5},
        ),
        (
            signs(ELEVEN_MONTHS, [50_00 + cents for cents in range(11)]),
            {"no two of the last amounts are equal": 1},
        ),
        (
            signs([day + timedelta(place % 2) for place, day in enumerate(ELEVEN_MONTHS)]),
            {"quarters of a day astray": 2},
        ),
    ],
)
def test_what_is_seen(seen: dict[str, int], expected: dict[str, int]) -> None:
    """Each sign begins and ends where its name says."""
    assert seen == {"always": 1, "comes monthly": 1, **expected}


def test_each_weight_is_of_a_sign_that_can_be_seen() -> None:
    """The shipped weights are whole numbers, and none is of a sign that nothing shows."""
    shipped = tomllib.loads(
        files("finplan.plan.detect").joinpath("arrival.toml").read_text("utf-8")
    )
    rhythm = present(rhythm_of([day.toordinal() for day in ELEVEN_MONTHS]))
    known = {*signs_of(rhythm, [day.toordinal() for day in ELEVEN_MONTHS], [1] * 11, 1, 0, 0)}
    assert set(shipped) == {"day", "next", "amount", "again"}
    home = household().checking(covered=("2024-01-01", "2025-12-01"))
    home.charges(["2025-03-01"], "hmrc", 900_00, "taxes")
    (once,) = home.books("2025-12-01").expected_again
    assert once.signs is not None
    kinds = {"tax", "insurance", "licence", "membership", "school", "council"}
    assert set(shipped.pop("again")) == {*once.signs} | kinds
    for weights in shipped.values():
        assert all(type(weight) is int for weight in weights.values())
        assert {sign for sign in weights if not sign.startswith("comes ")} <= known


def test_a_steady_charge_is_sure_and_a_late_one_is_not() -> None:
    """A charge that was left out may have stopped, and a bill that varies is sure of its day alone."""
    steady, late = signs(ELEVEN_MONTHS), signs(ELEVEN_MONTHS, end=33)
    assert probability_of(steady) >= 0.9
    assert arrival_of(late) < arrival_of(steady)
    varying = signs(
        ELEVEN_MONTHS, [50_00, 80_00, 61_00, 40_00, 72_00, 55_00, 93_00, 48_00, 66_00, 77_00, 51_00]
    )
    assert arrival_of(varying) >= LEAST_LIKELY > probability_of(varying)
    for seen in (steady, late, varying):
        assert 0 <= probability_of(seen) <= arrival_of(seen) <= 1
        assert round(probability_of(seen), 2) == probability_of(seen)


def test_a_varying_bill_stays_in_the_plan() -> None:
    """What keeps its day is recurring, though nobody can tell its amount within a tenth."""
    meter = [50_00, 80_00, 61_00, 40_00, 72_00, 55_00, 93_00, 48_00, 66_00, 77_00, 51_00, 85_00]
    home = household().checking(covered=("2025-01-01", BEFORE_CHRISTMAS))
    (one,) = (
        home.charges(monthly("2025-01-05", 12), "POWER", meter, "utilities")
        .books(BEFORE_CHRISTMAS)
        .charges
    )
    assert present(one.probability) < LEAST_LIKELY <= (one.arrival or 0)


UNEVEN = {"tenths of its periods missed": 9, "quarters of a day astray": 8}


def test_what_comes_so_unevenly_that_its_day_is_a_guess_is_not_recurring() -> None:
    """Seldom in its period and days astray, it is kept apart; income and what is over tell nothing."""
    assert not is_likely(signs(ELEVEN_MONTHS) | UNEVEN)
    assert is_likely(signs(ELEVEN_MONTHS))
    home = household().checking(covered=("2022-01-01", BEFORE_CHRISTMAS))
    home.charges(every("2025-01-03", 7, 20), "LESSONS", 45_00, "education")
    home.earns(3_000_00, times=11)
    books = home.books(BEFORE_CHRISTMAS)
    assert [(one.name, one.active, one.probability) for one in books.charges] == [
        ("LESSONS", False, None)
    ]
    assert books.unlikely == []
    assert [one.probability for one in books.sources] == [None]


@pytest.mark.parametrize("late", [1, 5, 6, 18])
def test_a_late_bill_stays_in_the_plan_and_is_only_likely(late: int) -> None:
    """The rent that was not paid yet is still the rent, and nobody is sure of it."""
    days = [
        day
        for day in monthly(BEFORE_CHRISTMAS - timedelta(365), 24)
        if (BEFORE_CHRISTMAS - day).days >= late + 20
    ]
    due = next(day for day in monthly(days[0], 24) if day > days[-1])
    today = due + timedelta(late)
    home = household().checking(covered=(days[0], today)).charges(days, "LANDLORD", 900_00, "rent")
    (one,) = home.books(today).charges
    assert (one.active, is_likely(one.signs or {})) == (True, True)
    assert (one.probability or 1) < 0.8


def test_no_figure_is_scaled() -> None:
    """The amount and the month of a likely charge are those of a sure one."""
    home = household().checking(covered=("2025-01-01", BEFORE_CHRISTMAS))
    home.charges(monthly("2025-10-05", 3), "GYM", 30_00, "hobbies")
    home.charges(monthly("2025-01-05", 12), "CLUB", 30_00, "hobbies")
    likely, sure = sorted(home.books(BEFORE_CHRISTMAS).charges, key=lambda one: one.count_all)
    assert likely.probability is not None
    assert likely.probability < present(sure.probability)
    assert (likely.amount, likely.monthly) == (sure.amount, sure.monthly) == (30_00, 30_00)


IN_NOVEMBER = date(2025, 11, 23)
_YEAR = [162_10, 158_40, 121_30, 80_20, 44_90, 31_50, 29_60, 28_70, 32_80, 38_15, 77_25, 131_35]
GAS = [127_00, *[amount + 1_37 for amount in _YEAR], *_YEAR]
"""Two years of heating from December on, and the November before."""


def heated(amounts: Sequence[int] = GAS, months: int = 25) -> Household:
    """A gas bill on the 10th of so many months up to November, and pay; amounts start over."""
    home = with_cash(2_000_00, ("2023-01-01", IN_NOVEMBER)).earns(3_000_00, "2023-10-28", 25)
    days = monthly("2023-11-10", 25)
    bills = [amounts[place % len(amounts)] for place in range(25)]
    return home.charges(days[-months:], "GAS", bills[-months:], "utilities")


def the_bill(home: Household) -> Series:
    (bill,) = home.books(IN_NOVEMBER).charges
    return bill


def due(home: Household) -> list[tuple[date, int]]:
    """What is due of the bill in the next month."""
    shown = live(home, IN_NOVEMBER).upcoming
    return [(each.date, each.amount) for each in shown if each.name == "GAS"]


@pytest.mark.parametrize("months", [22, 24, 25])
def test_a_december_is_expected_as_the_last_one_was(months: int) -> None:
    """What is due is the season's; the usual amount and its month stay those of the last six."""
    home = heated(months=months)
    assert (the_bill(home).amount, the_bill(home).monthly) == (35_48, 35_48)
    assert due(home) == [(date(2025, 12, 10), 162_10)]


def test_cash_holds_what_is_due() -> None:
    """The guard, the month's theme and the period count the amount that is listed."""
    shown = live(heated(), date(2025, 12, 9))
    assert [each.amount for each in shown.upcoming if each.name == "GAS"] == [162_10]
    assert shown.allowance.breakdown.upcoming == 162_10
    assert shown.period.guard == 2_000_00 - 162_10
    assert [each.upcoming for each in shown.groups if each.key == "utilities"] == [162_10]


def test_with_less_than_two_years_the_usual_amount_is_expected() -> None:
    """One year shows no season: nobody knows whether December is always so."""
    assert due(heated(months=21)) == [(date(2025, 12, 10), 35_48)]


def test_a_bill_that_varies_by_chance_has_no_season() -> None:
    """Where a year before foretold the bills no better than the usual amount, that stays expected."""
    amounts = [
        50_00,
        61_00,
        44_00,
        57_00,
        48_00,
        63_00,
        52_00,
        46_00,
        59_00,
        51_00,
        66_00,
        43_00,
        55_00,
    ]
    home = heated(amounts)
    assert due(home) == [(date(2025, 12, 10), the_bill(home).amount)]


def test_a_price_that_went_up_is_expected_as_it_is_now() -> None:
    """A fixed price has no season, whatever it was a year before."""
    home = heated([30_00])
    home.charges(monthly("2023-11-15", 23), "NET", 40_00, "phone_internet")
    home.charges(monthly("2025-10-15", 2), "NET", 44_00)
    shown = live(home, IN_NOVEMBER).upcoming
    assert [each.amount for each in shown if each.name == "NET"] == [44_00]


def test_what_comes_more_often_than_monthly_has_no_season() -> None:
    """A week says nothing of the same week of a year before."""
    bill = the_bill(heated())
    assert amount_due(bill, date(2025, 12, 10)) == 162_10
    assert amount_due(replace(bill, cadence="semimonthly"), date(2025, 12, 10)) == bill.amount


def test_a_month_without_a_bill_a_year_before_has_the_usual_amount() -> None:
    """Nothing is known of a month that was left out."""
    bill = the_bill(heated())
    assert amount_due(bill, date(2026, 12, 10)) == bill.amount
    assert amount_due(bill, date(2025, 12, 24)) == 162_10
    assert amount_due(bill, date(2025, 12, 25)) == bill.amount


def test_the_explanation_says_what_is_due_and_why() -> None:
    """Two amounts of one bill are told with what each is."""
    explanation = explain(assessed(heated(), IN_NOVEMBER), None, "recurring")
    said = ("amounts vary,", "median of", "last year's $162 next.")
    assert any(says(reason, *said) for reason in explanation.reasons)


def test_a_short_series_has_no_season() -> None:
    """Months of which none has a bill a year before tell nothing of a year."""
    assert due(heated(months=8)) == [(date(2025, 12, 10), 35_48)]

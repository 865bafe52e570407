"""What the live view says in words: why nothing is safe to spend, and until when."""

from datetime import UTC, date
from typing import Any

import pytest

from finplan.model.plan import Plan, RecurringCharge
from finplan.model.snapshot import (
    Change,
    Draw,
    GroupCategory,
    MoneyGroup,
    PeriodCash,
    Snapshot,
    SnapshotIncome,
)
from finplan.views import live, live_text
from finplan.views.locale import Money
from finplan.views.page import TextSpan, plain
from tests.cli import made_up, made_up_plan
from tests.views.drawing import how

PAYDAY = date(2025, 11, 28)
TAKEN = "Bills, groceries, transportation and money set aside take"


def shown(*, again: date | None = None, **figures: Any) -> Snapshot:
    """The made-up live view with other figures of the allowance or its breakdown."""
    calm = made_up.snapshot()
    allowance = calm.allowance
    period = {
        key: each for key, each in figures.items() if key in type(allowance.breakdown).model_fields
    }
    others = {key: each for key, each in figures.items() if key not in period}
    cash: dict[str, Any] = {
        key: others.pop(key) for key in ("set_aside", "guard", "needs") if key in others
    }
    others["breakdown"] = allowance.breakdown.model_copy(update=period)
    update = {
        "allowance": allowance.model_copy(update=others),
        "period": calm.period.model_copy(update=cash),
        "spendable_from": again,
    }
    return calm.model_copy(update=update)


def planned(*, cash: int | None = 100_00, saved: int = 100_00, **update: Any) -> Plan:
    """The made-up plan with one account of this cash, this target of savings, and other fields."""
    plan = made_up_plan.plan()
    savings = plan.budget[2].model_copy(update={"target": saved})
    holds_cash = next(each for each in plan.snapshot.accounts if each.role == "cash")
    accounts = (holds_cash.model_copy(update={"balance": cash}),)
    update["snapshot"] = plan.snapshot.model_copy(update={"accounts": accounts})
    update["budget"] = (*plan.budget[:2], savings)
    return plan.model_copy(update=update)


def test_who_may_spend_is_told_nothing() -> None:
    """A positive figure needs no explanation, not even one unit of it."""
    assert live_text.explain_shortage(shown(), "USD") == ""
    assert live_text.explain_shortage(shown(today=1), "USD") == ""


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ({"today": -2_310}, "You are $23.10 short for bills due before payday, Fri 28 Nov."),
        ({"today": 0}, "You need all your cash for bills due before payday, Fri 28 Nov."),
        ({"today": -2_310, "payday": None}, "You are $23.10 short for bills due before the month"),
        (
            {"today": -500, "spent_today": 8_420},
            "You spent $5.00 more than was safe to spend today.",
        ),
        ({"today": 0, "spent_today": 7_920}, "You have spent all that was safe to spend today."),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 0},
            "You have spent all that was safe to spend this pay",
        ),
        (
            {"today": -700, "daily": 0, "spent_today": 700, "remaining": -1_250},
            "You spent $12.50 more than was safe to spend this pay",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": -9, "available": -5_000},
            f"{TAKEN} $50.00 more than you have for this pay",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 0, "available": 0},
            f"{TAKEN} all that you have for this pay period.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 1, "available": 1, "spent": 0},
            f"{TAKEN} all that you have for this pay period.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 1, "available": 2, "spent": 1},
            "You have spent all that was safe to spend this pay",
        ),
    ],
)
def test_a_figure_that_is_not_positive_says_why(figures: dict[str, Any], why: str) -> None:
    """Each cause has its own sentence: cash, bills, the period's money or today's share."""
    assert live_text.explain_shortage(shown(**figures), "USD").startswith(why)


def test_of_a_household_without_rows_nothing_is_said_to_take_its_money() -> None:
    """Where nothing is known there are no bills that take all, and no next period without more."""
    empty: dict[str, Any] = {"daily": 0, "spent_today": 0, "remaining": 0, "available": 0}
    live = shown(today=0, **empty)
    none = live.model_copy(update={"window": live.window.model_copy(update={"months": 0.0})})
    told = live_text.explain_shortage(none, "USD")
    assert told.startswith("No transactions yet")
    held = shown(today=-2_310).model_copy(update={"window": none.window})
    assert live_text.explain_shortage(held, "USD").startswith("You are $23.10 short")


@pytest.mark.parametrize(
    ("again", "payday", "until"),
    [
        (date(2025, 11, 22), PAYDAY, "You can spend again from Sat 22 Nov."),
        (PAYDAY, PAYDAY, "You can spend again from Fri 28 Nov (payday)."),
        (date(2025, 12, 1), None, "You can spend again from Mon 1 Dec."),
        (None, PAYDAY, "After payday, you need that pay for bills."),
        (None, None, "No expected income would change this."),
    ],
)
def test_it_says_until_when(again: date | None, payday: date | None, until: str) -> None:
    """The day on which something is safe to spend again ends the sentence, or that there is none."""
    said = live_text.explain_shortage(shown(again=again, today=-100, payday=payday), "USD")
    assert said.endswith(until)


@pytest.mark.parametrize(
    ("again", "payday", "remaining", "guard", "each"),
    [
        # Six days from the 22nd to payday on the 28th, and nine to the end of the month.
        (date(2025, 11, 22), PAYDAY, 600_05, None, ": $100.00 a day."),
        (date(2025, 11, 25), PAYDAY, 600_05, None, ": $200.01 a day."),
        (date(2025, 11, 22), None, 900_00, 100_00, ": $100.00 a day."),
        (date(2025, 11, 30), None, 900_00, 900_00, ": $900.00 a day."),
        # Cash may hold it, there is less than a cent a day, or the day is of the next period.
        (date(2025, 11, 22), None, 900_00, 99_99, " Sat 22 Nov."),
        (date(2025, 11, 22), PAYDAY, 5, None, " Sat 22 Nov."),
        (PAYDAY, PAYDAY, 600_00, None, " (payday)."),
        (date(2025, 12, 1), PAYDAY, 600_00, None, " Mon 1 Dec."),
        (date(2025, 12, 1), None, 600_00, None, " Mon 1 Dec."),
    ],
)
def test_it_says_how_much_a_day_there_is_then(
    again: date, payday: date | None, remaining: int, guard: int | None, each: str
) -> None:
    """Who overspent today is told what is left of the period for each day from then on."""
    over = shown(
        again=again,
        payday=payday,
        today=-20_00,
        daily=100_00,
        spent_today=120_00,
        remaining=remaining,
        guard=guard,
    )
    assert live_text.explain_shortage(over, "USD").endswith(each)


@pytest.mark.parametrize(
    ("today", "spent_today", "head"),
    [
        (1, 79_19, ("Safe to spend today", 1)),
        (0, 79_20, ("Safe to spend today", 0)),
        (-1, 79_21, ("Overspent today", 1)),
        (-1, 18_00, ("Short of cash", 1)),
    ],
)
def test_a_figure_below_nothing_is_headed_by_what_it_is(
    today: int, spent_today: int, head: tuple[str, int]
) -> None:
    """Nothing negative is called safe to spend: the head says whether the day or cash is short."""
    assert live_text.today_headed(shown(today=today, spent_today=spent_today)) == head


def test_a_period_without_more_is_not_waited_for() -> None:
    """Where no cash is lacking, what is expected brings nothing either: the next period is as this."""
    spent: dict[str, Any] = {
        "today": 0,
        "daily": 0,
        "spent_today": 0,
        "remaining": 0,
        "available": 0,
    }
    assert live_text.explain_shortage(shown(**spent), "USD").endswith("after payday, either.")


def test_the_remark_of_today_is_short_where_a_sentence_says_more() -> None:
    """Cash that lowers a positive figure is remarked on; a negative one has its own sentence."""
    assert live_text.describe_today(shown(today=100), "USD") == live_text.CASH_RUNS_SHORT
    assert live_text.describe_today(shown(today=0), "USD") == "$18.00 spent today"
    assert live_text.describe_today(shown(today=-100), "USD") == "$18.00 spent today"


@pytest.mark.parametrize(
    ("months", "is_due", "known", "said"),
    [
        (2.0, False, False, "needs three months of data"),
        (3.0, False, True, "none found"),
        (1.0, True, True, "next: Pacific Gas & Electric, Fri 28 Nov"),
        (0.0, False, False, "needs three months of data"),
    ],
)
def test_what_is_due_depends_on_months(months: float, is_due: bool, known: bool, said: str) -> None:
    """Over a shorter time that nothing comes again is not seen, so no "none found" is said."""
    calm = made_up.snapshot()
    update = {
        "window": calm.window.model_copy(update={"months": months}),
        "upcoming": calm.upcoming if is_due else (),
    }
    snapshot = calm.model_copy(update=update)
    assert live_text.knows_due(snapshot) is known
    assert live_text.describe_next_due(snapshot) == said


def test_one_sentence_ties_the_plans_pace_to_what_is_safe_to_spend() -> None:
    """The target is spread over all days; the live figure is what is left until payday, or cash."""
    said = live_text.describe_pace(planned(), shown(), "USD")
    held = live_text.describe_pace(planned(), shown(today=100), "USD")
    assert ("$91 a day" in said, "$91 a day" in held) == (True, True)
    assert ("cash" in said, "cash" in held) == (False, True)
    assert held.endswith("payday, Fri 28 Nov.")


@pytest.mark.parametrize(("saved", "pace_is_known"), [(0, True), (-1, False)])
def test_a_pace_that_hangs_on_unknown_cash_is_not_told(saved: int, *, pace_is_known: bool) -> None:
    """What is safe to spend waits for cash; the pace does where savings pay for a part of the month."""
    said = live_text.describe_pace(planned(cash=None, saved=saved), shown(), "USD")
    assert said.endswith("needs the balance of your cash.")
    assert ("$91 a day" in said) is pace_is_known


def test_what_is_left_names_what_is_set_aside() -> None:
    """The rest of a period is a rest after what is set aside, said ever shorter."""
    ways = live_text.left_ways(planned(), shown(), "USD")
    assert [("$1,297" in each, "$615" in each) for each in ways] == [
        *((True, True), (True, True), (True, False))
    ]
    assert sorted(map(len, ways), reverse=True) == [*map(len, ways)]


def test_what_is_left_names_nothing_that_is_not_set_aside() -> None:
    """Where nothing is set aside, nothing of it is said; without cash nothing is told to be left."""
    assert "set aside" not in " ".join(live_text.left_ways(planned(), shown(set_aside=0), "USD"))
    assert "$" not in " ".join(live_text.left_ways(planned(cash=None), shown(), "USD"))
    for little, named in ((50, False), (51, True)):
        first, *_ = live_text.left_ways(planned(), shown(set_aside=little), "USD")
        assert ("$1 set aside" in first) is ("set aside" in first) is named


@pytest.mark.parametrize("set_aside", [0, 1, 61_500])
def test_the_breakdown_adds_up_as_shown(set_aside: int) -> None:
    """Bills and what is set aside are two rows that come to the breakdown's bills; none is a zero."""
    snapshot = shown(set_aside=set_aside)
    rows = live_text.breakdown_rows(snapshot, planned())
    told = {label: amount for label, amount, _ in rows}
    period = snapshot.allowance.breakdown
    assert ("Set aside" in told) is (set_aside > 0)
    assert (told["Average bills"] or 0) + (told.get("Set aside") or 0) == -period.bills
    parts = [
        amount or 0 for label, amount, is_total in rows if not is_total and label != "Spent so far"
    ]
    assert sum(parts) == period.available == told["Free to spend"]


def test_what_follows_from_unknown_cash_is_no_figure() -> None:
    """Without a balance of cash, what is set aside, free and left is unknown; what rows say is not."""
    draw = Draw(month="2025-11", budget=700_000, income=412_500, draw=287_500)
    income = SnapshotIncome(source="detected", draw=draw)
    snapshot = shown().model_copy(update={"income": income})
    rows = live_text.breakdown_rows(snapshot, planned(cash=None))
    unknown = [label for label, amount, _ in rows if amount is None]
    assert unknown == ["Set aside", "Free to spend", "Left", "Planned draw this month"]
    drawn = live_text.breakdown_rows(snapshot, planned(cash=None, saved=-1))
    assert drawn[0] == ("Income and planned draw", None, False)
    known = live_text.breakdown_rows(snapshot, planned(saved=-1))
    assert None not in [amount for _, amount, _ in known]
    assert known[-1] == ("Planned draw this month", 287_500, False)


@pytest.mark.parametrize(
    ("guard", "needs", "payday", "said"),
    [
        (
            90_00,
            161_00,
            PAYDAY,
            "Cash can spare $90.00 before payday, Fri 28 Nov, but",
        ),
        (160_99, 161_00, None, "Cash can spare $160.99 before the month ends"),
        (161_00, 161_00, PAYDAY, ""),
        (None, 161_00, PAYDAY, ""),
        (-1_00, 0, PAYDAY, ""),
        (0, 0, PAYDAY, ""),
        (
            0,
            161_00,
            PAYDAY,
            "Groceries and transportation",
        ),
        (1, 161_00, PAYDAY, "Cash can spare $0.01"),
    ],
)
def test_cash_that_needs_will_take_is_told_beside_the_figure(
    guard: int | None, needs: int, payday: date | None, said: str
) -> None:
    """The guard leaves usual spending out, so a guard below what needs usually take is said."""
    period = PeriodCash(since=date(2026, 1, 1), set_aside=0, guard=guard, needs=needs)
    told = live_text.warn_of_needs(period, payday, "USD")
    assert told.startswith(said)
    assert bool(told) is bool(said)
    assert ("another $161" in told) is bool(said)


def test_all_that_speaks_against_spending_is_said_at_once() -> None:
    """Why nothing is safe to spend comes before what needs take; without known cash there is neither."""
    snapshot = shown(today=-2_310, guard=-2_310, needs=40_00)
    said = live_text.warn_of_spending(planned(), snapshot, "USD")
    assert said.startswith("You are $23.10 short")
    assert said.endswith("another $40 before payday.")
    assert live_text.warn_of_spending(None, snapshot, "USD") == said
    assert live_text.warn_of_spending(planned(cash=None), snapshot, "USD") == ""
    assert live_text.warn_of_spending(planned(), shown(), "USD") == ""


# --- what comes again ----------------------------------------------------------------------------


def charge(name: str, monthly: int, category: str = "utilities") -> RecurringCharge:
    """A charge of a month."""
    return (
        made_up_plan.plan()
        .recurring[0]
        .model_copy(
            update={"name": name, "amount": monthly, "monthly": monthly, "category": category}
        )
    )


def test_interest_that_is_not_due_is_counted_apart_from_bills() -> None:
    """Interest is added to what a card owes; a fee that is on the list of what is due is a bill."""
    fee = charge("Netflix", 12_00, "interest_fees")
    plan = planned(
        recurring=(
            charge("Interest", 45_00, "interest_fees"),
            charge("Power", 90_00),
            fee,
            charge("More interest", 5_00, "interest_fees"),
            charge("Rent", 900_00),
            charge("Gas", 90_00),
        )
    )
    bills, apart = live_text.regular_charges(plan, shown())
    assert [each.name for each in bills] == ["Rent", "Gas", "Power", "Netflix"]
    assert [each.name for each in apart] == ["Interest", "More interest"]
    assert live_text.describe_charges(plan, shown(), "USD") == "4 charges, $1,092 a month"


def test_that_nothing_comes_again_is_not_said_of_a_short_history() -> None:
    """No charge of two months is "not known yet", as what is due is; of three months it is none."""
    calm, plan = shown(), planned(recurring=())
    for months, said in ((2.0, "not known yet"), (3.0, "0 charges, $0 a month")):
        window = calm.window.model_copy(update={"months": months})
        snapshot = calm.model_copy(update={"window": window, "upcoming": ()})
        assert live_text.describe_charges(plan, snapshot, "USD") == said
    found = planned(recurring=(charge("Rent", 900_00),))
    assert live_text.describe_charges(found, snapshot, "USD") == "1 charge, $900 a month"


# --- this month ----------------------------------------------------------------------------------


def group(left: int, *categories: tuple[str, int, int]) -> MoneyGroup:
    """A theme with this left, of categories with their usual amount and what they took."""
    return MoneyGroup(
        key="debt",
        label="Loans and fees",
        line="essential",
        monthly=sum(monthly for _, monthly, _ in categories),
        spent=sum(spent for *_, spent in categories),
        upcoming=0,
        left=left,
        share=0.1,
        categories=tuple(
            GroupCategory(category=category, label=category, monthly=monthly, spent=spent)
            for category, monthly, spent in categories
        ),
    )


def rest(group: MoneyGroup, plan: Plan | None, width: int, currency: str = "USD") -> str:
    """What is left of a theme, in so many columns."""
    cell = live.rest_of(group, plan, how(currency))
    assert isinstance(cell, Money | TextSpan)
    return cell.fitted(width) if isinstance(cell, Money) else plain(cell)


@pytest.mark.parametrize(
    ("left", "currency", "exact"),
    [
        (5_480, "USD", "$54.80"),
        (0, "USD", "$0.00"),
        (-1, "USD", "over by $0.01"),
        (-2_310, "USD", "over by $23.10"),
        # What is too long for its column is told in whole units.
        (-123_456_00, "USD", "over by $123,456"),
        (-1_234_56, "CHF", "over by CHF 1,235"),
        (-900, "JPY", "over by ¥900"),
    ],
)
def test_more_than_usual_is_no_debt(left: int, currency: str, exact: str) -> None:
    """Below zero the word "over" stands where a minus would read as money owed; zero is over nothing."""
    assert rest(group(left), None, 17, currency) == exact


@pytest.mark.parametrize(
    ("interest", "loan", "left", "said"),
    [
        ((29_00, 0), (0, 0), 29_00, "–"),
        ((293_00, 0), (318_00, 318_00), 293_00, "–"),
        # A part of what is left is the loan's.
        ((293_00, 0), (318_00, 317_00), 294_00, "$294.00"),
        ((29_00, 29_00), (0, 0), 0, "$0.00"),
        ((29_00, 30_00), (0, 0), -1_00, "over by $1.00"),
        ((29_00, 30_00), (50_00, 49_00), 0, "$0.00"),
    ],
)
def test_nobody_has_an_allowance_for_fees(
    interest: tuple[int, int], loan: tuple[int, int], left: int, said: str
) -> None:
    """What is usual of interest and fees, and has not come, is nothing that is left to spend."""
    told = group(left, ("interest_fees", *interest), ("loan_payment", *loan))
    assert rest(told, planned(), 17) == said


@pytest.mark.parametrize(
    ("count", "months", "spent", "left", "said"),
    [
        (8, 9.0, 0, 150_00, "$150.00 for later"),
        (9, 9.0, 0, 150_00, "$150.00"),
        (2, 3.0, 0, 150_00, "$150.00 for later"),
        (1, 2.9, 0, 150_00, "$150.00"),
        (3, 9.0, 30_00, 120_00, "$120.00 for later"),
        # Another category of the theme left a part of it.
        (3, 9.0, 0, 150_01, "$150.01"),
        (3, 9.0, 30_00, 120_01, "$120.01"),
        (3, 9.0, 450_00, -300_00, "over by $300.00"),
        (3, 9.0, 150_00, 0, "$0.00"),
    ],
)
def test_the_mean_of_rare_bills_is_for_later(
    count: int, months: float, spent: int, left: int, said: str
) -> None:
    """What is set by for charges that come less often than monthly is not free to spend this month."""
    plan = planned()
    taxes = plan.categories[0].model_copy(update={"category": "taxes", "count": count})
    window = plan.window.model_copy(update={"months": months})
    plan = plan.model_copy(update={"categories": (taxes,), "window": window})
    told = group(left, ("taxes", 150_00, spent))
    assert rest(told, plan, 18) == said
    assert "for later" not in rest(told, None, 18)


def test_what_is_for_later_fits_its_column() -> None:
    """A long amount is told in whole units rather than cut."""
    plan = planned()
    rare = plan.categories[0].model_copy(update={"category": "travel", "count": 1})
    plan = plan.model_copy(update={"categories": (rare,)})
    told = group(1_234_56, ("travel", 1_234_56, 0))
    assert rest(told, plan, 18) == "$1,235 for later"
    assert rest(told, plan, 19) == "$1,234.56 for later"


@pytest.mark.parametrize(("saved", "said"), [(-1, True), (0, False)])
def test_a_period_that_savings_pay_for_does_not_call_it_income(saved: int, *, said: bool) -> None:
    """Where the plan's target of savings is below zero, the first figure holds what is drawn."""
    plan = made_up_plan.plan()
    savings = plan.budget[2].model_copy(update={"target": saved})
    plan = plan.model_copy(update={"budget": (*plan.budget[:2], savings)})
    snapshot = shown()
    (label, amount, _), *others = live_text.breakdown_rows(snapshot, plan)
    assert label == ("Income and planned draw" if said else "Income")
    assert amount == snapshot.allowance.breakdown.income
    assert live_text.breakdown_rows(snapshot) == (("Income", amount, False), *others)


def test_what_moved_the_days_share_is_told_where_that_is_known() -> None:
    """A change is a sentence; of a share that hangs on unknown cash none is told."""
    change = Change(id="plan_1", at=made_up_plan.NOON, before=7_920, after=0)
    snapshot = shown().model_copy(update={"change": change})
    for plan, told in ((planned(), 1), (None, 1), (planned(cash=None), 0)):
        assert len([*live_text.describe_change(plan, snapshot, "USD", UTC)]) == told
    (said,) = live_text.describe_change(None, snapshot, "USD", UTC)
    assert said == f"{live_text.DAYS_SHARE} changed from $79.20 to $0.00 on Fri 21 Nov."
    assert [*live_text.describe_change(planned(), shown(), "USD", UTC)] == []

"""No two pieces of a plan's advice contradict, and what each states follows from the rows."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.money import half_even
from finplan.model.plan import Action, Plan
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.tasks import open_tasks
from finplan.plan.build import plan_of
from finplan.plan.ledger.days import day_of
from finplan.plan.words import exact_money, money
from tests.plan.bill_payers import bill_payers
from tests.plan.households import TODAY, Household, monthly
from tests.plan.typical import assessed

pytestmark = pytest.mark.thorough

advised = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)

_MONEY = re.compile(r"(−?)\$([\d,]+(?:\.\d\d)?)")
_UNKNOWN = {"uncategorized", "unlinked_card"}
_A_YEAR = {"weekly": 52, "biweekly": 26, "semimonthly": 24, "monthly": 12, "quarterly": 4}


def amounts_in(text: str) -> list[int]:
    """The amounts of a text in cents, rounded as they were written."""
    return [
        (-1 if sign else 1) * round(100 * float(digits.replace(",", "")))
        for sign, digits in _MONEY.findall(text)
    ]


@dataclass(frozen=True)
class Told:
    """A household, what its plan says, and what its rows say by themselves."""

    home: Household
    household: Assessment
    plan: Plan

    @classmethod
    def of(cls, home: Household) -> "Told":
        household = assessed(home)
        return cls(home, household, plan_of(household))

    @cached_property
    def by_kind(self) -> Mapping[str, list[Action]]:
        found: dict[str, list[Action]] = {}
        for each in self.plan.actions:
            found.setdefault(each.kind, []).append(each)
        return found

    @cached_property
    def months(self) -> Fraction:
        return self.household.books.window.months

    @cached_property
    def spent(self) -> Counter[str]:
        """What the rows of the window took by category, added up apart from the product."""
        since, until = day_of(self.plan.window.since), day_of(self.plan.window.until)
        names = {number: name for name, number in self.home.numbers.items()}
        total: Counter[str] = Counter()
        for payee, _, day, amount, _, counts in self.home.rows:
            entry = self.home.payees[names[payee]]
            category = entry.out if amount < 0 else entry.into
            category = entry.out if category == "unknown_inflow" else category
            if since <= day <= until and counts:
                total[category] -= amount
        return total

    @cached_property
    def planned(self) -> int:
        """The income that is planned with: the person's own figure, else what the plan expects."""
        own = self.home.own_income
        return max(0, self.household.planned.income if own is None else own)

    @property
    def changed(self) -> bool:
        """Whether a month from now on is not the mean of the rows."""
        running = self.household.books.running
        return bool(running.changes or running.one_offs)

    def line(self, *lines: str) -> int:
        return sum(
            amount for category, amount in self.spent.items() if BUILT_IN[category].line in lines
        )

    def monthly(self, total: int) -> int:
        return half_even(total * self.months.denominator, self.months.numerator)

    def money(self, amount: int) -> str:
        return money(amount, "USD")


def moved_now(told: Told) -> int:
    """The sum of all that the advice takes from the cash there is now, by its texts."""
    total = 0
    for each in told.plan.actions:
        now = each.kind in {"lower_utilization", "invest_idle_cash"}
        now = now or (each.kind == "pay_card_in_full" and each.detail.endswith("in full now."))
        now = now or (each.kind == "prepare_bill" and each.title.startswith("Set "))
        part = re.search(r"Put (\$[\d,.]+) of spare cash aside now", each.detail)
        if now:
            total += each.amount or 0
        elif part:
            total += amounts_in(part[1])[0]
    return total


@advised
@given(seeds)
def test_no_money_is_promised_twice(seed: int) -> None:
    """All that is to be moved now is at most the cash that bills leave until the period ends."""
    told = Told.of(bill_payers(seed))
    guard = told.household.guard
    # A part of a bill is told in whole dollars, so each may seem half a dollar more.
    slack = 50 * len(told.by_kind.get("prepare_bill", []))
    assert moved_now(told) <= max(0, guard or 0) + slack
    cash = sum(
        each.balance or 0 for each in told.home.accounts.values() if each.kind == "depository"
    )
    assert moved_now(told) <= max(0, cash) + slack


@advised
@given(seeds)
def test_a_month_is_not_promised_twice(seed: int) -> None:
    """What fund and cards are to get each month is at most what a month leaves, or the minimums."""
    told = Told.of(bill_payers(seed))
    means, payoff = told.household.means, told.household.payoff
    kinds = ("build_emergency_fund", "build_starter_fund", "pay_down_card")
    promised = sum(each.amount or 0 for kind in kinds for each in told.by_kind.get(kind, []))
    left = told.household.planned.capacity + (
        means.card_interest if payoff.strategy == "paydown" else 0
    )
    assert promised <= max(left, payoff.waterfall.minimums)


@advised
@given(seeds)
def test_nobody_saves_while_short_or_invests_while_owing(seed: int) -> None:
    """Kinds that contradict each other never stand in one plan."""
    told = Told.of(bill_payers(seed))
    kinds = set(told.by_kind)
    if "cover_shortfall" in kinds:
        assert not kinds & {"build_emergency_fund", "build_starter_fund", "invest_idle_cash"}
    if "invest_idle_cash" in kinds:
        owing = {"pay_down_card", "pay_card_in_full", "cover_minimums", "cover_cash_gap"}
        assert not kinds & {*owing, "build_emergency_fund", "build_starter_fund"}
        assert told.plan.monthly.saved >= 0
        assert told.planned >= told.plan.monthly.total_spend
        assert None not in {
            each.balance for each in told.home.accounts.values() if each.kind != "other"
        }
    assert not {"pay_down_card", "pay_card_in_full"} <= kinds
    assert not {"build_emergency_fund", "build_starter_fund"} <= kinds
    assert not {"pay_down_card", "lower_utilization"} <= kinds
    for kind in kinds & {"build_emergency_fund", "build_starter_fund", "pay_down_card"}:
        (advice,) = told.by_kind[kind]
        if "cover_cash_gap" in kinds and "least the minimum" not in advice.title:
            assert re.search("once |your pay on", advice.detail)


@advised
@given(seeds)
def test_texts_are_whole_sentences_about_money_that_there_is(seed: int) -> None:
    """No amount of zero or below, no repeated advice, an end that is a sentence."""
    told = Told.of(bill_payers(seed))
    for each in told.plan.actions:
        assert each.detail.endswith(".")
        assert "None" not in each.detail
        assert all(amount > 0 for amount in amounts_in(each.title))
        assert all(amount > 0 for amount in amounts_in(each.detail)), each
    titles = [(each.kind, each.title) for each in told.plan.actions]
    assert len(set(titles)) == len(titles)


@advised
@given(seeds)
def test_a_provisional_plan_is_one_whose_rows_are_unknown(seed: int) -> None:
    """A tenth of spending unknown, one-offs apart: nothing firm, and what makes it known comes first."""
    told = Told.of(bill_payers(seed))
    once = told.household.books.running.one_off_totals
    spending = told.line("essential", "discretionary") - sum(once.values())
    unknown = max(0, sum(told.spent[each] - once.get(each, 0) for each in _UNKNOWN))
    provisional = 10 * unknown >= spending > 0
    assert told.household.standing.provisional is provisional
    kinds = [each.kind for each in told.plan.actions]
    if provisional:
        firm = {"trim_discretionary", "review_essentials", "review_subscriptions"}
        assert not {*firm, "invest_idle_cash"} & set(kinds)
        known_once = once.get("uncategorized", 0)
        asked = 10 * (told.spent["uncategorized"] - known_once) >= spending
        if asked and told.household.questions:
            before = kinds[: kinds.index("answer_questions")]
            assert set(before) <= {"reconnect_bank", "cover_cash_gap", "cover_minimums"}


def known_gaps(told: Told) -> list[Action]:
    """The gap that bills make, which is certain; usual spending makes one that is only likely."""
    return told.by_kind.get("cover_cash_gap", []) if (told.household.guard or 0) < 0 else []


@advised
@given(seeds)
def test_a_gap_in_cash_is_what_bills_take_beyond_it(seed: int) -> None:
    """Cash and bills of the text differ by the gap, to the cent."""
    told = Told.of(bill_payers(seed))
    for each in known_gaps(told):
        assert each.amount == -(told.household.guard or 0) > 0
        cash = sum(a.balance or 0 for a in told.home.accounts.values() if a.kind == "depository")
        assert exact_money(abs(cash), "USD") in each.detail
        if cash + each.amount:
            assert f"{exact_money(cash + each.amount, 'USD')} of bills" in each.detail
        assert ("later due date" in each.detail) <= (cash + each.amount > 0)
        if cash + each.amount:
            assert ("an overdraft." in each.detail) == (cash < 0)
        if "due dates after" in each.detail:
            then = told.household.next_period.end
            assert told.household.day(then) in each.detail
            assert cash_on(told, then) + each.amount >= 0


@advised
@given(seeds)
def test_a_trim_adds_up_by_the_rows(seed: int) -> None:
    """Known wants, half of them, and what is left after the trim are those of the rows."""
    told = Told.of(bill_payers(seed))
    for each in told.by_kind.get("trim_discretionary", []):
        assert each.amount is not None
        known = told.line("discretionary") - max(0, sum(told.spent[name] for name in _UNKNOWN))
        if not told.changed:
            assert abs(told.household.known_wants - known / told.months) <= 2
        assert 2 * each.amount <= told.household.known_wants
        target, surplus = told.plan.budget[2].target, told.household.planned.surplus
        assert surplus + each.amount <= target
        assert told.household.known_wants - each.amount >= told.plan.budget[1].target
        left = surplus + each.amount
        promised = "leave you" if left > 0 else "still take"
        words = f"{promised} {told.money(abs(left))}" if left else "cover your spending"
        gap = sum(one.amount or 0 for one in told.by_kind.get("cover_shortfall", []))
        if gap:
            assert f"the gap of {told.money(gap)} above" in each.detail
            assert ("close part of" in each.detail) == (each.amount < gap)
            words = words if left or each.amount < gap else ""
        assert words in each.detail


@advised
@given(seeds)
def test_a_shortfall_is_spending_beyond_income_by_the_rows(seed: int) -> None:
    """Spending beyond planned income, from now on; never where savings last."""
    told = Told.of(bill_payers(seed))
    for each in told.by_kind.get("cover_shortfall", []):
        living = told.household.living
        assert each.amount == told.household.planned.spend - told.planned > 0
        assert 50 * each.amount >= told.planned
        if not told.changed:
            assert each.amount + told.planned == told.monthly(
                told.line("essential", "discretionary")
            )
        assert not (living.applies and living.lasts)


@advised
@given(seeds)
def test_cards_come_down_to_what_is_said(seed: int) -> None:
    """After the payment a full card stands at 30 % at most, and a cent less would leave it above."""
    told = Told.of(bill_payers(seed))
    for each in told.by_kind.get("lower_utilization", []):
        (card,) = [
            use for use in told.household.cards if f" on {use.account.name} to " in each.title
        ]
        limit, after = card.account.credit_limit or 0, card.owed - (each.amount or 0)
        assert 10 * after <= 3 * limit < 10 * (after + 1)
        assert card.in_full
    for each in told.by_kind.get("pay_card_in_full", []):
        owed = sum(use.owed for use in told.household.cards if not use.in_full)
        assert each.amount == owed


@advised
@given(seeds)
def test_prices_fees_and_questions_are_those_of_the_rows(seed: int) -> None:
    """A price that rose was paid before and since; fees and questions are sums of rows."""
    told = Told.of(bill_payers(seed))
    paid = {
        name: {-row[3] for row in told.home.rows if row[0] == number}
        for name, number in told.home.numbers.items()
    }
    for each in told.by_kind.get("price_rise", []):
        name = each.title.removeprefix("Check ").split(": it rose from ")[0]
        (charge,) = [one for one in told.plan.recurring if one.name == name]
        a_year = _A_YEAR.get(charge.cadence, 1)
        before = charge.amount - (each.amount or 0) // a_year
        assert {charge.amount, before} <= paid[name]
        assert 20 * (charge.amount - before) >= before
        assert f"from {told.money(before)} to {told.money(charge.amount)}" in each.title
    for each in told.by_kind.get("avoid_fees", []):
        names = [name for name in told.home.payees if name.endswith(" FEE")]
        since, until = day_of(told.plan.window.since), day_of(told.plan.window.until)
        numbers = {told.home.numbers[name] for name in names}
        fees = -sum(r[3] for r in told.home.rows if r[0] in numbers and since <= r[2] <= until)
        assert each.amount == told.monthly(12 * fees)
        assert each.amount >= 60_00
    asked = [
        task
        for task in open_tasks(told.household.ledger, told.household.books, TODAY)
        if task.kind == "categorize_payee"
    ]
    for each in told.by_kind.get("answer_questions", []):
        assert each.title.startswith(f"Answer {len(asked)} question")
        assert each.amount == sum(abs(task.total) for task in asked)


@advised
@given(seeds)
def test_a_bill_ahead_fits_surplus_and_cash(seed: int) -> None:
    """Only with a surplus, only what is large against it, and only with money that is there."""
    told = Told.of(bill_payers(seed))
    for each in told.by_kind.get("prepare_bill", []):
        surplus, amount = told.household.planned.surplus, each.amount or 0
        assert surplus > 0
        assert 4 * amount > surplus
        if each.title.startswith("Set "):
            assert amount <= (told.household.guard or 0) < 2 * amount


@advised
@given(seeds)
def test_a_single_month_supports_no_trend_and_no_budget(seed: int) -> None:
    """Below two months only data, cash and card advice is given."""
    told = Told.of(bill_payers(seed))
    if told.months < 2:
        data = {"reconnect_bank", "connect_account", "answer_questions"}
        cards = {"cover_minimums", "pay_card_in_full", "pay_down_card", "lower_utilization"}
        assert set(told.by_kind) <= {*data, *cards, "cover_cash_gap"}


@advised
@given(seeds)
def test_notes_state_what_actions_state(seed: int) -> None:
    """One monthly figure for a card that is not linked; nobody is alarmed whose savings last."""
    told = Told.of(bill_payers(seed))
    for each in told.by_kind.get("connect_account", []):
        if each.title == "Link CITI":
            assert each.amount is not None
            assert any(
                f"CITI ({told.money(each.amount)} a month" in note for note in told.plan.notes
            )
    drawn = [note for note in told.plan.notes if "at your targets," in note]
    for note in drawn:
        living = told.household.living
        assert told.money(living.drawable) in note
        assert living.essentials + living.discretionary + living.savings == told.planned


_FURTHER = re.compile(
    r"leaves? you (\$[\d,.]+) short on (\d+ \w+(?: \d{4})?)\. Even if you cover the (\$[\d,.]+) now,"
    r" you are still (\$[\d,.]+) short"
)


def cash_on(told: Told, day: date) -> int:
    """Cash at the end of a day: what the accounts hold, and every known step up to then."""
    assert told.household.ahead is not None
    cash = sum(
        each.balance or 0 for each in told.home.accounts.values() if each.kind == "depository"
    )
    return cash + sum(
        each.amount for each in told.household.ahead.schedule.steps if each.day <= day
    )


@advised
@given(seeds)
def test_a_gap_after_payday_is_told_where_the_next_pay_does_not_carry_its_bills(seed: int) -> None:
    """The lowest cash of the next period, to the cent, and what covering the first gap leaves of it."""
    told = Told.of(bill_payers(seed))
    for each in known_gaps(told):
        first, end = told.household.period.end, told.household.next_period.end
        days = [first + timedelta(place) for place in range((end - first).days)]
        lowest = min(cash_on(told, day) for day in days)
        found = _FURTHER.search(each.detail)
        assert (found is not None) == (lowest + (each.amount or 0) < 0)
        if found is not None:
            short, on, covered, rest = found.groups()
            earliest = next(day for day in days if cash_on(told, day) == lowest)
            assert (short, covered) == tuple(
                exact_money(amount, "USD") for amount in (-lowest, each.amount or 0)
            )
            assert rest == exact_money(-lowest - (each.amount or 0), "USD")
            assert on == told.household.day(earliest)


@advised
@given(seeds)
def test_what_is_known_ahead_is_the_rent_and_the_pay_of_the_rows(seed: int) -> None:
    """Rent comes on the first of each month at its price, pay at its own sum, both after today."""
    told = Told.of(bill_payers(seed))
    ahead = told.household.ahead
    if ahead is None:
        return
    names = {each.name for each in told.plan.recurring}
    assert all(each.day >= TODAY for each in ahead.schedule.steps)
    if "LANDLORD" in names:
        rent = [each for each in ahead.schedule.steps if each.name == "LANDLORD"]
        assert [each.day for each in rent][:2] == [date(2026, 2, 1), date(2026, 3, 1)][: len(rent)]
        number = told.home.numbers["LANDLORD"]
        assert {each.amount for each in rent} <= {
            row[3] for row in told.home.rows if row[0] == number
        }
    paid = {row[3] for row in told.home.rows if row[0] == told.home.numbers.get("EMPLOYER")}
    assert {each.amount for each in ahead.schedule.steps if each.name == "EMPLOYER"} <= paid
    assert all(each.amount < 0 or each.name == "EMPLOYER" for each in ahead.schedule.steps)


@advised
@given(seeds)
def test_no_saving_begins_while_bills_and_food_take_what_comes_in(seed: int) -> None:
    """From the pay that is named on, cash bears the sum for a month; where none is, no pay does."""
    told = Told.of(bill_payers(seed))
    ahead, period = told.household.ahead, told.household.period
    if ahead is None or period.payday is None:
        return
    for kind in ("build_emergency_fund", "build_starter_fund"):
        for each in told.by_kind.get(kind, []):
            paydays = [period.end, told.household.next_period.end]
            bears = []
            for payday in paydays:
                month = [payday + timedelta(place) for place in range(31)]
                taken = [
                    half_even(
                        12
                        * (
                            ahead.usual * (day - TODAY).days
                            + (each.amount or 0) * (day - payday).days
                        ),
                        365,
                    )
                    for day in month
                ]
                left = [cash_on(told, day) - off for day, off in zip(month, taken, strict=True)]
                bears.append(min(left) >= 0)
            named = f"the pay of {told.household.day(paydays[1])}" in each.detail
            waits = "a pay leaves" in each.detail
            if not re.search(r"once \S+.* is paid", each.detail):
                assert named == (bears == [False, True])
                assert waits == (bears == [False, False])


@advised
@given(seeds)
def test_money_in_that_waits_for_an_answer_makes_no_gap(seed: int) -> None:
    """A tenth of what came in is not known: no gap is firm, and the questions say what is sure."""
    home = bill_payers(seed).on("checking")
    amount = Random(seed).choice([0, 50_00, 900_00, 4_000_00])
    if amount:
        home.credits(monthly("2025-01-05", 12), "FLATMATE", amount, "unknown_inflow")
    told = Told.of(home)
    window, number = told.household.books.window, home.numbers.get("FLATMATE")
    came = sum(row[3] for row in home.rows if row[0] == number and window.holds(row[2]))
    books = told.household.books
    others = books.income - books.running.one_off_income
    waits = home.own_income is None and came > 0 and 10 * came >= others + came
    assert told.household.planned.unanswered == (told.monthly(came) if waits else 0)
    if waits:
        assert told.by_kind.keys().isdisjoint({"cover_shortfall", "income_stopped"})
        assert not told.household.living.applies
        least = -told.household.planned.surplus - told.monthly(came)
        (answers,) = told.by_kind["answer_questions"]
        assert ("you spend at least" in answers.detail) == (least > 0)

"""What a plan's figures are called, what its targets mean, and what it does not know.

Bounds are true of their figures, and what answers is named; a formula is told in the words that
stand beside its figures; days that rows do not reach are said; and a question's other rows.
"""

from datetime import date
from itertools import product
from typing import Any

import pytest

from finplan.model import task as tasks
from finplan.model.explain import Figure, Quantity, describe_formula
from finplan.model.plan import (
    Bound,
    BudgetKey,
    Plan,
    PlanStanding,
    Role,
    SnapshotAccount,
    UnlinkedKind,
)
from finplan.model.transaction import RecordedDays
from finplan.views import plan_text, unknowns
from finplan.views.plan_text import (
    FIRST_TELL,
    MORE_LATER,
    MORE_TO_COME,
    NOTHING_TO_DO,
    NOTHING_YET,
    awaited_balance,
    more_to_come,
    nothing_to_do,
)
from finplan.views.spending import NO_ROWS, beyond_rows
from finplan.views.unknowns import bounded, describe_estimate, labelled, list_unknowns, worths
from tests.cli import made_up, made_up_plan
from tests.cli.made_up import FIRM


def planned(current: int, target: int, label: str, *cash: int | None) -> Plan:
    """The made-up plan with this line of savings, and accounts that hold this cash."""
    plan = made_up_plan.plan()
    line: dict[str, Any] = {"current": current, "target": target, "label": label}
    held = next(each for each in plan.snapshot.accounts if each.role == "cash")
    accounts = tuple(held.model_copy(update={"balance": balance}) for balance in cash)
    return plan.model_copy(
        update={
            "budget": (*plan.budget[:2], plan.budget[2].model_copy(update=line)),
            "snapshot": plan.snapshot.model_copy(update={"accounts": accounts}),
        }
    )


@pytest.mark.parametrize(
    ("current", "target", "unanswered", "is_own_label"),
    [
        (-600_00, -500_00, False, True),
        (100_00, -500_00, False, False),
        (-600_00, 0, False, False),
        (-600_00, 0, True, True),
        (100_00, 0, True, False),
        (100_00, 200_00, False, False),
        (0, -1, False, False),
    ],
)
def test_what_is_drawn_is_not_called_left_over(
    current: int, target: int, unanswered: bool, is_own_label: bool
) -> None:
    """Only a month that lacks money, in a plan that draws it or waits for answers, has its own label."""
    line = planned(current, target, "Drawn from savings").budget[2]
    label = plan_text.left_over_label(line, unanswered=unanswered)
    assert label == ("Drawn from savings" if is_own_label else plan_text.LEFT_OVER)


@pytest.mark.parametrize(
    ("current", "target", "missing", "label"),
    [
        (-1_300_00, -1_300_00, False, "Drawn a month"),
        (-1_300_00, -1, True, "Shortfall a month"),
        (-1_300_00, 42_00, False, "Shortfall a month"),
        (1_300_00, 42_00, False, "Surplus a month"),
    ],
)
def test_the_headline_names_what_a_month_leaves_or_lacks(
    current: int, target: int, missing: bool, label: str
) -> None:
    """What the plan draws, what lacks and what is left have names of their own and no minus sign."""
    view = made_up.view()
    plan = planned(current, target, "any label")
    gaps = view.snapshot.gaps.model_copy(update={"missing": ("income",) if missing else ()})
    view = view.model_copy(
        update={
            "plan": plan,
            "running": made_up.as_it_was(plan),
            "snapshot": view.snapshot.model_copy(update={"gaps": gaps}),
        }
    )
    units = abs(plan_text.month_units(plan, "USD")["savings"])
    assert plan_text.surplus_headline(view, "USD") == (label, units)


@pytest.mark.parametrize(("target", "limit"), [(0, ("≥", 1)), (-1, ("≤", -1))])
def test_what_is_drawn_has_a_ceiling(target: int, limit: tuple[str, int]) -> None:
    """Savings have a floor; what is drawn has a ceiling, written without a minus sign."""
    plan = planned(-100_00, target, "any label", 5_00)
    assert plan_text.target_limit(plan, "savings") == limit
    assert plan_text.target_limit(plan, "essentials") == ("≤", 1)
    assert plan_text.target_limit(plan, "discretionary") == ("≤", 1)


def test_no_income_known_leaves_no_target() -> None:
    """Targets of no income would ask for no spending at all, so they are unknown."""
    plan = planned(-100_00, 0, "any label")
    none = tuple(item.model_copy(update={"target": 0}) for item in plan.budget)
    plan = plan.model_copy(update={"budget": none})
    assert {plan_text.target_limit(plan, item.key) for item in plan.budget} == {None}


@pytest.mark.parametrize(
    ("target", "unknown"), [(0, set[BudgetKey]()), (-1, {"discretionary", "savings"})]
)
def test_a_target_by_unknown_cash_is_unknown(target: int, unknown: set[BudgetKey]) -> None:
    """How much of what is drawn for may be spent follows from cash; what essentials take does not."""
    plan = planned(-100_00, target, "Not covered", None)
    keys: tuple[BudgetKey, ...] = ("essentials", "discretionary", "savings")
    assert {key for key in keys if plan_text.target_limit(plan, key) is None} == unknown


@pytest.mark.parametrize(
    ("cash", "unknown"),
    [
        ((None,), True),
        ((None, None), True),
        ((None, 0), True),
        ((None, 5), False),
        ((0,), False),
        ((), False),
        ((-5, None), False),
    ],
)
def test_cash_of_zeros_alone_is_unknown(cash: tuple[int | None, ...], *, unknown: bool) -> None:
    """One rule says so for what is safe to spend and for what cash, the fund and net worth are worth."""
    accounts = planned(0, 0, "", *cash).snapshot.accounts
    assert plan_text.cash_is_unknown(accounts) is unknown
    worths = unknowns.worths(accounts, None)
    assert (worths.cash == "unknown") is unknown
    assert (worths.net_worth == "unknown") is unknown
    assert (worths.available == "unknown") is unknown


UNLINKED = PlanStanding(
    provisional=False, unknown_share=0.0, money_unknown=0, at_most=("netWorth", "debt", "available")
)


def account(role: Role, balance: int | None, kind: str | None = None) -> SnapshotAccount:
    kinds = {"cash": "depository", "debt": "credit", "investment": "investment", "none": "other"}
    return SnapshotAccount(
        id="acc_1",
        institution_name="Bank",
        name=kind or role,
        mask=None,
        kind=kind or kinds[role],  # type: ignore[arg-type]  # One of the kinds above.
        subtype=None,
        balance=balance,
        role=role,
    )


CASH, CARD, LOAN = account("cash", 5_00), account("debt", 3_00), account("debt", 9_00, "loan")
HOME = account("investment", 90_00)


def untold(told: SnapshotAccount) -> SnapshotAccount:
    return told.model_copy(update={"balance": None})


def test_what_every_balance_tells_is_exact() -> None:
    """With every balance told, nothing is a bound."""
    found = worths([CASH, CARD, LOAN, HOME], FIRM)
    assert {getattr(found, name) for name in found.__slots__} == {"exact"}


@pytest.mark.parametrize(
    ("accounts", "net_worth", "available"),
    [
        ([CASH, untold(CARD)], "at most", "at most"),
        ([CASH, untold(LOAN)], "at most", "exact"),
        ([CASH, untold(HOME)], "at least", "exact"),
        ([CASH, untold(CASH)], "at least", "at least"),
        ([CASH, untold(CASH), untold(CARD)], "unknown", "unknown"),
        ([CASH, untold(HOME), untold(CARD)], "unknown", "at most"),
        ([CASH, untold(CASH), untold(LOAN)], "unknown", "at least"),
        ([untold(CASH), HOME], "unknown", "unknown"),
        ([untold(CASH), untold(CARD)], "unknown", "unknown"),
        ([CASH, account("none", None)], "exact", "exact"),
    ],
)
def test_a_bound_follows_from_what_is_unknown(
    accounts: list[SnapshotAccount], net_worth: Bound, available: Bound
) -> None:
    """Unknown debts make figures at most, unknown assets at least, both and no cash at all unknown."""
    found = worths(accounts, FIRM)
    assert (found.net_worth, found.available) == (net_worth, available)


@pytest.mark.parametrize(
    ("unlinked", "net_worth", "loans", "investments"),
    [
        ((), "exact", "exact", "exact"),
        (("loan",), "at most", "at least", "exact"),
        (("savings",), "at least", "exact", "at least"),
        (("loan", "savings"), "unknown", "at least", "at least"),
    ],
)
def test_what_is_paid_and_not_linked_bounds_its_figure_and_net_worth(
    unlinked: tuple[UnlinkedKind, ...], net_worth: Bound, loans: Bound, investments: Bound
) -> None:
    """A loan bounds loans, savings bound investments; cash and cards stay, and a sentence says each."""
    standing = FIRM.model_copy(update={"unlinked": unlinked})
    found = worths([CASH, CARD, LOAN, HOME], standing)
    assert (found.net_worth, found.loans, found.investments) == (net_worth, loans, investments)
    assert (found.cash, found.cards, found.available) == ("exact", "exact", "exact")
    assert found.debts == loans
    said = " ".join(list_unknowns([CASH, CARD, LOAN, HOME], standing))
    assert ("loan" in said) == ("loan" in unlinked)
    assert ("investments" in said) == ("savings" in unlinked)
    assert worths([CASH], standing).loans == ("unknown" if "loan" in unlinked else "exact")


@pytest.mark.parametrize(
    ("cards", "standing", "told"),
    [
        ([], FIRM, "exact"),
        ([], UNLINKED, "unknown"),
        ([CARD], UNLINKED, "at least"),
        ([account("debt", 0)], UNLINKED, "unknown"),
        ([CARD, untold(CARD)], FIRM, "at least"),
        ([untold(CARD)], FIRM, "unknown"),
        ([untold(LOAN), CARD], FIRM, "exact"),
        ([CARD], None, "exact"),
    ],
)
def test_what_is_owed_is_at_least_what_is_known(
    cards: list[SnapshotAccount], standing: PlanStanding | None, told: Bound
) -> None:
    """What is known of cards is the least that is owed; where nothing is, it is unknown and not 0."""
    assert worths([CASH, *cards], standing).cards == told


def test_loans_and_debts_have_a_worth_of_their_own() -> None:
    """A loan's unknown balance is no card's; both together are the debts."""
    found = worths([CASH, CARD, untold(LOAN)], FIRM)
    assert (found.cards, found.loans, found.debts) == ("exact", "unknown", "at least")
    assert worths([CASH, CARD], UNLINKED).debts == "at least"


def test_the_net_worth_of_a_card_alone_is_at_most() -> None:
    """Without any cash account an unknown card still bounds from above."""
    assert worths([untold(CARD), HOME], None).net_worth == "at most"


def test_a_bound_stands_before_its_figure() -> None:
    """At most and at least stand before a figure, unknown in its place, and an exact one alone."""
    said = {each: bounded(each, "$5") for each in ("exact", "at most", "at least", "unknown")}
    assert list(said.values()) == ["$5", "at most $5", "at least $5", "unknown"]
    assert labelled("Cash", "exact") == "Cash"
    assert labelled("Cash", "at least") == "Cash, at least"
    assert labelled("Cash", "unknown") == "Cash: unknown, counted as"


def test_what_counts_as_nothing_is_named() -> None:
    """Each account without a balance is named; a card that is not linked is said to be unknown."""
    assert list(list_unknowns([CASH, CARD], FIRM)) == []
    (one,) = list_unknowns([CASH, untold(LOAN)], FIRM)
    assert one.endswith(": loan.")
    (cash,) = list_unknowns([untold(CASH), untold(LOAN)], FIRM)
    assert cash.endswith("the balances of cash and loan are missing.")
    (card,) = list_unknowns([CASH, CARD], UNLINKED)
    assert card == "A card that you pay is not linked, so totals exclude its debt."
    assert len(list(list_unknowns([CASH, untold(CARD)], UNLINKED))) == 1


def test_a_firm_plan_is_not_called_provisional() -> None:
    """Nothing is said of a plan of which less than a tenth is unknown."""
    view = made_up.view()
    assert list(describe_estimate(view.plan, view.standing, view.open_tasks, "USD")) == []


def test_a_provisional_plan_names_the_first_questions_and_the_card() -> None:
    """At most two questions are named with what they decide; money in is not spending."""
    view = made_up.provisional(made_up.view())
    card, asked = view.open_tasks
    assert isinstance(asked, tasks.CategorizePayee)

    def said(*questions: tasks.CategorizePayee) -> list[str]:
        return list(describe_estimate(view.plan, view.standing, (card, *questions), "USD"))

    first, way, link = said(asked)
    assert first.startswith("Estimate: 52% of spending ($2,140 a month)")
    assert ": Northside Provisions ($311)." in way
    assert link.startswith("You pay Citi Card about $600 a month")
    three = [asked.model_copy(update={"payee": name, "total": 90_00}) for name in ("A", "B", "C")]
    paid_in = asked.model_copy(update={"payee": "Payer", "total": -5_000_00})
    assert ": A ($90) and B ($90)." in said(paid_in, *three)[1]
    assert "--category uncategorized" in said(paid_in)[1]


@pytest.mark.parametrize(("unknown", "unlinked"), list(product([True, False], repeat=2)))
def test_only_what_is_unknown_is_asked_for(*, unknown: bool, unlinked: bool) -> None:
    """Questions are named where charges have no category, the card where it is paid."""
    view = made_up.provisional(made_up.view())
    gone = {"uncategorized": unknown, "unlinked_card": unlinked}
    kept = tuple(each for each in view.plan.categories if gone.get(each.category, True))
    plan = view.plan.model_copy(update={"categories": kept})
    first, *ways = describe_estimate(plan, view.standing, view.open_tasks, "USD")
    assert ("finplan tasks answer" in " ".join(ways)) is unknown
    assert ("Citi Card" in " ".join(ways)) is unlinked
    assert ("categorized" in first) is (unknown or not unlinked)
    assert ("card" in first) is unlinked
    without = " ".join(describe_estimate(plan, view.standing, (), "USD"))
    assert ("Link that card" in without) is unlinked


def test_a_fund_is_not_reached_where_too_little_is_known() -> None:
    """No gap and no months says what is known only; a gap is told as ever."""
    plan = made_up.view().plan

    def fund(**changes: int | None) -> str:
        fund = plan.emergency_fund.model_copy(update=changes)
        return unknowns.describe_fund(plan.model_copy(update={"emergency_fund": fund}), "USD")

    assert fund(gap=0, months_to_target=0) == "target of 6 reached"
    assert fund(gap=0, months_to_target=None) == "of 6; no gap found yet"
    assert fund(gap=5_00, months_to_target=None) == "of 6; $5 to go"
    assert fund(gap=0, target_amount=0, months_to_target=None).startswith("no target")


def test_a_debt_that_is_partly_known_is_not_told_to_end() -> None:
    """Of a part of the debt no month is told in which it is clear."""
    plan = made_up.view().plan
    down = plan.debt.model_copy(
        update={"strategy": "paydown", "monthly_payment": 400_00, "months_to_clear": None}
    )
    assert unknowns.describe_debt(plan, "exact", "USD") == "owed; pay in full from cash"
    assert unknowns.describe_debt(plan, "at least", "USD") == "at least; a balance is missing"
    said = unknowns.describe_debt(plan.model_copy(update={"debt": down}), "at least", "USD")
    assert said == "at least; $400 a month on the known part"


def test_the_balance_of_cash_is_asked_for_first() -> None:
    """Most figures rest on cash, so the command beside them tells its balance before a card's."""
    card, cash = untold(CARD), untold(CASH)
    assert awaited_balance([card, cash]) == cash
    assert awaited_balance([CASH, card]) == card
    assert awaited_balance([CASH, CARD, account("none", None)]) is None


def test_advice_that_waits_for_a_balance_is_not_called_nothing() -> None:
    """Where cash or a card was not told, most advice waits; a loan or an investment keeps none back."""
    for waiting in (untold(CASH), untold(CARD)):
        for months in (1, 12):
            assert nothing_to_do([CASH, waiting], months) == FIRST_TELL
            assert more_to_come([CASH, waiting], months) == MORE_TO_COME
    others = [untold(account("investment", 1)), account("none", None), untold(LOAN)]
    for calm in ([CASH, CARD], [CASH, *others]):
        assert nothing_to_do(calm, 2) == NOTHING_TO_DO
        assert more_to_come(calm, 2) == ""


def test_advice_that_waits_for_more_months_is_not_called_nothing() -> None:
    """Of one month only what cannot wait is advised, so an empty list is no sign that all is well."""
    for months in (0, 1, 1.9):
        assert nothing_to_do([CASH, CARD], months) == NOTHING_YET
        assert more_to_come([CASH, CARD], months) == MORE_LATER


FIRST, LAST = date(2026, 2, 10), date(2026, 3, 15)
RECORDED = RecordedDays(since=FIRST, until=LAST)
BEFORE = "No data for these days: your first transaction is on 2026-02-10."
BEHIND = "No data for these days: your last transaction is on 2026-03-15."
BEGINS, ENDS = "Your first transaction is on 2026-02-10.", "Your last transaction is on 2026-03-15."


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        (FIRST, LAST, None),
        (date(2026, 3, 1), date(2026, 3, 1), None),
        (date(2026, 1, 1), date(2026, 2, 9), BEFORE),
        (date(2026, 1, 1), FIRST, BEGINS),
        (date(2026, 2, 9), LAST, BEGINS),
        (LAST, date(2026, 3, 16), ENDS),
        (date(2026, 3, 16), date(2026, 3, 31), BEHIND),
        (date(2026, 1, 1), date(2026, 12, 31), f"{BEGINS} {ENDS}"),
    ],
)
def test_each_end_is_told(since: date, until: date, told: str | None) -> None:
    """The first and the last day that a row is of are known; the days beside them are not."""
    assert beyond_rows(since, until, RECORDED) == told


def test_without_rows_nothing_is_known() -> None:
    """Zero of nothing is no figure."""
    assert beyond_rows(FIRST, LAST, None) == NO_ROWS


def _money(name: str, value: int) -> Quantity:
    return Quantity(name=name, unit="money", value=value)


def _figure(name: str, label: str, formula: str | None = None, **values: int) -> Figure:
    return Figure(
        name=name,
        label=label,
        unit="money",
        formula=formula,
        values=tuple(_money(each, value) for each, value in values.items()),
        result=100,
    )


def test_what_stands_beside_is_called_by_its_label() -> None:
    """A name that another figure has is told by that figure's label, and functions stay."""
    cash = _figure("liquidCash", "Cash")
    spare = _figure("spare", "Spare", "max(0, liquidCash) / 2", liquidCash=10_000)
    assert list(describe_formula(spare, (cash, spare), "USD")) == [
        "= max(0, Cash) ÷ 2",
        "= max(0, $100.00) ÷ 2",
    ]


def test_what_stands_nowhere_is_told_by_the_words_of_its_name() -> None:
    """A name that no figure has is taken apart into its words."""
    income = _figure("income", "Income", "round(incomeTotal2 / 12)", incomeTotal2=10_000)
    assert next(describe_formula(income, (income,), "USD")) == "= round(income total 2 ÷ 12)"


def test_a_label_that_looks_like_arithmetic_is_set_apart() -> None:
    """A bank's word with a comma, a minus or a slash is no part of the sum it stands in."""
    owed = _figure("account1", "Visa A/B - Gold, owed \x1b[2J")
    debt = _figure("debt", "Debt", "account1 - account2", account1=10_000, account2=100)
    assert list(describe_formula(debt, (owed, debt), "USD")) == [
        "= “Visa A/B - Gold, owed [2J” - account 2",
        "= $100.00 - $1.00",
    ]

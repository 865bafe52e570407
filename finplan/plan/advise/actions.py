"""What to do next: the kinds of advice in the order of their urgency, and how many are given."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from finplan.model.plan import Action
from finplan.plan.advise import (
    cash as advice_cash,
    data as advice_data,
    debt as advice_debt,
    fees as advice_fees,
    shortfall as advice_shortfall,
    spending as advice_spending,
)
from finplan.plan.advise.assessment import Advice, Adviser, Assessment
from finplan.plan.sections.wealth import cards_are_known, cash_is_known

MOST = 7
"""More than seven things to do are not done."""

ADVISERS: Mapping[str, Adviser] = {
    "reconnect_bank": advice_data.reconnect_bank,
    "connect_account": advice_data.connect_account,
    "income_stopped": advice_cash.income_stopped,
    "cover_cash_gap": advice_cash.cover_cash_gap,
    "cover_minimums": advice_debt.cover_minimums,
    "cover_shortfall": advice_shortfall.cover_shortfall,
    "pay_card_in_full": advice_debt.pay_card_in_full,
    "build_starter_fund": advice_debt.build_starter_fund,
    "pay_down_card": advice_debt.pay_down_card,
    "lower_utilization": advice_debt.lower_utilization,
    "build_emergency_fund": advice_cash.build_emergency_fund,
    "prepare_bill": advice_cash.prepare_bill,
    "trim_discretionary": advice_spending.trim_discretionary,
    "review_essentials": advice_spending.review_essentials,
    "price_rise": advice_spending.price_rise,
    "review_subscriptions": advice_spending.review_subscriptions,
    "avoid_fees": advice_fees.avoid_fees,
    "claim_reimbursement": advice_cash.claim_reimbursement,
    "invest_idle_cash": advice_cash.invest_idle_cash,
    "answer_questions": advice_data.answer_questions,
}
"""Every kind of action and what decides about it, most urgent first."""

WORTH_A_YEAR: Mapping[str, int] = {
    "prepare_bill": 1,
    "trim_discretionary": 12,
    "review_essentials": 12,
    "price_rise": 1,
    "review_subscriptions": 12,
    "avoid_fees": 1,
    "claim_reimbursement": 1,
    "invest_idle_cash": 1,
}
"""What can wait, and how many times its amount comes in a year."""

_ABOUT_DATA = ("reconnect_bank", "connect_account")

_ON_ONE_MONTH = frozenset(
    {
        *_ABOUT_DATA,
        "cover_cash_gap",
        "cover_minimums",
        "pay_card_in_full",
        "pay_down_card",
        "lower_utilization",
        "answer_questions",
    }
)
"""What a single month of history can support: no trend and no budget."""

_FIRST = ("reconnect_bank", "cover_cash_gap", "cover_minimums")
"""What is more urgent than knowing what money went for."""

_FIRM = frozenset(
    {"trim_discretionary", "review_essentials", "review_subscriptions", "invest_idle_cash"}
)
"""What is no advice while too much of spending is unknown."""

_RESTS_ON_CASH = frozenset(
    {
        "cover_cash_gap",
        "cover_minimums",
        "pay_card_in_full",
        "build_starter_fund",
        "pay_down_card",
        "lower_utilization",
        "build_emergency_fund",
        "prepare_bill",
        "invest_idle_cash",
    }
)
"""What is no advice where the balance of a cash account is unknown: it might not be needed at all."""

_RESTS_ON_CARDS = frozenset(
    {
        "pay_card_in_full",
        "lower_utilization",
        "build_emergency_fund",
        "prepare_bill",
        "invest_idle_cash",
    }
)
"""What is no advice where it is unknown how much cash a card will take."""


def next_actions(household: Assessment) -> tuple[Action, ...]:
    """At most seven actions with priorities 1..n: the order of kinds, then the larger amount."""
    return tuple(islice(_actions(household), MOST))


def _actions(household: Assessment) -> Iterator[Action]:
    for priority, (kind, one) in enumerate(_advice(household), start=1):
        yield Action(
            priority=priority, kind=kind, title=one.title, detail=one.detail, amount=one.amount
        )


def _advice(household: Assessment) -> Iterator[tuple[str, Advice]]:
    """All advice in its order: by kind, the larger amount first, and what can wait by its worth."""
    kinds = _order(household)
    found = [
        (kind, one)
        for kind in kinds
        for one in sorted(ADVISERS[kind](household), key=lambda one: -(one.amount or 0))
    ]
    waiting = iter(_by_worth([each for each in found if each[0] in WORTH_A_YEAR]))
    # What can wait stands together, so that only its own order changes.
    return (next(waiting) if kind in WORTH_A_YEAR else (kind, one) for kind, one in found)


def _by_worth(waiting: Sequence[tuple[str, Advice]]) -> Sequence[tuple[str, Advice]]:
    """What can wait, by what it is worth over the next twelve months, then by its title."""
    return sorted(
        waiting,
        key=lambda each: (-(each[1].amount or 0) * WORTH_A_YEAR[each[0]], each[1].title),
    )


def _order(household: Assessment) -> Sequence[str]:
    """The kinds that this household's history and balances can support, in their order.

    Where much of spending is unknown, or answers may close a gap, what makes it known comes right after
    what cannot wait.
    """
    kinds = list(ADVISERS)
    early = (*_FIRST, *advice_data.asked_first(household))
    if len(early) > len(_FIRST):
        kinds = [*early, *(kind for kind in kinds if kind not in early)]
    silent: frozenset[str] = frozenset()
    if household.standing.provisional:
        silent |= _FIRM
    if not cash_is_known(household.ledger):
        silent |= _RESTS_ON_CASH
    if not cards_are_known(household.ledger):
        silent |= _RESTS_ON_CARDS
    if household.books.window.months < 2:
        silent |= ADVISERS.keys() - _ON_ONE_MONTH
    return [kind for kind in kinds if kind not in silent]

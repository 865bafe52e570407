"""What to do next: the kinds of advice in the order of their urgency, and how many are given."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from finplan.model.plan import Action
from finplan.plan.advise import cash, data, debt, fees, shortfall, spending
from finplan.plan.advise.assessment import Advice, Adviser, Assessment
from finplan.plan.sections.wealth import knows_cards, knows_cash

MOST = 7
"""More than seven things to do are not done."""

Ground = Literal["history", "firm", "cash", "cards"]
"""What advice may need: two months of history, since a single one supports no trend and no budget;
not too much that is unknown; the balance of all cash, or it might not be needed at all; and how much
cash each card will take."""


class KindOfAdvice(NamedTuple):
    """What decides about a kind of action, and what it needs so that it can be said.

    `times_a_year` is how many times the amount of what can wait comes in a year, 0 of what cannot wait.
    """

    advise: Adviser
    needs: Collection[Ground] = ()
    times_a_year: int = 0


ADVISERS: Mapping[str, KindOfAdvice] = {
    "reconnect_bank": KindOfAdvice(data.reconnect_bank),
    "connect_account": KindOfAdvice(data.connect_account),
    "income_stopped": KindOfAdvice(cash.income_stopped, {"history"}),
    "cover_cash_gap": KindOfAdvice(cash.cover_cash_gap, {"cash"}),
    "cover_minimums": KindOfAdvice(debt.cover_minimums, {"cash"}),
    "cover_shortfall": KindOfAdvice(shortfall.cover_shortfall, {"history"}),
    "pay_card_in_full": KindOfAdvice(debt.pay_card_in_full, {"cash", "cards"}),
    "build_starter_fund": KindOfAdvice(debt.build_starter_fund, {"history", "cash"}),
    "pay_down_card": KindOfAdvice(debt.pay_down_card, {"cash"}),
    "lower_utilization": KindOfAdvice(debt.lower_utilization, {"cash", "cards"}),
    "build_emergency_fund": KindOfAdvice(cash.build_emergency_fund, {"history", "cash", "cards"}),
    "prepare_bill": KindOfAdvice(cash.prepare_bill, {"history", "cash", "cards"}, 1),
    "trim_discretionary": KindOfAdvice(spending.trim_discretionary, {"history", "firm"}, 12),
    "review_essentials": KindOfAdvice(spending.review_essentials, {"history", "firm"}, 12),
    "price_rise": KindOfAdvice(spending.price_rise, {"history"}, 1),
    "review_subscriptions": KindOfAdvice(spending.review_subscriptions, {"history", "firm"}, 12),
    "avoid_fees": KindOfAdvice(fees.avoid_fees, {"history"}, 1),
    "claim_reimbursement": KindOfAdvice(cash.claim_reimbursement, {"history"}, 1),
    "invest_idle_cash": KindOfAdvice(
        cash.invest_idle_cash, {"history", "firm", "cash", "cards"}, 1
    ),
    "answer_questions": KindOfAdvice(data.answer_questions),
}
"""Every kind of action, most urgent first."""

_FIRST = ("reconnect_bank", "cover_cash_gap", "cover_minimums")
"""What is more urgent than knowing what money went for."""


def next_actions(household: Assessment) -> tuple[Action, ...]:
    """At most seven actions with priorities 1..n: the order of kinds, then the larger amount."""
    return tuple(
        Action.of(advice, priority=priority, kind=kind)
        for priority, (kind, advice) in enumerate(islice(_advice(household), MOST), start=1)
    )


def _advice(household: Assessment) -> Iterator[tuple[str, Advice]]:
    """All advice in its order: by kind, the larger amount first, and what can wait by its worth.

    That is what it is worth over the next twelve months, then its title.
    """
    pairs = [
        (kind, advice)
        for kind in _order(household)
        for advice in sorted(
            ADVISERS[kind].advise(household), key=lambda advice: -(advice.amount or 0)
        )
    ]
    waiting = sorted(
        (pair for pair in pairs if ADVISERS[pair[0]].times_a_year),
        key=lambda pair: (-(pair[1].amount or 0) * ADVISERS[pair[0]].times_a_year, pair[1].title),
    )
    following = iter(waiting)
    # What can wait stands together, so that only its own order changes.
    return (next(following) if pair in waiting else pair for pair in pairs)


def _order(household: Assessment) -> Sequence[str]:
    """The kinds that this household's history and balances can support, in their order.

    Where much of spending is unknown, or answers may close a gap, what makes it known comes right after
    what cannot wait.
    """
    kinds = list(ADVISERS)
    early = (*_FIRST, *data.asked_first(household))
    if len(early) > len(_FIRST):
        kinds = [*early, *(kind for kind in kinds if kind not in early)]
    grounds: Mapping[Ground, bool] = {
        "history": household.books.window.months >= 2,
        "firm": not household.standing.provisional,
        "cash": knows_cash(household.ledger),
        "cards": knows_cards(household.ledger),
    }
    return [kind for kind in kinds if all(grounds[need] for need in ADVISERS[kind].needs)]

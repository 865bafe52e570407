"""A balance that nobody told is unknown: nothing to do follows from it, and every text says so."""

from collections.abc import Callable

import pytest

from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.sections import explain
from finplan.plan.live.allowance import live_snapshot
from tests.plan.advised import (
    TODAY,
    YEAR,
    habitual_payer,
    idle,
    indebted,
    short_of_cash,
    solvent_revolver,
    steady,
    with_rare_bill,
)
from tests.plan.households import Household, household, monthly


def advised(home: Household) -> set[str]:
    return {each.kind for each in build_plan(home.ledger(), TODAY).actions}


def filling() -> Household:
    return steady(500_00)


UNTOLD_CASH: list[tuple[str, Callable[[], Household]]] = [
    ("cover_cash_gap", short_of_cash),
    ("cover_minimums", lambda: indebted(income=600_00)),
    ("pay_card_in_full", solvent_revolver),
    ("build_starter_fund", lambda: indebted(cash=100_00)),
    ("pay_down_card", indebted),
    ("lower_utilization", lambda: habitual_payer(credit_limit=620_00)),
    ("build_emergency_fund", filling),
    ("prepare_bill", lambda: with_rare_bill(4_000_00, 2_000_00)),
    ("invest_idle_cash", lambda: idle(60_000_00)),
]


@pytest.mark.parametrize(("kind", "make"), UNTOLD_CASH, ids=[kind for kind, _ in UNTOLD_CASH])
def test_nothing_is_advised_of_cash_that_nobody_told(
    kind: str, make: Callable[[], Household]
) -> None:
    """What is advised of known cash is not when one cash account's balance is unknown."""
    assert kind in advised(make())
    assert kind not in advised(make().savings("jar", balance=None))


UNTOLD_CARD = [
    (kind, make)
    for kind, make in UNTOLD_CASH
    if kind not in {"cover_cash_gap", "cover_minimums", "build_starter_fund", "pay_down_card"}
]


@pytest.mark.parametrize(("kind", "make"), UNTOLD_CARD, ids=[kind for kind, _ in UNTOLD_CARD])
def test_nothing_is_advised_of_cash_that_an_untold_card_may_take(
    kind: str, make: Callable[[], Household]
) -> None:
    """How much cash is free is unknown as long as a card's balance is."""
    assert kind not in advised(make().card("untold", balance=None, covered=YEAR))


def test_cash_is_not_short_where_only_a_card_is_linked() -> None:
    """Without any cash account nothing is known of cash, and so no gap."""
    home = household().card("visa", balance=900_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 11_00, "interest_fees")
    home.credits(monthly("2025-01-12", 12), "PAYMENT", 50_00, "card_payment")
    assert "cover_cash_gap" not in advised(home)


@pytest.mark.parametrize("told", [True, False])
def test_unknown_cash_does_not_lower_what_is_safe_to_spend(*, told: bool) -> None:
    """Cash decides about the day's share only where it is known."""
    home = short_of_cash(100_00)
    if not told:
        home.savings("jar", balance=None)
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    allowance = live_snapshot(ledger, keep_books(ledger, TODAY), plan, TODAY).allowance
    assert (allowance.today < allowance.daily - allowance.spent_today) == told


@pytest.mark.parametrize(
    "section", ["snapshot", "wealth", "emergencyFund", "debt", "actions", "allowance"]
)
def test_every_explanation_that_rests_on_balances_says_what_is_unknown(section: str) -> None:
    """It names the account and the command that tells its balance; with all told it says nothing."""
    for home, said in ((steady(), False), (steady().savings("jar", balance=None), True)):
        ledger = home.ledger()
        assessed = assess(ledger, keep_books(ledger, TODAY), TODAY)
        reasons = " ".join(explain(assessed, None, section).reasons)
        assert ("No balance is known of jar, so it counts as nothing." in reasons) == said
        assert ("finplan accounts set acc_jar --balance AMOUNT" in reasons) == said

"""Advice takes what bills leave of cash until payday, and no part of it twice."""

import pytest

from finplan.model.plan import Action
from finplan.plan.advise.assessment import (
    Assessment,
    bills_ahead,
    card_payoff,
    cash_left,
    full_cards,
    idle_cash,
)
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
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
from tests.plan.households import Household, every, household, monthly


def assessed(home: Household) -> Assessment:
    return assess(home.ledger(), keep_books(home.ledger(), TODAY), TODAY)


def said(home: Household, kind: str) -> Action:
    (found,) = [each for each in build_plan(home.ledger(), TODAY).actions if each.kind == kind]
    return found


def test_a_gap_is_told_with_the_cash_there_is() -> None:
    """What is held and what is due add up to the gap, and both stand in the text."""
    found = said(short_of_cash(), "cover_cash_gap")
    assert found.detail.startswith("You have $500 in cash, and $700 of bills is to be paid")
    assert found.amount == 200_00


def test_an_overdraft_is_no_cash_that_one_has() -> None:
    """Cash below zero is said as an overdraft, with the bills on top of it."""
    found = said(short_of_cash(-50_00), "cover_cash_gap")
    assert found.detail.startswith("Your accounts are overdrawn by $50, and $700 of bills")
    assert found.amount == 750_00


def test_an_overdraft_without_bills_never_says_that_nothing_is_to_be_paid() -> None:
    """Where no bill is known, only what brings the accounts to zero is asked for."""
    found = said(steady(-50_00), "cover_cash_gap")
    assert "$0" not in found.detail
    assert found.detail == (
        "Your accounts are overdrawn by $50, and no bill is known before payday on 16 January."
        " Move $50 in."
    )


def short_after_payday(rent: int = 2_500_00) -> Household:
    """Cash of 500, 700 due before pay of 2,000 on the 16th, and rent on the 20th."""
    home = household().checking(balance=500_00, covered=YEAR)
    home.credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
    home.charges(monthly("2025-01-14", 12), "INSURER", 700_00, "insurance")
    return home.charges(monthly("2025-01-20", 12), "LANDLORD", rent, "rent")


def test_a_gap_tells_of_the_one_that_the_next_pay_leaves() -> None:
    """Bills, day and both sums to the cent; a later date helps where the pay after that carries them."""
    assert said(short_after_payday(2_500_25), "cover_cash_gap").detail == (
        "You have $500 in cash, and $700 of bills is to be paid from it before payday on 16 January."
        " After payday, LANDLORD leaves you $700.25 short on 20 January, and $500.25 even with the $200."
        " Move $200 in before the bills are booked, or ask for due dates after 30 January."
    )
    late = said(short_after_payday(4_000_01), "cover_cash_gap").detail
    assert late.endswith("even with the $200. Move $200 in before the bills are booked.")
    assert "after 30 January" in said(short_after_payday(4_000_00), "cover_cash_gap").detail


@pytest.mark.parametrize(("rent", "told"), [(2_000_00, False), (2_000_01, True)])
def test_what_the_next_pay_carries_is_no_further_gap(rent: int, told: bool) -> None:
    """With the first gap covered, cash is at zero: nothing more is missing."""
    assert ("short on" in said(short_after_payday(rent), "cover_cash_gap").detail) is told


def test_what_flatmates_pay_back_is_no_gap() -> None:
    """Of a rent of 2,500 a room is paid back each month before it is due: it costs 2,000."""
    home = short_after_payday().credits(monthly("2025-01-17", 12), "FLATMATE", 500_00, "rent")
    assert "short on" not in said(home, "cover_cash_gap").detail
    assert "short on" in said(short_after_payday(), "cover_cash_gap").detail


def test_many_bills_after_payday_are_not_all_named() -> None:
    """The two largest, and others."""
    home = short_after_payday().charges(monthly("2025-01-18", 12), "GYM", 90_00, "hobbies")
    home.charges(monthly("2025-01-19", 12), "TUTOR", 190_00, "education")
    assert "After payday, LANDLORD, TUTOR and GYM leave you $980 short" in (
        said(home, "cover_cash_gap").detail
    )
    home.charges(monthly("2025-01-17", 12), "VET", 95_00, "pets")
    assert "After payday, LANDLORD, TUTOR and other bills leave you $1,075 short" in (
        said(home, "cover_cash_gap").detail
    )


def test_a_card_is_paid_off_now_only_with_what_bills_leave() -> None:
    """Bills before payday come first; what they leave not enough for waits until they are paid."""
    assert card_payoff(assessed(solvent_revolver())) == 900_00
    assert said(solvent_revolver(), "pay_card_in_full").detail.endswith("in full now.")
    tight = indebted(cash=3_400_00, balance=900_00)
    tight.on("checking").charges(monthly("2025-01-14", 12), "BOAT CLUB", 2_600_00, "hobbies")
    seen = assessed(tight)
    assert seen.payoff.strategy == "pay_in_full"
    assert seen.guard is not None
    assert 0 <= seen.guard < 900_00
    assert card_payoff(seen) == 0
    found = said(tight, "pay_card_in_full")
    assert found.detail.endswith("once the bills of this pay period are paid.")


def two_full_cards(cash: int) -> Household:
    """Two cards that are paid in full each month, of 660 and of 500, and nearly full."""
    home = habitual_payer(cash, credit_limit=660_00)
    home.card("amex", balance=500_00, credit_limit=500_00, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "DELI", 500_00, "groceries")
    for day in monthly("2025-02-06", 11):
        home.transfer(day, "checking", "amex", 500_00, category="card_payment")
    return home


@pytest.mark.parametrize(
    ("cash", "payments"),
    [
        (1_449_99, []),
        (1_501_99, [350_00]),
        (1_502_00, [402_00]),
        (1_851_99, [402_00]),
        (1_852_00, [402_00, 350_00]),
    ],
)
def test_two_full_cards_share_the_cash_there_is(cash: int, payments: list[int]) -> None:
    """Each card is brought to 30 % of its limit by cash after all cards that the other leaves."""
    seen = assessed(two_full_cards(cash))
    assert [payment for _, payment in full_cards(seen)] == payments
    assert sum(payments) <= seen.free_cash


@pytest.mark.parametrize(
    ("owed", "strategy", "paid"), [(2_100_00, "pay_in_full", 1), (2_300_00, "paydown", 0)]
)
def test_a_full_card_is_never_brought_down_against_the_debt_plan(
    owed: int, strategy: str, paid: int
) -> None:
    """While another card is paid down, what is spare goes there, though cash would cover both."""
    home = habitual_payer(5_000_00, credit_limit=660_00)
    home.card("other", balance=owed, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 1_00, "interest_fees")
    seen = assessed(home)
    assert seen.payoff.strategy == strategy
    assert seen.free_cash > 402_00
    assert len(full_cards(seen)) == paid


def test_a_bill_that_cash_covers_is_set_aside() -> None:
    """The text says what is free and how much of it to put away."""
    home = with_rare_bill(2_000_00, 3_000_00)
    (ahead,) = bills_ahead(assessed(home))
    assert (ahead.aside, ahead.missing, ahead.held) == (2_000_00, 0, False)
    found = said(home, "prepare_bill")
    assert found.title == "Set $2,000 aside for INSURER YEARLY"
    assert found.detail == (
        "$2,000 is due on 15 February. $3,000 of cash is free until payday on 16 January: put $2,000"
        " of it where you do not spend it."
    )


def test_more_than_the_cash_there_is_is_never_set_aside() -> None:
    """The part that cash does not hold comes from what comes in; nobody keeps 2,000 of 1,200."""
    home = with_rare_bill(2_000_00, 1_200_00)
    (ahead,) = bills_ahead(assessed(home))
    assert (ahead.aside, ahead.missing) == (1_200_00, 800_00)
    found = said(home, "prepare_bill")
    assert found.title == "Have $2,000 ready for INSURER YEARLY on 15 February"
    assert found.detail.endswith(
        "$1,200 of cash is free for it: put that aside, and $800 of what comes in before then."
    )


@pytest.mark.parametrize("cash", [0, -100_00])
def test_without_cash_a_bill_waits_for_what_comes_in(cash: int) -> None:
    """No cash, or an overdraft, is nothing to set aside; saving waits until the bill is paid."""
    home = with_rare_bill(2_000_00, cash)
    assert said(home, "prepare_bill").detail.endswith(
        "No cash is free for it yet: put $2,000 of what comes in before then aside."
    )
    detail = said(home, "build_emergency_fund").detail
    assert detail.endswith("each month, beginning once INSURER YEARLY is paid.")


def test_a_bill_before_payday_is_in_what_is_safe_to_spend() -> None:
    """The guard holds it already: it is claimed from nothing else, and told once when cash is short."""
    held = with_rare_bill(2_000_00, 3_000_00, "01-14")
    seen = assessed(held)
    (ahead,) = bills_ahead(seen)
    assert (seen.guard, ahead.held, ahead.aside, ahead.missing) == (1_000_00, True, 0, 0)
    assert "keep it in the account" in said(held, "prepare_bill").detail
    short = with_rare_bill(2_000_00, 1_500_00, "01-14")
    kinds = {each.kind for each in build_plan(short.ledger(), TODAY).actions}
    assert "cover_cash_gap" in kinds
    assert "prepare_bill" not in kinds


def test_two_bills_share_the_cash_there_is_by_their_day() -> None:
    """The bill that is due first is covered first."""
    home = with_rare_bill(2_000_00, 3_000_00)
    home.charges(["2024-02-05", "2025-02-05"], "TAX OFFICE", 1_600_00, "taxes")
    found = bills_ahead(assessed(home))
    assert [(each.bill.name, each.aside) for each in found] == [
        ("TAX OFFICE", 1_600_00),
        ("INSURER YEARLY", 1_400_00),
    ]


def test_saving_begins_once_cash_is_covered() -> None:
    """While cash is short before payday, a transfer to the fund waits for it."""
    home = steady(500_00).charges(monthly("2025-01-14", 12), "INSURER", 700_00, "insurance")
    assert said(home, "build_emergency_fund").detail.endswith(
        "beginning once $200 before payday on 16 January is covered."
    )
    assert said(steady(2_000_00), "build_emergency_fund").detail.endswith("after the next payday.")


def test_idle_cash_is_what_nothing_else_takes() -> None:
    """Beyond a full fund and three months, and no more than bills leave until payday."""
    seen = assessed(idle(60_000_00))
    beyond = 60_000_00 - seen.target.amount - 3 * seen.means.essentials
    assert idle_cash(seen) == beyond > 0
    tight = idle(60_000_00)
    tight.charges(monthly("2025-01-14", 12), "BOAT CLUB", 59_000_00, "hobbies")
    seen = assessed(tight)
    # So tight that usual spending may well take what bills leave.
    assert seen.likely_gap is not None
    assert (seen.guard, cash_left(seen), idle_cash(seen)) == (1_000_00, 0, 0)
    assert idle_cash(assessed(steady(1_000_00))) == 0

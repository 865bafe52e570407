"""Advice about cash and income: what must be covered now, and what can be put aside."""

from collections.abc import Iterator
from datetime import timedelta

from finplan.plan.advise import assessment
from finplan.plan.advise.notes_money import before_tax
from finplan.plan.live.schedule import LowPoint
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import outstanding_reimbursement, stopped_sources
from finplan.plan.words import count, listed, percent, span

_CLAIM_AFTER = 30

_NAMED_BILLS = 3
"""How many bills a sentence names; of more, the two largest."""

_MONTHS_TO_INVEST = 6
"""Shorter histories hold too little to call cash idle."""


def income_stopped(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """A source that gave a quarter of the window's income stopped lately, and nothing took its place."""
    for stopped in stopped_sources(household.books, household.planned):
        source = stopped.source
        since = (
            f" Your new income is {household.money(stopped.instead)} a month,"
            f" {household.money(stopped.lost)} less than before."
            if stopped.instead
            else ""
        )
        yield assessment.Advice(
            title=f"Check income from {source.name}: it may have stopped",
            detail=(
                f"{source.name} last paid on {household.day(source.last_date)}, about"
                f" {household.money(stopped.former)} a month. The plan no longer counts this"
                f" income.{since} If the pay now goes to another account, link that account."
            ),
            amount=stopped.lost,
        )


def cover_cash_gap(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """More is due from cash before payday than there is, or usual spending may take what bills leave."""
    if household.guard is None:
        return
    if household.guard >= 0:
        yield from _likely_gap(household)
        return
    gap, cash = -household.guard, household.snapshot.liquid_cash
    comes = _comes_before(household)
    due, missing = cash + comes + gap, household.exact(gap)
    until = end_of_period(household)
    cash_text = f"You have {household.exact(cash)} in cash"
    if cash < 0:
        cash_text = f"Your accounts are overdrawn by {household.exact(-cash)}"
    figures = f"{cash_text}, and no known bill is due before {until}."
    if due:
        pay = f", {household.exact(comes)} comes in" if comes else ""
        figures = f"{cash_text}{pay}, and {household.exact(due)} of bills is due before {until}."
    later = gap_after(household)
    step = _how_to_cover(household, due=due > 0, later=later)
    yield assessment.Advice(
        title=f"Cover {missing} before {until}",
        detail=f"{figures}{_further_gap(household, later)} {step}",
        amount=gap,
    )


def _likely_gap(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """Bills are covered, and usual spending hardly is."""
    gap, guard = household.likely_gap, household.guard
    if gap is None or guard is None:
        return
    until, cash = end_of_period(household), household.snapshot.liquid_cash
    bills = f"; bills take {household.money(cash - guard)} of it" if cash > guard else ""
    money = household.money(gap.amount)
    move = f", or transfer {money} in, which is enough in most cases" if gap.amount else ""
    yield assessment.Advice(
        title=f"Spend less before {until}: cash may run out",
        detail=(
            f"You have {household.money(cash)} in cash{bills}. With your everyday spending, your"
            f" cash falls below zero before {until} in {round(100 * gap.chance)} of 100 cases."
            f" Spend less until then{move}."
        ),
        amount=gap.amount,
    )


def _comes_before(household: assessment.Assessment) -> int:
    """What is expected to come in before the day of this period on which cash is lowest."""
    if household.ahead is None:
        return 0
    last = household.period.end - timedelta(1)
    lowest = household.ahead.schedule.lowest(household.today, last).day
    steps = household.ahead.schedule.steps
    return sum(step.amount for step in steps if step.amount > 0 and step.day <= lowest)


def gap_after(household: assessment.Assessment) -> LowPoint | None:
    """Where cash is lowest in the next period, if it is short even once the gap is covered."""
    if household.ahead is None or household.guard is None:
        return None
    start, end = household.period.end, household.next_period.end
    lowest = household.ahead.schedule.lowest(start, end - timedelta(1))
    return lowest if lowest.cash - min(0, household.guard) < 0 else None


def _further_gap(household: assessment.Assessment, later: LowPoint | None) -> str:
    """What is short after the next pay, which bills make it so, and what covering leaves of it."""
    if later is None or household.ahead is None or household.guard is None:
        return ""
    bills = household.ahead.bills(household.period.end, later.day)
    names = list(dict.fromkeys(bill.name for bill in bills))
    payees = names if len(names) <= _NAMED_BILLS else [*names[: _NAMED_BILLS - 1], "other bills"]
    after = "payday" if household.period.payday else "that"
    who = listed(payees) or "the money missing now"
    leave = "leaves" if len(payees) < 2 else "leave"
    return (
        f" After {after}, {who} {leave} you {household.exact(-later.cash)} short on"
        f" {household.day(later.day)}. Even if you cover the {household.exact(-household.guard)} now,"
        f" you are still {household.exact(household.guard - later.cash)} short that day."
    )


def _how_to_cover(household: assessment.Assessment, *, due: bool, later: LowPoint | None) -> str:
    """What to do: a later due date helps where a bill makes the gap, and the next pay carries it."""
    assert household.guard is not None
    missing = household.exact(-household.guard)
    if not due:
        return f"Transfer {missing} in."
    move = f"ransfer {missing} in before the bills are due"
    then = household.day(household.next_period.end)
    helps = later is not None and _helps_to_wait(household)
    if household.snapshot.liquid_cash < 0:
        after = f" Ask for due dates after {then} for the rest." if helps else ""
        return f"T{move}: a later due date does not clear an overdraft.{after}"
    if later is None:
        return f"Ask for a later due date, or t{move}."
    return f"T{move}, or ask for due dates after {then}." if helps else f"T{move}."


def _helps_to_wait(household: assessment.Assessment) -> bool:
    """Whether the pay after the next one carries what the next one does not."""
    ahead, guard, then = household.ahead, household.guard, household.next_period.end
    return ahead is not None and ahead.schedule.lowest(then, then).cash >= min(0, guard or 0)


def end_of_period(household: assessment.Assessment) -> str:
    """When the next money comes, as a sentence says it after "before"."""
    payday = household.period.payday
    return f"payday on {household.day(payday)}" if payday else "the month ends"


def build_emergency_fund(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """The fund is not full and there is money for it."""
    fund = household.fund
    if household.payoff.strategy == "paydown" or fund.gap <= 0 or fund.monthly_contribution <= 0:
        return
    monthly = household.money(fund.monthly_contribution)
    (start, why), unknown = _start_of_saving(household), household.standing.cards_unknown
    if fund.months_to_target == 1:
        title = f"Put {monthly} into the emergency fund"
        arrival = "covers the known part of the gap" if unknown else "fills the fund"
        step = f"{monthly} {arrival}: {_put_aside(household, once=True)} {start}."
    else:
        title = f"Put {monthly} a month into the emergency fund"
        arrival = (
            (f"fills the fund in {span(fund.months_to_target)}")
            if fund.months_to_target
            else "helps"
        )
        earliest = " at the earliest" if fund.months_to_target and unknown else ""
        step = (
            f"{monthly} a month {arrival}{earliest}: {_put_aside(household, once=False)} {start}."
        )
    yield assessment.Advice(
        title=title,
        detail=(
            f"{_reserve(household)}; the goal is {count(fund.target_months, 'month')},"
            f" {household.money(fund.target_amount)}.{_unknown_in_goal(household)} {step}{why}"
            f"{_saved_elsewhere(household)}"
        ),
        amount=fund.monthly_contribution,
    )


def _unknown_in_goal(household: assessment.Assessment) -> str:
    """What the goal holds beyond the essentials that the plan shows, as a sentence after a blank."""
    counted = household.target.base - household.planned.essentials
    if not counted:
        return ""
    money = household.money(counted)
    return f" The goal counts {money} a month of uncategorized regular charges as essentials."


def _put_aside(household: assessment.Assessment, *, once: bool) -> str:
    """How to put money aside: where one account holds all cash, what stays in it is the reserve."""
    if sum(account.role == "cash" for account in household.snapshot.accounts) == 1:
        advice = "leave that much more in the account"
        return advice if once else f"{advice} each month, starting"
    return "transfer it" if once else "set up a monthly transfer, starting"


def _saved_elsewhere(household: assessment.Assessment) -> str:
    """How much of the contribution goes to other savings by now, so that no money is promised twice."""
    contribution, capacity = household.fund.monthly_contribution, household.planned.capacity
    elsewhere = per_month(household.books.saving, household.books.window.months)
    twice = min(contribution, elsewhere, contribution + elsewhere - capacity)
    if twice <= 0:
        return ""
    part = "this much" if twice == contribution else f"{household.money(twice)} a month"
    return f" You already put {part} into other savings or investments. Decide which comes first."


def _reserve(household: assessment.Assessment) -> str:
    """What is held and how long it lasts, at most where a card's bill is unknown."""
    reserve, covered = household.target.reserve, household.fund.months_covered
    if not reserve:
        return "You have no reserve yet"
    at_most = "at most " if household.standing.cards_unknown else ""
    months = "month" if covered == 1 else "months"
    return f"Your reserve of {household.money(reserve)} lasts {at_most}{covered:g} {months}"


def _start_of_saving(household: assessment.Assessment) -> tuple[str, str]:
    """When to begin, and why so late: bills that cash does not cover come before savings."""
    bill = next((ahead for ahead in assessment.bills_ahead(household) if ahead.missing), None)
    if bill is not None:
        return f"once {bill.bill.title} is paid", ""
    amount = household.fund.monthly_contribution
    begin = assessment.begins(household, amount)
    if begin == assessment.WITH_THE_NEXT_PAY:
        return "after your next payday", ""
    if begin == assessment.ONCE_COVERED and household.guard is not None:
        gap = household.exact(-household.guard)
        return f"once you cover {gap} before {end_of_period(household)}", ""
    return begin, assessment.until_then(household, amount)


def prepare_bill(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """A rare bill is due within sixty days and is large against surplus and spare cash."""
    for ahead in assessment.bills_ahead(household):
        bill, due = household.money(ahead.bill.amount), household.day(ahead.due)
        if ahead.is_reserved and household.guard is not None and household.guard < 0:
            # What is short before payday is told once, with every bill that makes it so.
            continue
        is_covered = not ahead.missing and not ahead.is_reserved
        yield assessment.Advice(
            title=(
                f"Set {bill} aside for {ahead.bill.title}"
                if is_covered
                else f"Have {bill} ready for {ahead.bill.title} on {due}"
            ),
            detail=f"{_when_due(household, ahead)} {_preparation(household, ahead)}",
            amount=ahead.bill.amount,
        )


def _when_due(household: assessment.Assessment, ahead: assessment.BillAhead) -> str:
    """When a bill is due; of one that was seen once, that it is likely."""
    bill, due = household.money(ahead.bill.amount), household.day(ahead.due)
    if ahead.bill.count_all > 1:
        return f"{bill} is due on {due}."
    paid_on = household.day(ahead.bill.last_date)
    return f"Probably due again on {due}. You paid {bill} on {paid_on}."


def _preparation(household: assessment.Assessment, ahead: assessment.BillAhead) -> str:
    """What to do for a bill with the cash there is."""
    if ahead.is_reserved:
        return (
            "Your cash covers this bill; safe to spend excludes it. Keep the money in the account."
        )
    spare = household.money(household.spare_cash)
    if not ahead.missing:
        return (
            f"You have {spare} of spare cash until {end_of_period(household)}. Keep"
            f" {household.money(ahead.bill.amount)} of this cash apart from your spending money."
        )
    missing = household.money(ahead.missing)
    if ahead.aside:
        return (
            f"Put {household.money(ahead.aside)} of spare cash aside now, and save {missing} more by"
            " then."
        )
    return f"You have no spare cash for it yet: save {missing} by then."


def claim_reimbursement(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """Costs that somebody is to pay back have waited for more than a month."""
    owed = outstanding_reimbursement(household.books, household.today, _CLAIM_AFTER)
    if owed is not None:
        amount = household.money(owed.amount)
        yield assessment.Advice(
            title=f"Claim {amount} back",
            detail=(
                f"You are still owed {amount} of reimbursable costs, the oldest since"
                f" {household.day(owed.oldest)}. Send the claim. If nobody will repay these costs, put"
                " the transactions in another category."
            ),
            amount=owed.amount,
        )


def invest_idle_cash(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """Cash exceeds the full fund by more than three months of essentials, and nothing else needs it.

    Never while a card revolves or has no known balance, never to who draws on savings, and not while
    tax on self-employment may be owed. A loan whose balance is not known is named. Source: C39.
    """
    idle = assessment.idle_cash(household)
    if household.planned.essentials <= 0 or idle <= 0 or not _can_invest(household):
        return
    share = percent(idle, household.target.reserve)
    yield assessment.Advice(
        title=f"Put {household.money(idle)} of spare cash to use",
        detail=(
            f"Your reserve is {household.money(household.target.reserve)}. If you keep"
            f" {count(household.target.months, 'month')} of essentials as an emergency fund, and"
            f" three more months to spare, {share} of the reserve is free. Save this money for a"
            f" goal of the next few years, or invest it for the long term.{_loan_first(household)}"
        ),
        amount=idle,
    )


def _loan_first(household: assessment.Assessment) -> str:
    """What to compare first where a loan's balance is not known, as a sentence after a blank."""
    if not household.standing.debt_unknown:
        return ""
    loans = [
        account.name
        for account in household.snapshot.accounts
        if account.kind == "loan" and not account.balance
    ]
    unlinked = household.standing.unlinked
    names = [*loans, *unlinked.loans, *unlinked.mortgages]
    rates = "the interest rates" if len(names) > 1 else "its interest rate"
    return f" Balance missing for {listed(names) or 'a loan'}. Compare {rates} first."


def _can_invest(household: assessment.Assessment) -> bool:
    means = household.means
    owes_nothing = household.payoff.revolving_owed == 0 and not household.standing.cards_unknown
    draws = household.living.applies or household.living.shortfall > 0
    saves = household.planned.surplus >= 0 and means.saved >= 0 and not draws
    settled = household.books.window.months >= _MONTHS_TO_INVEST
    return owes_nothing and saves and settled and not any(before_tax(household))

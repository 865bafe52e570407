"""Advice about cash and income: what must be covered now, and what can be put aside."""

from collections.abc import Iterator
from datetime import timedelta

from finplan.plan.advise.advice import Advice, largest_wants
from finplan.plan.advise.assessment import Assessment
from finplan.plan.detect.cadence import per_month as per_month_of
from finplan.plan.ledger.books import Series
from finplan.plan.sections.monthly import CREDITS_TO_RUN, per_month
from finplan.plan.sections.reimbursements import outstanding_reimbursement
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import count, percent, span

_CLAIM_AFTER = 30
_BILL_AHEAD = 60
_RARE = frozenset({"quarterly", "twice_yearly", "annual"})


def income_stopped(household: Assessment) -> Iterator[Advice]:
    """A source that gave a quarter of the window's income pays no more; a gift never stops."""
    books = household.books
    stopped = [
        source
        for source in books.sources
        if not source.active
        and 4 * source.total >= books.income > 0
        and (source.cadence != "irregular" or source.count >= CREDITS_TO_RUN)
    ]
    for source in stopped:
        former = former_monthly(household, source)
        yield Advice(
            title=f"Income from {source.name} seems to have stopped",
            detail=(
                f"{source.name} paid about {household.money(former)} a month and last paid on"
                f" {household.day(source.last_date)}. The plan no longer counts on it: link the"
                " account if the money now arrives elsewhere, else plan on what still comes in."
            ),
            amount=former,
        )


def former_monthly(household: Assessment, source: Series) -> int:
    """What an inactive source paid a month while it paid."""
    if source.cadence == "irregular":
        return max(0, per_month(source.total, household.books.window.months))
    return per_month_of(source.amount, source.cadence, source.interval_days)


def cover_cash_gap(household: Assessment) -> Iterator[Advice]:
    """More is due from cash before payday than there is."""
    if household.guard is None or household.guard >= 0:
        return
    gap, cash = -household.guard, household.snapshot.liquid_cash
    until = (
        f"payday on {household.day(household.period.payday)}"
        if household.period.payday
        else "the month ends"
    )
    yield Advice(
        title=f"Cover {household.money(gap)} before {until}",
        detail=(
            f"You have {household.money(cash)} in cash, and {household.money(cash + gap)} is to be"
            f" paid from it before {until}. Move {household.money(gap)} in, or ask for a later due"
            " date."
        ),
        amount=gap,
    )


def cover_shortfall(household: Assessment) -> Iterator[Advice]:
    """Spending exceeds income over at least two months."""
    means = household.means
    if means.surplus >= 0 or household.books.window.months < 2:
        return
    gap = household.money(-means.surplus)
    yield Advice(
        title=f"Close a gap of {gap} a month",
        detail=(
            f"{household.money(means.total_spend)} a month goes out and"
            f" {household.money(means.income)} comes in, so {gap} comes from cash or credit."
            f" {_where_to_start(household)}"
        ),
        amount=-means.surplus,
    )


_UNKNOWN_SPENDING = {
    "uncategorized": "Say what the charges in no category are, to see where to start.",
    "unlinked_card": "Link the card that is paid from here, to see where to start.",
    "cash": "Most of it is cash withdrawn: set a sum for the week before you withdraw.",
}
"""What to do where nothing more is known of the money than how it left."""


def _where_to_start(household: Assessment) -> str:
    """The largest wants; without any, an essential to lower; else how to learn what is spent."""
    wants = largest_wants(household, 2)
    if wants:
        return f"Start with {wants}."
    if household.means.essentials > 0:
        return "Look through the essentials for one to lower."
    spent = max(household.categories, key=lambda entry: entry.monthly, default=None)
    known = spent.category if spent else ""
    return _UNKNOWN_SPENDING.get(known, "Look at the latest pay for what was taken back.")


def build_emergency_fund(household: Assessment) -> Iterator[Advice]:
    """The fund is not full and there is money for it."""
    fund = household.fund
    if household.payoff.strategy == "paydown" or fund.gap <= 0 or fund.monthly_contribution <= 0:
        return
    monthly = household.money(fund.monthly_contribution)
    if fund.months_to_target == 1:
        title = f"Put {monthly} into the emergency fund"
        step = f"{monthly} fills it: move it over after the next payday."
    else:
        title = f"Put {monthly} a month into the emergency fund"
        arrival = f"fills it in {span(fund.months_to_target)}" if fund.months_to_target else "helps"
        step = f"{monthly} a month {arrival}: set up a transfer for the day after payday."
    yield Advice(
        title=title,
        detail=(
            f"Your reserve of {household.money(household.target.reserve)} lasts"
            f" {fund.months_covered:g} months; the goal is {count(fund.target_months, 'month')},"
            f" {household.money(fund.target_amount)}. {step}"
        ),
        amount=fund.monthly_contribution,
    )


def prepare_bill(household: Assessment) -> Iterator[Advice]:
    """A rare bill is due within sixty days and is large against surplus and free cash."""
    horizon = household.today + timedelta(_BILL_AHEAD)
    free = max(0, household.free_cash)
    for bill in running_charges(household.books):
        if bill.next_date is None or bill.next_date > horizon or bill.cadence not in _RARE:
            continue
        if 4 * bill.amount > household.means.surplus and 2 * bill.amount > free:
            due = household.day(bill.next_date)
            yield Advice(
                title=f"Set {household.money(bill.amount)} aside for {bill.name}",
                detail=(
                    f"{household.money(bill.amount)} is due on {due}, and cash after cards is"
                    f" {household.money(household.free_cash)}. Keep that much untouched until then."
                ),
                amount=bill.amount,
            )


def claim_reimbursement(household: Assessment) -> Iterator[Advice]:
    """Costs that somebody is to pay back have waited for more than a month."""
    found = outstanding_reimbursement(
        household.ledger, household.books, household.today, _CLAIM_AFTER
    )
    if found is not None:
        amount = household.money(found.amount)
        yield Advice(
            title=f"Claim {amount} back",
            detail=(
                f"{amount} of costs to be repaid is outstanding, the oldest since"
                f" {household.day(found.oldest)}. Send the claim, or file the charges under another"
                " category if nobody will repay them."
            ),
            amount=found.amount,
        )


def invest_idle_cash(household: Assessment) -> Iterator[Advice]:
    """Cash exceeds the full fund by more than three months of essentials, and no card revolves."""
    essentials = household.means.essentials
    idle = household.target.reserve - household.target.amount - 3 * essentials
    settled = household.payoff.revolving_owed == 0 and household.books.window.months >= 6
    if essentials > 0 and idle > 0 and settled:
        share = percent(idle, household.target.reserve)
        yield Advice(
            title=f"Give {household.money(idle)} of idle cash a purpose",
            detail=(
                f"Your reserve is {household.money(household.target.reserve)}. With"
                f" {count(household.target.months, 'month')} of essentials as emergency fund and"
                f" three more to spare, {share} of it is idle. Decide what it is for: a goal of the"
                " next years, or long-term investing."
            ),
            amount=idle,
        )

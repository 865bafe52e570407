"""Advice about cash and income: what must be covered now, and what can be put aside."""

from collections.abc import Iterator

from finplan.plan.advise.advice import Advice, largest_wants
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.notes_money import before_tax
from finplan.plan.advise.spare_cash import BillAhead, bills_ahead, idle_cash
from finplan.plan.detect.cadence import per_month as per_month_of
from finplan.plan.ledger.books import Series
from finplan.plan.sections.monthly import CREDITS_TO_RUN, per_month
from finplan.plan.sections.reimbursements import outstanding_reimbursement
from finplan.plan.sections.snapshot import cash_is_known
from finplan.plan.words import count, lasting, percent, span

_CLAIM_AFTER = 30

_MONTHS_TO_INVEST = 6
"""Shorter histories hold too little to call cash idle."""


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
                f" {household.day(source.last_date)}. The plan does not count on it: link the"
                " account if the money arrives elsewhere, else plan on what still comes in."
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
    due = cash + gap
    until = end_of_period(household)
    held, paid = f"You have {household.money(cash)} in cash", "is to be paid from it"
    if cash < 0:
        held, paid = f"Your accounts are overdrawn by {household.money(-cash)}", "is due"
    if due:
        detail = (
            f"{held}, and {household.money(due)} of bills {paid} before {until}. Ask for a later due"
            f" date, or move {household.money(gap)} in before the bills are booked."
        )
    else:
        detail = f"{held}, and no bill is known before {until}. Move {household.money(gap)} in."
    yield Advice(title=f"Cover {household.money(gap)} before {until}", detail=detail, amount=gap)


def end_of_period(household: Assessment) -> str:
    """When the next money comes, as a sentence says it after "before"."""
    payday = household.period.payday
    return f"payday on {household.day(payday)}" if payday else "the month ends"


def cover_shortfall(household: Assessment) -> Iterator[Advice]:
    """Spending exceeds income over at least two months, and savings do not carry it for long.

    Where pay is known to arrive in an account that is not linked, no shortfall is known.
    """
    if not is_short(household):
        return
    means, living = household.means, household.living
    short = living.shortfall if living.applies else -means.surplus
    gap = household.money(short)
    if living.applies:
        coming = means.total_spend - living.shortfall
        comes = (
            f"{household.money(coming)} is expected to come in" if coming else "no pay is expected"
        )
        spent = household.money(means.total_spend)
        figures = f"{spent} a month goes out and {comes}. {_reach(household)}"
    else:
        figures = (
            f"{household.money(means.total_spend)} a month goes out and"
            f" {household.money(means.income)} comes in, so {gap} comes from cash or credit."
        )
    yield Advice(
        title=f"Close a gap of {gap} a month",
        detail=f"{figures} {_unknown_inflows(household)}{_where_to_start(household)}",
        amount=short,
    )


def is_short(household: Assessment) -> bool:
    """Whether more goes out than comes in, nothing else explains it, and savings do not carry it."""
    living = household.living
    lasts = living.applies and living.lasts
    unseen = any(found.missing == "income" for found in household.missing)
    trusted = household.books.window.months >= 2
    short = household.means.surplus < 0 < living.shortfall
    return short and trusted and not lasts and not unseen


def _reach(household: Assessment) -> str:
    """How long savings last, with as much discretionary spending as the budget leaves."""
    living = household.living
    if not living.drawable and not cash_is_known(household.ledger):
        return "How long savings last cannot be told without the balance of your cash."
    if not living.drawable or living.months_told is None:
        return "No savings are left to draw on."
    savings, last = household.money(living.drawable), lasting(living.months_told)
    if living.discretionary < household.means.discretionary:
        return (
            f"With {household.money(living.discretionary)} of discretionary spending instead of"
            f" {household.money(household.means.discretionary)}, your savings of {savings} last"
            f" {last}."
        )
    return f"Your savings of {savings} last {last}."


def _unknown_inflows(household: Assessment) -> str:
    """What came in from nobody knows where, which may close a gap; nothing where nothing did."""
    found = household.books.categories.get("unknown_inflow")
    if found is None or found.total <= 0:
        return ""
    monthly = per_month(found.total, household.books.window.months)
    return (
        f"{household.money(monthly)} a month came in that is not counted until you say what it is:"
        " `finplan tasks answer`. "
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
    start = _start_of_saving(household)
    if fund.months_to_target == 1:
        title = f"Put {monthly} into the emergency fund"
        step = f"{monthly} fills it: move it over {start}."
    else:
        title = f"Put {monthly} a month into the emergency fund"
        arrival = f"fills it in {span(fund.months_to_target)}" if fund.months_to_target else "helps"
        step = f"{monthly} a month {arrival}: set up a transfer that begins {start}."
    yield Advice(
        title=title,
        detail=(
            f"{_reserve(household)}; the goal is {count(fund.target_months, 'month')},"
            f" {household.money(fund.target_amount)}. {step}{_saved_elsewhere(household)}"
        ),
        amount=fund.monthly_contribution,
    )


def _saved_elsewhere(household: Assessment) -> str:
    """How much of the contribution goes to other savings by now, so that no money is promised twice."""
    contribution, capacity = household.fund.monthly_contribution, household.means.capacity
    elsewhere = per_month(household.books.saving, household.books.window.months)
    twice = min(contribution, elsewhere, contribution + elsewhere - capacity)
    if twice <= 0:
        return ""
    part = "All of that" if twice == contribution else f"{household.money(twice)} a month of that"
    return f" {part} goes to other savings or investments today: choose which comes first."


def _reserve(household: Assessment) -> str:
    """What is held and how long it lasts, at most where a card's bill is unknown."""
    reserve, covered = household.target.reserve, household.fund.months_covered
    if not reserve:
        return "Nothing is in reserve yet"
    at_most = "at most " if household.standing.cards_unknown else ""
    months = "month" if covered == 1 else "months"
    return f"Your reserve of {household.money(reserve)} lasts {at_most}{covered:g} {months}"


def _start_of_saving(household: Assessment) -> str:
    """When to begin: bills that cash does not cover come before savings."""
    bill = next((each for each in bills_ahead(household) if each.missing), None)
    if bill is not None:
        return f"once {bill.bill.title} is paid"
    if household.guard is not None and household.guard < 0:
        return (
            f"once {household.money(-household.guard)} before {end_of_period(household)} is covered"
        )
    return "after the next payday"


def prepare_bill(household: Assessment) -> Iterator[Advice]:
    """A rare bill is due within sixty days and is large against surplus and spare cash."""
    for ahead in bills_ahead(household):
        bill, due = household.money(ahead.bill.amount), household.day(ahead.due)
        if ahead.held and household.guard is not None and household.guard < 0:
            # What is short before payday is told once, with every bill that makes it so.
            continue
        whole = not ahead.missing and not ahead.held
        yield Advice(
            title=(
                f"Set {bill} aside for {ahead.bill.title}"
                if whole
                else f"Have {bill} ready for {ahead.bill.title} on {due}"
            ),
            detail=f"{bill} is due on {due}. {_preparation(household, ahead)}",
            amount=ahead.bill.amount,
        )


def _preparation(household: Assessment, ahead: BillAhead) -> str:
    """What to do for a bill with the cash there is."""
    if ahead.held:
        return "What is safe to spend leaves it out, and cash covers it: keep it in the account."
    spare = household.money(household.spare_cash)
    if not ahead.missing:
        return (
            f"{spare} of cash is free until {end_of_period(household)}: put"
            f" {household.money(ahead.bill.amount)} of it where you do not spend it."
        )
    missing = household.money(ahead.missing)
    if ahead.aside:
        return (
            f"{household.money(ahead.aside)} of cash is free for it: put that aside, and {missing}"
            " of what comes in before then."
        )
    return f"No cash is free for it yet: put {missing} of what comes in before then aside."


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
    """Cash exceeds the full fund by more than three months of essentials, and nothing else needs it.

    Never while a debt revolves or has no known balance, never to who draws on savings, and not while
    tax on self-employment may be owed.
    """
    idle = idle_cash(household)
    if household.means.essentials <= 0 or idle <= 0 or not _can_invest(household):
        return
    share = percent(idle, household.target.reserve)
    yield Advice(
        title=f"Give {household.money(idle)} of idle cash a purpose",
        detail=(
            f"Your reserve is {household.money(household.target.reserve)}. With"
            f" {count(household.target.months, 'month')} of essentials as emergency fund and three"
            f" more to spare, {share} of it is idle. Decide what it is for: a goal of the next"
            " years, or long-term investing."
        ),
        amount=idle,
    )


def _can_invest(household: Assessment) -> bool:
    means = household.means
    owes_nothing = household.payoff.revolving_owed == 0 and not household.standing.debt_unknown
    draws = household.living.applies or household.living.shortfall > 0
    saves = means.surplus >= 0 and means.saved >= 0 and not draws
    settled = household.books.window.months >= _MONTHS_TO_INVEST
    return owes_nothing and saves and settled and not any(before_tax(household))

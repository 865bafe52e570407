"""What a plan does not know, and what rests on that: the emergency fund and the debts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finplan.model import figures
from finplan.model.plan import Bound, Plan, PlanStanding, bound
from finplan.model.snapshot import PlanView
from finplan.model.task import CategorizePayee, ConnectMissingAccount, Task
from finplan.views import page, plan_words
from finplan.views.locale import Locale, Money
from finplan.views.plan_words import Accounts

_NAMED = 2
"""How many of the first questions are named."""


@dataclass(frozen=True, slots=True)
class Worths:
    """What each figure is worth that rests on balances, of which some may never have been told.

    Of what is owed, what is known is the least, so `cards`, `loans` and `debts` (both) are "at least"
    where the figures that they lower are "at most". `available` is cash after cards; how long cash lasts
    is worth the same.
    """

    cash: Bound
    investments: Bound
    cards: Bound
    loans: Bound
    debts: Bound
    net_worth: Bound
    available: Bound


def worths(accounts: Accounts, standing: PlanStanding | None) -> Worths:
    """What the figures are worth; without a standing only linked accounts are known of."""
    cash = [each for each in accounts if each.role == "cash"]
    investments = [each for each in accounts if each.role == "investment"]
    owed = [each for each in accounts if each.role == "debt"]
    cards = [each for each in owed if each.kind == "credit"]
    loans = [each for each in owed if each.kind != "credit"]
    cards_unknown = _has_unknown(cards) or (standing is not None and "debt" in standing.at_most)
    unlinked = () if standing is None else standing.unlinked
    loans_unknown = _has_unknown(loans) or "loan" in unlinked
    investments_unknown = _has_unknown(investments) or "savings" in unlinked
    of_cash: Bound = "at least" if _has_unknown(cash) else "exact"
    if plan_words.cash_is_unknown(accounts):
        of_cash = "unknown"
    if of_cash == "unknown":
        net_worth: Bound = "unknown"
        available: Bound = "unknown"
    else:
        net_worth = bound(
            too_high=cards_unknown or loans_unknown,
            too_low=_has_unknown(cash) or investments_unknown,
        )
        available = bound(too_high=cards_unknown, too_low=_has_unknown(cash))
    return Worths(
        cash=of_cash,
        investments=_worth_of_parts(investments, is_short=investments_unknown),
        cards=_worth_of_parts(cards, is_short=cards_unknown),
        loans=_worth_of_parts(loans, is_short=loans_unknown),
        debts=_worth_of_parts(owed, is_short=cards_unknown or loans_unknown),
        net_worth=net_worth,
        available=available,
    )


def worths_of(view: PlanView | None) -> Worths:
    """What the figures of a plan's view are worth; without one no account is known of."""
    return worths((), None) if view is None else worths(view.plan.snapshot.accounts, view.standing)


def _has_unknown(accounts: Accounts) -> bool:
    return any(each.balance is None for each in accounts)


def _worth_of_parts(accounts: Accounts, *, is_short: bool) -> Bound:
    """What a sum of balances is worth that lacks some; of nothing but zeros nothing is known."""
    if not is_short:
        return "exact"
    return "at least" if any(each.balance for each in accounts) else "unknown"


def bounded(worth: Bound, said: str) -> str:
    """A figure or what stands beside it, with what it is worth before it; "unknown" for no figure."""
    if worth == "unknown":
        return worth
    return said if worth == "exact" else f"{worth} {said}"


def labelled(label: str, worth: Bound) -> str:
    """A label with what its figure is worth."""
    if worth == "unknown":
        return f"{label}: unknown, counted as"
    return label if worth == "exact" else f"{label}, {worth}"


def fund_said(plan: Plan, currency: str) -> str:
    """How far the emergency fund is from its target, which is not reached where too little is known."""
    fund = plan.emergency_fund
    if fund.target_amount == 0:
        return "no target while essentials are unknown"
    if fund.gap == 0:
        is_open = fund.months_to_target is None
        missing = "of {}; no known gap" if is_open else "the target of {} is reached"
        return missing.format(fund.target_months)
    gap = figures.whole_money(fund.gap, currency)
    if fund.months_to_target is None:
        return f"of {fund.target_months}; {gap} to go"
    return f"of {fund.target_months}; {gap} to go, {figures.count(fund.months_to_target, 'month')}"


def debt_said(plan: Plan, worth: Bound, currency: str) -> str:
    """What is to be done about what the cards owe; how long it takes is not told of a part of it."""
    debt = plan.debt
    payment = f"{figures.whole_money(debt.monthly_payment, currency)} a month"
    if worth != "exact":
        is_paid_down = debt.strategy == "paydown"
        return (
            f"{worth}; {f'{payment} on what is known' if is_paid_down else 'the rest was not told'}"
        )
    if debt.strategy == "none":
        return "nothing owed"
    if debt.strategy == "pay_in_full":
        return "owed, to be paid in full from cash"
    if debt.months_to_clear is None:
        return f"owed; {payment} does not clear it"
    # What the starter fund takes now, the cards get later.
    grows = " at first" if plan.emergency_fund.monthly_contribution else ""
    return f"owed; {payment}{grows}, {figures.count(debt.months_to_clear, 'month')}"


def unknown_said(accounts: Accounts, standing: PlanStanding | None) -> Iterator[str]:
    """What the figures lack, a sentence each."""
    names = plan_words.without_balance(accounts)
    if names and plan_words.cash_is_unknown(accounts):
        yield (
            f"The balance of {page.listed(names)} is missing, so cash, net worth and what is safe to"
            " spend are unknown."
        )
    elif names:
        counts = "it counts" if len(names) == 1 else "they count"
        yield f"No balance is known of {', '.join(names)}, so {counts} as nothing."
    linked = [each for each in accounts if each.kind == "credit" and each.role == "debt"]
    if standing is not None and "debt" in standing.at_most and not _has_unknown(linked):
        yield "What is owed on a card that is not linked is unknown and counts as nothing."
    unlinked = () if standing is None else standing.unlinked
    if "loan" in unlinked:
        yield "What is owed on a loan that is not linked is unknown and counts as nothing."
    if "savings" in unlinked:
        yield "What savings or investments that are not linked hold is unknown and counts as nothing."


def provisional_said(
    plan: Plan, standing: PlanStanding, tasks: Sequence[Task], currency: str
) -> Iterator[str]:
    """That a plan is provisional, by how much, and what answers it; nothing of a firm plan."""
    if not standing.provisional:
        return
    if standing.money_in_unknown:
        unanswered = figures.whole_money(standing.money_in_unknown, currency)
        yield (f"Estimate: {unanswered} a month may be income. Answer with `finplan tasks answer`.")
    if not standing.money_unknown:
        return
    share = figures.share(standing.unknown_share)
    unknown = figures.whole_money(standing.money_unknown, currency)
    yield f"Estimate: {share} of spending, {unknown} a month, is in no category yet."
    totals = {each.category: each.total for each in plan.categories}
    if totals.get("uncategorized", 0) > 0:
        yield _way_to_know(tasks, currency)
    if totals.get("unlinked_card", 0) > 0:
        reasons = [
            task.reason
            for task in tasks
            if isinstance(task, ConnectMissingAccount) and task.missing == "spending"
        ]
        yield (
            f"{reasons[0]} Link it or import its statements."
            if reasons
            else "Link the card that is paid, or import its statements."
        )


def _way_to_know(tasks: Sequence[Task], currency: str) -> str:
    spent = [task for task in tasks if isinstance(task, CategorizePayee) and task.total > 0]
    asked = sorted(spent, key=lambda task: -task.total)
    if not asked:
        return "`finplan transactions --category uncategorized` lists what it is."
    decided = " and ".join(
        f"{task.payee} ({figures.whole_money(task.total, currency)})" for task in asked[:_NAMED]
    )
    return f"Answer with `finplan tasks answer`, largest first: {decided}."


# --- fund and debts ------------------------------------------------------------------------------


def _fund(view: PlanView, how: Locale) -> tuple[page.TableCell, page.Phrase]:
    """How long cash lasts, and how far that is from the target."""
    plan, fund = view.plan, view.plan.emergency_fund
    bounds = worths_of(view)
    said = fund_said(plan, how.currency)
    if bounds.cash == "unknown":
        return page.UNKNOWN, "until the balance of cash is told"
    if bounds.available == "unknown":
        return page.UNKNOWN, said
    months = f"{fund.months_covered:.1f}"
    if bounds.available == "exact":
        return page.TextSpan(f"{months} months", "strong"), said
    bounded = f"{bounds.available} {months}"
    return page.TextSpan(f"{bounded} months", "strong", short=bounded), page.TextSpan(
        said, short=f"months {said}"
    )


def fund_and_debts(view: PlanView, how: Locale, *, loans: bool) -> tuple[page.Fact, ...]:
    """The fund and what cards owe, and `loans` as well, a fact each."""
    told = [page.Fact("Emergency fund", *_fund(view, how)), *_owed(view, how)]
    return tuple(told if loans else (each for each in told if each.label != "Loans"))


def _owed(view: PlanView, how: Locale) -> Iterator[page.Fact]:
    plan, debt, loans = view.plan, view.plan.debt, view.plan.snapshot.other_debt
    bounds = worths_of(view)
    if bounds.cards == "unknown":
        yield page.Fact("Credit cards", page.UNKNOWN, "what is owed was not told")
    elif debt.cards:
        said = debt_said(plan, bounds.cards, how.currency)
        yield page.Fact("Credit cards", _debt(debt.total, how), said)
    if loans:
        said = "at least; still owed" if bounds.loans == "at least" else "still owed"
        yield page.Fact("Loans", _debt(loans, how), said)
    elif bounds.loans == "unknown":
        yield page.Fact("Loans", page.UNKNOWN, "what is owed was not told")


def _debt(amount: int, how: Locale) -> Money:
    return how.figure(amount, "strong bad" if amount < 0 else "strong")


def fund(view: PlanView, how: Locale) -> page.Section:
    """How long the household lasts on its cash, what is missing, and the way there."""
    reserve = view.plan.emergency_fund
    told = [page.Fact("Covers", *_fund(view, how))]
    if told[0].value is page.UNKNOWN:
        return page.Section("fund", "Emergency fund", (page.FactList(tuple(told)),))
    if reserve.target_amount:
        goal = f"{figures.count(reserve.target_months, 'month')} of essentials"
        if reserve.target_amount > reserve.target_months * view.running.essentials:
            goal += " and of regular charges not yet known"
        told.append(page.Fact("Target", how.rounded(reserve.target_amount), goal))
    if reserve.gap and reserve.monthly_contribution:
        aside = how.rounded(reserve.monthly_contribution)
        told.append(page.Fact("Put aside", aside, "a month"))
    there = reserve.target_amount - reserve.gap
    # A full bar says that the target is reached.
    is_open = reserve.gap == 0 and reserve.months_to_target is None
    blocks: list[page.PageBlock] = [page.FactList(tuple(told))]
    if reserve.target_amount and not is_open:
        bar = page.ShareBar(there, reserve.target_amount, "good", rest=True)
        blocks.append(page.table(("=",), [(bar,)]))
    return page.Section("fund", "Emergency fund", tuple(blocks))


def debts(view: PlanView, how: Locale) -> page.Section:
    """Each card with what it owes, the loans, and the way out."""
    told, cards = tuple(_owed(view, how)), view.plan.debt.cards
    if not told:
        return page.Section("debts", "Debts", (page.Sentence("Nothing owed."),))
    blocks: list[page.PageBlock] = [page.FactList(told)]
    if len(cards) > 1 or any(card.limit is not None for card in cards):
        rows = (
            (
                page.name(card.name),
                how.figure(card.balance),
                "–" if card.limit is None else how.rounded(card.limit),
                "–" if card.utilization is None else figures.share(card.utilization),
            )
            for card in cards
        )
        blocks.append(
            page.table(("card!", "owed>", "limit>", "in use>"), rows, spoken="Credit cards")
        )
    return page.Section("debts", "Debts", tuple(blocks))

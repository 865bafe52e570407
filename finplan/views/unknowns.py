"""What a plan does not know, and what rests on that: the emergency fund and the debts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finplan.model import figures
from finplan.model.plan import Bound, Plan, PlanStanding, bound
from finplan.model.snapshot import PlanView
from finplan.model.task import CategorizePayee, ConnectMissingAccount, Task
from finplan.views import page, plan_text
from finplan.views.locale import Locale, Money
from finplan.views.plan_text import Accounts

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
    cash = [account for account in accounts if account.role == "cash"]
    investments = [account for account in accounts if account.role == "investment"]
    owed = [account for account in accounts if account.role == "debt"]
    cards = [account for account in owed if account.kind == "credit"]
    loans = [account for account in owed if account.kind != "credit"]
    cards_unknown = _has_unknown(cards) or (standing is not None and "debt" in standing.at_most)
    unlinked = () if standing is None else standing.unlinked
    loans_unknown = _has_unknown(loans) or "loan" in unlinked
    investments_unknown = _has_unknown(investments) or "savings" in unlinked
    of_cash: Bound = "at least" if _has_unknown(cash) else "exact"
    if plan_text.cash_is_unknown(accounts):
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
    return any(account.balance is None for account in accounts)


def _worth_of_parts(accounts: Accounts, *, is_short: bool) -> Bound:
    """What a sum of balances is worth that lacks some; of nothing but zeros nothing is known."""
    if not is_short:
        return "exact"
    return "at least" if any(account.balance for account in accounts) else "unknown"


def bounded(worth: Bound, text: str) -> str:
    """A figure or what stands beside it, with what it is worth before it; "unknown" for no figure."""
    if worth == "unknown":
        return worth
    return text if worth == "exact" else f"{worth} {text}"


def labelled(label: str, worth: Bound) -> str:
    """A label with what its figure is worth."""
    if worth == "unknown":
        return f"{label}: unknown, counted as"
    return label if worth == "exact" else f"{label}, {worth}"


def describe_fund(plan: Plan, currency: str) -> str:
    """How far the emergency fund is from its target, which is not reached where too little is known."""
    fund = plan.emergency_fund
    if fund.target_amount == 0:
        return "no target: essentials are unknown"
    if fund.gap == 0:
        is_open = fund.months_to_target is None
        missing = "of {}; no gap found yet" if is_open else "target of {} reached"
        return missing.format(fund.target_months)
    gap = figures.whole_money(fund.gap, currency)
    if fund.months_to_target is None:
        return f"of {fund.target_months}; {gap} to go"
    months = figures.count(fund.months_to_target, "month")
    return f"of {fund.target_months}; {gap} to go, full in {months}"


def describe_debt(plan: Plan, worth: Bound, currency: str) -> str:
    """What is to be done about what the cards owe; how long it takes is not told of a part of it."""
    debt = plan.debt
    payment = f"{figures.whole_money(debt.monthly_payment, currency)} a month"
    if worth != "exact":
        is_paid_down = debt.strategy == "paydown"
        part = f"{payment} on the known part"
        return f"{worth}; {part if is_paid_down else 'a balance is missing'}"
    if debt.strategy == "none":
        return "nothing owed"
    if debt.strategy == "pay_in_full":
        return "owed; pay in full from cash"
    if debt.months_to_clear is None:
        return f"owed; {payment} never pays it off"
    # What the starter fund takes now, the cards get later.
    grows = " at first" if plan.emergency_fund.monthly_contribution else ""
    return f"owed; {payment}{grows}, paid off in {figures.count(debt.months_to_clear, 'month')}"


_UNLINKED = "A {} that you pay is not linked, so totals exclude its debt."


def list_unknowns(accounts: Accounts, standing: PlanStanding | None) -> Iterator[str]:
    """What the figures lack, a sentence each."""
    names = plan_text.without_balance(accounts)
    if names and plan_text.cash_is_unknown(accounts):
        yield f"Cash, net worth and safe to spend are unknown: {_describe_missing(names)}."
    elif names:
        yield f"Totals exclude accounts without a balance: {page.listed(names)}."
    linked = [
        account for account in accounts if account.kind == "credit" and account.role == "debt"
    ]
    if standing is not None and "debt" in standing.at_most and not _has_unknown(linked):
        yield _UNLINKED.format("card")
    unlinked = () if standing is None else standing.unlinked
    if "loan" in unlinked:
        yield _UNLINKED.format("loan")
    if "savings" in unlinked:
        yield "Your savings or investments are not linked, so totals exclude their balance."


def _describe_missing(names: Sequence[str]) -> str:
    balance, is_missing = ("balance", "is") if len(names) == 1 else ("balances", "are")
    return f"the {balance} of {page.listed(names)} {is_missing} missing"


def describe_estimate(
    plan: Plan, standing: PlanStanding, tasks: Sequence[Task], currency: str
) -> Iterator[str]:
    """That a plan is provisional, by how much, and what answers it; nothing of a firm plan."""
    if not standing.provisional:
        return
    deposits = ""
    if standing.money_in_unknown:
        unanswered = figures.whole_money(standing.money_in_unknown, currency)
        deposits = f"{unanswered} of deposits a month may be income"
    if not standing.money_unknown:
        yield f"Estimate: {deposits}. Answer: `finplan tasks answer`."
        return
    share = figures.share(standing.unknown_share)
    unknown = figures.whole_money(standing.money_unknown, currency)
    totals = {category.category: category.total for category in plan.categories}
    reasons_of = {
        "uncategorized": "is not categorized yet",
        "unlinked_card": "is on a card that is not linked",
    }
    why = [reason for key, reason in reasons_of.items() if totals.get(key, 0) > 0]
    why = why or [reasons_of["uncategorized"]]
    spending = f"{share} of spending ({unknown} a month) {' or '.join(why)}"
    yield f"Estimate: {f'{deposits}, and ' if deposits else ''}{spending}."
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
            else "Link that card or import its statements."
        )


def _way_to_know(tasks: Sequence[Task], currency: str) -> str:
    spent = [task for task in tasks if isinstance(task, CategorizePayee) and task.total > 0]
    largest = sorted(spent, key=lambda task: -task.total)
    if not largest:
        return "List it with `finplan transactions --category uncategorized`."
    decided = " and ".join(
        f"{task.payee} ({figures.whole_money(task.total, currency)})" for task in largest[:_NAMED]
    )
    return f"Largest totals: {decided}. Answer: `finplan tasks answer`."


# --- fund and debts ------------------------------------------------------------------------------


def _fund(view: PlanView, how: Locale) -> tuple[page.TableCell, page.Phrase]:
    """How long cash lasts, and how far that is from the target."""
    plan, fund = view.plan, view.plan.emergency_fund
    bounds = worths_of(view)
    remark = describe_fund(plan, how.currency)
    if bounds.cash == "unknown":
        return page.UNKNOWN, "needs the balance of your cash"
    if bounds.available == "unknown":
        return page.UNKNOWN, remark
    months = f"{fund.months_covered:.1f}"
    if bounds.available == "exact":
        return page.TextSpan(f"{months} months", "strong"), remark
    bounded = f"{bounds.available} {months}"
    return page.TextSpan(f"{bounded} months", "strong", short=bounded), page.TextSpan(
        remark, short=f"months {remark}"
    )


def fund_and_debts(view: PlanView, how: Locale, *, loans: bool) -> tuple[page.Fact, ...]:
    """The fund and what cards owe, and `loans` as well, a fact each."""
    facts = [page.Fact("Emergency fund", *_fund(view, how)), *_list_debts(view, how)]
    return tuple(facts if loans else (fact for fact in facts if fact.label != "Loans"))


def _list_debts(view: PlanView, how: Locale) -> Iterator[page.Fact]:
    plan, debt, loans = view.plan, view.plan.debt, view.plan.snapshot.other_debt
    bounds = worths_of(view)
    if bounds.cards == "unknown":
        yield page.Fact("Credit cards", page.UNKNOWN, "balance missing")
    elif debt.cards:
        remark = describe_debt(plan, bounds.cards, how.currency)
        yield page.Fact("Credit cards", _debt(debt.total, how), remark)
    if loans:
        remark = "at least; owed" if bounds.loans == "at least" else "owed"
        yield page.Fact("Loans", _debt(loans, how), remark)
    elif bounds.loans == "unknown":
        yield page.Fact("Loans", page.UNKNOWN, "balance missing")


def _debt(amount: int, how: Locale) -> Money:
    return how.figure(amount, "strong bad" if amount < 0 else "strong")


def fund(view: PlanView, how: Locale) -> page.Section:
    """How long the household lasts on its cash, what is missing, and the way there."""
    reserve = view.plan.emergency_fund
    facts = [page.Fact("Covers", *_fund(view, how))]
    if facts[0].value is page.UNKNOWN:
        return page.Section("fund", "Emergency fund", (page.FactList(tuple(facts)),))
    if reserve.target_amount:
        goal = f"{figures.count(reserve.target_months, 'month')} of essentials"
        if reserve.target_amount > reserve.target_months * view.running.essentials:
            goal += " and uncategorized recurring charges"
        facts.append(page.Fact("Target", how.rounded(reserve.target_amount), goal))
    if reserve.gap and reserve.monthly_contribution:
        aside = how.rounded(reserve.monthly_contribution)
        facts.append(page.Fact("Set aside", aside, "a month"))
    there = reserve.target_amount - reserve.gap
    # A full bar says that the target is reached.
    is_open = reserve.gap == 0 and reserve.months_to_target is None
    blocks: list[page.PageBlock] = [page.FactList(tuple(facts))]
    if reserve.target_amount and not is_open:
        bar = page.ShareBar(there, reserve.target_amount, "good", rest=True)
        blocks.append(page.table(("=",), [(bar,)]))
    return page.Section("fund", "Emergency fund", tuple(blocks))


def debts(view: PlanView, how: Locale) -> page.Section:
    """Each card with what it owes, the loans, and the way out."""
    facts, cards = tuple(_list_debts(view, how)), view.plan.debt.cards
    if not facts:
        return page.Section("debts", "Debts", (page.Sentence("Nothing owed."),))
    blocks: list[page.PageBlock] = [page.FactList(facts)]
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
            page.table(("card!", "owed>", "limit>", "used>"), rows, spoken="Credit cards")
        )
    return page.Section("debts", "Debts", tuple(blocks))

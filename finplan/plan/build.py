"""A plan, section by section."""

from datetime import date, timedelta
from functools import partial

from finplan.model.plan import Plan, Window
from finplan.plan.advise.actions import next_actions
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.notes import notes
from finplan.plan.advise.tasks import payee_questions
from finplan.plan.bookkeeping import keep_books
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import shown_accounts
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.expected import AHEAD, Period, period_of, what_is_expected
from finplan.plan.live.forecast import look_ahead
from finplan.plan.live.lump_sum import lump_sum, rare_bills_ahead
from finplan.plan.live.schedule import cash_schedule
from finplan.plan.live.view import CashAhead, cash_guard, usual_needs
from finplan.plan.sections import debt
from finplan.plan.sections.budget import budget_items, live_on_savings
from finplan.plan.sections.emergency import emergency_fund, fund_base, fund_target, kept_in_cash
from finplan.plan.sections.missing_accounts import missing_accounts
from finplan.plan.sections.monthly import PlannedMonth, monthly_section, plan_month, take_means
from finplan.plan.sections.spending import income_sources, plan_categories, recurring_charges
from finplan.plan.sections.standing import take_standing
from finplan.plan.sections.wealth import knows_cash, take_snapshot


def build_plan(ledger: Ledger, today: date) -> Plan:
    """The plan of a household on a day; the same ledger and day give the same plan, byte for byte."""
    return plan_of(assess(ledger, keep_books(ledger, today), today))


def plan_of(household: Assessment) -> Plan:
    """The plan that an assessment comes to."""
    ledger, books = household.ledger, household.books
    return Plan(
        generated_on=household.today,
        window=Window.of(
            books.window,
            months=float(books.window.months),
            account_count=sum(1 for _ in shown_accounts(ledger)),
        ),
        snapshot=household.snapshot,
        monthly=monthly_section(household.means, household.budget[1].target),
        categories=tuple(household.categories),
        income_sources=income_sources(books),
        recurring=recurring_charges(books),
        emergency_fund=household.fund,
        debt=debt.debt_section(
            household.cards, household.payoff, cards_unknown=household.standing.cards_unknown
        ),
        budget=household.budget,
        actions=next_actions(household),
        notes=notes(household),
    )


def assess(ledger: Ledger, books: Books, today: date) -> Assessment:
    """Work out every figure of a plan from posted rows; `books` are the ledger's on that day."""
    snapshot = take_snapshot(ledger)
    means = take_means(books, ledger.catalogue)
    planned = plan_month(ledger, books)
    standing = take_standing(ledger, books)
    cash, base = snapshot.liquid_cash, fund_base(planned, standing)
    reserve = kept_in_cash(base, planned.income)

    cards = debt.card_uses(ledger, books, spare=cash - reserve)
    strategy = debt.choose_strategy(cards, cash, reserve + rare_bills_ahead(books, today))
    owed = sum(card.owed for card in cards)
    target = fund_target(
        books,
        base=base,
        strategy=strategy,
        liquid_cash=cash,
        owed=owed,
        own_months=ledger.settings.target_months,
        costs_little=debt.costs_little(cards),
    )
    living = live_on_savings(
        ledger, books, planned, snapshot, base=base, strategy=strategy, owed=owed
    )
    missing = missing_accounts(ledger, books, means)
    period = period_of(books.sources, today)
    known_cash = cash if knows_cash(ledger) else None
    # Cash is looked at for a month after the next period.
    until = period_of(books.sources, period.end).end + timedelta(AHEAD)
    schedule = cash_schedule(ledger, books, cards, known_cash, (), period, today, until)
    guard = cash_guard(schedule, period).free
    ahead = partial(look_ahead, ledger, books, cards, known_cash, period=period, today=today)
    outlook = ahead(pending=()) if _is_close(guard, planned, period, today) else None
    pay = partial(
        debt.payoff_plan, cards, strategy, target, means, planned, cash, ledger.settings.currency
    )
    payoff, lump = pay(), None
    dear = strategy == "paydown" and debt.dear_cards(payoff.revolving)
    if dear and not standing.cards_unknown:
        # What is on its way to a card is not advised once more, so that this one knows what is pending.
        least = debt.least_minimum(ledger.settings.currency)
        with_pending = ahead(pending=ledger.pending)
        lump = lump_sum(ledger, books, planned, payoff, target, with_pending, period, least)
        payoff = pay(lump=lump.amount)
    expected = what_is_expected(ledger, books, cards, (), period, today)
    return Assessment(
        ledger=ledger,
        books=books,
        today=today,
        snapshot=snapshot,
        means=means,
        planned=planned,
        standing=standing,
        living=living,
        categories=plan_categories(books, ledger.catalogue, means),
        cards=cards,
        payoff=payoff,
        target=target,
        fund=emergency_fund(target, payoff.waterfall, standing),
        budget=budget_items(
            means,
            planned,
            ledger.settings.budget_shares,
            living,
            income_is_missing=any(finding.missing == "income" for finding in missing),
        ),
        period=period,
        upcoming=expected.charges,
        guard=guard,
        lump=lump,
        outlook=outlook if outlook is not None and outlook.has_ranges else None,
        ahead=CashAhead(schedule, usual_needs(ledger, books)) if known_cash is not None else None,
        missing=missing,
        questions=payee_questions(ledger, books, today),
    )


def _is_close(guard: int | None, planned: PlannedMonth, period: Period, today: date) -> bool:
    """Whether cash hardly lasts until payday, so that it matters how far it strays.

    Paths take long to draw, and who has twice what the days until then cost on average needs none.
    """
    needed = 2 * planned.spend * 12 * (period.end - today).days
    return guard is not None and 0 <= 365 * guard < needed

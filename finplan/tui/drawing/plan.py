"""The sections of the plan as pages: where the money goes, what is regular, what to do."""

from collections.abc import Mapping

from textual.content import Content

from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.explain import Explanation, formula_said, written
from finplan.model.plan import BudgetKey, Plan
from finplan.model.snapshot import Forecast, PlanView, Wealth
from finplan.tui.drawing.charts import Band, bar, line
from finplan.tui.drawing.lines import (
    BAD,
    CAUTION,
    FAINT,
    GOOD,
    STRONG,
    ends,
    heading,
    itemised,
    page,
    row,
    sentences,
    styled,
    wrapped,
)
from finplan.tui.drawing.overview import MONTHS_TOLD, band_of, told_lines

AMOUNT, LABEL = 11, 24
LINE_STYLES = {"essential": "$primary", "discretionary": "$secondary"}
MOVED_SHOWN = 14


def draw_flow(view: PlanView, currency: str, width: int, *, aloud: bool = False) -> Content:
    """A month's income, what each category takes of it, and what is left."""
    plan = view.plan
    items = {item.key: item for item in plan.budget}
    lines = [heading("Where the money goes", plan_words.window_said(plan), width)]
    said = " ".join(standing_words.provisional_said(plan, view.standing, view.open_tasks, currency))
    lines += sentences(said, width, CAUTION) if said else []
    for changed in view.running.text:
        lines += sentences(changed, width, FAINT)
    lines.append(_amount("Income", plan.monthly.income, currency, width))
    most = max((each.monthly for each in plan.categories), default=0)
    keys: tuple[tuple[str, BudgetKey], ...] = (
        ("essential", "essentials"),
        ("discretionary", "discretionary"),
    )
    for spent, key in keys:
        item = items[key]
        limit = plan_words.target_limit(plan, item.key)
        target = "" if limit is None else f"{limit[0]} {figures.whole_money(item.target, currency)}"
        lines.append(_amount(item.label, item.current, currency, width, target))
        for each in plan.categories:
            if each.line == spent:
                room = 0 if aloud else width - LABEL - AMOUNT - 8
                drawn = bar(each.monthly, most, room, LINE_STYLES[spent])
                share = figures.share(each.share_of_spend) if each.monthly > 0 else ""
                amount = figures.fitted(each.monthly, currency, AMOUNT)
                cells = ((f"  {each.label}", LABEL), (amount, -AMOUNT), (share, -5))
                lines.append(row(*cells, (drawn, drawn.cell_length)))
    label, units = plan_words.left_over_headline(plan, currency)
    figure = styled(figures.units_money(units, currency), BAD if plan.monthly.surplus < 0 else GOOD)
    lines.append(row((styled(label, STRONG), LABEL), (figure, -AMOUNT)))
    saved = figures.money(plan.monthly.saved, currency)
    lines.append(styled(f"Really put aside: {saved} a month", FAINT))
    return page(lines)


def _amount(label: str, amount: int, currency: str, width: int, remark: str = "") -> Content:
    figure = styled(figures.fitted(amount, currency, AMOUNT), STRONG)
    rest = width - LABEL - AMOUNT - 2
    return row((styled(label, STRONG), LABEL), (figure, -AMOUNT), (styled(remark, FAINT), rest))


def draw_actions(view: PlanView, currency: str, width: int) -> Content:
    """What to do next with its reasons."""
    plan = view.plan
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return page([heading("What to do next", "", width), *sentences(said, width)])
    lines = [heading("What to do next", "", width)]
    for action in plan.actions:
        amount = plan_words.amount_beside(action, currency)
        title = styled(f"{action.priority} {action.title}", "bold $text-primary")
        lines += [ends(title, styled(amount), width), *sentences(action.detail, width, indent=2)]
        lines.append(Content(""))
    return page(lines[:-1])


def draw_income(view: PlanView, currency: str, width: int) -> Content:
    """Who pays, how much and how often."""
    lines = [heading("Income", "", width)]
    if not view.plan.income_sources:
        return page([*lines, styled("No income has been seen.", FAINT)])
    for each in view.plan.income_sources:
        cadence = each.cadence.replace("_", " ")
        next_ = "" if each.next_date is None else f"next {figures.short_date(each.next_date)}"
        state = next_ if each.active else f"over, {each.last_date:%b %Y}"
        amount = figures.fitted(each.amount, currency, AMOUNT)
        style = "" if each.active else FAINT
        lines.append(
            row(
                (styled(each.name, style), max(12, width - 43)),
                (styled(amount, style), -AMOUNT),
                (styled(cadence, FAINT), 12),
                (styled(state, FAINT), 15),
            )
        )
    return page(lines)


def draw_regular(view: PlanView, currency: str, width: int) -> Content:
    """Charges that come again, and what they come to."""
    charges, fees = live_words.regular_charges(view.plan, view.snapshot)
    said = live_words.charges_said(view.plan, view.snapshot, currency)
    lines = [heading("Regular charges", said, width)]
    for each in charges:
        amount = figures.fitted(each.amount, currency, AMOUNT)
        cadence, day = each.cadence.replace("_", " "), figures.short_date(each.next_date)
        lines.append(
            row(
                (each.name, max(12, width - 41)),
                (amount, -AMOUNT),
                (styled(cadence, FAINT), 12),
                (styled(day, FAINT), 13),
            )
        )
    if fees:
        amount = figures.fitted(sum(each.monthly for each in fees), currency, AMOUNT)
        lines.append(
            row(
                (f"+ {live_words.FEES}", max(12, width - 41)),
                (amount, -AMOUNT),
                (styled("monthly", FAINT), 12),
            )
        )
    return page(lines)


def draw_fund(view: PlanView, currency: str, width: int, *, aloud: bool = False) -> Content:
    """How long cash lasts, and the way to the target."""
    plan, fund = view.plan, view.plan.emergency_fund
    worth = standing_words.worths(plan.snapshot.accounts, view.standing).available
    covered = standing_words.bounded(worth, f"{fund.months_covered:.1f} months")
    lines = [
        heading("Emergency fund", "", width),
        row(("Covered", 20), (styled(covered, STRONG), width - 21)),
    ]
    if fund.target_amount:
        target = f"{fund.target_months} months, {figures.money(fund.target_amount, currency)}"
        lines.append(row(("Target", 20), (target, width - 21)))
        have = fund.target_amount - fund.gap
        lines += [] if aloud else [bar(have, fund.target_amount, width, "$success")]
        lines.append(row(("Missing", 20), (figures.money(fund.gap, currency), width - 21)))
        each_month = figures.money(fund.monthly_contribution, currency)
        lines.append(row(("A month", 20), (each_month, width - 21)))
    lines += sentences(standing_words.fund_said(plan, currency), width, FAINT)
    return page(lines)


def draw_debt(view: PlanView, currency: str, width: int, *, aloud: bool = False) -> Content:
    """What each card is owed, how much of its limit that is, and the way out."""
    plan, debt = view.plan, view.plan.debt
    worth = standing_words.worths(plan.snapshot.accounts, view.standing).cards
    total = standing_words.bounded(worth, figures.owed_money(debt.total, currency))
    lines = [heading("Credit cards", total if debt.cards else "none linked", width)]
    for card in debt.cards:
        used = "" if card.utilization is None else f"{figures.share(card.utilization)} of its limit"
        owed = figures.owed_money(card.balance, currency)
        lines.append(row((card.name, max(12, width - 40)), (owed, -20), (styled(used, FAINT), 18)))
        if card.limit and card.limit > 0 and not aloud:
            lines.append(bar(max(0, card.balance), card.limit, width, "$warning"))
    if debt.cards:
        lines += sentences(standing_words.debt_said(plan, worth, currency), width, FAINT)
    if plan.snapshot.other_debt:
        lines.append(
            row(("Loans", 20), (figures.owed_money(plan.snapshot.other_debt, currency), width - 21))
        )
    return page(lines)


def draw_ahead(forecast: Forecast | None, currency: str, width: int, *, aloud: bool) -> Content:
    """Cash in the days ahead as a line in its range, and the days that move it."""
    if forecast is None or not forecast.days or forecast.start is None or forecast.low is None:
        notes = () if forecast is None else forecast.notes
        told = [each for note in notes for each in sentences(note, width, FAINT)]
        return page([heading("The days ahead", live_words.NOT_KNOWN_YET, width), *told])
    low = forecast.low
    lowest = f"lowest {figures.money(low.expected, currency)} on {figures.short_date(low.date)}"
    lines = [heading("The days ahead", styled(lowest, BAD if low.expected < 0 else FAINT), width)]
    days = forecast.days
    if aloud:
        weeks = [(figures.short_date(each.date), each.expected) for each in days[6::7]]
        lines += told_lines(weeks, currency, width)
    else:
        band = band_of(days)
        lines += line(band, width, 9, "$accent", "$accent 20%")
        first, last = figures.short_date(days[0].date), figures.short_date(days[-1].date)
        lines.append(ends(styled(first, FAINT), styled(last, FAINT), width))
        if band.low is not None:
            lines.append(styled("The band holds four evenings of five.", FAINT))
    moved = [day for day in days if any(item.kind != "spending" for item in day.items)]
    for day in moved[:MOVED_SHOWN]:
        items = [item for item in day.items if item.kind != "spending"]
        names = ", ".join(item.name for item in items)
        change = figures.fitted(sum(item.amount for item in items), currency, AMOUNT)
        cash = styled(
            figures.fitted(day.expected, currency, AMOUNT), BAD if day.expected < 0 else ""
        )
        lines.append(
            row(
                (styled(figures.short_date(day.date), FAINT), 10),
                (names, max(8, width - 37)),
                (change, -AMOUNT),
                (cash, -AMOUNT),
            )
        )
    if more := moved[MOVED_SHOWN:]:
        move = "moves" if len(more) == 1 else "move"
        lines.append(styled(f"and {figures.count(len(more), 'more day')} that {move} it", FAINT))
    for note in forecast.notes:
        lines += sentences(note, width, FAINT)
    return page(lines)


def draw_wealth(
    wealth: Wealth | None, view: PlanView, currency: str, width: int, *, aloud: bool
) -> Content:
    """What is owned and owed, and how net worth has gone."""
    worths = standing_words.worths(view.plan.snapshot.accounts, view.standing)
    if wealth is None:
        return page([heading("Net worth", "", width)])
    balances = wealth.balances
    worth = standing_words.bounded(worths.net_worth, figures.money(balances.net_worth, currency))
    lines = [heading("Net worth", styled(worth, STRONG), width)]
    told = (
        ("Cash", standing_words.bounded(worths.cash, figures.money(balances.cash, currency))),
        ("Investments", figures.money(balances.investments, currency)),
        ("Credit cards", figures.owed_money(balances.card_debt, currency)),
        ("Loans", figures.owed_money(balances.loans, currency)),
        (
            "Cash after cards",
            standing_words.bounded(worths.available, figures.money(balances.available, currency)),
        ),
    )
    lines += [row((label, 20), (figure, width - 21)) for label, figure in told]
    history = wealth.history
    if len(history) > 1:
        lines.append(Content(""))
        if aloud:
            told_months = [
                (f"{each.date:%B %Y}", each.net_worth) for each in history[-MONTHS_TOLD:]
            ]
            return page([*lines, *told_lines(told_months, currency, width)])
        worths_told = Band([each.net_worth for each in history])
        lines += line(worths_told, width, 8, "$success", "$surface")
        first = f"{history[0].date:%b %Y} {figures.whole_money(history[0].net_worth, currency)}"
        last = f"{history[-1].date:%b %Y} {figures.whole_money(history[-1].net_worth, currency)}"
        lines.append(ends(styled(first, FAINT), styled(last, FAINT), width))
    return page(lines)


def draw_notes(plan: Plan, width: int) -> Content:
    """What the figures leave out or assume."""
    lines = [heading("Notes", "", width)]
    for note in plan.notes:
        lines += itemised(note, width)
    return page(lines if plan.notes else [*lines, styled("Nothing is left out or assumed.", FAINT)])


def draw_explanation(
    explanation: Explanation, labels: Mapping[str, str], currency: str, width: int
) -> Content:
    """How the figures of a section come about, why, and from which rows."""
    lines = [heading(f"Why: {explanation.title.rstrip('.')}", "", width)]
    for figure in explanation.figures:
        result = written(figure.result, figure.unit, currency)
        style = STRONG if figure.formula is not None else ""
        lines.append(ends(styled(figure.label, style), styled(result, style), width))
        for said in formula_said(figure, explanation.figures, currency):
            lines += wrapped(said, width, FAINT, indent=2)
    for reason in explanation.reasons:
        lines += itemised(reason, width)
    for each in explanation.transactions:
        label = labels.get(each.category, each.category)
        amount = figures.fitted(each.amount, currency, AMOUNT)
        lines.append(
            row(
                (styled(f"{each.date}", FAINT), 10),
                (each.payee, max(8, width - 46)),
                (styled(label, FAINT), 20),
                (amount, -AMOUNT),
            )
        )
    if explanation.more is not None:
        lines.append(
            styled(f"and {explanation.more.count:,} more; S (Spending) has them all", FAINT)
        )
    return page(lines)

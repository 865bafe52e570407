"""What a person sees first: today's figure, what is due, what to do next, and how it has gone."""

from collections.abc import Sequence
from datetime import date

from textual.content import Content

from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.snapshot import Forecast, ForecastDay, PlanView, Wealth
from finplan.model.transaction import SpendingReport
from finplan.tui.drawing.charts import Band, ChartColumn, columns, line
from finplan.tui.drawing.lines import (
    BAD,
    CAUTION,
    FAINT,
    GOOD,
    STRONG,
    ends,
    heading,
    page,
    row,
    sentences,
    styled,
)

DUE_SHOWN = 7
CHART_LINES = 6
MONTHS_TOLD = 12
UNKNOWN = "unknown"


def draw_today(view: PlanView, currency: str, width: int) -> Content:
    """What is safe to spend today, why, and until when it has to last."""
    snapshot, plan = view.snapshot, view.plan
    head, amount = live_words.today_headed(snapshot)
    allowance = snapshot.allowance
    if plan_words.cash_is_unknown(plan.snapshot.accounts):
        figure, head = styled(UNKNOWN, CAUTION), live_words.SAFE_TODAY
        share = ""
    else:
        figure = styled(figures.money(amount, currency), BAD if allowance.today < 0 else GOOD)
        share = f"{figures.money(allowance.daily, currency)} a day, "
        share = "" if snapshot.waits_for_answers else share
    spent = f"{figures.money(allowance.spent_today, currency)} spent today"
    lines = [
        heading(head, "", width),
        ends(figure, styled(spent, FAINT), width),
        *sentences(f"{share}{live_words.days_said(snapshot)}", width, FAINT),
    ]
    warning = live_words.warning_said(plan, snapshot, currency)
    if warning:
        lines += sentences(warning, width, CAUTION)
    for label, told, is_total in live_words.breakdown_rows(snapshot, plan):
        style = STRONG if is_total else ""
        said = UNKNOWN if told is None else figures.fitted(told, currency, 13)
        lines.append(row((styled(label, style), width - 14), (styled(said, style), -13)))
    return page(lines)


def draw_due(view: PlanView, currency: str, width: int) -> Content:
    """The charges of the next thirty days, nearest first."""
    snapshot = view.snapshot
    known = live_words.due_is_known(snapshot)
    total = figures.money(snapshot.due.total, currency) if known else live_words.NOT_KNOWN_YET
    lines = [heading("Due in 30 days", total, width)]
    charges = live_words.due_soon(snapshot)
    if not charges:
        said = "Nothing is expected." if known else live_words.next_due_said(snapshot)
        lines += sentences(said, width, FAINT)
    shown = charges if len(charges) <= DUE_SHOWN + 1 else charges[:DUE_SHOWN]
    for charge in shown:
        lines.append(
            row(
                (styled(_day(charge.date), FAINT), 6),
                (charge.title, width - 19),
                (figures.fitted(charge.amount, currency, 11), -11),
            )
        )
    if rest := charges[len(shown) :]:
        amount = figures.fitted(sum(each.amount for each in rest), currency, 11)
        lines.append(row(("", 6), (styled(f"{len(rest)} more", FAINT), width - 19), (amount, -11)))
    if bills := live_words.card_bills_said(snapshot, currency):
        lines += sentences(bills, width, FAINT)
    return page(lines)


def draw_actions(view: PlanView, currency: str, width: int) -> Content:
    """What to do next, most useful first, and how to see why."""
    plan = view.plan
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return page([heading("What to do next", "", width), *sentences(said, width, FAINT)])
    lines = [heading("What to do next", "", width)]
    for action in plan.actions:
        amount = plan_words.amount_beside(action, currency)
        title = styled(action.title, "$text-primary")
        number = styled(str(action.priority), FAINT)
        lines.append(row((number, 1), (ends(title, styled(amount), width - 2), width - 2)))
    return page(lines)


def draw_months(
    months: SpendingReport | None, currency: str, width: int, *, aloud: bool
) -> Content:
    """Spending of the last months as columns, or as figures where a screen reader reads."""
    if months is None or not months.groups:
        return page(
            [heading("Spending by month", "", width), styled("No month is whole yet.", FAINT)]
        )
    groups = months.groups[-12:]
    mean = figures.whole_money(round(sum(each.total for each in groups) / len(groups)), currency)
    lines = [heading("Spending by month", f"{mean} a month", width)]
    if aloud:
        told = [(_month(each.key, long=True), each.total) for each in groups]
        return page([*lines, *told_lines(told, currency, width)])
    drawn = [ChartColumn(_month(each.key), each.total) for each in groups]
    return page([*lines, *columns(drawn, width, CHART_LINES, "$primary")])


def draw_worth(
    wealth: Wealth | None, view: PlanView, currency: str, width: int, *, aloud: bool
) -> Content:
    """Net worth today and how it came to that."""
    worth = figures.whole_money(view.snapshot.balances.net_worth, currency)
    bound = standing_words.worths(view.plan.snapshot.accounts, view.standing).net_worth
    lines = [heading("Net worth", standing_words.bounded(bound, worth), width)]
    if wealth is None or len(wealth.history) < 2:
        return page([*lines, styled("No history yet.", FAINT)])
    history = wealth.history
    first, last = history[0], history[-1]
    change = figures.difference(last.net_worth - first.net_worth, currency) or "unchanged"
    said = f"{change} since {first.date:%b %Y}"
    values = [each.net_worth for each in history]
    if aloud:
        told = [(f"{each.date:%B %Y}", each.net_worth) for each in history[-MONTHS_TOLD:]]
        return page([*lines, *told_lines(told, currency, width), styled(said, FAINT)])
    lines += line(Band(values), width, CHART_LINES - 2, "$success", "$surface")
    lines.append(ends(styled(f"{first.date:%b %Y}", FAINT), styled(said, FAINT), width))
    return page(lines)


def draw_ahead(forecast: Forecast | None, currency: str, width: int, *, aloud: bool) -> Content:
    """Cash in the days ahead, with the lowest day."""
    low = None if forecast is None else forecast.low
    if forecast is None or low is None or not forecast.days:
        return page([heading("The days ahead", "", width), styled(live_words.NOT_KNOWN_YET, FAINT)])
    lowest = figures.whole_money(low.expected, currency)
    told = styled(f"lowest {lowest}, {_day(low.date).strip()}", BAD if low.expected < 0 else FAINT)
    lines = [heading("The days ahead", told, width)]
    days = forecast.days
    if aloud:
        told_days = [(figures.short_date(each.date), each.expected) for each in days[6::7]]
        return page([*lines, *told_lines(told_days, currency, width)])
    lines += line(band_of(days), width, CHART_LINES - 2, "$accent", "$accent 20%")
    last = days[-1]
    said = f"{_day(last.date).strip()} {figures.whole_money(last.expected, currency)}"
    lines.append(ends(styled("today", FAINT), styled(said, FAINT), width))
    return page(lines)


def band_of(days: Sequence[ForecastDay]) -> Band:
    """Cash in the days ahead with its range, where all of them have one."""
    expected = [each.expected for each in days]
    if any(each.low is None or each.high is None for each in days):
        return Band(expected)
    return Band(expected, [each.low or 0 for each in days], [each.high or 0 for each in days])


def told_lines(told: Sequence[tuple[str, int]], currency: str, width: int) -> list[Content]:
    """Figures in the place of a picture: what each is of, and how much."""
    return [
        row((name, width - 14), (figures.whole_money(amount, currency), -13))
        for name, amount in told
    ]


def _day(day: date) -> str:
    return f"{day.day:>2} {day:%b}"


def _month(key: str, *, long: bool = False) -> str:
    first = date.fromisoformat(f"{key}-01")
    return f"{first:%B %Y}" if long else f"{first:%b}"

"""The pictures of the page: months, net worth, the days ahead, bills, and where the money goes."""

from collections.abc import Iterator

from finplan.daemon.surfaces.pages.markup import Markup, element
from finplan.daemon.surfaces.pages.parts import (
    UNKNOWN,
    Locale,
    bounded,
    cell,
    row,
    section,
    sentence,
    table,
)
from finplan.daemon.surfaces.pages.plan_money import SPENDING_LINES, categories_of
from finplan.model import figures
from finplan.model.live import words as live_words
from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from finplan.model.standing import words as standing_words
from finplan.pictures import bars, lines
from finplan.pictures.plot import Picture
from finplan.service.planning.pictured import PicturedPlan

_BARS = 10
"""As many categories have a bar of their own; what the others take has one together."""


def months(drawn: PicturedPlan, locale: Locale) -> Markup:
    """What came in and what was spent, month by month."""
    title = "Income and spending"
    if not drawn.months:
        return section("months", title, element("p", "Nothing to draw yet."))
    known = [
        bars.MonthOfMoney(each.first, each.income, each.spending, each.whole)
        for each in drawn.months
    ]
    return section("months", title, *_figure(bars.in_and_out(known, locale.currency)))


def net_worth(drawn: PicturedPlan, locale: Locale) -> Markup:
    """How net worth has moved, as far as all that it rests on is known."""
    title, view = "Net worth", drawn.view
    worth = standing_words.worths(view.plan.snapshot.accounts, view.standing).net_worth
    today = bounded(worth, locale.rounded(drawn.wealth.balances.net_worth))
    if worth == "unknown":
        why = "A balance that it rests on was not told."
        return section("worth", title, element("p", UNKNOWN, ". ", why))
    points = [lines.Point(each.date, each.net_worth) for each in drawn.wealth.history]
    if not points or not view.plan.snapshot.accounts:
        return section("worth", title, element("p", "Nothing to draw yet."))
    picture = lines.net_worth(points, locale.currency, worth)
    return section("worth", title, *_figure(picture), remark=element("span", today, " today"))


def days_ahead(drawn: PicturedPlan, locale: Locale) -> Markup:
    """Expected cash evening by evening, and what it rests on."""
    forecast = drawn.forecast
    title = "The days ahead"
    notes = [element("p", sentence(note), class_="soft small") for note in forecast.notes]
    if not forecast.days:
        return section("ahead", title, element("p", "Not known yet."), *notes)
    days = [lines.DayAhead(each.date, each.expected, each.low, each.high) for each in forecast.days]
    picture = lines.days_ahead(days, locale.currency)
    return section("ahead", title, *_figure(picture), *notes)


def bills_ahead(snapshot: Snapshot, locale: Locale) -> Markup:
    """What is due in thirty days, by its day; the list of it stands further down."""
    title = "Bills ahead"
    if not live_words.due_is_known(snapshot):
        said = f"Not known yet: {live_words.next_due_said(snapshot)}."
        return section("bills", title, element("p", said))
    due = [
        bars.DrawnBill(each.date, each.name, each.amount) for each in live_words.due_soon(snapshot)
    ]
    if not due:
        return section("bills", title, element("p", "Nothing expected."))
    picture = bars.bills_ahead(
        due, locale.today, snapshot.due.until, snapshot.allowance.payday, locale.currency
    )
    total = figures.money(snapshot.due.total, locale.currency)
    said = f"{total} to {figures.short_date(snapshot.due.until)}"
    return section("bills", title, _drawing(picture), remark=said)


def where_it_goes(plan: Plan, locale: Locale) -> Markup | None:
    """The largest categories of a month as bars; nothing where nothing is spent."""
    spent = sorted(_category_bars(plan, locale.currency), key=lambda each: -each.amount)
    drawn = spent if len(spent) <= _BARS + 1 else spent[:_BARS]
    if rest := spent[len(drawn) :]:
        together = sum(each.amount for each in rest), sum(each.units or 0 for each in rest)
        drawn.append(bars.Bar(f"{len(rest)} others", together[0], "others", together[1]))
    if not any(each.amount for each in drawn):
        return None
    return _drawing(bars.where_it_goes(drawn, locale.currency))


def _category_bars(plan: Plan, currency: str) -> Iterator[bars.Bar]:
    """A bar for each category, with the whole units that the table beside them has for it."""
    for line, _ in SPENDING_LINES:
        for category, units in categories_of(plan, line, currency):
            yield bars.Bar(category.label, category.monthly, line, units)


def _figure(picture: Picture) -> Iterator[Markup]:
    """A picture, and the same in figures for who asks for them."""
    yield _drawing(picture)
    yield element(
        "details", element("summary", "In figures"), _in_figures(picture), class_="unprinted"
    )


def _drawing(picture: Picture) -> Markup:
    return element("figure", Markup(picture.svg()))


def _in_figures(picture: Picture) -> Markup:
    heads = [(head, place > 0) for place, head in enumerate(picture.figures.heads)]
    rows = (
        row(label, *(cell(figure, figure=True) for figure in told))
        for label, *told in picture.figures.rows
    )
    return table(f"{picture.title} in figures", heads, rows)

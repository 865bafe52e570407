"""The plan as a page that a person opens in a browser: one file, without scripts and other files.

What matters most comes first: what to do, then how it has gone and where it goes, then the lists. Its
pictures are of months, net worth, the days ahead, bills, and where the money goes.
"""

import base64
import hashlib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

from finplan.daemon.surfaces.pages import plan_lists as lists, plan_money as money
from finplan.daemon.surfaces.pages.markup import (
    PRINTED,
    UNKNOWN,
    Locale,
    Markup,
    banner,
    bounded,
    cell,
    command,
    element,
    joined,
    not_printed,
    row,
    section,
    sentence,
    table,
)
from finplan.daemon.surfaces.pages.plan_money import SPENDING_LINES, categories_of
from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.plan import Plan
from finplan.model.snapshot import PlanView, Snapshot
from finplan.model.user import HouseholdSettings
from finplan.pictures import bars, lines
from finplan.pictures.plot import Picture
from finplan.pictures.sheet import style as pictures_style
from finplan.service.planning.views import PicturedPlan

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


def policy() -> str:
    """The content security policy of the page: its own style and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def draw(
    drawn: PicturedPlan, settings: HouseholdSettings, today: date, notice: str | None = None
) -> bytes:
    """Draw the plan for a person whose settings tell the currency and the time zone."""
    locale, view = Locale.of(settings, today), drawn.view
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title_of_plan(view)} – finplan"),
        element("style", Markup(_style())),
    )
    body = element(
        "body",
        element("a", "Skip to the plan", class_="skip", href="#plan"),
        banner(notice),
        _header(view, locale),
        element("main", *_sections(drawn, locale), id="plan"),
        _footer(),
    )
    page = joined(Markup("<!DOCTYPE html>"), element("html", head, body, lang="en"), "\n")
    return page.encode()


def title_of_plan(view: PlanView) -> str:
    """What a page with a plan is called."""
    return f"Your plan of {figures.long_date(view.plan.generated_on)}"


def content(
    drawn: PicturedPlan, settings: HouseholdSettings, today: date, questions_at: str | None = None
) -> Iterator[Markup]:
    """All that a page with a plan shows, for a page with a frame of its own.

    `questions_at` is where the person answers questions, in the place of commands.
    """
    locale = Locale.of(settings, today)
    yield _header(drawn.view, locale)
    yield from _sections(drawn, locale, questions_at)
    yield _footer()


@cache
def _style() -> str:
    """The style of the plan and of the pictures on it."""
    return Path(__file__).with_name("plan.css").read_text(encoding="utf-8") + pictures_style()


def summary(drawn: PicturedPlan, settings: HouseholdSettings, today: date) -> Iterator[Markup]:
    """What a page in the middle of a conversation shows of a plan: what to do, and the pictures."""
    locale, view = Locale.of(settings, today), drawn.view
    yield _header(view, locale)
    yield lists.actions(view.plan, locale)
    yield _pair(months(drawn, locale), net_worth(drawn, locale))
    yield _pair(days_ahead(drawn, locale), bills_ahead(view.snapshot, locale))
    yield money.flow(view.plan, where_it_goes(view.plan, locale), locale)


def _header(view: PlanView, locale: Locale) -> Markup:
    return element(
        "header",
        element("h1", title_of_plan(view)),
        element("p", _made_from(view, locale), class_="soft"),
        _way_to_bring_data() if view.plan.window.transaction_count == 0 else None,
        _provisional(view, locale),
        money.headline(view, locale),
        *(element("p", said, class_="soft") for said in view.running.text),
    )


def _provisional(view: PlanView, locale: Locale) -> Markup | None:
    """What of spending is unknown, and what answers it; nothing of a firm plan."""
    said = " ".join(
        standing_words.provisional_said(view.plan, view.standing, view.open_tasks, locale.currency)
    )
    return element("p", sentence(said), class_="provisional") if said else None


def _made_from(view: PlanView, locale: Locale) -> str:
    said = plan_words.window_said(view.plan)
    return f"{said[0].upper()}{said[1:]}. Built on {locale.moment(view.created_at)}."


def _way_to_bring_data() -> Markup:
    return element(
        "p",
        "Bring transactions in with ",
        command("finplan import FILE"),
        " or ",
        command("finplan connections sync"),
        ", then build the plan anew: ",
        command("finplan plan build"),
        ".",
    )


def _sections(
    drawn: PicturedPlan, locale: Locale, questions_at: str | None = None
) -> Iterator[Markup]:
    view, snapshot = drawn.view, drawn.view.snapshot
    yield lists.actions(view.plan, locale)
    yield _pair(months(drawn, locale), net_worth(drawn, locale))
    yield _pair(days_ahead(drawn, locale), bills_ahead(snapshot, locale))
    yield element("div", *_lists(view, locale, questions_at), class_="lists")
    yield _left_out_of_print(view)


def _lists(view: PlanView, locale: Locale, questions_at: str | None) -> Iterator[Markup]:
    """What stands in figures, which a sheet of paper has in two columns."""
    plan, snapshot = view.plan, view.snapshot
    yield money.flow(plan, where_it_goes(plan, locale), locale)
    yield _pair(
        money.safe_to_spend(plan, snapshot, locale), money.breakdown(plan, snapshot, locale)
    )
    yield lists.questions(view.open_tasks, locale, questions_at)
    yield _pair(money.fund(view, locale), money.debts(view, locale))
    yield money.budget(plan, locale)
    yield _pair(lists.recurring(plan, snapshot, locale), lists.upcoming(snapshot, locale))
    yield _pair(lists.income(plan, locale), money.this_month(plan, snapshot, locale))
    yield lists.accounts(view, locale)
    yield lists.data_age(view.data_age, locale)
    yield _notes(view, locale)


def _left_out_of_print(view: PlanView) -> Markup:
    """What a sheet of paper lacks, told on that alone."""
    questions = figures.count(len(view.open_tasks), "open question")
    asked = f"{questions}, " if view.open_tasks else ""
    said = (
        f"Not printed, and on the page itself: {asked}smaller categories one by one, the budget"
        " split, how the allowance comes about, how fresh the data are, and the figures of the pictures."
    )
    return element("p", said, class_="printed soft")


def _pair(left: Markup, right: Markup) -> Markup:
    return element("div", left, right, class_="pair")


def _notes(view: PlanView, locale: Locale) -> Markup:
    change = live_words.change_said(view.plan, view.snapshot, locale.currency, locale.zone)
    notes = [*change, *view.plan.notes]
    if not notes:
        return section("notes", "Notes", element("p", "Nothing to note."))
    items = element(
        "ul", *(element("li", sentence(note)) for note in notes), class_=f"first-{PRINTED}"
    )
    return section("notes", "Notes", items, not_printed(len(notes)))


def _footer() -> Markup:
    return element(
        "footer",
        element(
            "p",
            "Made by finplan on this machine, from your own data. How each figure comes about: ",
            command("finplan plan explain"),
            ".",
        ),
    )

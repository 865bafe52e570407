"""The plan as a page that a person opens in a browser: one file, without scripts and other files.

What matters most comes first: what to do, then how it has gone and where it goes, then the lists. Its
pictures are of months, net worth, the days ahead, bills, and where the money goes.
"""

from collections.abc import Callable, Iterator
from datetime import date

from finplan.daemon.surfaces.pages.drawing import draw_block, draw_blocks, draw_section
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    banner,
    document,
    element,
    policy_of_style,
    read_style,
    sentence,
)
from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from finplan.model.user import HouseholdSettings
from finplan.pictures import bars, lines
from finplan.pictures.plot import Picture
from finplan.pictures.sheet import style as pictures_style
from finplan.service.planning.views import PicturedPlan
from finplan.views import (
    ahead,
    live,
    live_text,
    page as views,
    plan as plan_view,
    plan_page,
    tasks,
    unknowns,
)
from finplan.views.locale import Locale

_BARS = 10
"""As many categories have a bar of their own; what the others take has one together."""


DrawSection = Callable[..., Markup]

_OPEN = frozenset({"actions", "ahead", "bills", "safe", "questions"})
"""The sections that a narrow screen shows at once; it shows the others under their headings."""


def fold_section(
    section: views.Section, *content: str | None, picture: Markup | None = None
) -> Markup:
    """A section that can be folded on a narrow screen."""
    return draw_section(section, *content, picture=picture, is_open=section.key in _OPEN)


def months(drawn: PicturedPlan, how: Locale, as_section: DrawSection = draw_section) -> Markup:
    """What came in and what was spent, month by month."""
    if not drawn.months:
        return as_section(plan_page.IN_AND_OUT)
    month_bars = [
        bars.MonthOfMoney(month.first, month.income, month.spending, month.whole)
        for month in drawn.months
    ]
    title = views.Section("months", plan_page.IN_AND_OUT.title)
    return as_section(title, *_figure(bars.in_and_out(month_bars, how.currency)))


def net_worth(drawn: PicturedPlan, how: Locale, as_section: DrawSection = draw_section) -> Markup:
    """How net worth has moved, as far as all that it rests on is known."""
    view = drawn.view
    worth = unknowns.worths_of(view).net_worth
    section = plan_page.net_worth(view, drawn.wealth, how)
    if section.blocks:
        return as_section(section)
    points = [lines.Point(point.date, point.net_worth) for point in drawn.wealth.history]
    return as_section(section, *_figure(lines.net_worth(points, how.currency, worth)))


def days_ahead(drawn: PicturedPlan, how: Locale, as_section: DrawSection = draw_section) -> Markup:
    """Expected cash evening by evening, and what it rests on."""
    forecast = drawn.forecast
    notes = [element("p", sentence(note), class_="soft small") for note in forecast.notes]
    section = ahead.days_ahead(forecast, how)
    if not forecast.days:
        return as_section(section, *notes)
    days = [lines.DayAhead(day.date, day.expected, day.low, day.high) for day in forecast.days]
    picture = _figure(lines.days_ahead(days, how.currency))
    return as_section(views.Section(section.key, section.title), *picture, *notes)


def bills_ahead(snapshot: Snapshot, how: Locale, as_section: DrawSection = draw_section) -> Markup:
    """What is due in thirty days, by its day; the list of it stands further down."""
    section = plan_page.bills(snapshot, how)
    due = [
        bars.DrawnBill(each.date, each.name, each.amount) for each in live_text.due_soon(snapshot)
    ]
    if not due:
        return as_section(section)
    picture = bars.bills_ahead(
        due, how.today, snapshot.due.until, snapshot.allowance.payday, how.currency
    )
    return as_section(section, _drawing(picture))


def where_it_goes(plan: Plan, how: Locale) -> Markup | None:
    """The largest categories of a month as bars; nothing where nothing is spent."""
    spent = sorted(_category_bars(plan, how.currency), key=lambda bar: -bar.amount)
    drawn = spent if len(spent) <= _BARS + 1 else spent[:_BARS]
    if others := spent[len(drawn) :]:
        together = sum(bar.amount for bar in others), sum(bar.units or 0 for bar in others)
        drawn.append(bars.Bar(plan_view.others(len(others)), together[0], "others", together[1]))
    if not any(bar.amount for bar in drawn):
        return None
    return _drawing(bars.where_it_goes(drawn, how.currency))


def _category_bars(plan: Plan, currency: str) -> Iterator[bars.Bar]:
    """A bar for each category, with the whole units that the table beside them has for it."""
    for line, _ in plan_view.SPENDING_LINES:
        for category, units in plan_view.categories_of(plan, line, currency):
            yield bars.Bar(category.label, category.monthly, line, units)


def _figure(picture: Picture) -> Iterator[Markup]:
    """A picture, and the same in figures for who asks for them."""
    yield _drawing(picture)
    heads = (
        views.TableColumn(head, "figure" if index else "text")
        for index, head in enumerate(picture.figures.heads)
    )
    rows = tuple(views.TableRow(tuple(row)) for row in picture.figures.rows)
    table = views.PageTable(tuple(heads), rows, f"{picture.title} in figures")
    summary = element("summary", plan_page.IN_FIGURES)
    yield element("details", summary, draw_block(table), class_="unprinted")


def _drawing(picture: Picture) -> Markup:
    return element("figure", Markup(picture.svg()))


def policy() -> str:
    """The content security policy of the page: its own style and nothing else."""
    return policy_of_style(_style())


def draw(
    drawn: PicturedPlan, settings: HouseholdSettings, today: date, notice: str | None = None
) -> bytes:
    """Draw the plan for a person whose settings tell the currency and the time zone."""
    how = Locale.on(settings, today)
    body = element(
        "body",
        element("a", "Skip to the plan", class_="skip", href="#plan"),
        banner(notice),
        _header(drawn, how),
        element("main", *_sections(drawn, how), id="plan"),
        _footer(),
    )
    title = f"{title_of_plan(drawn)} – finplan"
    return document(title, body, element("style", Markup(_style()))).encode()


def title_of_plan(drawn: PicturedPlan) -> str:
    """What a page with a plan is called."""
    return views.plain(plan_view.title(drawn.view).title)


def content(
    drawn: PicturedPlan,
    settings: HouseholdSettings,
    today: date,
    *,
    questions_at: str,
    imports_at: str,
) -> Iterator[Markup]:
    """All that a page with a plan shows, for a page with a frame of its own.

    `questions_at` and `imports_at` are where the person answers questions and imports statements, in
    the place of commands.
    """
    how = Locale.on(settings, today)
    yield _header(drawn, how, imports_at)
    yield from _sections(drawn, how, questions_at)
    yield _footer()


def _style() -> str:
    """The style of the plan and of the pictures on it."""
    return read_style("plan.css") + pictures_style()


def summary(drawn: PicturedPlan, settings: HouseholdSettings, today: date) -> Iterator[Markup]:
    """What a page in the middle of a conversation shows of a plan: what to do, and the pictures."""
    how, view = Locale.on(settings, today), drawn.view
    yield _header(drawn, how)
    yield draw_section(plan_view.actions(view.plan, how))
    yield _pair(months(drawn, how), net_worth(drawn, how))
    yield _pair(days_ahead(drawn, how), bills_ahead(view.snapshot, how))
    yield draw_section(plan_view.flow(view, how), picture=where_it_goes(view.plan, how))


def _header(drawn: PicturedPlan, how: Locale, imports_at: str | None = None) -> Markup:
    view = drawn.view
    no_rows = view.plan.window.transaction_count == 0
    origin = plan_page.origin(view, how)
    blocks: tuple[views.PageBlock, ...] = (
        plan_view.title(view),
        views.Sentence(
            " ".join((*plan_page.data_end(drawn.data_end, drawn.by_statements, how), origin)),
            "soft",
        ),
        *([views.Sentence(plan_page.BRING_DATA)] if no_rows and imports_at is None else []),
        *plan_view.provisional(view, how),
        plan_view.headline(view, how),
        *plan_view.from_now_on(view),
    )
    bring = None
    if no_rows and imports_at is not None:
        link = element("a", "Import statements", href=imports_at, class_="button")
        bring = element("p", link)
    return element("header", draw_blocks(blocks), bring)


def _sections(
    drawn: PicturedPlan, how: Locale, questions_at: str | None = None
) -> Iterator[Markup]:
    view = drawn.view
    yield fold_section(plan_view.actions(view.plan, how))
    yield _pair(months(drawn, how, fold_section), net_worth(drawn, how, fold_section))
    ahead_of = days_ahead(drawn, how, fold_section)
    yield _pair(ahead_of, bills_ahead(view.snapshot, how, fold_section))
    yield element("div", *_lists(drawn, how, questions_at), class_="lists")
    yield element("p", plan_page.not_printed(view), class_="printed soft")


def _lists(drawn: PicturedPlan, how: Locale, questions_at: str | None) -> Iterator[Markup]:
    """What stands in figures, which a sheet of paper has in two columns."""
    view, plan, snapshot = drawn.view, drawn.view.plan, drawn.view.snapshot
    safe = live.safe(plan, snapshot, how)
    ways = draw_blocks(live.way_to_tell(plan.snapshot.accounts))
    here = None
    if questions_at is not None and view.open_tasks:
        here = element("p", element("a", "Answer them", href=questions_at, class_="button"))
    questions = tasks.section(view.open_tasks, how, answers=questions_at is None)
    yield fold_section(plan_view.flow(view, how), picture=where_it_goes(plan, how))
    yield _pair(fold_section(safe, ways), fold_section(live.breakdown(snapshot, how, plan)))
    yield fold_section(questions, here)
    yield _pair(*map(fold_section, (unknowns.fund(view, how), unknowns.debts(view, how))))
    yield fold_section(plan_view.budget(plan, how))
    regular = (plan_view.regular(plan, snapshot, how), live.due(snapshot, how))
    yield _pair(*map(fold_section, regular))
    month = (plan_view.income(plan, how), live.groups(snapshot, how, plan))
    yield _pair(*map(fold_section, month))
    yield fold_section(plan_page.accounts(view, how))
    yield fold_section(plan_page.freshness(view.data_age, how))
    yield fold_section(plan_page.notes(view, how))


def _pair(first: Markup, second: Markup) -> Markup:
    return element("div", first, second, class_="pair")


def _footer() -> Markup:
    return element("footer", draw_block(views.Sentence(plan_page.FOOTER)))

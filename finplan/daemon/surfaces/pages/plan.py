"""The plan as a page that a person opens in a browser: one file, without scripts and other files.

What matters most comes first: what to do, then how it has gone and where it goes, then the lists.
"""

import base64
import hashlib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

from finplan.daemon.surfaces.pages import plan_lists as lists
from finplan.daemon.surfaces.pages import plan_money as money
from finplan.daemon.surfaces.pages import plan_pictures as pictures
from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.daemon.surfaces.pages.parts import (
    PRINTED,
    Locale,
    banner,
    command,
    not_printed,
    section,
    sentence,
)
from finplan.model import figures, plan_words
from finplan.model.live import words as live_words
from finplan.model.snapshot import PlanView
from finplan.model.standing import words as standing_words
from finplan.model.user import HouseholdSettings
from finplan.pictures.sheet import style as pictures_style
from finplan.service.planning.pictured import PicturedPlan


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
        element("title", f"{title(view)} – finplan"),
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


def title(view: PlanView) -> str:
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
    yield _pair(pictures.months(drawn, locale), pictures.net_worth(drawn, locale))
    yield _pair(pictures.days_ahead(drawn, locale), pictures.bills_ahead(view.snapshot, locale))
    yield money.flow(view.plan, pictures.where_it_goes(view.plan, locale), locale)


def _header(view: PlanView, locale: Locale) -> Markup:
    return element(
        "header",
        element("h1", title(view)),
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
    yield _pair(pictures.months(drawn, locale), pictures.net_worth(drawn, locale))
    yield _pair(pictures.days_ahead(drawn, locale), pictures.bills_ahead(snapshot, locale))
    yield element("div", *_lists(view, locale, questions_at), class_="lists")
    yield _left_out_of_print(view)


def _lists(view: PlanView, locale: Locale, questions_at: str | None) -> Iterator[Markup]:
    """What stands in figures, which a sheet of paper has in two columns."""
    plan, snapshot = view.plan, view.snapshot
    yield money.flow(plan, pictures.where_it_goes(plan, locale), locale)
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

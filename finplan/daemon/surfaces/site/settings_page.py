"""A page of the settings: what it shows, what may be done in it, and what is said afterwards.

What is done is asked of the same rows as over REST, so it is allowed, refused and recorded alike. A form
is answered by leading back to its page; what can be shown only once, and what went wrong, is its answer.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import web

from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages import markup
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    button,
    element,
    hidden,
    join_markup,
    section,
    sentence,
)
from finplan.daemon.surfaces.site import frame
from finplan.daemon.surfaces.site.handlers import AnswerVisit
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model.errors import BadRequest, Fault
from finplan.operation import AnyOperation

DONE = "done"

ACCOUNT, PEOPLE = f"{frame.SETTINGS}/account", f"{frame.SETTINGS}/people"
DEVELOPER, ACTIVITY = f"{frame.SETTINGS}/developer", f"{frame.SETTINGS}/activity"
WEBHOOKS, BANKS = f"{frame.SETTINGS}/webhooks", f"{frame.SETTINGS}/banks"
ACCOUNTS, PLANNED = f"{frame.SETTINGS}/accounts", f"{frame.SETTINGS}/planned"

TITLES: Mapping[str, str] = {
    ACCOUNT: "Account",
    ACCOUNTS: "Accounts and balances",
    PLANNED: "Planned money",
    BANKS: "Connections",
    PEOPLE: "People",
    DEVELOPER: "Developer",
    WEBHOOKS: "Webhooks",
    ACTIVITY: "Access log",
}
"""What each page is called, by where it is, in their order."""

DrawSettings = Callable[[Visit, frame.TypedForm], Awaitable[Markup]]
"""What a page shows; the form is what was typed where it could not be done."""

ActOnForm = Callable[[Visit, frame.TypedForm], Awaitable[str | web.Response]]
"""Does something: answers which of the page's sentences is said of it, or a page of its own."""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """A page of the settings, its actions by their names, and what is said of each that was done."""

    path: str
    draw: DrawSettings
    actions: Mapping[str, ActOnForm] = field(default_factory=dict)
    notices: Mapping[str, str] = field(default_factory=dict)


def answering(here: SettingsPage) -> AnswerVisit:
    """What answers whoever asks for a page, or does something in it."""

    async def answer(visit: Visit, typed: frame.TypedForm) -> web.Response:
        if visit.request.method != "POST":
            notice = here.notices.get(visit.request.query.get(DONE, ""))
            return await _draw_settings(here, visit, notice=notice)
        try:
            outcome = await _act(here, visit, typed)
        except Fault as fault:
            if not wants_page(visit.request):
                raise
            return await _draw_settings(here, visit, typed=typed, fault=fault)
        return (
            frame.see_other(f"{here.path}?{DONE}={outcome}")
            if isinstance(outcome, str)
            else outcome
        )

    return answer


async def _act(here: SettingsPage, visit: Visit, typed: frame.TypedForm) -> str | web.Response:
    act = here.actions.get(typed.one("do"))
    if act is None:
        raise BadRequest("This form is out of date. Open the page again.")
    return await act(visit, typed)


async def _draw_settings(
    here: SettingsPage,
    visit: Visit,
    *,
    typed: frame.TypedForm = frame.NOTHING_TYPED,
    notice: str | None = None,
    fault: Fault | None = None,
) -> web.Response:
    content = await here.draw(visit, typed)
    return frame_page(
        visit,
        here.path,
        None if notice is None else markup.done(notice),
        content,
        fault=fault,
    )


def frame_page(
    visit: Visit, path: str, *content: str | None, fault: Fault | None = None
) -> web.Response:
    """A page of the settings, with the way to each of the others."""
    title = TITLES[path]
    ways = (
        element("a", name, href=way, aria_current="page" if way == path else None)
        for way, name in TITLES.items()
    )
    return frame.page(
        f"{title}, settings",
        join_markup(
            element("h1", "Settings"),
            element("nav", *ways, class_="tabs", aria_label="Settings"),
        ),
        *content,
        visit=visit,
        here="settings",
        fault=fault,
    )


def part(key: str, title: str, *content: str | None, lead: str | None = None) -> Markup:
    """A part of a page under its heading."""
    intro = element("p", sentence(lead), class_="soft") if lead else None
    return section(key, title, intro, *content)


def things(rows: list[Markup], none: str) -> Markup:
    """A list of things, or the sentence that there are none."""
    return element("ul", *rows, class_="things") if rows else element("p", none, class_="soft")


def draw_disclosure(label: str, spoken: str, *content: str | None) -> Markup:
    """What is shown only when it is asked for; `spoken` says to who hears it what it is about."""
    return element(
        "details",
        element("summary", label, element("span", f" {spoken}", class_="heard"), class_="button"),
        *content,
    )


def form_about(visit: Visit, path: str, thing: str, *content: str | None) -> Markup:
    """A form that does something with the thing of an id."""
    return frame.form(visit, path, hidden("id", thing), *content, class_="confirm")


def ending(
    visit: Visit,
    path: str,
    does: str,
    thing: str,
    label: str,
    spoken: str,
    caption: str,
    hint: str | None = None,
) -> Markup:
    """A button that ends a thing of an id, which is shown only when it is asked for."""
    note = None if hint is None else element("p", hint, class_="hint")
    act = form_about(visit, path, thing, note, button(caption, does, "danger"))
    return draw_disclosure(f"{label} …", spoken, act)


def acting(row: AnyOperation, outcome: str, **fields: object) -> ActOnForm:
    """Does what a row does with the thing that a form names, and says what came of it."""

    async def act(visit: Visit, typed: frame.TypedForm) -> str:
        await visit.perform(row, row.asks(id=typed.one("id"), **fields))
        return outcome

    return act


def draw_result(visit: Visit, path: str, title: str, *content: str | None) -> web.Response:
    """A page with what is shown only once, and the way back."""
    back = element("p", element("a", "Done", href=path, class_="button main"))
    return frame_page(visit, path, part("made", title, *content, back))


def shown_once(value: str, label: str) -> Markup:
    """A secret that is not shown again; a click selects it whole."""
    return element("p", element("code", value, class_="secret"), aria_label=label, role="group")

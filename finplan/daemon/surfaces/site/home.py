"""The first page: the plan, or what to do so that there is one."""

from datetime import date

from aiohttp import web

from finplan.daemon.surfaces.pages.markup import Markup, command, element
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm
from finplan.daemon.surfaces.site.frame import STATEMENTS, TASKS, heading, page
from finplan.daemon.surfaces.site.settings.settings_page import DEVELOPER
from finplan.model.access.invite import JoinedPerson
from finplan.model.errors import NoConnections
from finplan.operations.credential import LIST_PEOPLE
from finplan.operations.plan import VIEW_PLAN
from finplan.service.planning.pictured import PicturedPlan


async def show_home(visit: Visit, _typed: TypedForm) -> web.Response:
    """The person's plan as it is now."""
    try:
        drawn = await visit.for_page(VIEW_PLAN)
    except NoConnections:
        return page("Your plan", *await _beginning(visit), visit=visit, here="plan")
    return _plan_page(visit, drawn, visit.context.today(visit.settings.time_zone))


def _plan_page(visit: Visit, drawn: PicturedPlan, today: date) -> web.Response:
    # Most daemons are never asked for a page, so what draws the plan is loaded when one is.
    from finplan.daemon.surfaces.pages import plan

    return page(
        plan.title_of_plan(drawn.view),
        *plan.content(drawn, visit.settings, today, TASKS),
        visit=visit,
        here="plan",
    )


async def _beginning(visit: Visit) -> tuple[Markup, ...]:
    """What to do so that there is a plan; the commands of the machine are its owner's alone."""
    people: tuple[JoinedPerson, ...] = await visit.perform(LIST_PEOPLE)
    if any(each.you and each.owner for each in people):
        return _owners_beginning()
    send = f"curl -H 'x-api-key: KEY' -F file=@statement.csv {visit.desk.site_url}/api/v1/imports"
    return (
        heading(
            "There is nothing to plan with yet", "finplan makes your plan of your own bank data."
        ),
        element(
            "ol",
            element(
                "li",
                element("h2", "Download statements at your bank."),
                element(
                    "p",
                    "As CSV, OFX, QIF, CAMT or MT940, as many months as it gives you.",
                    class_="soft",
                ),
            ),
            element(
                "li",
                element("h2", "Bring them in here."),
                element(
                    "p",
                    "Under ",
                    element("a", "Statements", href=STATEMENTS),
                    ". You see what they hold before anything is stored.",
                    class_="soft",
                ),
            ),
            class_="steps",
        ),
        element(
            "p",
            "A program can do so with a key of yours (",
            element("a", "Settings, Developer", href=DEVELOPER),
            "): ",
            command(send),
            class_="soft",
        ),
    )


def _owners_beginning() -> tuple[Markup, ...]:
    steps = (
        (
            "Bring in what your bank lets you download.",
            "Statements as CSV, OFX, QIF, CAMT or MT940, as many as you have.",
            "finplan import FILE",
        ),
        (
            "Have the plan built.",
            "It stands on this page from then on, and goes with your data.",
            "finplan plan build",
        ),
    )
    return (
        heading(
            "There is nothing to plan with yet", "finplan makes your plan of your own bank data."
        ),
        element(
            "ol",
            *(
                element("li", element("h2", title), element("p", told, class_="soft"), _line(line))
                for title, told, line in steps
            ),
            class_="steps",
        ),
        element(
            "p",
            "Or bring them in here, under ",
            element("a", "Statements", href=STATEMENTS),
            ".",
            class_="soft",
        ),
        element(
            "p",
            "To look around first, see the plan of a household that is made up: ",
            command("finplan --demo plan build"),
            ".",
            class_="soft",
        ),
    )


def _line(line: str) -> Markup:
    return element("p", command(line))

"""The page on which a person claims an agent that came without an account, by the code that it shows."""

from functools import partial

from aiohttp import web

from finplan.daemon.surfaces.authorization_server import CLAIM_PAGE
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, sentence
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.frame import TypedForm, form, narrow_page, text_field
from finplan.model.errors import BadRequest, Fault
from finplan.service.authorization.agents import (
    TRIES,
    ClaimView,
    complete_claim,
    deny_claim,
    look_at_claims,
)
from finplan.service.authorization.scopes import SCOPES

VIEW = "claim_attempt_token"
ATTEMPT = "attempt"
OVER = (
    f"That was wrong {TRIES} times, so the agent was not claimed, and its code is good for nothing. Ask"
    " it for another one, if it is yours."
)


async def show_claims(visit: Visit, _typed: TypedForm) -> web.Response:
    """The agents that ask for the person; the one that a link is about, where one led here."""
    view = visit.request.query.get(VIEW) or None
    try:
        asking = await _asking(visit, view)
    except Fault as fault:
        return _stopped(visit, fault)
    return _drawn(visit, asking)


async def take_claim(visit: Visit, typed: TypedForm) -> web.Response:
    """Claim an agent, or refuse it."""
    caller, now = visit.context.caller, visit.desk.milliseconds()
    attempt = typed.one(ATTEMPT)
    try:
        if typed.one("do") == "deny":
            deny = partial(deny_claim, attempt_id=attempt, caller=caller, now=now)
            await visit.desk.store.write(deny)
            said = "The agent was refused. Its code is good for nothing."
            return narrow_page("Refused", lead=(said,), visit=visit)
        claim = partial(
            complete_claim, attempt_id=attempt, code=typed.one("code"), caller=caller, now=now
        )
        if await visit.desk.store.write(claim):
            said = (
                "The agent acts for you from now on. Settings, Developer takes it back at any time."
            )
            return narrow_page("Claimed", lead=(said,), visit=visit)
    except Fault as fault:
        return _stopped(visit, fault)
    # The others that ask have codes of their own, and what is wrong is wrong with this one.
    same = tuple(each for each in await _asking(visit, None) if each.attempt == attempt)
    if same:
        said = f"This is not the code that the agent shows. Look at that of {same[0].agent} again."
        return _drawn(visit, same, BadRequest(said))
    return _stopped(visit, BadRequest(OVER))


async def _asking(visit: Visit, view: str | None) -> tuple[ClaimView, ...]:
    owner, now = visit.context.caller.owner, visit.desk.milliseconds()
    return await visit.desk.store.read(partial(look_at_claims, owner=owner, view=view, now=now))


def _drawn(visit: Visit, asking: tuple[ClaimView, ...], wrong: Fault | None = None) -> web.Response:
    lead = (
        "An agent that you asked to connect shows you a code of six digits. Enter it here, and the agent"
        " acts for you."
    )
    return narrow_page(
        "Claim an agent",
        *(_agent(visit, each) for each in asking),
        None if asking else _nobody(visit),
        None if wrong is None else _way_to_all(),
        lead=(lead,),
        visit=visit,
        fault=wrong,
    )


def _stopped(visit: Visit, fault: Fault) -> web.Response:
    """Why an agent cannot be claimed, without the forms of others, which this is not about."""
    return narrow_page("This agent was not claimed", _way_to_all(), visit=visit, fault=fault)


def _way_to_all() -> Markup:
    return element("p", element("a", "See which agents ask for you now", href=CLAIM_PAGE))


def _nobody(visit: Visit) -> Markup:
    return element(
        "p",
        "No agent asks for ",
        element("bdi", visit.user.email),
        " now. Have yours ask for this address, then open this page again.",
        class_="soft",
    )


def _agent(visit: Visit, view: ClaimView) -> Markup:
    return element(
        "section",
        element("h2", "Agent ", element("code", view.agent)),
        element(
            "dl",
            element("dt", "Came"),
            element("dd", f"{visit.moment(view.created_at)}, from {view.address}"),
            element("dt", "The code holds until"),
            element("dd", f"{visit.moment(view.expires_at)}, for {_tries(view.tries_left)}"),
            class_="about",
        ),
        element("p", "Once claimed, for 30 days, it may"),
        element("ul", *(element("li", sentence(SCOPES[scope])) for scope in view.scopes)),
        element(
            "p",
            "Only enter a code from an agent that you trust and have just asked to connect. With a code"
            " from anybody else, a stranger's agent would act for you.",
            class_="alert",
        ),
        form(
            visit,
            CLAIM_PAGE,
            hidden(ATTEMPT, view.attempt),
            text_field(
                "code",
                "Code",
                inputmode="numeric",
                autocomplete="one-time-code",
                pattern="[0-9 ]{6,7}",
                maxlength=7,
            ),
            element(
                "div",
                button("Claim", "claim", tone="main"),
                # A browser would ask for the code first.
                button("Refuse", "deny", formnovalidate="formnovalidate"),
                class_="choices",
            ),
        ),
    )


def _tries(left: int) -> str:
    return "one more try" if left == 1 else f"{left} more tries"

"""The page on which a person claims an agent that came without an account, by the code that it shows."""

from functools import partial

from aiohttp import web

from finplan.daemon.surfaces.authorization_server import CLAIM_PAGE
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, sentence
from finplan.daemon.surfaces.site.frame import TypedForm, form, narrow_page, text_field
from finplan.daemon.surfaces.site.visit import Visit
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
    f"You entered a wrong code {TRIES} times. The agent was not claimed, and its code no longer works."
    " If the agent is yours, ask it for a new code."
)


async def show_claims(visit: Visit, _typed: TypedForm) -> web.Response:
    """The agents that ask for the person; the one that a link is about, where one led here."""
    view = visit.request.query.get(VIEW) or None
    try:
        asking = await _asking(visit, view)
    except Fault as fault:
        return _draw_fault(visit, fault)
    return _draw_claims(visit, asking)


async def take_claim(visit: Visit, typed: TypedForm) -> web.Response:
    """Claim an agent, or refuse it."""
    caller, now = visit.context.caller, visit.desk.milliseconds()
    attempt = typed.one(ATTEMPT)
    try:
        if typed.one("do") == "deny":
            deny = partial(deny_claim, attempt_id=attempt, caller=caller, now=now)
            await visit.desk.store.write(deny)
            text = "You refused this agent. Its code no longer works."
            return narrow_page("Refused", lead=(text,), visit=visit)
        claim = partial(
            complete_claim, attempt_id=attempt, code=typed.one("code"), caller=caller, now=now
        )
        if await visit.desk.store.write(claim):
            text = "This agent can now act for you. To revoke its access, open Settings, Developer."
            return narrow_page("Claimed", lead=(text,), visit=visit)
    except Fault as fault:
        return _draw_fault(visit, fault)
    # The others that ask have codes of their own, and what is wrong is wrong with this one.
    same = tuple(view for view in await _asking(visit, None) if view.attempt == attempt)
    if same:
        text = f"Wrong code. Check the code that the agent {same[0].agent} shows."
        return _draw_claims(visit, same, BadRequest(text))
    return _draw_fault(visit, BadRequest(OVER))


async def _asking(visit: Visit, view: str | None) -> tuple[ClaimView, ...]:
    owner, now = visit.context.caller.owner, visit.desk.milliseconds()
    return await visit.desk.store.read(partial(look_at_claims, owner=owner, view=view, now=now))


def _draw_claims(
    visit: Visit, asking: tuple[ClaimView, ...], wrong: Fault | None = None
) -> web.Response:
    lead = "Enter the six-digit code that your agent shows. The agent can then act for you."
    return narrow_page(
        "Claim an agent",
        *(_agent(visit, claim) for claim in asking),
        None if asking else _nobody(visit),
        None if wrong is None else _way_to_all(),
        lead=(lead,),
        visit=visit,
        fault=wrong,
    )


def _draw_fault(visit: Visit, fault: Fault) -> web.Response:
    """Why an agent cannot be claimed, without the forms of others, which this is not about."""
    return narrow_page("This agent was not claimed", _way_to_all(), visit=visit, fault=fault)


def _way_to_all() -> Markup:
    return element("p", element("a", "See waiting agents", href=CLAIM_PAGE))


def _nobody(visit: Visit) -> Markup:
    return element(
        "p",
        "No agent is waiting for ",
        element("bdi", visit.user.email),
        ". Ask your agent to request access with this address, then reload this page.",
        class_="soft",
    )


def _agent(visit: Visit, view: ClaimView) -> Markup:
    return element(
        "section",
        element("h2", "Agent ", element("code", view.agent)),
        element(
            "dl",
            element("dt", "Requested"),
            element("dd", f"{visit.moment(view.created_at)}, from {view.address}"),
            element("dt", "Code expires"),
            element("dd", f"{visit.moment(view.expires_at)}; {_tries(view.tries_left)}"),
            class_="about",
        ),
        element("p", "For 30 days after you claim it, this agent can:"),
        element("ul", *(element("li", sentence(SCOPES[scope])) for scope in view.scopes)),
        element(
            "p",
            "Only enter a code from an agent that you trust and have just asked to connect. A code from"
            " anyone else lets a stranger's agent act for you.",
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


def _tries(remaining: int) -> str:
    return "one try left" if remaining == 1 else f"{remaining} tries left"

"""The page on which a person lets a program in, or does not (OAuth 2.1).

It says who asks, by the name that the program gave itself, and where the person is sent afterwards,
which no program can make up. All that the request holds is checked again when the answer comes.
"""

from functools import partial
from urllib.parse import parse_qsl, urlsplit

from aiohttp import web

from finplan.daemon.surfaces.authorization_server import AUTHORIZE, Counter
from finplan.daemon.surfaces.pages.markup import button, element, hidden, join_markup, sentence
from finplan.daemon.surfaces.site.frame import TypedForm, form, guarded, narrow_page
from finplan.daemon.surfaces.site.handlers import find_private_host
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model.errors import BadRequest, Unauthorized
from finplan.service.authorization import endpoints
from finplan.service.authorization.endpoints import Consent, Refused
from finplan.service.authorization.scopes import SCOPES
from finplan.service.authorization.server import GrantReply, Setting
from finplan.store.queries import credentials

ASKED = "asked"
"""The hidden field with the request as it came."""


async def ask(
    counter: Counter, request: web.Request, visit: Visit | None, *, elsewhere: bool = False
) -> web.Response:
    """Answer a program's request, which brings the person along.

    Without a `visit`, nobody is signed in and the program wants nobody to be asked (`prompt=none`). A
    browser may be signed in `elsewhere`, and is then led there.
    """
    oauth = counter.read_request(request, list(request.query.items()))
    owner = None if visit is None else visit.context.caller.owner
    look = partial(endpoints.look_at_consent, request=oauth, owner=owner)
    try:
        outcome = await counter.in_setting(request, look)
    except Refused as refused:
        return _draw_refusal(visit, refused, str(request.rel_url) if elsewhere else None)
    if isinstance(outcome, GrantReply):
        return _sent_on(outcome)
    assert visit is not None, "Without a person, prompt=none is always refused."
    return _draw_consent(visit, outcome, request.rel_url.raw_query_string)


async def decide(counter: Counter, visit: Visit, typed: TypedForm) -> web.Response:
    """Take the person's answer, and lead back to the program. Raises BadRequest."""
    decision = typed.one("do")
    if decision not in ("allow", "deny"):
        raise BadRequest("Choose Allow or Deny.")
    pairs = parse_qsl(typed.one(ASKED), keep_blank_values=True)
    oauth = counter.read_request(visit.request, pairs)
    caller = visit.context.caller

    def take(setting: Setting) -> GrantReply:
        _, _, no = caller.credential.partition(":")
        signed_in_at = credentials.session_created_at(setting.connection, int(no))
        if signed_in_at is None:
            raise Unauthorized("Your session has ended. Sign in, then start again from the app.")
        return endpoints.decide(setting, oauth, caller, signed_in_at, allow=decision == "allow")

    try:
        return _sent_on(await counter.in_setting(visit.request, take))
    except Refused as refused:
        return _draw_refusal(visit, refused)


def _draw_consent(visit: Visit, consent: Consent, query: str) -> web.Response:
    return narrow_page(
        "Allow this app?",
        element("h2", "If you allow it, this app can"),
        element("ul", *(element("li", sentence(SCOPES[scope])) for scope in consent.scopes)),
        element(
            "dl",
            element("dt", "Sends you back to"),
            element("dd", element("b", element("bdi", _place(consent.redirect_uri)))),
            element("dt", "Your account"),
            element("dd", element("bdi", visit.user.email)),
            class_="about",
        ),
        element(
            "p",
            (
                "Allow this app only if you have just asked it to connect. To revoke its access later,"
                " open Settings, Developer."
            ),
            class_="soft",
        ),
        form(
            visit,
            AUTHORIZE,
            hidden(ASKED, query),
            element(
                "div",
                button("Allow", "allow", tone="main"),
                button("Deny", "deny"),
                class_="choices",
            ),
        ),
        lead=[
            join_markup(
                element("b", element("bdi", consent.client)),
                " wants access to your finplan. The app chose this name; finplan cannot verify it.",
            )
        ],
        visit=visit,
        form_targets=(_target(consent.redirect_uri),),
    )


def _place(address: str) -> str:
    """Where an address leads, as a person can judge it."""
    parts = urlsplit(address)
    if parts.hostname in ("127.0.0.1", "::1", "localhost"):
        return f"an app on this computer ({parts.hostname})"
    if parts.scheme == "https":
        return parts.netloc
    return f"an app on this device ({parts.scheme}:)"


def _target(address: str) -> str:
    """What the policy of a page names an address by: its origin, or its scheme."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def _sent_on(reply: GrantReply) -> web.Response:
    assert reply.location is not None, "A request for a code always ends in a redirect."
    return guarded(web.Response(status=303, headers={"Location": reply.location}))


def _draw_refusal(
    visit: Visit | None, refused: Refused, elsewhere: str | None = None
) -> web.Response:
    return narrow_page(
        "This app cannot connect",
        element(
            "p",
            "finplan did not send you back to the app. Start again from the app; if that fails, tell its"
            " developer.",
        ),
        None if elsewhere is None else find_private_host(elsewhere),
        visit=visit,
        fault=BadRequest(refused.description),
        connects=None if elsewhere is None else (),
    )

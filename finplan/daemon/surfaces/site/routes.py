"""The routes of the site."""

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from finplan.daemon.middleware import CALLER, for_visitors, is_open
from finplan.daemon.surfaces.authorization_server import AUTHORIZE, CLAIM_PAGE, Counter
from finplan.daemon.surfaces.site import (
    account,
    banks,
    claim,
    developer,
    frame,
    google,
    handlers,
    own_accounts,
    plan,
    planned,
    sign_in,
    statements,
    webhooks,
)
from finplan.daemon.surfaces.site.settings_page import SettingsPage, answering
from finplan.daemon.surfaces.site.visit import FrontDesk, Visit

SETTINGS_PAGES: tuple[SettingsPage, ...] = (
    account.ACCOUNT_PAGE,
    own_accounts.ACCOUNTS_PAGE,
    planned.PLANNED_PAGE,
    banks.BANKS_PAGE,
    account.PEOPLE_PAGE,
    developer.DEVELOPER_PAGE,
    webhooks.WEBHOOKS_PAGE,
    account.ACTIVITY_PAGE,
)


def add_routes(router: web.UrlDispatcher, desk: FrontDesk, counter: Counter) -> None:
    """Add every page of the site; `counter` is the authorization server's."""
    router.add_get(frame.HOME, handlers.for_the_signed_in(desk, plan.show_home))
    router.add_get(frame.SIGN_IN, handlers.for_anybody(desk, sign_in.show_sign_in))
    router.add_post(frame.SIGN_IN, handlers.for_anybody(desk, sign_in.take_sign_in))
    router.add_post(frame.SIGN_OUT, handlers.for_the_signed_in(desk, sign_in.sign_out))
    if desk.google is not None:
        router.add_get(
            handlers.GOOGLE, handlers.for_anybody(desk, google.lead_to_google), allow_head=False
        )
        router.add_get(
            handlers.GOOGLE_CALLBACK, handlers.for_anybody(desk, google.come_back), allow_head=False
        )
    # HEAD would use the link up without letting anybody in.
    router.add_get(
        handlers.OPEN, handlers.for_anybody(desk, sign_in.open_by_link), allow_head=False
    )
    if desk.arrivals is not None:
        router.add_post(frame.ARRIVE, handlers.for_arrivals(desk, sign_in.arrive))
        router.add_get(frame.SCRIPT_PATH, is_open(_send_script))
    router.add_get(handlers.JOIN, handlers.for_anybody(desk, sign_in.show_joining))
    router.add_post(handlers.JOIN, handlers.for_anybody(desk, sign_in.take_joining))
    router.add_get(AUTHORIZE, _consent_or_silence(desk, counter))
    router.add_post(AUTHORIZE, handlers.for_the_signed_in(desk, _consent(counter)))
    # HEAD would use the bank's code up.
    router.add_get(
        banks.BANK_LED_BACK, handlers.for_the_signed_in(desk, banks.take_link), allow_head=False
    )
    for path, show, take in (
        (CLAIM_PAGE, claim.show_claims, claim.take_claim),
        (frame.TASKS, plan.show_tasks, plan.take_answer),
        (frame.STATEMENTS, statements.show_statements, statements.take_step),
        *((page.path, answering(page), answering(page)) for page in SETTINGS_PAGES),
    ):
        router.add_get(path, handlers.for_the_signed_in(desk, show))
        router.add_post(path, handlers.for_the_signed_in(desk, take))
    router.add_get(
        statements.FILES, handlers.for_the_signed_in(desk, statements.lead_to_statements)
    )
    router.add_post(
        statements.FILES, handlers.for_files_of_the_signed_in(desk, statements.take_files)
    )
    router.add_get(frame.SETTINGS, is_open(_lead_to_the_first_page))
    router.add_get(banks.BANK_LINK, handlers.for_the_signed_in(desk, banks.show_bank_link))
    router.add_get(frame.STYLE_PATH, is_open(_send_style))


def _consent(counter: Counter) -> handlers.AnswerVisit:
    async def answer(visit: Visit, typed: frame.TypedForm) -> web.Response:
        # Most daemons are asked by no program, so what lets one in is loaded when one asks.
        from finplan.daemon.surfaces.site import consent

        if visit.request.method == hdrs.METH_POST:
            return await consent.decide(counter, visit, typed)
        return await consent.ask(counter, visit.request, visit)

    return answer


def _consent_or_silence(desk: FrontDesk, counter: Counter) -> Handler:
    for_the_person = handlers.for_the_signed_in(desk, _consent(counter))

    async def answer(request: web.Request) -> web.StreamResponse:
        if CALLER in request or "none" not in request.query.get("prompt", "").split():
            return await for_the_person(request)
        # Who wants nobody to be asked has nobody sent to the page for signing in.
        from finplan.daemon.surfaces.site import consent

        elsewhere = handlers.has_private_host(request, desk)
        return await consent.ask(counter, request, None, elsewhere=elsewhere)

    return for_visitors(answer)


async def _lead_to_the_first_page(_request: web.Request) -> web.Response:
    return frame.see_other(SETTINGS_PAGES[0].path)


async def _send_style(_request: web.Request) -> web.Response:
    return _asset(frame.style(), "text/css")


async def _send_script(_request: web.Request) -> web.Response:
    return _asset(frame.script(), "text/javascript")


def _asset(content: bytes, content_type: str) -> web.Response:
    # It is asked for by its digest, so other content is at another address.
    return web.Response(
        body=content,
        content_type=content_type,
        charset="utf-8",
        headers={hdrs.CACHE_CONTROL: "public, max-age=31536000, immutable"},
    )

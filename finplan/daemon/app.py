"""The application: the middlewares in the order in which a request meets them, and the routes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from aiohttp import web

from finplan import __version__
from finplan.banks.base import Aggregator, Bank
from finplan.daemon import middleware
from finplan.daemon.auth.client_address import AddressOf, address_of_peer
from finplan.daemon.auth.credentials import AccessTokens, ApiKeys, UseNotes
from finplan.daemon.auth.google import GoogleSignIn
from finplan.daemon.auth.sessions import Arrivals, BrowserSessions, LocalSession, cookie_of
from finplan.daemon.background import Schedule
from finplan.daemon.rate_limit import LIMITING, Limiting
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces import authorization_server as oauth, well_known
from finplan.daemon.surfaces.a2a import calls as a2a
from finplan.daemon.surfaces.handbook import routes as handbook
from finplan.daemon.surfaces.mcp import mount as mcp
from finplan.daemon.surfaces.openapi import published
from finplan.daemon.surfaces.rest import routes as rest
from finplan.daemon.surfaces.rest.answers import AnswerCache
from finplan.daemon.surfaces.site import routes as site
from finplan.daemon.surfaces.site.handlers import draw_fault
from finplan.daemon.surfaces.site.visit import FrontDesk, HeldFiles, Throttle
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.service import dispatch
from finplan.service.context import Background, Caller, Context, TellOwner
from finplan.service.password_hashes import Passwords
from finplan.service.people import owner_of_the_machine
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.store.store import Store
from finplan.webhooks.sending import Vetting
from finplan.webhooks.targets import PrivateTargets

SCHEDULE = web.AppKey("schedule", Schedule)
"""What an application does by itself, once somebody lets it."""


def _now() -> datetime:
    return datetime.now(UTC)


def _tell_nobody() -> None:
    """For where no client has to find the daemon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an application is made of; `limiting` counts the requests of each credential.

    `operations` are the rows of the current version. `announce` tells clients of a new local session.
    `private_hosts` says that names under `.localhost` lead to the port, and to no other program.
    """

    store: Store
    banks: Mapping[str, Bank]
    session: LocalSession
    port: int
    site_url: str
    uploads: Path
    upload_limit: int
    now: Callable[[], datetime] = _now
    operations: tuple[AnyOperation, ...] = OPERATIONS
    perform: rest.Perform = dispatch.perform
    limiting: Limiting
    sealer: LateSealer
    current: str = rest.CURRENT_VERSION
    former: tuple[rest.FormerVersion, ...] = ()
    announce: Callable[[], None] = _tell_nobody
    address_of: AddressOf = address_of_peer
    registration: str = "invite"
    throttle: Throttle = field(default_factory=Throttle)
    google: GoogleSignIn | None = None
    vetting: Vetting = field(default_factory=partial(Vetting, PrivateTargets()))
    tell: TellOwner | None = None
    data_key: Path | None = None
    passwords: Passwords = field(default_factory=Passwords)
    aggregators: Mapping[str, Aggregator] = field(default_factory=dict)
    private_hosts: bool = False


def make_app(parts: Parts) -> web.Application:
    """Make the application that serves the whole interface."""
    notes = UseNotes(parts.store)
    keys = ApiKeys(parts.store, parts.now, notes, parts.address_of)
    browsers = BrowserSessions(
        parts.store, parts.now, notes, parts.address_of, cookie_of(parts.site_url, parts.port)
    )

    async def local_session(request: web.Request) -> Caller | None:
        caller = parts.session.caller_of(request)
        return caller and replace(caller, address=parts.address_of(request))

    tokens = AccessTokens(parts.store, parts.now, parts.address_of)
    app = web.Application(
        middlewares=[
            middleware.answering_faults(parts.site_url, draw_fault),
            parts.limiting.count_refusals,
            middleware.at_the_door(parts.site_url, parts.port, private_hosts=parts.private_hosts),
            middleware.compare_versions,
            middleware.asking_for_a_credential(
                (tokens.caller_of, keys.caller_of, local_session, browsers.caller_of),
                browsers.find,
            ),
            parts.limiting.limit_requests,
        ]
    )
    app[LIMITING] = parts.limiting
    background, uploads = Background(), HeldFiles(parts.uploads)

    async def clean_up(_app: web.Application) -> None:
        await notes.finish()
        await background.end()
        await uploads.forget_all()

    app.on_cleanup.append(clean_up)

    async def end_credentials(owner: int) -> None:
        await parts.store.forget()
        await uploads.forget(owner)
        if parts.session.owner == owner:
            parts.session.renew(await owner_of_the_machine(parts.store))
            parts.announce()

    def context_of(caller: Caller) -> Context:
        return Context(
            caller,
            parts.store,
            parts.banks,
            parts.now,
            background=background,
            end_credentials=end_credentials,
            site_url=parts.site_url,
            passwords=parts.passwords,
            sealer=parts.sealer,
            vet_target=parts.vetting.check_url,
            tries=parts.throttle,
            tell=parts.tell,
            aggregators=parts.aggregators,
            data_key=parts.data_key,
        )

    def context_of_schedule(owner: int) -> Context:
        return context_of(Caller(owner, frozenset({"read", "write"}), "schedule", "schedule"))

    app[SCHEDULE] = Schedule(parts.store, context_of_schedule, background, parts.now)
    at_rest = rest.Desk(
        parts.perform,
        context_of,
        parts.uploads,
        parts.upload_limit,
        AnswerCache(parts.store.derived),
        parts.sealer,
    )
    roots = (rest.root_of(parts.current), rest.ALIAS)
    rest.add_routes(app.router, parts.operations, roots, at_rest)
    for version in parts.former:
        rest.add_routes(app.router, version.operations, (rest.root_of(version.name),), at_rest)
    counter = oauth.Counter(
        parts.store, parts.now, parts.site_url, parts.sealer, tokens, parts.address_of
    )
    oauth.add_routes(app.router, counter)
    well_known.add_key_directory(
        app.router,
        well_known.KeyDirectory(MessageKeys(parts.store), parts.sealer, parts.now, parts.site_url),
    )
    mcp.add_routes(app, context_of, parts.perform, at_rest.answers, parts.site_url)
    a2a.add_routes(app.router, context_of, parts.perform, at_rest.answers)
    published.add_routes(app.router, parts.operations, roots, parts.site_url)
    well_known.add_catalogs(app.router, parts.site_url, parts.now())
    handbook.add_pages(app.router, parts.site_url)
    handbook.add_ask(app.router, parts.site_url)
    site.add_routes(
        app.router,
        FrontDesk(
            parts.perform,
            context_of,
            parts.store,
            parts.passwords,
            parts.now,
            browsers,
            parts.session,
            parts.site_url,
            parts.registration,
            parts.throttle,
            parts.sealer,
            uploads,
            parts.upload_limit,
            parts.google,
            parts.port,
            Arrivals() if parts.private_hosts else None,
        ),
        counter,
    )
    app.router.add_get("/health", middleware.is_open(_tell_health))
    app.on_response_prepare.extend(
        (
            middleware.telling(parts.store),
            well_known.tell_of_catalogs,
            parts.limiting.tell,
            rest.Notices(parts.site_url, parts.former).tell,
        )
    )
    return app


async def _tell_health(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok", "version": __version__})

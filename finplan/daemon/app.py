"""The application: the middlewares in the order in which a request meets them, and the routes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from finplan import __version__
from finplan.banks.base import Bank
from finplan.daemon.auth.sessions import LocalSession
from finplan.daemon.middleware.credential import asking_for_a_credential
from finplan.daemon.middleware.doorway import at_the_door
from finplan.daemon.middleware.faults import answering_faults
from finplan.daemon.middleware.version import compare_versions, say_version
from finplan.daemon.surfaces import rest
from finplan.operation import AnyOperation
from finplan.operations import OPERATIONS
from finplan.service import desk
from finplan.service.core import Caller, Context
from finplan.store.engine import Store


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an application is made of."""

    store: Store
    banks: Mapping[str, Bank]
    session: LocalSession
    port: int
    site_url: str
    uploads: Path
    upload_limit: int
    now: Callable[[], datetime] = _now
    operations: tuple[AnyOperation, ...] = OPERATIONS
    perform: rest.Perform = desk.perform


def make_app(parts: Parts) -> web.Application:
    """Make the application that serves the whole interface."""
    app = web.Application(
        middlewares=[
            answering_faults(parts.site_url),
            at_the_door(parts.site_url, parts.port),
            compare_versions,
            asking_for_a_credential(parts.session.caller_of),
        ]
    )

    def context_of(caller: Caller) -> Context:
        return Context(caller, parts.store, parts.banks, parts.now)

    rest.add_routes(
        app.router,
        parts.operations,
        rest.Desk(parts.perform, context_of, parts.uploads, parts.upload_limit),
    )
    app.router.add_get("/health", _tell_health)
    app.on_response_prepare.append(say_version)
    return app


async def _tell_health(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok", "version": __version__})

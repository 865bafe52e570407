"""A daemon inside the test: the real application behind a real socket, with a clock that stands.

No test meets its rate limit but those that are about it, which set one. Who owns the demo household
decides what it is, and `HOUSEHOLD` names them.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from aiohttp.web_app import _cached_build_middleware

from finplan.banks.base import Bank, Manual
from finplan.banks.demo.bank import Demo
from finplan.client.client import AsyncDaemonClient
from finplan.client.request import SESSION_COOKIE
from finplan.daemon.app import Parts, make_app
from finplan.daemon.auth.sessions import LocalSession, new_token
from finplan.daemon.rate_limit import Limiting
from finplan.daemon.server import PATIENCE, serve
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces.rest.routes import Perform
from finplan.data_key import FILE, HeldKeys, KeyChoice, as_text, write_choice
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.operation import AnyOperation
from finplan.operations.bank import LINK_CONNECTION
from finplan.operations.plan import BUILD_PLAN
from finplan.operations.table import OPERATIONS
from finplan.service import dispatch
from finplan.service.context import Caller, Context
from finplan.service.password_hashes import Cost, Passwords
from finplan.service.people import ensure_owner, new_owner
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.store.queries.people import add_person
from finplan.store.sealing import FollowingSealer
from finplan.store.store import Store
from finplan.webhooks.sending import Vetting
from finplan.webhooks.targets import PrivateTargets
from tests.patience import LONG_ENOUGH
from tests.store_copies import copy_store

LITTLE = Cost(memory=8, passes=1, lanes=1)
"""What a hash of a password takes in tests: nothing here is worth guessing."""

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


async def _look_up(_host: str, _port: int) -> list[str]:
    return ["93.184.215.14"]


PUBLIC = Vetting(PrivateTargets(), _look_up)
"""Lets webhooks be anywhere on the public internet, whose names nobody has to be asked for."""


@dataclass(frozen=True)
class RunningDaemon:
    """How a test reaches it: `http` carries the session and takes any path, `client` is typed."""

    port: int
    token: str
    store: Store
    session: LocalSession
    uploads: Path
    http: httpx.AsyncClient
    client: AsyncDaemonClient

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def say(self, request: bytes) -> bytes:
        """Send bytes as they are on a connection of their own; answers all until it closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request)
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(), LONG_ENOUGH)
        writer.close()
        await writer.wait_closed()
        return answer


@asynccontextmanager
async def running_daemon(
    folder: Path, empty_store: Path, **options: Any
) -> AsyncIterator[RunningDaemon]:
    """Serve a copy of an empty store in a folder, which is made; the options are those of `serving`."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    copy_store(empty_store, folder / "finplan.db")
    async with serving(folder / "finplan.db", folder / "uploads", **options) as running:
        yield running


@asynccontextmanager
async def serving(
    database: Path,
    uploads: Path,
    *,
    operations: tuple[AnyOperation, ...] = OPERATIONS,
    perform: Perform = dispatch.perform,
    upload_limit: int = 64 * 1024 * 1024,
    site_url: str | None = None,
    limiting: Limiting | None = None,
    clock: Callable[[], datetime] = lambda: NOW,
    grace: float = 1.0,
    patience: float = PATIENCE,
    **parts: Any,
) -> AsyncIterator[RunningDaemon]:
    """Serve a store on a free port; uploads wait in a folder of their own."""
    await asyncio.to_thread(uploads.mkdir)
    store = Store.open(database, database.parent / "backups")
    bound = socket.create_server(("127.0.0.1", 0))
    port = bound.getsockname()[1]
    owner = await ensure_owner(store, "ada", int(NOW.timestamp() * 1000))
    session = LocalSession(owner, new_token())
    data_key = database.with_name("data_key.json")
    if not data_key.exists():
        write_choice(data_key, KeyChoice(FILE, as_text(bytes(32))))
    keys = HeldKeys(data_key, {})
    app = make_app(
        Parts(
            store=store,
            banks={"demo": Demo(), "manual": Manual()},
            session=session,
            port=port,
            site_url=site_url or f"http://127.0.0.1:{port}",
            uploads=uploads,
            upload_limit=upload_limit,
            now=clock,
            operations=operations,
            perform=perform,
            limiting=limiting or Limiting(LARGEST_RATE_LIMIT),
            **{
                "sealer": LateSealer(keys.newest, sealing=lambda key: FollowingSealer(key, keys)),
                "data_key": data_key,
                "passwords": Passwords(LITTLE),
                "vetting": PUBLIC,
                **parts,
            },
        )
    )
    runner = await serve(app, bound, grace, patience=patience)
    url = f"http://127.0.0.1:{port}"
    cookies = {SESSION_COOKIE: session.token}
    try:
        async with (
            # Nothing is encrypted here, and reading whom to trust is a third of a short test's time.
            httpx.AsyncClient(
                base_url=url, cookies=cookies, trust_env=False, verify=False, timeout=LONG_ENOUGH
            ) as http,
            AsyncDaemonClient(url, session.token) as client,
        ):
            yield RunningDaemon(port, session.token, store, session, uploads, http, client)
    finally:
        await runner.cleanup()
        store.close()
        # It keeps the last thousand applications with all they know, which slows whatever comes next.
        _cached_build_middleware.cache_clear()


async def settle_household(database: Path, bank: Bank | None = None) -> None:
    """Link the demo bank in a migrated store and build a plan."""
    store = Store.open(database, database.parent)
    ada = {**new_owner("ada", int(NOW.timestamp() * 1000)), "id": os.environ["HOUSEHOLD"]}
    owner = await store.write(lambda connection: add_person(connection, ada))
    caller = Caller(owner, frozenset({"read", "write"}), "session")
    context = Context(caller, store, {"demo": bank or Demo()}, lambda: NOW)
    await dispatch.perform(context, LINK_CONNECTION, LinkRequest(provider="demo"))
    await dispatch.perform(context, BUILD_PLAN, Nothing())
    store.close()

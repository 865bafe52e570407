"""A person with webhooks, and couriers for a test's clock.

A receiver answers with raw bytes, which no server of HTTP would send.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection

from finplan.model import webhook as webhooks
from finplan.model.base import Nothing
from finplan.service.context import Caller, Context
from finplan.service.people import ensure_owner
from finplan.service.webhooks.deliveries import DeliveryBook, list_deliveries, try_webhook
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.service.webhooks.webhooks import create_webhook, list_webhook_records
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.webhooks.courier import Clock, Courier, Letter
from finplan.webhooks.sending import Sender, Vetting
from finplan.webhooks.signing import MessageKey
from finplan.webhooks.targets import PrivateTargets
from tests.patience import LONG_ENOUGH
from tests.webhooks.receiver import HOST, Authority

SEALER = Sealer(bytes(32))
SITE = "http://127.0.0.1:8460"
NEVER = 1e9
"""What stands for the time after which a courier looks again unasked, in seconds."""

EVENTS: tuple[webhooks.WebhookEventType, ...] = ("plan.built", "recurring.detected")


async def sealer() -> Sealer:
    return SEALER


@dataclass
class StandingClock(Clock):
    """A clock that goes on only when a courier waits for a time and nothing is on its way.

    Whoever waits with nothing to come waits for something to happen, and so does everybody while it is
    `held`.
    """

    instant: int = field(default_factory=lambda: int(datetime.now(UTC).timestamp()) * 1000)
    couriers: list[Courier] = field(default_factory=list)
    held: bool = False

    def now(self) -> int:
        return self.instant

    def datetime(self) -> datetime:
        return datetime.fromtimestamp(self.instant / 1000, UTC)

    def _busy(self) -> bool:
        return self.held or any(courier._running or courier._outcomes for courier in self.couriers)

    async def wait(self, happened: asyncio.Event, seconds: float) -> None:
        if not happened.is_set() and not self._busy() and seconds < NEVER:
            self.instant += -int(-seconds * 1000)
            return
        async with asyncio.timeout(LONG_ENOUGH):
            await happened.wait()


@dataclass
class Names:
    """What names lead to: this machine unless a test says otherwise; `asked` are those looked up."""

    leads_to: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def look_up(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.leads_to.get(host, ["127.0.0.1"])


@dataclass
class HookDesk:
    """The performers of webhooks for one person of a store, and couriers."""

    store: Store
    context: Context
    clock: StandingClock
    names: Names
    authorities: Path

    async def register(
        self, url: str, events: tuple[webhooks.WebhookEventType, ...] = EVENTS
    ) -> webhooks.CreatedWebhook:
        made = await create_webhook(self.context, webhooks.NewWebhook(url=url, events=events))
        return made.answer

    async def test(self, webhook: str, times: int = 1) -> list[str]:
        """The ids of test deliveries, which wait to be sent."""
        return [
            (await try_webhook(self.context, webhooks.WebhookId(id=webhook))).answer.id
            for _ in range(times)
        ]

    async def register_tested(
        self, url: str, events: tuple[webhooks.WebhookEventType, ...] = EVENTS
    ) -> webhooks.CreatedWebhook:
        """A webhook with a test delivery, which waits to be sent."""
        hook = await self.register(url, events)
        await self.test(hook.id)
        return hook

    async def deliver(self, webhook: str) -> None:
        """A courier at work until nothing of a webhook waits any more."""
        async with self.delivering():
            await self.until(lambda: self.all_done(webhook))

    async def deliveries(self, webhook: str) -> tuple[webhooks.WebhookDelivery, ...]:
        page = await list_deliveries(self.context, webhooks.DeliveryQuery(id=webhook, limit=200))
        return page.deliveries

    async def record(self, webhook: str) -> webhooks.WebhookRecord:
        records = await list_webhook_records(self.context, Nothing())
        return next(each for each in records if each.webhook.id == webhook)

    @asynccontextmanager
    async def delivering(
        self, *, luck: float = 0.0, store: Store | None = None
    ) -> AsyncIterator[Courier]:
        """A courier at work, by the clock, that trusts the desk's authorities."""
        store = store or self.store
        keys = MessageKeys(store)

        async def key_of(now: int) -> MessageKey:
            return await keys.signing_key(SEALER, now)

        vetting = Vetting(PrivateTargets.of([HOST]), self.names.look_up)
        sender = Sender(SITE, key_of, vetting, self.authorities)
        courier = Courier(DeliveryBook(store, sealer), sender.send, self.clock, lambda: luck)
        self.clock.couriers.append(courier)
        loop = asyncio.get_running_loop()

        def stir() -> None:
            loop.call_soon_threadsafe(courier.stir)

        store.deliveries_written.listener = stir
        running = asyncio.create_task(courier.run())
        try:
            yield courier
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await sender.close()
            self.clock.couriers.remove(courier)

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds, which is awaited if it can be."""
        async with asyncio.timeout(LONG_ENOUGH):
            while True:
                found = holds()
                if asyncio.iscoroutine(found):
                    found = await found
                if found:
                    return
                await asyncio.sleep(0.005)

    async def all_done(self, webhook: str) -> bool:
        return all(each.status != "pending" for each in await self.deliveries(webhook))

    async def rows(self, query: str) -> list[Any]:
        def read(connection: Connection) -> list[Any]:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

        return await self.store.read(read)


async def desk_of(store: Store, clock: StandingClock, names: Names, authorities: Path) -> HookDesk:
    """The desk of the one person of a store."""
    owner = await ensure_owner(store, "ada", clock.now())
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    vetting = Vetting(PrivateTargets.of([HOST]), names.look_up)
    context = Context(
        caller, store, {}, clock.datetime, sealer=sealer, vet_target=vetting.check_url
    )
    return HookDesk(store, context, clock, names, authorities)


Reply = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def replying(authority: Authority, reply: Reply) -> AsyncIterator[str]:
    """The URL of a server that lets `reply` do as it likes with each connection, request unread."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(authority.server, authority.key)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reply(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://{HOST}:{server.sockets[0].getsockname()[1]}/"


@asynccontextmanager
async def a_sender(authority: Authority) -> AsyncIterator[Sender]:
    """A sender to whom every name leads to this machine."""

    async def key_of(_now: int) -> MessageKey:
        return MessageKey("key", Ed25519PrivateKey.from_private_bytes(bytes(32)))

    async def look_up(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    sender = Sender(
        SITE, key_of, Vetting(PrivateTargets.of([HOST]), look_up), authority.authorities
    )
    try:
        yield sender
    finally:
        await sender.close()


def a_letter(url: str, until: int = 0) -> Letter:
    """A letter to a URL, claimed until an instant."""
    return Letter(1, "dlv_1", 1, url, b"{}", (b"secret",), 0, until)

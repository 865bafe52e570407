"""Deliveries to webhooks, as long as the daemon runs."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from finplan.service.webhooks.delivering import DeliveryBook
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.setting_values import SettingsError
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.webhooks.courier import Clock, Courier
from finplan.webhooks.sending import Sender, Vetting
from finplan.webhooks.signing import MessageKey


def must_be_certificates(authorities: str | None) -> None:
    """Raise SettingsError where the file that `webhook_ca` names holds no certificate."""
    if authorities is None:
        return
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    failed: str | None = "it holds no certificate in PEM"
    try:
        context.load_verify_locations(cafile=authorities)
        if context.cert_store_stats()["x509"]:
            failed = None
    except ssl.SSLError:
        # Its words are a library's.
        pass
    except OSError as error:
        failed = (error.strerror or str(error)).lower()
    if failed is not None:
        raise SettingsError(f"`webhook_ca` names {authorities!r}, which cannot be used: {failed}.")


@asynccontextmanager
async def delivering(
    store: Store,
    sealer: Callable[[], Awaitable[Sealer]],
    vetting: Vetting,
    site_url: str,
    *,
    authorities: Path | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[Courier]:
    """Deliver what the store holds; what is written meanwhile stirs the courier."""
    keys = MessageKeys(store)

    async def key_of(now: int) -> MessageKey:
        return await keys.signing_key(await sealer(), now)

    sender = Sender(site_url, key_of, vetting, authorities)
    courier = Courier(DeliveryBook(store, sealer), sender.send, clock)
    loop = asyncio.get_running_loop()

    def stir() -> None:
        # The loop may have closed while the last change was written.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(courier.stir)

    store.deliveries_written.listener = stir
    running = asyncio.create_task(courier.run())
    try:
        yield courier
    finally:
        store.deliveries_written.listener = None
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await sender.close()

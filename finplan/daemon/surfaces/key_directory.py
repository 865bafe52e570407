"""The published directory of the keys that messages are signed with, itself signed by each of them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from aiohttp import hdrs, web

from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces.negotiation import has_already, weak
from finplan.daemon.surfaces.oauth import cross_origin
from finplan.model.errors import SecretsUnreachable
from finplan.service.webhooks.message_keys import Directory, MessageKeys
from finplan.webhooks.signing import DIRECTORY_PATH, authority_of, directory_headers

KEPT = "public, max-age=86400"


@dataclass(frozen=True, slots=True)
class KeyDirectory:
    """What the directory is made of; `site_url` tells whether it is asked for by https."""

    keys: MessageKeys
    sealer: LateSealer
    now: Callable[[], datetime]
    site_url: str

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Answer the directory, signed for who asks; unsigned where the data key is out of reach."""
        now = int(self.now().timestamp() * 1000)
        try:
            found = await self.keys.directory(await self.sealer(), now)
        except SecretsUnreachable:
            found = Directory(await self.keys.published(), ())
        scheme = self.site_url.partition(":")[0]
        authority = authority_of(f"{scheme}://{request.host}")
        tag = sha256(found.body).hexdigest()[:32]
        headers = {
            **directory_headers(found.body, found.keys, authority, now),
            # Without a key nothing is worth keeping: the next one who asks may find one.
            hdrs.CACHE_CONTROL: KEPT if found.keys else "no-store",
            hdrs.ETAG: weak(tag),
        }
        if has_already(request, tag):
            kept = {name: headers[name] for name in (hdrs.CACHE_CONTROL, hdrs.ETAG)}
            return web.Response(status=304, headers=kept)
        return web.Response(body=found.body, headers=headers)


def add_routes(router: web.UrlDispatcher, directory: KeyDirectory) -> None:
    """Add the directory's route, which any page may ask."""
    cross_origin.add(router, DIRECTORY_PATH, directory.send, hdrs.METH_GET)

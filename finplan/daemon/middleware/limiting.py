"""The rate limit: each credential has its window, and who shows none shares that of the address.

Every answer tells how it stands, a refusal of any kind too.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler

from finplan.daemon.auth.client_address import address_of_peer, counted_as
from finplan.daemon.middleware.credential import CALLER
from finplan.daemon.middleware.windows import Quota, Windows
from finplan.model.errors import TooManyRequests, Unauthorized

UNCOUNTED_PATHS = frozenset({"/health"})
"""Asked before each command whether the daemon is there: an answer to it is never refused."""

GUESTS_LIMIT = 30
"""How many requests an agent has in a minute that nobody has claimed."""

QUOTA = web.RequestKey("quota", Quota)
"""What is left after this request was counted."""


def _nobody(_request: web.Request) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Limiting:
    """Counts every request once: `limit` is how many a credential has in a minute.

    `signer_of` answers the origin whose verified signature a request carries, if any, and raises
    Unauthorized for one that comes again; `address_of` answers where a request comes from.
    """

    limit: int
    signer_of: Callable[[web.Request], str | None] = _nobody
    address_of: Callable[[web.BaseRequest], str] = address_of_peer
    windows: Windows = field(default_factory=Windows)

    @web.middleware
    async def count_refusals(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Before the credential is asked for: what is refused there counts for the address."""
        try:
            return await handler(request)
        except Exception:
            if QUOTA not in request:
                self._count(request)
            raise

    @web.middleware
    async def limit_requests(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Behind the credential: counts. Raises TooManyRequests, Unauthorized."""
        self._count(request)
        return await handler(request)

    async def tell(self, request: web.Request, response: web.StreamResponse) -> None:
        """The signal by which every answer of the application carries what is left."""
        quota = request.get(QUOTA)
        if quota is None:
            # The application never saw it: aiohttp refused it by its headers.
            quota = self.windows.count(self._stranger(request), self.limit)
        add_quota(response, quota)

    def add_stranger(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Count what is not even HTTP for its address, and say so on the answer."""
        add_quota(response, self.windows.count(self._stranger(request), self.limit))

    def _count(self, request: web.Request) -> None:
        limit = self._limit(request)
        try:
            key = self._bucket(request)
        except Unauthorized:
            # Whoever repeats a signed request is not its signer.
            request[QUOTA] = self.windows.count(self._stranger(request), self.limit)
            raise
        if request.path in UNCOUNTED_PATHS:
            request[QUOTA] = self.windows.look(key, limit)
            return
        quota = request[QUOTA] = self.windows.count(key, limit)
        if quota.exceeded:
            raise TooManyRequests(
                f"More than {limit} requests in a minute. Wait {quota.reset} seconds, then go on."
            )

    def _limit(self, request: web.Request) -> int:
        caller = request.get(CALLER)
        return min(self.limit, GUESTS_LIMIT) if caller is not None and caller.guest else self.limit

    def _bucket(self, request: web.Request) -> Hashable:
        origin = None if request.path in UNCOUNTED_PATHS else self.signer_of(request)
        if origin is not None:
            return ("origin", origin)
        caller = request.get(CALLER)
        if caller is None:
            return self._stranger(request)
        return ("credential", caller.owner, caller.credential)

    def _stranger(self, request: web.BaseRequest) -> Hashable:
        return ("address", counted_as(self.address_of(request)))


LIMITING = web.AppKey("limiting", Limiting)
"""Where the server, which sees what is no request at all, finds the application's limits."""


def add_quota(response: web.StreamResponse, quota: Quota) -> None:
    """Put the three headers on an answer, and on a 429 when to come again."""
    response.headers["RateLimit-Limit"] = str(quota.limit)
    response.headers["RateLimit-Remaining"] = str(quota.remaining)
    response.headers["RateLimit-Reset"] = str(quota.reset)
    if response.status == TooManyRequests.status:
        # Some refusals last longer than the window of requests, and say so themselves.
        response.headers.setdefault("Retry-After", str(quota.reset))

"""The rate limit: each credential has its window, and who shows none shares that of the address.

Every answer tells how it stands, a refusal of any kind too. Windows are fixed, of a minute unless told
otherwise, and take a bounded part of the memory.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler

from finplan.daemon.auth.client_address import address_of_peer, counted_as
from finplan.daemon.middleware import CALLER
from finplan.model.errors import TooManyRequests, Unauthorized

WINDOW = 60.0
"""How long a window is unless told otherwise, in seconds; it begins with what is counted first in it."""

MOST_WINDOWS = 10_000
"""How many windows are kept apart; whoever comes while they are all taken shares one more."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What is left of a limit after a request was counted; `reset` is in whole seconds from now."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool = False


@dataclass(slots=True)
class _Window:
    ends: float
    count: int = 0


@dataclass(slots=True)
class Windows:
    """A window of `length` seconds for each key that was seen in the last one, the oldest first."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_WINDOWS
    length: float = WINDOW
    _open: OrderedDict[Hashable, _Window] = field(default_factory=OrderedDict)
    _shared: _Window = field(default_factory=lambda: _Window(0.0))

    def count(self, key: Hashable, limit: int) -> Quota:
        """Count a request; the one after `limit` of them in a window has exceeded it."""
        now = self.clock()
        window = self._window(key, now)
        window.count += 1
        return self._quota(window, limit, now, exceeded=window.count > limit)

    def take_back(self, key: Hashable) -> None:
        """Undo one count of a key in its window; what a shared window counted stays."""
        window = self._open.get(key)
        if window is not None and window.count > 0:
            window.count -= 1

    def look(self, key: Hashable, limit: int) -> Quota:
        """What `count` would find before it counts."""
        now = self.clock()
        window = self._open.get(key)
        if window is None or window.ends <= now:
            window = _Window(now + self.length)
        return self._quota(window, limit, now, exceeded=False)

    def _window(self, key: Hashable, now: float) -> _Window:
        self._close_ended(now)
        window = self._open.get(key)
        if window is None and len(self._open) < self.most:
            window = self._open[key] = _Window(now + self.length)
        if window is not None:
            return window
        if self._shared.ends <= now:
            self._shared = _Window(now + self.length)
        return self._shared

    def _close_ended(self, now: float) -> None:
        # All windows are equally long, so they end in the order in which they were opened.
        while self._open:
            key, oldest = next(iter(self._open.items()))
            if oldest.ends > now:
                return
            del self._open[key]

    def _quota(self, window: _Window, limit: int, now: float, *, exceeded: bool) -> Quota:
        return Quota(
            limit=limit,
            remaining=max(0, limit - window.count),
            # Subtracting what was added may be a hair off.
            reset=min(math.ceil(self.length), max(1, math.ceil(window.ends - now))),
            exceeded=exceeded,
        )


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
                f"You sent more than {limit} requests in a minute. Wait {quota.reset} seconds, then"
                " continue."
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

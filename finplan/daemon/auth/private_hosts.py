"""Private hosts: names under `.localhost` that one browser knows, and sessions on their way there."""

import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

HOLDS = 60_000
"""How long an arrival is waited for, in milliseconds."""

_MOST = 100
_PRIVATE_HOST = re.compile(r"[a-z2-7]{26}\.localhost:[0-9]{1,5}")


def is_private_host(host: str) -> bool:
    """Whether a host is one that a browser may have to itself, whatever its port."""
    return _PRIVATE_HOST.fullmatch(host.lower()) is not None


class Arrival(NamedTuple):
    """A session's cookie, the path that the browser is led to, and until when both are kept."""

    cookie: str
    path: str
    ends: int


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The sessions that are on their way; the oldest gives way to the newest beyond a hundred."""

    _waiting: OrderedDict[str, Arrival] = field(default_factory=OrderedDict, repr=False)

    def expect(self, cookie: str, path: str, now: int) -> str:
        """Keep a session; answers the secret that fetches it, once and within a minute."""
        token = secrets.token_urlsafe(32)
        self._waiting[token] = Arrival(cookie, path, now + HOLDS)
        while len(self._waiting) > _MOST:
            self._waiting.popitem(last=False)
        return token

    def fetch(self, token: str, now: int) -> Arrival | None:
        """Take a session out; None when there is none, or it was waited for too long."""
        arrival = self._waiting.pop(token, None)
        return arrival if arrival is not None and now < arrival.ends else None

"""The two in front of one daemon, and what is wrong with how a kind of caller is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

import httpx
from aiohttp.abc import AbstractResolver

from finplan.banks.base import Aggregator
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.rate_limit import WINDOW, Limiting, Windows
from finplan.model.errors import BankProviderError
from finplan.setting_values import LARGEST_RATE_LIMIT
from tests.daemon.authorization.callers import CallerKind
from tests.daemon.authorization.household import Rows, Settled, rows_of
from tests.daemon.authorization.requests import Request
from tests.daemon.running import RunningDaemon


def unthrottled() -> Limiting:
    """The rate limit, of which no request sees another: each is in a minute of its own.

    The limit of an unclaimed agent is the product's own, and no setting raises it.
    """
    minutes = count()
    return Limiting(LARGEST_RATE_LIMIT, windows=Windows(clock=lambda: next(minutes) * WINDOW))


class _Nowhere:
    """Lets no request go anywhere."""

    async def check(self, url: str) -> None:
        raise BankProviderError(f"Nobody is reached at {url}.", "aggregator", "provider_error")

    def resolver(self) -> AbstractResolver:
        raise NotImplementedError


def unreachable_banks() -> Mapping[str, Aggregator]:
    """Aggregators that are set up and reach nobody: what may refuse a link is asked before they are."""
    return {
        "simplefin": SimpleFin(BankHttp("SimpleFIN", vets=_Nowhere())),
        "plaid": Plaid(BankHttp("Plaid", vets=_Nowhere()), PlaidKeys("id", "secret", "sandbox")),
    }


@dataclass
class Two:
    """A daemon before the two people, and a client without a credential of its own."""

    daemon: RunningDaemon
    settled: Settled
    http: httpx.AsyncClient

    async def ask(self, caller: CallerKind, request: Request) -> httpx.Response:
        """Send a request as a kind of caller."""
        shown = await caller.headers(self.daemon, self.settled)
        parts = {**request.parts, "headers": {**shown, **request.parts.get("headers", {})}}
        return await self.http.request(request.method, request.url, **parts)

    async def rows(self) -> Rows:
        """All that is Ada's."""
        return await self.daemon.store.read(lambda c: rows_of(c, self.settled.ada))

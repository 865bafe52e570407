"""The aggregators that a daemon reaches banks by, and where it may go for them."""

import socket
import ssl
from collections.abc import Mapping

from aiohttp.abc import AbstractResolver, ResolveResult

from finplan.banks.base import Aggregator
from finplan.banks.http import BankHttp
from finplan.banks.simplefin.bank import SimpleFin
from finplan.model.errors import BankProviderError
from finplan.webhooks.sending import Vetting, VettingResolver
from finplan.webhooks.targets import RefusedTarget


def aggregators(vetting: Vetting, trust: ssl.SSLContext | None = None) -> Mapping[str, Aggregator]:
    """Every aggregator that is set up, by its name; `trust` is whom to believe, the system's if None."""
    return {"simplefin": SimpleFin(BankHttp("SimpleFIN", trust=trust, vets=_OutThere(vetting)))}


class _OutThere:
    """Lets banks be asked where webhooks may go: a token that anybody may bring says where that is."""

    def __init__(self, vetting: Vetting) -> None:
        self._vetting = vetting

    async def check(self, url: str) -> None:
        """Raise BankProviderError unless a URL may be asked."""
        try:
            await self._vetting.check_url(url)
        except RefusedTarget as error:
            raise BankProviderError(
                f"The server of this token may not be asked. {error}",
                "aggregator",
                "provider_error",
            ) from None

    def resolver(self) -> AbstractResolver:
        """What finds out vetted addresses alone."""
        return _AsUnreachable(self._vetting)


class _AsUnreachable(VettingResolver):
    """Tells the client that an address which is refused is not there."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The vetted addresses of a host. Raises OSError."""
        try:
            return await super().resolve(host, port, family)
        except RefusedTarget as error:
            raise OSError(str(error)) from None

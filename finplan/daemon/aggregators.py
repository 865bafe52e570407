"""The aggregators that a daemon reaches banks by, and where it may go for them."""

import logging
import socket
import ssl
from collections.abc import Mapping

from aiohttp.abc import AbstractResolver, ResolveResult

from finplan.banks.base import Aggregator
from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.banks.enablebanking.application import CALLBACK, NOWHERE, Application
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.banks.simplefin.bank import SimpleFin
from finplan.enablebanking_key import enablebanking_key
from finplan.model.errors import BankProviderError
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, Settings
from finplan.webhooks.sending import Vetting, VettingResolver
from finplan.webhooks.targets import RefusedTarget

log = logging.getLogger(__name__)


def aggregators(
    vetting: Vetting,
    trust: ssl.SSLContext | None = None,
    *,
    enablebanking: Application | None = None,
) -> Mapping[str, Aggregator]:
    """Every aggregator that is set up, by its name; `trust` is whom to believe, the system's if None."""
    found: dict[str, Aggregator] = {
        "simplefin": SimpleFin(BankHttp("SimpleFIN", trust=trust, vets=_OutThere(vetting)))
    }
    if enablebanking is not None:
        http = BankHttp(EnableBanking.title, trust=trust)
        found["enablebanking"] = EnableBanking(EnableBankingApi(http, enablebanking))
    return found


def enablebanking_application(settings: Settings, site_url: str) -> Application | None:
    """The person's application at Enable Banking; None if it lacks something. Raises SettingsError."""
    if settings.enablebanking_application_id is None:
        return None
    key = enablebanking_key(settings.places)
    if key is None:
        # All else goes on, also where only some who start the daemon give the key.
        log.warning(
            "`enablebanking_application_id` is set, and the private key of that application is not, so"
            " that no bank is reached through Enable Banking. Put its PEM file at %s (chmod 600), or its"
            " text into %s.",
            settings.places.enablebanking_key,
            ENABLEBANKING_KEY_VARIABLE,
        )
        return None
    root = site_url if site_url.startswith("https://") else NOWHERE
    return Application(
        settings.enablebanking_application_id,
        key,
        settings.enablebanking_redirect_url or f"{root}{CALLBACK}",
    )


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

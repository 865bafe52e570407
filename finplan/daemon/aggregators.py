"""The aggregators that a daemon reaches banks by, and where it may go for them."""

import logging
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp.abc import AbstractResolver, ResolveResult

from finplan.banks.answer import AnswerValue, TooMuch
from finplan.banks.base import Aggregator
from finplan.banks.enablebanking.api import (
    CALLBACK,
    NOWHERE,
    EnableBankingApi,
    RegisteredApplication,
)
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidEnvironment, PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.workers import WorkerEnded, Workers
from finplan.model.errors import BankProviderError
from finplan.secret_files import enablebanking_key, plaid_secret
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, PLAID_SECRET_VARIABLE, Settings
from finplan.webhooks.sending import Vetting, VettingResolver
from finplan.webhooks.targets import RefusedTarget

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BankKeys:
    """The person's own keys at aggregators, as far as they are all there."""

    plaid: PlaidKeys | None = None
    enablebanking: RegisteredApplication | None = None


def keys_of_banks(settings: Settings) -> BankKeys:
    """The keys that the settings and secrets of a profile give. Raises SettingsError.

    Where a secret is missing all but its aggregator goes on: who starts the daemon may not have it.
    """
    return BankKeys(_plaid(settings), _enablebanking(settings))


def aggregators(
    vetting: Vetting, keys: BankKeys, workers: Workers, trust: ssl.SSLContext | None = None
) -> Mapping[str, Aggregator]:
    """Every aggregator that is set up, by its name; `trust` is whom to believe, the system's if None.

    Their answers are read by `workers`.
    """
    apart = ReadInWorker(workers)
    vets = _OutThere(vetting)
    set_up: dict[str, Aggregator] = {
        "simplefin": SimpleFin(BankHttp("SimpleFIN", trust=trust, vets=vets, apart=apart))
    }
    if keys.plaid is not None:
        set_up["plaid"] = Plaid(BankHttp("Plaid", trust=trust, apart=apart), keys.plaid)
    if keys.enablebanking is not None:
        http = BankHttp(EnableBanking.title, trust=trust, apart=apart)
        set_up["enablebanking"] = EnableBanking(EnableBankingApi(http, keys.enablebanking))
    return set_up


def _plaid(settings: Settings) -> PlaidKeys | None:
    if settings.plaid_client_id is None:
        return None
    secret = plaid_secret(settings.places)
    if secret is None:
        log.warning(
            "The secret for `plaid_client_id` is missing, so Plaid is off. Write the secret to "
            "%s (chmod 600), or set %s.",
            settings.places.plaid_secret,
            PLAID_SECRET_VARIABLE,
        )
        return None
    environment: PlaidEnvironment = "production"
    if settings.plaid_environment == "sandbox":
        environment = "sandbox"
    countries = tuple(settings.plaid_countries.split())
    return PlaidKeys(settings.plaid_client_id, secret, environment, countries)


def _enablebanking(settings: Settings) -> RegisteredApplication | None:
    if settings.enablebanking_application_id is None:
        return None
    key = enablebanking_key(settings.places)
    if key is None:
        log.warning(
            "The private key for `enablebanking_application_id` is missing, so Enable Banking is"
            " off. Save the PEM file as %s (chmod 600), or set %s to its contents.",
            settings.places.enablebanking_key,
            ENABLEBANKING_KEY_VARIABLE,
        )
        return None
    site = settings.site_url or ""
    root = site if site.startswith("https://") else NOWHERE
    return RegisteredApplication(
        settings.enablebanking_application_id,
        key,
        settings.enablebanking_redirect_url or f"{root}{CALLBACK}",
    )


class ReadInWorker:
    """Reads an answer in a worker process; one that takes too much memory or time is too much."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def __call__(self, work: Callable[[], AnswerValue], /) -> AnswerValue:
        """Answer or raise what the work does. Raises TooMuch."""
        try:
            return await self._workers.run_bounded(work)
        except (MemoryError, TimeoutError, WorkerEnded) as error:
            log.warning("Could not read a bank's answer: %r", error)
            raise TooMuch from None


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
                f"finplan refuses to connect to the server in this token. {error}",
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

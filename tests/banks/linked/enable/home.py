"""A household whose banks are reached through a fake Enable Banking on a real socket."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from finplan.banks.enablebanking.api import EnableBankingApi, RegisteredApplication
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.model import connection as connections
from finplan.service.banking.linking import link_connection
from finplan.service.banking.page_links import begin_link
from finplan.service.context import Context
from tests.banks.fakes import enable_banking as fake
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.world import World
from tests.banks.linked.household import ComparedHome
from tests.service.own_money import sealer
from tests.webhooks.receiver import Authority


@dataclass
class EnableHome(ComparedHome):
    """One person with an application at Enable Banking, and a bank that they consent at."""

    bridge: fake.EnableBanking = field(kw_only=True)

    async def begin(self, **more: Any) -> connections.BankLink:
        """Have a page opened: the one of the only bank, unless something else is said."""
        if not more:
            bank = next(iter(self.world.banks.values()))
            more["institution"] = connections.Institution(
                id=f"{bank.country}/{bank.name}", name=bank.name
            )
        ask = connections.BankLinkRequest(bank="enablebanking", **more)
        return (await begin_link(self.context, ask)).answer

    async def led_back(self, **more: Any) -> str:
        """The person consents at their bank; where they are led then."""
        return self.bridge.finish((await self.begin(**more)).url)

    async def link(self, token: str | None = None, **more: Any) -> connections.ConnectionRecord:
        """Consent, and give finplan the address that the browser was led to."""
        ask = connections.LinkRequest(
            provider="aggregator", public_token=token or await self.led_back(**more)
        )
        made = await link_connection(self.context, ask)
        self.connection = made.answer.connection.id
        return made.answer

    async def relink(self) -> connections.ConnectionRecord:
        """Consent once more, in the place of the consent that there is."""
        return await self.link(reconnect=connections.Reconnection(connection_id=self.connection))

    def asked(self, what: str) -> int:
        """How many requests of a kind came: `balances` or `transactions`."""
        return len(self.bridge.asked(f"/accounts/*/{what}"))


def enable_home(
    context: Context,
    world: World,
    api: fake.EnableBanking,
    authority: Authority,
    change: Callable[[RegisteredApplication], RegisteredApplication] = lambda application: (
        application
    ),
    **how: Any,
) -> EnableHome:
    """The home of a context, whose clock goes by the days of a world."""
    application = change(RegisteredApplication(api.app_id, api.private_key, api.redirect_urls[0]))
    http = BankHttp("Enable Banking", trust=trusting(authority))
    reach = EnableBankingApi(http, application, api.url)
    home = EnableHome(context, world, bridge=api)
    # The banks' wall is the person's: what ends by the hour ends for both at once.
    api.now = lambda: home.now() - timedelta(hours=1)
    home.context = replace(
        context,
        aggregators={"enablebanking": EnableBanking(reach, now=api.now, **how)},
        sealer=sealer,
        now=home.now,
    )
    return home

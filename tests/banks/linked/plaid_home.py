"""A household that linked its bank at Plaid's page, against a Plaid on a real socket."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.model.connection import BankLink, BankLinkId, BankLinkRequest, Reconnection
from finplan.service.banking.page_links import begin_link, show_link
from finplan.service.context import Context
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.plaid_items import Item
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.world import HeldAt, World
from tests.banks.linked.household import ComparedHome
from tests.service.own_money import sealer
from tests.webhooks.receiver import Authority


@dataclass
class PlaidHome(ComparedHome):
    """One person, and Plaid as their keys reach it."""

    plaid: PlaidApi = field(kw_only=True)
    second: int = 0

    def now(self) -> datetime:
        """An instant of the world's day."""
        return super().now() + timedelta(seconds=self.second)

    async def begin(self, reconnect: str | None = None) -> BankLink:
        """Open a page."""
        of = None if reconnect is None else Reconnection(connection_id=reconnect)
        made = await begin_link(self.context, BankLinkRequest(bank="plaid", reconnect=of))
        return made.answer

    async def poll(self, link: BankLink) -> BankLink:
        """Ask for a link, a while after it was asked for last."""
        self.second += 3
        return await show_link(self.context, BankLinkId(id=link.id))

    async def link(self, bank: HeldAt, **more: Any) -> BankLink:
        """Sign in at a bank by a page, from its opening to the first sync."""
        link = await self.begin(**more)
        self.plaid.finish_link(self.token, bank)
        link = await self.poll(link)
        assert link.connection is not None, link.error
        self.connection = link.connection.id
        return link

    @property
    def token(self) -> str:
        """The link token of the page that was opened last."""
        return list(self.plaid.links)[-1]

    @property
    def item(self) -> Item:
        """The item that was made last."""
        return list(self.plaid.items.values())[-1]

    def exchanges(self) -> int:
        """How often a token was exchanged, or tried to be."""
        return len(self.plaid.asked("/item/public_token/exchange"))


def plaid_home(context: Context, world: World, plaid: PlaidApi, authority: Authority) -> PlaidHome:
    """The home of a context, whose clock goes by the days of a world, with the keys of a Plaid."""
    home = PlaidHome(context, world, plaid=plaid)
    keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox", host=plaid.url)
    bank = Plaid(BankHttp("Plaid", trust=trusting(authority)), keys)
    plaid.now = home.now
    home.context = replace(context, aggregators={"plaid": bank}, sealer=sealer, now=home.now)
    return home

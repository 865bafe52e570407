"""What questions are read and answered by: the names and the days of a household."""

from dataclasses import dataclass
from datetime import date

from finplan.daemon.surfaces.mcp.tools.names import (
    KnownCategories,
    categories_of,
    today_and_paydays,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.spending import RecordedDays, SpendingQuery, SpendingReport
from finplan.operations.transaction import QUERY_SPENDING
from finplan.questions.names import KnownNames


@dataclass(frozen=True, slots=True)
class KnownHousehold:
    """The names of a household, its days of pay, its currency, and the days that its rows reach."""

    names: KnownNames
    categories: KnownCategories
    today: date
    paydays: list[date]
    recorded: RecordedDays | None

    @property
    def currency(self) -> str:
        """What amounts are in."""
        return self.names.currency


async def know_household(call: Call, words: str) -> KnownHousehold:
    """Look up what a question of some words is read by."""
    today, pay = await today_and_paydays(call, words)
    categories = await categories_of(call)
    paid: SpendingReport = await call.ask(QUERY_SPENDING, SpendingQuery(group_by="merchant"))
    currency = (await call.settings()).currency
    return KnownHousehold(
        KnownNames.of(categories.choices, (each.label for each in paid.groups), currency),
        categories,
        today,
        pay,
        paid.recorded,
    )

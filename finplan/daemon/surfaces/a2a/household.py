"""What questions are read and answered by: the names, the days and the accounts of a household."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from finplan.daemon.surfaces.mcp.tools.periods import today_and_paydays
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.account import AccountRecord
from finplan.model.category import CategoryChoice
from finplan.model.spending import RecordedDays, SpendingQuery, SpendingReport
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import QUERY_SPENDING
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.ledger.roles import counts_in_totals
from finplan.questions.names import KnownNames


@dataclass(frozen=True, slots=True)
class KnownHousehold:
    """The names of a household, its days of pay, its currency, and the days that its rows reach."""

    names: KnownNames
    labels: Mapping[str, str]
    spending: frozenset[str]
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
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    paid: SpendingReport = await call.ask(QUERY_SPENDING, SpendingQuery(group_by="merchant"))
    currency = (await call.settings()).currency
    return KnownHousehold(
        KnownNames.of(choices, (each.label for each in paid.groups), currency),
        {each.category: each.label for each in choices},
        frozenset(
            each.category
            for each in choices
            if each.line != "not_spending" and not each.reimbursable
        ),
        today,
        pay,
        paid.recorded,
    )


async def counted_accounts(call: Call, currency: str) -> tuple[str, ...]:
    """The ids of the accounts whose rows enter totals."""
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    return tuple(
        each.account.id for each in records if counts_in_totals(_as_in_ledger(each), currency)
    )


def _as_in_ledger(record: AccountRecord) -> LedgerAccount:
    account = record.account
    return LedgerAccount(
        id=account.id,
        connection_id=account.connection_id,
        institution=account.institution_name,
        name=account.name,
        mask=account.mask,
        kind=account.kind,
        subtype=account.subtype,
        currency=record.currency,
        balance=account.balance,
        hidden=record.hidden,
    )

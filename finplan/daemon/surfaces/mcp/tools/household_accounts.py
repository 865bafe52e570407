"""The accounts of a household: which of them enter totals, and what each is called."""

from collections.abc import Mapping
from dataclasses import dataclass

from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.account import AccountRecord
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.ledger import LedgerAccount


@dataclass(frozen=True, slots=True)
class HouseholdAccounts:
    """What each account is called, by its id, and the ids of those whose rows enter totals."""

    names: Mapping[str, str]
    counted: tuple[str, ...]


async def read_accounts(call: Call, currency: str) -> HouseholdAccounts:
    """Read the accounts of a household whose totals are in a currency."""
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    return HouseholdAccounts(
        {each.account.id: each.account.name for each in records},
        tuple(each.account.id for each in records if enters_totals(each, currency)),
    )


def enters_totals(record: AccountRecord, currency: str) -> bool:
    """Whether the rows of an account enter totals: shown cash and cards in the currency of these."""
    account = record.account
    return counts_in_totals(
        LedgerAccount(
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
        ),
        currency,
    )

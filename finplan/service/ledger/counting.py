"""Whether rows count: decided afresh whenever accounts or pairs change."""

from sqlalchemy import Connection

from finplan.plan.ledger.roles import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.store.queries import accounts, people


def recount_accounts(connection: Connection, owner: int, only: int | None = None) -> None:
    """Decide afresh for every account, or for only one, whether its rows count."""
    currency = household_settings(people.get_person(connection, owner)).currency
    for no, account in ledger_accounts(connection, owner).items():
        if only in (None, no):
            accounts.set_counting(connection, no, counted=counts_in_totals(account, currency))

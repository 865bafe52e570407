"""Whether rows count: decided afresh whenever accounts or pairs change."""

from sqlalchemy import Connection

from finplan.plan.ledger.roles import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.store.queries import accounts, people, priors


def recount_accounts(connection: Connection, owner: int, only: int | None = None) -> None:
    """Decide afresh for every account, or for only one, whether its rows count.

    What was known of the payees of rows that change does not hold any more.
    """
    priors.forget_priors(connection, recount(connection, owner, only))


def recount(connection: Connection, owner: int, only: int | None = None) -> set[int]:
    """As `recount_accounts`, for a caller that judges the payees anew; answers those of changed rows."""
    currency = household_settings(people.get_person(connection, owner)).currency
    changed: set[int] = set()
    for no, account in ledger_accounts(connection, owner).items():
        if only in (None, no):
            changed |= accounts.set_counting(
                connection, no, counted=counts_in_totals(account, currency)
            )
    return changed

"""Whether rows count: decided afresh whenever accounts or pairs change."""

from sqlalchemy import Connection

from finplan.plan.ledger.classes import counts_in_totals, nature_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.store.queries import accounts, people, transfers


def recount_abroad(connection: Connection, owner: int) -> list[int]:
    """Decide afresh whether money paid to own accounts in other currencies is saving or spending.

    It is saving where such an account kept at least half of what came in within a year, or is an
    investment. Answers the outgoing rows of the pairs that are something else than before.
    """
    held = ledger_accounts(connection, owner)
    currency = household_settings(people.get_person(connection, owner)).currency
    if all(account.currency == currency for account in held.values()):
        return []
    pairs = transfers.crossings(connection, owner, currency)
    abroad = {pair.abroad for pair in pairs}
    spent = {number for number in abroad if _is_spent(connection, number, held[number])}
    changed = [pair for pair in pairs if pair.spends != (pair.abroad in spent)]
    for spends in (True, False):
        numbers = [pair.no for pair in changed if pair.spends != spends]
        transfers.set_spending(connection, numbers, spends=spends)
    for number in sorted({pair.home for pair in changed}):
        accounts.set_counting(connection, number, counted=counts_in_totals(held[number], currency))
    return [pair.out for pair in changed]


def _is_spent(connection: Connection, number: int, account: LedgerAccount) -> bool:
    """Whether an account spends more than half of what comes in."""
    if nature_of(account) != "cash":
        return False
    came, stayed = transfers.came_and_stayed(connection, number)
    return 2 * stayed < came


def recount_accounts(connection: Connection, owner: int, only: int | None = None) -> None:
    """Decide afresh for every account, or for only one, whether its rows count."""
    recount_abroad(connection, owner)
    currency = household_settings(people.get_person(connection, owner)).currency
    for no, account in ledger_accounts(connection, owner).items():
        if only in (None, no):
            accounts.set_counting(connection, no, counted=counts_in_totals(account, currency))

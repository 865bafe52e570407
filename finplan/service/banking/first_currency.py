"""The currency of a household whose first data come from a bank."""

from sqlalchemy import Connection

from finplan.banks.answer import NO_CURRENCY
from finplan.banks.base import SyncPage
from finplan.service.ledger.reconciliation import recount_rows
from finplan.store.queries import accounts, people


def bring_only_currency(connection: Connection, owner: int) -> None:
    """Let accounts that are all in one currency bring the household's, before their rows are there."""
    if people.get_person(connection, owner)["currency"] is None:
        known = _known(connection, owner)
        if len(known) == 1:
            people.change_person(connection, owner, {"currency": known[0].currency})


def bring_most_common_currency(connection: Connection, owner: int, page: SyncPage) -> bool:
    """Let the rows of a bank bring the household's currency, if none is known; whether they did.

    It is that of most rows once the last page of a sync is applied. Which account a bank lists first
    says nothing of where somebody lives, so that a bank whose rows are not read yet is waited for.
    """
    if page.more or people.get_person(connection, owner)["currency"] is not None:
        return False
    known = _known(connection, owner)
    if not known or not (page.complete or any(each.rows for each in known)):
        return False
    # Of several that are equally common the one that stands first.
    most = max(known, key=lambda each: (each.rows, each.accounts))
    people.change_person(connection, owner, {"currency": most.currency})
    recount_rows(connection, owner)
    return True


def _known(connection: Connection, owner: int) -> list[accounts.CurrencyInUse]:
    """The currencies of accounts, without points and miles."""
    in_use = accounts.currencies_in_use(connection, owner)
    return [each for each in in_use if each.currency != NO_CURRENCY]

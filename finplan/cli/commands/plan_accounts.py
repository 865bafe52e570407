"""The accounts behind a page's figures, so that it can tell what is unknown from what is nothing."""

from finplan.cli.console.session import Session
from finplan.client.failures import CallFailed
from finplan.model.base import Nothing
from finplan.model.plan import SnapshotAccount
from finplan.operations import LIST_ACCOUNTS, SHOW_PLAN


def accounts_now(session: Session) -> tuple[SnapshotAccount, ...]:
    """The accounts of the latest plan with their balances of now, which may have been told since.

    Without a plan there are none, since only a plan says which part each account plays.
    """
    try:
        held = session.call(SHOW_PLAN, Nothing()).plan.snapshot.accounts
    except CallFailed as failure:
        if failure.code != "NOT_FOUND":
            raise
        return ()
    balances = {each.id: each.balance for each in session.call(LIST_ACCOUNTS, Nothing())}
    return tuple(
        each.model_copy(update={"balance": balances[each.id]})
        for each in held
        if each.id in balances
    )

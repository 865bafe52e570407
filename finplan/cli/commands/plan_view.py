"""The plan behind a page's figures, so that the page can tell what is unknown from what is nothing."""

from finplan.cli.console.session import Session
from finplan.client.failures import CallFailed
from finplan.model.base import Nothing
from finplan.model.snapshot import PlanView
from finplan.operations.plan import SHOW_PLAN, VIEW_PLAN


def view_now(session: Session) -> PlanView | None:
    """The plan that holds, with what it does not know; None before the first one was built."""
    try:
        # Looking at balances builds no plan.
        session.call(SHOW_PLAN, Nothing())
        return session.call(VIEW_PLAN, Nothing())
    except CallFailed as failure:
        if failure.code not in {"NOT_FOUND", "NO_CONNECTIONS"}:
            raise
        return None

"""What the demo household buys when it needs it is not shown as a bill of once a year."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from finplan.model.connection import LinkRequest
from finplan.model.recurring import RecurringQuery
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.verdicts.recurring import list_recurring

pytestmark = pytest.mark.thorough

DAY = datetime(2026, 3, 18, 12, tzinfo=UTC)
VISITS = ("Lakeside Medical Group", "Westbrook Pediatrics", "Oakhaven Veterinary Clini")


@pytest.mark.parametrize("household", ["usr_visits_34", "usr_visits_30", "usr_visits_35"])
async def test_a_visit_to_a_clinic_is_no_yearly_bill(context: Context, household: str) -> None:
    """Two visits a year apart cost the same here, by chance; what is renewed yearly is found beside."""
    await context.store.write(
        lambda c: c.exec_driver_sql("UPDATE person SET id = ?", (household,)).close()
    )
    at_home = replace(context, now=lambda: DAY)
    await link_connection(at_home, LinkRequest(provider="demo"))

    found = await list_recurring(at_home, RecurringQuery())
    yearly = {each.name for each in found if each.cadence == "annual"}

    assert "Beacon Term Life Ins" in yearly
    assert yearly.isdisjoint(VISITS)

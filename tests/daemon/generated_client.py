# mypy: ignore-errors
"""Use the client that a generator made of the description: it makes a plan on the demo household.

Run by test_generated_client.py with the address and a key, in an environment of its own.
"""

import sys

from finplan_client import AuthenticatedClient
from finplan_client.api.banks import list_connections
from finplan_client.api.plan import build_plan, show_plan
from finplan_client.api.transactions import query_spending
from finplan_client.models import NotFoundError, Nothing, QuerySpendingGroupBy, StoredPlan

url, key = sys.argv[1:]
client = AuthenticatedClient(
    base_url=f"{url}/api/v1",
    token=key,
    prefix="",
    auth_header_name="x-api-key",
    raise_on_unexpected_status=True,
)
with client:
    connections = list_connections.sync(client=client)
    assert [each.connection.provider for each in connections] == ["demo"]

    built = build_plan.sync(client=client, body=Nothing())
    assert isinstance(built, StoredPlan), built
    shown = show_plan.sync(client=client)
    assert isinstance(shown, StoredPlan), shown
    assert shown == built

    spending = query_spending.sync(client=client, group_by=QuerySpendingGroupBy.CATEGORY)
    assert sum(group.total for group in spending.groups) == spending.total
    assert not isinstance(spending, NotFoundError)
    print(built.plan.actions[0].title)

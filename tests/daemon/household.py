"""The demo household in a store, with a plan, as of the day on which the tests' clock stands.

Who its owner is decides what the household is, and `HOUSEHOLD` names them.
"""

import os
from pathlib import Path

from finplan.banks.base import Bank
from finplan.banks.demo.bank import Demo
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.operations.bank import LINK_CONNECTION
from finplan.operations.plan import BUILD_PLAN
from finplan.service import dispatch
from finplan.service.context import Caller, Context
from finplan.service.people import new_owner
from finplan.store.queries.people import add_person
from finplan.store.store import Store
from tests.daemon.running import NOW


async def settle_household(database: Path, bank: Bank | None = None) -> None:
    """Link the demo bank in a migrated store and build a plan."""
    store = Store.open(database, database.parent)
    ada = {**new_owner("ada", int(NOW.timestamp() * 1000)), "id": os.environ["HOUSEHOLD"]}
    owner = await store.write(lambda connection: add_person(connection, ada))
    caller = Caller(owner, frozenset({"read", "write"}), "session")
    context = Context(caller, store, {"demo": bank or Demo()}, lambda: NOW)
    await dispatch.perform(context, LINK_CONNECTION, LinkRequest(provider="demo"))
    await dispatch.perform(context, BUILD_PLAN, Nothing())
    store.close()

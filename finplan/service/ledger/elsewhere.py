"""Where the shipped data are asked: over a large store in a worker, which ends at rest, and else here.

They occupy some thirty megabytes, which Python keeps for itself where lasting things lie between them.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from sqlalchemy import Connection

from finplan.store.offload import Answer, apply_elsewhere
from finplan.store.queries.transfers import newest_row
from finplan.store.store import LARGE_STORE


class Asking(Protocol):
    """Does work that reads no store, and answers what it does."""

    def __call__(self, work: Callable[[], Answer], /) -> Answer:
        """Do it."""
        ...


def here(work: Callable[[], Answer]) -> Answer:
    """Do it in this process."""
    return work()


def where_fit(connection: Connection, *, large: bool = False) -> Asking:
    """What asks the shipped data for a transaction on a large store, or one of a `large` import."""
    if large or newest_row(connection) >= LARGE_STORE:
        return partial(apply_elsewhere, connection)
    return here

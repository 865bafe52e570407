"""Where the shipped data are asked: for a sync and over much in a worker, which ends at rest; else here.

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
    return in_worker(connection) if large or newest_row(connection) >= LARGE_STORE else here


def in_worker(connection: Connection) -> Asking:
    """What asks them for a transaction whose end nobody awaits so much as to mind a worker's start."""
    return partial(apply_elsewhere, connection)

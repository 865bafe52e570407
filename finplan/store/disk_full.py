"""A full disk is said to a person in a sentence."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import OperationalError

from finplan.model.errors import StorageFull


@contextmanager
def telling_when_full() -> Iterator[None]:
    """Raise StorageFull where the database says inside that the disk is full."""
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as error:
        if "disk is full" not in str(error):
            raise
        raise StorageFull(
            "The disk is full, so nothing was changed. Make some room, then try again."
        ) from error

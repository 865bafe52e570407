"""How a household stands: its ledger and its books for a day, read and kept once for all who ask.

A connection that remembers keeps both until the data or the day are others. Neither is ever changed.
"""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.service.asker import Asking
from finplan.service.context import LARGE_LEDGER
from finplan.service.derived.household import load_ledger
from finplan.store.queries import people
from finplan.store.together import memory_of

_MEMORY = "standing"


class Standing(NamedTuple):
    """A household on a day."""

    ledger: Ledger
    books: Books
    today: date


@dataclass(slots=True)
class _Known:
    """A ledger of one generation of a person's data, and the books of one day when they were kept."""

    owner: int
    generation: int
    ledger: Ledger
    books: Books | None = None
    day: date | None = None


def ledger_of(connection: Connection, asking: Asking) -> tuple[Ledger, date]:
    """A person's ledger, and the day where they live."""
    known = _known(connection, asking)
    return known.ledger, asking.today(known.ledger.settings.time_zone)


def standing(connection: Connection, asking: Asking) -> Standing:
    """How a person's household stands today."""
    known = _known(connection, asking)
    today = asking.today(known.ledger.settings.time_zone)
    if known.books is None or known.day != today:
        known.books, known.day = keep_books(known.ledger, today), today
    return Standing(known.ledger, known.books, today)


def _known(connection: Connection, asking: Asking) -> _Known:
    memory = memory_of(connection)
    generation, _ = people.generation_of(connection, asking.owner)
    known: _Known | None = memory.get(_MEMORY)
    if known is not None and (known.owner, known.generation) == (asking.owner, generation):
        return known
    known = _Known(asking.owner, generation, load_ledger(connection, asking.owner))
    if len(known.ledger.rows) < LARGE_LEDGER:
        memory[_MEMORY] = known
    return known

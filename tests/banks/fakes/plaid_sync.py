"""Plaid's cursors: each is a place in an item's history, from which the changes until now follow."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha512

from tests.banks.fakes.plaid_errors import Refused
from tests.banks.fakes.world import Row

Rows = dict[str, Row]


@dataclass(frozen=True)
class Change:
    """A row that was added, modified or removed."""

    kind: str
    row: Row


Order = Callable[[list[Change]], list[Change]]


@dataclass(frozen=True)
class Page:
    """Some changes, the cursor after them, and whether more follow."""

    changes: list[Change]
    cursor: str
    more: bool


@dataclass(frozen=True)
class Place:
    """What a client knows that has a cursor; `until` is what the pages it is amid of lead to."""

    item: str
    known: Rows
    until: Rows | None
    last: Change | None


class Cursors:
    """Every cursor that was given, of all items."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def page(
        self, item: str, cursor: str, now: Rows, count: int, order: Order, *, overlap: bool
    ) -> Page:
        """The next changes after a cursor; none is the beginning.

        Amid pages the rows must still be as they were at the first one, as Plaid demands: a client
        that has stored the cursor of such a page is refused for good once they have changed.
        """
        place = self._places.get(cursor) if cursor else Place(item, {}, None, None)
        if place is None or place.item != item:
            raise Refused("INVALID_FIELD", "cursor not associated with access_token")
        if place.until is not None and place.until != now:
            raise Refused("TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION")
        changes = order(_between(place.known, now))
        if cursor and not changes:
            return Page([], cursor, more=False)
        taken = changes[:count]
        known = dict(place.known)
        for change in taken:
            if change.kind == "removed":
                del known[change.row.id]
            else:
                known[change.row.id] = change.row
        more = len(changes) > count
        last = taken[-1] if more else None
        given = self._give(Place(item, known, now if more else None, last))
        again = [place.last] if overlap and place.last is not None else []
        return Page(again + taken, given, more)

    def _give(self, place: Place) -> str:
        """The same place has the same cursor, whenever it is reached."""
        digest = sha512(repr(place).encode()).digest() + sha512(place.item.encode()).digest()[:20]
        cursor = b64encode(digest).decode()
        self._places[cursor] = place
        return cursor


def _between(known: Rows, now: Rows) -> list[Change]:
    """Added, modified and removed rows, each by when they came."""
    added = [Change("added", row) for key, row in now.items() if key not in known]
    modified = [
        Change("modified", row) for key, row in now.items() if key in known and known[key] != row
    ]
    removed = [Change("removed", row) for key, row in known.items() if key not in now]
    return added + modified + removed

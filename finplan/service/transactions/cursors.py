"""Cursors: the place in the pages of transactions where the next one begins, and for which question."""

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from finplan.model.errors import BadRequest
from finplan.model.transaction import TransactionQuery
from finplan.plan.ledger.days import date_of


class PagePosition(NamedTuple):
    """A row in the order of the pages: pending ones first, then by day and number, downwards."""

    pending: bool
    day: int
    no: int


START = PagePosition(pending=True, day=99991231, no=0)
"""The place before every row."""

_WRITTEN = re.compile(r"([01])\.([0-9]{8})\.([0-9]{1,16})\.[0-9a-f]{6}")
_CHECKED_BYTES = 3


def write_cursor(place: PagePosition, query: TransactionQuery) -> str:
    """A place as a caller hands it back, with a check of it and of the filters that it is a place in.

    The check is no secret: it finds what was cut off or belongs to another question.
    """
    where = f"{place.pending:d}.{place.day}.{place.no}"
    asked = (
        query.since,
        query.until,
        sorted(set(query.category)),
        sorted(set(query.merchant)),
        sorted(set(query.account)),
        query.pending,
        query.text,
        query.min_amount,
        query.max_amount,
    )
    check = hashlib.blake2s(repr((where, asked)).encode(), digest_size=_CHECKED_BYTES).hexdigest()
    return base64.urlsafe_b64encode(f"{where}.{check}".encode()).decode().rstrip("=")


def read_cursor(query: TransactionQuery) -> PagePosition:
    """The place that a question begins at. Raises BadRequest unless a page with its filters gave it."""
    if query.cursor is None:
        return START
    place = _place_in(query.cursor)
    if place is None or write_cursor(place, query) != query.cursor:
        raise BadRequest(
            "This cursor does not come from a page of transactions with these filters. Start without"
            " one."
        )
    return place


def _place_in(cursor: str) -> PagePosition | None:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        written = _WRITTEN.fullmatch(base64.b64decode(padded, altchars=b"-_").decode())
        if written is None:
            return None
        pending, day, no = map(int, written.groups())
        date_of(day)
    except (ValueError, binascii.Error):
        return None
    return PagePosition(bool(pending), day, no)

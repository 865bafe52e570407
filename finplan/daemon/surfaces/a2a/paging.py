"""Page tokens of ListTasks: the place where the next page begins, and for which filters."""

import base64
import binascii
import hashlib
import re

from finplan.daemon.surfaces.a2a.errors import InvalidParams
from finplan.store.queries.agents.agent_tasks import AgentTaskFilter, AgentTaskPosition

_WRITTEN = re.compile(r"([0-9]{1,16})\.([0-9]{1,16})\.[0-9a-f]{6}")
_CHECKED_BYTES = 3


def write_token(place: AgentTaskPosition, which: AgentTaskFilter) -> str:
    """A place as a caller hands it back, with a check of it and of the filters that it is a place in.

    The check is no secret: it finds what was cut off or belongs to another question.
    """
    where = f"{place.status_at}.{place.no}"
    asked = repr((where, tuple(which))).encode()
    check = hashlib.blake2s(asked, digest_size=_CHECKED_BYTES).hexdigest()
    return base64.urlsafe_b64encode(f"{where}.{check}".encode()).decode().rstrip("=")


def read_token(token: str | None, which: AgentTaskFilter) -> AgentTaskPosition | None:
    """The place that a page begins after. Raises InvalidParams unless such a page gave it."""
    if not token:
        return None
    place = _place_in(token)
    if place is None or write_token(place, which) != token:
        raise InvalidParams(
            "This page token does not come from a page with these filters.",
            [("pageToken", "Start without one, then send each page's nextPageToken")],
        )
    return place


def _place_in(token: str) -> AgentTaskPosition | None:
    try:
        padded = token + "=" * (-len(token) % 4)
        written = _WRITTEN.fullmatch(base64.b64decode(padded, altchars=b"-_").decode())
    except (ValueError, binascii.Error):
        return None
    return None if written is None else AgentTaskPosition(*map(int, written.groups()))

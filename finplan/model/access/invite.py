"""Invites: how another person comes to have an account here."""

from typing import Annotated

from pydantic import Field

from finplan.model.base import PathId, Timestamp, Wire
from finplan.model.user import EmailAddress

LONGEST_DAYS = 30


class Invite(Wire):
    """An invite without its link; with an `email` it is for that address alone."""

    id: str
    email: str | None
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Timestamp | None


class CreatedInvite(Invite):
    """A new invite with its link, which is shown this once."""

    url: str


class NewInvite(Wire):
    """Invite somebody for some days."""

    email: EmailAddress | None = None
    days: Annotated[int, Field(ge=1, le=LONGEST_DAYS)] = 7


class InviteId(Wire):
    """Names an invite."""

    id: PathId


class JoinedPerson(Wire):
    """A person who has an account on this daemon; `you` is who asks, `owner` whose machine it is."""

    id: str
    email: str
    name: str | None
    created_at: Timestamp
    owner: bool
    you: bool

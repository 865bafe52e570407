"""Sessions of browsers, the links that begin them, and passwords."""

from typing import Annotated

from pydantic import Field

from finplan.model.base import PathId, Timestamp, Whole, Wire

SHORTEST_PASSWORD = 12
"""How many characters a password has at least."""

LONGEST_PASSWORD = 256

Password = Annotated[
    str, Field(min_length=1, max_length=LONGEST_PASSWORD, json_schema_extra={"format": "password"})
]
"""A password as it is typed; whether it is long enough is told by who sets it."""


class BrowserSession(Wire):
    """A browser that is signed in; `current` is the one that asks."""

    id: str
    created_at: Timestamp
    last_used_at: Timestamp
    expires_at: Timestamp
    user_agent: str | None
    address: str
    current: bool


class SessionId(Wire):
    """Names a session."""

    id: PathId


class SignInLink(Wire):
    """A link that signs its person in, once and soon."""

    url: str
    expires_at: Timestamp


class PasswordChange(Wire):
    """A new password; `current` is the one so far, where there is one."""

    password: Password
    current: Password | None = None


class PasswordSet(Wire):
    """That a password was set, and how many other sessions of browsers it ended."""

    ended_sessions: Whole

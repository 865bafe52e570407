"""The tables of what lets people in, and of what was done with it.

Of every secret only the SHA-256 is kept, in hexadecimal digits, as `hash`.
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, refers_to


class BrowserSessionRow(SQLModel, table=True):
    """A browser that somebody signed in with; it ends at `expires_at`, and earlier where it is idle."""

    __tablename__ = "browser_session"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    hash: str = Field(unique=True)
    created_at: int = big()
    last_used_at: int = big()
    expires_at: int = big()
    user_agent: str | None
    address: str

    __table_args__ = (
        Index("browser_session_owner", "owner_no"),
        Index("browser_session_end", "expires_at"),
        # A credential that is named by its number never becomes somebody else's.
        {"sqlite_autoincrement": True},
    )


class SignInLinkRow(SQLModel, table=True):
    """A link that signs its person in once."""

    __tablename__ = "sign_in_link"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    hash: str = Field(unique=True)
    expires_at: int = big()

    __table_args__ = (Index("sign_in_link_owner", "owner_no"),)


class InviteRow(SQLModel, table=True):
    """A link by which somebody may join once; `owner_no` is who invites.

    With an `email` it is for that address alone.
    """

    __tablename__ = "invite"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    hash: str = Field(unique=True)
    email: str | None
    created_at: int = big()
    expires_at: int = big()
    used_at: int | None = big(nullable=True)

    __table_args__ = (Index("invite_owner", "owner_no"),)


class AuditEventRow(SQLModel, table=True):
    """One use or change of what lets somebody in, in words that hold no secret.

    `credential` names what it was done with, as a caller's does; `address` is where from.
    """

    __tablename__ = "audit_event"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    at: int = big()
    kind: str
    credential: str | None
    address: str | None
    text: str

    __table_args__ = (Index("audit_event_time", "owner_no", "at"),)

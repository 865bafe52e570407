"""The table of API keys."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, refers_to


class ApiKeyRow(SQLModel, table=True):
    """A key that lets another program in; only its hash is kept, and its beginning, to tell it by.

    `hash` is the SHA-256 of the key in hexadecimal digits, `scopes` are words with spaces between.
    """

    __tablename__ = "api_key"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    name: str
    hash: str = Field(unique=True)
    prefix: str
    scopes: str
    created_at: int = big()
    last_used_at: int | None = big(nullable=True)
    revoked_at: int | None = big(nullable=True)
    expires_at: int | None = big(nullable=True)

    __table_args__ = (Index("api_key_owner", "owner_no"),)

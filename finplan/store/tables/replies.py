"""The table of replies to requests that carry an Idempotency-Key."""

from sqlalchemy import Index
from sqlmodel import SQLModel

from finplan.store.tables.columns import big, number, refers_to


class KeptReplyRow(SQLModel, table=True):
    """A request that runs once: who runs it and until when, and what was answered.

    `fingerprint` is a SHA-256 of the question in hexadecimal digits. `holder` names the run that may
    still change something, None when the reply is final; `held_until` is when another run may take its
    place. `reply` is sealed.
    """

    __tablename__ = "kept_reply"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    method: str
    path: str
    key: str
    fingerprint: str
    created_at: int = big()
    holder: str | None
    held_until: int = big()
    reply: bytes | None

    __table_args__ = (
        Index("kept_reply_request", "owner_no", "method", "path", "key", unique=True),
        Index("kept_reply_age", "created_at"),
    )

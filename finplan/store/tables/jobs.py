"""The tables of jobs, and of what people were told of by them."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, partial_index, refers_to


class JobRow(SQLModel, table=True):
    """What is done by itself, for a person or, without an owner, for the machine.

    It is due at `next_at`, and while it runs not before `lease_until`, which `lease_holder` puts off; a
    lease that has run out is that of a run that died. `asked` counts who waits for it to be done whether
    it is needed or not, `failures` those in a row, and `seen` is the state that the last run had before
    it.
    """

    __tablename__ = "job"
    no: int | None = number()
    owner_no: int | None = refers_to("person.no", nullable=True)
    name: str
    next_at: int | None = big(nullable=True)
    last_at: int | None = big(nullable=True)
    last_result: str | None
    error: str | None
    failures: int = Field(sa_column_kwargs={"server_default": text("0")})
    asked: int = Field(sa_column_kwargs={"server_default": text("0")})
    seen: str | None
    lease_until: int | None = big(nullable=True)
    lease_holder: str | None

    __table_args__ = (
        Index("job_owner", "owner_no", "name", unique=True),
        # A unique index takes rows without an owner for different ones.
        partial_index("job_machine", "name", where="owner_no IS NULL", unique=True),
    )


class NoticeRow(SQLModel, table=True):
    """What a person was told of unasked, by a word for the incident; it goes when that is over."""

    __tablename__ = "notice"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    incident: str
    told_at: int = big()

    __table_args__ = (Index("notice_incident", "owner_no", "incident", unique=True),)

"""The table of builds."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, refers_to


class BuildRow(SQLModel, table=True):
    """A making of a plan: how it stands, since when, and what came of it.

    `plan_created_at` names the plan, `error` is an error envelope in JSON; both None until it ends.
    """

    __tablename__ = "build"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    status: str
    started_at: int = big()
    finished_at: int | None = big(nullable=True)
    plan_created_at: int | None = big(nullable=True)
    error: str | None

    __table_args__ = (Index("build_owner", "owner_no", "status"),)

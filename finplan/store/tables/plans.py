"""The tables of plans, and of what the person was shown of them."""

from sqlalchemy import Column, ForeignKey, Index, Text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import Big, big, number, refers_to


class PlanRow(SQLModel, table=True):
    """A plan as it was built; `body` is its JSON.

    It holds for as long as the person's `data_no` is the one that it was worked out with.
    """

    __tablename__ = "plan"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    created_at: int = big()
    body: str = Field(sa_type=Text)
    data_no: int | None = big(nullable=True)

    __table_args__ = (Index("plan_owner", "owner_no", "created_at", unique=True),)


class ShownAllowanceRow(SQLModel, table=True):
    """The daily allowance as it was last shown while an event was the newest.

    `period_end` is the day, YYYYMMDD, before which the period of the allowance ended.
    """

    __tablename__ = "shown_allowance"
    owner_no: int = Field(
        sa_column=Column(Big, ForeignKey("person.no", ondelete="CASCADE"), primary_key=True)
    )
    event_no: int = Field(sa_column=Column(Big, primary_key=True, autoincrement=False))
    at: int = big()
    period_end: int
    daily: int = big()

"""The tables of plans and builds, of what the person was shown of them, and of jobs."""

from sqlalchemy import Index, Text, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import (
    BareRow,
    Big,
    IdentifiedRow,
    OwnedRow,
    big,
    partial_index,
    refers_to,
)


class PlanRow(OwnedRow, table=True):
    """A plan as it was built; `body` is its JSON.

    It holds for as long as the person's `data_no` is the one that it was worked out with.
    """

    __tablename__ = "plan"
    created_at: int = big()
    body: str = Field(sa_type=Text)
    data_no: int | None = big(nullable=True)

    __table_args__ = (Index("plan_owner", "owner_no", "created_at", unique=True),)


class ShownAllowanceRow(SQLModel, table=True):
    """The daily allowance as it was last shown while an event was the newest.

    `period_end` is the day, YYYYMMDD, before which the period of the allowance ended.
    """

    __tablename__ = "shown_allowance"
    owner_no: int = refers_to("person.no", primary_key=True)
    event_no: int = Field(sa_type=Big, primary_key=True)
    at: int = big()
    period_end: int
    daily: int = big()


class PlannedRow(IdentifiedRow, table=True):
    """Money that the person plans to pay or, with `incoming`, expects; `amount` is positive.

    `day` is its first day, YYYYMMDD, `in_month` says that only the month is known, and `done` that the
    person said that it happened. `planned_on` is the day on which it was planned.
    """

    __tablename__ = "planned"
    name: str
    amount: int = big()
    currency: str
    incoming: int
    day: int
    in_month: int
    cadence: str | None
    until: int | None
    account_no: int | None = refers_to("account.no", nullable=True, ondelete="SET NULL")
    category: str | None
    planned_on: int
    done: int
    saved_at: int = big()

    __table_args__ = (
        Index("planned_owner", "owner_no"),
        Index("planned_account", "account_no"),
    )


class BuildRow(IdentifiedRow, table=True):
    """A making of a plan: how it stands, since when, and what came of it.

    `plan_created_at` names the plan, `error` is an error envelope in JSON; both None until it ends.
    """

    __tablename__ = "build"
    status: str
    started_at: int = big()
    finished_at: int | None = big(nullable=True)
    plan_created_at: int | None = big(nullable=True)
    error: str | None

    __table_args__ = (Index("build_owner", "owner_no", "status"),)


class JobRow(BareRow, table=True):
    """What is done by itself, for a person or, without an owner, for the machine.

    It is due at `next_at`, and while it runs not before `lease_until`, which `lease_holder` puts off; a
    lease that has run out is that of a run that died. `asked` counts who waits for it to be done whether
    it is needed or not, `failures` those in a row, and `seen` is the state that the last run had before
    it.
    """

    __tablename__ = "job"
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


class NoticeRow(OwnedRow, table=True):
    """What a person was told of unasked, by a word for the incident; it goes when that is over."""

    __tablename__ = "notice"
    incident: str
    told_at: int = big()

    __table_args__ = (Index("notice_incident", "owner_no", "incident", unique=True),)

"""The table of what agents have asked over A2A."""

from sqlalchemy import Index, Text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number, refers_to


class AgentTaskRow(SQLModel, table=True):
    """What an agent asked for a person: how it stands since `status_at`, and what was said, in JSON.

    `turns` counts the messages of the agent, so that of two that come at once one is the next. `asked`
    is the sentence that was not understood, None where nothing is open.
    """

    __tablename__ = "agent_task"
    no: int | None = number()
    id: str = Field(unique=True)
    owner_no: int = refers_to("person.no")
    context_id: str
    state: str
    status_at: int = big()
    turns: int
    asked: str | None = Field(sa_type=Text)
    said: str = Field(sa_type=Text)

    __table_args__ = (Index("agent_task_owner", "owner_no", "status_at", "no"),)

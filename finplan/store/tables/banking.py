"""The tables of what syncing a bank needs to remember beside its connection."""

from sqlalchemy import Column, ForeignKey, Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import Big, big, number, refers_to


class BankRequestRow(SQLModel, table=True):
    """A request to a bank that allows so many a day, noted before it is sent."""

    __tablename__ = "bank_request"
    no: int | None = number()
    connection_no: int = refers_to("connection.no")
    asked_at: int = big()

    __table_args__ = (Index("bank_request_when", "connection_no", "asked_at"),)


class ClaimedPendingRow(SQLModel, table=True):
    """A pending row that was posted as another one, by the bank's ids, so that it does not come back.

    `day` is that of the posted row, YYYYMMDD.
    """

    __tablename__ = "claimed_pending"
    account_no: int = Field(
        sa_column=Column(Big, ForeignKey("account.no", ondelete="CASCADE"), primary_key=True)
    )
    pending_id: str = Field(primary_key=True)
    posted_id: str
    day: int

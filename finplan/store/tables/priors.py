"""The table of what is known of payees before anything is learnt from the person's rules."""

from sqlalchemy import Column, ForeignKey, Index, Text, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import Big, big, refers_to


class PayeePriorRow(SQLModel, table=True):
    """What was known of a payee when it was last judged, by one edition of the shipped data.

    `asks` is 1 when the shipped data say that only the person knows what was bought there. `body` is
    the prior as JSON, for payees that a rule for another one may file; NULL once it does not hold.
    """

    __tablename__ = "payee_prior"
    payee_no: int = Field(
        sa_column=Column(
            Big, ForeignKey("payee.no", ondelete="CASCADE"), primary_key=True, autoincrement=False
        )
    )
    owner_no: int = refers_to("person.no")
    edition: int = big()
    asks: int
    body: str | None = Field(sa_type=Text)

    __table_args__ = (
        Index(
            "payee_prior_known",
            "owner_no",
            "edition",
            sqlite_where=text("body IS NOT NULL"),
            postgresql_where=text("body IS NOT NULL"),
        ),
    )

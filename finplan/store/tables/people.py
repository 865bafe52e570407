"""The table of people."""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import big, number


class LastNumberRow(SQLModel, table=True):
    """The last number that a table has given: none is given twice, not even when its row is gone."""

    __tablename__ = "last_number"
    name: str = Field(primary_key=True)
    given: int = big()


class PersonRow(SQLModel, table=True):
    """A person, the settings of the household, and the generation that each change of data raises.

    `row_generation` is raised only by what may change the rows, or which of them count; `event_no` by
    what may move the allowance, last at the instant `event_at`, and `data_no` by the same but for plans
    that are built. `key_rules` numbers the rules that the person's payees were keyed by. `inference_due`
    is 1 while what the person's own rules teach is not applied to other payees. `email_key` is the
    address as it is compared, `password` an Argon2 hash, `google_subject` Google's name of the person;
    until `guest_until` a person is the guest of an agent that nobody has claimed.
    """

    __tablename__ = "person"
    no: int | None = number()
    id: str = Field(unique=True)
    email: str
    name: str | None
    created_at: int = big()
    currency: str | None
    time_zone: str
    budget_shares: str | None
    target_months: int | None
    monthly_income: int | None = big(nullable=True)
    generation: int = big(default=0)
    key_rules: int = Field(sa_column_kwargs={"server_default": text("0")})
    row_generation: int = big(default=0)
    event_no: int = big(default=0)
    event_at: int = big(default=0)
    data_no: int = big(default=0)
    inference_due: int = Field(sa_column_kwargs={"server_default": text("0")})
    email_key: str | None
    password: str | None
    google_subject: str | None
    guest_until: int | None = big(nullable=True)

    __table_args__ = (
        Index("person_email", "email_key", unique=True),
        Index("person_google", "google_subject", unique=True),
    )

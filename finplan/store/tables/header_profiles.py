"""The table of what the person says of how tables of text are read."""

from sqlalchemy import Column, ForeignKey, Index
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import Big, big, number, refers_to


class CsvAnswerRow(SQLModel, table=True):
    """What a person said at once of files with one header; the newest word of each kind holds.

    An import brings one for each header, or all that a household had which it restores.

    All that a header's rows say is its profile. `account_no` is the account that the person named for
    files that name none; `header` has the column names as a person knows them.
    """

    __tablename__ = "csv_answer"
    no: int | None = number()
    owner_no: int = refers_to("person.no")
    import_no: int = refers_to("import_batch.no")
    signature: str
    header: str
    encoding: str | None
    date_order: str | None
    decimal_sign: str | None
    direction: str | None
    amount_column: str | None
    currency: str | None
    account_no: int | None = Field(
        sa_column=Column(Big, ForeignKey("account.no", ondelete="SET NULL"), nullable=True)
    )
    saved_at: int = big()

    __table_args__ = (
        Index("csv_answer_header", "owner_no", "signature", "import_no"),
        Index("csv_answer_import", "import_no"),
    )

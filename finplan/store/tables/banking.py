"""The tables of linked banks, their accounts, and what syncing them needs to remember."""

from sqlalchemy import Index, Integer, text
from sqlmodel import Field, SQLModel

from finplan.store.tables.columns import BareRow, Big, IdentifiedRow, big, refers_to


class ConnectionRow(IdentifiedRow, table=True):
    """A link to one institution; `by_import` is 1 when an import made it for its accounts.

    At `next_try_at` it is synced by itself, and at once where that is None; statement files never are.
    `bank` says by whom it is reached where its provider is an aggregator, `secret` is the sealed access,
    which the person's consent gives until `access_ends_at`. `named_by_bank` is 1 where nobody but the
    bank gave it its name. `unfinished` counts the syncs in a row whose bank had more to come.
    """

    __tablename__ = "connection"
    provider: str
    institution_name: str
    institution_id: str | None
    status: str
    error: str | None
    cursor: str | None
    failures: int = Field(sa_column_kwargs={"server_default": text("0")})
    last_synced_at: int | None = big(nullable=True)
    next_try_at: int | None = big(nullable=True)
    created_at: int = big()
    by_import: int = Field(sa_column_kwargs={"server_default": text("0")})
    bank: str | None
    secret: bytes | None
    named_by_bank: int = Field(sa_column_kwargs={"server_default": text("0")})
    access_ends_at: int | None = big(nullable=True)
    unfinished: int = Field(sa_column_kwargs={"server_default": text("0")})

    __table_args__ = (Index("connection_owner", "owner_no"),)


class AccountRow(IdentifiedRow, table=True):
    """An account; `kept` lists the fields that the person set and that no bank may overwrite.

    `sources` lists the kinds of source that brought its rows. `institution` is set where its connection
    reaches several. `own` is 1 for an account that the person added, theirs from the day `since` on.
    """

    __tablename__ = "account"
    connection_no: int = refers_to("connection.no")
    external_id: str
    name: str
    mask: str | None
    kind: str
    subtype: str | None
    currency: str
    balance: int | None = big(nullable=True)
    balance_day: int | None
    credit_limit: int | None = big(nullable=True)
    apr: float | None
    minimum_payment: int | None = big(nullable=True)
    hidden: bool = Field(sa_type=Integer, sa_column_kwargs={"server_default": text("0")})
    kept: str = Field(sa_column_kwargs={"server_default": text("''")})
    sources: str = Field(sa_column_kwargs={"server_default": text("''")})
    institution: str | None
    own: int = Field(sa_column_kwargs={"server_default": text("0")})
    since: int | None

    __table_args__ = (
        Index("account_external", "connection_no", "external_id", "currency", unique=True),
        Index("account_owner", "owner_no"),
    )


class BalanceRow(SQLModel, table=True):
    """What an account's balance was on a day; `import_no` is the import that said so, or 0."""

    __tablename__ = "balance_record"
    account_no: int = refers_to("account.no", primary_key=True)
    day: int = Field(primary_key=True)
    import_no: int = Field(sa_type=Big, primary_key=True)
    balance: int = big()


class CoverageRow(SQLModel, table=True):
    """Days that an account is covered for; `import_no` is the import that said so, or 0.

    An end that the source does not state is the day of a row.
    """

    __tablename__ = "coverage"
    account_no: int = refers_to("account.no", primary_key=True)
    import_no: int = Field(sa_type=Big, primary_key=True)
    since: int = Field(primary_key=True)
    until: int = Field(primary_key=True)
    since_stated: int
    until_stated: int


class BankRequestRow(BareRow, table=True):
    """A request to a bank that allows so many a day, noted before it is sent."""

    __tablename__ = "bank_request"
    connection_no: int = refers_to("connection.no")
    asked_at: int = big()

    __table_args__ = (Index("bank_request_when", "connection_no", "asked_at"),)


class ClaimedPendingRow(SQLModel, table=True):
    """A pending row that was posted as another one, by the bank's ids, so that it does not come back.

    `day` is that of the posted row, YYYYMMDD.
    """

    __tablename__ = "claimed_pending"
    account_no: int = refers_to("account.no", primary_key=True)
    pending_id: str = Field(primary_key=True)
    posted_id: str
    day: int


class BankLinkRow(IdentifiedRow, table=True):
    """A page at which a person links a bank; `connection_no` is what it renews, or what came of it.

    `ticket` is sealed, `state` is what the address is known by that the page leads to. The page is
    looked at until `is_over` is 1: unasked at `next_look_at`, last at `asked_at`, by one process at a
    time, which holds it until `busy_until`.
    """

    __tablename__ = "bank_link"
    bank: str
    url: str
    ticket: bytes
    state: str | None
    institution_name: str | None
    institution_id: str | None
    connection_no: int | None = refers_to("connection.no", nullable=True)
    status: str
    error: str | None
    is_over: int = Field(sa_column_kwargs={"server_default": text("0")})
    created_at: int = big()
    expires_at: int = big()
    asked_at: int = big(default=0)
    busy_until: int = big(default=0)
    next_look_at: int = big(default=0)

    __table_args__ = (
        Index("bank_link_owner", "owner_no"),
        Index("bank_link_connection", "connection_no"),
    )

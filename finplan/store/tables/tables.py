"""The tables. Each row belongs to one person; numbers are for joins, text ids for the outside.

A table's `no` is its number inside the store; callers only ever see `id`. Days are YYYYMMDD, instants
are milliseconds since the epoch, amounts are minor units.
"""

from sqlalchemy import Index, Table, Text, text
from sqlmodel import Field, SQLModel

from finplan.store.tables import access, banking, verdicts
from finplan.store.tables.columns import IdentifiedRow, OwnedRow, big, partial_index, refers_to
from finplan.store.tables.plans import (
    BuildRow,
    JobRow,
    NoticeRow,
    PlannedRow,
    PlanRow,
    ShownAllowanceRow,
)
from finplan.store.tables.webhooks import (
    AgentTaskRow,
    KeptReplyRow,
    ToldSeriesRow,
    WebhookDeliveryRow,
    WebhookRow,
)


class PayeeRow(OwnedRow, table=True):
    """A payee with the categories that the rules in force give its outflows and inflows.

    `decided_*` is what the curated and inferred rules say; `category_*` is what holds, a person's own
    rule first. Changing a rule changes this one row and no transaction.
    """

    __tablename__ = "payee"
    key: str
    name: str
    raw: str
    category_out: str
    category_in: str
    decided_out: str
    decided_in: str
    source: str | None
    confidence: float | None
    alternatives: str = Field(sa_column_kwargs={"server_default": text("''")})
    suggested: str | None
    why: str

    __table_args__ = (Index("payee_key", "owner_no", "key", unique=True),)


class TransactionRow(OwnedRow, table=True):
    """A posted row. It has no category: its payee has, so a rule never rewrites transactions.

    `filed` is the category of the person's own word on it, the empty text for one in parts, and NULL for
    all others. `counts` is 1 when spending totals may count the row: posted on a counted account in the
    household's currency, and not a paired move. `peer_no` is the account of the other leg of a transfer.
    `ordinal` tells equal rows of one file apart. `code` is the bank's own code of what it was for.
    `folded` is `raw` as it is looked for where that has other letters than ASCII, and NULL elsewhere.
    """

    __tablename__ = "tx"
    account_no: int = refers_to("account.no")
    # No foreign key: checking one whenever a payee goes would need an index over every row.
    payee_no: int = big()
    day: int
    amount: int = big()
    raw: str = Field(sa_type=Text)
    external_id: str | None
    ordinal: int
    source: str
    counts: int
    peer_no: int | None = big(nullable=True)
    transfer_no: int | None = big(nullable=True)
    import_no: int | None = refers_to("import_batch.no", nullable=True)
    code: str | None
    filed: str | None
    folded: str | None = Field(sa_type=Text)

    __table_args__ = (
        Index("tx_identity", "account_no", "day", "amount"),
        partial_index(
            "tx_external",
            "account_no",
            "external_id",
            "day",
            "amount",
            "ordinal",
            unique=True,
            where="external_id IS NOT NULL",
        ),
        # Not every SQLite knows a column from the index's condition, so `counts` stands in the index
        # too, and no row need be read for it.
        partial_index(
            "tx_by_payee", "owner_no", "payee_no", "day", "amount", "counts", where="counts = 1"
        ),
        # Not partial, so that it also lists all rows by day and no further index is needed for that.
        Index("tx_by_day", "owner_no", "day", "payee_no", "amount", "counts"),
        partial_index("tx_import", "import_no", where="import_no IS NOT NULL"),
        partial_index("tx_transfer", "transfer_no", where="transfer_no IS NOT NULL"),
        partial_index("tx_code", "owner_no", "payee_no", "code", where="code IS NOT NULL"),
        partial_index("tx_folded", "owner_no", where="folded IS NOT NULL"),
        # All that a sum asks of such a row, so that none need be read for it.
        partial_index(
            "tx_filed",
            "owner_no",
            "payee_no",
            "day",
            "amount",
            "filed",
            "counts",
            "transfer_no",
            where="filed IS NOT NULL",
        ),
        # An id is made of the number, and never means another row than it once did.
        {"sqlite_autoincrement": True},
    )


class PendingRow(OwnedRow, table=True):
    """A pending row; it enters no total but the live snapshot's."""

    __tablename__ = "pending"
    account_no: int = refers_to("account.no")
    payee_no: int = refers_to("payee.no")
    day: int
    amount: int = big()
    raw: str = Field(sa_type=Text)
    external_id: str | None
    import_no: int | None = refers_to("import_batch.no", nullable=True)

    __table_args__ = (
        Index("pending_owner", "owner_no"),
        Index("pending_account", "account_no"),
        {"sqlite_autoincrement": True},
    )


class TransferRow(IdentifiedRow, table=True):
    """Two rows on two own accounts that are one movement of money.

    `counts` is 1 when the outgoing row is spending all the same: the scheduled payment of a loan, or a
    `fee`, what of it did not arrive; the rest of that row is no spending.
    """

    __tablename__ = "transfer"
    out_no: int = refers_to("tx.no")
    in_no: int = refers_to("tx.no")
    counts: int
    fee: int = big(default=0)

    __table_args__ = (
        Index("transfer_owner", "owner_no"),
        Index("transfer_out", "out_no", unique=True),
        Index("transfer_in", "in_no", unique=True),
        partial_index("transfer_fee", "owner_no", where="fee > 0"),
    )


class RuleRow(IdentifiedRow, table=True):
    """A person's own rule: a payee, its money of one direction, or only its rows of one amount.

    `amount` is positive when money goes out, and so has a direction of its own: `direction` is `in` or
    `out` where a rule is for that money alone, and `both` on every other one.
    """

    __tablename__ = "rule"
    payee_no: int = refers_to("payee.no")
    amount: int | None = big(nullable=True)
    category: str
    saved_at: int = big()
    direction: str = Field(sa_column_kwargs={"server_default": text("'both'")})

    __table_args__ = (
        partial_index("rule_payee", "payee_no", "direction", unique=True, where="amount IS NULL"),
        partial_index("rule_amount", "payee_no", "amount", unique=True, where="amount IS NOT NULL"),
        Index("rule_owner", "owner_no"),
    )


class TaskAnswerRow(OwnedRow, table=True):
    """A question as it was when the person answered or dismissed it; `body` is its JSON.

    An answer made a rule, or filed one row by itself, or says that each row is asked about (`each` is
    1); what did none of these is a dismissal. Answers for parts of a payee are answers to one question.
    """

    __tablename__ = "task_answer"
    task_id: str
    body: str = Field(sa_type=Text)
    rule_no: int | None = refers_to("rule.no", nullable=True)
    answered_at: int = big()
    word_no: int | None = refers_to("single_word.no", nullable=True)
    each: int = Field(sa_column_kwargs={"server_default": text("0")})

    __table_args__ = (Index("task_answer_task", "owner_no", "task_id"),)


class ImportRow(IdentifiedRow, table=True):
    """One import: running, committed, cancelled or undone; `before` is what undo puts back.

    `misread` says how it read its file otherwise than a later version does, once that is known.
    """

    __tablename__ = "import_batch"
    status: str
    started_at: int = big()
    committed_at: int | None = big(nullable=True)
    undone_at: int | None = big(nullable=True)
    report: str | None = Field(sa_type=Text)
    before: str | None = Field(sa_type=Text)
    misread: str | None = Field(sa_type=Text)

    __table_args__ = (Index("import_batch_owner", "owner_no"),)


class SightingRow(SQLModel, table=True):
    """A row that an import held too, though another one brought it; undo hands the row over."""

    __tablename__ = "sighting"
    import_no: int = refers_to("import_batch.no", primary_key=True)
    tx_no: int = refers_to("tx.no", primary_key=True)

    __table_args__ = (Index("sighting_tx", "tx_no"),)


METADATA = SQLModel.metadata


def _table(model: type[SQLModel]) -> Table:
    return METADATA.tables[str(model.__tablename__)]


person = _table(access.PersonRow)
last_number = _table(access.LastNumberRow)
connection = _table(banking.ConnectionRow)
account = _table(banking.AccountRow)
balance_record = _table(banking.BalanceRow)
coverage = _table(banking.CoverageRow)
payee = _table(PayeeRow)
tx = _table(TransactionRow)
pending = _table(PendingRow)
transfer = _table(TransferRow)
rule = _table(RuleRow)
task_answer = _table(TaskAnswerRow)
plan = _table(PlanRow)
shown_allowance = _table(ShownAllowanceRow)
planned = _table(PlannedRow)
import_batch = _table(ImportRow)
sighting = _table(SightingRow)
remembered_row = _table(verdicts.RememberedRow)
transfer_verdict = _table(verdicts.TransferVerdictRow)
series_verdict = _table(verdicts.SeriesVerdictRow)
duplicate_verdict = _table(verdicts.DuplicateVerdictRow)
set_aside = _table(verdicts.SetAsideRow)
single_word = _table(verdicts.SingleWordRow)
word_part = _table(verdicts.WordPartRow)
custom_category = _table(verdicts.CustomCategoryRow)
dismissed_suggestion = _table(verdicts.DismissedSuggestionRow)
csv_answer = _table(verdicts.CsvAnswerRow)
api_key = _table(access.ApiKeyRow)
kept_reply = _table(KeptReplyRow)
build = _table(BuildRow)
job = _table(JobRow)
notice = _table(NoticeRow)
browser_session = _table(access.BrowserSessionRow)
sign_in_link = _table(access.SignInLinkRow)
invite = _table(access.InviteRow)
audit_event = _table(access.AuditEventRow)
oauth_client = _table(access.OAuthClientRow)
oauth_grant = _table(access.OAuthGrantRow)
oauth_code = _table(access.OAuthCodeRow)
oauth_token = _table(access.OAuthTokenRow)
agent = _table(access.AgentRow)
claim_attempt = _table(access.ClaimAttemptRow)
signing_key = _table(access.SigningKeyRow)
webhook = _table(WebhookRow)
webhook_delivery = _table(WebhookDeliveryRow)
told_series = _table(ToldSeriesRow)
agent_task = _table(AgentTaskRow)
bank_request = _table(banking.BankRequestRow)
bank_link = _table(banking.BankLinkRow)
claimed_pending = _table(banking.ClaimedPendingRow)

"""The tables of what the person decided: verdicts, words on rows, categories, file answers.

Rows come and go with syncs and imports, and their numbers are given again, so a verdict remembers
what a row was rather than its number.
"""

from sqlalchemy import Index, Text
from sqlmodel import Field

from finplan.store.tables.columns import IdentifiedRow, OwnedRow, big, refers_to


class RememberedRow(OwnedRow, table=True):
    """A row as a verdict remembers it, so that it is known again after it went and came back.

    `account_id` is its account's public id, `account_key` the bank's id of it, which an account that is
    made again still has. `pending` is 1 for a row that was not posted.
    """

    __tablename__ = "remembered_row"
    account_id: str
    account_key: str
    currency: str
    day: int
    amount: int = big()
    raw: str = Field(sa_type=Text)
    external_id: str | None
    ordinal: int
    pending: int

    __table_args__ = (Index("remembered_row_owner", "owner_no"),)


class TransferVerdictRow(OwnedRow, table=True):
    """The person's word on two rows: `confirm`, they are one movement, or `reject`, they are not."""

    __tablename__ = "transfer_verdict"
    id: str
    verdict: str
    out_row_no: int = refers_to("remembered_row.no")
    in_row_no: int = refers_to("remembered_row.no")
    decided_at: int = big()

    __table_args__ = (Index("transfer_verdict_id", "owner_no", "id", unique=True),)


class SeriesVerdictRow(OwnedRow, table=True):
    """The person's word on a series: `confirm` or `dismiss`.

    It is known again by its kind, its payee and one of its occurrences: `amount` (positive) on `day`.
    `cadence` and `interval_days` are what it had then.
    """

    __tablename__ = "series_verdict"
    id: str
    kind: str
    payee_key: str
    amount: int = big()
    day: int
    cadence: str
    interval_days: int
    verdict: str
    decided_at: int = big()

    __table_args__ = (Index("series_verdict_id", "owner_no", "id", unique=True),)


class DuplicateVerdictRow(OwnedRow, table=True):
    """The person's word on two rows or two accounts: `same` or `different`; of the same, one is kept."""

    __tablename__ = "duplicate_verdict"
    id: str
    kind: str
    verdict: str
    kept_row_no: int | None = refers_to("remembered_row.no", nullable=True)
    other_row_no: int | None = refers_to("remembered_row.no", nullable=True)
    kept_account: str | None
    other_account: str | None
    decided_at: int = big()

    __table_args__ = (Index("duplicate_verdict_id", "owner_no", "id", unique=True),)


class SetAsideRow(OwnedRow, table=True):
    """A row that is the same as another one: it is in no total, and comes back when that changes."""

    __tablename__ = "set_aside"
    verdict_no: int = refers_to("duplicate_verdict.no")
    account_no: int = refers_to("account.no")
    payee_no: int = refers_to("payee.no")
    day: int
    amount: int = big()
    raw: str = Field(sa_type=Text)
    external_id: str | None
    ordinal: int
    source: str
    pending: int
    import_no: int | None = refers_to("import_batch.no", nullable=True)
    code: str | None

    __table_args__ = (
        Index("set_aside_account", "account_no"),
        Index("set_aside_owner", "owner_no"),
    )


class SingleWordRow(OwnedRow, table=True):
    """The person's word on one row, by itself, before every rule: its category or parts, note and tags.

    `row_no` is what the row was, `tx_no` the posted row of today that it is and `pending_no` the pending
    one, NULL while there is none. A word with parts has no `category`.
    """

    __tablename__ = "single_word"
    id: str
    row_no: int = refers_to("remembered_row.no")
    # A row's number is given again, so a word lets go of a row that goes.
    tx_no: int | None = refers_to("tx.no", nullable=True, ondelete="SET NULL")
    category: str | None
    said_at: int = big()
    note: str | None = Field(sa_type=Text)
    pending_no: int | None = refers_to("pending.no", nullable=True, ondelete="SET NULL")
    # In the order of their letters, a space between two.
    tags: str | None = Field(sa_type=Text)

    __table_args__ = (
        Index("single_word_id", "owner_no", "id", unique=True),
        Index("single_word_tx", "tx_no", unique=True),
        Index("single_word_pending", "pending_no", unique=True),
    )


class WordPartRow(OwnedRow, table=True):
    """One part of a row that the person split, signed as on statements; `place` counts from 0."""

    __tablename__ = "word_part"
    word_no: int = refers_to("single_word.no")
    place: int
    amount: int = big()
    category: str
    note: str | None = Field(sa_type=Text)

    __table_args__ = (
        Index("word_part_word", "word_no", "place", unique=True),
        # All that a sum asks of a part, so that none need be read for it.
        Index("word_part_owner", "owner_no", "word_no", "amount", "category"),
    )


class CustomCategoryRow(IdentifiedRow, table=True):
    """A category that a person made; `known_as` is its name without differences of letters' case.

    Rules name it by its id. `reimbursable` is 1 when somebody pays its charges back.
    """

    __tablename__ = "custom_category"
    name: str
    known_as: str
    line: str
    reimbursable: int
    created_at: int = big()

    __table_args__ = (Index("custom_category_name", "owner_no", "known_as", unique=True),)


class DismissedSuggestionRow(OwnedRow, table=True):
    """The name of a suggested category that the person does not want to hear of."""

    __tablename__ = "dismissed_suggestion"
    name: str

    __table_args__ = (Index("dismissed_suggestion_name", "owner_no", "name", unique=True),)


class CsvAnswerRow(OwnedRow, table=True):
    """What a person said at once of files with one header; the newest word of each kind holds.

    An import brings one for each header, or all that a household had which it restores.

    All that a header's rows say is its profile. `account_no` is the account that the person named for
    files that name none; `header` has the column names as a person knows them.
    """

    __tablename__ = "csv_answer"
    import_no: int = refers_to("import_batch.no")
    signature: str
    header: str
    encoding: str | None
    date_order: str | None
    decimal_sign: str | None
    direction: str | None
    amount_column: str | None
    currency: str | None
    account_no: int | None = refers_to("account.no", nullable=True, ondelete="SET NULL")
    saved_at: int = big()

    __table_args__ = (
        Index("csv_answer_header", "owner_no", "signature", "import_no"),
        Index("csv_answer_import", "import_no"),
    )

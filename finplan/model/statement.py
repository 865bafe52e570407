"""What an import of statement files reports."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.account import AccountKind, CoveredSpan, KindWord
from finplan.model.base import Amount, Day, KnownCurrency, PathId, Text, Timestamp, Whole, Wire
from finplan.model.names import Name
from finplan.model.question import AmountDirection, ImportAnswers

DateOrder = Literal["dmy", "mdy", "ymd"]
DecimalSign = Literal[".", ","]
Misreading = Literal["signs", "amounts", "days", "currency"]
"""What of a file was read otherwise than it is read by a later version."""


class SampleRow(Wire):
    """A row of a file as it was read; `payee` is who was paid, `raw` the text as the file has it."""

    date: Day
    amount: Amount
    payee: str
    raw: str


class LeftOut(Wire):
    """How many rows of a file are not taken over, and why."""

    reason: str
    count: Whole


class FileAccount(Wire):
    """An account that a file's rows go to, and what a person can check them by.

    `new` says that the import makes it, `currencyAssumed` that the file names no currency and nobody
    said one, so that the household's is taken for it. `transactions` are its booked rows from the first
    to the last day, of which `newRows` are new, `known` there already and `ambiguous` perhaps there;
    `moneyIn` and `moneyOut` are what all of them add up to, neither below zero. `closingBalance` is
    owned, or on credit and loan accounts owed; `balanceFits` says whether it follows from the rows,
    null when nothing tells. `coverage` are the days that the account covers with this import; `extends`
    says that some of them, or a balance that is stated, were not known.
    """

    name: str
    currency: str
    kind: AccountKind
    subtype: str | None = None
    new: bool = False
    currency_assumed: bool = False
    since: Annotated[Day | None, Field(alias="from")] = None
    until: Annotated[Day | None, Field(alias="to")] = None
    transactions: Whole = 0
    new_rows: Whole = 0
    known: Whole = 0
    ambiguous: Whole = 0
    pending: Whole = 0
    money_in: Amount = 0
    money_out: Amount = 0
    closing_balance: Amount | None = None
    balance_fits: bool | None = None
    samples: tuple[SampleRow, ...] = ()
    assumed: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    coverage: tuple[CoveredSpan, ...] = ()
    extends: bool = False


class Remembered(Wire):
    """What the person had said of earlier files with one header, as far as it decided something.

    `account` is the name of the one that the rows go to.
    """

    encoding: str | None
    date_order: DateOrder | None
    decimal_sign: DecimalSign | None
    currency: str | None
    account: str | None
    direction: str | None = None
    amount_column: str | None = None


class RestoredHousehold(Wire):
    """What an export brought of a household besides accounts and rows, into a home without accounts.

    `answers` are questions that were answered or dismissed, `decisions` the person's words on transfers,
    recurring charges and duplicates, `words` what else was said of single transactions. `currency` is
    null where none was known yet.
    """

    currency: str | None
    categories: Whole
    rules: Whole
    answers: Whole
    decisions: Whole
    words: Whole


class FileReport(Wire):
    """What one file holds: booked rows in all, new ones, ones already there, and uncertain ones.

    `pending` more rows are not booked yet. `remembered` is null for a file that was read without any
    word of earlier ones, `restored` for one that brings no household. `notes` are sentences on what to
    look at before the file is imported.
    """

    file: str
    format: str | None
    encoding: str | None
    accounts: tuple[FileAccount, ...]
    transactions: Whole
    new: Whole
    known: Whole
    ambiguous: Whole
    error: str | None
    remembered: Remembered | None = None
    pending: Whole = 0
    notes: tuple[str, ...] = ()
    restored: RestoredHousehold | None = None


class ImportReport(Wire):
    """What an import changed, or on a dry run would change; `digest` lets a commit do exactly that."""

    id: str | None
    dry_run: bool
    digest: str
    files: tuple[FileReport, ...]


class ImportRecord(Wire):
    """An import that was committed, and whether it has been undone since.

    `misread` says what of its files it read wrongly, as their reading by a later version shows: then it
    is to be undone, and the files imported again.
    """

    id: str
    imported_at: Timestamp
    undone_at: Timestamp | None
    report: ImportReport
    misread: Misreading | None = None


class ImportRequest(Wire):
    """How to read the uploaded files; everything is inferred where it can be.

    `id` names the import for the one who starts it, so that they can cancel it while it runs; the
    report has the id that it is listed by. `digest` is a dry run's: the import is refused when files or
    ledger have changed since. A field answers a question for all files, `answers` for one of them;
    `amount_column` is a header or a place counted from 1, `same_account` the account whose rows a file
    repeats, by its id, or its name where the import makes it, or `new` for another one.
    """

    id: Annotated[str, Field(pattern=r"^imp_[0-9a-z]{8,40}$")] | None = None
    dry_run: bool = False
    digest: str | None = None
    account: Name | None = None
    currency: KnownCurrency | None = None
    account_kind: KindWord | None = None
    encoding: (
        Annotated[str, Field(max_length=40, json_schema_extra={"format": "encoding"})] | None
    ) = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    direction: AmountDirection | None = None
    amount_column: Text | None = None
    same_account: Annotated[Text, Field(json_schema_extra={"format": "same-account"})] | None = None
    answers: ImportAnswers | None = None


class ImportId(Wire):
    """Names one import."""

    id: PathId


class ImportProfile(Wire):
    """How files with one header are read: what the person said of them, and when for the last time.

    `columns` are the header's names; `accounts` names those that the files were said to belong to.
    """

    id: str
    columns: str
    encoding: str | None
    date_order: DateOrder | None
    decimal_sign: DecimalSign | None
    direction: str | None
    amount_column: str | None
    currency: str | None
    accounts: tuple[str, ...]
    saved_at: Timestamp


class ProfileId(Wire):
    """Names one header profile."""

    id: PathId

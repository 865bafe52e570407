"""What an import of statement files reports."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.account import AccountKind
from finplan.model.base import CurrencyCode, PathId, Text, Timestamp, Whole, Wire
from finplan.model.question import AmountDirection, ImportAnswers

DateOrder = Literal["dmy", "mdy", "ymd"]
DecimalSign = Literal[".", ","]


class FileAccount(Wire):
    """An account that a file's rows go to.

    `new` says that the import makes it, `currency_assumed` that the file names no currency and nobody
    said one, so that the household's is taken for it.
    """

    name: str
    currency: str
    kind: AccountKind
    new: bool = False
    currency_assumed: bool = False


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


class FileReport(Wire):
    """What one file holds: booked rows in all, new ones, ones already there, and uncertain ones.

    `pending` more rows are not booked yet. `remembered` is null for a file that was read without any
    word of earlier ones. `notes` are sentences on what to look at before the file is imported.
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


class ImportReport(Wire):
    """What an import changed, or on a dry run would change; `digest` lets a commit do exactly that."""

    id: str | None
    dry_run: bool
    digest: str
    files: tuple[FileReport, ...]


class ImportRecord(Wire):
    """An import that was committed, and whether it has been undone since."""

    id: str
    imported_at: Timestamp
    undone_at: Timestamp | None
    report: ImportReport


class ImportRequest(Wire):
    """How to read the uploaded files; everything is inferred where it can be.

    `id` names the import while it runs, so that the one who started it can cancel it. `digest` is a
    dry run's: the import is refused when files or ledger have changed since. A field answers a question
    for all files, `answers` for one of them; `amount_column` is a header or a place counted from 1,
    `same_account` the account whose rows a file repeats, by its id, or its name where the import makes
    it, or `new` for another one.
    """

    id: Annotated[str, Field(pattern=r"^imp_[0-9a-z]{8,40}$")] | None = None
    dry_run: bool = False
    digest: str | None = None
    account: Text | None = None
    currency: CurrencyCode | None = None
    account_kind: AccountKind | None = None
    encoding: (
        Annotated[str, Field(max_length=40, json_schema_extra={"format": "encoding"})] | None
    ) = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    direction: AmountDirection | None = None
    amount_column: Text | None = None
    same_account: Text | None = None
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

"""Imports of statement files: their reports and their questions."""

import json
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, WithJsonSchema

from finplan.model import base
from finplan.model.account import AccountKind, CoveredSpan, KindWord

QuestionAbout = Literal[
    "account", "accountKind", "direction", "amountColumn", "dateOrder", "decimalSign",
    "currency", "encoding", "sameAccount",
]  # fmt: skip
"""What a question is about: the name of the field of an import that answers it."""

ANOTHER_ACCOUNT = "new"
"""The answer about `sameAccount` that a file is of an account of its own."""

LONGEST_MARKS = 190
"""How many letters the words may have that an answer lists, with the commas and slashes between."""

DIRECTION = rf"^(in|out|negate|first:(in|out|owed)|marks:.{{1,{LONGEST_MARKS}}})$"

AmountDirection = Annotated[str, Field(pattern=DIRECTION)]
"""Which way amounts go that a file leaves open.

`in`: what has no minus comes in; `out` and `negate`: it goes out, and what has a minus comes in;
`marks:WORD[,WORD…][/WORD…]`: rows with one of these words in a column go out, those after the slash,
or all others, come in, and all do that are listed with nothing before the slash; `first:in`,
`first:out`: so do the rows, above all the oldest, that a running balance does not show; `first:owed`:
the balance is a debt, and they went out. Of two nameless columns of amounts the first one is meant.
"""


DIRECTIONS = (
    "in, out, first:in, first:out, first:owed, or"
    " marks:WORD,WORD with the words that mark money out"
)
"""What may be said of a direction, for who said something else."""

PLAIN_WAYS = ("in", "out", "negate")
"""The directions that say of all amounts without a minus which way they go."""

OF_FIRST_ROW = "first:"
"""How a direction begins that is about rows of one file alone."""

FIRST_CAME_IN = "first:in"
"""That rows which a balance does not show came in, and that it is what the person has."""

FIRST_OWED = "first:owed"
"""That a balance is a debt, and that rows which it does not show were spent."""


class ImportChoice(base.Wire):
    """One choice: the value to send, its meaning, and a line of the file read with this choice."""

    value: str
    label: str
    sample: str | None = None


class ImportQuestion(base.Wire):
    """One question about a file.

    `file` is the index of the uploaded file, from 0; `name` its name; `option` the command-line option
    that answers for all files of an import. For some questions, such as currencies, `choices` lists only
    likely values; other values are accepted too.
    """

    file: base.Whole
    name: str
    about: QuestionAbout
    text: str
    option: str
    choices: tuple[ImportChoice, ...]


MARKS = "marks:"
"""How a direction begins that lists words: those of money out, and after a slash those of money in."""


class ImportAnswer(base.Wire):
    """The answer for one file, given by its index among the uploaded files or by its name."""

    file: Annotated[int, Field(ge=0)] | Annotated[str, Field(min_length=1, max_length=1000)]
    about: QuestionAbout
    value: base.Text


def _read_answers(value: object) -> tuple[ImportAnswer, ...]:
    # A form has texts only, so what is a list here arrives written as JSON.
    listed: object = value
    if isinstance(value, str):
        try:
            listed = json.loads(value)
        except ValueError:
            raise ValueError("Answers must be a JSON list of {file, about, value}") from None
    return _ANSWERS.validate_python(listed, strict=False)


def _write_answers(answers: tuple[ImportAnswer, ...]) -> str:
    return _ANSWERS.dump_json(answers, by_alias=True).decode()


_ANSWERS = TypeAdapter(tuple[ImportAnswer, ...])

ImportAnswers = Annotated[
    tuple[ImportAnswer, ...],
    PlainValidator(_read_answers),
    PlainSerializer(_write_answers, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "format": "answers",
            "contentMediaType": "application/json",
            "description": "Answers for single files: a JSON list of `{file, about, value}`.",
        }
    ),
]
"""Answers for single files, written as JSON in a form's field; they go before the fields for all."""


DateOrder = Literal["dmy", "mdy", "ymd"]
DecimalSign = Literal[".", ","]
Misreading = Literal["signs", "amounts", "days", "currency"]
"""What of a file was read otherwise than it is read by a later version."""


class SampleRow(base.Wire):
    """A transaction as it was read; `raw` is the text in the file."""

    date: base.Day
    amount: base.Amount
    payee: str
    raw: str


class LeftOut(base.Wire):
    """How many lines of a file were skipped, and why."""

    reason: str
    count: base.Whole


class FileAccount(base.Wire):
    """The account of a file's transactions, with figures for checking them.

    `new` is true if the import creates the account. `currencyAssumed`: the file has no currency, so the
    household's is used. `transactions` counts posted ones from the first to the last day; of these
    `newRows` are new, `known` already imported and `ambiguous` possibly imported. `moneyIn` and
    `moneyOut` are their sums, never negative. `closingBalance` is money you have, or on credit and loan
    accounts your debt; `balanceFits`: whether this balance agrees with the transactions, or null if
    unknown. `coverage` lists the days that the account covers with this import; `extends`: some of these
    days, or a balance, are new.
    """

    name: str
    currency: str
    kind: AccountKind
    subtype: str | None = None
    new: bool = False
    currency_assumed: bool = False
    since: Annotated[base.Day | None, Field(alias="from")] = None
    until: Annotated[base.Day | None, Field(alias="to")] = None
    transactions: base.Whole = 0
    new_rows: base.Whole = 0
    known: base.Whole = 0
    ambiguous: base.Whole = 0
    pending: base.Whole = 0
    money_in: base.Amount = 0
    money_out: base.Amount = 0
    closing_balance: base.Amount | None = None
    balance_fits: bool | None = None
    samples: tuple[SampleRow, ...] = ()
    assumed: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    coverage: tuple[CoveredSpan, ...] = ()
    extends: bool = False


class Remembered(base.Wire):
    """The saved answers that this file used, from earlier files with the same header.

    `account` is the name of its account.
    """

    encoding: str | None
    date_order: DateOrder | None
    decimal_sign: DecimalSign | None
    currency: str | None
    account: str | None
    direction: str | None = None
    amount_column: str | None = None


class RestoredHousehold(base.Wire):
    """What an import of an export restored, in addition to accounts and transactions.

    `answers` counts questions that were answered or dismissed. `decisions` counts decisions on
    transfers, recurring charges and duplicates. `words` counts overrides of single transactions.
    `currency` is null if the export has none.
    """

    currency: str | None
    categories: base.Whole
    rules: base.Whole
    answers: base.Whole
    decisions: base.Whole
    words: base.Whole


class FileReport(base.Wire):
    """One file: its posted transactions, and how many are new, already imported or ambiguous.

    `pending` counts pending transactions, which are not in the other counts. `remembered` is null if no
    saved answer was used; `restored` is null if the file is not the export of a household. `notes` are
    sentences to read before importing the file.
    """

    file: str
    format: str | None
    encoding: str | None
    accounts: tuple[FileAccount, ...]
    transactions: base.Whole
    new: base.Whole
    known: base.Whole
    ambiguous: base.Whole
    error: str | None
    remembered: Remembered | None = None
    pending: base.Whole = 0
    notes: tuple[str, ...] = ()
    restored: RestoredHousehold | None = None


class ImportReport(base.Wire):
    """What an import changed, or on a dry run would change.

    Pass the `digest` of a dry run to import exactly that.
    """

    id: str | None
    dry_run: bool
    digest: str
    files: tuple[FileReport, ...]


class ImportRecord(base.Wire):
    """An import, and when it was undone.

    `misread` is set when a later version of finplan reads the import's files differently: undo the
    import, then import the files again.
    """

    id: str
    imported_at: base.Timestamp
    undone_at: base.Timestamp | None
    report: ImportReport
    misread: Misreading | None = None


class ImportRequest(base.Wire):
    """How to read the uploaded files; whatever you omit is inferred if possible.

    `id` is a name that you choose, so that you can cancel the import while it runs. The report contains
    the id by which lists name the import. `digest` is that of a dry run: the import is refused if files
    or transactions have changed since. Each field answers a question for all files; `answers` gives
    answers for single files. `amountColumn` is a column's header, or its position counted from 1.
    `sameAccount` is the account whose transactions a file repeats: its id, its name if the import
    creates it, or `new` for a separate account.
    """

    id: Annotated[str, Field(pattern=r"^imp_[0-9a-z]{8,40}$")] | None = None
    dry_run: bool = False
    digest: str | None = None
    account: base.Name | None = None
    currency: base.KnownCurrency | None = None
    account_kind: KindWord | None = None
    encoding: (
        Annotated[str, Field(max_length=40, json_schema_extra={"format": "encoding"})] | None
    ) = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    direction: AmountDirection | None = None
    amount_column: base.Text | None = None
    same_account: (
        Annotated[base.Text, Field(json_schema_extra={"format": "same-account"})] | None
    ) = None
    answers: ImportAnswers | None = None


class ImportId(base.ById):
    """Identifies one import."""


class ImportProfile(base.Wire):
    """Saved answers about files with one header, and when they were last saved.

    `columns` are the header's names, `accounts` the names of the accounts of these files.
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
    saved_at: base.Timestamp


class ProfileId(base.ById):
    """Identifies one header profile."""

"""What an import of statement files reports, and asks, since only the person knows."""

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
    "in or out for amounts without a minus, marks:WORD,WORD for the words of money out, or first:in,"
    " first:out or first:owed for rows that a balance does not show"
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
    """One answer: what is sent, what it means, and a row of the file as it would then be read."""

    value: str
    label: str
    sample: str | None = None


class ImportQuestion(base.Wire):
    """One thing that a file leaves open.

    `file` counts the uploaded files from 0, `name` is that file's, `option` the option of the command
    line that answers for all files of an import. Where `choices` are only the likely ones, as with
    currencies, another value is taken too.
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
    """The answer for one file, given by its place among the uploaded ones or by its name."""

    file: Annotated[int, Field(ge=0)] | Annotated[str, Field(min_length=1, max_length=1000)]
    about: QuestionAbout
    value: base.Text


def _read_answers(given: object) -> tuple[ImportAnswer, ...]:
    # A form has texts only, so what is a list here arrives written as JSON.
    listed: object = given
    if isinstance(given, str):
        try:
            listed = json.loads(given)
        except ValueError:
            raise ValueError("Answers are a JSON list of {file, about, value}") from None
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
    """A row of a file as it was read; `payee` is who was paid, `raw` the text as the file has it."""

    date: base.Day
    amount: base.Amount
    payee: str
    raw: str


class LeftOut(base.Wire):
    """How many rows of a file are not taken over, and why."""

    reason: str
    count: base.Whole


class FileAccount(base.Wire):
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


class RestoredHousehold(base.Wire):
    """What an export brought of a household besides accounts and rows, into a home without accounts.

    `answers` are questions that were answered or dismissed, `decisions` the person's words on transfers,
    recurring charges and duplicates, `words` what else was said of single transactions. `currency` is
    null where none was known yet.
    """

    currency: str | None
    categories: base.Whole
    rules: base.Whole
    answers: base.Whole
    decisions: base.Whole
    words: base.Whole


class FileReport(base.Wire):
    """What one file holds: booked rows in all, new ones, ones already there, and uncertain ones.

    `pending` more rows are not booked yet. `remembered` is null for a file that was read without any
    word of earlier ones, `restored` for one that brings no household. `notes` are sentences on what to
    look at before the file is imported.
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
    """What an import changed, or on a dry run would change; `digest` lets a commit do exactly that."""

    id: str | None
    dry_run: bool
    digest: str
    files: tuple[FileReport, ...]


class ImportRecord(base.Wire):
    """An import that was committed, and whether it has been undone since.

    `misread` says what of its files it read wrongly, as their reading by a later version shows: then it
    is to be undone, and the files imported again.
    """

    id: str
    imported_at: base.Timestamp
    undone_at: base.Timestamp | None
    report: ImportReport
    misread: Misreading | None = None


class ImportRequest(base.Wire):
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
    """Names one import."""


class ImportProfile(base.Wire):
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
    saved_at: base.Timestamp


class ProfileId(base.ById):
    """Names one header profile."""

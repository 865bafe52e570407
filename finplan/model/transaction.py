"""Transactions as a person reads them, the person's own word on one, and the filters of them."""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from finplan.model.base import Amount, CurrencyCode, PathId, TypedAmount, Whole, Wire
from finplan.model.category import BudgetLine, CategoryId
from finplan.model.characters import visible
from finplan.model.filters import AccountFilter, RowSearch

LARGEST_PAGE = 500
"""How many rows one page holds at most."""

LONGEST_NOTE = 500
"""How many characters a note has at most."""

MOST_PARTS = 50
"""How many parts a transaction is split into at most."""


def _in_one_line(typed: str) -> str:
    note = " ".join(visible(typed).split())
    if not note:
        raise ValueError("A note needs at least one sign that can be seen")
    return note


Note = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NOTE,
        description="What the person noted, one line of at most 500 characters.",
        json_schema_extra={"format": "label"},
    ),
    AfterValidator(_in_one_line),
]
"""What a person notes on a transaction or a part of it; breaks and runs of spaces are one space."""


class SplitPart(Wire):
    """One part of a transaction that is for several things, under a category of its own."""

    amount: Annotated[
        TypedAmount,
        Field(
            description="Minor units of the row's currency, positive when money comes in, never 0. The"
            " parts of a transaction add up to its amount."
        ),
    ]
    category: Annotated[CategoryId, Field(description="What this part is for.")]
    note: Annotated[
        Note | None, Field(description="What the person noted on this part, null for nothing.")
    ] = None


ReasonSource = Literal["user", "auto", "curated", "transfer", "default"]


class Reason(Wire):
    """Why a transaction has its category."""

    source: ReasonSource
    rule_id: str | None
    confidence: float | None
    text: str


class Transaction(Wire):
    """One row of a statement; `amount` is positive when money comes in.

    `note` and `splits` are the person's own. Where there are `splits`, `category` and `line` are those
    of the largest part, the first of equal ones, and totals count every part by itself.
    """

    id: str
    account_id: str
    date: date
    amount: Amount
    currency: str
    payee_key: str
    payee: str
    raw: str
    category: str
    line: BudgetLine
    pending: bool
    transfer_id: str | None
    note: str | None
    splits: tuple[SplitPart, ...] | None
    why: Reason


class TransactionId(Wire):
    """Which transaction."""

    id: PathId


class TransactionWord(Wire):
    """The person's own word on one transaction, before every rule; what is left out stays as it is.

    A `category` takes the place of `splits`, and these that of a category; only one of the two can be
    given. A null takes back.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    id: PathId
    category: Annotated[
        CategoryId | None,
        Field(description="What the whole of it is for; null leaves that to the rules again."),
    ] = None
    note: Annotated[
        Note | None, Field(description="What to remember of it; null takes the note back.")
    ] = None
    splits: Annotated[
        Annotated[tuple[SplitPart, ...], Field(min_length=2, max_length=MOST_PARTS)] | None,
        Field(
            description="What its parts are for; their amounts add up to its own. Null makes one of them"
            " again."
        ),
    ] = None


class TransactionQuery(RowSearch):
    """Which transactions: days inclusive, newest first, a page at a time."""

    account: AccountFilter = ()
    pending: Annotated[
        bool | None, Field(description="Only pending rows, or only posted ones.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="How many at most.")] = 100
    cursor: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "cursor"})] | None,
        Field(description="Where the page begins: the `nextCursor` of the one before."),
    ] = None
    total: Annotated[
        bool,
        Field(description="Also count the rows of all pages, and say what they add up to."),
    ] = False


class CurrencySum(Wire):
    """What posted rows in one currency add up to; positive when more came in than went out."""

    currency: CurrencyCode
    amount: Amount


class FoundTotal(Wire):
    """The rows of all pages: how many, of them how many pending, and the sums of the posted ones.

    The currency of the most rows is the first; rows of no currency but pending ones have no sum. Where
    categories are asked for, of a split row only the parts in them are added, as spending does.
    """

    rows: Whole
    pending: Whole
    sums: tuple[CurrencySum, ...]


class TransactionPage(Wire):
    """One page; `nextCursor` is null on the last one, and `total` unless it was asked for."""

    transactions: tuple[Transaction, ...]
    next_cursor: str | None
    total: FoundTotal | None = None

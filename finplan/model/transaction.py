"""Transactions: what narrows a question to some of them, how they are shown, exported and summed."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from finplan.model.account import AccountRef
from finplan.model.base import (
    Amount,
    ById,
    CurrencyCode,
    DateSpan,
    Day,
    Month,
    TypedAmount,
    Whole,
    Wire,
)
from finplan.model.category import BudgetLine, CategoryId, PayeeName
from finplan.model.characters import visible
from finplan.model.errors import BadRequest
from finplan.model.money import LARGEST_AMOUNT

AccountFilter = Annotated[
    tuple[AccountRef, ...],
    Field(description="Only this account, by its id; may be repeated."),
]
"""The rows on any of these accounts; on all of them when there are none."""


MOST_TAGS, LONGEST_TAG = 20, 30
LONGEST_TAGS = MOST_TAGS * (LONGEST_TAG + 1)


def _is_tag(word: str) -> bool:
    # Marks are parts of letters in many scripts.
    signs = (sign in "-_./" or unicodedata.category(sign)[0] in "LMN" for sign in word)
    return 0 < len(word) <= LONGEST_TAG and word[0].isalnum() and all(signs)


def _kept_tags(typed: tuple[str, ...]) -> tuple[str, ...]:
    tags = {unicodedata.normalize("NFC", tag.removeprefix("#").casefold()) for tag in typed}
    if len(tags) > MOST_TAGS:
        raise ValueError(f"A transaction has at most {MOST_TAGS} tags; these are {len(tags)}")
    for tag in sorted(tags):
        if not _is_tag(tag):
            raise ValueError(
                f"A tag is a word of at most {LONGEST_TAG} letters, digits and - _ . /; {tag!r} is none"
            )
    return tuple(sorted(tags))


def as_texts(given: object) -> object:
    """A single text as a tuple of it, as what it names may be given without a list around it."""
    listed = (given,) if isinstance(given, str) else given
    return tuple(listed) if isinstance(listed, list) else listed


def _as_tags(given: object) -> object:
    return () if given is None else as_texts(given.split() if isinstance(given, str) else given)


Tags = Annotated[
    tuple[Annotated[str, Field(json_schema_extra={"format": "tag"})], ...],
    BeforeValidator(_as_tags),
    Field(
        description="Words that tie rows together: letters, digits, - _ . /",
        json_schema_extra={"maxItems": MOST_TAGS},
    ),
    AfterValidator(_kept_tags),
]
"""The tags of a transaction, each once, in small letters and in their order."""


def tags_in(text: str) -> tuple[str, ...]:
    """The tags in a text, as they are kept. Raises BadRequest for what is none."""
    try:
        return _kept_tags(tuple(text.split()))
    except ValueError as error:
        raise BadRequest(f"{error}.") from None


ONLY_TAGS = "="
"""What stands before tags of which a row has all, and no others."""


def group_of_tags(tags: Iterable[str]) -> str:
    """The key of the group of rows with some tags and no others, as a filter takes it."""
    return f"{ONLY_TAGS}{' '.join(tags)}"


_Sought = Field(min_length=1, max_length=LONGEST_TAGS, json_schema_extra={"format": "tags"})
SomeTags = Annotated[
    tuple[Annotated[str, _Sought], ...],
    BeforeValidator(as_texts),
    Field(
        max_length=50,
        description="Only rows with this tag, or all of several in one text; `=` before them: and no"
        " others. May be repeated.",
    ),
]
"""Of each text a row has all the tags; a single one needs no list around it."""


class DayRange(Wire):
    """The rows of some days, both ends inclusive; of all days when it has none."""

    since: Annotated[Day | None, Field(alias="from", description="The first day, inclusive.")] = (
        None
    )
    until: Annotated[Day | None, Field(alias="to", description="The last day, inclusive.")] = None


class RowFilter(DayRange):
    """The rows of some days, in any of some categories, of any of some merchants, with some tags."""

    category: Annotated[
        tuple[CategoryId, ...],
        Field(description="Only this category, by its id; may be repeated."),
    ] = ()
    merchant: Annotated[
        tuple[PayeeName, ...],
        Field(description="Only this merchant, by its key or its name; may be repeated."),
    ] = ()
    tag: SomeTags = ()

    @property
    def taken_as_said(self) -> dict[str, Any]:
        """What every face passes on as it is said, since it names no day, category or account."""
        names = [*RowFilter.model_fields]
        return {name: getattr(self, name) for name in names[names.index("merchant") :]}


_SIZE = (
    "minor units of the household's currency, whichever way the money went. A row in another currency is"
    " told by the number that it shows."
)
RowSize = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
"""How large an amount is, whatever its sign."""


class RowSearch(RowFilter):
    """The rows of a filter in which some words stand, and whose amount is of some size."""

    text: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="Only rows in whose text, payee or note each of these words stands, also as a"
            " part of a longer word; case and accents make no difference.",
            json_schema_extra={"pattern": r"[^\x00-\x20\x7f-\xa0]"},
        ),
    ] = None
    min_amount: Annotated[
        RowSize | None, Field(description=f"Only rows of at least so much: {_SIZE}")
    ] = None
    max_amount: Annotated[
        RowSize | None, Field(description=f"Only rows of at most so much: {_SIZE}")
    ] = None


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


WordKind = Literal["category", "note", "tags", "splits"]
"""What a person may say of a single transaction."""


class RowRemarks(Wire):
    """What the person remarks on a row, which moves no sum."""

    note: Annotated[Note | None, Field(description="One line.")] = None
    tags: Annotated[Tags, Field(description="All that it has from now on.")] = ()


def remarks_of(said: object) -> dict[str, Any]:
    """What a row or a word on one has of remarks, by their names."""
    return {name: getattr(said, name) for name in RowRemarks.model_fields}


def remark_texts(remarks: Mapping[str, Any]) -> dict[str, str]:
    """Remarks as a person types them, by their names; those that say nothing are left out."""
    return {
        name: value if isinstance(value, str) else " ".join(f"#{tag}" for tag in value)
        for name, value in remarks.items()
        if value
    }


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

    `note`, `tags` and `splits` are the person's own. Where there are `splits`, `category` and `line` are
    those of the largest part, the first of equal ones, and totals count every part by itself.
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
    tags: tuple[str, ...] = ()
    splits: tuple[SplitPart, ...] | None
    why: Reason


class TransactionId(ById):
    """Which transaction."""


class TransactionWord(ById):
    """The person's own word on one transaction, before every rule; what is left out stays as it is.

    A `category` takes the place of `splits`, and these that of a category; only one of the two can be
    given. A null takes back.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    category: Annotated[
        CategoryId | None,
        Field(description="What the whole of it is for; null leaves that to the rules again."),
    ] = None
    note: Annotated[
        Note | None, Field(description="What to remember of it; null takes the note back.")
    ] = None
    tags: Annotated[
        Tags | None,
        Field(description="All the tags that it has from now on; null takes them back."),
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


ExportFormat = Literal["json", "csv", "hledger", "beancount"]


EXPORT_OF_ROWS_ONLY = (
    "It holds the booked transactions and their accounts. Settings, rules, own categories, answers,"
    " decisions, balances and pending transactions are in a JSON export only."
)
"""What a file of every format but JSON says of itself."""

FILTERED_EXPORT = (
    "It holds the transactions that the filters name, and their accounts. Without filters it holds the"
    " whole household, which a home without accounts restores."
)
"""What is said of a JSON export that is narrowed."""


class ExportQuery(RowSearch):
    """Which posted rows, filtered as transactions are, and the format of the file."""

    format: Annotated[ExportFormat, Field(description="The format of the file.")] = "json"
    account: AccountFilter = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing narrows it, so that the file holds everything."""
        return not self.model_dump(exclude={"format"}, exclude_defaults=True)

    @property
    def leaves_out(self) -> str | None:
        """What a person should know that the file does not hold; None where it holds everything."""
        if self.format != "json":
            return EXPORT_OF_ROWS_ONLY
        return None if self.is_whole else FILTERED_EXPORT


Grouping = Literal["category", "merchant", "tag", "month"]
MonthlyGrouping = Literal["category", "merchant", "tag"]

GROUP_KEYS: Mapping[Grouping, Callable[[Transaction], str]] = {
    "category": lambda row: row.category,
    "merchant": lambda row: row.payee_key,
    "tag": lambda row: group_of_tags(row.tags),
    "month": lambda row: f"{row.date:%Y-%m}",
}
"""The key of the group that a whole row is in."""


def label_of_group(grouping: str, key: str) -> str:
    """What a group is called whose key no other name is known for."""
    if grouping != "tag":
        return key
    return " ".join(f"#{tag}" for tag in key.removeprefix(ONLY_TAGS).split()) or "No tag"


MoneyFlow = Literal["spending", "income"]
"""Whether money out or money in is added up."""

MOST_MONTHS = 1200
"""How many months a table of them has at most: a hundred years."""


class MoneyFilter(RowFilter):
    """Which money, in or out, on which accounts."""

    account: AccountFilter = ()
    flow: Annotated[
        MoneyFlow,
        Field(
            description="What to add up: what was spent, positive when money went out, or what was"
            " earned, positive when money came in."
        ),
    ] = "spending"


class SpendingQuery(MoneyFilter):
    """Which spending, and how to group it; days inclusive, everything by default."""

    group_by: Annotated[
        Grouping | None,
        Field(description="What to group by; without it there is one total."),
    ] = None


class RecordedDays(DateSpan):
    """The days of the first and last row that counts, whatever is asked."""


class SpendingGroup(Wire):
    """One group's exact total, positive when money went out; `share` is of the positive totals."""

    key: str
    label: str
    total: Amount
    count: Whole
    share: float


def words_of_group(grouping: str, group: SpendingGroup) -> Sequence[str]:
    """The words that a person types to narrow rows to a group, or to a part of it."""
    if grouping == "tag":
        return group.key.removeprefix(ONLY_TAGS).split()
    return (group.label if grouping == "merchant" else group.key,)


class SpendingReport(DateSpan):
    """Exact totals after category rules; the groups always add up to the total.

    Of days outside `recorded` nothing is known; it is null where there are no rows.
    """

    recorded: RecordedDays | None = None
    group_by: Grouping | None
    total: Amount
    count: Whole
    groups: tuple[SpendingGroup, ...]


class SpendingMonthsQuery(MoneyFilter):
    """Which spending, and what the rows of a table of months are; days inclusive."""

    group_by: Annotated[
        MonthlyGrouping,
        Field(description="What each line of months is of."),
    ] = "category"


class MonthlySpendingGroup(Wire):
    """One group's exact total of each month, in the order of the months, and of all of them."""

    key: str
    label: str
    totals: tuple[Amount, ...]
    total: Amount
    count: Whole


class SpendingMonths(DateSpan):
    """Exact totals of each group and month; the groups of a month always add up to its total.

    Of days outside `recorded` nothing is known; it is null where there are no rows.
    """

    recorded: RecordedDays | None = None
    group_by: MonthlyGrouping
    months: tuple[Month, ...]
    totals: tuple[Amount, ...]
    total: Amount
    groups: tuple[MonthlySpendingGroup, ...]

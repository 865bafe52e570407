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


def _is_tag(tag: str) -> bool:
    # Marks are parts of letters in many scripts.
    signs = (sign in "-_./" or unicodedata.category(sign)[0] in "LMN" for sign in tag)
    return 0 < len(tag) <= LONGEST_TAG and tag[0].isalnum() and all(signs)


def _kept_tags(typed: tuple[str, ...]) -> tuple[str, ...]:
    tags = {unicodedata.normalize("NFC", tag.removeprefix("#").casefold()) for tag in typed}
    if len(tags) > MOST_TAGS:
        raise ValueError(f"A transaction has at most {MOST_TAGS} tags, not {len(tags)}")
    for tag in sorted(tags):
        if not _is_tag(tag):
            raise ValueError(
                f"A tag is one word of at most {LONGEST_TAG} letters, digits or -_./, not {tag!r}"
            )
    return tuple(sorted(tags))


def as_texts(value: object) -> object:
    """A single text as a tuple of it, as what it names may be given without a list around it."""
    listed = (value,) if isinstance(value, str) else value
    return tuple(listed) if isinstance(listed, list) else listed


def _as_tags(value: object) -> object:
    return () if value is None else as_texts(value.split() if isinstance(value, str) else value)


Tags = Annotated[
    tuple[Annotated[str, Field(json_schema_extra={"format": "tag"})], ...],
    BeforeValidator(_as_tags),
    Field(
        description="Labels that group transactions. Letters, digits and - _ . / are allowed.",
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
        description="Only transactions with this tag, or with all tags in one value. A leading `=` means"
        " these tags and no others. May be repeated.",
    ),
]
"""Of each text a row has all the tags; a single one needs no list around it."""


class DayRange(Wire):
    """The transactions of a range of days, both ends inclusive; without a range, of all days."""

    since: Annotated[Day | None, Field(alias="from", description="The first day, inclusive.")] = (
        None
    )
    until: Annotated[Day | None, Field(alias="to", description="The last day, inclusive.")] = None


class RowFilter(DayRange):
    """The transactions of some days, categories, merchants and tags."""

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
    def plain_filters(self) -> dict[str, Any]:
        """What every face passes on as it is said, since it names no day, category or account."""
        names = [*RowFilter.model_fields]
        return {name: getattr(self, name) for name in names[names.index("merchant") :]}


_SIZE = (
    "minor units of the household's currency, for money in and money out alike. For transactions in"
    " other currencies, the same number is compared."
)
RowSize = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
"""How large an amount is, whatever its sign."""


class RowSearch(RowFilter):
    """A filter that can also select by words and amounts."""

    text: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="Only transactions whose text, payee or note contains all these words, also"
            " within longer words. Case and accents are ignored.",
            json_schema_extra={"pattern": r"[^\x00-\x20\x7f-\xa0]"},
        ),
    ] = None
    min_amount: Annotated[
        RowSize | None, Field(description=f"Only transactions of at least this amount: {_SIZE}")
    ] = None
    max_amount: Annotated[
        RowSize | None, Field(description=f"Only transactions of at most this amount: {_SIZE}")
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
        raise ValueError("A note needs at least one visible character")
    return note


Note = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NOTE,
        description="The person's note: one line of at most 500 characters.",
        json_schema_extra={"format": "label"},
    ),
    AfterValidator(_in_one_line),
]
"""What a person notes on a transaction or a part of it; breaks and runs of spaces are one space."""


WordKind = Literal["category", "note", "tags", "splits"]
"""What a person may say of a single transaction."""


class RowRemarks(Wire):
    """The person's note and tags on a transaction; they change no total."""

    note: Annotated[Note | None, Field(description="One line.")] = None
    tags: Annotated[Tags, Field(description="Replaces all its tags.")] = ()


def remarks_of(source: object) -> dict[str, Any]:
    """What a row or a word on one has of remarks, by their names."""
    return {name: getattr(source, name) for name in RowRemarks.model_fields}


def remark_texts(remarks: Mapping[str, Any]) -> dict[str, str]:
    """Remarks as a person types them, by their names; those that say nothing are left out."""
    return {
        name: value if isinstance(value, str) else " ".join(f"#{tag}" for tag in value)
        for name, value in remarks.items()
        if value
    }


class SplitPart(Wire):
    """One line of a split: an amount with its own category."""

    amount: Annotated[
        TypedAmount,
        Field(
            description="Minor units of the transaction's currency, positive when money comes in, never"
            " 0. All amounts of a split add up to the transaction's."
        ),
    ]
    category: Annotated[CategoryId, Field(description="The category of this amount.")]
    note: Annotated[
        Note | None, Field(description="The person's note on this amount, or null.")
    ] = None


ReasonSource = Literal["user", "auto", "curated", "transfer", "default"]


class Reason(Wire):
    """Why a transaction has its category."""

    source: ReasonSource
    rule_id: str | None
    confidence: float | None
    text: str


class Transaction(Wire):
    """One transaction; `amount` is positive when money comes in.

    `note`, `tags` and `splits` are the person's own. With `splits`, `category` and `line` are those of
    the largest amount (the first of equal ones), and totals count each amount in its own category.
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
    """Identifies one transaction."""


class TransactionWord(ById):
    """One transaction's override, used before any rule.

    Absent fields stay unchanged, and null removes a value. `category` replaces `splits`, and `splits`
    replace a category; give only one of the two.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    category: Annotated[
        CategoryId | None,
        Field(description="The transaction's own category; null returns it to the rules."),
    ] = None
    note: Annotated[Note | None, Field(description="A note; null removes it.")] = None
    tags: Annotated[Tags | None, Field(description="Replaces all its tags; null removes them.")] = (
        None
    )
    splits: Annotated[
        Annotated[tuple[SplitPart, ...], Field(min_length=2, max_length=MOST_PARTS)] | None,
        Field(
            description="Splits the transaction between categories; the amounts add up to its amount."
            " Null undoes the split."
        ),
    ] = None


class TransactionQuery(RowSearch):
    """Filters for transactions; pages begin with the newest, and days are inclusive."""

    account: AccountFilter = ()
    pending: Annotated[
        bool | None, Field(description="true: only pending transactions; false: only posted ones.")
    ] = None
    limit: Annotated[
        int,
        Field(ge=1, le=LARGEST_PAGE, description="The maximum number of transactions to return."),
    ] = 100
    cursor: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "cursor"})] | None,
        Field(description="The `nextCursor` of the previous page."),
    ] = None
    total: Annotated[
        bool,
        Field(description="Also count and add up the transactions of all pages."),
    ] = False


class CurrencySum(Wire):
    """The sum of posted transactions in one currency; positive when more came in than went out."""

    currency: CurrencyCode
    amount: Amount


class FoundTotal(Wire):
    """The number of transactions on all pages, how many are pending, and sums of the posted ones.

    Each currency has its own sum; the currency with the most transactions comes first. With a category
    filter, a split transaction adds only its amounts in these categories, as in spending.
    """

    rows: Whole
    pending: Whole
    sums: tuple[CurrencySum, ...]


class TransactionPage(Wire):
    """One page; `nextCursor` is null on the last page, and `total` is null unless requested."""

    transactions: tuple[Transaction, ...]
    next_cursor: str | None
    total: FoundTotal | None = None


ExportFormat = Literal["json", "csv", "hledger", "beancount"]


EXPORT_OF_ROWS_ONLY = (
    "Contains the posted transactions and their accounts. Only a JSON export also has settings, rules,"
    " your own categories, answers, decisions, balances and pending transactions."
)
"""What a file of every format but JSON says of itself."""

FILTERED_EXPORT = (
    "Contains only the transactions that match the filters, and their accounts. To export everything,"
    " for a backup or another computer, remove the filters."
)
"""What is said of a JSON export that is narrowed."""


class ExportQuery(RowSearch):
    """Filters for the posted transactions to export, and the format of the file."""

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
    """Whether to count money in or money out, and on which accounts."""

    account: AccountFilter = ()
    flow: Annotated[
        MoneyFlow,
        Field(description="`spending` counts money out as positive, `income` money in."),
    ] = "spending"


class SpendingQuery(MoneyFilter):
    """Which spending to count, and how to group it; days are inclusive, and all spending the default."""

    group_by: Annotated[
        Grouping | None,
        Field(description="How to group the totals; without a group, there is only one total."),
    ] = None


class RecordedDays(DateSpan):
    """The days of the first and the last transaction in the totals."""


class SpendingGroup(Wire):
    """One group's exact total, positive when money went out.

    `share` is its share of the sum of all positive totals.
    """

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

    Spending outside `recorded` is unknown; `recorded` is null if there are no transactions.
    """

    recorded: RecordedDays | None = None
    group_by: Grouping | None
    total: Amount
    count: Whole
    groups: tuple[SpendingGroup, ...]


class SpendingMonthsQuery(MoneyFilter):
    """Which spending to count by month, and how to group it; days are inclusive."""

    group_by: Annotated[
        MonthlyGrouping,
        Field(description="How to group each month's total."),
    ] = "category"


class MonthlySpendingGroup(Wire):
    """One group's exact totals: for each month, in order, and for all months together."""

    key: str
    label: str
    totals: tuple[Amount, ...]
    total: Amount
    count: Whole


class SpendingMonths(DateSpan):
    """Exact totals of each group and month; the groups of a month always add up to its total.

    Spending outside `recorded` is unknown; `recorded` is null if there are no transactions.
    """

    recorded: RecordedDays | None = None
    group_by: MonthlyGrouping
    months: tuple[Month, ...]
    totals: tuple[Amount, ...]
    total: Amount
    groups: tuple[MonthlySpendingGroup, ...]

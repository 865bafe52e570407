"""A whole household in a JSON export, so that another home can restore it.

Booked rows are not here: an export lists them one by one. Days are calendar dates, amounts minor units.
"""

from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from finplan.model import base
from finplan.model.account import AccountKind
from finplan.model.category import BudgetLine, CategoryId, CategoryName, MoneyDirection
from finplan.model.characters import visible_name, visible_text
from finplan.model.plan import Cadence
from finplan.model.planned import MOST_PLANNED
from finplan.model.recurring import SeriesKind
from finplan.model.statement import AmountDirection, DateOrder, DecimalSign
from finplan.model.task import Task
from finplan.model.transaction import MOST_PARTS, RowRemarks, SplitPart, remarks_of
from finplan.model.user import BudgetShares, TimeZone, is_time_zone


def _of_the_world(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("Unknown time zone")
    return name


def _whole(shares: BudgetShares) -> BudgetShares:
    if not shares.is_whole:
        raise ValueError("The shares must add up to 1")
    return shares


def _shown_or_none(text: str | None) -> str | None:
    return visible_text(text or "") or None


def _make_visible(value: object) -> object:
    """A value whose texts, at any depth, are as a person sees them."""
    if isinstance(value, dict):
        return {name: _make_visible(inner) for name, inner in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_make_visible, value))
    return visible_text(value) if isinstance(value, str) else value


def _shown_task(task: Task) -> Task:
    return type(task).model_validate(_make_visible(task.model_dump(by_alias=False)), by_name=True)


def _shown_name(name: str) -> str:
    return visible_name(name) or "Account"


Shown = Annotated[str, AfterValidator(visible_text)]
"""A text without what a person cannot see, and of a bounded length, as the rows of every file are."""

ShownOrNone = Annotated[str | None, AfterValidator(_shown_or_none)]
"""A text as a person sees it, null where nothing of it can be seen."""

Correction = Literal["name", "kind", "subtype", "balance", "creditLimit", "apr", "minimumPayment"]
"""What the person set of an account, which no bank and no file overwrites."""

AccountIdentity = Annotated[str, Field(pattern="^acc_[0-9a-z]{1,40}$")]
ConnectionIdentity = Annotated[str, Field(pattern="^con_[0-9a-z]{1,40}$")]
CategoryIdentity = Annotated[str, Field(pattern="^cat_[0-9a-z]{1,40}$")]
RuleIdentity = Annotated[str, Field(pattern="^rule_((in|out)_)?[0-9a-z]{1,40}$")]
WordIdentity = Annotated[str, Field(pattern="^word_[0-9a-z]{1,40}$")]


class ExportedSettings(base.Wire):
    """The settings of the household; `currency` is null until an account has one."""

    currency: base.CurrencyCode | None
    time_zone: Annotated[TimeZone, AfterValidator(_of_the_world)]
    budget_shares: Annotated[BudgetShares, AfterValidator(_whole)] | None
    target_months: Annotated[base.Whole, Field(ge=0, le=60)] | None
    monthly_income: base.TypedAmount | None


class ExportedConnection(base.Wire):
    """The institution of some accounts; its credentials are never exported."""

    id: ConnectionIdentity
    institution_name: Shown
    created_at: base.Timestamp
    last_synced_at: base.Timestamp | None


class CoveredInterval(base.Wire):
    """Days whose transactions are all in the account, from files or a bank.

    Both ends are inclusive. If a statement does not state an end, the day of its first or last
    transaction is used.
    """

    since: Annotated[base.BookedDay, Field(alias="from")]
    until: Annotated[base.BookedDay, Field(alias="to")]
    since_stated: Annotated[bool, Field(alias="fromStated")]
    until_stated: Annotated[bool, Field(alias="toStated")]

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.since > self.until:
            raise ValueError("The first covered day is after the last")
        return self


class StatedBalance(base.Wire):
    """A balance at the end of a day, from a statement, the bank or the person."""

    date: base.BookedDay
    balance: base.TypedAmount
    by_statement: bool


class ExportedAccount(base.Wire):
    """An account without its transactions.

    `externalId` is its id at its institution, `number` its number as statements print it. `sources` are
    the kinds of source of its transactions, `corrected` the fields that the person set. `own` marks an
    account that the person added, and `since` is its first day.
    """

    id: AccountIdentity
    name: Annotated[str, AfterValidator(_shown_name)]
    number: ShownOrNone
    institution_name: ShownOrNone
    kind: AccountKind
    subtype: ShownOrNone
    currency: base.CurrencyCode
    balances: tuple[StatedBalance, ...]
    connection_id: ConnectionIdentity
    external_id: Shown
    mask: ShownOrNone
    balance: base.TypedAmount | None
    balance_date: base.BookedDay | None
    credit_limit: base.TypedAmount | None
    apr: Annotated[float, Field(ge=0, le=10)] | None
    minimum_payment: base.TypedAmount | None
    hidden: bool
    coverage: tuple[CoveredInterval, ...]
    corrected: tuple[Correction, ...]
    sources: tuple[Annotated[str, Field(pattern=r"^\S{1,60}$")], ...]
    own: bool = False
    since: base.BookedDay | None = None


class ExportedCategory(base.Wire):
    """A category of the person's own."""

    id: CategoryIdentity
    name: Annotated[
        CategoryName, BeforeValidator(_make_visible), AfterValidator(base.readable_name)
    ]
    line: BudgetLine
    reimbursable: bool
    created_at: base.Timestamp


class ExportedRule(base.Wire):
    """A rule of the person's own; with an `amount`, only for transactions of that amount.

    `amount` is positive when money goes out. If `amount` is set, `direction` is `both`.
    """

    id: RuleIdentity
    payee_key: Shown
    amount: base.TypedAmount | None
    direction: MoneyDirection = "both"
    category: CategoryId
    saved_at: base.Timestamp


class ExportedAnswer(base.Wire):
    """A question that the person answered or dismissed, and the rule or override that this created.

    With `each`, every transaction of the payee is a separate question.
    """

    task: Annotated[Task, AfterValidator(_shown_task)]
    rule_id: RuleIdentity | None
    word_id: WordIdentity | None = None
    each: bool = False
    answered_at: base.Timestamp


class ExportedRowIdentity(base.Wire):
    """The fields by which a decision identifies a transaction."""

    account_id: str
    account_key: Shown
    currency: base.CurrencyCode
    date: base.BookedDay
    amount: base.TypedAmount
    raw: Shown
    external_id: ShownOrNone
    ordinal: Annotated[base.Whole, Field(ge=0)]
    pending: bool


class ExportedTransferVerdict(base.Wire):
    """The person's decision on two transactions: a transfer, or not."""

    id: Annotated[str, Field(pattern="^trf_[0-9a-z]{1,40}$")]
    verdict: Literal["confirm", "reject"]
    out: ExportedRowIdentity
    into: Annotated[ExportedRowIdentity, Field(alias="in")]
    decided_at: base.Timestamp


class ExportedSeriesVerdict(base.Wire):
    """The person's decision on a recurring series, identified by its payee and one occurrence."""

    id: Annotated[str, Field(pattern="^ser_[0-9a-z]{1,40}$")]
    kind: SeriesKind
    payee_key: Shown
    amount: base.Amount
    date: base.BookedDay
    cadence: Cadence
    interval_days: Annotated[base.Whole, Field(ge=1, le=4000)]
    verdict: Literal["confirm", "dismiss"]
    decided_at: base.Timestamp


class ExportedSingleWord(RowRemarks):
    """One transaction's override: its own category or split, note and tags.

    The amounts of a split add up to the transaction.
    """

    id: WordIdentity
    row: ExportedRowIdentity
    category: CategoryId | None
    splits: Annotated[tuple[SplitPart, ...], Field(max_length=MOST_PARTS)] = ()
    said_at: base.Timestamp

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if not any((self.category, self.splits, *remarks_of(self).values())):
            raise ValueError("An override is empty")
        if self.splits and self.category is not None:
            raise ValueError("A transaction has both a split and a category; give only one")
        amounts = [part.amount for part in self.splits]
        if amounts and (sum(amounts) != self.row.amount or len(amounts) < 2 or 0 in amounts):
            raise ValueError("The amounts of a split do not add up to the transaction")
        return self


class ExportedPlanned(base.Wire):
    """Money that the person plans to pay or to receive; `amount` is positive.

    `date` is its first day. With `inMonth`, only the month of it is known.
    """

    id: Annotated[str, Field(pattern="^pln_[0-9a-z]{1,40}$")]
    name: Annotated[Shown, AfterValidator(base.readable_name)]
    amount: Annotated[base.TypedAmount, Field(ge=1)]
    currency: base.CurrencyCode
    incoming: bool
    date: base.BookedDay
    in_month: bool
    cadence: Cadence | None
    until: base.BookedDay | None
    account_id: AccountIdentity | None
    category: CategoryId | None
    planned_on: base.BookedDay
    done: bool
    saved_at: base.Timestamp


class ExportedUnlistedRow(base.Wire):
    """A transaction that the export does not list among the posted ones."""

    account_id: AccountIdentity
    payee_key: Shown
    date: base.BookedDay
    amount: base.TypedAmount
    raw: Shown
    external_id: ShownOrNone


class ExportedSetAside(ExportedUnlistedRow):
    """A posted transaction that is excluded as a duplicate."""

    ordinal: Annotated[base.Whole, Field(ge=0)]
    source: str
    code: str | None


class ExportedDuplicateVerdict(base.Wire):
    """The person's decision on two transactions or two accounts, the kept one first.

    One of the two pairs is null.
    """

    id: Annotated[str, Field(pattern="^dup_[0-9a-z]{1,40}$")]
    kind: Literal["accounts", "rows", "pending"]
    verdict: Literal["same", "different"]
    rows: Annotated[tuple[ExportedRowIdentity, ...], Field(min_length=2, max_length=2)] | None
    accounts: Annotated[tuple[AccountIdentity, ...], Field(min_length=2, max_length=2)] | None
    set_aside: ExportedSetAside | None
    decided_at: base.Timestamp


class ExportedPending(ExportedUnlistedRow):
    """A pending transaction; a newer statement replaces it."""


class ExportedFileAnswer(base.Wire):
    """The person's answers about files with one header; `columns` are the header's names."""

    signature: Annotated[str, Field(min_length=1, max_length=200)]
    columns: str
    encoding: str | None
    date_order: DateOrder | None
    decimal_sign: DecimalSign | None
    direction: AmountDirection | None
    amount_column: base.Text | None
    currency: base.CurrencyCode | None
    account_id: AccountIdentity | None
    saved_at: base.Timestamp


class ExportedHousehold(base.Wire):
    """What the person set, answered and decided; `keyRules` is the version of the payee key rules.

    Plans, credentials, sessions and access to banks are never exported.
    """

    key_rules: Annotated[base.Whole, Field(ge=0)]
    settings: ExportedSettings
    connections: tuple[ExportedConnection, ...]
    categories: tuple[ExportedCategory, ...]
    dismissed_suggestions: tuple[Shown, ...]
    rules: tuple[ExportedRule, ...]
    answers: tuple[ExportedAnswer, ...]
    transfers: tuple[ExportedTransferVerdict, ...]
    recurring: tuple[ExportedSeriesVerdict, ...]
    duplicates: tuple[ExportedDuplicateVerdict, ...]
    single_words: tuple[ExportedSingleWord, ...] = ()
    files: tuple[ExportedFileAnswer, ...]
    pending: tuple[ExportedPending, ...]
    planned: Annotated[tuple[ExportedPlanned, ...], Field(max_length=MOST_PLANNED)] = ()


class ExportedJudgement(base.Wire):
    """The categories that finplan itself chose for a payee's money out and money in, and why."""

    out: CategoryId
    into: Annotated[CategoryId, Field(alias="in")]
    source: Literal["auto", "curated"] | None
    confidence: Annotated[float, Field(ge=0, le=1)] | None
    alternatives: tuple[CategoryId, ...]
    suggested: CategoryId | None
    why: Shown


class ExportedPayee(base.Wire):
    """A payee: its key, its display name, and the first bank text that names it."""

    key: Shown
    name: Shown
    raw: Shown
    judged: ExportedJudgement


class ExportedHome(NamedTuple):
    """A household with its accounts, and its payees in the order in which they came."""

    household: ExportedHousehold
    payees: tuple[ExportedPayee, ...]
    accounts: tuple[ExportedAccount, ...]

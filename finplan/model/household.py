"""A whole household as a JSON export carries it, so that another home gets it just as it was.

Booked rows are not here: an export lists them one by one. Days are calendar dates, amounts minor units.
"""

from datetime import date
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from finplan.model import base
from finplan.model.account import AccountKind
from finplan.model.category import BudgetLine, CategoryId, CategoryName, MoneyDirection
from finplan.model.characters import visible_name, visible_text
from finplan.model.plan import Cadence
from finplan.model.recurring import SeriesKind
from finplan.model.statement import AmountDirection, DateOrder, DecimalSign
from finplan.model.task import Task
from finplan.model.transaction import MOST_PARTS, RowRemarks, SplitPart, remarks_of
from finplan.model.user import BudgetShares, TimeZone, is_time_zone


def _of_a_statement(day: date) -> date:
    if not 1900 <= day.year <= 2199:
        raise ValueError("A day lies in the years 1900 to 2199")
    return day


BookedDay = Annotated[base.Day, AfterValidator(_of_a_statement)]
"""A day that a statement may name."""


def _of_the_world(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("No time zone is called so")
    return name


def _whole(shares: BudgetShares) -> BudgetShares:
    if not shares.is_whole:
        raise ValueError("The shares must add up to 1")
    return shares


def _shown_or_none(text: str | None) -> str | None:
    return visible_text(text or "") or None


def _shown(value: object) -> object:
    """A value whose texts, at any depth, are as a person sees them."""
    if isinstance(value, dict):
        return {name: _shown(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_shown, value))
    return visible_text(value) if isinstance(value, str) else value


def _shown_task(task: Task) -> Task:
    return type(task).model_validate(_shown(task.model_dump(by_alias=False)), by_name=True)


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
    """The settings of the household; `currency` is null as long as no account has brought one."""

    currency: base.CurrencyCode | None
    time_zone: Annotated[TimeZone, AfterValidator(_of_the_world)]
    budget_shares: Annotated[BudgetShares, AfterValidator(_whole)] | None
    target_months: Annotated[base.Whole, Field(ge=0, le=60)] | None
    monthly_income: base.TypedAmount | None


class ExportedConnection(base.Wire):
    """The institution of some accounts; how to reach it is exported nowhere."""

    id: ConnectionIdentity
    institution_name: Shown
    created_at: base.Timestamp
    last_synced_at: base.Timestamp | None


class CoveredInterval(base.Wire):
    """Days of an account that files or a bank have told all rows of, both ends inclusive.

    An end that is not stated is the day of a row.
    """

    since: Annotated[BookedDay, Field(alias="from")]
    until: Annotated[BookedDay, Field(alias="to")]
    since_stated: Annotated[bool, Field(alias="fromStated")]
    until_stated: Annotated[bool, Field(alias="toStated")]

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.since > self.until:
            raise ValueError("The first covered day is after the last")
        return self


class StatedBalance(base.Wire):
    """What a statement, else a bank or the person, said that a balance was at the end of a day."""

    date: BookedDay
    balance: base.TypedAmount
    by_statement: bool


class ExportedAccount(base.Wire):
    """An account with everything that is known of it but its rows.

    `externalId` names it at its institution, `number` is what of that a statement prints. `sources` are
    the kinds of source that brought its rows, `corrected` what the person set.
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
    balance_date: BookedDay | None
    credit_limit: base.TypedAmount | None
    apr: Annotated[float, Field(ge=0, le=10)] | None
    minimum_payment: base.TypedAmount | None
    hidden: bool
    coverage: tuple[CoveredInterval, ...]
    corrected: tuple[Correction, ...]
    sources: tuple[Annotated[str, Field(pattern=r"^\S{1,60}$")], ...]


class ExportedCategory(base.Wire):
    """A category of the person's own."""

    id: CategoryIdentity
    name: Annotated[CategoryName, BeforeValidator(_shown), AfterValidator(base.readable_name)]
    line: BudgetLine
    reimbursable: bool
    created_at: base.Timestamp


class ExportedRule(base.Wire):
    """A rule of the person's own; with an amount, positive when money goes out, of such rows alone.

    An amount has a direction of its own, so its rule is for both.
    """

    id: RuleIdentity
    payee_key: Shown
    amount: base.TypedAmount | None
    direction: MoneyDirection = "both"
    category: CategoryId
    saved_at: base.Timestamp


class ExportedAnswer(base.Wire):
    """A question that the person answered or dismissed, and the rule or word that the answer made.

    With `each` every row of the payee is asked about by itself.
    """

    task: Annotated[Task, AfterValidator(_shown_task)]
    rule_id: RuleIdentity | None
    word_id: WordIdentity | None = None
    each: bool = False
    answered_at: base.Timestamp


class ExportedRowIdentity(base.Wire):
    """A row as a verdict remembers it."""

    account_id: str
    account_key: Shown
    currency: base.CurrencyCode
    date: BookedDay
    amount: base.TypedAmount
    raw: Shown
    external_id: ShownOrNone
    ordinal: Annotated[base.Whole, Field(ge=0)]
    pending: bool


class ExportedTransferVerdict(base.Wire):
    """The person's word on two rows: one movement of money, or not."""

    id: Annotated[str, Field(pattern="^trf_[0-9a-z]{1,40}$")]
    verdict: Literal["confirm", "reject"]
    out: ExportedRowIdentity
    into: Annotated[ExportedRowIdentity, Field(alias="in")]
    decided_at: base.Timestamp


class ExportedSeriesVerdict(base.Wire):
    """The person's word on what comes again, known by its payee and one of its occurrences."""

    id: Annotated[str, Field(pattern="^ser_[0-9a-z]{1,40}$")]
    kind: SeriesKind
    payee_key: Shown
    amount: base.Amount
    date: BookedDay
    cadence: Cadence
    interval_days: Annotated[base.Whole, Field(ge=1, le=4000)]
    verdict: Literal["confirm", "dismiss"]
    decided_at: base.Timestamp


class ExportedSingleWord(RowRemarks):
    """What the person said of one row by itself: its category or its parts, a note and tags.

    Parts add up to the row.
    """

    id: WordIdentity
    row: ExportedRowIdentity
    category: CategoryId | None
    splits: Annotated[tuple[SplitPart, ...], Field(max_length=MOST_PARTS)] = ()
    said_at: base.Timestamp

    @model_validator(mode="after")
    def _check_what_is_said(self) -> Self:
        if not any((self.category, self.splits, *remarks_of(self).values())):
            raise ValueError("A word on a row says nothing")
        if self.splits and self.category is not None:
            raise ValueError("A row is split and has a category besides")
        amounts = [part.amount for part in self.splits]
        if amounts and (sum(amounts) != self.row.amount or len(amounts) < 2 or 0 in amounts):
            raise ValueError("The parts of a row do not add up to it")
        return self


class ExportedUnlistedRow(base.Wire):
    """A row that an export does not list among the booked ones."""

    account_id: AccountIdentity
    payee_key: Shown
    date: BookedDay
    amount: base.TypedAmount
    raw: Shown
    external_id: ShownOrNone


class ExportedSetAside(ExportedUnlistedRow):
    """A booked row that is out of the ledger because it is the same as another one."""

    ordinal: Annotated[base.Whole, Field(ge=0)]
    source: str
    code: str | None


class ExportedDuplicateVerdict(base.Wire):
    """The person's word on two rows or two accounts, the kept one first; either pair is null."""

    id: Annotated[str, Field(pattern="^dup_[0-9a-z]{1,40}$")]
    kind: Literal["accounts", "rows", "pending"]
    verdict: Literal["same", "different"]
    rows: Annotated[tuple[ExportedRowIdentity, ...], Field(min_length=2, max_length=2)] | None
    accounts: Annotated[tuple[AccountIdentity, ...], Field(min_length=2, max_length=2)] | None
    set_aside: ExportedSetAside | None
    decided_at: base.Timestamp


class ExportedPending(ExportedUnlistedRow):
    """A row that is not booked yet; it goes as soon as a newer statement knows better."""


class ExportedFileAnswer(base.Wire):
    """What the person said of how files with one header are read; `columns` are the header's names."""

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
    """What the person set, said and decided; `keyRules` numbers the rules that payees are keyed by.

    Plans, credentials, sessions and what a bank is reached by are never in it.
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


class ExportedJudgement(base.Wire):
    """What finplan took a payee's outflows and inflows for without a word of the person, and why."""

    out: CategoryId
    into: Annotated[CategoryId, Field(alias="in")]
    source: Literal["auto", "curated"] | None
    confidence: Annotated[float, Field(ge=0, le=1)] | None
    alternatives: tuple[CategoryId, ...]
    suggested: CategoryId | None
    why: Shown


class ExportedPayee(base.Wire):
    """Who was paid: the key, the name that a person reads, and the first text of a bank that said so."""

    key: Shown
    name: Shown
    raw: Shown
    judged: ExportedJudgement


class ExportedHome(NamedTuple):
    """A household with its accounts, and its payees in the order in which they came."""

    household: ExportedHousehold
    payees: tuple[ExportedPayee, ...]
    accounts: tuple[ExportedAccount, ...]

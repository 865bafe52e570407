"""What is detected between rows, transfers and duplicates, and the person's word on each.

What is asked about it, what either answer does, and what holds after it is said in the same words on
every face.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model import figures
from finplan.model.base import Amount, CurrencyCode, PathId, Wire, one_of
from finplan.model.recurring import RecurringSeries
from finplan.model.transaction import DayRange

TransferStatus = Literal["paired", "confirmed", "rejected", "candidate"]
"""`paired` by finplan, `confirmed` or `rejected` by the person, or a `candidate` to be looked at."""


class TransferLeg(Wire):
    """One row of a pair; `amount` is positive when money comes in, in the row's own `currency`.

    `account` is the account's name, `payee_key` the payee of the row.
    """

    transaction_id: str
    account_id: str
    account: str
    payee_key: str
    date: date
    amount: Amount
    currency: CurrencyCode
    raw: str


class Transfer(Wire):
    """Two rows that are, may be or are not one movement of money, and what speaks for it.

    `source` is who decided, null where nobody has; `currency` is that of the outgoing row.
    """

    id: str
    status: TransferStatus
    source: Literal["auto", "user"] | None
    currency: CurrencyCode
    out: TransferLeg
    into: TransferLeg
    why: str


class TransferQuery(DayRange):
    """Which pairs: the status, any of several, and the days that money left on, inclusive."""

    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(TransferStatus))], ...],
        Field(description="Only this status."),
    ] = ()


class TransferVerdict(Wire):
    """The person's word on a pair; `auto` takes it back."""

    id: PathId
    verdict: Literal["confirm", "reject", "auto"]


DuplicateStatus = Literal["open", "same", "different"]
"""`open` until the person says what they are."""


class DuplicateSide(Wire):
    """One of the two: an account, or with the last four fields a row on it.

    `counted` is whether it is in the totals; `transactionId` is null for a row that is set aside.
    """

    account_id: str
    account_name: str
    institution_name: str
    counted: bool
    transaction_id: str | None
    date: date | None
    amount: Amount | None
    raw: str | None


class Duplicate(Wire):
    """Two of a kind that may be one: two accounts, two posted rows, or a posted and a pending row.

    `kept` is the one that stays when they are the same. `relinked` is whether they are an account that a
    bank lists under a new id and one that it lists no more: said to be the same, they are made one for
    good.
    """

    id: str
    kind: Literal["accounts", "rows", "pending"]
    status: DuplicateStatus
    currency: CurrencyCode
    kept: DuplicateSide
    other: DuplicateSide
    why: str
    relinked: bool


class DuplicateQuery(Wire):
    """Which duplicates: the status, any of several."""

    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(DuplicateStatus))], ...],
        Field(description="Only this status."),
    ] = ()
    relinked: Annotated[
        bool, Field(description="Only accounts that a bank lists under new ids.")
    ] = False


class DuplicateVerdict(Wire):
    """The person's word on a duplicate; `auto` takes it back."""

    id: PathId
    verdict: Literal["same", "different", "auto"]


Detected = RecurringSeries | Transfer | Duplicate
"""What was detected, and is the person's to confirm or to reject."""


def often_said(series: RecurringSeries) -> str:
    """How often a series comes."""
    return series.cadence.replace("_", " ")


def over_said(series: RecurringSeries) -> str:
    """When a series comes next, or since when it is over."""
    if series.next_date is None:
        return f"over, {series.last_date:%b %Y}"
    return series.next_date.isoformat()


def sent_said(transfer: Transfer) -> str:
    """How much left, and what arrived where it was in another currency."""
    left = figures.money(-transfer.out.amount, transfer.currency)
    if transfer.into.currency == transfer.currency:
        return left
    return f"{left} → {figures.money(transfer.into.amount, transfer.into.currency)}"


def way_said(transfer: Transfer, names: Mapping[str, str]) -> str:
    """From which account to which; `names` are the accounts'."""
    source, target = transfer.out.account_id, transfer.into.account_id
    return f"{names.get(source, source)} → {names.get(target, target)}"


def is_open(finding: Detected) -> bool:
    """Whether nobody has decided it, finplan included."""
    return finding.status in ("candidate", "open")


def asked_of(finding: Detected) -> str:
    """The question that yes or no answers."""
    match finding:
        case RecurringSeries():
            return f"Does {finding.name} come again?"
        case Transfer():
            return "Are these two rows one transfer?"
        case Duplicate(kind="accounts"):
            return "Are these one account?"
        case Duplicate():
            return "Are these the same?"


def does_yes(finding: Detected) -> str:
    """What a yes does, before it is said."""
    match finding:
        case RecurringSeries():
            return "it stays in the plan, even if a month looks odd."
        case Transfer():
            return "neither counts as income or spending, and they stay a pair."
        case Duplicate(relinked=True):
            return "they become one account, with the words and rows of both, for good."
        case Duplicate(kind="accounts"):
            return "the second account is left out of every figure."
        case Duplicate():
            return "the second is left out of every total."


def does_no(finding: Detected) -> str:
    """What a no does, before it is said."""
    match finding:
        case RecurringSeries():
            return "it leaves the plan at once: its bills, days to come and safe to spend."
        case Transfer():
            return "both count by their categories, and are never paired again."
        case Duplicate(relinked=True):
            return "they are two accounts, and both count, for good."
        case Duplicate():
            return "both count."


def holds_of(finding: Detected) -> str:
    """What holds of it now, and by whose word."""
    return {
        "detected": "as finplan found it",
        "dismissed": "dismissed by you",
        "confirmed": "confirmed by you",
        "paired": "paired by finplan",
        "candidate": "open: both count",
        "rejected": "rejected by you",
        "open": "open",
        "same": "the same, by your word",
        "different": "two, by your word",
    }[finding.status]


def decided_said(finding: Detected, currency: str, names: Mapping[str, str]) -> str:
    """What it is after the person's word, in a sentence."""
    match finding:
        case RecurringSeries():
            return _series_said(finding, currency)
        case Transfer():
            return _transfer_said(finding, names)
        case Duplicate():
            return _duplicate_said(finding)


def _series_said(series: RecurringSeries, currency: str) -> str:
    each = f"{series.name}, {figures.money(series.amount, currency)} {often_said(series)}"
    return {
        "confirmed": f"Confirmed: {each}.",
        "dismissed": f"Dismissed: {each}, is no part of the plan any more.",
        "detected": f"As it was found, and no word of yours holds on it: {each}.",
    }[series.status]


def _transfer_said(transfer: Transfer, names: Mapping[str, str]) -> str:
    what = {
        "confirmed": "One transfer, and it stays one:",
        "rejected": "No transfer; both rows count by their categories:",
        "paired": "Paired, and no word of yours holds on it:",
        "candidate": "Not paired, unless you confirm it:",
    }[transfer.status]
    day = transfer.out.date.isoformat()
    return f"{what} {sent_said(transfer)} {way_said(transfer, names)} on {day}."


def _duplicate_said(duplicate: Duplicate) -> str:
    other = duplicate.other
    told = other.raw or other.account_name
    if other.amount is not None and other.date is not None:
        money = figures.money(other.amount, duplicate.currency)
        told = f"{told}, {money} on {other.date.isoformat()}"
    if duplicate.relinked and duplicate.status == "same":
        return f"The two are one account from now on, with all rows and words of both: {told}."
    return {
        "same": f"One of the two is left out of every total: {told}.",
        "different": f"Two, and both count: {told}.",
        "open": f"Open again, and no word of yours holds on it: {told}.",
    }[duplicate.status]

"""What is detected between rows, transfers and duplicates, and the person's word on each."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, ById, CurrencyCode, Wire, one_of
from finplan.model.recurring import RecurringSeries
from finplan.model.transaction import DayRange

TransferStatus = Literal["paired", "confirmed", "rejected", "candidate"]
"""`paired` by finplan, `confirmed` or `rejected` by the person, or a `candidate` to be looked at."""


class TransferLeg(Wire):
    """One transaction of a pair; `amount` is positive when money comes in.

    `account` is the account's name; `currency` is the transaction's own.
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
    """Two transactions that are, may be or are not a transfer, and why.

    `source` is who decided, or null if undecided; `currency` is that of the outgoing transaction.
    """

    id: str
    status: TransferStatus
    source: Literal["auto", "user"] | None
    currency: CurrencyCode
    out: TransferLeg
    into: TransferLeg
    why: str


class TransferQuery(DayRange):
    """Filters for pairs: statuses, and the days when the money left, inclusive."""

    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(TransferStatus))], ...],
        Field(description="Only this status."),
    ] = ()


class TransferVerdict(ById):
    """The person's decision on a pair; `auto` undoes it."""

    verdict: Literal["confirm", "reject", "auto"]


DuplicateStatus = Literal["open", "same", "different"]
"""`open` until the person says what they are."""


class DuplicateSide(Wire):
    """One side of a possible duplicate: an account, or a transaction if the last four fields are set.

    `counted` is true if totals include it; `transactionId` is null for an excluded duplicate.
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
    """A possible duplicate: two accounts, two posted transactions, or a posted and a pending one.

    `kept` is the side that stays if the two are the same. `relinked`: a bank lists an account under a
    new id, and no longer under the old id. If you decide that the two are the same, finplan merges them
    permanently.
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
    """Filters for duplicates: any of several statuses."""

    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(DuplicateStatus))], ...],
        Field(description="Only this status."),
    ] = ()
    relinked: Annotated[
        bool, Field(description="Only accounts that a bank now lists under new ids.")
    ] = False


class DuplicateVerdict(ById):
    """The person's decision on a duplicate; `auto` undoes it."""

    verdict: Literal["same", "different", "auto"]


Detected = RecurringSeries | Transfer | Duplicate
"""What was detected, and is the person's to confirm or to reject."""

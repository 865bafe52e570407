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


class TransferVerdict(ById):
    """The person's word on a pair; `auto` takes it back."""

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


class DuplicateVerdict(ById):
    """The person's word on a duplicate; `auto` takes it back."""

    verdict: Literal["same", "different", "auto"]


Detected = RecurringSeries | Transfer | Duplicate
"""What was detected, and is the person's to confirm or to reject."""

"""Transfers between own accounts: pairs of rows, and the person's word on them."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, CurrencyCode, PathId, Wire, one_of
from finplan.model.filters import DayRange

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

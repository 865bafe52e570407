"""Duplicates: rows or accounts that may be one thing seen twice, and the person's word on them."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, CurrencyCode, PathId, Wire, one_of

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

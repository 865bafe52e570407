"""Transactions as a person reads them, and the filters that they share with spending."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, CurrencyCode, Whole, Wire
from finplan.model.category import BudgetLine
from finplan.model.filters import AccountFilter, RowSearch

LARGEST_PAGE = 500
"""How many rows one page holds at most."""

ReasonSource = Literal["user", "auto", "curated", "transfer", "default"]


class Reason(Wire):
    """Why a transaction has its category."""

    source: ReasonSource
    rule_id: str | None
    confidence: float | None
    text: str


class Transaction(Wire):
    """One row of a statement; `amount` is positive when money comes in."""

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
    why: Reason


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

    The currency of the most rows is the first; rows of no currency but pending ones have no sum.
    """

    rows: Whole
    pending: Whole
    sums: tuple[CurrencySum, ...]


class TransactionPage(Wire):
    """One page; `nextCursor` is null on the last one, and `total` unless it was asked for."""

    transactions: tuple[Transaction, ...]
    next_cursor: str | None
    total: FoundTotal | None = None

"""Accounts, and the days that each is covered for.

A balance is what you own, or on credit and loan accounts what you owe.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from finplan.model import base

AccountKind = Literal["depository", "credit", "loan", "investment", "other"]
KindWord = Literal[
    "checking", "savings", "credit", "loan", "investment", "depository", "other"
]  # fmt: skip
"""A kind as a person says it: checking and savings accounts are depository ones of that subtype."""


SUBTYPES: Mapping[AccountKind, tuple[str, ...]] = {
    "depository": (
        "checking", "savings", "money market", "cd", "cash management", "high yield savings",
        "hsa", "fsa", "529", "prepaid", "paypal", "ebt", "cash",
    ),
    "credit": ("credit card", "charge card", "store card", "paypal", "line of credit"),
    "loan": (
        "mortgage", "auto", "student", "home equity", "line of credit", "personal", "consumer",
        "business", "commercial", "construction", "overdraft", "vehicle", "loan", "liability",
    ),
    "investment": (
        "brokerage", "401k", "401a", "403b", "457b", "ira", "roth", "roth 401k", "retirement",
        "pension", "thrift savings plan", "hsa", "health reimbursement arrangement", "529",
        "mutual fund", "stock plan", "crypto", "isa", "sipp", "rrsp", "tfsa", "cd",
    ),
    "other": ("property", "real estate", "home", "vehicle", "cash", "asset"),
}  # fmt: skip
"""The subtypes that a person may set; a bank or a file may name others."""

SAVINGS_SUBTYPES = frozenset(
    {"savings", "saving", "moneymarket", "moneymrkt", "moneymarketaccount", "highyieldsavings"}
)
"""Subtypes of depository accounts whose money is put aside, in small letters and digits alone."""

_STANDS_FOR: Mapping[KindWord, tuple[AccountKind, str | None]] = {
    "checking": ("depository", "checking"),
    "savings": ("depository", "savings"),
    "credit": ("credit", "credit card"),
    "loan": ("loan", None),
    "investment": ("investment", None),
    "depository": ("depository", None),
    "other": ("other", None),
}

AccountRef = Annotated[str, Field(json_schema_extra={"format": "account"})]
"""Names one of the person's accounts by its id."""


class Account(base.Wire):
    """One account at one institution, in minor units of its currency."""

    id: str
    connection_id: str
    institution_name: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    balance: base.Amount | None
    credit_limit: base.Amount | None


class CoveredSpan(base.Wire):
    """Days of an account that its sources cover without a hole, both included."""

    since: Annotated[base.Day, Field(alias="from")]
    until: Annotated[base.Day, Field(alias="to")]


class BalanceAnchor(base.Wire):
    """What the balance was at the end of a day, as a statement, the bank or the person states it.

    Positive is owned, on credit and loan accounts owed.
    """

    date: base.Day
    balance: base.Amount


class AccountRecord(base.Wire):
    """An account with what only the person knows; `apr` is a yearly ratio, 0.2199 for 21.99 %.

    `coverage` are the days that statements and syncs cover, in order: between two of them statements are
    missing. `anchors` are the balances that were stated, one a day, in order. `number` is the account's
    number at its bank, such as an IBAN, as far as a file told it.
    """

    account: Account
    currency: str
    apr: float | None
    minimum_payment: base.Amount | None
    hidden: bool
    coverage: tuple[CoveredSpan, ...] = ()
    anchors: tuple[BalanceAnchor, ...] = ()
    number: str | None = None


class AccountId(base.ById):
    """Names one account."""


class AccountChange(base.ById):
    """A person's correction of an account; what is absent stays, null clears what may be null.

    A `balance` of null takes back what the person said of it: the newest that a statement or the
    bank said holds again, and where neither has, it is unknown.
    A `kind` brings its own subtype, unless `subtype` is given too or the one that is there fits it.
    """

    name: Annotated[base.Name | None, base.NEVER_NULL] = None
    kind: Annotated[KindWord | None, base.NEVER_NULL] = None
    subtype: Annotated[str, Field(max_length=40), AfterValidator(base.readable_name)] | None = None
    balance: base.TypedAmount | None = None
    credit_limit: Annotated[base.TypedAmount, Field(ge=0)] | None = None
    apr: Annotated[float, Field(ge=0, le=10)] | None = None
    minimum_payment: Annotated[base.TypedAmount, Field(ge=0)] | None = None
    hidden: Annotated[bool | None, base.NEVER_NULL] = None


def kind_and_subtype(word: KindWord) -> tuple[AccountKind, str | None]:
    """The kind and the subtype that a word stands for; None where it leaves the subtype open."""
    return _STANDS_FOR[word]


def is_subtype_of(kind: AccountKind, subtype: str) -> bool:
    """Say whether accounts of a kind may have a subtype, however its letters and gaps are written."""
    return _folded(subtype) in set(map(_folded, SUBTYPES[kind]))


def _folded(subtype: str) -> str:
    return "".join(letter for letter in subtype.casefold() if letter.isalnum())

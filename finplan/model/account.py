"""Accounts, and the days that each is covered for.

A balance is what you own, or on credit and loan accounts what you owe.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, cast

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

ADDED_BY_YOU = "Added by you"
"""The institution of a person's own account for which they name none."""

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
    """Days without a gap in the account's data; both ends are included."""

    since: Annotated[base.Day, Field(alias="from")]
    until: Annotated[base.Day, Field(alias="to")]


class BalanceAnchor(base.Wire):
    """The balance at the end of a day, from a statement, the bank or the person.

    A positive balance is money you have; on credit and loan accounts, it is your debt.
    """

    date: base.Day
    balance: base.Amount


class AccountRecord(base.Wire):
    """An account with its details; `apr` is a yearly ratio, 0.2199 for 21.99%.

    `coverage` lists the days that statements and syncs cover, in order of date. Between two spans,
    statements are missing. `anchors` are recorded balances, at most one a day, in order of date.
    `number` is the account's number at its bank, such as an IBAN, if a file contains it. `own` is true
    if you added the account yourself; `since` is its first day, if you gave one.
    """

    account: Account
    currency: str
    apr: float | None
    minimum_payment: base.Amount | None
    hidden: bool
    coverage: tuple[CoveredSpan, ...] = ()
    anchors: tuple[BalanceAnchor, ...] = ()
    number: str | None = None
    own: bool = False
    since: base.Day | None = None


class AccountId(base.ById):
    """Identifies one account."""


SubtypeName = Annotated[str, Field(max_length=40), AfterValidator(base.readable_name)]
NotNegative = Annotated[base.TypedAmount, Field(ge=0)]
YearlyRate = Annotated[float, Field(ge=0, le=10)]


class NewAccount(base.Wire):
    """An account that you keep yourself, such as a home, a car, a private loan or cash.

    `currency` is your household's by default. `balance` is money you have, or on credit and loan
    accounts your debt, at the end of `asOf`, which is today by default. `since` is the first day of the
    account: your net worth includes the account from then on, or from its first balance.
    `institutionName` groups the account with others.
    """

    name: base.Name
    kind: KindWord
    subtype: SubtypeName | None = None
    currency: base.KnownCurrency | None = None
    balance: base.TypedAmount | None = None
    as_of: base.BookedDay | None = None
    credit_limit: NotNegative | None = None
    apr: YearlyRate | None = None
    minimum_payment: NotNegative | None = None
    institution_name: base.Name | None = None
    since: base.BookedDay | None = None


class DatedBalance(base.ById):
    """The balance of an account at the end of a day, as the person knows it."""

    date: base.BookedDay
    balance: base.TypedAmount


class BalanceDay(base.ById):
    """One of an account's recorded balances, by its day."""

    date: Annotated[base.Day, Field(description="The day of the balance.")]


class AccountChange(base.ById):
    """Changes to an account; absent fields stay unchanged, null clears a field.

    Set `balance` to null to remove the balance that the person set. finplan then uses the newest balance
    from a statement or the bank; without either, the balance is unknown. Setting `kind` also sets the
    subtype, unless you give `subtype` or the current subtype fits the new kind.
    """

    name: Annotated[base.Name | None, base.NEVER_NULL] = None
    kind: Annotated[KindWord | None, base.NEVER_NULL] = None
    subtype: SubtypeName | None = None
    balance: base.TypedAmount | None = None
    credit_limit: NotNegative | None = None
    apr: YearlyRate | None = None
    minimum_payment: NotNegative | None = None
    hidden: Annotated[bool | None, base.NEVER_NULL] = None


def kind_and_subtype(kind: KindWord) -> tuple[AccountKind, str | None]:
    """The kind and the subtype that a word stands for; None where it leaves the subtype open."""
    return _STANDS_FOR[kind]


_USUAL_KINDS: Mapping[str, AccountKind] = {"cash": "depository", "vehicle": "other"}
"""What a person means by a subtype that accounts of several kinds have."""


def named_kind(typed: str) -> tuple[KindWord, str | None]:
    """The kind that a person names by a kind, or by a subtype that accounts of one kind alone have.

    The subtype is None where a kind was named. Raises ValueError for any other typed.
    """
    folded = _folded(typed)
    if folded in _STANDS_FOR:
        return cast("KindWord", folded), None
    if folded in _USUAL_KINDS:
        return _USUAL_KINDS[folded], typed
    kinds = [kind for kind in SUBTYPES if is_subtype_of(kind, typed)]
    if len(kinds) != 1:
        raise ValueError(
            f"{typed!r} is not a kind of account. Use checking, savings, credit, loan, investment or"
            " other, or a subtype such as property, mortgage, auto or pension."
        )
    return kinds[0], typed


def is_subtype_of(kind: AccountKind, subtype: str) -> bool:
    """Say whether accounts of a kind may have a subtype, however its letters and gaps are written."""
    return _folded(subtype) in set(map(_folded, SUBTYPES[kind]))


def _folded(subtype: str) -> str:
    return "".join(letter for letter in subtype.casefold() if letter.isalnum())

"""Advice about fees: what kind they are, by the words of their rows, and what avoids that kind."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from finplan.plan.advise.assessment import Advice, Assessment
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.books import rows_in_window
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, LedgerPayee, Row
from finplan.plan.sections.debt import is_fee
from finplan.plan.sections.monthly import per_month
from finplan.plan.words import count, listed

_LEAST_MONTHS = 2
_LEAST_A_YEAR = 60
"""Dollars, about: less is not worth a call to the bank."""


@dataclass(frozen=True, slots=True)
class FeeKind:
    """One kind of fee: what it is called, words of its rows, and what to do about it."""

    name: str
    marks: Sequence[str]
    step: str


_KINDS = (
    FeeKind(
        "cash advance",
        ("cash advance",),
        "Withdraw from your bank account instead: a card charges interest on cash from the first day.",
    ),
    FeeKind(
        "payday loan",
        ("payday", "pay day", "wage advance", "earned wage", "short term loan"),
        "Before the next one, ask a credit union for a small loan, or the biller for installments.",
    ),
    FeeKind(
        "foreign transaction",
        (
            "foreign",
            "non-sterling",
            "non sterling",
            "international",
            "cross border",
            "currency conv",
        ),
        "Abroad and in foreign shops, use a card without foreign transaction fees.",
    ),
    FeeKind(
        "ATM",
        ("atm", "cash machine", "cashpoint", "bankomat", "geldautomat"),
        "Use your own bank's ATMs, or withdraw more at a time.",
    ),
    FeeKind(
        "late payment",
        ("late", "past due", "overdue"),
        "Set up autopay for at least the minimum.",
    ),
    FeeKind(
        "overdraft",
        ("overdraft", "overdrawn", "nsf", "insufficient", "returned", "unpaid", "unarranged"),
        "Ask the bank to waive them, and set a low-balance alert.",
    ),
    FeeKind(
        "account",
        ("monthly", "maintenance", "service", "account"),
        "Ask the bank how to avoid them, or switch to an account without them.",
    ),
)

_OTHER = FeeKind("bank", (), "Ask the bank what the fees are for, and which account has no fees.")


@dataclass(frozen=True, slots=True)
class AvoidableFees:
    """Fees that need not have been paid: minor units in the window and a year, and in how many months.

    `kinds` are what each kind took in the window, the largest first.
    """

    total: int
    yearly: int
    months: int
    kinds: Mapping[FeeKind, int]

    @property
    def label(self) -> str:
        """What they are called together."""
        return f"{next(iter(self.kinds)).name} fees" if len(self.kinds) == 1 else "fees"


def avoidable_fees(household: Assessment) -> AvoidableFees | None:
    """The fees of the window, if they came in two months or more and make sixty a year at least."""
    rows = [
        row
        for row in rows_in_window(household.books, {"interest_fees"})
        if _is_avoidable(household, row)
    ]
    months = {row[DAY] // 100 for row in rows if row[AMOUNT] < 0}
    total = -sum(row[AMOUNT] for row in rows)
    yearly = per_month(12 * total, household.books.window.months)
    least = _LEAST_A_YEAR * about_one_dollar(household.currency)
    if len(months) < _LEAST_MONTHS or yearly < least:
        return None
    return AvoidableFees(total, yearly, len(months), _totals(household, rows))


def avoid_fees(household: Assessment) -> Iterator[Advice]:
    """Bank fees or cash-advance interest in two months or more, and sixty a year at least.

    The advice is that of the kind which takes most.
    """
    fees = avoidable_fees(household)
    if fees is None:
        return
    largest = max(fees.kinds, key=lambda kind: (fees.kinds[kind], kind.name))
    sums = listed(
        [f"{kind.name} fees of {household.money(took)}" for kind, took in fees.kinds.items()]
    )
    yield Advice(
        title=f"Avoid about {household.money(fees.yearly)} a year in {fees.label}",
        detail=(
            f"You paid {sums} in {fees.months} of {count(household.full_months, 'month')}."
            f" {largest.step}"
        ),
        amount=fees.yearly,
    )


def _totals(household: Assessment, rows: Sequence[Row]) -> Mapping[FeeKind, int]:
    """What each kind of fee took, the largest first; a kind that was given back is none."""
    totals: dict[FeeKind, int] = defaultdict(int)
    for row in rows:
        totals[kind_of_fee(household.ledger.payees[row[PAYEE]])] -= row[AMOUNT]
    ordered = sorted(totals, key=lambda kind: (-totals[kind], kind.name))
    return {kind: totals[kind] for kind in ordered if totals[kind] > 0}


def kind_of_fee(payee: LedgerPayee) -> FeeKind:
    """The kind of a fee by the words that its row has."""
    text = f" {payee.name} {payee.key} ".lower()
    return next((kind for kind in _KINDS if any(f" {mark}" in text for mark in kind.marks)), _OTHER)


def _is_avoidable(household: Assessment, row: Row) -> bool:
    """A fee on a cash account, or one on a card that is not its yearly price."""
    payee = household.ledger.payees[row[PAYEE]]
    name = payee.name.lower()
    if household.ledger.accounts[row[ACCOUNT]].kind != "credit":
        return True
    yearly = "annual" in name or "member" in name
    return "cash advance" in name or (is_fee(payee) and not yearly)

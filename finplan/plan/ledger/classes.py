"""What part each account plays in the plan, and which category and class every row is in.

An account's role says whether its rows enter totals. A row's category is that of its pairing first,
then its own, then its payee's.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

from finplan.categorise.catalogue import FEE_CATEGORY, Flow
from finplan.model.account import SAVINGS_SUBTYPES, AccountKind
from finplan.model.plan import Role
from finplan.plan.ledger.ledger import (
    AMOUNT,
    PAYEE,
    PEER,
    Ledger,
    LedgerAccount,
    LedgerPayee,
    Row,
    RowParts,
    RowPlace,
)

_SET_ASIDE = frozenset({"hsa", "fsa", "529", "cd"})
"""Depository subtypes whose money is not at hand."""

_OWNED_THINGS = frozenset({"property", "realestate", "home", "vehicle"})


class KindOfAccount(Protocol):
    """What tells an account's role: its kind and subtype, its currency, and whether it is hidden."""

    @property
    def kind(self) -> AccountKind:
        """Its kind."""
        ...

    @property
    def subtype(self) -> str | None:
        """Its subtype, if any is known."""
        ...

    @property
    def currency(self) -> str:
        """The ISO 4217 code of its amounts."""
        ...

    @property
    def hidden(self) -> bool:
        """Whether the person leaves it out."""
        ...


def folded_subtype(subtype: str | None) -> str:
    """A subtype in small letters and digits: "Money Market" and "MONEY_MARKET" are one."""
    return "".join(letter for letter in (subtype or "").lower() if letter.isalnum())


def nature_of(account: KindOfAccount) -> Role:
    """The role that an account has in its own currency, by its kind and subtype."""
    match account.kind:
        case "depository":
            return "investment" if folded_subtype(account.subtype) in _SET_ASIDE else "cash"
        case "credit" | "loan":
            return "debt"
        case "investment":
            return "investment"
        case "other":
            return "investment" if folded_subtype(account.subtype) in _OWNED_THINGS else "none"


ROWS_ADD_UP = frozenset({"depository", "credit"})
"""The kinds of account whose rows say what became of a balance since its day."""


def kind_owes(kind: str) -> bool:
    """Whether a balance of this kind of account is what is owed."""
    return kind in {"credit", "loan"}


def role_of(account: KindOfAccount, household_currency: str) -> Role:
    """An account's role: its nature, or `none` in a currency that is not the household's."""
    return nature_of(account) if account.currency == household_currency else "none"


def counts_in_totals(account: KindOfAccount, household_currency: str) -> bool:
    """Whether an account's posted rows enter totals: shown cash and cards, household currency."""
    return (
        not account.hidden
        and account.kind in {"depository", "credit"}
        and role_of(account, household_currency) in {"cash", "debt"}
    )


def is_savings_type(account: LedgerAccount) -> bool:
    """Whether money there counts as put aside: a bank's savings or money market account."""
    return account.kind == "depository" and folded_subtype(account.subtype) in SAVINGS_SUBTYPES


def shown_accounts(ledger: Ledger) -> Iterator[tuple[int, LedgerAccount]]:
    """The accounts that are not hidden, with their numbers, in the ledger's order."""
    return ((number, account) for number, account in ledger.accounts.items() if not account.hidden)


_LOAN_CATEGORIES = frozenset({"mortgage", "loan_payment"})
_PEER_OF_ROW = itemgetter(PEER)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of one payee in one category, all history, ordered by day; never empty."""

    payee: int
    category: str
    flow: Flow
    rows: Sequence[Row]


def paired_category(
    amount: int, own: LedgerAccount, peer: LedgerAccount, payee: LedgerPayee, *, counts: bool
) -> str:
    """The category of a row whose other leg is on an own account; `own` is the row's account.

    `amount` is positive when money came in, and `counts` is whether spending totals hold the row. A
    loan's scheduled payment is spending, what goes beyond it is extra principal, and what a loan
    pays out is no income. What counts of another transfer is a fee that was kept on the way. Money to
    an investment is saving, and so is money to a savings account that the person hides. Between cash and
    cards nothing happens, unless they are in two currencies: no total holds the other side, so that
    money to it is saving, or where the account spends what it gets, spending on what the person says.
    """
    if peer.kind == "loan":
        return _category_of_loan(amount, peer, payee, counts=counts)
    is_abroad = own.currency != peer.currency
    if counts and not is_abroad:
        return FEE_CATEGORY
    if nature_of(peer) == "investment":
        return "savings" if peer.kind == "depository" else "investing"
    if is_abroad and counts:
        return payee.out if payee.is_filed(amount) else "uncategorized"
    # What is hidden as another account seen twice is none of its own.
    is_put_aside = peer.hidden and not peer.duplicate and is_savings_type(peer)
    if is_abroad or is_put_aside:
        return "savings"
    return "card_payment" if "credit" in {own.kind, peer.kind} else "transfer"


def _category_of_loan(amount: int, loan: LedgerAccount, payee: LedgerPayee, *, counts: bool) -> str:
    if counts:
        category = payee.out if amount < 0 else payee.into
        return category if category in _LOAN_CATEGORIES else loan_category(loan)
    return "extra_principal" if amount < 0 else "loan_proceeds"


def category_of(ledger: Ledger, row: Row) -> str:
    """A row's category: by its pairing, else by its exact amount, else by its sign.

    Where the person files single rows, `filed_rows` and `pending_outflows` have the last word.
    """
    number, account, _, amount, peer, counts = row
    payee = ledger.payees[number]
    if peer:
        own, peer_account = ledger.accounts[account], ledger.accounts[peer]
        if amount > 0 and peer in ledger.spent_abroad:
            # What comes back of money that was spent when it left is neither saving nor income.
            return "transfer"
        return paired_category(amount, own, peer_account, payee, counts=counts == 1)
    return payee.by_amount.get(-amount) or (payee.out if amount < 0 else payee.into)


def filed_rows(ledger: Ledger, part: Sequence[Row]) -> Iterator[tuple[Row, str]]:
    """Each of a payee's rows with its category: by its pairing, else by the person's word on the row.

    A row that the person split comes once for each part, with the part's amount in place of its own.
    """
    if part:
        yield from _filed(ledger, part, ledger.payees[part[0][PAYEE]].by_row)


def pending_outflows(ledger: Ledger, pending: Sequence[Row]) -> Iterator[tuple[Row, str]]:
    """Each of some pending rows that go out with its category, in the order of the ledger's.

    A row that the person split comes once for each part, also for those that come in.
    """
    for number, part in _by_payee(pending):
        outflows = [row for row in part if row[AMOUNT] < 0]
        yield from _filed(ledger, outflows, ledger.payees[number].by_pending_row)


def _filed(
    ledger: Ledger, part: Sequence[Row], by_place: Mapping[RowPlace, Sequence[RowParts]]
) -> Iterator[tuple[Row, str]]:
    by_key = {key: iter(parts) for key, parts in by_place.items()}
    for row in part:
        number, account, day, amount, peer, counts = row
        categories = None if peer else by_key.get((account, day, amount))
        row_parts = None if categories is None else next(categories, None)
        if row_parts is None:
            yield row, category_of(ledger, row)
            continue
        for of_part, category in row_parts:
            yield (number, account, day, of_part, peer, counts), category


def loan_category(loan: LedgerAccount) -> str:
    """What a payment to a loan is spent on, as far as the loan itself tells."""
    return "mortgage" if "mortgage" in (loan.subtype or "").lower() else "loan_payment"


def classify_rows(ledger: Ledger) -> list[Sheet]:
    """Put every row of the ledger on the sheet of its payee and category."""
    flow = ledger.catalogue.flow
    sheets = []
    for number, part in _by_payee(ledger.rows):
        payee = ledger.payees[number]
        if payee.by_amount or payee.by_row or any(map(_PEER_OF_ROW, part)):
            filed = _one_by_one(part, ledger)
        else:
            filed = _by_sign(part, payee)
        sheets += [
            Sheet(number, category, flow(category), rows) for category, rows in filed.items()
        ]
    return sheets


def _by_payee(rows: Sequence[Row]) -> Iterator[tuple[int, Sequence[Row]]]:
    """Each payee's number with its rows; the rows are ordered by payee."""
    start, end = 0, len(rows)
    while start < end:
        payee = rows[start][0]
        stop = bisect_left(rows, (payee + 1,), start)
        yield payee, rows[start:stop]
        start = stop


def _by_sign(part: Sequence[Row], payee: LedgerPayee) -> dict[str, Sequence[Row]]:
    """The quick way for most payees: outflows in one category, inflows in another or the same."""
    if payee.out == payee.into:
        return {payee.out: part}
    outflows = [row for row in part if row[AMOUNT] < 0]
    if len(outflows) == len(part):
        return {payee.out: part}
    inflows = [row for row in part if row[AMOUNT] >= 0]
    return {payee.out: outflows, payee.into: inflows} if outflows else {payee.into: inflows}


def _one_by_one(part: Sequence[Row], ledger: Ledger) -> dict[str, Sequence[Row]]:
    filed: dict[str, list[Row]] = {}
    for row, category in filed_rows(ledger, part):
        filed.setdefault(category, []).append(row)
    # Rows of one day may stand in any order, and nothing may depend on it.
    return dict(sorted(filed.items()))

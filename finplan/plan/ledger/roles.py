"""What part each account plays in the plan, and whether its rows enter totals."""

from collections.abc import Iterator

from finplan.model.account import SAVINGS_SUBTYPES
from finplan.model.plan import Role
from finplan.plan.ledger.ledger import Ledger, LedgerAccount

_SET_ASIDE = frozenset({"hsa", "fsa", "529", "cd"})
"""Depository subtypes whose money is not at hand."""

_OWNED_THINGS = frozenset({"property", "realestate", "home", "vehicle"})


def _subtype(account: LedgerAccount) -> str:
    """The subtype in small letters and digits: "Money Market" and "MONEY_MARKET" are one."""
    return "".join(letter for letter in (account.subtype or "").lower() if letter.isalnum())


def nature_of(account: LedgerAccount) -> Role:
    """The role that an account has in its own currency, by its kind and subtype."""
    match account.kind:
        case "depository":
            return "investment" if _subtype(account) in _SET_ASIDE else "cash"
        case "credit" | "loan":
            return "debt"
        case "investment":
            return "investment"
        case "other":
            return "investment" if _subtype(account) in _OWNED_THINGS else "none"


def role_of(account: LedgerAccount, household_currency: str) -> Role:
    """An account's role: its nature, or `none` in a currency that is not the household's."""
    return nature_of(account) if account.currency == household_currency else "none"


def counts_in_totals(account: LedgerAccount, household_currency: str) -> bool:
    """Whether an account's posted rows enter totals: shown cash and cards, household currency."""
    return (
        not account.hidden
        and account.kind in {"depository", "credit"}
        and role_of(account, household_currency) in {"cash", "debt"}
    )


def is_savings_type(account: LedgerAccount) -> bool:
    """Whether money there counts as put aside: a bank's savings or money market account."""
    return account.kind == "depository" and _subtype(account) in SAVINGS_SUBTYPES


def is_put_aside(account: LedgerAccount) -> bool:
    """Whether money to an account that the person hides is put aside: savings, and no duplicate."""
    return account.hidden and not account.duplicate and is_savings_type(account)


def shown_accounts(ledger: Ledger) -> Iterator[tuple[int, LedgerAccount]]:
    """The accounts that are not hidden, with their numbers, in the ledger's order."""
    return ((number, each) for number, each in ledger.accounts.items() if not each.hidden)

"""What is at hand: the accounts whose money is cash, and what pending rows have taken from it."""

from finplan.plan.ledger.classes import pending_outflows, role_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger, Row


def pending_spending(ledger: Ledger) -> int:
    """What pending rows will have taken from cash; a card payment takes as much from what is owed."""
    pays_cash = cash_accounts(ledger)
    return -sum(
        row[AMOUNT]
        for row, category in pending_outflows(ledger, ledger.pending)
        if row[ACCOUNT] in pays_cash and category != "card_payment"
    )


def cash_accounts(ledger: Ledger) -> set[int]:
    """The numbers of the accounts that are not hidden and whose money is at hand."""
    return {
        number
        for number, account in ledger.accounts.items()
        if not account.hidden and role_of(account, ledger.settings.currency) == "cash"
    }


def pending_out(row: Row) -> int:
    """What a pending row takes out, positive; 0 for money in, which may yet be called back."""
    return max(0, -row[AMOUNT])

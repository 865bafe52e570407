"""What the household owns and owes today, by the role that each account plays."""

from collections.abc import Iterator

from finplan.model.plan import PlanSnapshot, SnapshotAccount
from finplan.plan.ledger import Ledger, LedgerAccount
from finplan.plan.roles import role_of


def shown_accounts(ledger: Ledger) -> Iterator[tuple[int, LedgerAccount]]:
    """The accounts that are not hidden, with their numbers, in the ledger's order."""
    return ((number, each) for number, each in ledger.accounts.items() if not each.hidden)


def take_snapshot(ledger: Ledger) -> PlanSnapshot:
    """Balances by role. Debts are signed, so an overpaid card lowers them and net worth is exact.

    netWorth = liquidCash + investments - creditCardDebt - otherDebt. An account without a balance
    keeps its role and adds 0.
    """
    cash = cards = loans = investments = 0
    accounts = []
    for _, account in shown_accounts(ledger):
        role = role_of(account, ledger.settings.currency)
        balance = account.balance or 0
        if role == "cash":
            cash += balance
        elif role == "investment":
            investments += balance
        elif role == "debt" and account.kind == "credit":
            cards += balance
        elif role == "debt":
            loans += balance
        accounts.append(
            SnapshotAccount(
                id=account.id,
                institution_name=account.institution,
                name=account.name,
                mask=account.mask,
                kind=account.kind,
                subtype=account.subtype,
                balance=account.balance,
                role=role,
            )
        )
    return PlanSnapshot(
        liquid_cash=cash,
        credit_card_debt=cards,
        other_debt=loans,
        investments=investments,
        net_worth=cash + investments - cards - loans,
        accounts=tuple(accounts),
    )

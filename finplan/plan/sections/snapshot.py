"""What the household owns and owes today, by the role that each account plays."""

from finplan.model.account import AccountKind
from finplan.model.plan import PlanSnapshot, Role, SnapshotAccount
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.ledger.ledger import Ledger


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


def cash_is_known(ledger: Ledger) -> bool:
    """Whether there is cash and its every balance is known, so that it can be said to be short."""
    return _all_known(ledger, "cash", "depository")


def cards_are_known(ledger: Ledger) -> bool:
    """Whether the balance of every card is known, where there is any."""
    return _all_known(ledger, "debt", "credit", otherwise=True)


def _all_known(ledger: Ledger, role: Role, kind: AccountKind, *, otherwise: bool = False) -> bool:
    balances = [
        account.balance
        for _, account in shown_accounts(ledger)
        if account.kind == kind and role_of(account, ledger.settings.currency) == role
    ]
    return None not in balances if balances else otherwise

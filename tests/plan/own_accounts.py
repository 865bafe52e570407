"""Own accounts of every kind, and bank rows on them that may be legs of transfers."""

from collections.abc import Mapping
from datetime import date

from finplan.model.account import AccountKind
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.scoring import Leg
from finplan.plan.pairing.transfers import find_pairs


def account(
    kind: AccountKind, subtype: str | None, mask: str | None, bank: str = "Larkmoor", **more: str
) -> LedgerAccount:
    """An own account."""
    currency, name = more.get("currency", "USD"), more.get("name", "A")
    return LedgerAccount(f"acc_{mask}", "con", bank, name, mask, kind, subtype, currency, 0)


CHECKING, SAVINGS, CARD, LOAN, BROKERAGE, JOINT, ABROAD, SECOND = range(1, 9)
ACCOUNTS: Mapping[int, LedgerAccount] = {
    CHECKING: account("depository", "checking", "1111"),
    SAVINGS: account("depository", "savings", "2222"),
    CARD: account("credit", "credit card", "3333", "Chase"),
    LOAN: account("loan", "auto", "4444", "Drivewell"),
    BROKERAGE: account("investment", "brokerage", "5555", "Larkmoor Invest"),
    JOINT: account("depository", "checking", "6666"),
    ABROAD: account("depository", "checking", "7777", "Banque", currency="EUR"),
    SECOND: account("depository", "savings", "8888"),
}


class Statement:
    """Collects legs; each call adds one row and answers its number."""

    def __init__(self) -> None:
        self.legs: list[Leg] = []

    def row(
        self,
        account: int,
        day: str | date,
        amount: int,
        raw: str,
        category: str | None = None,
        *,
        payee: int = 0,
        filed: bool = False,
    ) -> int:
        """Add a row; its payee is in no known category unless told; `filed` by the person."""
        when = date.fromisoformat(day) if isinstance(day, str) else day
        open_category = "uncategorized" if amount < 0 else "unknown_inflow"
        number = len(self.legs) + 1
        known = category or open_category
        self.legs.append(Leg(number, account, day_of(when), amount, raw, known, payee, filed))
        return number

    def pairs(self, **given: object) -> list[tuple[int, int]]:
        """The pairs found, without what they count for."""
        return [(pair.out, pair.into) for pair in find_pairs(self.legs, ACCOUNTS, **given)]  # type: ignore[arg-type]

"""How far a plan's figures can be trusted: what share of spending is unknown, and which balances are.

Source: plan-semantics, C18 and C19.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, PEER, Ledger
from finplan.plan.ledger.lookup import rows_of
from finplan.plan.ledger.roles import role_of, shown_accounts
from finplan.plan.sections.monthly import per_month, ratio

UNKNOWN_SPENDING = ("uncategorized", "unlinked_card")
"""The spending categories that say only that money went out."""

_PROVISIONAL_FROM = 10
"""A plan is provisional once the unknown is a tenth of spending."""

_RECENT_DAYS = 90
"""A card that was paid so many days ago or fewer is one that the household has."""

Bound = Literal["exact", "at most", "at least", "unknown"]
"""What a sum is worth to which a balance that nobody told adds 0."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What of a plan is unknown.

    `unknown_total` is what the window spent in no known category, minor units, never below 0; `monthly`
    the same a month; `spending` the window's whole. `debt_unknown` says that a debt has no balance, or
    that a card is paid which is not linked; `cards_unknown` the same of cards alone; `assets_unknown`
    that cash or an investment has no balance.
    """

    spending: int
    unknown_total: int
    monthly: int
    cards_unknown: bool
    debt_unknown: bool
    assets_unknown: bool

    @property
    def provisional(self) -> bool:
        """Whether too much is unknown for firm advice."""
        return self.spending > 0 and self.unknown_total * _PROVISIONAL_FROM >= self.spending

    @property
    def unknown_share(self) -> float:
        """The unknown part of spending, within 0..1 with 4 decimals; 0 when nothing was spent."""
        return min(1.0, ratio(self.unknown_total, self.spending))

    @property
    def worth(self) -> Bound:
        """What net worth is worth: an unknown debt lowers it, an unknown asset raises it."""
        return bound(too_high=self.debt_unknown, too_low=self.assets_unknown)


def bound(*, too_high: bool, too_low: bool) -> Bound:
    """What a sum is worth that may be higher than the truth, or lower, or both."""
    if too_high and too_low:
        return "unknown"
    return "at most" if too_high else "at least" if too_low else "exact"


def take_standing(ledger: Ledger, books: Books) -> Standing:
    """What is unknown of a household on the day of its books."""
    found = (books.categories.get(each) for each in UNKNOWN_SPENDING)
    unknown = max(0, sum(each.total for each in found if each is not None))
    cards = _is_unknown(ledger, {"credit"}) or _pays_unlinked_card(books)
    return Standing(
        spending=books.spending,
        unknown_total=unknown,
        monthly=per_month(unknown, books.window.months),
        cards_unknown=cards,
        debt_unknown=cards or _is_unknown(ledger, {"loan"}),
        assets_unknown=_is_unknown(ledger, {"depository", "investment"}),
    )


def _is_unknown(ledger: Ledger, kinds: set[str]) -> bool:
    """Whether an account of these kinds, shown and in the household's currency, has no balance."""
    return any(
        account.balance is None
        for _, account in shown_accounts(ledger)
        if account.kind in kinds and role_of(account, ledger.settings.currency) != "none"
    )


def _pays_unlinked_card(books: Books) -> bool:
    """Whether a card that is not linked was paid in the last ninety days of the data."""
    end = books.window.data_end
    since = day_of(end - timedelta(_RECENT_DAYS - 1))
    rows = rows_of(books, {"unlinked_card"}, since, day_of(end))
    return any(row[AMOUNT] < 0 and not row[PEER] for row in rows)

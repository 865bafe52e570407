"""How far figures can be trusted: what share of spending is unknown, and which balances are.

Stated balances that the rows between them do not explain, though no statement is missing there, are
contradictions: then a row is missing, is there twice, or was read wrongly. Source: plan-semantics,
C18 and C19, section 8.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter

from finplan.model.plan import Bound, PlanStanding, UncertainFigure, UnlinkedKind, bound
from finplan.plan.detect.varying_bills import UNLINKED_CARD
from finplan.plan.ledger.books import Books, latest_rows
from finplan.plan.ledger.classes import counts_in_totals, nature_of, role_of, shown_accounts
from finplan.plan.ledger.ledger import AMOUNT, PEER, Ledger, LedgerAccount, RecordedBalance
from finplan.plan.sections.missing_accounts import RECENT_DAYS, UnlinkedAccounts, unlinked_accounts
from finplan.plan.sections.monthly import UNKNOWN_SPENDING, per_month, plan_month, ratio
from finplan.plan.sections.spending import running_charges

_UNCERTAIN_ROWS = 10
"""Rows on the days of two balances, at most, of which each may be counted in them or not."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two stated balances of an account, and by how much the rows between fail to explain the later.

    `missing` is positive where money came in that no row tells of, or where money went out twice.
    """

    account: LedgerAccount
    earlier: RecordedBalance
    later: RecordedBalance
    missing: int


def contradictions(ledger: Ledger, oldest: int) -> Iterator[Contradiction]:
    """The contradictions of the accounts that totals count, account by account, in the order of days.

    Only balances of statements from a day YYYYMMDD on are compared: what the person or a bank says of
    now may count what is not booked yet.
    """
    stated = _stated_balances(ledger, oldest)
    moves = ledger.moves_on(stated) if stated else {}
    for number, balances in stated.items():
        account = ledger.accounts[number]
        ordered = sorted(moves[number])
        for earlier, later in pairwise(balances):
            if any(
                span.since <= earlier.day and later.day <= span.until for span in account.coverage
            ):
                missing = _unexplained_between(account, ordered, earlier, later)
                if missing:
                    yield Contradiction(account, earlier, later, missing)


def _stated_balances(ledger: Ledger, oldest: int) -> Mapping[int, Sequence[RecordedBalance]]:
    """The balances that statements stated of each account that has two, in order."""
    by_account: defaultdict[int, list[RecordedBalance]] = defaultdict(list)
    for record in ledger.recorded:
        account = ledger.accounts[record.account]
        counts = counts_in_totals(account, ledger.settings.currency)
        if record.stated and record.day >= oldest and counts:
            by_account[record.account].append(record)
    return {number: balances for number, balances in by_account.items() if len(balances) > 1}


def _unexplained_between(
    account: LedgerAccount,
    moves: Sequence[tuple[int, int]],
    earlier: RecordedBalance,
    later: RecordedBalance,
) -> int:
    """What the rows between two balances leave open, as money that came in; 0 where they may fit."""
    sign = -1 if account.kind == "credit" else 1
    day = itemgetter(0)
    first, after = (find(moves, earlier.day, key=day) for find in (bisect_left, bisect_right))
    before, last = (find(moves, later.day, key=day) for find in (bisect_left, bisect_right))
    change = sign * (later.balance - earlier.balance)
    unexplained = change - sum(amount for _, amount in moves[after:last])
    # A balance that was fetched during its day counts some of that day's rows.
    uncertain = [-amount for _, amount in moves[first:after]]
    uncertain += [amount for _, amount in moves[before:last]]
    if len(uncertain) > _UNCERTAIN_ROWS:
        return 0
    possible = {unexplained}
    for amount in uncertain:
        possible |= {difference + amount for difference in possible}
    return 0 if 0 in possible else unexplained


_PROVISIONAL_FROM = 10
"""A plan is provisional once the unknown is a tenth of spending."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What of a plan is unknown.

    `unknown_total` is what the window spent in no known category, minor units, never below 0; `monthly`
    the same a month; `spending` the window's whole, one-offs left out of all three. `unanswered` is the
    money in a month that may be income, where the plan depends on it. `regular` is what recurring
    charges of no known category come to a month. `debt_unknown` says that a debt has no balance, or that
    a card or a loan is paid which is not linked; `cards_unknown` the same of cards alone;
    `assets_unknown` that cash or an investment has no balance, or that money goes to one which is not
    linked; `cash_unknown` that cash has none. `unlinked` has the names of the loans, savings and
    investments that are not linked; `home_alone` says that a home counts without what is owed on it.
    """

    spending: int
    unknown_total: int
    monthly: int
    unanswered: int
    regular: int
    cards_unknown: bool
    debt_unknown: bool
    cash_unknown: bool
    assets_unknown: bool
    unlinked: UnlinkedAccounts = field(default_factory=UnlinkedAccounts)
    home_alone: bool = False

    @property
    def provisional(self) -> bool:
        """Whether too much is unknown for firm advice."""
        return self.spending_unknown or self.unanswered > 0

    @property
    def spending_unknown(self) -> bool:
        """Whether too much of spending is in no known category."""
        return self.spending > 0 and self.unknown_total * _PROVISIONAL_FROM >= self.spending

    @property
    def unknown_share(self) -> float:
        """The unknown part of spending, within 0..1 with 4 decimals; 0 when nothing was spent."""
        return min(1.0, ratio(self.unknown_total, self.spending))

    @property
    def worth(self) -> Bound:
        """What net worth is worth: an unknown debt lowers it, an unknown asset raises it."""
        return bound(too_high=self.debt_unknown, too_low=self.assets_unknown)

    @property
    def cash_worth(self) -> Bound:
        """What cash after cards is worth, and how long it lasts: only cash and cards enter these."""
        return bound(too_high=self.cards_unknown, too_low=self.cash_unknown)

    @property
    def at_most(self) -> tuple[UncertainFigure, ...]:
        """The figures that look better than they may be, because a debt is unknown.

        `debt` itself is what is known of it. Where what is owned is unknown too, the other figures are
        bounds in neither direction and are left out.
        """
        uncertain_figures: list[UncertainFigure] = ["netWorth"] if self.worth == "at most" else []
        uncertain_figures += ["debt"] if self.cards_unknown else []
        uncertain_figures += ["available", "monthsCovered"] if self.cash_worth == "at most" else []
        return tuple(uncertain_figures)

    def view(self) -> PlanStanding:
        """The view's `standing`."""
        return PlanStanding.of(
            self,
            money_unknown=self.monthly if self.spending_unknown else 0,
            money_in_unknown=self.unanswered,
            unlinked=tuple(self._unlinked_kinds()),
        )

    def _unlinked_kinds(self) -> Iterator[UnlinkedKind]:
        if self.unlinked.loans or self.home_alone:
            yield "loan"
        if self.unlinked.assets:
            yield "savings"


def take_standing(ledger: Ledger, books: Books) -> Standing:
    """What is unknown of a household on the day of its books."""
    once = books.running.one_off_totals
    entries = (books.categories.get(category) for category in UNKNOWN_SPENDING)
    unknown = max(0, sum(entry.total - once.get(entry.category, 0) for entry in entries if entry))
    cards = _has_unknown(ledger, lambda card: card.kind == "credit") or _pays_unlinked_card(books)
    unlinked = unlinked_accounts(ledger, books)
    # A home that counts while what is owed on it does not makes net worth too high.
    home_alone = bool(unlinked.mortgages) and has_home(ledger)
    return Standing(
        spending=books.spending - sum(once.values()),
        unknown_total=unknown,
        monthly=per_month(unknown, books.window.months),
        unanswered=plan_month(ledger, books).unanswered,
        regular=sum(
            charge.monthly
            for charge in running_charges(books)
            if charge.category in UNKNOWN_SPENDING
        ),
        cards_unknown=cards,
        debt_unknown=(
            cards
            or bool(unlinked.loans)
            or home_alone
            or _has_unknown(ledger, lambda loan: loan.kind == "loan")
        ),
        cash_unknown=_has_unknown(ledger, lambda account: nature_of(account) == "cash"),
        assets_unknown=(
            bool(unlinked.assets)
            or _has_unknown(ledger, lambda account: nature_of(account) in {"cash", "investment"})
        ),
        unlinked=unlinked,
        home_alone=home_alone,
    )


def has_home(ledger: Ledger) -> bool:
    """Whether a home is among the accounts, whatever it is worth."""
    return any(
        account.kind == "other"
        and nature_of(account) == "investment"
        and "vehicle" not in (account.subtype or "").lower()
        for _, account in shown_accounts(ledger)
    )


def _has_unknown(ledger: Ledger, accepts: Callable[[LedgerAccount], bool]) -> bool:
    """Whether such an account, shown and in the household's currency, has no balance."""
    return any(
        account.balance is None
        for _, account in shown_accounts(ledger)
        if role_of(account, ledger.settings.currency) != "none" and accepts(account)
    )


def _pays_unlinked_card(books: Books) -> bool:
    """Whether a card that is not linked was paid in the last ninety days of the data."""
    rows = latest_rows(books, {UNLINKED_CARD}, RECENT_DAYS)
    return any(row[AMOUNT] < 0 and not row[PEER] for row in rows)

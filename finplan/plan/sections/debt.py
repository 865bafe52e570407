"""Card debt: how each card is used, whether debt is paid from cash or over months, and how long.

A card is paid in full when no interest was charged on it in 90 days and at least two of its last
three payments paid, within 2%, all that was owed: on the day of the payment or on some day up to
35 days before, as a statement says it. A zero-interest promotion charges nothing but fails the
second test. With fewer than two payments seen, cash decides, and the plan says that it assumed so.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate
from operator import itemgetter
from statistics import median_low

from finplan.model.money import half_even
from finplan.model.plan import Card, Debt, DebtStrategy
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.books import Books, latest_rows, sheets_of
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.ledger.ledger import (
    ACCOUNT,
    AMOUNT,
    DAY,
    PAYEE,
    Ledger,
    LedgerAccount,
    LedgerPayee,
    Row,
)
from finplan.plan.sections import emergency
from finplan.plan.sections.monthly import Means, PlannedMonth, ratio

_INTEREST_DAYS = 90
CARD_PAYMENTS = frozenset({"card_payment", "transfer"})
"""What a payment to a card is filed as: whatever comes from an account whose money is at hand is one."""

_LAST_PAYMENTS = 3
"""How many of the last payments are looked at."""

STATEMENT_LAGS = range(15, 36)
"""Days between a statement and its payment."""

_CURRENT_LAGS = range(1, 15)
"""Days between looking at the current balance and paying it."""

_NEAR_PART = 50
"""One fiftieth: a payment within 2% of what was owed pays it in full."""


@dataclass(frozen=True, slots=True)
class CardUse:
    """One card of the household.

    `owed` is never negative. `charged` says that it charged interest lately, `assumed` that payments did
    not tell how the card is used. `lag` is the usual number of days from the balance that is paid to its
    payment, None when not known. `payments` are the payments seen, (ordinal, amount), oldest first.
    """

    number: int
    account: LedgerAccount
    owed: int
    in_full: bool
    charged: bool
    assumed: bool
    lag: int | None
    payments: tuple[tuple[int, int], ...]
    history: "OwedHistory"


@dataclass(frozen=True, slots=True)
class OwedHistory:
    """What a card owed at the end of past days: today's balance with later rows taken back.

    `days` are the ordinals of its rows since before its last payments, ascending; `later` has one sum
    more: for each place, the rows from there on.
    """

    balance: int
    days: tuple[int, ...]
    later: tuple[int, ...]

    def on(self, ordinal: int) -> int:
        """What was owed at the end of a day."""
        return self.balance + self.later[bisect_right(self.days, ordinal)]


def card_uses(ledger: Ledger, books: Books, spare: int) -> tuple[CardUse, ...]:
    """Every visible credit account in the household currency, in the ledger's order.

    `spare` is cash beyond a month of essentials: it decides about cards whose payments are unknown.
    """
    cards = {
        number: account
        for number, account in shown_accounts(ledger)
        if account.kind == "credit" and role_of(account, ledger.settings.currency) == "debt"
    }
    if not cards:
        return ()
    total = sum(max(0, account.balance or 0) for account in cards.values())
    payments = _payments_by_card(books, cards)
    rows = _rows_by_card(ledger, payments)
    charged = _charged_interest(ledger, books, cards)
    return tuple(
        _card_use(
            number,
            account,
            _history_of_owed(account.balance or 0, rows[number]),
            payments[number],
            charged=number in charged,
            covered=total <= spare,
        )
        for number, account in cards.items()
    )


def _rows_by_card(
    ledger: Ledger, payments: Mapping[int, Sequence[tuple[int, int]]]
) -> dict[int, list[Row]]:
    """Each card's rows, oldest first, from before the payments that are looked at."""
    looked_at = [paid[-_LAST_PAYMENTS:][0][0] for paid in payments.values() if paid]
    by_card: dict[int, list[Row]] = {number: [] for number in payments}
    if looked_at:
        since = day_of_ordinal(min(looked_at) - STATEMENT_LAGS.stop)
        for row in [row for row in ledger.rows if row[DAY] >= since and row[ACCOUNT] in by_card]:
            by_card[row[ACCOUNT]].append(row)
    for rows in by_card.values():
        rows.sort(key=itemgetter(DAY))
    return by_card


def _payments_by_card(
    books: Books, cards: Collection[int]
) -> dict[int, tuple[tuple[int, int], ...]]:
    """What came in on each card as a payment rather than a refund, oldest first."""
    paid: dict[int, list[tuple[int, int]]] = {number: [] for number in cards}
    for sheet in sheets_of(books, CARD_PAYMENTS):
        for _, account, day, amount, _, _ in sheet.rows:
            if amount > 0 and account in paid:
                paid[account].append((ORDINAL[day], amount))
    return {number: tuple(sorted(payments)) for number, payments in paid.items()}


def _charged_interest(ledger: Ledger, books: Books, cards: Collection[int]) -> set[int]:
    """The cards that charged interest in the last 90 days; a yearly or late fee is not interest."""
    return {
        row[ACCOUNT]
        for row in latest_rows(books, {"interest_fees"}, _INTEREST_DAYS)
        if row[ACCOUNT] in cards and row[AMOUNT] < 0 and not is_fee(ledger.payees[row[PAYEE]])
    }


def _card_use(
    number: int,
    account: LedgerAccount,
    history: OwedHistory,
    payments: tuple[tuple[int, int], ...],
    *,
    charged: bool,
    covered: bool,
) -> CardUse:
    before = (None, *payments)
    pairs = list(zip(payments, before, strict=False))[-_LAST_PAYMENTS:]
    lags = [_full_payment_lag(payment, history, earlier) for payment, earlier in pairs]
    matched = [lag for lag in lags if lag is not None]
    is_known = account.balance is not None and len(payments) >= 2
    revolves = charged or (is_known and len(matched) < 2)
    return CardUse(
        number=number,
        account=account,
        owed=max(0, account.balance or 0),
        in_full=not revolves and (is_known or covered),
        charged=charged,
        assumed=not revolves and not is_known,
        # Without a balance there is no past one either, whatever a payment happens to equal.
        lag=median_low(matched)
        if matched and account.balance is not None and not revolves
        else None,
        payments=payments,
        history=history,
    )


def _history_of_owed(balance: int, rows: Sequence[Row]) -> OwedHistory:
    amounts = [row[AMOUNT] for row in reversed(rows)]
    later = tuple(accumulate(amounts, initial=0))[::-1]
    return OwedHistory(balance, tuple(ORDINAL[row[DAY]] for row in rows), later)


def _full_payment_lag(
    payment: tuple[int, int], history: OwedHistory, earlier: tuple[int, int] | None
) -> int | None:
    """The days before a payment on which what was owed comes nearest to it, None if none is near.

    A statement is looked for first: on a card without later purchases, today's balance is the
    statement's too. What was owed before the `earlier` payment is looked at last, because that one
    paid it: bills of one sum would take it for the statement and the next bill for paid.
    """
    day, amount = payment
    since = 0 if earlier is None else earlier[0]
    unpaid = [lag for lag in STATEMENT_LAGS if day - lag >= since]
    lag = _nearest_lag(payment, history, unpaid)
    if lag is None and history.on(day) * _NEAR_PART <= amount:
        lag = 0
    if lag is None:
        lag = _nearest_lag(payment, history, _CURRENT_LAGS)
    return _nearest_lag(payment, history, STATEMENT_LAGS) if lag is None else lag


def _nearest_lag(payment: tuple[int, int], history: OwedHistory, lags: Iterable[int]) -> int | None:
    """The lag among these at which what was owed comes nearest to a payment, if within 2%."""
    day, amount = payment
    nearest = min(((abs(history.on(day - lag) - amount), lag) for lag in lags), default=None)
    if nearest is None:
        return None
    off, lag = nearest
    return lag if off * _NEAR_PART <= history.on(day - lag) else None


def is_fee(payee: LedgerPayee) -> bool:
    """Whether a payee filed under interest and fees names a fee rather than interest."""
    name = payee.name.lower()
    return "fee" in name and "interest" not in name


DEAR = 0.10
"""The yearly rate from which a card costs more than a full month of cash is worth."""


@dataclass(frozen=True, slots=True)
class PayoffPlan:
    """The strategy, the cards that revolve in the order in which they are paid, and the waterfall run.

    `by_rate` says that every such card's rate is known, so that the dearest comes first and months
    include interest. `snowball` is the waterfall with the smallest balance first, None unless two cards
    with known rates revolve. `whole_month` is the waterfall with a whole month put aside before the
    cards, None unless that is more than the floor. `lump` is what dear cards get at once. `others` are
    the cards that are owed something after it, `after` the waterfall that begins with them, and
    `without_lump` the one if nothing were paid at once. `waterfall` has the payments of today's cards,
    which their issuers ask until the lump is paid, and the months and the interest of `after`.
    """

    strategy: DebtStrategy
    total: int
    revolving: tuple[CardUse, ...]
    by_rate: bool
    waterfall: emergency.WaterfallResult
    snowball: emergency.WaterfallResult | None
    whole_month: emergency.WaterfallResult | None
    lump: int
    others: tuple[CardUse, ...]
    after: emergency.WaterfallResult
    without_lump: emergency.WaterfallResult

    @property
    def revolving_owed(self) -> int:
        """What the cards that revolve are owed."""
        return sum(use.owed for use in self.revolving)


def payoff_order(uses: Sequence[CardUse]) -> list[CardUse]:
    """The cards as they are listed and paid: the dearest rate first, else the fullest card first.

    Rates decide only when every card that is owed has one: half of them would be guessing.
    """
    by_rate = has_rates([use for use in uses if use.owed])

    def rank(use: CardUse) -> tuple[float, str, str]:
        urgency = use.account.apr if by_rate else utilization(use)
        return 1.0 if urgency is None else -urgency, use.account.name, use.account.id

    return sorted(uses, key=rank)


def has_rates(uses: Sequence[CardUse]) -> bool:
    """Whether every one of these cards has a known rate, and there is at least one."""
    return bool(uses) and all(use.account.apr is not None for use in uses)


def utilization(use: CardUse) -> float | None:
    """What is owed as a share of the limit, None without a limit; it may exceed 1."""
    limit = use.account.credit_limit
    return ratio(use.owed, limit) if limit is not None and limit > 0 else None


def costs_little(uses: Sequence[CardUse]) -> bool:
    """Whether every card that revolves has a known rate below a tenth a year."""
    rates = [use.account.apr for use in uses if use.owed and not use.in_full]
    return all(rate is not None and rate < DEAR for rate in rates)


def choose_strategy(uses: Sequence[CardUse], liquid_cash: int, reserve: int) -> DebtStrategy:
    """`none` when nothing is owed, `pay_in_full` by habit or when cash allows it, else `paydown`.

    `reserve` is the cash that no card is paid from.
    """
    in_full = sum(use.owed for use in uses if use.in_full)
    revolving = sum(use.owed for use in uses if not use.in_full)
    if in_full + revolving == 0:
        return "none"
    if revolving == 0 or revolving <= liquid_cash - in_full - reserve:
        return "pay_in_full"
    return "paydown"


def payoff_plan(
    uses: Sequence[CardUse],
    strategy: DebtStrategy,
    target: emergency.FundTarget,
    means: Means,
    planned: PlannedMonth,
    liquid_cash: int,
    currency: str,
    lump: int = 0,
) -> PayoffPlan:
    """Run the waterfall of a strategy; only `paydown` pays cards from what is left over each month.

    A `lump` is paid on dear cards before the first month.
    """
    revolving = tuple(payoff_order([use for use in uses if use.owed and not use.in_full]))
    by_rate = has_rates(revolving)
    money = emergency.MonthlyFunds(
        capacity=planned.capacity if strategy == "paydown" else capacity_to_save(planned),
        interest=means.card_interest if strategy == "paydown" else 0,
        starter=target.starter,
        gap=target.gap,
        least=least_minimum(currency),
    )
    without = emergency.simulate_waterfall(
        [owed_card(use) for use in revolving] if strategy == "paydown" else (), money
    )
    after, snowball, whole_month, remaining = without, None, None, revolving
    if strategy == "paydown":
        owed = _after_lump(revolving, lump)
        remaining = tuple(use for use, card in zip(revolving, owed, strict=True) if card.balance)
        gap = max(0, target.amount - max(0, target.reserve - lump))
        money = replace(
            money, gap=gap, starter=emergency.starter(target.floor, liquid_cash - lump, gap)
        )
        after = emergency.simulate_waterfall(owed, money) if lump else without
        if by_rate and len(remaining) > 1:
            snowball = emergency.simulate_waterfall(
                sorted(owed, key=lambda card: card.balance), money
            )
        month = emergency.starter(min(target.amount, max(0, target.base)), liquid_cash - lump, gap)
        if month > money.starter:
            whole_month = emergency.simulate_waterfall(owed, replace(money, starter=month))
    total = sum(use.owed for use in uses)
    waterfall = _payments_of(without, after) if lump else without
    if strategy == "pay_in_full":
        waterfall = replace(waterfall, payment=total, months_to_clear=1)
    return PayoffPlan(
        strategy=strategy,
        total=total,
        revolving=revolving,
        by_rate=by_rate,
        waterfall=waterfall,
        snowball=snowball,
        whole_month=whole_month,
        lump=lump,
        others=remaining,
        after=after,
        without_lump=without,
    )


def dear_cards(cards: Iterable[CardUse]) -> list[CardUse]:
    """The cards that are carried over, charge interest and have a known rate of a tenth or more.

    The dearest comes first, whatever is known of the rates of others.
    """
    dear = [
        (-(card.account.apr or 0), card.account.name, card.account.id, card)
        for card in cards
        if card.charged and not card.in_full and (card.account.apr or 0) >= DEAR
    ]
    return [ranked[-1] for ranked in sorted(dear, key=lambda ranked: ranked[:-1])]


def _after_lump(revolving: Sequence[CardUse], lump: int) -> list[emergency.OwedCard]:
    """The cards in their order once a lump sum has paid the dear ones, the dearest first."""
    paid: dict[int, int] = {}
    for use in dear_cards(revolving):
        paid[use.number] = min(lump, use.owed)
        lump -= paid[use.number]
    return [
        replace(owed_card(use), balance=use.owed - paid.get(use.number, 0)) for use in revolving
    ]


def _payments_of(
    today: emergency.WaterfallResult, after: emergency.WaterfallResult
) -> emergency.WaterfallResult:
    """When a waterfall arrives and what it costs, with the payments of today's cards."""
    cleared = after.months_to_clear
    return replace(
        today,
        months_to_clear=None if cleared is None else max(1, cleared),
        months_to_target=after.months_to_target,
        interest=after.interest,
    )


def capacity_to_save(planned: PlannedMonth) -> int:
    """What a month leaves for the fund where no card is paid down, minor units."""
    return max(0, planned.capacity - kept_free(planned))


def kept_free(planned: PlannedMonth) -> int:
    """Half of what discretionary spending lies below its share of planned income, minor units.

    Who has much left over is not told to live on nothing. The share is the guide's three tenths, or
    where essentials take more than half, three fifths of what they leave.
    """
    share = min(half_even(3 * planned.income, 10), half_even(3 * planned.left_by_needs, 5))
    return half_even(max(0, share - planned.discretionary), 2)


def least_minimum(currency: str) -> int:
    """The least that a card asks for a month, about $25, in minor units."""
    return 25 * about_one_dollar(currency)


def owed_card(use: CardUse) -> emergency.OwedCard:
    """A card as the waterfall needs it."""
    rate = use.account.apr
    millionths = None if rate is None else int((Decimal(str(rate)) * 1_000_000).to_integral_value())
    return emergency.OwedCard(use.owed, millionths, use.account.minimum_payment)


def debt_section(uses: Sequence[CardUse], payoff: PayoffPlan, *, cards_unknown: bool) -> Debt:
    """The plan's `debt`; when cards are clear is not known while it is not known what they owe."""
    return Debt.of(
        payoff,
        cards=tuple(
            Card.of(
                use.account,
                account_id=use.account.id,
                institution_name=use.account.institution,
                balance=use.account.balance or 0,
                limit=use.account.credit_limit,
                utilization=utilization(use),
            )
            for use in payoff_order(uses)
        ),
        monthly_payment=payoff.waterfall.payment,
        months_to_clear=None if cards_unknown else payoff.waterfall.months_to_clear,
    )

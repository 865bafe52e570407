"""Card debt: whether it is paid from cash or over months, in which order, and how long that takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finplan.model.money import half_even
from finplan.model.plan import Card, Debt, DebtStrategy
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.sections.cards import CardUse
from finplan.plan.sections.emergency import FundTarget, starter
from finplan.plan.sections.monthly import Means, PlannedMonth, ratio
from finplan.plan.sections.waterfall import MonthlyFunds, OwedCard, WaterfallResult, simulate

DEAR = 0.10
"""The yearly rate from which a card costs more than a full month of cash is worth."""


@dataclass(frozen=True, slots=True)
class PayoffPlan:
    """The strategy, the cards that revolve in the order in which they are paid, and the waterfall run.

    `by_rate` says that every such card's rate is known, so that the dearest comes first and months
    include interest. `snowball` is the waterfall with the smallest balance first, None unless two cards
    with known rates revolve. `whole_month` is the waterfall with a whole month put aside before the
    cards, None unless that is more than the floor. `lump` is what dear cards get at once. `rest` are
    the cards that are owed something after it, `after` the waterfall that begins with them, and
    `without_lump` the one if nothing were paid at once. `waterfall` has the payments of today's cards,
    which their issuers ask until the lump is paid, and the months and the interest of `after`.
    """

    strategy: DebtStrategy
    total: int
    revolving: tuple[CardUse, ...]
    by_rate: bool
    waterfall: WaterfallResult
    snowball: WaterfallResult | None
    whole_month: WaterfallResult | None
    lump: int
    rest: tuple[CardUse, ...]
    after: WaterfallResult
    without_lump: WaterfallResult

    @property
    def revolving_owed(self) -> int:
        """What the cards that revolve are owed."""
        return sum(use.owed for use in self.revolving)


def payoff_order(uses: Sequence[CardUse]) -> list[CardUse]:
    """The cards as they are listed and paid: the dearest rate first, else the fullest card first.

    Rates decide only when every card that is owed has one: half of them would be guessing.
    """
    by_rate = rates_known([use for use in uses if use.owed])

    def rank(use: CardUse) -> tuple[float, str, str]:
        urgency = use.account.apr if by_rate else utilization(use)
        return 1.0 if urgency is None else -urgency, use.account.name, use.account.id

    return sorted(uses, key=rank)


def rates_known(uses: Sequence[CardUse]) -> bool:
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


def choose_strategy(uses: Sequence[CardUse], liquid_cash: int, kept: int) -> DebtStrategy:
    """`none` when nothing is owed, `pay_in_full` by habit or when cash allows it, else `paydown`.

    `kept` is the cash that no card is paid from.
    """
    in_full = sum(use.owed for use in uses if use.in_full)
    revolving = sum(use.owed for use in uses if not use.in_full)
    if in_full + revolving == 0:
        return "none"
    if revolving == 0 or revolving <= liquid_cash - in_full - kept:
        return "pay_in_full"
    return "paydown"


def payoff_plan(
    uses: Sequence[CardUse],
    strategy: DebtStrategy,
    target: FundTarget,
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
    by_rate = rates_known(revolving)
    money = MonthlyFunds(
        capacity=planned.capacity if strategy == "paydown" else capacity_to_save(planned),
        interest=means.card_interest if strategy == "paydown" else 0,
        starter=target.starter,
        gap=target.gap,
        least=least_minimum(currency),
    )
    without = simulate(
        [owed_card(use) for use in revolving] if strategy == "paydown" else (), money
    )
    after, snowball, whole_month, rest = without, None, None, revolving
    if strategy == "paydown":
        owed = _after_lump(revolving, lump)
        rest = tuple(use for use, card in zip(revolving, owed, strict=True) if card.balance)
        gap = max(0, target.amount - max(0, target.reserve - lump))
        money = replace(money, gap=gap, starter=starter(target.floor, liquid_cash - lump, gap))
        after = simulate(owed, money) if lump else without
        if by_rate and len(rest) > 1:
            snowball = simulate(sorted(owed, key=lambda card: card.balance), money)
        month = starter(min(target.amount, max(0, target.base)), liquid_cash - lump, gap)
        if month > money.starter:
            whole_month = simulate(owed, replace(money, starter=month))
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
        rest=rest,
        after=after,
        without_lump=without,
    )


def dear_cards(cards: Iterable[CardUse]) -> list[CardUse]:
    """The cards that are carried over, charge interest and have a known rate of a tenth or more.

    The dearest comes first, whatever is known of the rates of others.
    """
    dear = [
        (-card.account.apr, card.account.name, card.account.id, card)
        for card in cards
        if card.charged
        and not card.in_full
        and card.account.apr is not None
        and card.account.apr >= DEAR
    ]
    return [each[-1] for each in sorted(dear, key=lambda each: each[:-1])]


def _after_lump(revolving: Sequence[CardUse], lump: int) -> list[OwedCard]:
    """The cards in their order once a lump sum has paid the dear ones, the dearest first."""
    paid: dict[int, int] = {}
    for use in dear_cards(revolving):
        paid[use.number] = min(lump, use.owed)
        lump -= paid[use.number]
    return [
        replace(owed_card(use), balance=use.owed - paid.get(use.number, 0)) for use in revolving
    ]


def _payments_of(today: WaterfallResult, after: WaterfallResult) -> WaterfallResult:
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


def owed_card(use: CardUse) -> OwedCard:
    """A card as the waterfall needs it."""
    rate = use.account.apr
    millionths = None if rate is None else int((Decimal(str(rate)) * 1_000_000).to_integral_value())
    return OwedCard(use.owed, millionths, use.account.minimum_payment)


def debt_section(uses: Sequence[CardUse], payoff: PayoffPlan, *, cards_unknown: bool) -> Debt:
    """The plan's `debt`; when cards are clear is not known while it is not known what they owe."""
    return Debt(
        cards=tuple(
            Card(
                account_id=use.account.id,
                institution_name=use.account.institution,
                name=use.account.name,
                mask=use.account.mask,
                balance=use.account.balance or 0,
                limit=use.account.credit_limit,
                utilization=utilization(use),
            )
            for use in payoff_order(uses)
        ),
        total=payoff.total,
        strategy=payoff.strategy,
        monthly_payment=payoff.waterfall.payment,
        months_to_clear=None if cards_unknown else payoff.waterfall.months_to_clear,
    )

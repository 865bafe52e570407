"""What finplan says of a life, held against its truth, as sums that shares are taken of."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from benchmarks.quality.chain import Chained, chain_of, claims_of
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.lives.life import make_life
from benchmarks.quality.lives.truth import Flow, Life
from benchmarks.quality.scoring import Tally
from finplan.model.plan import Plan
from finplan.model.snapshot import ForecastDay
from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from finplan.plan.pairing.transfers import find_doubtful_pairs

HORIZONS = (14, 30, 60)
"""The evenings that are foretold, in days."""

RIGHT = 0.02
"""How far from the truth a figure of a month, or a payment, is still right."""

NEAR_DAYS = 3
BILL_NEAR_DAYS = 7
BILL_RIGHT = 0.10

_MOST = 0.60
"""What of a claim's rows must be of the flow that it tells of."""

_ON_SAVINGS = ("Drawn from savings", "Not covered")


class Answer(NamedTuple):
    """All that the product says of a life."""

    chained: Chained
    findings: Findings
    household: Assessment
    plan: Plan
    days: Sequence[ForecastDay]


def judge_group(kind: str, seeds: Iterable[int]) -> Tally:
    """The sums of several lives of a kind."""
    whole: Tally = Counter()
    for seed in seeds:
        # A bias below zero is to stay, which adding counters would drop.
        whole.update(judge(kind, seed))
    return whole


def judge(kind: str, seed: int) -> Tally:
    """The sums of one life: what was right under a name, how much was judged under `name of`."""
    truth = make_life(kind, seed)
    answer = ask_product(truth)
    tally: Tally = Counter()
    _judge_month(tally, truth, answer)
    _judge_flows(tally, truth, answer.findings)
    _judge_transfers(tally, truth, answer.chained)
    _judge_bills(tally, truth, answer.days)
    _judge_days(tally, truth, answer.days)
    return tally


def ask_product(truth: Life) -> Answer:
    """Let the product read a life as imported files, with nothing answered."""
    household = truth.household
    chained = chain_of(household)
    accounts = {
        number: replace(account, balance=truth.balances[number])
        for number, account in chained.ledger.accounts.items()
    }
    ledger = replace(chained.ledger, accounts=accounts)
    books = keep_books(ledger, household.today)
    assessed = assess(ledger, books, household.today)
    plan = plan_of(assessed)
    live = live_view(ledger, books, plan, household.today)
    return Answer(
        chained=chained,
        findings=claims_of(household, chained, books),
        household=assessed,
        plan=plan,
        days=forecast(ledger, books, live, max(HORIZONS)).days,
    )


def _judge_month(tally: Tally, truth: Life, answer: Answer) -> None:
    """The income and the spending that the plan uses, and what it advises because of them."""
    income = sum(item.target for item in answer.plan.budget)
    spending = income + answer.household.living.shortfall
    least, most = truth.running_income, truth.running_income + truth.unsure_income
    _measure(tally, "income", income, min(max(income, least), most))
    _measure(tally, "spending", spending, truth.running_spend)
    kinds = {action.kind for action in answer.plan.actions}
    short = (truth.running_spend - most, truth.running_spend - least)
    is_short = all(gap >= RIGHT * truth.running_income for gap in short)
    if is_short or all(gap <= -RIGHT * truth.running_income for gap in short):
        on_savings = answer.plan.budget[2].label.startswith(_ON_SAVINGS)
        _count(tally, "shortfall", ("cover_shortfall" in kinds or on_savings) == is_short)
    if truth.lost_source is not None:
        _count(tally, "lost source", ("income_stopped" in kinds) == truth.lost_source)


def _measure(tally: Tally, name: str, figure: int, true: int) -> None:
    _count(tally, f"{name} right", abs(figure - true) <= RIGHT * true)
    tally[f"{name} off"] += abs(figure - true)
    tally[f"{name} off of"] += true


def _count(tally: Tally, name: str, right: bool) -> None:
    tally[name] += right
    tally[f"{name} of"] += 1


def _judge_flows(tally: Tally, truth: Life, findings: Findings) -> None:
    """The level, the end and the next payment of what changed, and of all pay."""
    places: dict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(truth.household.rows):
        if row.stream is not None:
            places[row.stream].append(index)
    for flow in truth.flows:
        claims = findings.sources if flow.side == "income" else findings.charges
        claim = _claim_of(places[flow.number], claims)
        if flow.change in {"ended", "stopped"}:
            _count(tally, "end", claim is None or not claim.active)
        elif flow.change == "irregular":
            _count(tally, "level", claim is not None and claim.active)
        elif flow.change != "once" and _is_of_interest(flow):
            right = claim is not None and claim.active and _near(claim.amount, flow.level, RIGHT)
            _count(tally, "level", right)
            if flow.coming is not None and flow.coming.amount == flow.level:
                day = None if claim is None else claim.next_date
                on_day = day is not None and abs((day - flow.coming.day).days) <= NEAR_DAYS
                _count(tally, "next payment", on_day and right)


def _is_of_interest(flow: Flow) -> bool:
    """Whether a flow surely is income, or a bill that changed; bills that stay are judged elsewhere."""
    return flow.monthly > 0 and (flow.side == "income" or flow.change != "same")


def _claim_of(places: Sequence[int], claims: Sequence[Claim]) -> Claim | None:
    """The claim that shows a flow's latest row and is mostly about the flow; a living one first."""
    held = set(places)
    about = [
        claim
        for claim in claims
        if places[-1] in claim.shown and len(claim.shown & held) >= _MOST * len(claim.shown)
    ]
    return max(about, key=lambda claim: (claim.active, len(claim.shown & held)), default=None)


def _near(figure: int, true: int, share: float) -> bool:
    return abs(figure - true) <= share * true


def _judge_transfers(tally: Tally, truth: Life, chained: Chained) -> None:
    """Of the true pairs of a life, those paired, those paired or asked about, and the wrong ones."""
    rows = truth.household.rows
    true = set(_true_pairs(truth))
    paired = {(pair.out, pair.into) for pair in chained.pairs}
    taken = {row for pair in paired for row in pair}
    legs = [leg for leg in chained.legs if leg.number not in taken]
    doubts = find_doubtful_pairs(legs, chained.ledger.accounts)
    asked = {(doubt.out.number, doubt.into.number) for doubt in doubts}
    # Equal transactions of one account and day may be taken for one another.
    right = Counter((rows[out][:3], rows[into][:3]) for out, into in true)
    for out, into in paired:
        key = (rows[out][:3], rows[into][:3])
        _count(tally, "pairs right", right[key] > 0)
        right[key] -= 1
    for pair in true:
        if truth.is_of_the_kind(pair):
            _count(tally, "paired", pair in paired)
            _count(tally, "paired or asked", pair in paired | asked)


def _true_pairs(truth: Life) -> Iterator[tuple[int, int]]:
    legs: dict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(truth.household.rows):
        if row.pair is not None:
            legs[row.pair].append(index)
    for one, other in legs.values():
        yield (one, other) if truth.household.rows[one].amount < 0 else (other, one)


def _judge_bills(tally: Tally, truth: Life, days: Sequence[ForecastDay]) -> None:
    """Taxes and changed bills of the days ahead, each foretold near its day and amount."""
    last = truth.household.today + timedelta(max(HORIZONS))
    for flow in truth.flows:
        is_bill = flow.side == "charge" and (flow.category == "taxes" or flow.change != "same")
        if is_bill and flow.coming is not None and flow.coming.day <= last:
            _count(tally, "bill ahead", _is_foretold(flow, days))


def _is_foretold(flow: Flow, days: Sequence[ForecastDay]) -> bool:
    coming = flow.coming
    return coming is not None and any(
        item.kind == "bill" and _near(-item.amount, coming.amount, BILL_RIGHT)
        for day in days
        if abs((day.date - coming.day).days) <= BILL_NEAR_DAYS
        for item in day.items
    )


def _judge_days(tally: Tally, truth: Life, days: Sequence[ForecastDay]) -> None:
    """Cash on the evenings ahead, beside that of today; sums are shares of a month's turnover."""
    turnover = truth.observed_income + truth.observed_spend
    start = truth.evening(0)
    for ahead in HORIZONS:
        day, true = days[ahead], truth.evening(ahead)
        # Households with large sums are not to outweigh the others.
        for name, error in (
            ("off", abs(day.expected - true)),
            ("unchanged off", abs(start - true)),
            ("bias", day.expected - true),
        ):
            tally[f"{name} {ahead}"] += round(10_000 * error / turnover)
            tally[f"{name} {ahead} of"] += 10_000
        if day.low is not None and day.high is not None:
            _count(tally, f"held {ahead}", day.low <= true <= day.high)
    if all(truth.evening(ahead) >= 0 for ahead in range(1, max(HORIZONS) + 1)):
        _count(tally, "below zero", any(day.expected < 0 for day in days))

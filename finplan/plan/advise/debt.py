"""Advice about cards: minimums first, then what costs most."""

from collections.abc import Iterator

from finplan.plan.advise.advice import Advice
from finplan.plan.advise.assessment import Assessment
from finplan.plan.sections.cards import CardUse
from finplan.plan.sections.debt import utilization
from finplan.plan.words import count, span

_HIGH = 0.30
_URGENT = 0.90


def cover_minimums(household: Assessment) -> Iterator[Advice]:
    """What is left over does not cover the minimum payments."""
    means, minimums = household.means, household.payoff.waterfall.minimums
    left = means.capacity + means.card_interest
    if household.payoff.strategy == "paydown" and left < minimums:
        short = household.money(minimums - left)
        yield Advice(
            title=f"Find {short} a month for the card minimums",
            detail=(
                f"Minimum payments are {household.money(minimums)} a month, and"
                f" {household.money(left)} is left over for them. Free {short} a month, or call the"
                " card issuer and ask for a hardship plan before a payment is missed."
            ),
            amount=minimums - left,
        )


def pay_card_in_full(household: Assessment) -> Iterator[Advice]:
    """Cash can clear what revolves; who pays in full by habit is never told to."""
    payoff = household.payoff
    if payoff.strategy != "pay_in_full" or payoff.revolving_owed <= 0:
        return
    owed = household.money(payoff.revolving_owed)
    names = " and ".join(card.account.name for card in payoff.revolving)
    yield Advice(
        title=f"Pay off {names}: {owed}",
        detail=(
            f"{names} carried {owed} over from month to month. Your cash of"
            f" {household.money(household.snapshot.liquid_cash)} covers all card bills and a month"
            f" of essentials. Pay the {owed} in full."
        ),
        amount=payoff.revolving_owed,
    )


def build_starter_fund(household: Assessment) -> Iterator[Advice]:
    """While a card revolves, one month of essentials keeps the next surprise off it."""
    fund = household.fund
    if household.payoff.strategy != "paydown" or fund.gap <= 0:
        return
    gap = household.money(fund.gap)
    monthly = household.money(fund.monthly_contribution)
    lasts = f"Your cash lasts {fund.months_covered:g} months; {gap} is missing to"
    goal = f"{count(fund.target_months, 'month')} of essentials."
    if fund.monthly_contribution >= fund.gap:
        title = f"Put {monthly} into a starter fund"
        step = "Put it aside this month; after that, the money goes to the cards."
    elif fund.monthly_contribution > 0:
        title = f"Put {monthly} a month into a starter fund"
        step = f"Put {monthly} aside each month; after that, the money goes to the cards."
    else:
        title = "Keep the first spare money as a starter fund"
        step = "Nothing is left for it now: pay the card minimums, then save here first."
    yield Advice(title=title, detail=f"{lasts} {goal} {step}", amount=fund.monthly_contribution)


def pay_down_card(household: Assessment) -> Iterator[Advice]:
    """The first card to clear, how much a month, and when all are clear."""
    payoff = household.payoff
    if payoff.strategy != "paydown":
        return
    first, payment = payoff.revolving[0], household.money(payoff.waterfall.payment)
    if len(payoff.revolving) > 1:
        where = count(len(payoff.revolving), "card")
        title = f"Pay {payment} a month on your cards, {first.account.name} first"
        step = (
            "Pay the minimum on the others and the rest to"
            f" {first.account.name}{_why_first(household, first)}."
        )
    else:
        where = first.account.name
        title = f"Pay {payment} a month on {first.account.name}"
        step = (
            "Pay it now, and more once the fund is there."
            if payoff.waterfall.contribution > 0
            else "Set it up as a monthly payment."
        )
    yield Advice(
        title=title,
        detail=(
            f"You owe {household.money(payoff.revolving_owed)} on {where}. {_arrival(household)} {step}"
        ),
        amount=payoff.waterfall.payment,
    )


def _arrival(household: Assessment) -> str:
    payoff = household.payoff
    payment = household.money(payoff.waterfall.payment)
    if payoff.waterfall.months_to_clear is None:
        return f"At {payment} a month the debt does not end: any extra amount starts to lower it."
    # While the starter fund is filled the cards get less than they do afterwards.
    grows = (
        ", and what the starter fund takes once it is full,"
        if payoff.waterfall.contribution
        else ""
    )
    clear = f"{payment} a month{grows} clears it in {span(payoff.waterfall.months_to_clear)}"
    if not payoff.by_rate:
        return f"{clear}, without interest."
    saved = payoff.snowball.interest - payoff.waterfall.interest if payoff.snowball else 0
    if saved <= 0:
        return f"{clear}, interest included."
    return (
        f"{clear}, interest included; the dearest first saves {household.money(saved)} against the"
        " smallest first."
    )


def _why_first(household: Assessment, card: CardUse) -> str:
    """Why this card comes first."""
    if household.payoff.by_rate and card.account.apr is not None:
        return f", the dearest at {100 * card.account.apr:.4g}%"
    used = utilization(card)
    return f", the fullest at {100 * used:.0f}% of its limit" if used is not None else ""


def lower_utilization(household: Assessment) -> Iterator[Advice]:
    """A revolving card that is fuller than three tenths, unless other advice clears it already."""
    payoff = household.payoff
    if payoff.strategy == "pay_in_full":
        return
    high = [
        (card, card.owed - card.account.credit_limit * 3 // 10)
        for card in payoff.revolving[1:]
        if card.account.credit_limit and (utilization(card) or 0) > _HIGH
    ]
    for card, amount in sorted(high, key=lambda item: (-item[1], item[0].account.name)):
        used, limit = utilization(card) or 0, card.account.credit_limit or 0
        pay = household.money(amount)
        when = (
            "as soon as you can: it is nearly full" if used > _URGENT else "when you can spare it"
        )
        yield Advice(
            title=f"Bring {card.account.name} below 30% of its limit",
            detail=(
                f"It stands at {household.money(card.owed)} of {household.money(limit)},"
                f" {100 * used:.0f}%, and more than 30% can lower a credit score. Pay {pay} on it"
                f" {when}."
            ),
            amount=amount,
        )

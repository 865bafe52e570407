"""Advice about cards: minimums first, then what costs most."""

from collections.abc import Iterator

from finplan.model.figures import rate, share
from finplan.plan.advise import assessment
from finplan.plan.live.lump_sum import LOW_AHEAD
from finplan.plan.sections.debt import CardUse, dear_cards, utilization
from finplan.plan.words import count, listed, span


def cover_minimums(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """What is left over does not cover the minimum payments, nor would it after a lump sum."""
    payoff, spare = household.payoff, _left_for_cards(household)
    minimums = payoff.waterfall.minimums
    if payoff.strategy == "paydown" and spare < min(minimums, payoff.after.minimums):
        short = household.money(minimums - spare)
        yield assessment.Advice(
            title=f"Find {short} a month for the card minimums",
            detail=(
                f"Minimum payments are {household.money(minimums)} a month, and you have"
                f" {household.money(spare) if spare else 'nothing'} left for them. Free up {short} a"
                " month, or ask the card issuer for a hardship plan before you miss a payment."
            ),
            amount=minimums - spare,
        )


def _left_for_cards(household: assessment.Assessment) -> int:
    """What a month leaves for cards; their interest is in spending already."""
    return household.planned.capacity + household.means.card_interest


def pay_card_in_full(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """Cash can clear what revolves; who pays in full by habit is never told to."""
    payoff = household.payoff
    if payoff.strategy != "pay_in_full" or payoff.revolving_owed <= 0:
        return
    owed = household.money(payoff.revolving_owed)
    names = listed([card.account.name for card in payoff.revolving])
    now = assessment.pays_off_now(household)
    when = "now" if now else "once this pay period's bills are paid"
    yield assessment.Advice(
        title=f"Pay off {names}: {owed}",
        detail=(
            f"You carry a balance of {owed} on {names}. Your cash of"
            f" {household.money(household.snapshot.liquid_cash)} covers all you owe on cards,"
            f" {household.money(payoff.total)}, and leaves {household.money(household.free_cash)}. Pay"
            f" the {owed} in full {when}."
        ),
        amount=payoff.revolving_owed,
    )


def build_starter_fund(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """While a card revolves, a small reserve keeps the next surprise off it."""
    contribution = household.fund.monthly_contribution
    if household.payoff.strategy != "paydown" or contribution <= 0:
        return
    monthly, floor = household.money(contribution), household.money(household.target.floor)
    begin = assessment.begins(household, contribution)
    wait = assessment.until_then(household, contribution)
    if contribution >= household.target.starter:
        title = f"Put {monthly} into a starter fund"
        step = f"Put it aside {begin}.{wait} After that, use the money for the cards."
    else:
        title = f"Put {monthly} a month into a starter fund"
        step = (
            f"Put {monthly} aside each month, starting {begin}.{wait} Once the fund is full, use the"
            " money for the cards."
        )
    cash = household.snapshot.liquid_cash
    have = f"Your cash is {household.money(cash)}" if cash else "You have no cash"
    if cash < 0:
        have = f"Your accounts are overdrawn by {household.money(-cash)}"
    yield assessment.Advice(
        title=title,
        detail=(
            f"{have}; a starter fund of {floor} pays for the next unexpected cost, so you need no card"
            f" for it. {step}"
        ),
        amount=contribution,
    )


def pay_down_card(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """What cards get at once, then the first card to clear, how much a month, and when all are clear."""
    payoff = household.payoff
    if payoff.strategy != "paydown":
        return
    monthly = None
    if payoff.others:
        short = _left_for_cards(household) < payoff.after.minimums
        monthly = _minimums_only(household) if short else _each_month(household)
    if payoff.lump:
        yield _lump_first(household, monthly)
    elif monthly is not None:
        yield monthly


def _lump_first(
    household: assessment.Assessment, monthly: assessment.Advice | None
) -> assessment.Advice:
    """What dear cards get from the cash at hand, and what that saves, before what a month pays."""
    payoff, lump = household.payoff, household.lump
    assert lump is not None
    first, *others = dear_cards(payoff.revolving)
    name = first.account.name
    where = f"your cards ({name} first)" if others and payoff.lump > first.owed else name
    then = f", then {household.money(payoff.after.payment)} a month" if payoff.others else ""
    bills = f", {household.money(lump.bills)} for non-monthly bills" if lump.bills else ""
    afterwards = "After that, this debt is paid." if monthly is None else monthly.detail
    return assessment.Advice(
        title=f"Pay {household.money(payoff.lump)} on {where} now{then}",
        detail=(
            f"{_lump_saves(household)}Of your {household.money(lump.cash)} in cash,"
            f" {household.money(lump.reserve)} stays in reserve{bills}, and your needs for the next"
            f" {LOW_AHEAD} days are covered. {afterwards}"
        ),
        amount=payoff.lump,
    )


def _lump_saves(household: assessment.Assessment) -> str:
    """What a lump sum saves in months and interest, as a sentence before a blank."""
    payoff = household.payoff
    before, after = payoff.without_lump, payoff.waterfall
    saved = []
    if before.months_to_clear is not None and after.months_to_clear is not None:
        months = before.months_to_clear - after.months_to_clear
        saved += [count(months, "month")] if months else []
        if payoff.by_rate:
            saved.append(f"{household.money(before.interest - after.interest)} of interest")
    return f"Saves {listed(saved)}. " if saved else ""


def _describe_debt(household: assessment.Assessment, where: str) -> str:
    """What is owed, and what of it is left after a lump sum."""
    payoff = household.payoff
    if not payoff.lump:
        return f"You owe {household.money(payoff.revolving_owed)} on {where}."
    remaining = household.money(payoff.revolving_owed - payoff.lump)
    return f"You still owe {remaining} on {where}."


def _each_month(household: assessment.Assessment) -> assessment.Advice:
    """What cards get a month, and when it begins."""
    payoff = household.payoff
    first, payment = payoff.others[0], household.money(payoff.after.payment)
    beyond = _beyond_minimums(household)
    begin = assessment.begins(household, beyond)
    is_late = begin not in {assessment.WITH_THE_NEXT_PAY, assessment.ONCE_COVERED}
    minimum = household.money(payoff.after.minimums)
    if len(payoff.others) > 1:
        where = count(len(payoff.others), "card")
        title = f"Pay {payment} a month on your cards, {first.account.name} first"
        dearest = f"{first.account.name}{_why_first(household, first)}"
        if begin == assessment.WITH_THE_NEXT_PAY:
            step = f"Pay the minimum on the others and the rest on {dearest}."
        else:
            # Nobody may read that the minimums wait for that day, too.
            step = (
                f"Pay each minimum when it is due. Pay the rest of the {payment} on"
                f" {dearest}, starting {begin}."
            )
    else:
        where = first.account.name
        title = f"Pay {payment} a month on {first.account.name}"
        if payoff.after.payment <= payoff.after.minimums:
            step = "Pay it each month when it is due."
        elif is_late:
            step = f"Pay the minimum of {minimum} when it is due, and the rest starting {begin}."
        else:
            step = f"Set up a monthly payment, starting {begin}."
        if payoff.after.contribution > 0:
            step += " Pay more once the starter fund is full."
    waits = assessment.until_then(household, beyond) if not payoff.after.contribution else ""
    return assessment.Advice(
        title=title,
        detail=f"{_describe_debt(household, where)} {_arrival(household)} {step}{waits}",
        amount=payoff.waterfall.payment,
    )


def _beyond_minimums(household: assessment.Assessment) -> int:
    """What fund and cards are to get a month beside the minimums, which are due in any case."""
    after = household.payoff.after
    return after.contribution + max(0, after.payment - after.minimums)


def _minimums_only(household: assessment.Assessment) -> assessment.Advice:
    """What to pay where not even the minimums are left over: those, and nothing new on the cards."""
    payoff = household.payoff
    payment, first = household.money(payoff.after.payment), payoff.others[0].account.name
    where = first if len(payoff.others) == 1 else f"your cards, {first} first"
    owed = household.money(payoff.revolving_owed - payoff.lump)
    still = "You owe" if not payoff.lump else "After that, you owe"
    return assessment.Advice(
        title=f"Pay at least the minimum of {payment} a month on {where}",
        detail=(
            f"{still} {owed}, and the minimum is more than you have left each month."
            f" {_arrival(household)} Stop using the cards, and pay the minimum on time with the money"
            " that you free up."
        ),
        amount=payoff.waterfall.payment,
    )


def _arrival(household: assessment.Assessment) -> str:
    """When the cards are clear, after what they get at once."""
    payoff = household.payoff
    payment = household.money(payoff.after.payment)
    if household.standing.cards_unknown:
        return (
            f"{payment} a month lowers the debt. The payoff date is unknown, because a card balance is"
            " missing."
        )
    if payoff.waterfall.months_to_clear is None:
        return (
            f"At {payment} a month, you never pay off the debt. Pay any more than that and the debt"
            " starts to shrink."
        )
    # While the starter fund is filled the cards get less than they do afterwards.
    grows = (
        ", plus the starter fund's money once the fund is full,"
        if payoff.after.contribution
        else ""
    )
    clear = f"{payment} a month{grows} clears it in {span(payoff.waterfall.months_to_clear)}"
    if not payoff.by_rate:
        return f"{clear}, not counting interest."
    saved = payoff.snowball.interest - payoff.waterfall.interest if payoff.snowball else 0
    if saved <= 0:
        return f"{clear}, interest included."
    return (
        f"{clear}, interest included. Paying the highest rate first saves {household.money(saved)}"
        " compared with the smallest balance first."
    )


def _why_first(household: assessment.Assessment, card: CardUse) -> str:
    """Why this card comes first."""
    if household.payoff.by_rate and card.account.apr is not None:
        return f" (highest rate, {rate(card.account.apr)})"
    used = utilization(card)
    return f" (closest to its limit, {share(used)} used)" if used is not None else ""


def lower_utilization(household: assessment.Assessment) -> Iterator[assessment.Advice]:
    """A card that is paid in full by habit is nearly full, and cash covers what brings it down."""
    for card, payment in assessment.full_cards(household):
        used, limit = utilization(card) or 0, card.account.credit_limit or 0
        yield assessment.Advice(
            title=(
                f"Pay {household.money(payment)} on {card.account.name} to get below 30% of its limit"
            ),
            detail=(
                f"You owe {household.money(card.owed)} of the card's {household.money(limit)} limit"
                f" ({share(used)}). You pay this card in full, but credit scores use the balance on"
                " the statement date. Pay before that day."
            ),
            amount=payment,
        )

"""The explanation of card debt: how each card is used, the strategy, and the waterfall of a month."""

from collections.abc import Iterator

from finplan.model.explain import Quantity
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.formula import Derivation, add_capacity
from finplan.plan.explain.parts import (
    Contributions,
    SectionExplanation,
    Subject,
    add_base,
    unknown_balances,
)
from finplan.plan.live.lump_sum import BILLS_AHEAD, LOW_AHEAD, rare_bills_ahead, reserve_months
from finplan.plan.sections.debt import (
    CardUse,
    dear_cards,
    least_minimum,
    owed_card,
    payoff_order,
    utilization,
)
from finplan.plan.sections.emergency import (
    WaterfallResult,
    kept_in_cash,
    minimum_due,
    months_interest,
)
from finplan.plan.words import count, listed
from finplan.views.standing_words import labelled, worths

_ON_CARDS = ("card_payment", "interest_fees", "transfer")
"""The rows that tell how a card is used."""


def debt(subject: Subject) -> SectionExplanation:
    """What is owed, whether cash or the coming months pay it, and how much a month."""
    household, target = subject.household, subject.household.target
    cards, shown = payoff_order(household.cards), subject.plan.debt
    derivation = Derivation()
    names = [f"owed{place}" for place in range(1, len(cards) + 1)]
    for place, (name, card) in enumerate(zip(names, cards, strict=True), start=1):
        _add_card(derivation, place, name, card)
    known = [
        (name, card)
        for name, card in zip(names, cards, strict=True)
        if card.account.balance is not None
    ]
    worth = worths(household.snapshot.accounts, household.standing.view()).cards
    label = labelled("Owed on cards", worth)
    derivation.total("total", label, shown.total, [name for name, _ in known])
    in_full = [name for name, card in known if card.in_full]
    revolving = [name for name, card in known if not card.in_full]
    owed = sum(card.owed for card in cards if card.in_full)
    derivation.total("inFullOwed", "Of it, on cards paid in full", owed, in_full)
    derivation.total(
        "revolvingOwed", "Of it, carried over", household.payoff.revolving_owed, revolving
    )
    derivation.given("liquidCash", "Cash", household.snapshot.liquid_cash)
    base = add_base(derivation, household)
    kept = kept_in_cash(target.base, household.planned.income)
    three = kept > max(0, target.base)
    months = "three months" if three else "a month"
    bills = rare_bills_ahead(household.books, household.today)
    if bills:
        derivation.given("rareBills", f"Rare bills of the next {BILLS_AHEAD} days", bills)
    needs = f"{'3 * ' if three else ''}max(0, {base})"
    derivation.derive(
        "spareCash",
        f"Cash left after card bills{', rare bills' if bills else ''} and {months} of essentials",
        f"liquidCash - inFullOwed - {needs}{' - rareBills' if bills else ''}",
        household.snapshot.liquid_cash - owed - kept - bills,
    )
    derivation.given("strategy", "Strategy", shown.strategy, "word")
    _add_payment(derivation, subject)
    _add_lump(derivation, household, base)
    derivation.given("monthsToClear", "Months until clear", shown.months_to_clear, "months")
    numbers = [card.number for card in cards]
    window = household.books.window
    contributions = Contributions(_ON_CARDS, window.since, household.today, accounts=numbers)
    return SectionExplanation(derivation, _reasons(subject), contributions if numbers else None)


def _add_lump(derivation: Derivation, household: Assessment, base: str) -> None:
    """Add what dear cards get at once, where there is such a card."""
    lump = household.lump
    if lump is None:
        return
    dear = [
        f"owed{place}"
        for place, card in enumerate(payoff_order(household.cards), start=1)
        if card in dear_cards(household.payoff.revolving)
    ]
    on_its_way = sum(card.owed for card in dear_cards(household.payoff.revolving)) - lump.owed
    derivation.total("dearOwed", "Owed at 10% or more, with interest", lump.owed + on_its_way, dear)
    if not household.payoff.lump or lump.guard is None or lump.lowest is None:
        derivation.given("lumpSum", "To these at once", 0)
        return
    months = reserve_months(household.books, household.planned)
    derivation.given("onItsWay", "On its way to these", on_its_way)
    derivation.given("fundFloor", "What cash should hold first", household.target.floor)
    derivation.derive(
        "reserveKept", "Cash that stays", f"max(fundFloor, {months} * {base})", lump.reserve
    )
    derivation.given("pendingOut", "Pending, to leave cash", lump.pending)
    derivation.given("guard", "What cash can spare before the period ends", lump.guard)
    derivation.given(
        "lowest",
        f"The least that cash may be in {LOW_AHEAD} days, in nine of ten cases",
        lump.lowest,
    )
    rare = " - rareBills" if lump.bills else ""
    derivation.derive(
        "lumpSum",
        "To these at once",
        f"min(dearOwed - onItsWay, liquidCash - pendingOut - reserveKept{rare}, guard, lowest)",
        household.payoff.lump,
    )


def _add_card(derivation: Derivation, place: int, name: str, card: CardUse) -> None:
    label, balance = f"Owed on {card.account.name}", card.account.balance
    if balance is None:
        derivation.given(name, label, None)
        return
    derivation.derive(name, label, "max(0, balance)", card.owed, balance=balance)
    used = utilization(card)
    if used is not None:
        limit, formula = card.account.credit_limit or 0, f"round({name} / limit, 4)"
        derivation.derive(
            f"utilization{place}", "Of its limit", formula, used, "share", limit=limit
        )


def _add_payment(derivation: Derivation, subject: Subject) -> None:
    household, shown = subject.household, subject.plan.debt
    if shown.strategy != "paydown":
        formula = "total" if shown.strategy == "pay_in_full" else "0 * total"
        derivation.derive("monthlyPayment", "To be paid", formula, shown.monthly_payment)
        return
    means, least = household.means, least_minimum(household.currency)
    derivation.given("leastMinimum", "The least that a minimum is", least)
    minimums, charged = [], []
    cards = payoff_order(household.cards)
    for place, card in enumerate(cards, start=1):
        if card.owed and not card.in_full:
            charged += _add_interest(derivation, place, card)
            minimums.append(_add_minimum(derivation, place, card, least))
    derivation.total("minimums", "Minimums together", household.payoff.waterfall.minimums, minimums)
    revolving = [card for card in cards if card.owed and not card.in_full]
    interest = sum(months_interest(owed_card(card)) for card in revolving)
    derivation.total("monthsInterest", "Interest of one month", interest, charged)
    add_capacity(derivation, household)
    derivation.given("cardInterest", "Card interest in spending", means.card_interest)
    derivation.given(
        "monthlyContribution", "To the starter fund first", household.payoff.waterfall.contribution
    )
    derivation.derive(
        "monthlyPayment",
        "To be paid a month",
        "min(revolvingOwed + monthsInterest,"
        " max(minimums, capacity + cardInterest - monthlyContribution))",
        shown.monthly_payment,
    )


def _add_minimum(derivation: Derivation, place: int, card: CardUse, least: int) -> str:
    name, label = f"minimum{place}", f"Minimum of {card.account.name}"
    due = minimum_due(owed_card(card), least)
    known, has_rate = card.account.minimum_payment, card.account.apr is not None
    interest = f" + interest{place}" if has_rate else ""
    most = f"owed{place}{interest}"
    if known is not None:
        derivation.derive(name, label, f"min({most}, issuersMinimum)", due, issuersMinimum=known)
        return name
    with_interest = f"round(owed{place} / 100){interest}, " if has_rate else ""
    estimate = f"max({with_interest}round(owed{place} / 50), leastMinimum)"
    derivation.derive(name, label, f"min({most}, {estimate})", due)
    return name


def _add_interest(derivation: Derivation, place: int, card: CardUse) -> list[str]:
    owed = owed_card(card)
    if owed.rate is None:
        return []
    name, label = f"interest{place}", f"A month's interest on {card.account.name}"
    share = Quantity(name="rate", unit="share", value=owed.rate / 1_000_000)
    formula, charged = f"round(owed{place} * rate / 12)", months_interest(owed)
    derivation.derive(name, label, formula, charged, inputs=(share,))
    return [name]


def _reasons(subject: Subject) -> list[str]:
    household, shown = subject.household, subject.plan.debt
    reasons = [_of_card(card) for card in payoff_order(household.cards) if card.owed]
    match shown.strategy:
        case "none":
            owed = "Nothing that is known" if household.standing.cards_unknown else "Nothing"
            reasons.append(f"{owed} is owed on cards, so there is nothing to pay.")
        case "pay_in_full" if household.payoff.revolving_owed:
            reasons.append(
                f"Cash covers what is carried over, the cards paid in full and {_kept_said(household)},"
                " so all of it is paid in full, from cash."
            )
        case "pay_in_full":
            reasons.append("Every card is paid in full by habit; the payment comes from cash.")
        case "paydown":
            reasons.append(
                f"Cash does not cover what is carried over beside {_kept_said(household)}, so it is paid"
                " down: minimums first, then a starter fund, then the cards in order."
            )
            reasons += [*floor_reasons(household), _order(subject), *_lump_reasons(household)]
    if shown.months_to_clear is None and household.standing.cards_unknown:
        reasons.append("When cards are clear cannot be told while it is not known what they owe.")
    return [*reasons, *unknown_balances(household)]


def _kept_said(household: Assessment) -> str:
    """How much cash no card is paid from."""
    base = household.target.base
    bills = rare_bills_ahead(household.books, household.today)
    rare = " and the rare bills of the next 90 days" if bills else ""
    if kept_in_cash(base, household.planned.income) > max(0, base):
        return f"three months of essentials, since income does not cover them,{rare}".rstrip(",")
    return f"a month of essentials{rare}"


def _lump_reasons(household: Assessment) -> Iterator[str]:
    """Why dear cards get something at once, or nothing although they are dear."""
    lump = household.lump
    if lump is None:
        return
    stays = f"{count(reserve_months(household.books, household.planned), 'month')} of essentials"
    rare = ", the rare bills of the next 90 days" if lump.bills else ""
    if household.payoff.lump:
        yield (
            f"A card of 10% or more costs more than spare cash is worth: beyond {stays}{rare} and what"
            f" the next {LOW_AHEAD} days may need, cash is paid on it at once."
        )
    elif lump.guard is None:
        yield "Whether cash can pay a dear card at once is not known while a balance is not known."
    elif lump.lowest is None:
        yield "Whether cash can pay a dear card at once is not known with less than a month of history."
    else:
        yield f"No cash is spare beyond {stays}{rare} and what the next {LOW_AHEAD} days may need."


_PARTS = {2: "half a month, since income is uneven", 4: "a quarter of a month"}


def floor_reasons(household: Assessment) -> Iterator[str]:
    """What comes before extra card payments, and what that saves against a whole month first."""
    target, payoff = household.target, household.payoff
    floor = household.money(target.floor)
    if not target.floor:
        return
    if target.part == 1:
        yield (
            f"No card's rate reaches 10%, so a whole month of cash, {floor}, comes before extra card"
            " payments."
        )
        return
    unknown = "" if payoff.by_rate else " A rate that is not known is taken for a high one."
    saved = "" if payoff.whole_month is None else _saved(household, payoff.whole_month)
    yield (
        "Cards cost more in interest than cash earns, so only a part of the starter fund comes before"
        f" extra card payments: {floor}, {_PARTS[target.part]}.{unknown}{saved}"
    )


def _saved(household: Assessment, slower: WaterfallResult) -> str:
    """What the floor saves in months and interest; nothing where a rate is not known."""
    faster = household.payoff.waterfall
    told = []
    if faster.months_to_clear is not None and slower.months_to_clear is not None:
        told = [count(slower.months_to_clear - faster.months_to_clear, "month")]
    if household.payoff.by_rate:
        told.append(f"{household.money(slower.interest - faster.interest)} of interest")
    return f" Against a whole month first that saves {listed(told)}." if told else ""


def _of_card(card: CardUse) -> str:
    name, payments = card.account.name, count(len(card.payments), "payment")
    if card.assumed:
        use = "is assumed to be paid in full" if card.in_full else "is assumed to carry over"
        return f"{name} {use}: only {payments} to it are seen."
    if card.in_full:
        return f"{name} is paid in full: its last payments match what was owed."
    return f"{name} carries over: interest was charged, or payments were below what was owed."


def _order(subject: Subject) -> str:
    payoff = subject.household.payoff
    first = payoff.revolving[0].account.name
    if payoff.by_rate:
        return (
            f"Every rate is known: the dearest card comes first, {first}, and months hold interest."
        )
    return f"A rate is not known: the fullest card comes first, {first}, and months leave interest out."

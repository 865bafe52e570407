"""The explanation of card debt: how each card is used, the strategy, and the waterfall of a month."""

from decimal import Decimal
from fractions import Fraction

from finplan.model.explain import Quantity
from finplan.model.money import half_even
from finplan.plan.explain.contributions import Feeding
from finplan.plan.explain.formula import Working
from finplan.plan.explain.parts import (
    Subject,
    Told,
    note_capacity,
    note_essentials,
    unknown_balances,
)
from finplan.plan.ledger.amounts import dollar
from finplan.plan.sections.cards import CardUse
from finplan.plan.sections.debt import in_order, owed_card, utilization
from finplan.plan.sections.snapshot import cards_are_known
from finplan.plan.sections.waterfall import minimum_due
from finplan.plan.words import count

_ON_CARDS = ("card_payment", "interest_fees", "transfer")
"""The rows that tell how a card is used."""


def debt(subject: Subject) -> Told:
    """What is owed, whether cash or the coming months pay it, and how much a month."""
    household = subject.household
    cards, shown = in_order(household.cards), subject.plan.debt
    work = Working()
    names = [f"owed{place}" for place in range(1, len(cards) + 1)]
    for place, (name, card) in enumerate(zip(names, cards, strict=True), start=1):
        _note_card(work, place, name, card)
    told = [(n, c) for n, c in zip(names, cards, strict=True) if c.account.balance is not None]
    work.total("total", "Owed on cards", shown.total, [name for name, _ in told])
    in_full = [name for name, card in told if card.in_full]
    revolving = [name for name, card in told if not card.in_full]
    owed = sum(card.owed for card in cards if card.in_full)
    work.total("inFullOwed", "Of it, on cards paid in full", owed, in_full)
    work.total("revolvingOwed", "Of it, carried over", household.way.revolving_owed, revolving)
    work.given("liquidCash", "Cash", household.snapshot.liquid_cash)
    note_essentials(work, household)
    work.derive(
        "spareCash",
        "Cash left after these and a month",
        "liquidCash - inFullOwed - max(0, essentials)",
        household.snapshot.liquid_cash - owed - max(0, household.means.essentials),
    )
    work.given("strategy", "Strategy", shown.strategy, "word")
    _note_payment(work, subject)
    work.given("monthsToClear", "Months until clear", shown.months_to_clear, "months")
    numbers = [card.number for card in cards]
    window = household.books.window
    feeding = Feeding(_ON_CARDS, window.since, household.today, accounts=numbers)
    return Told(work, _reasons(subject), feeding if numbers else None)


def _note_card(work: Working, place: int, name: str, card: CardUse) -> None:
    label, balance = f"Owed on {card.account.name}", card.account.balance
    if balance is None:
        work.given(name, label, None)
        return
    work.derive(name, label, "max(0, balance)", card.owed, balance=balance)
    used = utilization(card)
    if used is not None:
        limit = card.account.credit_limit or 0
        work.share(
            f"utilization{place}", "Of its limit", f"round({name} / limit, 4)", used, limit=limit
        )


def _note_payment(work: Working, subject: Subject) -> None:
    household, shown = subject.household, subject.plan.debt
    if shown.strategy != "paydown":
        formula = "total" if shown.strategy == "pay_in_full" else "0 * total"
        work.derive("monthlyPayment", "To be paid", formula, shown.monthly_payment)
        return
    currency, means = household.currency, household.means
    work.given("leastMinimum", "The least that a minimum is", 25 * dollar(currency))
    minimums, charged = [], []
    cards = in_order(household.cards)
    for place, card in enumerate(cards, start=1):
        if card.owed and not card.in_full:
            minimums.append(_note_minimum(work, place, card, 25 * dollar(currency)))
            charged += _note_interest(work, place, card)
    work.total("minimums", "Minimums together", household.way.course.minimums, minimums)
    interest = sum(_interest(card) for card in cards if card.owed and not card.in_full)
    work.total("monthsInterest", "Interest of one month", interest, charged)
    note_capacity(work, household)
    work.given("cardInterest", "Card interest in spending", means.card_interest)
    work.given(
        "monthlyContribution", "To the starter fund first", household.way.course.contribution
    )
    work.derive(
        "monthlyPayment",
        "To be paid a month",
        "min(revolvingOwed + monthsInterest,"
        " max(minimums, capacity + cardInterest - monthlyContribution))",
        shown.monthly_payment,
    )


def _note_minimum(work: Working, place: int, card: CardUse, floor: int) -> str:
    name, label = f"minimum{place}", f"Minimum of {card.account.name}"
    due = minimum_due(owed_card(card), floor)
    known = card.account.minimum_payment
    if known is None:
        work.derive(
            name, label, f"min(owed{place}, max(round(owed{place} / 50), leastMinimum))", due
        )
    else:
        work.derive(name, label, f"min(owed{place}, issuersMinimum)", due, issuersMinimum=known)
    return name


def _note_interest(work: Working, place: int, card: CardUse) -> list[str]:
    rate = card.account.apr
    if rate is None:
        return []
    name, label = f"interest{place}", f"A month's interest on {card.account.name}"
    share = Quantity(name="rate", unit="share", value=float(_millionths(rate)))
    formula = f"round(owed{place} * rate / 12)"
    work.derive(name, label, formula, _interest(card), inputs=(share,))
    return [name]


def _millionths(rate: float) -> Fraction:
    """A yearly rate to the millionth, as the simulation takes it."""
    return Fraction(int((Decimal(str(rate)) * 1_000_000).to_integral_value()), 1_000_000)


def _interest(card: CardUse) -> int:
    monthly = card.owed * _millionths(card.account.apr or 0) / 12
    return half_even(monthly.numerator, monthly.denominator)


def _reasons(subject: Subject) -> list[str]:
    household, shown = subject.household, subject.plan.debt
    reasons = [_of_card(card) for card in in_order(household.cards) if card.owed]
    match shown.strategy:
        case "none":
            owed = "Nothing" if cards_are_known(household.ledger) else "Nothing that is known"
            reasons.append(f"{owed} is owed on cards, so there is nothing to pay.")
        case "pay_in_full" if household.way.revolving_owed:
            reasons.append(
                "Cash covers what is carried over, the cards paid in full and a month of essentials,"
                " so all of it is paid in full, from cash."
            )
        case "pay_in_full":
            reasons.append("Every card is paid in full by habit; the payment comes from cash.")
        case "paydown":
            reasons.append(
                "Cash does not cover what is carried over beside a month of essentials, so it is paid"
                " down: minimums first, then a starter fund of one month, then the cards in order."
            )
            reasons.append(_order(subject))
    return [*reasons, *unknown_balances(household)]


def _of_card(card: CardUse) -> str:
    name, payments = card.account.name, count(len(card.payments), "payment")
    if card.assumed:
        use = "is assumed to be paid in full" if card.in_full else "is assumed to carry over"
        return f"{name} {use}: only {payments} to it are seen."
    if card.in_full:
        return f"{name} is paid in full: its last payments match what was owed."
    return f"{name} carries over: interest was charged, or payments were below what was owed."


def _order(subject: Subject) -> str:
    way = subject.household.way
    first = way.revolving[0].account.name
    if way.by_rate:
        return (
            f"Every rate is known: the dearest card comes first, {first}, and months hold interest."
        )
    return f"A rate is not known: the fullest card comes first, {first}, and months leave interest out."

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
from finplan.views.unknowns import labelled, worths

_ON_CARDS = ("card_payment", "interest_fees", "transfer")
"""The rows that tell how a card is used."""


def debt(subject: Subject) -> SectionExplanation:
    """What is owed, whether cash or the coming months pay it, and how much a month."""
    household, target = subject.household, subject.household.target
    cards, section = payoff_order(household.cards), subject.plan.debt
    derivation = Derivation()
    names = [f"owed{number}" for number in range(1, len(cards) + 1)]
    for number, (name, card) in enumerate(zip(names, cards, strict=True), start=1):
        _add_card(derivation, number, name, card)
    known_cards = [
        (name, card)
        for name, card in zip(names, cards, strict=True)
        if card.account.balance is not None
    ]
    worth = worths(household.snapshot.accounts, household.standing.view()).cards
    label = labelled("Card debt", worth)
    derivation.total("total", label, section.total, [name for name, _ in known_cards])
    in_full = [name for name, card in known_cards if card.in_full]
    revolving = [name for name, card in known_cards if not card.in_full]
    owed = sum(card.owed for card in cards if card.in_full)
    derivation.total("inFullOwed", "Debt on cards you pay in full", owed, in_full)
    derivation.total(
        "revolvingOwed", "Card debt you carry", household.payoff.revolving_owed, revolving
    )
    derivation.enter("liquidCash", "Cash", household.snapshot.liquid_cash)
    base = add_base(derivation, household)
    reserve = kept_in_cash(target.base, household.planned.income)
    three = reserve > max(0, target.base)
    months = "three months" if three else "a month"
    bills = rare_bills_ahead(household.books, household.today)
    if bills:
        derivation.enter("rareBills", f"Non-monthly bills of the next {BILLS_AHEAD} days", bills)
    needs = f"{'3 * ' if three else ''}max(0, {base})"
    derivation.derive(
        "spareCash",
        f"Cash left after card bills{', non-monthly bills' if bills else ''} and {months} of essentials",
        f"liquidCash - inFullOwed - {needs}{' - rareBills' if bills else ''}",
        household.snapshot.liquid_cash - owed - reserve - bills,
    )
    derivation.enter("strategy", "Strategy", section.strategy, "word")
    _add_payment(derivation, subject)
    _add_lump(derivation, household, base)
    derivation.enter("monthsToClear", "Months until paid off", section.months_to_clear, "months")
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
        f"owed{number}"
        for number, card in enumerate(payoff_order(household.cards), start=1)
        if card in dear_cards(household.payoff.revolving)
    ]
    on_its_way = sum(card.owed for card in dear_cards(household.payoff.revolving)) - lump.owed
    derivation.total("dearOwed", "Debt at 10% or more with interest", lump.owed + on_its_way, dear)
    if not household.payoff.lump or lump.guard is None or lump.lowest is None:
        derivation.enter("lumpSum", "To pay on these cards now", 0)
        return
    months = reserve_months(household.books, household.planned)
    derivation.enter("onItsWay", "Pending payments to these cards", on_its_way)
    derivation.enter("fundFloor", "Starter fund", household.target.floor)
    derivation.derive(
        "reserveKept", "Cash kept in reserve", f"max(fundFloor, {months} * {base})", lump.reserve
    )
    derivation.enter("pendingOut", "Pending charges", lump.pending)
    derivation.enter("guard", "Spare cash until the period ends", lump.guard)
    derivation.enter(
        "lowest",
        f"Lowest cash in the next {LOW_AHEAD} days (9 of 10 cases)",
        lump.lowest,
    )
    rare = " - rareBills" if lump.bills else ""
    derivation.derive(
        "lumpSum",
        "To pay on these cards now",
        f"min(dearOwed - onItsWay, liquidCash - pendingOut - reserveKept{rare}, guard, lowest)",
        household.payoff.lump,
    )


def _add_card(derivation: Derivation, number: int, name: str, card: CardUse) -> None:
    label, balance = f"Owed on {card.account.name}", card.account.balance
    if balance is None:
        derivation.enter(name, label, None)
        return
    derivation.derive(name, label, "max(0, balance)", card.owed, balance=balance)
    used = utilization(card)
    if used is not None:
        limit, formula = card.account.credit_limit or 0, f"round({name} / limit, 4)"
        derivation.derive(
            f"utilization{number}", "Share of its limit", formula, used, "share", limit=limit
        )


def _add_payment(derivation: Derivation, subject: Subject) -> None:
    household, section = subject.household, subject.plan.debt
    if section.strategy != "paydown":
        formula = "total" if section.strategy == "pay_in_full" else "0 * total"
        derivation.derive("monthlyPayment", "Payment", formula, section.monthly_payment)
        return
    means, least = household.means, least_minimum(household.currency)
    derivation.enter("leastMinimum", "Smallest minimum payment", least)
    minimums, charged = [], []
    cards = payoff_order(household.cards)
    for number, card in enumerate(cards, start=1):
        if card.owed and not card.in_full:
            charged += _add_interest(derivation, number, card)
            minimums.append(_add_minimum(derivation, number, card, least))
    derivation.total("minimums", "All minimums", household.payoff.waterfall.minimums, minimums)
    revolving = [card for card in cards if card.owed and not card.in_full]
    interest = sum(months_interest(owed_card(card)) for card in revolving)
    derivation.total("monthsInterest", "A month's interest", interest, charged)
    add_capacity(derivation, household)
    derivation.enter("cardInterest", "Card interest already in spending", means.card_interest)
    derivation.enter(
        "monthlyContribution", "To the starter fund first", household.payoff.waterfall.contribution
    )
    derivation.derive(
        "monthlyPayment",
        "Payment a month",
        "min(revolvingOwed + monthsInterest,"
        " max(minimums, capacity + cardInterest - monthlyContribution))",
        section.monthly_payment,
    )


def _add_minimum(derivation: Derivation, number: int, card: CardUse, least: int) -> str:
    name, label = f"minimum{number}", f"Minimum of {card.account.name}"
    due = minimum_due(owed_card(card), least)
    stated, has_rate = card.account.minimum_payment, card.account.apr is not None
    interest = f" + interest{number}" if has_rate else ""
    most = f"owed{number}{interest}"
    if stated is not None:
        derivation.derive(name, label, f"min({most}, issuersMinimum)", due, issuersMinimum=stated)
        return name
    with_interest = f"round(owed{number} / 100){interest}, " if has_rate else ""
    estimate = f"max({with_interest}round(owed{number} / 50), leastMinimum)"
    derivation.derive(name, label, f"min({most}, {estimate})", due)
    return name


def _add_interest(derivation: Derivation, number: int, card: CardUse) -> list[str]:
    owed = owed_card(card)
    if owed.rate is None:
        return []
    name, label = f"interest{number}", f"A month's interest on {card.account.name}"
    share = Quantity(name="rate", unit="share", value=owed.rate / 1_000_000)
    formula, charged = f"round(owed{number} * rate / 12)", months_interest(owed)
    derivation.derive(name, label, formula, charged, inputs=(share,))
    return [name]


def _reasons(subject: Subject) -> list[str]:
    household, section = subject.household, subject.plan.debt
    reasons = [_of_card(card) for card in payoff_order(household.cards) if card.owed]
    match section.strategy:
        case "none":
            nothing = "no known debt" if household.standing.cards_unknown else "no debt"
            reasons.append(f"You have {nothing} on cards, so there is nothing to pay.")
        case "pay_in_full" if household.payoff.revolving_owed:
            reasons.append(
                f"Cash covers all card debt and still leaves {_name_reserve(household)}. You can"
                " therefore pay all card debt from cash."
            )
        case "pay_in_full":
            reasons.append("You pay every card in full, so the payment comes from cash.")
        case "paydown":
            reasons.append(
                "If you paid the debt you carry in full from cash, less than"
                f" {_name_reserve(household)} would be left. Pay the debt down instead: minimums first,"
                " then a starter fund, then the cards in order."
            )
            reasons += [*floor_reasons(household), _order(subject), *_lump_reasons(household)]
    if section.months_to_clear is None and household.standing.cards_unknown:
        reasons.append(
            "finplan cannot tell when the cards will be paid off, because a card balance is"
            " missing."
        )
    return [*reasons, *unknown_balances(household)]


def _name_reserve(household: Assessment) -> str:
    """How much cash no card is paid from."""
    base = household.target.base
    bills = rare_bills_ahead(household.books, household.today)
    rare = " and the non-monthly bills of the next 90 days" if bills else ""
    if kept_in_cash(base, household.planned.income) > max(0, base):
        return f"three months of essentials (income does not cover them){rare}"
    return f"a month of essentials{rare}"


def _lump_reasons(household: Assessment) -> Iterator[str]:
    """Why dear cards get something at once, or nothing although they are dear."""
    lump = household.lump
    if lump is None:
        return
    stays = f"{count(reserve_months(household.books, household.planned), 'month')} of essentials"
    rare = ", the non-monthly bills of the next 90 days" if lump.bills else ""
    if household.payoff.lump:
        yield (
            f"A card at 10% or more costs more than cash earns. Keep {stays}{rare} and the cash for the"
            f" next {LOW_AHEAD} days, and pay the rest on the card now."
        )
    elif lump.guard is None:
        yield "A balance is missing, so finplan cannot tell whether cash can pay an expensive card now."
    elif lump.lowest is None:
        yield (
            "There is less than a month of history, so finplan cannot tell whether cash can pay an"
            " expensive card now."
        )
    else:
        yield f"You have no spare cash beyond {stays}{rare} and the needs of the next {LOW_AHEAD} days."


_PARTS = {2: "half a month, because income is uneven", 4: "a quarter of a month"}


def floor_reasons(household: Assessment) -> Iterator[str]:
    """What comes before extra card payments, and what that saves against a whole month first."""
    target, payoff = household.target, household.payoff
    floor = household.money(target.floor)
    if not target.floor:
        return
    if target.part == 1:
        yield (
            f"No card charges 10% or more, so save a full month of cash ({floor}) before you make extra"
            " card payments."
        )
        return
    unknown = "" if payoff.by_rate else " A missing rate counts as high."
    saved = "" if payoff.whole_month is None else _saved(household, payoff.whole_month)
    yield (
        "Card interest costs more than cash earns, so save only part of a month's cash before you make"
        f" extra card payments: {floor}, {_PARTS[target.part]}.{unknown}{saved}"
    )


def _saved(household: Assessment, slower: WaterfallResult) -> str:
    """What the floor saves in months and interest; nothing where a rate is not known."""
    faster = household.payoff.waterfall
    savings = []
    if faster.months_to_clear is not None and slower.months_to_clear is not None:
        months = slower.months_to_clear - faster.months_to_clear
        savings += [count(months, "month")] if months else []
    if household.payoff.by_rate:
        savings.append(f"{household.money(slower.interest - faster.interest)} of interest")
    return f" Compared with a full month first, that saves {listed(savings)}." if savings else ""


def _of_card(card: CardUse) -> str:
    name, payments = card.account.name, count(len(card.payments), "payment")
    if card.assumed:
        use = "you pay it in full" if card.in_full else "you carry a balance"
        return f"{name}: the plan assumes that {use}, because it knows only {payments}."
    if card.in_full:
        return f"{name}: you pay it in full. Your last payments match its balance."
    return f"{name}: you carry a balance. You paid interest, or less than the balance."


def _order(subject: Subject) -> str:
    payoff = subject.household.payoff
    first = payoff.revolving[0].account.name
    if payoff.by_rate:
        return (
            f"The card with the highest rate comes first: {first}. The months until payoff include"
            " interest."
        )
    return (
        f"A rate is missing, so the card closest to its limit comes first: {first}. The months until"
        " payoff exclude interest."
    )

"""Explanations of what the household owns and owes, and of its emergency fund."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from finplan.model.snapshot import WealthBalances
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.debt import floor_reasons
from finplan.plan.explain.formula import Derivation, add_capacity, planned_reasons
from finplan.plan.explain.parts import (
    Contributions,
    SectionExplanation,
    Subject,
    add_base,
    contributions_of_line,
    unknown_balances,
)
from finplan.plan.sections.debt import kept_free
from finplan.plan.sections.emergency import (
    LONGEST_WATERFALL,
    full_months,
    main_source,
    without_largest,
)
from finplan.plan.sections.wealth import wealth as wealth_of
from finplan.plan.words import count, listed, percent
from finplan.views.standing_words import labelled, worths


def snapshot(subject: Subject) -> SectionExplanation:
    """Balances by the role that each account plays."""
    shown, currency = subject.plan.snapshot, subject.household.currency
    worth = worths(shown.accounts, subject.household.standing.view())
    derivation = Derivation()
    parts: defaultdict[str, list[str]] = defaultdict(list)
    left_out = []
    for place, account in enumerate(shown.accounts, start=1):
        if account.role == "none":
            left_out.append(account.name)
        elif account.balance is not None:
            is_debt, name = account.role == "debt", f"account{place}"
            derivation.given(name, f"{account.name}{', owed' if is_debt else ''}", account.balance)
            parts[account.kind if is_debt else account.role].append(name)
    for name, label, known, total, part in (
        ("liquidCash", "Cash", worth.cash, shown.liquid_cash, "cash"),
        ("investments", "Investments", worth.investments, shown.investments, "investment"),
        ("creditCardDebt", "Cards", worth.cards, shown.credit_card_debt, "credit"),
        ("otherDebt", "Loans", worth.loans, shown.other_debt, "loan"),
    ):
        derivation.total(name, labelled(label, known), total, parts[part])
    derivation.derive(
        "netWorth",
        labelled("Net worth", worth.net_worth),
        "liquidCash + investments - creditCardDebt - otherDebt",
        shown.net_worth,
    )
    reasons = [
        "What is owed is signed: an overpaid card lowers the debt.",
        *unknown_balances(subject.household),
    ]
    if left_out:
        reasons.append(
            f"{listed(left_out)} counts in no figure: another currency than {currency}, or an account"
            " of no kind that can be added up."
        )
    return SectionExplanation(derivation, reasons)


def wealth(subject: Subject) -> SectionExplanation:
    """Net worth today, and the last month end that it is compared with."""
    household = subject.household
    found = wealth_of(household.ledger, household.today)
    balances = found.balances
    derivation = Derivation()
    _add_worth(derivation, household, balances)
    first = found.history[0].date
    since = household.today
    if len(found.history) > 1:
        before = found.history[-2]
        since, change = before.date, balances.net_worth - before.net_worth
        derivation.given("before", f"Net worth on {household.day(since)}", before.net_worth)
        derivation.derive("change", "Change since then", "netWorth - before", change)
    reasons = [
        (
            "Cash and cards of a past day are today's balances with every later row taken back; before"
            " missing statements they are the balances that were stated there, and in between no point"
            " is drawn."
        ),
        (
            "Investments and loans are the balances that were recorded by that day; before the first"
            " record they are held flat, because growth that nobody saw is not drawn."
        ),
        f"History begins on {household.day(first)}, when every account that matters is covered.",
        "Accounts that are hidden, in another currency or without a balance are in no point.",
        *unknown_balances(household),
    ]
    shown = Contributions(None, min(since + timedelta(1), household.today), household.today)
    return SectionExplanation(derivation, reasons, shown)


def _add_worth(derivation: Derivation, household: Assessment, balances: WealthBalances) -> None:
    """Add the balances; each says where it is a bound or unknown."""
    worth = worths(household.snapshot.accounts, household.standing.view())
    for name, label, known, amount in (
        ("cash", "Cash", worth.cash, balances.cash),
        ("investments", "Investments", worth.investments, balances.investments),
        ("cardDebt", "Cards", worth.cards, balances.card_debt),
        ("loans", "Loans", worth.loans, balances.loans),
    ):
        derivation.given(name, labelled(label, known), amount)
    derivation.derive(
        "netWorth",
        labelled("Net worth", worth.net_worth),
        "cash + investments - cardDebt - loans",
        balances.net_worth,
    )
    derivation.given(
        "cardsOwed", "Owed on cards, credits left out", balances.cash - balances.available
    )
    derivation.derive(
        "available",
        labelled("Cash after cards", worth.available),
        "cash - cardsOwed",
        balances.available,
    )


def emergency_fund(subject: Subject) -> SectionExplanation:
    """Reserve against months of essentials, and what a month adds to it."""
    household, fund = subject.household, subject.plan.emergency_fund
    target, waterfall = household.target, household.payoff.waterfall
    paydown = household.payoff.strategy == "paydown"
    worth = worths(household.snapshot.accounts, household.standing.view())
    lasts = labelled("Months it lasts", worth.available)
    derivation = Derivation()
    derivation.given("liquidCash", labelled("Cash", worth.cash), household.snapshot.liquid_cash)
    derivation.given("cardsOwed", labelled("Owed on cards", worth.cards), household.payoff.total)
    reserve = "max(0, liquidCash)" if paydown else "max(0, liquidCash - cardsOwed)"
    derivation.derive("reserve", "Reserve", reserve, target.reserve)
    base = add_base(derivation, household)
    if target.base > 0:
        covered = f"floor(reserve / {base}, 1)"
        derivation.derive("monthsCovered", lasts, covered, fund.months_covered, "months")
    else:
        derivation.given("monthsCovered", lasts, fund.months_covered, "months")
    derivation.given("targetMonths", "Months it should last", fund.target_months, "months")
    amount = f"targetMonths * max(0, {base})"
    derivation.derive("targetAmount", "What it should hold", amount, fund.target_amount)
    derivation.derive("gap", "What is missing", "max(0, targetAmount - reserve)", fund.gap)
    add_capacity(derivation, household)
    if paydown:
        derivation.derive(
            "starterFloor",
            "What comes before extra card payments",
            f"min(targetAmount, round(max(0, {base}) / {target.part}))",
            target.floor,
        )
        starter = "min(gap, max(0, starterFloor - liquidCash))"
        derivation.derive("starter", "Missing of it", starter, target.starter)
        derivation.given("cardInterest", "Card interest in spending", household.means.card_interest)
        derivation.given("minimums", "Card minimums", waterfall.minimums)
        derivation.derive(
            "monthlyContribution",
            "Put aside this month",
            "max(0, min(starter, capacity, capacity + cardInterest - minimums))",
            fund.monthly_contribution,
        )
    else:
        derivation.derive(
            "keptFree",
            "Half of the unused discretionary budget",
            "round(max(0, min(round(0.3 * plannedIncome), round(0.6 * max(0, plannedIncome -"
            " runningEssentials))) - runningDiscretionary) / 2)",
            kept_free(household.planned),
        )
        contribution = "min(gap, max(0, capacity - keptFree))"
        derivation.derive(
            "monthlyContribution", "Put aside a month", contribution, fund.monthly_contribution
        )
    name, label, months = "monthsToTarget", "Months to get there", fund.months_to_target
    if not paydown and fund.gap and months is not None:
        derivation.derive(name, label, "ceil(gap / monthlyContribution)", months, "months")
    else:
        derivation.given(name, label, months, "months")
    return SectionExplanation(
        derivation, _fund_reasons(subject), contributions_of_line(household, "essential")
    )


def _fund_reasons(subject: Subject) -> list[str]:
    household, fund = subject.household, subject.plan.emergency_fund
    paydown = household.payoff.strategy == "paydown"
    reasons = [
        *unknown_balances(household),
        "While a card revolves, all cash is reserve: the card is paid from what is left each month."
        if paydown
        else "The reserve is cash after cards: this month's card bills are already spoken for.",
        "The base is essential spending: loan payments and card purchases are in it.",
        *_provisional_reasons(household),
        _months_reason(subject),
    ]
    if paydown:
        reasons += floor_reasons(household)
    if household.target.base <= 0:
        reasons.append("No essential spending is known, so nothing can be said to be complete.")
    elif fund.gap and fund.months_to_target is None:
        reasons.append(
            f"At this pace the fund is not full in {LONGEST_WATERFALL // 12} years."
            if fund.monthly_contribution
            else "Nothing is left over for it, so no month can be named."
        )
    elif fund.gap == 0 and fund.months_to_target is None:
        reasons.append(
            "Nothing is missing of what is known, but too little is known to say that it is reached."
        )
    elif paydown and fund.gap:
        reasons.append(
            "The months come from a simulation: minimums, the starter, the cards, then the rest."
        )
    return [*reasons, *planned_reasons(household)]


def _provisional_reasons(household: Assessment) -> Iterator[str]:
    """What the base holds of unknown spending, and that the plan is provisional."""
    standing = household.standing
    if not standing.spending_unknown:
        return
    share = percent(standing.unknown_total, standing.spending)
    added = (
        " Regular charges among it are counted in the base, since they are more often a need."
        if standing.regular
        else ""
    )
    yield f"The plan is an estimate: {share} of spending has no category.{added}"


def _months_reason(subject: Subject) -> str:
    """Why the fund should last as many months as it should."""
    household, target = subject.household, subject.household.target
    months = count(target.months, "month")
    match target.why:
        case "own":
            return (
                f"{months} is your own goal (`finplan settings set --fund-months none` resets it)."
            )
        case "starter":
            later, _ = full_months(household.books, household.target.base)
            return (
                f"{months} is the goal while a card revolves; once the cards are clear the goal is"
                f" {count(later, 'month')}."
            )
        case "short_history":
            return f"{months} is assumed until 3 full months are known."
        case "uneven_income":
            return f"{months}, because income is uneven: {_uneven(subject)}"
        case "two_earners":
            return (
                f"{months}, because two earners pay: without the largest source,"
                f" {household.money(without_largest(household.books))} a month still comes in, at"
                " least half of essentials."
            )
        case "usual":
            return (
                f"{months} is usual where income is steady: without the largest source,"
                f" {household.money(without_largest(household.books))} a month would come in."
            )


def _uneven(subject: Subject) -> str:
    books = subject.household.books
    main = main_source(books)
    if main is None:
        return "none is known."
    if main.cadence == "irregular":
        return f"{main.name} gives {percent(main.total, books.income)} of it and keeps no rhythm."
    if any(each.active and each.cadence != "irregular" for each in books.sources) and main.active:
        return f"what {main.name} pays varies by more than a quarter."
    return "no source pays in a rhythm now."

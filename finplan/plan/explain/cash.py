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
from finplan.views.unknowns import labelled, worths


def snapshot(subject: Subject) -> SectionExplanation:
    """Balances by the role that each account plays."""
    section, currency = subject.plan.snapshot, subject.household.currency
    worth = worths(section.accounts, subject.household.standing.view())
    derivation = Derivation()
    parts: defaultdict[str, list[str]] = defaultdict(list)
    left_out = []
    for number, account in enumerate(section.accounts, start=1):
        if account.role == "none":
            left_out.append(account.name)
        elif account.balance is not None:
            is_debt, name = account.role == "debt", f"account{number}"
            derivation.enter(name, f"{account.name}{', owed' if is_debt else ''}", account.balance)
            parts[account.kind if is_debt else account.role].append(name)
    for name, label, bound, total, part in (
        ("liquidCash", "Cash", worth.cash, section.liquid_cash, "cash"),
        ("investments", "Investments", worth.investments, section.investments, "investment"),
        ("creditCardDebt", "Cards", worth.cards, section.credit_card_debt, "credit"),
        ("otherDebt", "Loans", worth.loans, section.other_debt, "loan"),
    ):
        derivation.total(name, labelled(label, bound), total, parts[part])
    derivation.derive(
        "netWorth",
        labelled("Net worth", worth.net_worth),
        "liquidCash + investments - creditCardDebt - otherDebt",
        section.net_worth,
    )
    reasons = [
        "An overpaid card lowers card debt.",
        *unknown_balances(subject.household),
    ]
    if left_out:
        reasons.append(
            f"{listed(left_out)} {'is' if len(left_out) == 1 else 'are'} excluded: the currency is not"
            f" {currency}, or net worth cannot include this kind of account."
        )
    return SectionExplanation(derivation, reasons)


def wealth(subject: Subject) -> SectionExplanation:
    """Net worth today, and the last month end that it is compared with."""
    household = subject.household
    worth = wealth_of(household.ledger, household.today)
    balances = worth.balances
    derivation = Derivation()
    _add_worth(derivation, household, balances)
    first = worth.history[0].date
    since = household.today
    if len(worth.history) > 1:
        before = worth.history[-2]
        since, change = before.date, balances.net_worth - before.net_worth
        derivation.enter("before", f"Net worth on {household.day(since)}", before.net_worth)
        derivation.derive("change", "Change since then", "netWorth - before", change)
    reasons = [
        (
            "Past cash and card balances are today's balances minus all later transactions. For"
            " days before a gap in your statements, finplan starts from a balance that the earlier"
            " statements show. The gap itself stays empty."
        ),
        (
            "For investments and loans, each past day shows the last balance recorded by then. Before"
            " the first record, the line is flat. Accounts that you added begin on their first day, or"
            " with their first balance."
        ),
        f"History begins on {household.day(first)}, when every main account has data.",
        "Accounts that are hidden, in another currency or without a balance are excluded.",
        *unknown_balances(household),
    ]
    contributions = Contributions(None, min(since + timedelta(1), household.today), household.today)
    return SectionExplanation(derivation, reasons, contributions)


def _add_worth(derivation: Derivation, household: Assessment, balances: WealthBalances) -> None:
    """Add the balances; each says where it is a bound or unknown."""
    worth = worths(household.snapshot.accounts, household.standing.view())
    for name, label, bound, amount in (
        ("cash", "Cash", worth.cash, balances.cash),
        ("investments", "Investments", worth.investments, balances.investments),
        ("cardDebt", "Cards", worth.cards, balances.card_debt),
        ("loans", "Loans", worth.loans, balances.loans),
    ):
        derivation.enter(name, labelled(label, bound), amount)
    derivation.derive(
        "netWorth",
        labelled("Net worth", worth.net_worth),
        "cash + investments - cardDebt - loans",
        balances.net_worth,
    )
    derivation.enter(
        "cardsOwed", "Card debt without overpaid cards", balances.cash - balances.available
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
    lasts = labelled("Months the reserve lasts", worth.available)
    derivation = Derivation()
    derivation.enter("liquidCash", labelled("Cash", worth.cash), household.snapshot.liquid_cash)
    derivation.enter("cardsOwed", labelled("Card debt", worth.cards), household.payoff.total)
    reserve = "max(0, liquidCash)" if paydown else "max(0, liquidCash - cardsOwed)"
    derivation.derive("reserve", "Reserve", reserve, target.reserve)
    base = add_base(derivation, household)
    if target.base > 0:
        covered = f"floor(reserve / {base}, 1)"
        derivation.derive("monthsCovered", lasts, covered, fund.months_covered, "months")
    else:
        derivation.enter("monthsCovered", lasts, fund.months_covered, "months")
    derivation.enter("targetMonths", "Months the reserve should last", fund.target_months, "months")
    amount = f"targetMonths * max(0, {base})"
    derivation.derive("targetAmount", "Emergency fund target", amount, fund.target_amount)
    derivation.derive("gap", "Still missing", "max(0, targetAmount - reserve)", fund.gap)
    add_capacity(derivation, household)
    if paydown:
        derivation.derive(
            "starterFloor",
            "Starter fund",
            f"min(targetAmount, round(max(0, {base}) / {target.part}))",
            target.floor,
        )
        starter = "min(gap, max(0, starterFloor - liquidCash))"
        derivation.derive("starter", "Missing from the starter fund", starter, target.starter)
        derivation.enter(
            "cardInterest", "Card interest already in spending", household.means.card_interest
        )
        derivation.enter("minimums", "Card minimums", waterfall.minimums)
        derivation.derive(
            "monthlyContribution",
            "To the emergency fund this month",
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
            "monthlyContribution",
            "To the emergency fund a month",
            contribution,
            fund.monthly_contribution,
        )
    name, label, months = "monthsToTarget", "Months until full", fund.months_to_target
    if not paydown and fund.gap and months is not None:
        derivation.derive(name, label, "ceil(gap / monthlyContribution)", months, "months")
    else:
        derivation.enter(name, label, months, "months")
    return SectionExplanation(
        derivation, _fund_reasons(subject), contributions_of_line(household, "essential")
    )


def _fund_reasons(subject: Subject) -> list[str]:
    household, fund = subject.household, subject.plan.emergency_fund
    paydown = household.payoff.strategy == "paydown"
    reasons = [
        *unknown_balances(household),
        (
            "While you carry card debt, all your cash counts as reserve, because you pay the cards"
            " from the money left each month."
        )
        if paydown
        else "The reserve is your cash minus what you owe on cards today.",
        (
            "The target is based on essential spending, including loan payments and card purchases of"
            " essentials."
        ),
        *_provisional_reasons(household),
        _months_reason(subject),
    ]
    if paydown:
        reasons += floor_reasons(household)
    if household.target.base <= 0:
        reasons.append("No essential spending is known, so the fund cannot count as full.")
    elif fund.gap and fund.months_to_target is None:
        reasons.append(
            f"At this rate, the fund takes more than {LONGEST_WATERFALL // 12} years to fill."
            if fund.monthly_contribution
            else (
                "You have no money left for the fund, so finplan cannot tell when the fund will be"
                " full."
            )
        )
    elif fund.gap == 0 and fund.months_to_target is None:
        reasons.append("The fund looks full, but too much is unknown to be sure.")
    elif paydown and fund.gap:
        reasons.append(
            "The months come from a simulation. It pays card minimums first, then the starter fund, the"
            " cards and the full fund."
        )
    return [*reasons, *planned_reasons(household)]


def _provisional_reasons(household: Assessment) -> Iterator[str]:
    """What the base holds of unknown spending, and that the plan is provisional."""
    standing = household.standing
    if not standing.spending_unknown:
        return
    share = percent(standing.unknown_total, standing.spending)
    added = (
        " Regular charges without a category count as essentials, because they usually are."
        if standing.regular
        else ""
    )
    yield f"The plan is an estimate: {share} of spending is not categorized.{added}"


def _months_reason(subject: Subject) -> str:
    """Why the fund should last as many months as it should."""
    household, target = subject.household, subject.household.target
    months = count(target.months, "month")
    match target.why:
        case "own":
            return f"{months} is your own goal. Reset it with `finplan settings set --fund-months none`."
        case "starter":
            later, _ = full_months(household.books, household.target.base)
            return (
                f"{months} is the goal while you carry card debt. Once it is paid off, the goal is"
                f" {count(later, 'month')}."
            )
        case "short_history":
            return f"{months} is an assumption until 3 full months of data are known."
        case "uneven_income":
            return f"{months}, because income is uneven: {_uneven(subject)}"
        case "two_earners":
            return (
                f"{months}, because you have two incomes: without the largest source,"
                f" {household.money(without_largest(household.books))} a month still comes in. That"
                " covers at least half of essentials."
            )
        case "usual":
            return (
                f"{months} is usual for steady income: without the largest source,"
                f" {household.money(without_largest(household.books))} a month would come in."
            )


def _uneven(subject: Subject) -> str:
    books = subject.household.books
    main = main_source(books)
    if main is None:
        return "none is known."
    if main.cadence == "irregular":
        return f"{main.name} is irregular and brings {percent(main.total, books.income)} of your income."
    if any(pay.active and pay.cadence != "irregular" for pay in books.sources) and main.active:
        return f"payments from {main.name} vary by more than a quarter."
    return "no source pays regularly now."

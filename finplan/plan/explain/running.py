"""How running figures follow: each source and each bill that changed, one-offs, and planned income."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.shortfall import describe_change
from finplan.plan.explain.formula import Derivation, add_months_averaged
from finplan.plan.ledger.books import MonthlyChange, Series
from finplan.plan.ledger.ledger import AMOUNT
from finplan.plan.sections.monthly import MONTHS_TO_TRUST, spending_totals

_LINES = {"essentials": "essential", "discretionary": "discretionary"}

_NAMED = 3
"""So many changes are named as reasons."""


def line_total(household: Assessment, line: str) -> int:
    """The window's sum of one line of spending."""
    catalogue = household.ledger.catalogue
    totals = spending_totals(household.books, catalogue)
    return sum(entry.total for entry in totals if catalogue[entry.category].line == line)


def add_running_essentials(derivation: Derivation, household: Assessment) -> None:
    """Add what essentials take a month from now on."""
    _add_line(derivation, household, "essentials", household.planned.essentials)


def add_running_discretionary(derivation: Derivation, household: Assessment) -> None:
    """Add what discretionary spending takes a month from now on."""
    _add_line(derivation, household, "discretionary", household.planned.discretionary)


def add_capacity(derivation: Derivation, household: Assessment) -> None:
    """Add what planned income leaves after spending, with all that it follows from."""
    if derivation.knows("capacity"):
        return
    add_running_essentials(derivation, household)
    add_running_discretionary(derivation, household)
    derivation.derive(
        "runningSpend",
        "Spending a month from now on",
        "runningEssentials + runningDiscretionary",
        household.planned.spend,
    )
    add_planned_income(derivation, household)
    derivation.derive(
        "capacity",
        "Left of planned income",
        "max(0, plannedIncome - runningSpend)",
        household.planned.capacity,
    )


def add_planned_income(derivation: Derivation, household: Assessment) -> None:
    """Add planned income, and what each running source brings of it."""
    if derivation.knows("plannedIncome"):
        return
    own = household.ledger.monthly_income
    if own is not None:
        derivation.given("plannedIncome", "Your own figure of monthly income", own)
        return
    if _plans_with_what_came(household):
        months = add_months_averaged(derivation, household.books.window)
        derivation.mean(
            "plannedIncome",
            "Planned income: average received",
            household.planned.income,
            months,
            incomeTotal=household.books.income,
        )
        return
    add_running_income(derivation, household)
    derivation.derive("plannedIncome", "Planned income", "runningIncome", household.planned.income)


def add_running_income(derivation: Derivation, household: Assessment) -> None:
    """Add what each running source brings a month, and all of them together."""
    if derivation.knows("runningIncome"):
        return
    running, window = household.books.running, household.books.window
    months = add_months_averaged(derivation, window)
    names = []
    for place, (source, monthly) in enumerate(running.by_source, start=1):
        names.append(f"running{place}")
        label = f"{source.name} a month from now on"
        whole = _averaged(household, source)
        if whole is None or not months:
            derivation.given(names[-1], label, monthly)
        else:
            derivation.mean(names[-1], label, monthly, months, **{f"paid{place}": whole})
    derivation.total("runningIncome", "Income from current sources", running.income, names)


def planned_reasons(household: Assessment) -> Iterator[str]:
    """Say why planned income is what it is, and name the largest changes behind the running figures."""
    if household.ledger.monthly_income is not None:
        yield (
            "Planned income is your own figure: `finplan snapshot --income detected` goes back to"
            " what your transactions show."
        )
    elif _plans_with_what_came(household):
        yield (
            "Planned income is the average received: no regular source in less than"
            f" {MONTHS_TO_TRUST} months of data."
        )
    else:
        yield (
            "Planned income is what your current sources bring. It leaves out one-time income and"
            " sources that stopped."
        )
    for change in household.books.running.changes[:_NAMED]:
        yield describe_change(change, household.currency, household.today)
    count = len(household.books.running.one_offs)
    if count:
        yield (
            f"{count} one-time {'transaction is' if count == 1 else 'transactions are'} in the"
            " averages but not in the plan."
        )


def _plans_with_what_came(household: Assessment) -> bool:
    books = household.books
    return not books.running.by_source and books.window.months < MONTHS_TO_TRUST


def _averaged(household: Assessment, source: Series) -> int | None:
    """The window's sum that a source's month is the mean of; None where it is no mean."""
    books = household.books
    if any(change.series is source for change in books.running.changes):
        return None
    if source.cadence == "irregular":
        once = books.running.one_offs
        return sum(row[AMOUNT] for row in source.planned if row not in once)
    months = books.window.months
    total = source.total - sum(row[AMOUNT] for row in source.beside)
    return total if total <= source.monthly * months or months >= 6 else None


def _add_line(derivation: Derivation, household: Assessment, name: str, result: int) -> None:
    """Add a running line: the mean without one-offs and changed bills, and what these cost now."""
    running_name = f"running{name.capitalize()}"
    if derivation.knows(running_name):
        return
    label = f"{name.capitalize()} a month from now on"
    line, running = _LINES[name], household.books.running
    catalogue = household.ledger.catalogue
    months = add_months_averaged(derivation, household.books.window)
    changes = [
        change
        for change in running.changes
        if not change.is_income and catalogue[change.series.category].line == line
    ]
    once = sum(
        total for each, total in running.one_off_totals.items() if catalogue[each].line == line
    )
    total, changed = line_total(household, line), sum(each.series.total for each in changes)
    if not months:
        derivation.given(running_name, label, result)
        return
    if not changes and not once:
        derivation.mean(running_name, label, result, months, **{f"{line}Total": total})
        return
    now = _add_changed(derivation, line, changes)
    rest = Fraction(total - once - changed) / months + now
    derivation.part(
        running_name,
        label,
        f"round(({line}Total - {line}Once - {line}Changed) / months + {line}Now)",
        half_even(rest.numerator, rest.denominator),
        result,
        **{f"{line}Total": total, f"{line}Once": once, f"{line}Changed": changed},
    )


def _add_changed(derivation: Derivation, line: str, changes: Sequence[MonthlyChange]) -> int:
    """Add what each bill that changed costs a month from now on, and their sum."""
    names = []
    for place, change in enumerate(changes, start=1):
        names.append(f"{line}Bill{place}")
        derivation.given(names[-1], f"{change.series.title} from now on", change.now)
    now = sum(change.now for change in changes)
    derivation.total(f"{line}Now", "Changed bills from now on", now, names)
    return now

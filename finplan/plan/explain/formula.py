"""The derivation of a figure: its formula with the numbers in it, in the order of computing.

Explanations never compute a figure anew: each result is the plan's own, and the formula beside it
must come to it. What rounding to a whole hands to a part stands in the formula as `rounding`. Most
formulas lead back to running figures: each source and each bill that changed, one-offs, planned
income.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from finplan.model.explain import Figure, Quantity, Unit, Value
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.shortfall import describe_change
from finplan.plan.ledger.books import MonthlyChange, Series, WindowFacts
from finplan.plan.ledger.ledger import AMOUNT
from finplan.plan.sections.monthly import MONTHS_TO_TRUST, spending_totals

_NAME_IN_FORMULA = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = frozenset({"min", "max", "round", "floor", "ceil"})
_DECIMALS = 4
"""How many decimals a share has."""


class Derivation:
    """Collects figures; a formula may name every figure that came before it."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self._known: dict[str, Quantity] = {}

    def knows(self, name: str) -> bool:
        """Whether a figure of that name came before."""
        return name in self._known

    def enter(self, name: str, label: str, result: Value, unit: Unit = "money") -> None:
        """Add a figure that the data give, or that a rule chose."""
        self._add(Figure(name=name, label=label, unit=unit, formula=None, values=(), result=result))

    def day(self, name: str, label: str, result: date | None) -> None:
        """Add a date."""
        self.enter(name, label, None if result is None else result.isoformat(), "date")

    def derive(
        self,
        name: str,
        label: str,
        formula: str,
        result: Value,
        unit: Unit = "money",
        inputs: Sequence[Quantity] = (),
        **amounts: int,
    ) -> None:
        """Add a figure with its formula; `amounts` and `inputs` are what no figure before it holds."""
        money = {
            key: Quantity(name=key, unit="money", value=amount) for key, amount in amounts.items()
        }
        quantities = self._known | {quantity.name: quantity for quantity in inputs} | money
        names = dict.fromkeys(
            key for key in _NAME_IN_FORMULA.findall(formula) if key not in _FUNCTIONS
        )
        values = tuple(quantities[key] for key in names)
        self._add(
            Figure(name=name, label=label, unit=unit, formula=formula, values=values, result=result)
        )

    def mean(self, name: str, label: str, result: int, months: Fraction, **total: int) -> None:
        """Add a mean: a window's total, which comes with its name, over `months`, known before."""
        if not months:
            self.enter(name, label, result)
            return
        ((key, amount),) = total.items()
        self.part(name, label, f"round({key} / months)", round(amount / months), result, **total)

    def part(
        self, name: str, label: str, formula: str, exact: int, result: int, **amounts: int
    ) -> None:
        """Add a part of a rounded whole: `exact` is what the formula comes to by itself."""
        if result != exact:
            formula, amounts = f"{formula} + rounding", {**amounts, "rounding": result - exact}
        self.derive(name, label, formula, result, "money", (), **amounts)

    def share_of_whole(
        self, name: str, label: str, formula: str, exact: Fraction, result: float, **amounts: int
    ) -> None:
        """Add one of several shares that add up to 1: `exact` is what its formula comes to exactly."""
        unit = 10**_DECIMALS
        off = round(result * unit) - round(unit * exact)
        rounded = f"round({formula}, {_DECIMALS}){' + rounding' if off else ''}"
        rounding = Quantity(name="rounding", unit="share", value=off / unit)
        self.derive(name, label, rounded, result, "share", [rounding], **amounts)

    def total(self, name: str, label: str, result: int, parts: Sequence[str]) -> None:
        """Add a sum of figures known before; a sum of nothing is given as it is."""
        if parts:
            self.derive(name, label, " + ".join(parts), result)
        else:
            self.enter(name, label, result)

    def _add(self, figure: Figure) -> None:
        self.figures.append(figure)
        self._known[figure.name] = Quantity(name=figure.name, unit=figure.unit, value=figure.result)


def add_months_averaged(derivation: Derivation, window: WindowFacts) -> Fraction:
    """Add the divisor of every mean, and answer it."""
    months = window.months
    if derivation.knows("months"):
        return months
    value = months.numerator if months.denominator == 1 else float(months)
    derivation.enter("months", "Months averaged", value, "months")
    return months


RUNNING_LINES = {"essentials": "essential", "discretionary": "discretionary"}
"""The lines of spending by the names of their figures."""

FOR_PLANNED = "Set aside for planned payments a month"

_CHANGES_NAMED = 3
"""So many changes are named as reasons."""


def line_total(household: Assessment, line: str) -> int:
    """The window's sum of one line of spending."""
    catalogue = household.ledger.catalogue
    totals = spending_totals(household.books, catalogue)
    return sum(entry.total for entry in totals if catalogue[entry.category].line == line)


def add_capacity(derivation: Derivation, household: Assessment) -> None:
    """Add what planned income leaves after spending, with all that it follows from."""
    if derivation.knows("capacity"):
        return
    for name in RUNNING_LINES:
        add_running_line(derivation, household, name)
    spend, planned = "runningEssentials + runningDiscretionary", household.planned
    derivation.derive("runningSpend", "Spending a month from now on", spend, planned.spend)
    add_planned_income(derivation, household)
    taken = "runningSpend"
    if planned.set_aside:
        derivation.enter("forPlanned", FOR_PLANNED, planned.set_aside)
        taken = "runningSpend - forPlanned"
    derivation.derive(
        "capacity", "Planned surplus", f"max(0, plannedIncome - {taken})", planned.capacity
    )


def add_planned_income(derivation: Derivation, household: Assessment) -> None:
    """Add planned income, and what each running source brings of it."""
    if derivation.knows("plannedIncome"):
        return
    own = household.ledger.monthly_income
    if own is not None:
        derivation.enter("plannedIncome", "Monthly income set by you", own)
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
    for number, (source, monthly) in enumerate(running.by_source, start=1):
        names.append(f"running{number}")
        label = f"{source.name} a month from now on"
        paid = _averaged_sum(household, source)
        if paid is None or not months:
            derivation.enter(names[-1], label, monthly)
        else:
            derivation.mean(names[-1], label, monthly, months, **{f"paid{number}": paid})
    derivation.total("runningIncome", "Income from current sources", running.income, names)


def planned_reasons(household: Assessment) -> Iterator[str]:
    """Say why planned income is what it is, and name the largest changes behind the running figures."""
    if household.ledger.monthly_income is not None:
        yield (
            "You set planned income yourself. `finplan snapshot --income detected` returns to the"
            " detected income."
        )
    elif _plans_with_what_came(household):
        yield (
            "Planned income is the average received: there is less than"
            f" {MONTHS_TO_TRUST} months of data, and no regular source."
        )
    else:
        yield (
            "Planned income comes from your current sources. It excludes one-time income and sources"
            " that stopped."
        )
    for change in household.books.running.changes[:_CHANGES_NAMED]:
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


def _averaged_sum(household: Assessment, source: Series) -> int | None:
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


def add_running_line(derivation: Derivation, household: Assessment, name: str) -> None:
    """Add what essentials, or discretionary spending, take a month from now on.

    It is the mean without one-offs and changed bills, and what these cost now.
    """
    result: int = getattr(household.planned, name)
    running_name = f"running{name.capitalize()}"
    if derivation.knows(running_name):
        return
    label = f"{name.capitalize()} a month from now on"
    line, running = RUNNING_LINES[name], household.books.running
    catalogue = household.ledger.catalogue
    months = add_months_averaged(derivation, household.books.window)
    changes = [
        change
        for change in running.changes
        if not change.is_income and catalogue[change.series.category].line == line
    ]
    once = sum(
        total for name, total in running.one_off_totals.items() if catalogue[name].line == line
    )
    total, changed = line_total(household, line), sum(change.series.total for change in changes)
    if not months:
        derivation.enter(running_name, label, result)
        return
    if not changes and not once:
        derivation.mean(running_name, label, result, months, **{f"{line}Total": total})
        return
    now = _add_changed(derivation, line, changes)
    exact = Fraction(total - once - changed) / months + now
    derivation.part(
        running_name,
        label,
        f"round(({line}Total - {line}Once - {line}Changed) / months + {line}Now)",
        round(exact),
        result,
        **{f"{line}Total": total, f"{line}Once": once, f"{line}Changed": changed},
    )


def _add_changed(derivation: Derivation, line: str, changes: Sequence[MonthlyChange]) -> int:
    """Add what each bill that changed costs a month from now on, and their sum."""
    names = []
    for number, change in enumerate(changes, start=1):
        names.append(f"{line}Bill{number}")
        derivation.enter(names[-1], f"New monthly amount of {change.series.title}", change.now)
    now = sum(change.now for change in changes)
    derivation.total(f"{line}Now", f"Changed {line} bills, new monthly amounts", now, names)
    return now

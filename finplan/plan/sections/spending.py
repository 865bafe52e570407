"""The plan's lists of money: spending categories, income sources and recurring charges."""

from collections.abc import Sequence
from datetime import date

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import apportion, split
from finplan.model.plan import IncomeSource, PlanCategory, RecurringCharge
from finplan.plan.ledger.books import Books, Series
from finplan.plan.sections.monthly import Means, exact_per_month, spending_totals

_RARE = frozenset({"quarterly", "twice_yearly", "annual"})


def shares(totals: Sequence[int]) -> list[float]:
    """Each positive total's share of all positive totals; 4 decimals that add up to 1, or all 0."""
    weights = [max(0, total) for total in totals]
    if not any(weights):
        return [0.0] * len(totals)
    return [part / 10_000 for part in split(10_000, weights)]


def plan_categories(books: Books, catalogue: Catalogue, means: Means) -> tuple[PlanCategory, ...]:
    """The window's spending categories, dearest first.

    The monthly figures of each line add up to the line's mean, and the totals to the spending.
    """
    entries = spending_totals(books, catalogue)
    monthly: dict[str, int] = {}
    for line, whole in (("essential", means.essentials), ("discretionary", means.discretionary)):
        members = [entry for entry in entries if catalogue[entry.category].line == line]
        exact = [exact_per_month(entry.total, books.window.months) for entry in members]
        parts = apportion(whole, exact)
        monthly |= {entry.category: part for entry, part in zip(members, parts, strict=True)}
    ordered = sorted(entries, key=lambda entry: (-entry.total, entry.category))
    return tuple(
        PlanCategory(
            category=entry.category,
            label=catalogue[entry.category].label,
            line="essential" if catalogue[entry.category].line == "essential" else "discretionary",
            monthly=monthly[entry.category],
            total=entry.total,
            count=entry.count,
            share_of_spend=share,
        )
        for entry, share in zip(ordered, shares([entry.total for entry in ordered]), strict=True)
    )


def income_sources(books: Books) -> tuple[IncomeSource, ...]:
    """Who pays the person, the largest running source first."""
    return tuple(
        IncomeSource(
            name=source.name,
            amount=source.amount,
            monthly=source.monthly,
            total=source.total,
            count=source.count,
            cadence=source.cadence,
            interval_days=source.interval_days,
            last_date=source.last_date,
            next_date=source.next_date,
            active=source.active,
        )
        for source in sorted(
            books.sources,
            key=lambda source: (-source.monthly, -source.total, source.name, source.payees),
        )
    )


def running_charges(books: Books) -> list[Series]:
    """The recurring charges that still come, dearest a month first."""
    return sorted(
        (charge for charge in books.charges if charge.active and charge.next_date is not None),
        key=lambda charge: (-charge.monthly, charge.title, charge.payees, charge.amount),
    )


def rare_bills(books: Books, until: date) -> list[tuple[date, Series]]:
    """The bills that come quarterly or less often and are due until a day, by their day.

    They are seen, young or expected again; each stands there once, however often it comes until then.
    """
    due = [
        (charge.next_date, charge)
        for charge in (*running_charges(books), *books.young_bills, *books.expected_again)
        if charge.cadence in _RARE and charge.next_date is not None and charge.next_date <= until
    ]
    return sorted(due, key=lambda each: (each[0], -each[1].amount, each[1].name))


def recurring_charges(books: Books) -> tuple[RecurringCharge, ...]:
    """The plan's `recurring`."""
    found = []
    for charge in running_charges(books):
        assert charge.cadence != "irregular", "Only a rhythm makes a charge recurring."
        assert charge.interval_days is not None
        assert charge.next_date is not None
        found.append(
            RecurringCharge(
                name=charge.title,
                amount=charge.amount,
                monthly=charge.monthly,
                interval_days=charge.interval_days,
                cadence=charge.cadence,
                count=charge.count_all,
                last_date=charge.last_date,
                next_date=charge.next_date,
                category=charge.category,
            )
        )
    return tuple(found)

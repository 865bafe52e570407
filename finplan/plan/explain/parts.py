"""What an explanation is made from, and one section explained, before it is a wire shape.

Which transactions contribute to a figure is said by the largest of them, and how to list all.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from heapq import nsmallest
from shlex import quote

from finplan.model.explain import FeedingRow, Rest
from finplan.model.plan import Plan
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.formula import Derivation, add_running_line
from finplan.plan.ledger.books import WindowFacts, rows_between
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, Row
from finplan.views import plan_text
from finplan.views.unknowns import list_unknowns

SHOWN = 10
"""How many transactions an explanation lists."""


@dataclass(frozen=True, slots=True)
class Contributions:
    """The posted rows between two days, both counted, of these categories, or of any with None.

    With `accounts` or `payees` only the rows of these, by their numbers; with `window` only those on
    days that it averages; with `pending` also what is on its way out.
    """

    categories: Collection[str] | None
    since: date
    until: date
    accounts: Collection[int] | None = None
    payees: Collection[int] | None = None
    window: WindowFacts | None = None
    pending: bool = False


def contributions_in_window(
    household: Assessment, accepts: Callable[[str], bool] | None = None
) -> Contributions:
    """The window's rows of every category that is wanted, by default of all."""
    window = household.books.window
    categories = None if accepts is None else sorted(filter(accepts, household.books.categories))
    return Contributions(categories, window.since, window.until, window=window)


def largest_contributions(
    household: Assessment, contributions: Contributions | None
) -> tuple[tuple[FeedingRow, ...], Rest | None]:
    """The largest rows, newer ones first among equals, and what is left out."""
    if contributions is None:
        return (), None
    count = sum(1 for _ in _contributing_rows(household, contributions))
    largest = nsmallest(SHOWN, _contributing_rows(household, contributions), key=_by_size)
    rows = tuple(
        FeedingRow(
            date=date_of(row[DAY]),
            payee=household.ledger.payees[row[PAYEE]].name,
            account=household.ledger.accounts[row[ACCOUNT]].name,
            category=category,
            amount=row[AMOUNT],
        )
        for category, row in largest
    )
    if count <= SHOWN:
        return rows, None
    return rows, Rest(count=count - SHOWN, command=_listing_command(household, contributions))


def _contributing_rows(
    household: Assessment, contributions: Contributions
) -> Iterator[tuple[str, Row]]:
    yield from _posted_rows(household, contributions)
    if contributions.pending:
        yield from pending_contributions(household, contributions)


def pending_contributions(
    household: Assessment, contributions: Contributions
) -> Iterator[tuple[str, Row]]:
    """The pending outflows between the days of contributions, of their categories."""
    since, until = day_of(contributions.since), day_of(contributions.until)
    ledger = household.ledger
    for row, category in pending_outflows(ledger, ledger.pending):
        is_included = contributions.categories is None or category in contributions.categories
        if is_included and since <= row[DAY] <= until:
            yield category, row


def _posted_rows(household: Assessment, contributions: Contributions) -> Iterator[tuple[str, Row]]:
    since, until = day_of(contributions.since), day_of(contributions.until)
    for sheet in household.books.sheets:
        of_payee = contributions.payees is None or sheet.payee in contributions.payees
        if of_payee and (
            contributions.categories is None or sheet.category in contributions.categories
        ):
            for row in rows_between(sheet, since, until):
                if contributions.window is not None and not contributions.window.holds(row[DAY]):
                    continue
                if contributions.accounts is None or row[ACCOUNT] in contributions.accounts:
                    yield sheet.category, row


def _by_size(contribution: tuple[str, Row]) -> tuple[int, int, str, Row]:
    category, row = contribution
    return -abs(row[AMOUNT]), -row[DAY], category, row


def _listing_command(household: Assessment, contributions: Contributions) -> str:
    posted = "" if contributions.pending else " --posted"
    parts = [
        f"finplan transactions{posted} --from {contributions.since} --to {contributions.until}"
    ]
    parts += [
        f"--account {household.ledger.accounts[number].id}"
        for number in sorted(contributions.accounts or ())
    ]
    parts += [
        f"--merchant {quote(household.ledger.payees[number].key)}"
        for number in sorted(contributions.payees or ())
    ]
    parts += [f"--category {category}" for category in contributions.categories or ()]
    return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Subject:
    """A household on a day, the plan that it comes to, and the plan that its live view rests on."""

    household: Assessment
    plan: Plan
    latest: Plan


@dataclass(frozen=True, slots=True)
class SectionExplanation:
    """One section: how it is derived, the reasons for each choice, the rows that contribute."""

    derivation: Derivation
    reasons: Sequence[str] = field(default=())
    contributions: Contributions | None = None


Explainer = Callable[[Subject], SectionExplanation]


def is_spending(household: Assessment, category: str) -> bool:
    """Whether a category's rows are spending."""
    return household.ledger.catalogue.flow(category) == "spending"


def contributions_of_line(household: Assessment, line: str) -> Contributions:
    """The window's rows of one line of spending."""
    catalogue = household.ledger.catalogue
    return contributions_in_window(
        household, lambda name: is_spending(household, name) and catalogue[name].line == line
    )


def add_base(derivation: Derivation, household: Assessment) -> str:
    """Add the base of the fund and answer its name: essentials, and what is regular but unknown."""
    add_running_line(derivation, household, "essentials")
    if household.target.base == household.planned.essentials:
        return "runningEssentials"
    derivation.derive(
        "base",
        "Essentials and uncategorized regular charges",
        "runningEssentials + regularUnknown",
        household.target.base,
        regularUnknown=household.standing.regular,
    )
    return "base"


def unknown_balances(household: Assessment) -> list[str]:
    """What is not known of balances, and how to tell it; nothing where all are known."""
    accounts = household.snapshot.accounts
    reasons = list(list_unknowns(accounts, household.standing.view()))
    first = plan_text.awaited_balance(accounts)
    if first is not None:
        reasons[0] += f" Set it with `finplan accounts set {first.id} --balance AMOUNT`."
    return reasons

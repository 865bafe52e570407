"""Which transactions feed a figure: the largest of them, and how to list all."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date
from heapq import nsmallest
from shlex import quote

from finplan.model.explain import FeedingRow, Rest
from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import Row
from finplan.plan.ledger.lookup import between

SHOWN = 10
"""How many transactions an explanation lists."""


@dataclass(frozen=True, slots=True)
class Feeding:
    """The posted rows between two days, both counted, of these categories, or of any with None.

    With `accounts` or `payees` only the rows of these, by their numbers.
    """

    categories: Collection[str] | None
    since: date
    until: date
    accounts: Collection[int] | None = None
    payees: Collection[int] | None = None


def in_window(household: Assessment, wanted: Callable[[str], bool] | None = None) -> Feeding:
    """The window's rows of every category that is wanted, by default of all."""
    window = household.books.window
    categories = None if wanted is None else sorted(filter(wanted, household.books.categories))
    return Feeding(categories, window.since, window.until)


def largest(
    household: Assessment, feeding: Feeding | None
) -> tuple[tuple[FeedingRow, ...], Rest | None]:
    """The largest rows, newer ones first among equals, and what is left out."""
    if feeding is None:
        return (), None
    count = sum(1 for _ in _rows(household, feeding))
    shown = nsmallest(
        SHOWN,
        _rows(household, feeding),
        key=lambda found: (-abs(found[1][3]), -found[1][2], found[1][0], found[1][1]),
    )
    rows = tuple(_row(household, category, row) for category, row in shown)
    if count <= SHOWN:
        return rows, None
    return rows, Rest(count=count - SHOWN, command=_command(household, feeding))


def _rows(household: Assessment, feeding: Feeding) -> Iterator[tuple[str, Row]]:
    since, until = day_of(feeding.since), day_of(feeding.until)
    for sheet in household.books.sheets:
        named = feeding.payees is None or sheet.payee in feeding.payees
        if named and (feeding.categories is None or sheet.category in feeding.categories):
            for row in between(sheet, since, until):
                if feeding.accounts is None or row[1] in feeding.accounts:
                    yield sheet.category, row


def _row(household: Assessment, category: str, row: Row) -> FeedingRow:
    return FeedingRow(
        date=date_of(row[2]),
        payee=household.ledger.payees[row[0]].name,
        account=household.ledger.accounts[row[1]].name,
        category=category,
        amount=row[3],
    )


def _command(household: Assessment, feeding: Feeding) -> str:
    parts = [f"finplan transactions --posted --from {feeding.since} --to {feeding.until}"]
    parts += [
        f"--account {household.ledger.accounts[number].id}"
        for number in sorted(feeding.accounts or ())
    ]
    parts += [
        f"--merchant {quote(household.ledger.payees[number].key)}"
        for number in sorted(feeding.payees or ())
    ]
    parts += [f"--category {category}" for category in feeding.categories or ()]
    return " ".join(parts)

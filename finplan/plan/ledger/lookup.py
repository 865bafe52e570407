"""The rows behind a figure, found on the sheets of the books without going through the ledger."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter

from finplan.plan.ledger.books import Books, WindowFacts
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.ledger import DAY, Row

_DAY = itemgetter(DAY)


def sheets_of(books: Books, categories: Collection[str]) -> Iterator[Sheet]:
    """The sheets of these categories, by payee."""
    return (sheet for sheet in books.sheets if sheet.category in categories)


def rows_between(sheet: Sheet, since: int, until: int) -> Sequence[Row]:
    """A sheet's rows between two days YYYYMMDD, both counted, oldest first."""
    rows = sheet.rows
    if rows[-1][2] < since or rows[0][2] > until:
        return ()
    return rows[bisect_left(rows, since, key=_DAY) : bisect_right(rows, until, key=_DAY)]


def rows_within(sheet: Sheet, window: WindowFacts) -> Sequence[Row]:
    """A sheet's rows on the days of the window, oldest first."""
    if len(window.runs) == 1:
        return rows_between(sheet, *window.runs[0])
    return [row for run in window.runs for row in rows_between(sheet, *run)]


def rows_in_window(books: Books, categories: Collection[str]) -> list[Row]:
    """The rows of these categories on the days of the window, by payee, then day."""
    return [
        row for sheet in sheets_of(books, categories) for row in rows_within(sheet, books.window)
    ]


def rows_of(books: Books, categories: Collection[str], since: int, until: int) -> list[Row]:
    """The rows of these categories between two days YYYYMMDD, by payee, then day."""
    return [
        row for sheet in sheets_of(books, categories) for row in rows_between(sheet, since, until)
    ]

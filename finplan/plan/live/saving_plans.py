"""What moves out of cash in a rhythm to be put aside: to investments, or to savings not linked."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date

from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.series import (
    AsOf,
    SeriesOrigin,
    merged_by_day,
    occurrences_of,
    regular_series,
)
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, PEER, Ledger, Row
from finplan.plan.live.schedule import CashStep
from finplan.plan.live.upcoming import expected_charges

_LEAST = 3
"""So many transfers show a rhythm."""


def saving_plans(
    ledger: Ledger, books: Books, pays_cash: Collection[int], today: date
) -> list[tuple[Series, Sequence[Row]]]:
    """The transfers out of cash that go on in a rhythm, each with its rows; of one payee and account.

    What moves between accounts whose money is at hand stays cash and is none.
    """
    as_of = AsOf(books.window, today)
    found = []
    for sheet in books.sheets:
        if sheet.flow != "saving":
            continue
        leaving = [
            row
            for row in sheet.rows
            if row[AMOUNT] < 0 and row[ACCOUNT] in pays_cash and row[PEER] not in pays_cash
        ]
        for peer in sorted({row[PEER] for row in leaving}):
            rows = [row for row in leaving if row[PEER] == peer]
            moved = occurrences_of(rows, outflows=True)
            days = [day for day, _, _ in merged_by_day(moved)]
            rhythm = rhythm_of(days) if len(days) >= _LEAST else None
            if rhythm is not None:
                name = ledger.accounts[peer].name if peer else ledger.payees[sheet.payee].name
                origin = SeriesOrigin((sheet.payee,), f"To {name}", sheet.category)
                series = regular_series(origin, moved, rhythm, as_of)
                if series.active:
                    found.append((series, rows))
    return sorted(found, key=lambda each: (each[0].name, each[0].payees, each[0].first_date))


def planned_transfers(
    plans: Sequence[Series], pending: Sequence[Row], today: date, until: date
) -> Iterator[CashStep]:
    """Each transfer that is expected from today to `until`; one that is pending has left already."""
    for each in expected_charges(plans, pending, today, until):
        yield CashStep(each.day, each.charge.name, -each.charge.amount, "transfer", each.charge)

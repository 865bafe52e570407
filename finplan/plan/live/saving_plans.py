"""What moves out of cash in a rhythm to be put aside: to investments, or to savings not linked."""

from collections.abc import Collection, Iterator, Mapping, Sequence
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
from finplan.plan.live.upcoming import expected_charges, is_charge_of

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
    sent = _sent(plans, pending)
    for place, plan in enumerate(plans):
        for each in expected_charges([plan], sent[place], today, until):
            yield CashStep(each.day, plan.name, -plan.amount, "transfer", plan)


def _sent(plans: Sequence[Series], pending: Sequence[Row]) -> Mapping[int, list[Row]]:
    """The pending rows of each plan, by its place: one row is the next transfer of one plan alone.

    Of several plans of its payee it is that of its account, then the one that is nearest in amount.
    """
    sent: dict[int, list[Row]] = {place: [] for place in range(len(plans))}
    for row in pending:
        may_be = [place for place, plan in enumerate(plans) if is_charge_of(row, plan)]
        if may_be:
            sent[min(may_be, key=lambda place: _distance(row, plans[place]))].append(row)
    return sent


def _distance(row: Row, plan: Series) -> tuple[bool, int]:
    return row[ACCOUNT] != plan.account, abs(plan.amount + row[AMOUNT])

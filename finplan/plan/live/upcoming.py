"""The recurring charges still to come, and which rows are theirs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from finplan.plan.detect.cadence import expected_days, rhythm_of_series
from finplan.plan.detect.season import amount_due
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row


@dataclass(frozen=True, slots=True)
class ExpectedCharge:
    """One charge expected on a day, and what it is expected to come to then; minor units."""

    day: date
    charge: Series
    amount: int


def expected_charges(
    charges: Iterable[Series], pending: Sequence[Row], today: date, until: date
) -> list[ExpectedCharge]:
    """The charges expected from today to `until`, by day; one that is pending has come already."""
    found = [
        ExpectedCharge(day, charge, amount_due(charge, day))
        for charge in charges
        if charge.active
        for day in _days(charge, pending, today, until)
    ]
    return sorted(
        found, key=lambda each: (each.day, each.charge.name, each.amount, each.charge.payees)
    )


def _days(charge: Series, pending: Sequence[Row], today: date, until: date) -> list[date]:
    taken = [date_of(row[DAY]) for row in pending if is_charge_of(row, charge)]
    latest = max((day for day in taken if day > charge.last_date), default=None)
    if latest is None or charge.cadence == "irregular" or charge.interval_days is None:
        return expected_days(charge, today, until)
    seen = {day.toordinal() for day, _ in charge.recent} | {latest.toordinal()}
    slots = rhythm_of_series(charge, seen).slots(latest.toordinal() + charge.interval_days // 2)
    ahead = map(date.fromordinal, takewhile(lambda slot: slot <= until.toordinal(), slots))
    return [day for day in ahead if day >= today]


def is_charge_of(row: Row, charge: Series) -> bool:
    """Whether a pending row is a charge of this series: its payee, out, and about its amount.

    A charge that comes in parts on one day is known by each of its latest parts.
    """
    amount = -row[AMOUNT]
    if row[PAYEE] not in charge.payees or amount <= 0:
        return False
    parts = [part for day, part in charge.parts if day == charge.last_date]
    likely = [charge.amount, *(parts if len(parts) > 1 else ())]
    return not charge.steady or any(100 * abs(amount - each) <= 15 * each for each in likely)


class SeriesRows:
    """Tells the rows that belong to some recurring charges from those that do not; each is asked once.

    A row is compared with single charges, never with what a day of them adds up to.
    """

    def __init__(self, charges: Iterable[Series]) -> None:
        self._by_payee: dict[int, list[Series]] = {}
        self._left: Counter[tuple[int, int, int]] = Counter()
        for charge in charges:
            for payee in charge.payees:
                self._by_payee.setdefault(payee, []).append(charge)
                self._left.update((payee, day_of(day), amount) for day, amount in charge.parts)

    def take_posted(self, row: Row) -> bool:
        """Whether a posted row is one of the charges: of equal rows, as many as there are charges."""
        charge = (row[PAYEE], row[DAY], -row[AMOUNT])
        if not self._left[charge]:
            return False
        self._left[charge] -= 1
        return True

    def pending(self, row: Row) -> bool:
        """Whether a pending row looks like the next occurrence."""
        return any(is_charge_of(row, charge) for charge in self._by_payee.get(row[PAYEE], ()))

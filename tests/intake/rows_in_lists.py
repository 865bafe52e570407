"""Rows in plain lists, asked as those of a store are: what the SQL of the queries means, in Python.

`test_row_facts` shows that both answer alike, so that whatever is decided by rows needs no store.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from finplan.intake.evidence import texts_agree
from finplan.intake.facts import AccountSide, ComparedRows, Overlap, RowFacts, SizedRow
from finplan.plan.pairing.repetition import DatedAmount

PaidInFile = tuple[int, int, int]
"""File, day and amount, positive."""


class Row(NamedTuple):
    """A row of an account, given by its number: of a `file` by its place, or of the store.

    The payee is a number, too. `ordinal` tells it from equal rows. A row of a file may be `known`, which
    the store has already, and one of the store `set_aside` as a copy.
    """

    account: int
    day: int
    amount: int
    raw: str = "SHOP"
    file: int | None = None
    payee: int = 0
    external_id: str | None = None
    aside: str = ""
    pending: bool = False
    known: bool = False
    set_aside: bool = False
    ordinal: int = 0

    @property
    def side(self) -> AccountSide:
        return AccountSide(self.account, is_staged=self.file is not None)

    @property
    def dated(self) -> DatedAmount:
        return self.day, self.amount

    @property
    def identity(self) -> tuple[str, int]:
        return self.raw if self.external_id is None else self.external_id, self.ordinal


Stated = tuple[int, int, int, int]
"""An account of the store, a day, an import or 0 for who else said it, and a balance."""


def numbered(rows: Iterable[Row]) -> list[Row]:
    """Rows that are equal in one file, or in the store, told apart in their order."""
    seen = Counter[tuple[object, ...]]()
    found = []
    for row in rows:
        key = (row.side, row.file, row.dated, row.identity, row.pending, row.set_aside)
        found.append(row._replace(ordinal=seen[key]))
        seen[key] += 1
    return found


def _means_all(_: Row) -> bool:
    return True


@dataclass(frozen=True)
class RowsInLists:
    """The rows of files and of the store, their payees' keys by number, and stated balances."""

    rows: Sequence[Row]
    keys: Mapping[int, str] = field(default_factory=dict)
    balances: Sequence[Stated] = ()

    def of(self, side: AccountSide, is_meant: Callable[[Row], bool] = _means_all) -> list[Row]:
        """The booked rows of an account that are meant, oldest first."""
        booked = (row for row in self.rows if not row.pending and not row.set_aside)
        found = (row for row in booked if row.side == side and is_meant(row))
        return sorted(found, key=lambda row: row.day)

    def _common(self, local: int, other: AccountSide) -> tuple[list[Row], list[Row]]:
        """The rows of the days that both cover."""
        ours, theirs = self.of(AccountSide(local, is_staged=True)), self.of(other)
        if not ours or not theirs:
            return [], []
        since, last = max(ours[0].day, theirs[0].day), min(ours[-1].day, theirs[-1].day)
        first, second = ([r for r in rows if since <= r.day <= last] for rows in (ours, theirs))
        return first, second

    def _overlap(self, local: int, other: AccountSide) -> Overlap:
        def is_one(row: Row, each: Row) -> bool:
            words = (row.raw, row.aside, row.external_id, each.raw, each.external_id)
            agree = not other.is_staged and texts_agree(*words)
            return row.dated == each.dated and (row.identity == each.identity or agree)

        ours, theirs = self._common(local, other)
        dated = {row.dated for row in theirs}
        alike = [row for row in ours if row.dated in dated]
        same = [row for row in alike if any(is_one(row, each) for each in theirs)]
        # The last day that both cover is that of a row, on one side at least.
        last = max((row.day for row in (*ours, *theirs)), default=0)
        (our, their, both), ended = (
            [sum((row.day == last) == ends for row in rows) for rows in (ours, theirs, same)]
            for ends in (False, True)
        )
        apart = our - both + abs(their - both) + min(ended[:2]) - ended[2]
        amounts = {row.amount for row in same}
        return Overlap(len(ours), len(theirs), len(same), len(alike), len(amounts), apart)

    def _compared(self, local: int, other: AccountSide) -> ComparedRows:
        ours, theirs = ([row.dated for row in rows[::-1]] for rows in self._common(local, other))
        return ours, theirs

    def _new_between(self, local: int, since: int, until: int) -> tuple[int, int]:
        rows = self.of(AccountSide(local, is_staged=True), lambda row: since <= row.day <= until)
        new = [row.amount for row in rows if not row.known]
        return sum(new), len(new)

    def _stated(self, account: int) -> list[tuple[int, int]]:
        found = sorted(each[1:] for each in self.balances if each[0] == account)
        return list({day: balance for day, import_no, balance in found if import_no}.items())

    def _of_size(self, side: AccountSide, day: int, size: int) -> list[SizedRow]:
        return [
            SizedRow(row.file, row.amount, row.raw, row.aside, row.external_id)
            for row in self.rows
            if (row.side, row.day, abs(row.amount), row.pending) == (side, day, size, False)
        ]

    def _out(self, side: AccountSide, is_meant: Callable[[Row], bool]) -> list[DatedAmount]:
        return [(row.day, -row.amount) for row in self.of(side, is_meant)]

    def _spent_in_files(self, local: int, files: Collection[int]) -> dict[int, list[PaidInFile]]:
        found: dict[int, list[PaidInFile]] = {}
        for row in self.of(AccountSide(local, is_staged=True), lambda row: row.amount < 0):
            if row.file is not None and row.file in files:
                found.setdefault(row.payee, []).append((row.file, row.day, -row.amount))
        return found

    def _moved_by_payee(self, account: int) -> dict[str, list[DatedAmount]]:
        found: dict[str, list[DatedAmount]] = {}
        for row in self.of(AccountSide(account)):
            found.setdefault(self.keys[row.payee], []).append(row.dated)
        return found

    def _span(self, side: AccountSide) -> tuple[int, int] | None:
        days = [row.day for row in self.of(side)]
        return (days[0], days[-1]) if days else None

    @property
    def facts(self) -> RowFacts:
        """The look-ups that decisions ask."""
        return RowFacts(
            overlap=self._overlap,
            compared=self._compared,
            moved=lambda side, after, until: sum(
                row.amount for row in self.of(side) if after < row.day <= until
            ),
            new_between=self._new_between,
            stated=self._stated,
            of_size=self._of_size,
            received=lambda side, most: [
                row.dated for row in self.of(side, lambda row: row.amount > 0)[::-1]
            ][:most],
            paid=lambda side, sizes, since, until: self._out(
                side, lambda row: since <= row.day <= until and -row.amount in sizes
            ),
            spent=lambda side: self._out(side, lambda row: row.amount < 0),
            count_spent=lambda side: len(self.of(side, lambda row: row.amount < 0)),
            span=self._span,
            spent_in_files=self._spent_in_files,
            moved_by_payee=self._moved_by_payee,
        )

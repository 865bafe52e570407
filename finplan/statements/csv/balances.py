"""Whether the running balance that a table prints follows from its amounts, and where it does not."""

from dataclasses import dataclass, field
from operator import neg, sub
from typing import NamedTuple

from finplan.statements.statement import StatementAccount


class Booked(NamedTuple):
    """The booked rows of a run: cells, amounts and balances, equally long unless these are not read."""

    rows: list[list[str]]
    amounts: list[int]
    balances: list[int]


@dataclass(slots=True)
class RunningBalances:
    """Follows each account's balance from row to row: balance before + amount = balance.

    `direction` is 1 when later rows stand below and -1 when they stand above. `broken` counts the rows
    whose balance does not follow, of `steps` in all; `first` is the first of them, with its account.
    `fits` says of each account with a step whether all of its steps follow.
    """

    direction: int
    steps: int = 0
    broken: int = 0
    first: tuple[StatementAccount, list[str]] | None = None
    fits: dict[StatementAccount, bool] = field(default_factory=dict)
    _last: dict[StatementAccount, Booked] = field(default_factory=dict)

    def follow(self, account: StatementAccount, run: Booked) -> None:
        """Take in the next rows of an account, in the order of the file."""
        if not run.amounts:
            return
        if account in self._last:
            self._compare(account, _joined(self._last[account], run))
        self._compare(account, run)
        self._last[account] = run

    def adds_up(self, account: StatementAccount, run: Booked, first: int, last: int) -> bool:
        """Take in the next rows of an account by the balances at their ends alone, if that proves them.

        A row that is missing or changed makes the sum of the amounts another one. Of the run's rows
        only the last is looked at, and none of its balances, so the rest need not have been read. Takes
        in nothing when it answers no: then the rows are to be followed one by one.
        """
        amounts, before = run.amounts, self._last.get(account)
        between = sum(amounts[1:]) if self.direction > 0 else -sum(amounts[:-1])
        if last - first != between:
            return False
        if before is not None:
            step = amounts[0] if self.direction > 0 else -before.amounts[-1]
            if first - before.balances[-1] != step:
                return False
        steps = len(amounts) - (before is None)
        if steps:
            self.steps += steps
            self.fits.setdefault(account, True)
        self._last[account] = Booked(run.rows[-1:], amounts[-1:], [last])
        return True

    def _compare(self, account: StatementAccount, run: Booked) -> None:
        balances, amounts = run.balances, run.amounts
        moved = list(map(sub, balances[1:], balances))
        expected = amounts[1:] if self.direction > 0 else list(map(neg, amounts[:-1]))
        self.steps += len(moved)
        if moved:
            self.fits.setdefault(account, True)
        if moved == expected:
            return
        moving = run.rows[1:] if self.direction > 0 else run.rows[:-1]
        # A row without money proves nothing.
        broken = [
            row
            for row, step, amount in zip(moving, moved, expected, strict=True)
            if amount and step != amount
        ]
        self.broken += len(broken)
        if broken:
            self.fits[account] = False
        if broken and self.first is None:
            self.first = account, broken[0]


def _joined(before: Booked, after: Booked) -> Booked:
    """The last row of one run and the first of the next."""
    return Booked(
        [before.rows[-1], after.rows[0]],
        [before.amounts[-1], after.amounts[0]],
        [before.balances[-1], after.balances[0]],
    )

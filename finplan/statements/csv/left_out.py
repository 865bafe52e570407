"""Rows of a table that are left out, counted by reason for the accounts that they name."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from finplan.statements.csv.accounts import AccountColumns
from finplan.statements.statement import NO_AMOUNT, StatementAccount, StatementPart
from finplan.statements.table.columns import Columns
from finplan.statements.table.table import Table
from finplan.statements.text.descriptors import quoted

_MOST_NAMES = 1000
_MOST_NAMED = 3
"""How many rows without an amount are named by their lines, each of which is searched in the file."""


class LeftOutRows:
    """Counts rows as they are left out, and tells them account by account in the end."""

    def __init__(self, accounts: AccountColumns, columns: Columns) -> None:
        self._accounts = accounts
        self._columns = columns
        self._without_amount: list[Sequence[str]] = []
        self._counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def add(self, rows: Iterable[tuple[Sequence[str], str]]) -> None:
        """Count rows, each with its reason."""
        for row, reason in rows:
            key = self._accounts.key_of(row)
            if reason == NO_AMOUNT and len(self._without_amount) < _MOST_NAMED:
                self._without_amount.append(row)
            # However many names the rows have, only so many can be those of accounts.
            known = len(self._counts) < _MOST_NAMES or key in self._counts
            self._counts[key if known else ()][reason] += 1

    def add_all(self, counts: Mapping[str, int]) -> None:
        """Count rows that name no account, by reason."""
        self._counts[()].update(counts)

    def lines_without_amount(self, table: Table) -> dict[int, Sequence[str]]:
        """The lines of the first rows that have no amount, as far as they stand in the file as read."""
        lines = {table.line_of(row): row for row in self._without_amount}
        return {line: row for line, row in lines.items() if line}

    def note(self, lines: Mapping[int, Sequence[str]]) -> str:
        """The sentence that names the `lines` without an amount, and counts all further ones."""
        named = [f"line {line}{self._shown(row)}" for line, row in lines.items()]
        more = sum(counts[NO_AMOUNT] for counts in self._counts.values()) - len(named)
        named += [f"{more:,} more"] if more > 0 else []
        *first, last = named
        listed = f"{', '.join(first)} and {last}" if first else last
        are = "is left out: it has" if len(named) == 1 else "are left out: they have"
        return f"{listed[0].upper()}{listed[1:]} {are} no amount."

    def _shown(self, row: Sequence[str]) -> str:
        text = " ".join(row[place].strip() for place in self._columns.descriptions).strip()
        return f" {quoted(text)}" if text else ""

    def parts(self, accounts: Collection[StatementAccount]) -> Iterator[StatementPart]:
        """Give the counts of each of the accounts with transactions; the first one takes all others.

        A row that is left out makes no account, so a file without any transaction gives none.
        """
        known = {key: each for key, each in self._accounts.known.items() if each in accounts}
        totals: defaultdict[StatementAccount, Counter[str]] = defaultdict(Counter)
        for key, counts in self._counts.items():
            account = known.get(key) or next(iter(known.values()), None)
            if account is not None:
                totals[account].update(counts)
        for account, counts in totals.items():
            yield StatementPart(account, left_out=dict(counts))

"""Rows of a table that are left out, counted by reason for the accounts that they name."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from finplan.statements.csv.accounts import AccountColumns
from finplan.statements.statement import StatementAccount, StatementPart

_MOST_NAMES = 1000


class LeftOutRows:
    """Counts rows as they are left out, and tells them account by account in the end."""

    def __init__(self, accounts: AccountColumns) -> None:
        self._accounts = accounts
        self._counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def add(self, rows: Iterable[tuple[Sequence[str], str]]) -> None:
        """Count rows, each with its reason."""
        for row, reason in rows:
            key = self._accounts.key_of(row)
            # However many names the rows have, only so many can be those of accounts.
            known = len(self._counts) < _MOST_NAMES or key in self._counts
            self._counts[key if known else ()][reason] += 1

    def add_all(self, counts: Mapping[str, int]) -> None:
        """Count rows that name no account, by reason."""
        self._counts[()].update(counts)

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

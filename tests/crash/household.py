"""What a household must hold: everything that a daemon has acknowledged, and what follows from it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A row of a file: its day as ISO writes it, its amount in cents, and its text."""

    day: str
    amount: int
    text: str


@dataclass(eq=False)
class KnownAccount:
    """An account that files name; `said` is what was corrected of it.

    Its ids are learnt once it is listed, and `balance` is the one that was said, if any.
    """

    name: str
    id: str | None = None
    connection: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    balance: int | None = None


@dataclass(eq=False)
class KnownImport:
    """An import; `stated` are the day and the amount of the balance that its file states, if any."""

    account: KnownAccount
    rows: frozenset[Row]
    stated: tuple[str, int] | None
    undone: bool = False


@dataclass(eq=False)
class KnownRule:
    """A rule of the person's own; one that the answer to a question made has an id that is not told."""

    category: str
    id: str | None


@dataclass
class Household:
    """All that was acknowledged, and of what was listed last, what the next writes need.

    `keys` holds the secret of each API key, None once it is revoked. `answers` and `rules` are by
    question and payee. `payee_of` are the payees by the texts of their rows, `questions` those that are
    asked about, by question.
    """

    me: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    accounts: dict[str, KnownAccount] = field(default_factory=dict)
    imports: dict[str, KnownImport] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str | None] = field(default_factory=dict)
    rules: dict[str, KnownRule] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    plans: list[int] = field(default_factory=list)
    builds: list[str] = field(default_factory=list)

    payee_of: dict[str, str] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)

    def imports_into(self, account: KnownAccount) -> Iterator[KnownImport]:
        """The imports that an account has rows of, the oldest first."""
        return (
            each for each in self.imports.values() if each.account is account and not each.undone
        )

    def rows_of(self, account: KnownAccount) -> set[Row]:
        """The rows of an account: each once, however many imports hold it."""
        return set().union(*(each.rows for each in self.imports_into(account)))

    def rows(self) -> Counter[tuple[str, Row]]:
        """Every row with the name of its account."""
        return Counter(
            (account.name, row)
            for account in self.accounts.values()
            for row in self.rows_of(account)
        )

    def balance_of(self, account: KnownAccount) -> int | None:
        """What was said, else the newest balance that a file states and the rows after its day."""
        if account.balance is not None:
            return account.balance
        stated = dict(each.stated for each in self.imports_into(account) if each.stated)
        if not stated:
            return None
        newest = max(stated)
        return stated[newest] + sum(row.amount for row in self.rows_of(account) if row.day > newest)

    def live_payees(self) -> list[str]:
        """The keys of the payees that have rows, as far as they were listed."""
        texts = {row.text for _, row in self.rows()}
        return sorted({self.payee_of[text] for text in texts if text in self.payee_of})

    def take_back(self, import_id: str) -> None:
        """Undo an import; its account goes with the last one."""
        undone = self.imports[import_id]
        undone.undone = True
        if next(self.imports_into(undone.account), None) is None:
            self.drop(undone.account)
        self.questions.clear()

    def drop(self, *accounts: KnownAccount) -> None:
        """Delete accounts with their rows; their imports stay in the list."""
        for account in accounts:
            if self.accounts.get(account.name) is account:
                del self.accounts[account.name]
        self.questions.clear()

    def forget(self) -> None:
        """Delete everything: whoever comes next has nothing yet."""
        for each in fields(self):
            getattr(self, each.name).clear()

"""What a household must hold: everything that a daemon has acknowledged, and what follows from it.

It must hold whenever a daemon has started again and everything unanswered was asked again.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, Protocol


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


KEPT_BUILDS = 100
"""How many builds the daemon keeps."""

KEPT_PLANS = 400


class Ask(Protocol):
    """Asks the daemon for the JSON at a path below its root."""

    def __call__(self, path: str, **headers: str) -> Any: ...


@dataclass
class Found:
    """What was acknowledged and is not there as it was, and what is there and was not acknowledged."""

    losses: list[str] = field(default_factory=list)
    doubles: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        """Everything that was found."""
        return self.losses + self.doubles

    def compare(self, what: str, there: Iterable[Any], expected: Iterable[Any]) -> None:
        """Both must hold the same, each as often."""
        has, must = Counter(iter(there)), Counter(iter(expected))
        self.losses += (f"{what}: {each} is missing." for each in (must - has).elements())
        self.doubles += (f"{what}: {each} is too many." for each in (has - must).elements())

    def equal(self, what: str, there: Any, expected: Any) -> None:
        """A value must be what was acknowledged."""
        if there != expected:
            self.losses.append(f"{what} is {there}, and should be {expected}.")


@dataclass
class Checks:
    """Compares what a daemon answers, and what its store holds, with what must be."""

    ask: Ask
    household: Household
    database: Path
    found: Found

    def all(self) -> None:
        """Check everything, and learn what the next writes need."""
        for check in (
            self.said,
            self.credentials,
            self.connections,
            self.accounts,
            self.imports,
            self.rows,
            self.spending,
            self.categories,
            self.questions,
            self.plans,
            self.claims,
        ):
            check()

    def every_build_has_ended(self) -> bool:
        """Whether no build waits or runs any more."""
        return not self._column("SELECT id FROM build WHERE finished_at IS NULL")

    def said(self) -> None:
        """What the person said of themself and of the household."""
        for path, known in (("/me", self.household.me), ("/settings", self.household.settings)):
            there = self.ask(path)
            self.found.equal(path, {name: there[name] for name in known}, known)

    def credentials(self) -> None:
        """Each API key opens the door until it is revoked."""
        keys = self.household.keys
        there = {each["id"]: each["revokedAt"] is None for each in self.ask("/keys")}
        self.found.compare(
            "keys", there.items(), ((key, secret is not None) for key, secret in keys.items())
        )
        for key, secret in keys.items():
            if secret is not None and there.get(key):
                self.ask("/me", **{"x-api-key": secret})

    def connections(self) -> None:
        """What was linked, and what imports made for the accounts that there are."""
        there = {
            each["connection"]["id"]: each["connection"]["institutionName"]
            for each in self.ask("/connections")
        }
        for_imports = {each["connectionId"] for each in self.ask("/accounts")}
        linked = {key: name for key, name in there.items() if key not in for_imports}
        self.found.compare("connections", linked.items(), self.household.linked.items())

    def accounts(self) -> None:
        """Each account with its balance, and what only the person knows of it."""
        records = {_name_of(each["account"]): each for each in self.ask("/accounts/records")}
        self.found.compare("accounts", records, self.household.accounts)
        for name, account in self.household.accounts.items():
            if name in records:
                self._account(account, records[name])

    def _account(self, account: KnownAccount, record: Any) -> None:
        account.id = record["account"]["id"]
        account.connection = record["account"]["connectionId"]
        there = record | record["account"]
        balance = self.household.balance_of(account)
        self.found.equal(f"The balance of the {account.name}", there["balance"], balance)
        said = {name: there[name] for name in account.said}
        self.found.equal(f"What was said of the {account.name}", said, account.said)

    def imports(self) -> None:
        """Each import once, standing or undone."""
        there = ((each["id"], each["undoneAt"] is not None) for each in self.ask("/imports"))
        known = self.household.imports.items()
        self.found.compare("imports", there, ((key, each.undone) for key, each in known))
        self.found.compare(
            "imports in the store",
            self._column("SELECT id FROM import_batch WHERE status <> 'cancelled'"),
            self.household.imports,
        )

    def rows(self) -> None:
        """Each row once, in its account."""
        names = {each.id: name for name, each in self.household.accounts.items()}
        self.listed = self._every_row()
        self.found.compare(
            "rows",
            (
                (names.get(each["accountId"]), each["date"], each["amount"], each["raw"])
                for each in self.listed
            ),
            ((name, *row) for name, row in self.household.rows().elements()),
        )
        self.household.payee_of = {each["raw"]: each["payeeKey"] for each in self.listed}

    def _every_row(self) -> list[Any]:
        rows, cursor = list[Any](), ""
        while True:
            page = self.ask(f"/transactions?limit=500{cursor}")
            rows += page["transactions"]
            if page["nextCursor"] is None:
                return rows
            cursor = f"&cursor={page['nextCursor']}"

    def spending(self) -> None:
        """The totals of spending are what its rows add up to, however they are grouped."""
        hidden = {each.id for each in self.household.accounts.values() if each.said.get("hidden")}
        spent = [
            each
            for each in self.listed
            if each["accountId"] not in hidden and each["line"] != "not_spending"
        ]
        keys: dict[str, Callable[[Any], str]] = {
            "category": lambda row: str(row["category"]),
            "merchant": lambda row: str(row["payeeKey"]),
            "month": lambda row: str(row["date"][:7]),
        }
        for grouping, key_of in keys.items():
            report = self.ask(f"/spending?groupBy={grouping}")
            totals = Counter[str]()
            for row in spent:
                totals[key_of(row)] -= row["amount"]
            groups = {each["key"]: each["total"] for each in report["groups"] if each["count"]}
            self.found.equal(f"Spending by {grouping}", groups, dict(totals))
            self.found.equal("Spending in all", report["total"], totals.total())

    def categories(self) -> None:
        """The person's own categories and rules, and that their rows are filed by them."""
        own = {
            each["category"]: each["label"] for each in self.ask("/categories") if each["custom"]
        }
        self.found.compare("categories", own.items(), self.household.categories.items())
        rules = [each for each in self.ask("/categories/rules") if each["source"] == "user"]
        known = self.household.rules
        self.found.compare(
            "rules",
            ((each["payeeKey"], each["category"]) for each in rules),
            ((payee, rule.category) for payee, rule in known.items()),
        )
        ids = {each["payeeKey"]: each["id"] for each in rules}
        told = {payee: rule.id for payee, rule in known.items() if rule.id is not None}
        self.found.equal("Ids of rules", {payee: ids.get(payee) for payee in told}, told)
        filed = {each["payeeKey"]: each["category"] for each in self.listed}
        ruled = {payee: known[payee].category for payee in filed if payee in known}
        self.found.equal("Payees with rules", {payee: filed[payee] for payee in ruled}, ruled)

    def questions(self) -> None:
        """Each answer that was given, once; none of them is asked again."""
        given = [(each["id"], each["answer"]) for each in self.ask("/tasks?status=answered")]
        self.found.compare("answers", given, self.household.answers.items())
        open_now = self.ask("/tasks")
        again = {each["id"] for each in open_now} & self.household.answers.keys()
        self.found.equal("What is asked though it was answered", again, set())
        self.household.questions = {
            each["id"]: each["payeeKey"] for each in open_now if each["kind"] == "categorize_payee"
        }

    def plans(self) -> None:
        """Each plan and each build that was asked for, and no other."""
        stored = self._rows_of("SELECT id, status, plan_created_at FROM build ORDER BY no")
        known = self.household
        kept = {key for key, _, _ in stored}
        self.found.compare("builds that nobody asked for", kept - set(known.builds), ())
        if len(stored) < KEPT_BUILDS:
            self.found.compare("builds", kept, set(known.builds))
        known.builds = [key for key, _, _ in stored]
        made = {at for _, status, at in stored if status == "succeeded"}
        there = self._column("SELECT created_at FROM plan ORDER BY created_at")
        known.plans = sorted({*known.plans, *made})[-KEPT_PLANS:]
        self.found.compare("plans", there, known.plans)

    def claims(self) -> None:
        """Nobody holds a request that has been answered, no import runs, and no upload is left."""
        # What was kept in the middle of several writes is an answer, whose run died with its daemon.
        held = "holder IS NOT NULL AND (reply IS NULL OR held_until > 0)"
        claims = self._column(f"SELECT key FROM kept_reply WHERE {held}")
        self.found.compare("claims", claims, ())
        running = self._column("SELECT id FROM import_batch WHERE status = 'running'")
        self.found.compare("running imports", running, ())
        uploads = self.database.with_name("uploads")
        self.found.compare("uploads", (each.name for each in uploads.iterdir()), ())

    def _column(self, query: str) -> list[Any]:
        return [row[0] for row in self._rows_of(query)]

    def _rows_of(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True)) as store:
            return store.execute(query).fetchall()


def _name_of(account: Any) -> str:
    """What the household calls an account: its bank, or its own name where no bank is named."""
    by_bank = account["mask"] is not None
    return str(account["institutionName"] if by_bank else account["name"])

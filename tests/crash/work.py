"""What is asked of a daemon that will be killed: random writes, each with a key of its own.

Statement files of random rows are CSV, and OFX with a balance.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from tests.crash.household import Household, KnownAccount, KnownImport, KnownRule, Row

HEADER = "Date,Description,Amount (USD)"


def csv_of(rows: Iterable[Row]) -> bytes:
    """A table of rows, which names no account."""
    lines = (f"{row.day},{row.text},{money(row.amount)}" for row in rows)
    return "\n".join((HEADER, *lines, "")).encode()


def ofx_of(bank: str, number: str, rows: Iterable[Row], day: str, balance: int) -> bytes:
    """A statement of a checking account, with its balance at the end of a day."""
    listed = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{_digits(row.day)}<TRNAMT>{money(row.amount)}"
        f"<FITID>{_digits(row.day)}{-row.amount}<NAME>{row.text}</STMTTRN>\n"
        for row in rows
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
        f"<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>{bank}<FID>1</FI></SONRS></SIGNONMSGSRSV1>"
        "<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1"
        f"<ACCTID>{number}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{money(balance)}<DTASOF>{_digits(day)}</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    ).encode()


def money(cents: int) -> str:
    """An amount as files write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _digits(day: str) -> str:
    return day.replace("-", "")


AT_ONCE = 4
"""How many writes are asked together at most."""

CATEGORIES = ("dining", "groceries", "shopping", "travel", "health", "work_expenses")
ACCOUNTS = ("Blue account", "Green account", "Yellow account")
BANKS = {"Acorn Bank": "000011112345", "Birch Bank": "000022226789"}
FEW, MANY = 60, 1500
"""How many rows a file has at most, and one of the large ones, which take a while."""

DAYS = 240
LARGEST = 5_000_000
SHOPS = 40
SYLLABLES = ("ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pa", "ro", "si", "tu", "ve", "zo")


class WrongAnswer(Exception):
    """A write was acknowledged by an answer that cannot be; the sentence says why."""


@dataclass(frozen=True, eq=False)
class Write:
    """A change to ask for; `about` names what nobody else may change meanwhile, empty for everything.

    `learn` is told the answer, and raises WrongAnswer. A status of `refusals` says that nothing changed.
    """

    method: str
    path: str
    learn: Callable[[Any], None]
    about: frozenset[str] = frozenset()
    json: Any = None
    file: tuple[str, bytes] | None = None
    form: dict[str, str] = field(default_factory=dict)
    refusals: frozenset[int] = frozenset()

    @property
    def ends_credentials(self) -> bool:
        """Whether it deletes the person, so that another one has to be let in."""
        return (self.method, self.path) == ("DELETE", "/me")


class Work:
    """Draws writes that fit a household; the same chance draws the same."""

    def __init__(self, household: Household, chance: Random, today: date) -> None:
        self._household = household
        self._chance = chance
        self._today = today
        self._amounts: set[int] = set()
        self._shops = [self._name() for _ in range(SHOPS)]

    def some(self) -> list[Write]:
        """One write, or several that may be asked at once."""
        writes = [self._one()]
        while writes[0].about and len(writes) < self._chance.randint(1, AT_ONCE):
            other = self._one()
            taken = frozenset[str]().union(*(each.about for each in writes))
            if not other.about or other.about & taken:
                break
            writes.append(other)
        return writes

    def _one(self) -> Write:
        weights = [weight for weight, _ in KINDS]
        drawn = None
        while drawn is None:
            ((_, kind),) = self._chance.choices(KINDS, weights)
            drawn = kind(self)
        return drawn

    def import_table(self) -> Write:
        """Rows of an account that is named beside the file."""
        name = self._chance.choice(ACCOUNTS)
        rows = self._rows(name)
        form = {"account": name, "accountKind": "checking"}
        return self._import(name, rows, ("rows.csv", csv_of(sorted(rows))), form, None)

    def import_statement(self) -> Write:
        """Rows of a bank's account, with a balance of a day of which none was stated before."""
        bank = self._chance.choice(sorted(BANKS))
        rows = self._rows(bank)
        imports = self._household.imports.values()
        stated = {each.stated[0] for each in imports if each.account.name == bank and each.stated}
        day = self._day()
        while day in stated:
            day = self._day()
        balance = self._chance.randint(-LARGEST, LARGEST)
        file = ("rows.ofx", ofx_of(bank, BANKS[bank], sorted(rows), day, balance))
        return self._import(bank, rows, file, {}, (day, balance))

    def _import(
        self,
        name: str,
        rows: frozenset[Row],
        file: tuple[str, bytes],
        form: dict[str, str],
        stated: tuple[str, int] | None,
    ) -> Write:
        household = self._household

        def learn(report: Any) -> None:
            account = household.accounts.setdefault(name, KnownAccount(name))
            new = len(rows - household.rows_of(account))
            (told,) = report["files"]
            household.imports[report["id"]] = KnownImport(account, rows, stated)
            if (told["new"], told["known"]) != (new, len(rows) - new):
                raise WrongAnswer(
                    f"Of the {len(rows)} rows for the {name}, {new} are new. The import"
                    f" {report['id']} tells of {told['new']} new and {told['known']} known ones."
                )

        return Write("POST", "/imports", learn, frozenset({name}), file=file, form=form)

    def undo_import(self) -> Write | None:
        """Take an import back, whichever; payees and questions may go with it."""
        household = self._household
        standing = [key for key, each in household.imports.items() if not each.undone]
        if len(standing) < 3:
            return None
        chosen = self._chance.choice(standing)
        return Write("DELETE", f"/imports/{chosen}", lambda _: household.take_back(chosen))

    def correct_account(self) -> Write | None:
        """Say what only a person knows of an account."""
        listed = [each for each in self._household.accounts.values() if each.id is not None]
        if not listed:
            return None
        account = self._chance.choice(listed)
        corrections: list[dict[str, Any]] = [
            {"hidden": self._chance.random() < 0.3},
            {"apr": self._chance.randrange(1000) / 10_000},
            {"minimumPayment": self._chance.randrange(LARGEST)},
        ]
        if account.name not in BANKS:
            corrections.append({"balance": self._chance.randint(-LARGEST, LARGEST)})
        said = self._chance.choice(corrections)

        def learn(_record: Any) -> None:
            if "balance" in said:
                account.balance = said["balance"]
            else:
                account.said.update(said)

        path = f"/accounts/{account.id}"
        return Write("PATCH", path, learn, frozenset({account.name}), json=said)

    def delete_account(self) -> Write | None:
        """Unlink what imports made, which deletes its accounts with all their rows."""
        accounts = list(self._household.accounts.values())
        connections = sorted({each.connection for each in accounts if each.connection is not None})
        if len(accounts) < 3 or not connections:
            return None
        chosen = self._chance.choice(connections)
        # Whatever was imported since it was listed went to the same connection.
        table = {each.connection for each in accounts if each.name in ACCOUNTS}
        gone = [
            each
            for each in accounts
            if each.connection == chosen or (chosen in table and each.name in ACCOUNTS)
        ]
        path = f"/connections/{chosen}"
        return Write("DELETE", path, lambda _: self._household.drop(*gone))

    def link(self) -> Write:
        """Link a bank whose files are imported by hand."""
        name = self._name()

        def learn(record: Any) -> None:
            self._household.linked[record["connection"]["id"]] = name

        asked = {"provider": "manual", "institution": {"id": None, "name": name}}
        return Write("POST", "/connections", learn, frozenset({name}), json=asked)

    def unlink(self) -> Write | None:
        """Unlink a bank that was linked."""
        return self._removal("/connections", self._household.linked)

    def delete_me(self) -> Write:
        """Delete the person: whoever comes next begins with nothing."""
        return Write("DELETE", "/me", lambda _: self._household.forget())

    def change_me(self) -> Write:
        """Take another name."""
        return self._change("/me", self._household.me, {"name": self._name()})

    def change_settings(self) -> Write:
        """Change how many months the emergency fund is for."""
        said = {"targetMonths": self._chance.randrange(25)}
        return self._change("/settings", self._household.settings, said)

    def create_key(self) -> Write:
        """Make an API key."""
        name = self._name()

        def learn(made: Any) -> None:
            self._household.keys[made["id"]] = made["key"]

        return Write("POST", "/keys", learn, frozenset({name}), json={"name": name})

    def revoke_key(self) -> Write | None:
        """Revoke an API key that is in force."""
        keys = self._household.keys
        held = sorted(key for key, secret in keys.items() if secret is not None)
        if not held:
            return None
        chosen = self._chance.choice(held)

        def learn(_revoked: Any) -> None:
            keys[chosen] = None

        return Write("DELETE", f"/keys/{chosen}", learn, frozenset({chosen}))

    def create_category(self) -> Write:
        """Make a category of one's own."""
        name = self._name()

        def learn(made: Any) -> None:
            self._household.categories[made["category"]["category"]] = name

        asked = {"name": name, "line": "discretionary"}
        return Write("POST", "/categories", learn, frozenset({name}), json=asked)

    def remove_category(self) -> Write | None:
        """Remove a category of one's own."""
        return self._removal("/categories", self._household.categories)

    def set_rule(self) -> Write | None:
        """File a payee that has no answered question."""
        rules = self._household.rules
        payees = [
            payee
            for payee in self._household.live_payees()
            if payee not in rules or rules[payee].id is not None
        ]
        if not payees:
            return None
        payee, category = self._chance.choice(payees), self._chance.choice(CATEGORIES)

        def learn(rule: Any) -> None:
            rules[payee] = KnownRule(category, rule["id"])

        asked = {"payeeKey": payee, "category": category}
        return Write("PUT", "/categories/rules", learn, frozenset({payee}), json=asked)

    def remove_rule(self) -> Write | None:
        """Remove a rule that was set."""
        rules = self._household.rules
        ours = sorted(payee for payee, rule in rules.items() if rule.id is not None)
        if not ours:
            return None
        payee = self._chance.choice(ours)

        def learn(_rule: Any) -> None:
            del rules[payee]

        path = f"/categories/rules/{rules[payee].id}"
        return Write("DELETE", path, learn, frozenset({payee}))

    def answer_question(self) -> Write | None:
        """File a payee that is asked about; a rule for another may have answered the question."""
        known = self._household
        asked = sorted(task for task, payee in known.questions.items() if payee not in known.rules)
        if not asked:
            return None
        task, category = self._chance.choice(asked), self._chance.choice(CATEGORIES)
        payee = known.questions[task]

        def learn(_task: Any) -> None:
            known.answers[task] = category
            known.rules[payee] = KnownRule(category, None)

        return Write(
            "POST",
            f"/tasks/{task}/answer",
            learn,
            frozenset({payee}),
            json={"answer": category},
            refusals=frozenset({404, 409}),
        )

    def build_plan(self) -> Write | None:
        """Build a plan, and wait for it."""
        if not self._household.accounts:
            return None

        def learn(stored: Any) -> None:
            self._household.plans.append(stored["createdAt"])

        return Write("POST", "/plan", learn, frozenset({"plan"}), json={})

    def start_build(self) -> Write | None:
        """Have a plan built, and do not wait."""
        if not self._household.accounts:
            return None

        def learn(build: Any) -> None:
            self._household.builds.append(build["id"])

        return Write("POST", "/plan/builds", learn, frozenset({"builds"}), json={})

    def _change(self, path: str, known: dict[str, Any], said: dict[str, Any]) -> Write:
        return Write("PATCH", path, lambda _: known.update(said), frozenset({path}), json=said)

    def _removal(self, path: str, known: dict[str, str]) -> Write | None:
        if not known:
            return None
        chosen = self._chance.choice(sorted(known))

        def learn(_removed: Any) -> None:
            del known[chosen]

        return Write("DELETE", f"{path}/{chosen}", learn, frozenset({chosen}))

    def _rows(self, name: str) -> frozenset[Row]:
        """New rows, and sometimes some that the account has; no two rows have the same amount.

        None of the new ones has the day and text of one of the account: the two would look like one
        row, of which the amount was read otherwise, and such a file is refused.
        """
        account = self._household.accounts.get(name)
        there = sorted(self._household.rows_of(account)) if account else []
        taken = {(row.day, row.text) for row in there}
        most = MANY if self._chance.random() < 0.1 else FEW
        drawn = (self._row() for _ in range(self._chance.randint(1, most)))
        rows = {row for row in drawn if (row.day, row.text) not in taken} or {self._row(taken)}
        if there and self._chance.random() < 0.4:
            rows.update(self._chance.sample(there, self._chance.randint(1, min(len(there), FEW))))
        return frozenset(rows)

    def _row(self, taken: Collection[tuple[str, str]] = ()) -> Row:
        amount = self._chance.randint(100, LARGEST)
        while amount in self._amounts:
            amount = self._chance.randint(100, LARGEST)
        self._amounts.add(amount)
        row = Row(self._day(), -amount, self._chance.choice(self._shops).upper())
        return self._row(taken) if (row.day, row.text) in taken else row

    def _day(self) -> str:
        return (self._today - timedelta(self._chance.randint(1, DAYS))).isoformat()

    def _name(self) -> str:
        """Two words that mean nothing."""
        return " ".join("".join(self._chance.sample(SYLLABLES, 3)) for _ in range(2))


KINDS: tuple[tuple[int, Callable[[Work], Write | None]], ...] = (
    (16, Work.import_table),
    (12, Work.import_statement),
    (6, Work.undo_import),
    (8, Work.correct_account),
    (2, Work.delete_account),
    (4, Work.link),
    (3, Work.unlink),
    (2, Work.delete_me),
    (5, Work.change_me),
    (6, Work.change_settings),
    (5, Work.create_key),
    (3, Work.revoke_key),
    (4, Work.create_category),
    (2, Work.remove_category),
    (10, Work.set_rule),
    (4, Work.remove_rule),
    (8, Work.answer_question),
    (7, Work.build_plan),
    (5, Work.start_build),
)
"""How often each kind of write is drawn, of their sum."""

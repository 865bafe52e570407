"""The truth that every fake bank shows: accounts, their rows, and what becomes of them by day.

A household's days are drawn by dice: all that banks do to rows, in every mixture.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import sha256
from random import Random
from typing import TypedDict, Unpack

ONE_DAY = timedelta(days=1)
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class HeldAt:
    """An institution; `generation` counts how often it gave its accounts new ids."""

    id: str
    name: str
    domain: str
    country: str
    shows_pending: bool = True
    owed_is_positive: bool = False
    generation: int = 0


@dataclass(frozen=True)
class Debt:
    """What a bank says of a card or a loan beside its balance; money in minor units."""

    apr: float
    minimum: int
    due: date
    statement: int | None = None
    statement_day: date | None = None


@dataclass(frozen=True)
class Held:
    """An account; `number` stays whatever happens to its `id`."""

    number: int
    id: str
    bank: str
    name: str
    kind: str
    subtype: str
    mask: str | None
    currency: str
    opening: int
    credit_limit: int | None = None
    debt: Debt | None = None


@dataclass(frozen=True)
class Row:
    """A row as it now is; `settles` is the id of the held row that the bank says it settles."""

    number: int
    id: str
    account: int
    day: date
    amount: int
    text: str
    payee: str | None = None
    pending: bool = False
    transacted: date | None = None
    settles: str | None = None
    mcc: str | None = None
    category: str | None = None


class Words(TypedDict, total=False):
    """What may be said of a row beside its amount and text."""

    day: date
    payee: str
    id: str
    transacted: date
    mcc: str
    category: str


class Changes(TypedDict, total=False):
    """What a bank may change of a row that it has already shown."""

    day: date
    amount: int
    text: str
    payee: str | None
    id: str
    category: str | None


@dataclass(frozen=True)
class View:
    """What a bank shows of an account: as of a day, with rows by day."""

    account: Held
    as_of: date
    balance: int
    available: int
    rows: tuple[Row, ...]


@dataclass
class World:
    """A world of banks whose days pass when the test says so."""

    today: date
    banks: dict[str, HeldAt] = field(default_factory=dict)
    accounts: dict[int, Held] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    _due: dict[date, list[Callable[[], object]]] = field(default_factory=lambda: defaultdict(list))
    _signed_out: dict[str, dict[int, View]] = field(default_factory=dict)
    _minted: int = 0
    harbour: HeldAt = field(init=False, repr=False, compare=False)
    """The bank that a test's world has from the start, once it has one."""
    checking: Held = field(init=False, repr=False, compare=False)
    """The account at it."""

    def bank(self, name: str, *, bank_id: str | None = None, country: str = "US") -> HeldAt:
        """An institution, by default with an id as Plaid gives them."""
        domain = name.lower().replace(" ", "") + ".example"
        made = HeldAt(bank_id or f"ins_{100 + len(self.banks)}", name, domain, country)
        self.banks[made.id] = made
        return made

    def open(
        self,
        bank: HeldAt,
        name: str,
        *,
        kind: str = "depository",
        subtype: str = "checking",
        mask: str | None = None,
        currency: str = "USD",
        opening: int = 0,
        credit_limit: int | None = None,
        debt: Debt | None = None,
    ) -> Held:
        """An account, with what it is worth before any of its rows."""
        number = self._next()
        made = Held(
            number,
            _id("account", number),
            bank.id,
            name,
            kind,
            subtype,
            mask,
            currency,
            opening,
            credit_limit,
            debt,
        )
        self.accounts[number] = made
        return made

    def book(self, account: Held, amount: int, text: str, **words: Unpack[Words]) -> Row:
        """A row that is posted, by default today."""
        return self._add(account, amount, text, words, pending=False)

    def hold(
        self,
        account: Held,
        amount: int,
        text: str,
        *,
        posts: date | None = None,
        lapses: date | None = None,
        tip: int = 0,
        same_id: bool = False,
        linked: bool = True,
        **words: Unpack[Words],
    ) -> Row:
        """A pending row. It posts on a day, lapses on one without posting, or stays for ever."""
        held = self._add(account, amount, text, words, pending=True)
        if posts is not None:
            paid = amount + tip
            self.on(posts, lambda: self.settle(held, amount=paid, same_id=same_id, linked=linked))
        if lapses is not None:
            self.on(lapses, lambda: self.withdraw(held))
        return held

    def settle(
        self, held: Row, *, amount: int | None = None, same_id: bool = False, linked: bool = True
    ) -> Row:
        """The held row posts today: another row with an id of its own, unless the bank keeps it."""
        old = self.rows.pop(held.number)
        assert old.pending, "what has posted posts no more"
        number = old.number if same_id else self._next()
        self.rows[number] = posted = replace(
            old,
            number=number,
            id=old.id if same_id else _id("row", number),
            day=self.today,
            amount=old.amount if amount is None else amount,
            pending=False,
            settles=old.id if linked and not same_id else None,
        )
        return posted

    def withdraw(self, row: Row) -> None:
        """The bank no longer shows a row, pending or posted."""
        del self.rows[row.number]

    def alter(self, row: Row, **changes: Unpack[Changes]) -> Row:
        """The bank shows a row otherwise than before."""
        self.rows[row.number] = altered = replace(self.rows[row.number], **changes)
        return altered

    def on(self, day: date, happens: Callable[[], object]) -> None:
        """Something happens when a day comes."""
        assert day > self.today, "what is to happen is to come"
        self._due[day].append(happens)

    def advance(self, until: date | None = None) -> None:
        """Days pass, by default one, and on each of them happens what was to happen."""
        until = until or self.today + ONE_DAY
        while self.today < until:
            self.today += ONE_DAY
            for happens in self._due.pop(self.today, []):
                happens()

    def sign_out(self, bank: HeldAt) -> None:
        """The bank asks to sign in again; what it shows of its accounts is from now on old."""
        self._signed_out[bank.id] = {
            account.number: self.shown(account) for account in self.accounts_at(bank)
        }

    def sign_in(self, bank: HeldAt) -> None:
        """The person has signed in again and all is as it was."""
        self._signed_out.pop(bank.id, None)

    def signed_out(self, bank: HeldAt) -> bool:
        """Whether a bank waits for the person to sign in."""
        return bank.id in self._signed_out

    def relink(self, bank: HeldAt) -> None:
        """The person has linked the bank anew: its accounts and rows have other ids than before."""
        self.sign_in(bank)
        now = self.banks[bank.id]
        self.banks[bank.id] = replace(now, generation=now.generation + 1)
        for account in self.accounts_at(bank):
            self.accounts[account.number] = replace(account, id=_id("account", self._next()))
            for row in self.rows_of(account):
                self.rows[row.number] = replace(row, id=_id("row", self._next()))

    def accounts_at(self, bank: HeldAt) -> list[Held]:
        """The accounts of a bank, in the order in which they were opened."""
        return [each for each in self.accounts.values() if each.bank == bank.id]

    def rows_of(self, account: Held) -> list[Row]:
        """The true rows of an account, by day, posted and pending."""
        rows = (row for row in self.rows.values() if row.account == account.number)
        return sorted(rows, key=lambda row: (row.day, row.number))

    def balance_of(self, account: Held) -> int:
        """What an account is truly worth: what it opened with, and all that has posted."""
        return account.opening + sum(row.amount for row in self.rows_of(account) if not row.pending)

    def shown(self, account: Held) -> View:
        """What the bank shows of an account, which is old while it waits for a sign-in."""
        old = self._signed_out.get(account.bank)
        if old is not None:
            return old[account.number]
        now = self.accounts[account.number]
        rows = self.rows_of(now)
        balance = self.balance_of(now)
        held = sum(row.amount for row in rows if row.pending)
        if not self.banks[now.bank].shows_pending:
            rows = [row for row in rows if not row.pending]
        available = balance + held + (now.credit_limit or 0)
        return View(now, self.today, balance, available, tuple(rows))

    def _add(self, account: Held, amount: int, text: str, words: Words, *, pending: bool) -> Row:
        number = self._next()
        day = words.get("day", self.today)
        self.rows[number] = row = Row(
            number,
            words.get("id", _id("row", number)),
            account.number,
            day,
            amount,
            text,
            words.get("payee"),
            pending,
            words.get("transacted", day),
            None,
            words.get("mcc"),
            words.get("category"),
        )
        return row

    def _next(self) -> int:
        self._minted += 1
        return self._minted


def _id(kind: str, number: int) -> str:
    """An id as Plaid makes them: 37 letters and digits, where upper and lower case differ."""
    left = int.from_bytes(sha256(f"{kind} {number}".encode()).digest())
    letters = ""
    for _each in range(37):
        left, letter = divmod(left, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def decimal(amount: int, currency: str) -> str:
    """An amount as a decimal string, with as many places as its currency has."""
    places = {"JPY": 0, "KRW": 0, "KWD": 3}.get(currency, 2)
    if not places:
        return str(amount)
    whole, part = divmod(abs(amount), 10**places)
    return f"{'-' if amount < 0 else ''}{whole}.{part:0{places}d}"


SHOPS = ("CORNER CAFE 12", "GREEN GROCER", "TRATTORIA ROMA", "METRO FARE", "HARDWARE & CO")


class Life:
    """What happens on the accounts of a world, the same for the same dice.

    Every amount is drawn anew for each row, but for two equal coffees of one day now and then.
    """

    def __init__(self, world: World, accounts: list[Held], dice: Random) -> None:
        self.world = world
        self.accounts = accounts
        self.dice = dice

    def day(self) -> None:
        """A day passes, and some things happen on it."""
        self.world.advance()
        for _each in range(self.dice.randrange(4)):
            self.dice.choice(self._happenings())()

    def _happenings(self) -> list[Callable[[], object]]:
        often = [self._buy, self._hold_plain, self._hold_with_tip, self._hold_under_its_id]
        seldom = [self._two_coffees, self._hold_unlinked, self._lapse, self._for_ever]
        return [*often, *often, *seldom, self._reword, self._take_back]

    def _buy(self) -> None:
        self.world.book(self._account(), -self._amount(), self._shop())

    def _two_coffees(self) -> None:
        account, shop, amount = self._account(), self._shop(), self._amount()
        for _each in range(2):
            self.world.book(account, -amount, shop)

    def _hold_plain(self) -> None:
        self.world.hold(self._account(), -self._amount(), self._shop(), posts=self._soon())

    def _hold_with_tip(self) -> None:
        amount = self._amount()
        tip = -amount * self.dice.randint(1, 30) // 100
        self.world.hold(self._account(), -amount, self._shop(), posts=self._soon(), tip=tip)

    def _hold_under_its_id(self) -> None:
        self.world.hold(
            self._account(), -self._amount(), self._shop(), posts=self._soon(), same_id=True
        )

    def _hold_unlinked(self) -> None:
        self.world.hold(
            self._account(), -self._amount(), self._shop(), posts=self._soon(), linked=False
        )

    def _lapse(self) -> None:
        self.world.hold(self._account(), -self._amount(), self._shop(), lapses=self._soon())

    def _for_ever(self) -> None:
        self.world.hold(self._account(), -self._amount(), self._shop())

    def _reword(self) -> None:
        row = self._posted()
        if row is not None:
            self.world.alter(row, text=f"{row.text} *{self.dice.randrange(1000)}")

    def _take_back(self) -> None:
        row = self._posted()
        if row is not None and self.dice.random() < 0.2:
            self.world.withdraw(row)

    def _posted(self) -> Row | None:
        """A row of the last days that has posted: what will happen to a held one is settled."""
        first = self.world.today - timedelta(days=5)
        rows = [row for row in self.world.rows.values() if not row.pending and row.day >= first]
        return self.dice.choice(rows) if rows else None

    def _account(self) -> Held:
        return self.dice.choice(self.accounts)

    def _shop(self) -> str:
        return self.dice.choice(SHOPS)

    def _amount(self) -> int:
        return self.dice.randint(100, 20_000)

    def _soon(self) -> date:
        return self.world.today + timedelta(days=self.dice.randint(1, 4))

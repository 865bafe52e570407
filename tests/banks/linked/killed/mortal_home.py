"""A person with a bank behind an aggregator, whose processes are killed amid what they do.

What a store holds is compared without what no person sees: numbers, ids and instants.
"""

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import create_engine

from finplan.banks.enablebanking.api import RegisteredApplication
from finplan.banks.plaid.api import PlaidKeys
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.wire import hosting
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.killed.deeds import Deed, Done, Keys, Reach, does
from tests.service.household_tables import kept_tables
from tests.webhooks.receiver import Authority

Tables = Mapping[str, Sequence[tuple[Any, ...]]]

_OURS = re.compile(r"[a-z]{2,4}_[0-9A-Za-z]{16,}")
"""An id that finplan has made up."""

_AN_INSTANT = 10**12

_MORE: Mapping[str, str] = {
    "linked": (
        "SELECT provider, bank, institution_name, institution_id, named_by_bank, status, error, cursor,"
        " failures, unfinished, access_ends_at IS NULL, secret IS NULL, next_try_at IS NULL"
        " FROM connection"
    ),
    "reached": "SELECT institution, name FROM account",
    "claimed": (
        "SELECT name, pending_id, posted_id, day FROM claimed_pending"
        " JOIN account ON account.no = account_no"
    ),
    "incidents": "SELECT incident FROM notice",
}


def held_in(path: Path, *, places: bool) -> Tables:
    """All of a household that a store holds, in an order that hangs on no number.

    `places` says whether the place to go on from is told, too: it is another for each item of Plaid's.
    """
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as connection:
            kept = dict(kept_tables(connection))
            for name, query in _MORE.items():
                kept[name] = connection.exec_driver_sql(query).all()
            ids = connection.exec_driver_sql("SELECT id, name FROM account").all()
    finally:
        engine.dispose()
    if not places:
        kept["linked"] = [(*row[:7], "a cursor", *row[8:]) for row in kept["linked"]]
    names = {str(row[0]): str(row[1]) for row in ids}
    return {table: _known(rows, names) for table, rows in kept.items()}


def rows_of(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a store."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def _known(rows: Sequence[tuple[Any, ...]], names: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return sorted((tuple(_value(each, names) for each in row) for row in rows), key=repr)


def _value(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, int) and value > _AN_INSTANT:
        return "an instant"
    if isinstance(value, str):
        return _OURS.sub("an id", names.get(value, value))
    return value


BankName = Literal["simplefin", "plaid", "enablebanking"]

MOST_TRIES = 6
"""After so many a household whose process was killed must be whole, each some minutes after the last."""

BEGUN_ANEW = {
    "simplefin": "`finplan connections list`",
    "plaid": "Begin again: `finplan connect plaid",
    "enablebanking": "Begin again: `finplan connect enablebanking",
}
"""What a person is told whose token was spent when the process that spent it was killed."""


@dataclass
class MortalHome:
    """A store in a folder, and the bank that its person links; `minutes` have passed since noon."""

    world: World
    harbour: HeldAt
    reach: Reach
    fake: SimplefinBridge | PlaidApi | EnableBanking
    minutes: int = 0
    begun_anew: int = 0

    @property
    def now(self) -> datetime:
        """The instant of this person's clock."""
        return datetime.combine(self.world.today, time(12), UTC) + timedelta(minutes=self.minutes)

    def do(self, deed: Deed, dies_at: int | None = None) -> Done | None:
        """Do something some minutes after what was done last; None where it was killed."""
        self.minutes += 6
        self.fake.now = lambda: self.now
        return does(self.reach, deed, self.now, dies_at)

    def does(self, deed: Deed) -> Done:
        """Do something that nobody kills."""
        done = self.do(deed)
        assert done is not None
        return done

    def connections(self) -> list[str]:
        """The ids of what is linked."""
        return [row[0] for row in rows_of(self.reach.store, "SELECT id FROM connection")]

    def sign_in(self, reconnect: str | None = None) -> Deed:
        """The person does what they do at the bank; answers how they have finplan link it."""
        if isinstance(self.fake, SimplefinBridge):
            return Deed("link", self.fake.setup_token(), reconnect)
        named = "" if isinstance(self.fake, PlaidApi) else f"DE/{self.harbour.name}"
        begun = self.does(Deed("begin", named if reconnect is None else "", reconnect))
        assert begun.error is None, begun.error
        link, _, url = begun.answer.partition(" ")
        if isinstance(self.fake, PlaidApi):
            self.fake.finish_link(list(self.fake.links)[-1], self.harbour)
            return Deed("poll", link)
        return Deed("link", self.fake.finish(url))

    def link_whole(self, deed: Deed, reconnect: str | None = None) -> str:
        """Go on with a link as a person would until it is one, and its bank is read to the end."""
        for _ in range(MOST_TRIES):
            done = self.does(deed)
            if done.answer:
                return self.sync_whole(done.answer)
            assert done.error is not None
            assert BEGUN_ANEW[self.reach.bank] in done.error, done.error
            for linked in self.connections():
                # What was placed before the end came goes on under its new access.
                if self.does(Deed("sync", linked)).error is None:
                    return self.sync_whole(linked)
            self.begun_anew += 1
            deed = self.sign_in(reconnect)
        raise AssertionError(f"It is not linked after {MOST_TRIES} tries.")

    def sync_whole(self, connection: str) -> str:
        """Sync until the bank has no more to bring."""
        for _ in range(MOST_TRIES):
            done = self.does(Deed("sync", connection))
            assert done.error is None, done.error
            if done.answer == "complete":
                return connection
        raise AssertionError(f"It is not read whole after {MOST_TRIES} tries.")

    @property
    def has_its_first_item(self) -> bool:
        """Whether places to go on from say the same here as in another copy of this household."""
        return self.begun_anew == 0 and not isinstance(self.fake, PlaidApi)

    def holds(self, *, places: bool = True) -> Tables:
        """What the store holds, with the place to go on from, or without."""
        return held_in(self.reach.store, places=places)

    def must_have_counted(self, *, attended: bool = False) -> None:
        """Each request to a bank that counts them was noted before it was sent.

        Whoever has just been at a bank of Europe is there for the first rounds, which count for nobody.
        """
        if isinstance(self.fake, PlaidApi):
            return
        midnight = int(datetime.combine(self.world.today, time(0), UTC).timestamp() * 1000)
        query = f"SELECT count(*) FROM bank_request WHERE asked_at > {midnight}"
        ((noted,),) = rows_of(self.reach.store, query)
        seen = self._requests_seen()
        least = 0 if attended and isinstance(self.fake, EnableBanking) else seen
        assert least <= noted <= seen + 1, (seen, noted)

    def must_have_lost_no_access(self) -> None:
        """Beside the access that is kept there are those alone of which a person was told."""
        if isinstance(self.fake, PlaidApi):
            left = [each for each in self.fake.items.values() if not each.removed]
            assert len(left) == 1 + self.begun_anew
            for each in left:
                each.removed = True

    def lose_access(self) -> None:
        """The access is taken back where it was given; the next one knows all by other ids."""
        self.world.relink(self.harbour)
        if isinstance(self.fake, SimplefinBridge):
            self.fake.disable()
        elif isinstance(self.fake, PlaidApi):
            for each in self.fake.items.values():
                each.removed = True
        else:
            for session in self.fake.sessions:
                self.fake.revoke(session)

    def _requests_seen(self) -> int:
        """How many requests that count the bank has seen today: SimpleFIN's, or rounds."""
        if isinstance(self.fake, SimplefinBridge):
            return len(self.fake.asked("/simplefin/accounts"))
        rounds = Counter(each.path for each in self.fake.asked("/accounts/*/balances"))
        return max(rounds.values(), default=0)

    def copied(self, folder: Path) -> "MortalHome":
        """The same person with a store of their own, whose bank was asked nothing today."""
        folder.mkdir()
        store = folder / "finplan.db"
        shutil.copyfile(self.reach.store, store)
        self.forget_today()
        return replace(self, reach=replace(self.reach, store=store))

    def forget_today(self) -> None:
        """Let the bank forget what it was asked: each copy of a household has a day of its own."""
        self.fake.seen.clear()
        if isinstance(self.fake, SimplefinBridge):
            self.fake._used.clear()
        elif isinstance(self.fake, EnableBanking):
            self.fake._read.clear()


@contextmanager
def mortal_home(
    bank: BankName, folder: Path, empty_store: Path, authority: Authority
) -> Iterator[MortalHome]:
    """A person whose bank is on a socket, and who has linked nothing yet."""
    store = folder / "finplan.db"
    shutil.copyfile(empty_store, store)
    world = World(date(2026, 6, 15))
    harbour = world.bank("Hafenbank", country="DE" if bank == "enablebanking" else "US")
    fake: SimplefinBridge | PlaidApi | EnableBanking
    keys: Keys = None
    if bank == "simplefin":
        fake = SimplefinBridge(world)
    elif bank == "plaid":
        fake = plaid = PlaidApi(world)
        keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox")
    else:
        fake = enable = EnableBanking(world)
        enable.page_size = 4
        keys = RegisteredApplication(enable.app_id, enable.private_key, enable.redirect_urls[0])
    with hosting(fake, authority):
        reach = Reach(bank, fake.url, keys, authority, store)
        yield MortalHome(world, harbour, reach, fake)


def some_months(home: MortalHome) -> tuple[Held, Held]:
    """A household's life until today: two accounts, months of rows, some of which wait."""
    world, currency = home.world, "EUR" if home.reach.bank == "enablebanking" else "USD"
    checking = world.open(
        home.harbour, "Everyday Checking", mask="3704", currency=currency, opening=120_050
    )
    card = world.open(
        home.harbour,
        "Harbour Visa",
        kind="credit",
        subtype="credit card",
        mask="4417",
        currency=currency,
    )
    for ago, account, amount, text in (
        (80, checking, 210_000, "ACME PAYROLL"),
        (66, card, -4_200, "GREEN GROCER"),
        (50, checking, 210_000, "ACME PAYROLL"),
        (30, card, -3_900, "GREEN GROCER"),
        (21, checking, -8_100, "CARD PAYMENT"),
        (21, card, 8_100, "PAYMENT THANK YOU"),
        (5, card, -1_250, "BOOKS BY POST"),
        (2, checking, -900, "CORNER CAFE 12"),
    ):
        world.book(account, amount, text, day=world.today - timedelta(days=ago))
    world.hold(card, -5_000, "RISTORANTE LUIGI", posts=world.today + timedelta(days=1), tip=-700)
    world.hold(card, -2_400, "METRO FARE", lapses=world.today + timedelta(days=2))
    return checking, card


def some_days(home: MortalHome, checking: Held, card: Held) -> None:
    """A few days more: what waited posts or lapses, and new rows come, two of them one transfer."""
    world = home.world
    world.advance(world.today + timedelta(days=3))
    home.minutes = 0
    for account, amount, text in (
        (checking, -4_400, "CARD PAYMENT"),
        (card, 4_400, "PAYMENT THANK YOU"),
        (card, -1_999, "GREEN GROCER"),
        (checking, -700, "CORNER CAFE 12"),
        (checking, -700, "CORNER CAFE 12"),
    ):
        world.book(account, amount, text)
    world.hold(card, -3_300, "TRATTORIA ROMA", posts=world.today + timedelta(days=2))

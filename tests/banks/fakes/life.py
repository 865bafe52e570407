"""A household's days drawn by dice: all that banks do to rows, in every mixture."""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from tests.banks.fakes.world import Held, Row, World

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

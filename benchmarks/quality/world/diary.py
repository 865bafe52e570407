"""A household while it is being made up: its accounts, the rows written so far, the names in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random

from benchmarks.quality.world.payees import OPAQUE, PEOPLE, WORDS
from benchmarks.quality.world.rates import Noise
from benchmarks.quality.world.truth import LabelledRow, OwnAccount, TrueStream
from benchmarks.quality.world.voices import Channel, Country, Spelling, Writer, spelling


@dataclass(slots=True)
class Diary:
    """What the parts of the generator write into; rows outside its days and in its holes are dropped.

    `writer` is how the household's bank words its rows; `holes` are the first and last day without
    statements of an account, by its number. `dead` is a card that was closed or lost, and the day from
    which on nothing is charged to it.
    """

    dice: Random
    noise: Noise
    country: Country
    since: date
    today: date
    holder: str
    writer: Writer
    accounts: Sequence[OwnAccount]
    holes: Mapping[int, tuple[date, date]] = field(default_factory=dict)
    dead: tuple[int, date] | None = None
    rows: list[LabelledRow] = field(default_factory=list)
    streams: list[TrueStream] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    numbered: int = 0

    def account(self, place: str) -> OwnAccount | None:
        """The account of a name, such as `checking`, None if the household has none."""
        return next((one for one in self.accounts if one.name == place), None)

    def held(self, place: str) -> OwnAccount:
        """The account of a name that every household has."""
        found = self.account(place)
        assert found is not None
        return found

    @property
    def cards(self) -> list[OwnAccount]:
        """The household's credit cards."""
        return [one for one in self.accounts if one.kind == "credit"]

    def number(self) -> int:
        """A number that no other stream or pair has."""
        self.numbered += 1
        return self.numbered

    def book(self, row: LabelledRow) -> bool:
        """Write a row if a statement holds its day; what a dead card would pay, the first card does."""
        card, closed = self.dead or (0, date.max)
        if row.pair is None and row.account == card and row.day >= closed:
            row = row._replace(account=self.cards[0].number)
        held = self.holds(row.account, row.day)
        if held:
            self.rows.append(row)
        return held

    def holds(self, account: int, day: date) -> bool:
        """Whether the statements of an account hold a day."""
        first, last = self.holes.get(account, (date.max, date.max))
        return self.since <= day <= self.today and not first <= day <= last

    def named(self, patterns: Sequence[str]) -> str | None:
        """A name that nobody in the household has yet, None when chance finds none.

        `~` in a pattern stands for an invented word.
        """
        for _ in range(20):
            name = self.dice.choice(patterns)
            while "~" in name:
                name = name.replace("~", self.dice.choice(WORDS), 1)
            if name not in self.names:
                self.names.add(name)
                return name
        return None

    def opaque(self) -> str | None:
        """A name that says nothing of a trade."""
        return self.named(OPAQUE[self.country])

    def person(self) -> str:
        """Somebody who is neither the holder nor paid for anything regular."""
        free = [one for one in PEOPLE if one not in self.names and one != self.holder]
        return self.dice.choice(free)

    def spelled(self, name: str, channel: Channel, account: int = 0) -> Spelling:
        """How somebody's rows are written by the household's bank, or by the issuer of a card."""
        return spelling(name, channel, self.written_by(account), self.holder, self.dice)

    def written_by(self, account: int) -> Writer:
        """Who words the rows of an account; a card's issuer words them as most do."""
        is_card = any(card.number == account for card in self.cards)
        return replace(self.writer, manner="usual") if is_card else self.writer

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return self.dice.random() < share

    def around(self, mean: float) -> int:
        """A whole number with this mean, at most twice as large."""
        trials = max(1, round(2 * mean))
        return sum(self.dice.random() < mean / trials for _ in range(trials))

"""A household while it is being made up: its accounts, the rows written so far, the names in use."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random

from benchmarks.quality.payees import PEOPLE, WORDS
from benchmarks.quality.rates import Noise
from benchmarks.quality.truth import LabelledRow, OwnAccount, TrueStream
from benchmarks.quality.voices import Channel, Country, Spelling, spelling


@dataclass(slots=True)
class Diary:
    """What the parts of the generator write into; rows outside its days are dropped."""

    dice: Random
    noise: Noise
    country: Country
    since: date
    today: date
    holder: str
    accounts: Sequence[OwnAccount]
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
        """Write a row if its day lies in the household's history."""
        inside = self.since <= row.day <= self.today
        if inside:
            self.rows.append(row)
        return inside

    def named(self, patterns: Sequence[str]) -> str | None:
        """A name that nobody in the household has yet, None when chance finds none."""
        for _ in range(20):
            name = self.dice.choice(patterns).replace("~", self.dice.choice(WORDS))
            if name not in self.names:
                self.names.add(name)
                return name
        return None

    def person(self) -> str:
        """Somebody who is neither the holder nor paid for anything regular."""
        free = [one for one in PEOPLE if one not in self.names and one != self.holder]
        return self.dice.choice(free)

    def spelled(self, name: str, channel: Channel) -> Spelling:
        """How the household's banks write somebody's rows."""
        return spelling(name, channel, self.country, self.holder, self.dice)

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return self.dice.random() < share

    def around(self, mean: float) -> int:
        """A whole number with this mean, at most twice as large."""
        trials = max(1, round(2 * mean))
        return sum(self.dice.random() < mean / trials for _ in range(trials))

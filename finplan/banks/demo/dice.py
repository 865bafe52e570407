"""Chance that is no chance: every throw follows from the words that the dice were made with."""

import random
import re
from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"


class Dice:
    """A sequence of throws that the same words give again on every machine and Python.

    Only `Random.random` seeded by a text is used: Python promises never to change its sequence, and
    promises it of nothing else in that module.
    """

    def __init__(self, *words: object) -> None:
        text = "/".join(map(str, words))
        self._throw = random.Random(text).random  # noqa: S311 -- a made-up household is no secret

    def chance(self, permille: int) -> bool:
        """Answer true so many times in a thousand."""
        return self._throw() * 1000 < permille

    def number(self, low: int, high: int) -> int:
        """Throw an integer from low to high, both included, each as likely."""
        return low + int(self._throw() * (high - low + 1))

    def skewed(self, low: int, high: int) -> int:
        """Throw an integer from low to high, on average a third of the way: low is likelier."""
        return low + int(min(self._throw(), self._throw()) * (high - low + 1))

    def pick(self, things: Sequence[Thing]) -> Thing:
        """Pick one thing, each as likely."""
        return things[int(self._throw() * len(things))]

    def favourite(self, things: Sequence[Thing]) -> Thing:
        """Pick one thing, the first ones more likely: as people go back to where they like it."""
        return things[self.skewed(0, len(things) - 1)]

    def deal(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """Pick so many different things, in a thrown order; all of them when there are no more."""
        left = list(things)
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(min(count, len(left)))]

    def fill(self, template: str, digit: str, letter: str | None = None) -> str:
        """Write a thrown digit for each mark `digit`, a digit or capital for each mark `letter`."""

        def throw(mark: re.Match[str]) -> str:
            return self.pick(_LETTERS) if mark[0] == letter else str(self.number(0, 9))

        return re.sub(f"[{re.escape(digit + (letter or ''))}]", throw, template)

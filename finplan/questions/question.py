"""A question as it was understood, and the error for one that was not."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from finplan.model.characters import visible
from finplan.model.transaction import Grouping
from finplan.periods.grammar import SpokenPeriod
from finplan.questions.names import SpokenName
from finplan.questions.signs import MeanUnit

MoneySubject = Literal["spending", "income"]

_LONGEST_SHOWN = 80
_MONTHLY = {None: "", "category": "by category, ", "merchant": "by merchant, ", "month": ""}


def in_code(text: str) -> str:
    """A text that somebody else may have written, such as a payee, as data: a short code span."""
    seen = visible(text).replace("`", "'").strip()
    return f"`{seen if len(seen) <= _LONGEST_SHOWN else seen[: _LONGEST_SHOWN - 1].rstrip() + '…'}`"


class UnclearQuestion(ValueError):
    """A sentence that was not understood as a whole; it says which words, and what to write."""


@dataclass(frozen=True, slots=True)
class SpokenMeasure:
    """How spending is told if not as a sum: a mean of a unit, a number of rows, or the `most` largest.

    The largest are single purchases, or the groups that the question has.
    """

    kind: Literal["mean", "count", "largest"]
    unit: MeanUnit | None = None
    most: int = 0


@dataclass(frozen=True, slots=True)
class SpokenQuestion:
    """Which spending a sentence asks for, and how to group it; without a period, of all days.

    `parts` are words of the sentence for a part of a category, whose whole is answered, with the
    category's label; `beside` are merchants with the name of the category that was taken.
    """

    period: SpokenPeriod | None
    categories: tuple[SpokenName, ...]
    merchants: tuple[SpokenName, ...]
    group_by: Grouping | None
    by_month: bool
    subject: MoneySubject = "spending"
    measure: SpokenMeasure | None = None
    parts: tuple[tuple[str, str], ...] = ()
    beside: tuple[SpokenName, ...] = ()

    @property
    def days(self) -> tuple[date | None, date | None]:
        """The first and the last day, None where there is none."""
        return (None, None) if self.period is None else (self.period.since, self.period.until)

    def told(self, quote: Callable[[str], str]) -> str:
        """What was understood, in a sentence; names are set apart as `quote` does."""
        of = " and ".join(quote(each.label) for each in self.categories)
        at = " and ".join(quote(each.label) for each in self.merchants)
        subject, word = self._measured(), "of" if self.subject == "income" else "on"
        parts = (
            f"{subject} {word} {of}" if of else subject,
            f" at {at}" if at else "",
            f", {'all days' if self.period is None else self.period.told}",
            f", {self._arranged()}" if self._arranged() else "",
        )
        return "".join(parts)

    def _measured(self) -> str:
        """What is asked for: a sum, an average, a number or the largest."""
        if self.measure is None:
            return self.subject
        if self.measure.kind == "mean":
            return f"average {self.subject} per {self.measure.unit}"
        if self.measure.kind == "count":
            return f"number of {self.subject} transactions"
        return f"the {self.measure.most} largest amounts of {self.subject}"

    def _arranged(self) -> str:
        by_month = "by month" if self.by_month or self.group_by == "month" else ""
        return f"{_MONTHLY[self.group_by]}{by_month}".strip(", ")

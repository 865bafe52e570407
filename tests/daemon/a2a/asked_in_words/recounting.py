"""What a question means, written by a person, and its right answer, counted again from the rows alone.

A meaning is one of these, with `of=` categories, `at=` merchants and `days=` beside:

`spent`                 what was spent, money back taken off
`count`                 how many rows that is
`mean unit=`            that over the whole months, weeks or days, or over the rows
`income`                what came in as income
`each KIND top=`        what was spent of each category, merchant or month, or of the largest of them
`largest top=`          the largest purchases
`... says=`             and that these words are said
`none`                  that there is nothing
`? WORDS`               it is asked back or refused, with these words
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from finplan.model.figures import money
from finplan.model.money import half_even

TODAY = date(2026, 3, 18)
_INCOME = {"wages", "self_employment", "pension_benefits", "interest", "tax_refund", "other_income"}

Rows = Sequence[Mapping[str, Any]]
Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A meaning, read; `figures` are the texts that a right answer holds."""

    kind: str
    of: frozenset[str]
    at: frozenset[str]
    days: tuple[Days, ...]
    fields: Mapping[str, str]

    @classmethod
    def read(cls, text: str) -> "Meaning":
        """Read what stands behind a question."""
        kind, _, rest = text.partition(" ")
        if kind == "?":
            return cls("?", frozenset(), frozenset(), (), {"words": rest})
        found = re.findall(r"(\w+)=(.*?)(?= \w+=|$)", rest)
        fields = dict(found)
        days = tuple(_days(value) for name, value in found if name == "days")
        word = rest.partition(" ")[0]
        if word and "=" not in word:
            fields["group"] = word
        return cls(kind, _names(fields.get("of")), _names(fields.get("at")), days, fields)

    def figures(self, rows: Rows) -> Iterator[str]:
        """The texts that a right answer holds, counted from rows."""
        of_kind: Mapping[str, Callable[[Rows], Iterable[str]]] = {
            "spent": lambda all_: [_money(_spent(self._of(all_)))],
            "count": lambda all_: [f"{len(self._of(all_)):,} transaction"],
            "mean": lambda all_: [_money(self._mean(all_))],
            "income": lambda all_: [_money(-_spent(self._income(all_)))],
            "each": self._groups,
            "largest": self._largest,
            "none": lambda _all: ["$0.00 in 0 transactions"],
        }
        yield from of_kind[self.kind](rows)
        if "says" in self.fields:
            yield self.fields["says"]

    def _of(self, rows: Rows) -> list[Mapping[str, Any]]:
        """The rows of spending that are meant."""
        days = self.days[0] if self.days else None
        return [
            each
            for each in rows
            if each["line"] != "not_spending"
            and (not self.of or each["category"] in self.of)
            and (not self.at or each["payee"] in self.at)
            and (days is None or days[0].isoformat() <= each["date"] <= days[1].isoformat())
        ]

    def _income(self, rows: Rows) -> list[Mapping[str, Any]]:
        first, last = self.days[0] if self.days else (date.min, date.max)
        return [
            each
            for each in rows
            if each["category"] in (self.of or _INCOME)
            and first.isoformat() <= each["date"] <= last.isoformat()
        ]

    def _mean(self, rows: Rows) -> int:
        unit, meant = self.fields["unit"], self._of(rows)
        if unit == "row":
            return half_even(_spent(meant), len(meant))
        since, until = self.days[0] if self.days else (date(2024, 3, 1), TODAY - timedelta(1))
        units = {_unit(unit, since + timedelta(n)) for n in range((until - since).days + 1)}
        # What is cut off at an end is no whole one.
        whole = [
            each
            for each in units
            if not {_unit(unit, since - timedelta(1)), _unit(unit, until + timedelta(1))} & {each}
        ]
        spent = _spent(
            each for each in meant if _unit(unit, date.fromisoformat(each["date"])) in whole
        )
        return half_even(spent, len(whole))

    def _largest(self, rows: Rows) -> Iterator[str]:
        bought = sorted(-each["amount"] for each in self._of(rows) if each["amount"] < 0)
        yield from map(_money, bought[::-1][: int(self.fields.get("top", "5"))])

    def _groups(self, rows: Rows) -> Iterator[str]:
        names: dict[str, int] = defaultdict(int)
        of = {"category": "category", "merchant": "payee"}.get(self.fields["group"], "date")
        for each in self._of(rows):
            names[each[of][:7] if of == "date" else each[of]] -= each["amount"]
        largest = sorted(names.values(), reverse=True)
        if "top" in self.fields:
            yield from map(_money, largest[: int(self.fields["top"])])
            return
        yield _money(sum(largest))
        yield from map(_money, largest[:20])


def _unit(unit: str, day: date) -> tuple[int, int]:
    if unit == "week":
        return day.isocalendar()[:2]
    return (day.year, day.month) if unit == "month" else (day.toordinal(), 0)


def _days(text: str) -> Days:
    since, _, until = text.partition("..")
    return date.fromisoformat(since), date.fromisoformat(until)


def _names(text: str | None) -> frozenset[str]:
    return frozenset() if text is None else frozenset(text.split(","))


def _spent(rows: Iterable[Mapping[str, Any]]) -> int:
    amounts: Iterable[int] = (each["amount"] for each in rows)
    return -sum(amounts)


def _money(amount: int) -> str:
    return money(amount, "USD")


def questions_in(text: str) -> list[tuple[str, str]]:
    """The questions of a table, each with what it means."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = [line.split(" | ", 1) for line in lines]
    return [(question, meant) for question, meant in found]

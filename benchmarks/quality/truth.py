"""A generated household with its labels: what is true, and which part of it could be known.

A stream counts as truth only if a perfect observer of the rows could know it: at least three
occurrences, or for an annual charge two of equal amount.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from finplan.model.account import AccountKind
from finplan.model.plan import IncomeCadence

Side = Literal["charge", "income"]


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """One of the household's accounts."""

    number: int
    institution: str
    name: str
    mask: str
    kind: AccountKind
    subtype: str


class LabelledRow(NamedTuple):
    """A row as a bank gives it, then its labels.

    `amount` is in minor units, positive when money comes in. `payee` is who it truly is, `stream` the
    number of the stream it is an occurrence of, `pair` the number that both legs of one transfer share,
    `cash` whether it is a withdrawal.
    """

    account: int
    day: date
    amount: int
    raw: str
    payee: str
    stream: int | None = None
    pair: int | None = None
    cash: bool = False


@dataclass(frozen=True, slots=True)
class TrueStream:
    """A recurring charge or a source of income.

    `active` is None where not even a perfect observer could tell yet. `next_date` is the next due day,
    weekends heeded, jitter left out; `next_amount` (positive) what will really be charged then. Both are
    None for what ended and for irregular income, the amount also where it varies too much to be
    foreseen. `quirks` say what is hard about it.
    """

    number: int
    payee: str
    side: Side
    what: str
    cadence: IncomeCadence
    knowable: bool
    active: bool | None
    next_date: date | None
    next_amount: int | None
    quirks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Household:
    """A household on its last day, `today`; rows are in the order of the days."""

    seed: int
    today: date
    currency: str
    accounts: Sequence[OwnAccount]
    rows: Sequence[LabelledRow]
    streams: Sequence[TrueStream]


def knowable(cadence: IncomeCadence, amounts: Sequence[int]) -> bool:
    """Whether rows of these amounts, in their order, let a perfect observer know the stream."""
    if cadence == "annual" and len(amounts) == 2:
        return amounts[0] == amounts[1]
    return len(amounts) >= 3

"""A generated household with its labels: what is true, and which part of it could be known.

A stream counts as truth only if a careful reader of the rows could know it: at least three occurrences,
or for an annual charge two within 15 % whose payee says that it comes yearly.
"""

from collections.abc import Mapping, Sequence
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
    currency: str


class Span(NamedTuple):
    """Days of an account that are all there, both included; `stated` when its source says so itself."""

    since: date
    until: date
    stated: bool


class Coming(NamedTuple):
    """What comes next: the day it is booked on and its amount, positive."""

    day: date
    amount: int


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

    `active` is False for what ended and shows it, None where a careful reader could not tell yet.
    `next_date` is the next due day, weekends heeded, jitter left out; `next_amount` (positive) what will
    be charged then. Both are None for what ended and for irregular income, the amount also where it
    varies too much to be foreseen. `next` is what truly comes next after the last day, skipped and late
    ones as they are, None if nothing comes within two periods, and what a probability is held against.
    `quirks` say what is hard about it.
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
    next: Coming | None = None
    quirks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Household:
    """A household on its last day, `today`; rows are in the order of the days.

    `coverage` are the days that each account's statements hold, in order.
    """

    seed: int
    today: date
    currency: str
    accounts: Sequence[OwnAccount]
    rows: Sequence[LabelledRow]
    streams: Sequence[TrueStream]
    coverage: Mapping[int, Sequence[Span]]


RENEWED_WITHIN = 0.15
"""How far apart two annual charges may be."""


def knowable(cadence: IncomeCadence, amounts: Sequence[int], *, says_yearly: bool = False) -> bool:
    """Whether rows of these amounts, in their order, let a careful reader know the stream."""
    if cadence == "annual" and len(amounts) == 2:
        return says_yearly and abs(amounts[1] - amounts[0]) <= RENEWED_WITHIN * amounts[0]
    return len(amounts) >= 3

"""What a detector says of a household, in one shape for every detector."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finplan.model.plan import IncomeCadence


@dataclass(frozen=True, slots=True)
class Claim:
    """A series that a detector reports.

    `shown` are the places of the rows that it names; `before` are the places of its payees' rows of
    the same direction between its first day and the first row shown, which a detector that shows
    only the latest rows claims without naming them. `amount` is positive.
    """

    name: str
    shown: frozenset[int]
    before: frozenset[int]
    cadence: IncomeCadence
    active: bool
    next_date: date | None
    amount: int
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a detector says of a household; pairs are places of rows, the outgoing one first.

    `seconds` is the time that finding series took, reading and pairing left out.
    """

    charges: Sequence[Claim]
    sources: Sequence[Claim]
    pairs: Sequence[tuple[int, int]]
    seconds: float = 0.0

"""What happened on an account: the rows that a perfect reading finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Literal, TypeVar

State = Literal["booked", "pending", "declined"]
_T = TypeVar("_T")

_NAMES = (
    "Orvella", "Brastik", "Quandor", "Milvane", "Tessoro", "Harkwin", "Lundeby", "Pextol", "Ravisch",
    "Yolmar", "Dunquist", "Feldora",
)  # fmt: skip
"""Names that say neither what was bought nor which way the money went."""
_FIRST = date(2019, 1, 1)
_LAST = 2500
_EXPONENTS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "BHD": 3, "KWD": 3, "TND": 3, "JOD": 3}


@dataclass(frozen=True)
class TrueRow:
    """One row: `amount` in minor units, positive when money comes in."""

    day: date
    amount: int
    payee: str
    state: State = "booked"

    @property
    def number(self) -> int:
        """The day as readers give it: YYYYMMDD."""
        return self.day.year * 10000 + self.day.month * 100 + self.day.day


@dataclass(frozen=True)
class Truth:
    """An account's rows, the oldest first, its currency, and its balance before the first row."""

    rows: tuple[TrueRow, ...]
    currency: str
    opening: int

    @property
    def booked(self) -> list[TrueRow]:
        return [row for row in self.rows if row.state == "booked"]


def exponent(currency: str) -> int:
    """How many decimals a currency has (ISO 4217)."""
    return _EXPONENTS.get(currency, 2)


def chance(random: Random, share: float) -> bool:
    """Decide yes with a probability; the simpler answer, to which examples shrink, is no."""
    return random.random() >= 1 - share


def pick(random: Random, options: Sequence[_T]) -> _T:
    """Choose one; the first is the simplest."""
    return options[random.randrange(len(options))]


def draw_truth(random: Random, currency: str) -> Truth:
    """Draw an account of a currency: mostly spent from, sometimes mostly paid into."""
    count = random.randint(2, 5) if chance(random, 0.15) else random.randint(4, 14)
    inward = pick(random, (0.3, 0.3, 0.3, 0.2, 0.3, 0.3, 0.0, 0.5, 0.8))
    longest_gap = pick(random, (3, 1, 9, 40, 3, 1, 9, 40, 0))
    day = _FIRST + timedelta(days=random.randrange(_LAST))
    if chance(random, 0.3):
        # Days below 13 throughout, whose month and day may change places.
        day, longest_gap = day.replace(day=random.randint(1, 3)), pick(random, (0, 1))
    rows = []
    for _ in range(count):
        day += timedelta(days=random.randint(0, longest_gap))
        size = _draw_size(random)
        payee = f"{pick(random, _NAMES)} {pick(random, _NAMES)}"
        rows.append(TrueRow(day, size if chance(random, inward) else -size, payee))
    return Truth(tuple(rows), currency, random.randint(0, 900_000))


def _draw_size(random: Random) -> int:
    largest = pick(random, (9_999, 99_999, 999_999, 99, 99_999_999))
    return random.randint(1, largest)

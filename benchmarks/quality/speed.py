"""How long detection takes: keeping the books of ledgers of several sizes, reading them left out.

A tenth of the rows are of one busy payee, so that 50,000 rows hold one payee with 5,000 charges, half of
them at one of forty prices. The other payees have sixty rows each, one payee in three a regular stream.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from statistics import median

from benchmarks.quality.chain import CATALOGUE
from finplan.model.user import HouseholdSettings
from finplan.plan.bookkeeping import keep_books
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, LedgerAccount, LedgerPayee, Row

SIZES = (10_000, 50_000, 100_000, 1_000_000)
TARGET_ROWS, TARGET_SECONDS = 50_000, 1.0
_TODAY = date(2026, 6, 30)
_DAYS = 3_650
_ROWS_OF_A_PAYEE = 60
_STREAM_EVERY = 3
_PRICES = 40
_PERIODS = (7, 14, 30, 91)


@dataclass(frozen=True, slots=True)
class Timing:
    """The median time of some rounds over a ledger of so many rows."""

    rows: int
    seconds: float

    @property
    def verdict(self) -> str:
        """`met` or `missed` at the size that has a target."""
        if self.rows != TARGET_ROWS:
            return ""
        return "met" if self.seconds <= TARGET_SECONDS else "missed"


def measure(sizes: Sequence[int], rounds: int = 3) -> list[Timing]:
    """Time the keeping of the books of each size."""
    timings = []
    for size in sizes:
        ledger = busy_ledger(size)
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            keep_books(ledger, _TODAY)
            times.append(time.perf_counter() - start)
        timings.append(Timing(size, median(times)))
    return timings


def table(timings: Sequence[Timing]) -> list[list[str]]:
    """The times as lines of cells, without a heading."""
    return [
        [
            f"{one.rows:,}",
            f"{one.seconds:.3f} s",
            f"{one.seconds / one.rows * 1e6:.2f} µs",
            f"≤ {TARGET_SECONDS:g} s" if one.rows == TARGET_ROWS else "",
            one.verdict,
        ]
        for one in timings
    ]


HEADINGS = ("Rows", "Detection", "A row", "Target", "")
NUMBERS = (0, 1, 2, 3)


def busy_ledger(size: int) -> Ledger:
    """A ledger of exactly so many rows over ten years, one payee with a tenth of them."""
    dice = Random(size)
    days = [day_of(_TODAY - timedelta(back)) for back in range(_DAYS)]
    prices = [dice.randint(300, 9_000) for _ in range(_PRICES)]
    rows: list[Row] = [
        (1, 1, dice.choice(days), -_price(prices, dice), 0, 1) for _ in range(size // 10)
    ]
    payee = 1
    while len(rows) < size:
        payee += 1
        count = min(_ROWS_OF_A_PAYEE, size - len(rows))
        rows += _of_payee(payee, count, days, dice)
    return Ledger(
        settings=HouseholdSettings(
            currency="USD", time_zone="UTC", budget_shares=None, target_months=None
        ),
        accounts={1: _ACCOUNT},
        payees={
            number: LedgerPayee(
                f"payee {number}", f"Payee {number}", _category(number), "unknown_inflow", {}
            )
            for number in range(1, payee + 1)
        },
        rows=sorted(rows, key=lambda row: (row[0], row[2])),
        pending=[],
        catalogue=CATALOGUE,
    )


def _price(prices: Sequence[int], dice: Random) -> int:
    """One of a few prices that come again, or as often any other."""
    return dice.choice((dice.choice(prices), dice.randint(300, 9_000)))


def _of_payee(payee: int, count: int, days: Sequence[int], dice: Random) -> list[Row]:
    if payee % _STREAM_EVERY:
        return [
            (payee, 1, dice.choice(days), -dice.randint(300, 9_000), 0, 1) for _ in range(count)
        ]
    period, amount = dice.choice(_PERIODS), -dice.randint(500, 90_000)
    first = dice.randrange(period)
    places = [first + period * place for place in range(count)]
    return [(payee, 1, days[place % _DAYS], amount, 0, 1) for place in places]


def _category(payee: int) -> str:
    # The busy payee and every stream may be bills; the rest is as unknown as a new ledger's.
    return "utilities" if payee == 1 or not payee % _STREAM_EVERY else "uncategorized"


_ACCOUNT = LedgerAccount(
    id="acc_1",
    connection_id="con_1",
    institution="First Example Bank",
    name="Checking",
    mask="1001",
    kind="depository",
    subtype="checking",
    currency="USD",
    balance=500_000,
)

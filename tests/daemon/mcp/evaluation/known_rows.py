"""A household whose every row is written down here, so that each answer is known without finplan."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from tests.households.money import Money, Row, months
from tests.households.statements import ofx_bank, ofx_card

TODAY = date(2026, 3, 18)
SINCE = date(2025, 3, 1)

FILED = {
    "OAKVIEW APARTMENTS": "rent",
    "AUSTIN ENERGY": "utilities",
    "HARBOR GROCERY": "groceries",
    "CORNER BAKERY": "dining",
    "NETFLIX": "subscriptions",
    "CITY GYM": "health",
    "MAPLE STREET BOOKS": "shopping",
    "NORTHWIND AIRLINES": "travel",
    "SHELL": "transport",
}
"""What each merchant's rows begin with, and what a rule files them under."""

UNKNOWN = "QWXLE TRADERS"
"""A merchant that no rule is about."""


def checking() -> Money:
    """Pay and rent, and what the card is paid by."""
    money = Money(TODAY, 24_321_00)
    money.monthly(SINCE, 1, "BRIGHTLINE LOGISTICS PAYROLL", 1800_00)
    money.monthly(SINCE, 16, "BRIGHTLINE LOGISTICS PAYROLL", 1800_00)
    for year, month in months(SINCE, TODAY):
        money.book(
            date(year, month, 3), "OAKVIEW APARTMENTS", -1250_00 if year > 2025 else -1200_00
        )
    money.monthly(SINCE, 12, "AUSTIN ENERGY", -81_20, -74_65, -90_10)
    money.monthly(SINCE, 20, "CARD PAYMENT", -600_00)
    return money


def card() -> Money:
    """Everything else that is bought."""
    money = Money(TODAY, -1234_56)
    money.monthly(SINCE, 20, "CARD PAYMENT", 600_00)
    money.every(7, SINCE, "HARBOR GROCERY", -82_17, -64_40, -91_05, -73_33)
    money.every(5, date(2025, 3, 4), "CORNER BAKERY", -7_80, -12_35, -9_15)
    money.every(12, date(2025, 3, 7), "SHELL", -38_50, -41_25)
    for year, month in months(SINCE, TODAY):
        money.book(date(year, month, 11), "NETFLIX", -17_99 if year > 2025 else -15_49)
    money.monthly(SINCE, 6, "CITY GYM", -39_00)
    money.book(date(2025, 8, 9), "NORTHWIND AIRLINES", -640_00)
    money.book(date(2025, 8, 23), "NORTHWIND AIRLINES", -212_40)
    money.book(date(2025, 10, 18), "MAPLE STREET BOOKS", -54_20)
    money.book(date(2025, 11, 22), "MAPLE STREET BOOKS", -24_00)
    money.book(date(2025, 12, 2), "MAPLE STREET BOOKS", 24_00)
    money.book(date(2026, 2, 14), "MAPLE STREET BOOKS", -31_75)
    money.book(date(2026, 1, 19), UNKNOWN, -45_60)
    money.book(date(2026, 2, 19), UNKNOWN, -52_15)
    return money


FILES: dict[str, Callable[[], str]] = {
    "checking.ofx": lambda: ofx_bank(checking(), "000123456789", "CHECKING", SINCE),
    "card.ofx": lambda: ofx_card(card(), "4000111122225501", SINCE),
}


@dataclass(frozen=True)
class Rows:
    """Some rows; each method narrows or adds them up as a person would on paper."""

    rows: tuple[Row, ...]

    @property
    def spent(self) -> int:
        """What they cost, refunds taken off."""
        return -sum(row.amount for row in self.rows)

    @property
    def count(self) -> int:
        return len(self.rows)

    def of(self, *merchants: str) -> "Rows":
        return Rows(tuple(row for row in self.rows if row.text in merchants))

    def under(self, category: str) -> "Rows":
        return self.of(*(name for name, filed in FILED.items() if filed == category))

    def during(self, first: date, last: date) -> "Rows":
        return Rows(tuple(row for row in self.rows if first <= row.day <= last))

    def month(self, year: int, month: int) -> "Rows":
        return Rows(
            tuple(row for row in self.rows if (row.day.year, row.day.month) == (year, month))
        )

    def year(self, year: int) -> "Rows":
        return Rows(tuple(row for row in self.rows if row.day.year == year))

    def by_month(self) -> dict[str, int]:
        return _sums((f"{row.day:%Y-%m}", row) for row in self.rows)

    def by_merchant(self) -> dict[str, int]:
        return _sums((row.text, row) for row in self.rows)


def _sums(keyed: Iterable[tuple[str, Row]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for key, row in keyed:
        sums[key] = sums.get(key, 0) - row.amount
    return sums


ALL = Rows(tuple(sorted((*checking().rows, *card().rows), key=lambda row: row.day)))
SPENDING = ALL.of(*FILED, UNKNOWN)
PAY = ALL.of("BRIGHTLINE LOGISTICS PAYROLL")

"""Statement files of a household that pays at shops which the made-up one does not know."""

from collections.abc import Iterator
from pathlib import Path

from tests.crash.files import csv_of, ofx_of
from tests.crash.household import Row

MONTHS = [f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 13)][:15]
"""From January 2025 to March 2026, in which the clock of the daemons stands."""

Monthly = tuple[tuple[int, int, str], ...]

CHECKING: Monthly = (
    (1, 250_000, "Acme Corp payroll"),
    (2, -85_000, "Venmo"),
    (3, -4_250, "Venmo"),
    (4, 3_000, "Venmo"),
    (5, -12_000, "Costco"),
    (6, -6_450, "Safeway"),
    (7, -5_210, "Whole Foods"),
)
CARD: Monthly = (
    (3, -1_599, "Netflix"),
    (5, -14_500, "Blue Bottle Coffee"),
    (9, -15_250, "Philz"),
    (10, -15_750, "Luigi"),
    (11, -16_000, "Bike Shop"),
)
SECOND_PAY = ((12, 90_000, "Beta Works payroll"), (14, -3_300, "City bus pass"))
VISA: Monthly = ((8, -1_199, "Spotify"), (19, -4_000, "Shell"))
SAVINGS: Monthly = (
    (2, 20_000, "Transfer from checking"),
    (27, 1_020, "Interest paid"),
    (28, -5_000, "Withdrawal"),
)


def write_statements(folder: Path) -> None:
    """The files that the handbook imports, of accounts of its reader."""
    for name, rows in (("checking", CHECKING), ("copy", CHECKING), ("card", CARD), ("visa", VISA)):
        (folder / f"{name}.csv").write_bytes(csv_of(_booked(rows)))
    (folder / "a.csv").write_bytes(csv_of(_booked(SECOND_PAY)))
    balance, lines = 0, ["Date,Description,Amount (USD),Balance"]
    for row in _booked(SAVINGS):
        balance += row.amount
        lines.append(f"{row.day},{row.text},{row.amount / 100:.2f},{balance / 100:.2f}")
    (folder / "savings.csv").write_text("\n".join((*lines, "")))
    # Nothing in it says which way its money goes.
    lines = [f"{row.day},{row.text},{-row.amount / 100:.2f},Visa" for row in _booked(VISA)]
    (folder / "b.csv").write_text("\n".join(("Date,Description,Amount,Account Name", *lines, "")))
    for name, booked in (("checking", CHECKING), ("statement", CHECKING), ("savings", SAVINGS)):
        statement = ofx_of(name, "1111000", _booked(booked), MONTHS[-1] + "-15", 240_000)
        for kind in ("ofx", "qfx"):
            (folder / f"{name}.{kind}").write_bytes(statement)
    (folder / "card.qfx").write_bytes(
        ofx_of("card", "2222000", _booked(CARD), MONTHS[-1] + "-15", 31_000)
    )


def _booked(monthly: Monthly) -> Iterator[Row]:
    for month in MONTHS:
        for day, amount, text in monthly:
            yield Row(f"{month}-{day:02d}", amount, text)


SETTLED = (
    "import checking.csv --account Checking --kind checking",
    "import card.csv --account Card --kind credit",
    "import savings.csv --account old-savings --kind savings",
    "import visa.csv --account Visa --kind credit",
    "import b.csv --account house --direction out --kind other --same-account new",
    "import copy.csv --account Joint --kind checking --same-account new",
    "plan build",
)
"""What settles the household in an empty home."""

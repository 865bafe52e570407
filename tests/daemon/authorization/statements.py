"""Statement files of two people: Ada's have the mark in each row, Bob's have nothing of hers."""

_HEAD = "Date,Description,Amount (USD)\n"


def _monthly(day: int, text: str, amount: str) -> list[str]:
    months = ("2025-11", "2025-12", "2026-01", "2026-02", "2026-03")
    return [f"{month}-{day:02d},{text},{amount}" for month in months]


CHECKING = _HEAD + "\n".join(
    sorted(
        [
            *_monthly(1, "ZQXADA PAYROLL", "3000.00"),
            *_monthly(3, "ZQXADA STREAMING", "-12.99"),
            *_monthly(7, "ZQXADA GREENGROCER", "-61.20"),
            *_monthly(11, "ZQXADA QUUXHALL", "-44.00"),
            *_monthly(13, "ZQXADA FLIBBERT", "-35.10"),
            "2026-03-05,ZQXADA PLUMBER BILL 88,-120.00",
            "2026-03-09,ZQXADA CAFE,-4.00",
            "2026-03-10,TRANSFER TO ZQXADA SAVINGS,-500.00",
        ]
    )
)

LATER = (
    f"{_HEAD}2026-03-03,ZQXADA STREAMING,-12.99\n2026-03-06,ZQXADA PLUMBER INVOICE,-120.00\n"
    "2026-03-07,ZQXADA GREENGROCER,-61.20\n2026-03-09,ZQXADA CAFE,-4.00\n"
)
"""It lists one bill of the checking account's under another text and day."""

SAVINGS = f"{_HEAD}2026-03-10,TRANSFER FROM ZQXADA CHECKING,500.00\n2026-03-12,ZQXADA FEE,-1.00\n"
CARD = f"{_HEAD}2026-03-02,ZQXADA BOOKSHOP,-20.00\n2026-03-04,ZQXADA GARAGE,-90.00\n"

HIS = "Date,Payee,Amount (USD)\n" + "\n".join(
    [
        "2026-03-02,BOBS BARBER,-20.00",
        "2026-03-05,BOBS PAY,900.00",
        *(f"2026-03-{day:02d},BOBS SHOP {day},-{day}.17" for day in range(6, 15)),
    ]
)
"""Enough rows that an account of another name which has them is asked about."""

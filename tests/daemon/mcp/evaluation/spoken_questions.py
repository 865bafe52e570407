"""Questions that name things as a person does, or that one word in a question leaves open."""

from datetime import date

from tests.daemon.mcp.evaluation.known_rows import PAY, SPENDING, UNKNOWN, card, checking
from tests.daemon.mcp.evaluation.questions import Asked, amounts, rows, spending, total

QWXLE = SPENDING.of(UNKNOWN)
LAST_DIGITS = "6789"
"""What the number of the checking account ends with."""


OF_NAMES = (
    Asked(
        "What left my account that ends with 6789 last month, and how much of it was the rent?",
        (
            rows(account=[LAST_DIGITS], period="last month", limit=50),
            spending(category=["Rent"], period="last month"),
        ),
        lambda told: (-sum(amount for amount in amounts(told[0]) if amount < 0), total(told[1])),
        (
            -sum(
                row.amount
                for row in checking().rows
                if (row.day.year, row.day.month) == (2026, 2) and row.amount < 0
            ),
            1250_00,
        ),
    ),
    Asked(
        "On which account is the largest charge of 2025, by its name as I read it?",
        (
            rows(period="2025", minAmount=640_00, maxAmount=640_00),
            rows(
                lambda told: {
                    "account": [
                        told[0]["accounts"][told[0]["transactions"][0]["accountId"]]["name"]
                    ],
                    "period": "2025-08",
                    "limit": 50,
                }
            ),
        ),
        lambda told: (
            told[0]["transactions"][0]["amount"],
            len(told[1]["transactions"]),
        ),
        (
            -640_00,
            sum((row.day.year, row.day.month) == (2025, 8) for row in card().rows),
        ),
    ),
    Asked(
        "How much of what I call pay came in last month, as a sum and row by row?",
        (
            spending(category=["Pay"], period="last month"),
            rows(category=["Pay"], period="last month"),
        ),
        lambda told: (total(told[0]), told[0]["flow"], sum(amounts(told[1]))),
        (-PAY.month(2026, 2).spent, "income", -PAY.month(2026, 2).spent),
    ),
    Asked(
        "The 45.60 at Qwxle Traders was travel, and that alone. What of it is still not known?",
        (
            (
                "set_category_rules",
                {
                    "rules": [{"merchant": "qwxle traders", "category": "travel", "amount": 45_60}],
                    "confirm": True,
                },
            ),
            spending(category=["Not yet known"], period="all time"),
        ),
        lambda told: (told[0]["moves"][0]["label"], told[0]["moves"][0]["rows"], total(told[1])),
        ("Travel", 1, QWXLE.spent - 45_60),
    ),
    Asked(
        "How many times did I buy with the card in February, and how often at the bakery?",
        (
            rows({"account": ["5501"], "from": "2026-02-01", "to": "2026-02-28", "limit": 50}),
            spending(merchant=["corner bakery"], period="last month"),
        ),
        lambda told: (
            sum(amount < 0 for amount in amounts(told[0])),
            told[1]["count"],
        ),
        (
            sum(
                (row.day.year, row.day.month) == (2026, 2) and row.amount < 0 for row in card().rows
            ),
            SPENDING.of("CORNER BAKERY").month(2026, 2).count,
        ),
    ),
    Asked(
        "Under what could I file Qwxle Traders that I have never spent on, going by all there is?",
        (
            (
                "set_category_rules",
                {"rules": [{"merchant": "Qwxle Traders", "category": "something else"}]},
            ),
            spending(groupBy="category", period="all time", limit=100),
        ),
        lambda told: (
            {"pets", "childcare", "rent"}
            & ({*told[0]["categories"]} - {each["key"] for each in told[1]["groups"]})
        ),
        {"pets", "childcare"},
    ),
    Asked(
        "Does filing the bakery as a rule count more rows than the last twelve months have?",
        (
            (
                "set_category_rules",
                {"rules": [{"merchant": "corner bakery", "category": "groceries"}]},
            ),
            spending(merchant=["corner bakery"], period="last 12 months"),
        ),
        lambda told: told[0]["moves"][0]["rows"] - told[1]["count"],
        SPENDING.of("CORNER BAKERY").during(date(2026, 3, 1), date(2026, 3, 31)).count,
    ),
    Asked(
        "Sync my bank by its name, and say when it was last asked.",
        (
            ("list_connections", {}),
            (
                "sync_connections",
                lambda told: {"id": told[0]["connections"][0]["institutionName"].upper()},
            ),
        ),
        lambda told: (
            told[1]["reports"][0]["institutionName"]
            == told[0]["connections"][0]["institutionName"],
            told[1]["reports"][0]["added"],
        ),
        (True, 0),
    ),
)

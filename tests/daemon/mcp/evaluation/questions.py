"""Forty-eight questions that take more than one call, each with what is known of it from the rows alone.

Eight of them name things as a person does, or one word in them leaves something open.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from tests.daemon.mcp.evaluation.known_rows import ALL, PAY, SPENDING, UNKNOWN, Rows, card, checking

Told = list[Any]
"""What the calls so far have told, in their order."""

Arguments = Mapping[str, Any] | Callable[[Told], Mapping[str, Any]]
"""What a tool is asked; where that follows from earlier answers, by a function of them."""


@dataclass(frozen=True)
class Asked:
    """A question, the calls that solve it, how it is read out of what they tell, and what is true."""

    words: str
    calls: tuple[tuple[str, Arguments], ...]
    read: Callable[[Told], Any]
    known: Any


def spending(arguments: Arguments | None = None, **asked: Any) -> tuple[str, Arguments]:
    return "query_spending", arguments or asked


def rows(arguments: Arguments | None = None, **asked: Any) -> tuple[str, Arguments]:
    return "list_transactions", arguments or asked


def plan(*parts: str) -> tuple[str, Arguments]:
    return "get_plan", {"parts": list(parts)}


def total(told: Any, key: str | None = None) -> int:
    """A total as query_spending tells it: of all, or of one group."""
    found: int = told["total"] if key is None else _group(told, key)["total"]
    return found


def _group(told: Any, key: str) -> Any:
    return next(each for each in told["groups"] if each["key"] == key)


def largest(told: Any) -> Any:
    return max(told["groups"], key=lambda each: each["total"])


def amounts(told: Any) -> list[int]:
    return [each["amount"] for each in told["transactions"]]


def named(listed: Any, name: str) -> Any:
    return next(each for each in listed if name in each["name"].casefold())


def _month_of_most(some: Rows) -> str:
    by_month = some.by_month()
    return max(by_month, key=lambda month: by_month[month])


def _last_day(some: Rows) -> str:
    return max(row.day for row in some.rows).isoformat()


FEBRUARY, JANUARY = SPENDING.month(2026, 2), SPENDING.month(2026, 1)
Q4 = SPENDING.during(date(2025, 10, 1), date(2025, 12, 31))
Q3 = SPENDING.during(date(2025, 7, 1), date(2025, 9, 30))
YEAR = SPENDING.during(date(2025, 3, 1), date(2026, 2, 28))
BAKERY, GROCERY, SHELL = (
    SPENDING.of(name) for name in ("CORNER BAKERY", "HARBOR GROCERY", "SHELL")
)
BOOKS, AIRLINE = SPENDING.of("MAPLE STREET BOOKS"), SPENDING.of("NORTHWIND AIRLINES")
DEAREST = _month_of_most(SPENDING)
IN_CASH, OWED = checking().closing, -card().closing

OF_SUMS = (
    Asked(
        "How much more did groceries cost in February than in January?",
        (
            spending(category=["Groceries"], period="last month"),
            spending(category=["Groceries"], period="2026-01"),
        ),
        lambda told: total(told[0]) - total(told[1]),
        FEBRUARY.under("groceries").spent - JANUARY.under("groceries").spent,
    ),
    Asked(
        "Which month was the dearest, and where did most of its money go?",
        (
            spending(groupBy="month", period="all time"),
            spending(
                lambda told: {"groupBy": "merchant", "period": largest(told[0])["key"], "limit": 1}
            ),
        ),
        lambda told: (largest(told[0])["key"], told[1]["groups"][0]["total"]),
        (DEAREST, max(SPENDING.month(2025, 8).by_merchant().values())),
    ),
    Asked(
        "What did the dearest month cost beside its flights?",
        (
            spending(groupBy="month", period="all time"),
            spending(lambda told: {"category": ["travel"], "period": largest(told[0])["key"]}),
        ),
        lambda told: largest(told[0])["total"] - total(told[1]),
        SPENDING.month(2025, 8).spent - AIRLINE.spent,
    ),
    Asked(
        "Of each 10,000 spent in the last quarter of 2025, how many went to groceries?",
        (spending(period="2025-Q4"), spending(period="2025-Q4", category=["groceries"])),
        lambda told: 10_000 * total(told[1]) // total(told[0]),
        10_000 * Q4.under("groceries").spent // Q4.spent,
    ),
    Asked(
        "Did the third quarter cost more than the fourth, and by how much?",
        (spending(period="2025-Q3"), spending(period="2025-Q4")),
        lambda told: total(told[0]) - total(told[1]),
        Q3.spent - Q4.spent,
    ),
    Asked(
        "What does a visit at the Corner Bakery come to, in January and in February?",
        (
            spending(merchant=["Corner Bakery"], period="january"),
            spending(merchant=["Corner Bakery"], period="february"),
        ),
        lambda told: [each["total"] // each["count"] for each in told],
        [
            some.of("CORNER BAKERY").spent // some.of("CORNER BAKERY").count
            for some in (JANUARY, FEBRUARY)
        ],
    ),
    Asked(
        "How much more is the rent than it was last December?",
        (
            spending(merchant=["Oakview Apartments"], period="2025-12"),
            spending(merchant=["Oakview Apartments"], period="2026-01"),
        ),
        lambda told: total(told[1]) - total(told[0]),
        50_00,
    ),
    Asked(
        "What was left of the pay of February?",
        (spending(period="last month"), plan("incomeSources")),
        lambda told: told[1]["monthly"]["income"] - total(told[0]),
        -PAY.month(2026, 2).spent - FEBRUARY.spent,
    ),
    Asked(
        "How far was February from a usual month?",
        (spending(period="last month"), plan()),
        lambda told: total(told[0]) - told[1]["monthly"]["totalSpend"],
        FEBRUARY.spent - round(YEAR.spent / 12),
    ),
    Asked(
        "Which merchant had the second most of my money in 2025, and when last?",
        (
            spending(groupBy="merchant", period="2025", limit=2),
            rows(
                lambda told: {
                    "merchant": [told[0]["groups"][1]["label"]],
                    "period": "2025",
                    "limit": 1,
                }
            ),
        ),
        lambda told: (told[0]["groups"][1]["total"], told[1]["transactions"][0]["date"]),
        (GROCERY.year(2025).spent, _last_day(GROCERY.year(2025))),
    ),
    Asked(
        "Do eating out and groceries together cost more than the rent in the last twelve months?",
        (
            spending(category=["groceries", "Restaurants and coffee"], period="last 12 months"),
            spending(category=["Rent"], period="last 12 months"),
        ),
        lambda told: (total(told[0]), total(told[1])),
        (YEAR.under("groceries").spent + YEAR.under("dining").spent, YEAR.under("rent").spent),
    ),
    Asked(
        "In which month did fuel cost most, and how often did I fill up then?",
        (
            spending(category=["transport"], groupBy="month", period="all time"),
            spending(lambda told: {"category": ["transport"], "period": largest(told[0])["key"]}),
        ),
        lambda told: (largest(told[0])["total"], told[1]["count"]),
        (
            max(SHELL.by_month().values()),
            SHELL.month(*map(int, _month_of_most(SHELL).split("-"))).count,
        ),
    ),
    Asked(
        "What did everything but rent cost in 2025?",
        (spending(period="2025"), spending(period="2025", category=["rent"])),
        lambda told: total(told[0]) - total(told[1]),
        SPENDING.year(2025).spent - SPENDING.year(2025).under("rent").spent,
    ),
    Asked(
        "What do the three largest categories leave of a year's spending?",
        (
            spending(groupBy="category", period="last 12 months", limit=3),
            spending(period="last 12 months"),
        ),
        lambda told: (told[0]["leftOut"]["total"], total(told[1])),
        (
            YEAR.spent - sum(YEAR.under(each).spent for each in ("rent", "groceries", "transport")),
            YEAR.spent,
        ),
    ),
    Asked(
        "How does what the bakery got change from month to month in the fourth quarter?",
        (
            spending(merchant=["corner bakery"], groupBy="month", period="2025-Q4"),
            spending(merchant=["corner bakery"], period="2025-Q4"),
        ),
        lambda told: (
            [after["total"] - before["total"] for before, after in pairwise(told[0]["groups"])],
            total(told[1]),
        ),
        (
            [
                after - before
                for before, after in pairwise(Q4.of("CORNER BAKERY").by_month().values())
            ],
            Q4.of("CORNER BAKERY").spent,
        ),
    ),
    Asked(
        "Was this month up to today dearer than the same days of last month?",
        (
            spending({"from": "2026-03-01", "to": "2026-03-18"}),
            spending({"from": "2026-02-01", "to": "2026-02-18"}),
        ),
        lambda told: (total(told[0]), total(told[1])),
        (SPENDING.month(2026, 3).spent, SPENDING.during(date(2026, 2, 1), date(2026, 2, 18)).spent),
    ),
    Asked(
        "What do all months of groceries add up to, and does that agree with the sum?",
        (
            spending(category=["groceries"], byMonth=True, period="all time"),
            spending(category=["groceries"], period="all time"),
        ),
        lambda told: (sum(told[0]["totals"]), total(told[1])),
        (GROCERY.spent, GROCERY.spent),
    ),
)

OF_ROWS = (
    Asked(
        "When did Netflix become dearer, and by how much?",
        (
            rows(merchant=["Netflix"], limit=8),
            rows(lambda told: {"merchant": ["Netflix"], "cursor": told[0]["nextCursor"]}),
        ),
        lambda told: next(
            (after["date"], before["amount"] - after["amount"])
            for before, after in pairwise(
                [*told[0]["transactions"], *told[1]["transactions"]][::-1]
            )
            if before["amount"] != after["amount"]
        ),
        ("2026-01-11", 2_50),
    ),
    Asked(
        "What was my largest single purchase, and what share of its month was it, per 1,000?",
        (
            rows(minAmount=600_01, category=["travel"]),
            spending(lambda told: {"period": told[0]["transactions"][0]["date"][:7]}),
        ),
        lambda told: (amounts(told[0])[0], 1000 * -amounts(told[0])[0] // total(told[1])),
        (-640_00, 1000 * 640_00 // SPENDING.month(2025, 8).spent),
    ),
    Asked(
        "Which book did I send back, and what have books cost me all in all?",
        (rows(merchant=["Maple Street Books"]), spending(merchant=["Maple Street Books"])),
        lambda told: (
            [each["date"] for each in told[0]["transactions"] if each["amount"] > 0],
            total(told[1]),
        ),
        (["2025-12-02"], BOOKS.spent),
    ),
    Asked(
        "How many rows has the bakery, counted on pages?",
        (
            rows(merchant=["Corner Bakery"], limit=50),
            rows(
                lambda told: {
                    "merchant": ["Corner Bakery"],
                    "limit": 50,
                    "cursor": told[0]["nextCursor"],
                }
            ),
        ),
        lambda told: sum(each["count"] for each in told),
        BAKERY.count,
    ),
    Asked(
        "On which account is the gym paid, and what does that account stand at?",
        (rows(text="gym", limit=1), ("list_accounts", {})),
        lambda told: next(
            (each["kind"], each["balance"])
            for each in told[1]["accounts"]
            if each["id"] == told[0]["transactions"][0]["accountId"]
        ),
        ("credit", OWED),
    ),
    Asked(
        "What was paid from the checking account in February, apart from moves?",
        (
            ("list_accounts", {}),
            rows(
                lambda told: {
                    "account": [named(told[0]["accounts"], "checking")["id"]],
                    "period": "last month",
                    "limit": 50,
                }
            ),
        ),
        lambda told: sum(
            -each["amount"]
            for each in told[1]["transactions"]
            if each["amount"] < 0 and each["why"] != "transfer"
        ),
        FEBRUARY.of("OAKVIEW APARTMENTS", "AUSTIN ENERGY").spent,
    ),
    Asked(
        "How many pay days had the first quarter so far, and is that two a month?",
        (rows(text="payroll", period="2026-Q1"), plan("incomeSources")),
        lambda told: (amounts(told[0]), named(told[1]["incomeSources"], "brightline")["cadence"]),
        ([1800_00] * PAY.year(2026).count, "semimonthly"),
    ),
    Asked(
        "What has not been filed yet, and how much is it?",
        (spending(category=["uncategorized"], period="all time"), rows(category=["uncategorized"])),
        lambda told: (total(told[0]), amounts(told[1])),
        (45_60 + 52_15, [-52_15, -45_60]),
    ),
    Asked(
        "Which bills of the power company were above 80, and how many in all were there?",
        (rows(merchant=["Austin Energy"], minAmount=80_00), rows(merchant=["Austin Energy"])),
        lambda told: (told[0]["count"], told[1]["count"]),
        (
            sum(row.amount <= -80_00 for row in SPENDING.of("AUSTIN ENERGY").rows),
            SPENDING.of("AUSTIN ENERGY").count,
        ),
    ),
)

OF_WHAT_IS = (
    Asked(
        "What would be left of my cash if I paid the card now?",
        (("list_accounts", {}), ("get_wealth", {})),
        lambda told: (
            named(told[0]["accounts"], "checking")["balance"]
            - named(told[0]["accounts"], "card")["balance"],
            told[1]["balances"]["netWorth"],
        ),
        (IN_CASH - OWED, IN_CASH - OWED),
    ),
    Asked(
        "How much richer am I than at the end of February?",
        (("get_wealth", {}), ("get_snapshot", {})),
        lambda told: (
            told[1]["balances"]["netWorth"]
            - next(each["netWorth"] for each in told[0]["history"] if each["date"] == "2026-02-28")
        ),
        sum(row.amount for row in ALL.month(2026, 3).rows),
    ),
    Asked(
        "When am I paid next, and how much?",
        (("get_snapshot", {}), plan("incomeSources")),
        lambda told: (
            told[0]["allowance"]["payday"],
            named(told[1]["incomeSources"], "brightline")["amount"],
        ),
        ("2026-04-01", 1800_00),
    ),
    Asked(
        "When is the next rent due, and how much more is it than the mean of the year?",
        (("get_forecast", {"days": 30}), spending(category=["rent"], period="last 12 months")),
        lambda told: next(
            (each["date"], -each["amount"] - total(told[1]) // 12)
            for each in told[0]["moves"]
            if "oakview" in each["name"].casefold()
        ),
        ("2026-04-03", 1250_00 - YEAR.under("rent").spent // 12),
    ),
    Asked(
        "What do the subscription and the gym take of a year, from now on?",
        (plan("recurring"), rows(merchant=["Netflix"], limit=1)),
        lambda told: (
            12
            * sum(named(told[0]["recurring"], each)["amount"] for each in ("netflix", "city gym")),
            amounts(told[1]),
        ),
        (12 * (17_99 + 39_00), [-17_99]),
    ),
    Asked(
        "Does the look ahead begin with what the bank says, and when is Netflix next?",
        (("get_forecast", {"days": 10}), ("list_accounts", {}), plan("recurring")),
        lambda told: (
            told[0]["start"] - named(told[1]["accounts"], "checking")["balance"],
            named(told[2]["recurring"], "netflix")["nextDate"],
        ),
        (0, "2026-04-11"),
    ),
    Asked(
        "How is my mean spending made up, and do the months behind it agree?",
        (("explain_figure", {"section": "monthly"}), spending(period="last 12 months")),
        lambda told: next(
            (value["value"], total(told[1]), told[0]["plan"])
            for figure in told[0]["figures"]
            for value in figure["values"]
            if value["name"] == "spendingTotal"
        )[:2],
        (YEAR.spent, YEAR.spent),
    ),
    Asked(
        "What does the plan advise about the card, and is that what it owes?",
        (plan(), ("list_accounts", {})),
        lambda told: (
            next(
                each["amount"] for each in told[0]["actions"] if each["kind"] == "pay_card_in_full"
            ),
            named(told[1]["accounts"], "card")["balance"],
        ),
        (OWED, OWED),
    ),
    Asked(
        "Which of my banks can be synced, and since when are the data there?",
        (("list_connections", {}), ("get_plan", {})),
        lambda told: (
            [each["status"] for each in told[0]["connections"]],
            told[1]["window"]["from"],
        ),
        (["ok"], min(row.day for row in ALL.rows).isoformat()),
    ),
)

SHARES = [{"amount": -32_15, "category": "Groceries"}, {"amount": -20_00, "category": "Shopping"}]
OF_CHANGES = (
    Asked(
        "What would groceries come to if the bakery counted as such?",
        (
            (
                "set_category_rules",
                {"rules": [{"merchant": "Corner Bakery", "category": "Groceries"}]},
            ),
            spending(category=["groceries"], period="all time"),
        ),
        lambda told: told[0]["moves"][0]["total"] + total(told[1]),
        BAKERY.spent + GROCERY.spent,
    ),
    Asked(
        "File the bakery under groceries. What do groceries come to now?",
        (
            (
                "set_category_rules",
                {
                    "rules": [{"merchant": "Corner Bakery", "category": "Groceries"}],
                    "confirm": True,
                },
            ),
            spending(category=["groceries"], period="all time"),
        ),
        lambda told: (told[0]["moves"][0]["rows"], total(told[1])),
        (BAKERY.count, BAKERY.spent + GROCERY.spent),
    ),
    Asked(
        "File Qwxle Traders under shopping. What is still unfiled?",
        (
            (
                "set_category_rules",
                {"rules": [{"merchant": "Qwxle Traders", "category": "Shopping"}], "confirm": True},
            ),
            spending(category=["uncategorized"], period="all time"),
            spending(category=["shopping"], period="all time"),
        ),
        lambda told: (total(told[1]), total(told[2])),
        (0, BOOKS.spent + 45_60 + 52_15),
    ),
    Asked(
        "The last of Qwxle Traders was 32.15 of food, and shopping. What do groceries come to?",
        (
            rows(text="qwxle", limit=1),
            (
                "change_transaction",
                lambda told: {
                    "id": told[0]["transactions"][0]["id"],
                    "splits": SHARES,
                    "confirm": True,
                },
            ),
            spending(category=["groceries"], period="last month"),
        ),
        lambda told: (told[1]["before"]["category"], total(told[2])),
        ("uncategorized", FEBRUARY.under("groceries").spent + 32_15),
    ),
    Asked(
        "Would filing the second flight by itself as fun leave the first one where it is?",
        (
            rows(merchant=["Northwind Airlines"], maxAmount=300_00),
            (
                "change_transaction",
                lambda told: {"id": told[0]["transactions"][0]["id"], "category": "shopping"},
            ),
            spending(category=["travel"], period="2025"),
        ),
        lambda told: (told[1]["amount"], told[1]["confirmed"], total(told[2])),
        (-212_40, False, AIRLINE.spent),
    ),
)

QUESTIONS = (*OF_SUMS, *OF_ROWS, *OF_WHAT_IS, *OF_CHANGES)


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
        lambda told: (told[0]["transactions"][0]["amount"], len(told[1]["transactions"])),
        (-640_00, sum((row.day.year, row.day.month) == (2025, 8) for row in card().rows)),
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
        lambda told: (sum(amount < 0 for amount in amounts(told[0])), told[1]["count"]),
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

"""Twenty-five questions of a person about money out and in: each a call or two, none of them wasted."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from finplan.model.money import half_even
from tests.daemon.mcp.connected import connected, every_row, rest, told_by
from tests.daemon.running import NOW, RunningDaemon

TODAY = NOW.date()
EARNED = {"wages", "self_employment", "pension_benefits", "interest", "tax_refund", "other_income"}
LAST_MONTH = (date(2026, 2, 1), date(2026, 2, 28))
THIS_YEAR = (date(2026, 1, 1), TODAY)
Days = tuple[date, date]
Row = Mapping[str, Any]


class Books:
    """The rows of a household as REST lists them one by one, added up here and nowhere else."""

    def __init__(self, rows: Iterable[Row], accounts: Iterable[Row], recorded: Row) -> None:
        self.rows = [{**row, "day": date.fromisoformat(row["date"])} for row in rows]
        self.accounts = {each["id"]: each for each in accounts}
        self.recorded = (
            date.fromisoformat(recorded["from"]),
            date.fromisoformat(recorded["to"]),
        )
        shops = Counter(row["payee"] for row in self.spent() if row["category"] == "groceries")
        self.shop = shops.most_common(1)[0][0]
        payers = Counter(row["payee"] for row in self.earned() if row["category"] == "wages")
        self.employer = payers.most_common(1)[0][0]

    def account(self, subtype: str) -> Row:
        """The account of most rows among those of a subtype."""
        rows = Counter(row["accountId"] for row in self.rows)
        some = [each for each in self.accounts.values() if subtype in (each["subtype"] or "")]
        return max(some, key=lambda each: rows[each["id"]])

    def spent(
        self, days: Days | None = None, of: str | None = None, **fields: str
    ) -> list[dict[str, Any]]:
        """The rows of spending, on cash and cards."""
        return [
            row
            for row in self._within(days, fields)
            if row["line"] != "not_spending" and of in (None, row["category"])
        ]

    def earned(self, days: Days | None = None, **fields: str) -> list[dict[str, Any]]:
        """The rows of income, on cash and cards."""
        return [row for row in self._within(days, fields) if row["category"] in EARNED]

    def _within(self, days: Days | None, fields: Mapping[str, str]) -> list[dict[str, Any]]:
        first, last = days or self.recorded
        return [
            row
            for row in self.rows
            if first <= row["day"] <= last
            and self.accounts[row["accountId"]]["kind"] in {"depository", "credit"}
            and all(row[name] == value for name, value in fields.items())
        ]

    def whole_months(self) -> tuple[Days, int]:
        """The days of the whole months that rows reach, and how many months they are."""
        first, last = self.recorded
        begin = first if first.day == 1 else (first.replace(day=1) + timedelta(32)).replace(day=1)
        end = min(last + timedelta(1), TODAY).replace(day=1)
        return (begin, end - timedelta(1)), (end.year - begin.year) * 12 + end.month - begin.month


def out(rows: Iterable[Row]) -> int:
    return -into(rows)


def into(rows: Iterable[Row]) -> int:
    amounts: list[int] = [row["amount"] for row in rows]
    return sum(amounts)


def months(rows: Iterable[Row], sign: int) -> dict[str, int]:
    """Sums of this year's months until today, also of those without any."""
    sums = dict.fromkeys(("2026-01", "2026-02", "2026-03"), 0)
    for row in rows:
        sums[row["date"][:7]] += sign * row["amount"]
    return sums


def grouped(rows: Iterable[Row], by: str, sign: int) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row[by]] += sign * row["amount"]
    return dict(sums)


def largest(rows: Iterable[Row], sign: int, most: int) -> list[int]:
    amounts = sorted((sign * row["amount"] for row in rows), reverse=True)
    return [each for each in amounts if each > 0][:most]


def of_a_month(books: Books, sums: Callable[[Days], int]) -> int:
    days, count = books.whole_months()
    return half_even(sums(days), count)


def total(told: Any) -> int:
    return int(told["total"])


def groups(told: Any) -> dict[str, int]:
    return {each["key"]: each["total"] for each in told["groups"]}


def mean(told: Any) -> int:
    return int(told["mean"])


def amounts(told: Any) -> list[int]:
    return [each["amount"] for each in told["largest"]]


def first_group(told: Any) -> str:
    return str(told["groups"][0]["label"])


@dataclass(frozen=True)
class Asked:
    """A question, what the tool is asked, how its answer is read, and the figure by the rows."""

    words: str
    call: Callable[[Books], Mapping[str, Any]]
    read: Callable[[Any], Any]
    known: Callable[[Books], Any]


def mortgage_out(books: Books, days: Days) -> int:
    return out(books.spent(days)) - out(books.spent(days, "mortgage"))


QUESTIONS = (
    Asked(
        "How much did I earn last month?",
        lambda _: {"flow": "income", "period": "last month"},
        total,
        lambda books: into(books.earned(LAST_MONTH)),
    ),
    Asked(
        "How much salary did I get this year?",
        lambda _: {"category": "salary", "period": "this year"},
        total,
        lambda books: into(books.earned(THIS_YEAR, category="wages")),
    ),
    Asked(
        "How much money came in each month this year?",
        lambda _: {"category": "income", "groupBy": "month", "period": "this year"},
        groups,
        lambda books: months(books.earned(THIS_YEAR), 1),
    ),
    Asked(
        "Where does my income come from?",
        lambda _: {"flow": "income", "groupBy": "merchant", "limit": 100},
        groups,
        lambda books: grouped(books.earned(), "payeeKey", 1),
    ),
    Asked(
        "How much do I earn a month on average?",
        lambda _: {"flow": "income", "mean": "month"},
        mean,
        lambda books: of_a_month(books, lambda days: into(books.earned(days))),
    ),
    Asked(
        "How much did I get from my employer this year?",
        lambda books: {"merchant": books.employer, "period": "this year"},
        total,
        lambda books: into(books.earned(THIS_YEAR, payee=books.employer)),
    ),
    Asked(
        "What was the largest sum that came in this year?",
        lambda _: {"flow": "income", "largest": 1, "period": "this year"},
        amounts,
        lambda books: largest(books.earned(THIS_YEAR), 1, 1),
    ),
    Asked(
        "Into which account does my money come?",
        lambda _: {"flow": "income", "groupBy": "account"},
        groups,
        lambda books: grouped(books.earned(), "accountId", 1),
    ),
    Asked(
        "How much came in apart from my salary?",
        lambda _: {"flow": "income", "except": "salary"},
        total,
        lambda books: into(books.earned()) - into(books.earned(category="wages")),
    ),
    Asked(
        "How much interest did my savings earn this year?",
        lambda _: {"category": ["interest"], "period": "this year"},
        total,
        lambda books: into(books.earned(THIS_YEAR, category="interest")),
    ),
    Asked(
        "How much did I spend last month?",
        lambda _: {"period": "last month"},
        total,
        lambda books: out(books.spent(LAST_MONTH)),
    ),
    Asked(
        "What did I spend on groceries in September?",
        lambda _: {"category": "groceries", "period": "2025-09"},
        total,
        lambda books: out(books.spent((date(2025, 9, 1), date(2025, 9, 30)), "groceries")),
    ),
    Asked(
        "How much did I spend this year apart from the mortgage?",
        lambda _: {"except": "mortgage", "period": "this year"},
        total,
        lambda books: mortgage_out(books, THIS_YEAR),
    ),
    Asked(
        "How much did I spend last month apart from the mortgage and groceries?",
        lambda _: {"except": ["mortgage", "groceries"], "period": "last month"},
        total,
        lambda books: mortgage_out(books, LAST_MONTH) - out(books.spent(LAST_MONTH, "groceries")),
    ),
    Asked(
        "What were my five largest purchases this year?",
        lambda _: {"largest": 5, "period": "this year"},
        amounts,
        lambda books: largest(books.spent(THIS_YEAR), -1, 5),
    ),
    Asked(
        "What was my largest purchase at my grocery store?",
        lambda books: {"merchant": books.shop, "largest": 1},
        amounts,
        lambda books: largest(books.spent(payee=books.shop), -1, 1),
    ),
    Asked(
        "What do I spend on eating out on average a month?",
        lambda _: {"category": "eating out", "mean": "month"},
        mean,
        lambda books: of_a_month(books, lambda days: out(books.spent(days, "dining"))),
    ),
    Asked(
        "Which account do I spend most from?",
        lambda _: {"groupBy": "account"},
        groups,
        lambda books: grouped(books.spent(), "accountId", -1),
    ),
    Asked(
        "How much did I put on my credit card last month?",
        lambda books: {"account": books.account("credit")["name"], "period": "last month"},
        total,
        lambda books: out(books.spent(LAST_MONTH, accountId=books.account("credit")["id"])),
    ),
    Asked(
        "How much interest did I pay on the car loan this year?",
        lambda _: {
            "account": "car loan",
            "category": "interest",
            "period": "this year",
        },
        total,
        lambda books: out(
            row
            for row in books.rows
            if row["accountId"] == books.account("auto")["id"]
            and row["amount"] < 0
            and row["day"] >= THIS_YEAR[0]
        ),
    ),
    Asked(
        "How much do I spend at my grocery store a month?",
        lambda books: {"merchant": [books.shop], "mean": "month"},
        mean,
        lambda books: of_a_month(books, lambda days: out(books.spent(days, payee=books.shop))),
    ),
    Asked(
        "Which merchant gets most of my money?",
        lambda _: {"groupBy": "merchant", "limit": 1},
        first_group,
        lambda books: max(
            (sums := grouped(books.spent(), "payee", -1)), key=lambda payee: sums[payee]
        ),
    ),
    Asked(
        "How much do I spend a month on average?",
        lambda _: {"mean": "month"},
        mean,
        lambda books: of_a_month(books, lambda days: out(books.spent(days))),
    ),
    Asked(
        "How often did I eat out last month?",
        lambda _: {"category": "eating out", "period": "last month"},
        lambda told: told["count"],
        lambda books: len(books.spent(LAST_MONTH, "dining")),
    ),
    Asked(
        "How did my spending on fuel and transit go month by month this year?",
        lambda _: {"category": "transport", "groupBy": "month", "period": "this year"},
        groups,
        lambda books: months(books.spent(THIS_YEAR, "transport"), -1),
    ),
)


async def read_books(household: RunningDaemon) -> Books:
    recorded = (await rest(household, "/spending"))["recorded"]
    return Books(await every_row(household), await rest(household, "/accounts"), recorded)


async def test_each_question_takes_one_call(household: RunningDaemon) -> None:
    """After one look at the accounts, every figure is that of the rows, and no call is refused."""
    books = await read_books(household)
    wrong = {}
    async with connected(household, scopes=("service:read",)) as client:
        shown = await told_by(client, "list_accounts")
        assert {each["name"] for each in shown["accounts"]} == {
            each["name"] for each in books.accounts.values()
        }
        for question in QUESTIONS:
            told = await told_by(client, "query_spending", **question.call(books))
            found, known = question.read(told), question.known(books)
            if found != known:
                wrong[question.words] = (found, known)
            assert known, question.words
    assert not wrong
    assert len({question.words for question in QUESTIONS}) == 25

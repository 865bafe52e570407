"""What comes in a rhythm and is no pay all the same."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

MONTHS = range(4, 11)


def monthly(text: str, amount: int, day: int = 28) -> list[str]:
    return [f"2026-{month:02}-{day:02},{text},{amount}.00" for month in MONTHS]


SALARY = monthly("QUILLZWALD LTD SALARY", 2400)


async def _filed(context: Context) -> dict[str, str]:
    page = await list_transactions(context, TransactionQuery(limit=100))
    return {row.payee_key: row.category for row in page.transactions}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("BLUE HERON COLLECTIVE", "wages"),
        ("BLUE HERON LOYALTY POINTS", "other_income"),
        ("BLUE HERON PATRONAGE", "other_income"),
        ("BLUE HERON ASSOCIATION PAYOUT", "other_income"),
        ("ANGLERVEREIN REIHERSEE AUSZAHLUNG", "other_income"),
        ("BLUE HERON CASH BACK REWARD", "interest"),
        ("REFUND BLUE HERON COLLECTIVE", "uncategorized"),
    ],
)
async def test_words_say_that_a_rhythm_is_no_pay(
    context: Context, import_texts: Import, text: str, category: str
) -> None:
    """A reward, a refund and an association's payout are as regular as pay, and none."""
    await import_texts({"a.csv": csv(*SALARY, *monthly(text, 300, day=3))})
    filed = await _filed(context)
    assert filed.pop("quillzwald") == "wages"
    assert list(filed.values()) == [category]


@pytest.mark.parametrize(("amount", "category"), [(24, "other_income"), (25, "wages")])
@pytest.mark.parametrize("salary_first", [True, False])
async def test_less_than_a_hundredth_of_the_income_is_no_pay(
    context: Context, import_texts: Import, amount: int, category: str, *, salary_first: bool
) -> None:
    """Below one percent of what is earned meanwhile, whichever is imported first."""
    texts = [csv(*SALARY), csv(*monthly("BLUE HERON COLLECTIVE", amount))]
    for place, text in enumerate(texts if salary_first else reversed(texts)):
        await import_texts({f"{place}.csv": text})
    assert await _filed(context) == {"quillzwald": "wages", "blue heron collective": category}


async def test_small_pay_is_pay_where_it_is_all_of_the_income(
    context: Context, import_texts: Import
) -> None:
    """It is judged by its share: once the salary is gone again, it is all there is."""
    await import_texts({"small.csv": csv(*monthly("BLUE HERON COLLECTIVE", 20))})
    assert await _filed(context) == {"blue heron collective": "wages"}
    salary = await import_texts({"salary.csv": csv(*SALARY)})
    assert (await _filed(context))["blue heron collective"] == "other_income"
    await undo_import(context, ImportId(id=salary.id))
    assert await _filed(context) == {"blue heron collective": "wages"}


async def test_a_house_sold_makes_no_salary_small(context: Context, import_texts: Import) -> None:
    """What came once is no income that pay is a share of."""
    rows = monthly("BLUE HERON COLLECTIVE", 2400)
    await import_texts({"a.csv": csv(*rows, "2026-06-15,HOUSE SALE PROCEEDS,700000.00")})
    assert (await _filed(context))["blue heron collective"] == "wages"

"""Answers made of rows: which of them count, and what is said of what does not."""

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.a2a.talking import asked, data_of, words_of
from tests.daemon.running import RunningDaemon, running_daemon

Line = tuple[str, str, str]

CHECKING = (
    ("2026-01-02", "ACME PAYROLL", "3000.00"),
    ("2026-01-05", "COSTCO WHSE", "-120.00"),
    ("2026-01-06", "COSTCO WHSE", "30.00"),
    ("2026-01-20", "COSTCO WHSE", "-60.00"),
    ("2026-01-25", "NETFLIX", "-50.00"),
    ("2026-02-02", "ACME PAYROLL", "3100.00"),
    ("2026-02-03", "QWXLE TRADERS", "200.00"),
    ("2026-02-10", "COSTCO WHSE", "-50.01"),
    ("2026-03-02", "COSTCO WHSE", "-10.00"),
)
ELSEWHERE = (("2026-02-11", "COSTCO WHSE", "-999.00"), ("2026-02-12", "ACME PAYROLL", "999.00"))


async def imported(running: RunningDaemon, account: str, lines: Iterable[Line], code: str) -> None:
    text = "\n".join(["Date,Description,Amount", *map(",".join, lines), ""])
    sent = {"account": account, "accountKind": "checking", "currency": code}
    files = {"file": (f"{account}.csv", text.encode(), "text/csv")}
    answer = await running.http.post("/api/v1/imports", data=sent, files=files)
    assert answer.is_success, answer.text


@pytest.fixture
async def known(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A household of nine rows, whose pay is filed; a hidden account and one in euros count nowhere."""
    async with running_daemon(tmp_path, empty_store) as running:
        await imported(running, "Everyday", CHECKING, "USD")
        await imported(running, "Hidden", ELSEWHERE, "USD")
        await imported(running, "Abroad", ELSEWHERE, "EUR")
        accounts = (await running.http.get("/api/v1/accounts")).json()
        hidden = next(each["id"] for each in accounts if each["name"] == "Hidden")
        done = await running.http.patch(f"/api/v1/accounts/{hidden}", json={"hidden": True})
        assert done.is_success, done.text
        await running.http.patch("/api/v1/settings", json={"currency": "USD"})
        rows = (await running.http.get("/api/v1/transactions")).json()["transactions"]
        payees = {each["raw"]: each["payeeKey"] for each in rows}
        for raw, category in (
            ("ACME PAYROLL", "wages"),
            ("COSTCO WHSE", "groceries"),
            ("NETFLIX", "subscriptions"),
        ):
            rule = {"payeeKey": payees[raw], "category": category}
            done = await running.http.put("/api/v1/categories/rules", json=rule)
            assert done.is_success, done.text
        yield running


async def told(running: RunningDaemon, question: str) -> dict[str, Any]:
    task = await asked(running, question)
    assert "artifacts" in task, words_of(task)
    return data_of(task)


async def test_income_is_what_came_in(known: RunningDaemon) -> None:
    """Pay by its category, nothing of accounts that do not count, and beside it what nobody filed."""
    task = await asked(known, "how much money went in last month")
    data = data_of(task)
    assert (data["kind"], data["total"], data["count"]) == ("income", 310000, 1)
    assert [(each["label"], each["total"]) for each in data["groups"]] == [("Pay", 310000)]
    assert (data["unfiled"], data["unfiledCount"]) == (20000, 1)
    assert "Another $200.00 came in by 1 row in no category yet" in words_of(task)
    named = await asked(known, "salary last month")
    assert (data_of(named)["total"], data_of(named)["unfiledCount"]) == (310000, 0)
    assert "Another" not in words_of(named)


async def test_income_is_told_by_month_and_by_payer(known: RunningDaemon) -> None:
    """Each adds up to the sum; months are in order, also those without any, and none is to come."""
    months = data_of(task := await asked(known, "income by month this year"))
    assert [(each["key"], each["total"], each["count"]) for each in months["groups"]] == [
        *(("2026-01", 300000, 1), ("2026-02", 310000, 1)),
        ("2026-03", 0, 0),
    ]
    assert "- 2026-02: $3,100.00" in words_of(task)
    assert (months["groupBy"], months["total"]) == ("month", 610000)
    payers = await told(known, "income by merchant")
    (payer,) = payers["groups"]
    assert (payer["total"], payer["count"], payers["total"]) == (610000, 2, 610000)


async def test_of_split_pay_its_parts_count(known: RunningDaemon) -> None:
    """What of a row is no income is in no sum of it, however that is told."""
    listed = (await known.http.get("/api/v1/transactions?minAmount=310000")).json()
    (row,) = listed["transactions"]
    parts = [
        {"amount": 250000, "category": "wages"},
        {"amount": 60000, "category": "work_expenses"},
    ]
    done = await known.http.put(f"/api/v1/transactions/{row['id']}", json={"splits": parts})
    assert done.is_success, done.text
    for question in (
        "income last month",
        "income by month last month",
        "income by merchant in 2026-02",
    ):
        assert (await told(known, question))["total"] == 250000, question


async def test_sizes_are_of_purchases(known: RunningDaemon) -> None:
    """Money back is no purchase, `over` leaves the amount itself out, and the sum is of them all."""
    over = await told(known, "at costco over $50")
    assert [each["amount"] for each in over["transactions"]] == [-12000, -6000, -5001]
    assert (over["kind"], over["count"], over["total"]) == ("purchases", 3, 23001)
    assert (await told(known, "netflix over $50"))["count"] == 0
    assert (await told(known, "netflix at least $50"))["count"] == 1
    assert (await told(known, "costco under $50.01"))["total"] == 1000
    assert (await told(known, "costco at most $50.01"))["total"] == 6001


async def test_of_a_split_purchase_its_parts_count(known: RunningDaemon) -> None:
    """In a category its part there, and without one all that is spending."""
    listed = (await known.http.get("/api/v1/transactions?minAmount=12000&maxAmount=12000")).json()
    (row,) = listed["transactions"]
    parts = [{"amount": -4000, "category": "pets"}, {"amount": -8000, "category": "savings"}]
    done = await known.http.put(f"/api/v1/transactions/{row['id']}", json={"splits": parts})
    assert done.is_success, done.text
    pets = await told(known, "biggest purchases on pets")
    assert [each["amount"] for each in pets["transactions"]] == [-4000]
    largest = await told(known, "biggest 2 purchases")
    assert [each["amount"] for each in largest["transactions"]] == [-6000, -5001]
    assert largest["count"] == 2


@pytest.mark.thorough
async def test_a_mean_is_of_whole_units(known: RunningDaemon) -> None:
    """Neither the month of the first row, which it may have begun in, nor the one of today is whole."""
    mean = await told(known, "average groceries a month")
    assert (mean["from"], mean["to"]) == ("2026-02-01", "2026-02-28")
    assert (mean["unit"], mean["units"], mean["mean"], mean["total"]) == ("month", 1, 5001, 5001)
    visit = await told(known, "average costco visit in january")
    assert (visit["unit"], visit["units"], visit["mean"], visit["total"]) == (
        "purchase",
        3,
        5000,
        15000,
    )
    income = await told(known, "average income a month")
    assert (income["mean"], income["units"]) == (310000, 1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("average groceries a year", "There is no whole year in these days"),
        ("average groceries a week on 2026-02-10", "There is no whole week in these days"),
        ("average netflix purchase last month", "There is no row of it in these days"),
    ],
)
async def test_without_a_whole_one_there_is_no_mean(
    known: RunningDaemon, question: str, why: str
) -> None:
    """Nothing is divided by a part of a month, and nothing by zero."""
    task = await asked(known, question)
    assert "artifacts" not in task
    assert words_of(task).startswith(why)


async def test_two_are_put_beside_each_other(known: RunningDaemon) -> None:
    """Both as they are told by themselves, and by how much the first is more."""
    task = await asked(known, "groceries in january vs february")
    data = data_of(task)
    assert (data["kind"], data["difference"]) == ("comparison", 15000 - 5001)
    assert (data["first"]["total"], data["second"]["total"]) == (15000, 5001)
    assert data["first"] == await told(known, "groceries in january")
    assert words_of(task).splitlines()[-1] == "The first is $99.99 more than the second."
    less = words_of(await asked(known, "groceries in february vs january")).splitlines()[-1]
    assert less == "The first is $99.99 less than the second."
    means = await told(known, "average costco visit january vs february")
    assert means["difference"] == 5000 - 5001


async def test_days_that_no_row_reaches_are_told(known: RunningDaemon) -> None:
    """In words and as data, whatever is asked."""
    first, last = "The first row is of 2026-01-02", "The last row is of 2026-03-02"
    for question, said in (
        ("groceries in 2025", f"{first}, after these days: nothing of them is known."),
        ("groceries since november", f"{first}. {last}."),
        ("income this month", f"{last}."),
        ("biggest purchases yesterday", f"{last}, before these days: nothing of them is known."),
        ("average groceries a month since november", f"{first}. {last}."),
    ):
        task = await asked(known, question)
        assert data_of(task)["beyondRows"] == said
        assert said in words_of(task).splitlines()
    assert (await told(known, "groceries in february"))["beyondRows"] is None


async def test_per_month_has_its_mean(known: RunningDaemon) -> None:
    """`per month` may ask for the months or for their mean: both are told."""
    mean = "On average $50.01 a month: $50.01 over 1 whole month, 2026-02-01 to 2026-02-28."
    assert words_of(await asked(known, "groceries per month")).splitlines()[-1] == mean
    said = words_of(await asked(known, "groceries per month since february")).splitlines()
    assert (said[-1], said.count("The last row is of 2026-03-02.")) == (mean, 1)
    assert "On average" not in words_of(await asked(known, "groceries by month"))


async def test_in_an_empty_home_it_is_said(daemon: RunningDaemon) -> None:
    """No rows are no spending of nothing."""
    for question in ("groceries last month", "income last month", "biggest purchases"):
        assert "There are no rows yet" in words_of(await asked(daemon, question))

"""The skill: what a question is answered with, and how one that is not understood goes on.

Questions as people type them are each answered rightly, or asked back; wrong money is never told. Of
answers made of rows: which of them count, and what is said of what does not.
"""

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.spending_question import describe_part
from finplan.model.figures import money
from tests.daemon.a2a.asked_in_words.recounting import Meaning, questions_in
from tests.daemon.a2a.talking import asked, data_of, error, message, result, words_of
from tests.daemon.mcp.connected import connected, every_row, imported, rest
from tests.daemon.running import RunningDaemon, running_daemon

WAITS, DONE = "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"


async def test_an_answer_says_what_was_understood(household: RunningDaemon) -> None:
    """Words with the currency for a reader, and the same as data, whose unit is told beside it."""
    task = await asked(household, "groceries last quarter by month")
    (artifact,) = task["artifacts"]
    text, data = artifact["parts"]

    told = data["data"]
    assert text["mediaType"] == "text/plain"
    days = "2025-10-01 to 2025-12-31"
    assert text["text"].splitlines() == [
        "Understood: spending on `Groceries`, 2025-10-01 to 2025-12-31, by month.",
        f"Spent {money(told['total'], 'USD')} in {told['count']} transactions, {days}.",
        *(f"- {each['key']}: {money(each['total'], 'USD')}" for each in told["groups"]),
    ]
    assert data["mediaType"] == "application/json"
    assert data["metadata"] == {"finplan/currency": "USD", "finplan/decimals": 2}
    assert sum(each["total"] for each in told["groups"]) == told["total"] > 0
    assert [each["key"] for each in told["groups"]] == ["2025-10", "2025-11", "2025-12"]
    assert task["status"]["state"] == DONE
    assert "message" not in task["status"]


async def test_it_is_what_the_tool_of_mcp_tells(household: RunningDaemon) -> None:
    """The data part has the tool's shape, and its figures."""
    data = data_of(await asked(household, "spending by category and month last quarter"))
    asks = {"from": "2025-10-01", "to": "2025-12-31", "groupBy": "category", "byMonth": True}
    async with connected(household) as client:
        told = (await client.call_tool("query_spending", asks)).structured_content
    assert told is not None
    assert data == {**told, "understood": data["understood"]}


async def test_months_of_each_group_are_in_the_words(household: RunningDaemon) -> None:
    """Who reads only text loses no figure of a table."""
    task = await asked(household, "groceries and travel last quarter by month")
    data, text = data_of(task), words_of(task)
    assert data["months"] == ["2025-10", "2025-11", "2025-12"]
    assert "`Groceries`" in text.partition("Month by month:")[2]
    for group in data["groups"]:
        paired = zip(data["months"], group["totals"], strict=True)
        by_month = ", ".join(f"{month} {money(total, 'USD')}" for month, total in paired)
        assert f"- `{group['label']}`: {by_month}" in text.splitlines()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("accepted", "kinds"),
    [
        ([], ["text/plain", "application/json"]),
        (["text/plain"], ["text/plain"]),
        (["application/json"], ["application/json"]),
        (["image/png", "text/*"], ["text/plain"]),
        (["*/*"], ["text/plain", "application/json"]),
        (["Application/JSON; charset=utf-8"], ["application/json"]),
    ],
)
async def test_parts_are_those_that_are_taken(
    household: RunningDaemon, accepted: list[str], kinds: list[str]
) -> None:
    """An agent that takes one media type is sent no other."""
    sent = {"message": message("groceries"), "configuration": {"acceptedOutputModes": accepted}}
    task = (await result(household, "SendMessage", sent))["task"]
    assert [each["mediaType"] for each in task["artifacts"][0]["parts"]] == kinds


async def test_who_takes_neither_is_refused(household: RunningDaemon) -> None:
    """Nothing is answered in a form that the agent cannot read, and nothing is kept."""
    sent = {"message": message("groceries"), "configuration": {"acceptedOutputModes": ["image/*"]}}
    assert (await error(household, "SendMessage", sent))["code"] == -32005
    assert (await result(household, "ListTasks", {}))["totalSize"] == 0


async def test_what_is_not_understood_is_asked_back(household: RunningDaemon) -> None:
    """The task waits, says what was not understood with what is near, and has no answer."""
    task = await asked(household, "grocries last month")
    assert task["status"]["state"] == WAITS
    assert task["status"]["message"]["role"] == "ROLE_AGENT"
    assert words_of(task) == (
        "I did not understand: `grocries`. Did you mean `Groceries`? Reply in this task with the whole"
        " question."
    )
    assert "artifacts" not in task


@pytest.mark.parametrize(
    ("question", "reply", "understood"),
    [
        (
            "grocries last month",
            "groceries in january",
            "spending on `Groceries`, 2026-01-01 to 2026-01-31, the latest January",
        ),
        ("groceries march and april", "groceries all time", "spending on `Groceries`, all days"),
    ],
)
async def test_a_reply_goes_on_in_the_task(
    household: RunningDaemon, question: str, reply: str, understood: str
) -> None:
    """It is a question by itself."""
    first = await asked(household, question)
    second = await asked(household, reply, taskId=first["id"])
    assert (second["id"], second["contextId"]) == (first["id"], first["contextId"])
    assert second["status"]["state"] == DONE
    assert data_of(second)["understood"] == understood
    assert [each["role"] for each in second["history"]] == ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]
    assert second["history"][1] == first["status"]["message"]


async def test_a_reply_without_days_is_asked_for_them(household: RunningDaemon) -> None:
    """The days of the question before would be lost, so that all days would be answered instead."""
    first = await asked(household, "groceries march and april")
    second = await asked(household, "groceries", taskId=first["id"])
    assert second["status"]["state"] == WAITS
    assert words_of(second).startswith("For which days? ")


async def test_a_task_takes_ten_messages(household: RunningDaemon) -> None:
    """An agent that is never understood is told to begin again, and the task has failed."""
    task = await asked(household, "gibberish 1")
    for place in range(2, 11):
        assert task["status"]["state"] == WAITS
        task = await asked(household, f"gibberish {place}", taskId=task["id"])
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert "Start a new task." in words_of(task)
    assert len(task["history"]) == 19
    refused = {"message": message("groceries", taskId=task["id"])}
    assert (await error(household, "SendMessage", refused))["code"] == -32004


async def test_tasks_that_are_referred_to_are_not_read(household: RunningDaemon) -> None:
    """Each question stands by itself, and an answer to one that refers to others says so."""
    first = await asked(household, "groceries last month")
    second = await asked(household, "travel last month", referenceTaskIds=[first["id"]])
    assert "Each question must be complete" in words_of(second)
    assert "Each question must be complete" not in words_of(first)


async def test_a_failure_is_an_error_of_the_call(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody foresaw is an internal error, with a sentence and no detail, and keeps no task."""
    from finplan.daemon.surfaces.a2a import skill

    async def stumble(*_given: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr(skill, "answer_sum", stumble)
    told = await error(household, "SendMessage", {"message": message("groceries")})
    assert told["code"] == -32603
    assert "secret" not in told["message"]
    assert "finplan daemon logs" in told["message"]
    assert (await result(household, "ListTasks", {}))["totalSize"] == 0


async def test_messages_keep_only_what_is_known(household: RunningDaemon) -> None:
    """Names may be spelled either way, and what is not known is passed over and not sent back."""
    sent = {
        "message": {
            "message_id": "m1",
            "context_id": "c1",
            "role": "ROLE_USER",
            "parts": [{"text": "groceries", "media_type": "text/plain", "novelty": 1}],
            "novelty": {"deep": True},
            "taskId": None,
            "metadata": {"a": 1},
        },
        "novelty": [],
    }
    task = (await result(household, "SendMessage", sent))["task"]
    (kept,) = task["history"]
    assert kept == {
        "messageId": "m1",
        "contextId": "c1",
        "taskId": task["id"],
        "role": "ROLE_USER",
        "parts": [{"text": "groceries", "mediaType": "text/plain"}],
    }


async def test_a_part_of_a_category_is_said_to_be_one(household: RunningDaemon) -> None:
    """The whole is answered, merchant by merchant unless asked otherwise, and the word is named."""
    whole = await asked(household, "dining in 2025")
    part = await asked(household, "coffee in 2025")
    by_month = await asked(household, "coffee by month in 2025")
    said = describe_part("coffee", "Restaurants and coffee")
    assert data_of(whole)["total"] == data_of(part)["total"] == data_of(by_month)["total"]
    assert [data_of(each)["groupBy"] for each in (whole, part, by_month)] == [
        None,
        "merchant",
        "month",
    ]
    assert said in words_of(part).splitlines()
    assert said in words_of(by_month).splitlines()
    assert "is part of" not in words_of(whole)
    assert data_of(await asked(household, "average coffee a month"))["kind"] == "mean"


@pytest.mark.thorough
async def test_a_category_comes_before_a_merchant_of_its_name(
    known_household: RunningDaemon,
) -> None:
    """Cash from a machine is a category, and the rows that are called so are named beside."""
    cash = await asked(known_household, "cash withdrawals")
    assert data_of(cash)["understood"] == "spending on `Cash withdrawn`, all days"
    assert "`Cash withdrawal` is also a merchant" in words_of(cash)
    alone = await asked(known_household, "merchant cash withdrawal")
    assert data_of(alone)["understood"] == "spending at `Cash withdrawal`, all days"


async def test_the_largest_groups_are_told_with_the_rest(household: RunningDaemon) -> None:
    """So many of them, the largest first, and what is left out adds up with them."""
    for noun in ("merchants", "categories"):
        data = data_of(await asked(household, f"top 3 {noun} in 2025"))
        totals = [each["total"] for each in data["groups"]]
        assert len(totals) == 3
        assert totals == sorted(totals, reverse=True)
        assert sum(totals) + data["leftOut"]["total"] == data["total"]
    months = data_of(await asked(household, "which month did I spend the most in 2025"))
    most = [each["total"] for each in months["groups"]]
    every = data_of(await asked(household, "spending by month in 2025"))["groups"]
    assert most == sorted((each["total"] for each in every), reverse=True)[:5]


async def test_twenty_purchases_are_told_one_by_one(household: RunningDaemon) -> None:
    """The largest twenty are told, the largest first; number and sum are of all of them."""
    told = data_of(await asked(household, "99 biggest purchases this year"))
    amounts = [each["amount"] for each in told["transactions"]]
    assert len(amounts) == 20 < told["count"]
    assert amounts == sorted(amounts)
    assert told["total"] > -sum(amounts)


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


def csv_of(rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(map(",".join, rows))


@pytest.fixture
async def known(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A household of nine rows, whose pay is filed; a hidden account and one in euros count nowhere."""
    async with running_daemon(tmp_path, empty_store) as running:
        await imported(running, csv_of(CHECKING))
        await imported(running, csv_of(ELSEWHERE), "Hidden")
        await imported(running, csv_of(ELSEWHERE), "Abroad", currency="EUR")
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
    task = await asked(known, "how much did we earn last month")
    data = data_of(task)
    assert (data["kind"], data["total"], data["count"]) == ("income", 310000, 1)
    assert [(each["label"], each["total"]) for each in data["groups"]] == [("Pay", 310000)]
    assert (data["unfiled"], data["unfiledCount"]) == (20000, 1)
    assert "Another $200.00 of money in (1 transaction)" in words_of(task)
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
        ("average groceries a year", "These days contain no complete past year"),
        ("average groceries a week on 2026-02-10", "These days contain no complete past week"),
        ("average netflix purchase last month", "No matching transactions in these days"),
    ],
)
async def test_a_mean_needs_a_whole_month(known: RunningDaemon, question: str, why: str) -> None:
    """Nothing is divided by a part of a month, and nothing by zero."""
    task = await asked(known, question)
    assert "artifacts" not in task
    assert words_of(task).startswith(why)


async def test_days_that_no_row_reaches_are_told(known: RunningDaemon) -> None:
    """In words and as data, whatever is asked."""
    first = "our first transaction is on 2026-01-02."
    last = "our last transaction is on 2026-03-02."
    no_data = "No data for these days: y"
    for question, said in (
        ("groceries in 2025", f"{no_data}{first}"),
        ("groceries since november", f"Y{first} Y{last}"),
        ("income this month", f"Y{last}"),
        ("biggest purchases yesterday", f"{no_data}{last}"),
        ("average groceries a month since november", f"Y{first} Y{last}"),
    ):
        task = await asked(known, question)
        assert data_of(task)["beyondRows"] == said
        assert said in words_of(task).splitlines()
    assert (await told(known, "groceries in february"))["beyondRows"] is None


async def test_in_an_empty_home_it_is_said(daemon: RunningDaemon) -> None:
    """No rows are no spending of nothing."""
    for question in ("groceries last month", "income last month", "biggest purchases"):
        assert "No transactions yet" in words_of(await asked(daemon, question))


FOLDER = Path(__file__).parent / "asked_in_words"
TAUGHT = questions_in((FOLDER / "questions.txt").read_text("utf-8"))
HELD_OUT = questions_in((FOLDER / "held_out.txt").read_text("utf-8"))
"""Forty that were written before any word was taught."""


async def counted_rows(household: RunningDaemon) -> list[dict[str, Any]]:
    """The posted rows of cash and cards, as the interface lists them one by one."""
    accounts = await rest(household, "/accounts")
    counted = {each["id"] for each in accounts if each["kind"] in {"depository", "credit"}}
    return [each for each in await every_row(household) if each["accountId"] in counted]


async def verdict(household: RunningDaemon, question: str, meant: str, rows: Any) -> str:
    """`right`, `asked` where it is asked back, or what is wrong."""
    task = await asked(household, question)
    told, meaning = words_of(task), Meaning.read(meant)
    is_asked = task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    if meaning.kind == "?":
        named = all(each.strip() in told for each in meaning.fields["words"].split(";"))
        return "right" if is_asked and named else f"wrong: {told}"
    if is_asked:
        return f"asked: {told}"
    missing = [each for each in meaning.figures(rows) if each not in told]
    return f"wrong, lacks {missing}: {told}" if missing else "right"


@pytest.mark.thorough
async def test_each_question_has_its_answer(known_household: RunningDaemon) -> None:
    """A hundred and twenty of twelve kinds: figures counted from the rows, or what a refusal says."""
    rows = await counted_rows(known_household)
    wrong = {
        question: told
        for question, meant in TAUGHT
        if (told := await verdict(known_household, question, meant, rows)) != "right"
    }
    assert not wrong
    assert len(dict(TAUGHT)) == len(TAUGHT) >= 120


@pytest.mark.thorough
async def test_what_was_never_taught_is_not_answered_wrongly(
    known_household: RunningDaemon,
) -> None:
    """Of forty questions none has a wrong figure, and at least seven of ten are answered.

    Where the table leaves open what is meant, an answer has to say what it took the words for.
    """
    rows = await counted_rows(known_household)
    answered = 0
    for question, meant in HELD_OUT:
        told = await verdict(known_household, question, meant, rows)
        assert not told.startswith("wrong, lacks"), (question, told)
        answered += told == "right" or "Understood: " in told
    assert answered >= len(HELD_OUT) * 7 // 10

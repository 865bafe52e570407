"""The skill: what a question is answered with, and how one that is not understood goes on."""

from typing import Any

import pytest

from finplan.model.figures import money
from tests.daemon.a2a.talking import asked, data_of, error, message, result, words_of
from tests.daemon.mcp.connected import connected
from tests.daemon.running import RunningDaemon

WAITS, DONE = "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"


async def test_an_answer_says_what_was_understood(household: RunningDaemon) -> None:
    """Words with the currency for a reader, and the same as data, whose unit is told beside it."""
    task = await asked(household, "groceries last quarter by month")
    (artifact,) = task["artifacts"]
    text, data = artifact["parts"]

    told = data["data"]
    assert text["mediaType"] == "text/plain"
    assert text["text"].splitlines() == [
        "Understood: spending on `Groceries`, 2025-10-01 to 2025-12-31, by month.",
        f"Spent {money(told['total'], 'USD')} in {told['count']} rows, 2025-10-01 to 2025-12-31.",
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
        "I did not understand: `grocries`. Did you mean `Groceries`? Reply in this task with what is"
        " meant, or with the whole question."
    )
    assert "artifacts" not in task


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "reply", "understood"),
    [
        ("grocries last month", "yes", "spending on `Groceries`, 2026-02-01 to 2026-02-28"),
        ("grocries last month", "Groceries", "spending on `Groceries`, 2026-02-01 to 2026-02-28"),
        ("grocries last month", "travel", "spending on `Travel`, 2026-02-01 to 2026-02-28"),
        ("grocries", "groceries", "spending on `Groceries`, all days"),
        (
            "grocries last month",
            "groceries in january",
            "spending on `Groceries`, 2026-01-01 to 2026-01-31, the latest January that has begun",
        ),
        ("groceries march and april", "groceries all time", "spending on `Groceries`, all days"),
    ],
)
async def test_a_reply_goes_on_in_the_task(
    household: RunningDaemon, question: str, reply: str, understood: str
) -> None:
    """It stands in the place of what was unclear, or is a question by itself; days are never lost."""
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
    assert words_of(second).startswith("Of which days? ")


async def test_a_task_takes_ten_messages(household: RunningDaemon) -> None:
    """An agent that is never understood is told to begin again, and the task has failed."""
    task = await asked(household, "gibberish 1")
    for place in range(2, 11):
        assert task["status"]["state"] == WAITS
        task = await asked(household, f"gibberish {place}", taskId=task["id"])
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert "Begin a new task." in words_of(task)
    assert len(task["history"]) == 19
    refused = {"message": message("groceries", taskId=task["id"])}
    assert (await error(household, "SendMessage", refused))["code"] == -32004


async def test_tasks_that_are_referred_to_are_not_read(household: RunningDaemon) -> None:
    """Each question stands by itself, and an answer to one that refers to others says so."""
    first = await asked(household, "groceries last month")
    second = await asked(household, "travel last month", referenceTaskIds=[first["id"]])
    assert "each question stands by itself" in words_of(second)
    assert "each question stands by itself" not in words_of(first)


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
    said = (
        "`coffee` has no total of its own: it is filed under `Restaurants and coffee`, and this is all"
        " of that."
    )
    assert data_of(whole)["total"] == data_of(part)["total"] == data_of(by_month)["total"]
    assert [data_of(each)["groupBy"] for each in (whole, part, by_month)] == [
        None,
        "merchant",
        "month",
    ]
    assert said in words_of(part).splitlines()
    assert said in words_of(by_month).splitlines()
    assert "has no total of its own" not in words_of(whole)
    largest = data_of(await asked(household, "average coffee a month"))
    assert largest["kind"] == "mean"


@pytest.mark.thorough
async def test_a_category_comes_before_a_merchant_of_its_name(
    known_household: RunningDaemon,
) -> None:
    """Cash from a machine is a category, and the rows that are called so are named beside."""
    cash = await asked(known_household, "cash withdrawals")
    assert data_of(cash)["understood"] == "spending on `Cash withdrawn`, all days"
    assert "`Cash withdrawal` is a merchant, too" in words_of(cash)
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
    told = data_of(await asked(household, "purchases at least $1 this year"))
    amounts = [each["amount"] for each in told["transactions"]]
    assert len(amounts) == 20 < told["count"]
    assert amounts == sorted(amounts)
    assert told["total"] > -sum(amounts)

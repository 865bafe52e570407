"""Categories, accounts and banks are named to a tool as a person reads them, or by their ids."""

from typing import Any

import pytest
from mcp import Client

from finplan.daemon.surfaces.mcp.tools.names import (
    KnownCategories,
    UnknownCategory,
    find_category,
)
from finplan.model.category import CategoryChoice
from finplan.model.errors import BadRequest
from finplan.model.figures import share
from tests.daemon.mcp.connected import connected
from tests.daemon.mcp.test_product import refusal, rest, text_of
from tests.daemon.running import RunningDaemon


async def told(client: Client, name: str, **given: Any) -> Any:
    result = await client.call_tool(name, given)
    assert not result.is_error, result.content
    return result.structured_content


async def test_accounts_by_their_names(household: RunningDaemon) -> None:
    """An account is meant by its id, its name in any case, with its bank's, or by its last digits."""
    account = (await rest(household, "/accounts"))[0]
    assert account["mask"]
    words = (
        account["id"],
        account["name"].upper(),
        f" {account['name'].replace(' ', '  ')} ",
        f"{account['institutionName']} {account['name']}",
        account["mask"],
        f"{account['name']} {account['mask']}",
    )
    page = await rest(household, "/transactions", account=account["id"], limit=20)
    ids = [each["id"] for each in page["transactions"]]
    assert ids
    async with connected(household) as client:
        for word in words:
            rows = await told(client, "list_transactions", account=[word])
            assert [each["id"] for each in rows["transactions"]] == ids, word
            assert rows["accounts"] == {
                account["id"]: {"name": account["name"], "currency": "USD", "inTotals": True}
            }


async def test_an_account_that_is_none(household: RunningDaemon) -> None:
    """What no account is called is refused with those that are near, else with all, and their ids."""
    accounts = await rest(household, "/accounts")
    name = accounts[0]["name"]
    async with connected(household) as client:
        near = await refusal(client, "list_transactions", {"account": [name[:-1] + "x"]})
        assert f"Did you mean '{name}' …{accounts[0]['mask']} ({accounts[0]['id']})" in near
        assert "'list_accounts' shows all" in near
        word = name.split()[0]
        assert accounts[0]["id"] in await refusal(
            client, "list_transactions", {"account": [word.lower()]}
        )
        far = await refusal(client, "list_transactions", {"account": ["zzz"]})
        assert "Did you mean" not in far
        assert all(each["name"] in far and each["id"] in far for each in accounts)


async def test_two_accounts_of_one_name(household: RunningDaemon) -> None:
    """A name that two accounts have is asked back with their ids, and no others'."""
    first, second, third = (await rest(household, "/accounts"))[:3]
    for each in (first, second):
        changed = await household.http.patch(
            f"/api/v1/accounts/{each['id']}", json={"name": "Same"}
        )
        assert changed.status_code == 200, changed.text
    async with connected(household) as client:
        asked = await refusal(client, "list_transactions", {"account": ["same"]})
        assert "Several accounts are called 'same'" in asked
        assert first["id"] in asked
        assert second["id"] in asked
        assert third["id"] not in asked
        by_mask = await told(client, "list_transactions", account=[f"Same {second['mask']}"])
        assert set(by_mask["accounts"]) <= {second["id"]}


async def test_a_household_without_accounts(daemon: RunningDaemon) -> None:
    """Where there is no account, that is said."""
    async with connected(daemon) as client:
        said = await refusal(client, "list_transactions", {"account": ["Checking"]})
        assert "There is none yet." in said
        assert (await told(client, "list_transactions"))["accounts"] == {}


async def test_a_category_that_is_none(household: RunningDaemon) -> None:
    """What no category is called is refused with those that are near, else with all of them."""
    choices = await rest(household, "/categories")
    async with connected(household) as client:
        for name, given in (
            ("query_spending", {"category": ["Flubber"]}),
            ("list_transactions", {"category": ["Flubber"]}),
            ("answer_task", {"id": "task_x", "answer": "Flubber"}),
        ):
            far = await refusal(client, name, given)
            assert "Did you mean" not in far
            assert all(f"{each['label']} ({each['category']})" in far for each in choices)
        near = await refusal(client, "query_spending", {"category": ["Grocries"]})
        assert "Did you mean Groceries (groceries)? The resource 'categories' lists all." in near
        assert "Mortgage" not in near


def test_a_category_among_some() -> None:
    """An id goes before a name, a name is meant in any case, and one of two is asked back."""
    known = KnownCategories(
        CategoryChoice(
            category=key, label=label, line="discretionary", custom=True, reimbursable=False
        )
        for key, label in {"a": "b", "b": "Food", "c": "Fun", "d": "fun"}.items()
    )
    assert find_category(known, "b") == "b"
    assert find_category(known, " FOOD ") == "b"
    assert find_category(known, "A") == "a"
    with pytest.raises(BadRequest, match="say one of c, d"):
        find_category(known, "FUN")
    with pytest.raises(UnknownCategory) as caught:
        find_category(known, "Foot")
    assert caught.value.data == {"near": ["b"]}
    assert caught.value.brief == "There is no category 'Foot'. Did you mean Food (b)?"


async def test_categories_as_a_resource(household: RunningDaemon) -> None:
    """All categories can be read without a refusal, as REST tells them."""
    async with connected(household, scopes=("service:read",)) as client:
        listed = [str(each.uri) for each in (await client.list_resources()).resources]
        assert "finplan://categories" in listed
        (file,) = (await client.read_resource("finplan://categories")).contents
        answer = await household.http.get("/api/v1/categories")
        assert file.text == answer.text  # type: ignore[union-attr]


async def test_a_bank_by_its_name(household: RunningDaemon) -> None:
    """A bank is synced by its name or its id, and its report names it; none is refused with all."""
    link = (await rest(household, "/connections"))[0]["connection"]
    async with connected(household) as client:
        for word in (link["id"], link["institutionName"].upper()):
            result = await client.call_tool("sync_connections", {"id": word})
            assert result.structured_content is not None
            (report,) = result.structured_content["reports"]
            assert (report["connectionId"], report["institutionName"]) == (
                link["id"],
                link["institutionName"],
            )
            assert f"`{link['institutionName']}`: 0 new rows" in text_of(result)
            assert link["id"] not in text_of(result)
        said = await refusal(client, "sync_connections", {"id": "con_none"})
        assert f"There are '{link['institutionName']}' ({link['id']})" in said


async def test_no_bank_yet(daemon: RunningDaemon) -> None:
    """Where no bank is linked, the tool that links one is named."""
    async with connected(daemon) as client:
        said = await refusal(client, "sync_connections", {"id": "demo"})
        assert "None is linked: 'link_connection' links one." in said
        assert "link_connection links one" in text_of(
            await client.call_tool("sync_connections", {})
        )


async def test_texts_hold_what_other_tools_take(household: RunningDaemon) -> None:
    """Whoever reads texts alone finds the ids of rows, accounts, banks and questions there."""
    async with connected(household) as client:
        accounts = text_of(await client.call_tool("list_accounts", {}))
        assert all(f"[{each['id']}]" in accounts for each in await rest(household, "/accounts"))
        banks = text_of(await client.call_tool("list_connections", {}))
        for each in await rest(household, "/connections"):
            assert f"[{each['connection']['id']}]" in banks
        result = await client.call_tool("list_transactions", {"limit": 5, "period": "last month"})
        page = await rest(
            household, "/transactions", **{"limit": 5, "from": "2026-02-01", "to": "2026-02-28"}
        )
        labels = {each["category"]: each["label"] for each in await rest(household, "/categories")}
        for row in page["transactions"]:
            assert f"{labels[row['category']]} [{row['id']}]" in text_of(result)
        days = await client.call_tool("list_transactions", {"from": "2026-02-01"})
        assert "newest first, from 2026-02-01;" in text_of(days)
        tasks = text_of(await client.call_tool("list_tasks", {}))
        unsure = 0
        for task in await rest(household, "/tasks"):
            if task["kind"] != "categorize_payee":
                continue
            if task["confidence"] is None:
                unsure += 1
                assert f"; nothing is suggested [{task['id']}]" in tasks
                continue
            others = ", ".join(each["category"] for each in task["alternatives"])
            suggested = f"suggested {task['suggestedLabel']} ({task['suggested']})"
            sure = f"{share(task['confidence'])} sure"
            assert f"{suggested}, {sure}, or {others} [{task['id']}]" in tasks
        assert unsure


async def test_two_banks_of_one_name(daemon: RunningDaemon) -> None:
    """A name that two banks have is asked back with their ids."""
    async with connected(daemon) as client:
        ids = [
            (await told(client, "link_connection", provider="manual", institution=name))[
                "connection"
            ]["id"]
            for name in ("Credit Union", "CREDIT UNION")
        ]
        assert len(set(ids)) == 2
        said = await refusal(client, "sync_connections", {"id": "credit union"})
        assert "Several banks are called 'credit union': say one of" in said
        assert all(each in said for each in ids)

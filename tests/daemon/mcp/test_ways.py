"""An agent is told what it can do itself, and what only the person can; it names things as people do.

Categories, accounts and banks are named to a tool as a person reads them, or by their ids.
"""

import json
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.names import KnownCategories, UnknownCategory, find_category
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.wording import (
    TYPED_BY_THE_PERSON,
    WAYS,
    for_agents,
    with_names,
)
from finplan.model.category import CategoryChoice
from finplan.model.errors import BadRequest
from finplan.model.explain import SECTIONS
from finplan.model.figures import money, share
from finplan.model.snapshot import Snapshot
from finplan.operations.table import ROWS_OF_COMMANDS, of_command
from finplan.views.live_text import explain_shortage, today_headed
from tests.daemon.mcp.connected import answer_to, connected, refusal, rest, text_of, told_by
from tests.daemon.running import RunningDaemon


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tool", "given", "named"),
    [
        ("answer_task", {"id": "task_none", "dismiss": True}, "'list_tasks' lists"),
        ("answer_task", {"id": "task_none", "undo": True}, "'list_tasks' with status answered"),
        ("change_transaction", {"id": "tx_0", "note": "x"}, "'list_transactions' shows"),
    ],
)
async def test_a_refusal_names_a_tool(
    household: RunningDaemon, tool: str, given: dict[str, Any], named: str
) -> None:
    """What shows what there is, is named by its tool, and no command is."""
    async with connected(household) as client:
        said = await refusal(client, tool, given)
        assert named in said
        assert "finplan " not in said


async def test_what_only_the_person_can_do(daemon: RunningDaemon) -> None:
    """Where no tool does what a refusal names, it says that the person is to type it."""
    async with connected(daemon) as client:
        said = await refusal(client, "get_plan", {})
        assert "'finplan import FILE'" in said
        assert said.endswith(TYPED_BY_THE_PERSON)


def test_every_way_is_there() -> None:
    """Each tool that stands for a command is one, and performs the row that the command asks."""
    for command, way in WAYS.items():
        row = of_command(command, ROWS_OF_COMMANDS)
        if way is None or row is None or "resource" in way:
            continue
        tool = TOOLS[way.split("`")[1]]
        assert row in tool.rows or tool.name in {"build_plan", "get_plan"}, command


def test_the_longest_command_decides() -> None:
    """A command is known by the most of its words; one that no tool stands for stays as it is."""
    assert for_agents("`finplan tasks undo task_1` reopens it.") == (
        "`answer_task` with undo reopens it."
    )
    assert for_agents("See `finplan plan explain allowance`.") == (
        "See `explain_figure` with section allowance."
    )
    assert for_agents("`finplan connect` links one.") == "`link_connection` links one."
    for kept in ("categories add X", "--demo plan build", "open", "connect simplefin"):
        assert for_agents(f"`finplan {kept}`") == f"`finplan {kept}`"


async def test_linking_a_bank_leads_on(daemon: RunningDaemon) -> None:
    """Without a token the person is told to get one; what files fill is not told to be synced."""
    async with connected(daemon) as client:
        said = await refusal(client, "link_connection", {"provider": "aggregator"})
        assert "'finplan connect simplefin' says where to get one" in said
        assert said.endswith(TYPED_BY_THE_PERSON)
        bank = {"provider": "manual", "institution": "Credit Union"}
        said = text_of(await client.call_tool("link_connection", bank))
        assert said.startswith("`Credit Union` is linked: ok.")
        assert "finplan import FILE" in said
        assert "sync_connections" not in said
        asked = text_of(await client.call_tool("sync_connections", {}))
        assert asked.splitlines()[0] == "No bank was checked."
        assert asked.splitlines()[1].startswith("- `Credit Union`: 0 new transactions;")


async def test_a_reader_is_refused_before_anything(household: RunningDaemon) -> None:
    """What a key is not offered is refused by its scope, whatever the arguments, previews too."""
    async with connected(household, scopes=("service:read",)) as client:
        row = (await rest(household, "/transactions", limit=1))["transactions"][0]["id"]
        rule = {"merchant": "Nobody", "category": "Groceries"}
        for name, given in (
            ("answer_task", {"id": "x"}),
            ("set_category_rules", {"rules": [rule]}),
            ("change_transaction", {"id": row, "category": "Travel"}),
            ("sync_connections", {"id": "zzz"}),
            ("link_connection", {"zzz": 1}),
        ):
            result = await client.call_tool(name, given)
            assert result.is_error, name
            assert result.meta is not None
            assert result.meta["finplan/error"]["code"] == "FORBIDDEN"
            said = text_of(result)
            assert f"cannot use '{name}'" in said
            assert "'service:write'" in said
            assert "Tell the person" in said


async def test_explanations_are_read_without_ids(household: RunningDaemon) -> None:
    """A figure is called as a person reads it, a title ends once, and the largest rows are there."""
    async with connected(household) as client:
        has, said = await answer_to(client, "explain_figure", section="emergencyFund")
        assert said.startswith(f"{SECTIONS['emergencyFund'].rstrip('.')} (as of 2026")
        assert "- `Essentials a month from now on` (runningEssentials): " in said
        assert "(essentialTotal $" in said
        whole = await rest(household, "/plan/explain/emergencyFund")
        rows = len(whole["transactions"]) + (whole["more"] or {"count": 0})["count"]
        assert f"The largest of {rows:,} transactions:" in said
        assert has["moreRows"] == rows - len(has["transactions"]) == rows - 8
        assert (has["plan"], has["reasons"]) == (whole["plan"], whole["reasons"])
        names = {each["name"] for each in whole["figures"]}
        for figure, full in zip(has["figures"], whole["figures"], strict=True):
            assert figure["values"] == [v for v in full["values"] if v["name"] not in names]
        lists = text_of(await client.call_tool("explain_figure", {"section": "categories"}))
        assert "To see one category: 'explain_figure' with section CATEGORY." in lists
        assert "finplan " not in lists
        groceries = text_of(await client.call_tool("explain_figure", {"section": "Groceries"}))
        assert "- `Share of spending` (shareOfSpend): " in groceries
        assert "% = round(" in groceries


async def test_the_payday_that_is_meant(household: RunningDaemon) -> None:
    """Of several paydays that are ahead, the live view says which one its period ends with."""
    payday = (await rest(household, "/snapshot"))["allowance"]["payday"]
    async with connected(household) as client:
        said = text_of(await client.call_tool("get_snapshot", {}))
        assert f"until {payday}, payday of the largest regular pay" in said
        ahead = text_of(await client.call_tool("get_forecast", {}))
        assert f"- {payday} pay `" in ahead


async def test_the_live_view_is_worded_as_everywhere(household: RunningDaemon) -> None:
    """What heads the live view, and why nothing is safe to spend, are the words of every face."""
    now = Snapshot.model_validate_json(json.dumps(await rest(household, "/snapshot")))
    headed, amount = today_headed(now)
    async with connected(household) as client:
        shown, text = await answer_to(client, "get_snapshot")
        why = explain_shortage(now, "USD")
        assert (shown["headed"], shown["why"]) == (headed, why)
        assert text.startswith(f"{headed}: {money(amount, 'USD')} (")
        assert why in text


async def test_a_short_list_says_how_many_more(household: RunningDaemon) -> None:
    """A text that names some of what is due says how many it leaves out, and until when."""
    async with connected(household) as client:
        due = (await rest(household, "/snapshot"))["upcoming"]
        said = text_of(await client.call_tool("get_snapshot", {}))
        assert len(due) > 12
        assert f"{len(due) - 12} more due" in said
        assert f" by {due[-1]['date']}." in said
        ahead, text = await answer_to(client, "get_forecast", days=120)
        moves = len(ahead["moves"]) + ahead["moreMoves"]
        assert f"{moves - 12} more events until " in text


async def test_the_lists_of_a_plan_stand_in_its_text(household: RunningDaemon) -> None:
    """What is asked of a plan beside its figures is read in its text, too."""
    async with connected(household) as client:
        plain = text_of(await client.call_tool("get_plan", {}))
        parts = ["categories", "incomeSources", "recurring"]
        plan, said = await answer_to(client, "get_plan", parts=parts)
        assert said.startswith(plain)
        for each in plan["categories"]:
            assert f"- {each['label']} ({each['category']}): $" in said
        for each in (*plan["incomeSources"], *plan["recurring"]):
            assert f"- `{each['name']}`: $" in said
        assert len(plain.splitlines()) + 3 + sum(len(plan[part]) for part in parts) == len(
            said.splitlines()
        )


async def test_a_table_of_months_stays_short(household: RunningDaemon) -> None:
    """A long table tells fewer groups, the rest of them in one, and its text the months."""
    given = {"groupBy": "merchant", "byMonth": True, "limit": 100, "period": "all time"}
    async with connected(household) as client:
        table, said = await answer_to(client, "query_spending", **given)
        assert len(table["groups"]) == 1000 // len(table["months"]) < 100
        left = table["leftOut"]
        assert left["total"] + sum(each["total"] for each in table["groups"]) == table["total"]
        assert all(f"- {month}: $" in said for month in table["months"])


async def test_an_argument_that_is_none(household: RunningDaemon) -> None:
    """What is no argument and near none is refused with those that there are."""
    async with connected(household) as client:
        assert "date: This property is unknown; this tool takes no arguments" in await refusal(
            client, "get_snapshot", {"date": "2026-01-01"}
        )
        assert "section: This property is unknown; use parts" in await refusal(
            client, "get_plan", {"section": "debt"}
        )
        several = await refusal(client, "list_tasks", {"zzz": 1})
        assert "use status, limit, after" in several


async def test_categories_that_are_no_spending(household: RunningDaemon) -> None:
    """Who asks what was spent on pay as well is told that it is not spending, and what to ask."""
    async with connected(household) as client:
        both, said = await answer_to(client, "query_spending", category=["Pay", "Groceries"])
        alone, said_alone = await answer_to(client, "query_spending", category=["Groceries"])
        assert (both["notSpending"], alone["notSpending"]) == (["Pay"], [])
        assert alone["total"] == both["total"]
        assert "Pay is not spending" in said
        assert "not spending" not in said_alone


async def test_the_institution_names_a_manual_connection(daemon: RunningDaemon) -> None:
    """A connection of statement files has the name of its institution, else that of statement files."""
    async with connected(daemon) as client:
        _, said = await answer_to(client, "link_connection", provider="manual")
        assert "`Statement files` is linked" in said
        named = {"provider": "manual", "institution": "Credit Union"}
        _, said = await answer_to(client, "link_connection", **named)
        assert "`Credit Union` is linked" in said


async def test_a_plan_is_told_with_what_limits_it(household: RunningDaemon) -> None:
    """Its notes are in the text, and a fund of which nobody knows the target is not called reached."""
    async with connected(household) as client:
        has, said = await answer_to(client, "get_plan")
    assert has["notes"]
    for note in has["notes"]:
        assert f"- {with_names(note)}" in said


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
            rows = await told_by(client, "list_transactions", account=[word])
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
        by_mask = await told_by(client, "list_transactions", account=[f"Same {second['mask']}"])
        assert set(by_mask["accounts"]) <= {second["id"]}


async def test_a_household_without_accounts(daemon: RunningDaemon) -> None:
    """Where there is no account, that is said."""
    async with connected(daemon) as client:
        said = await refusal(client, "list_transactions", {"account": ["Checking"]})
        assert "No accounts yet." in said
        assert (await told_by(client, "list_transactions"))["accounts"] == {}


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
        assert (
            "Did you mean Groceries (groceries)? The resource 'categories' lists all categories."
            in near
        )
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
    with pytest.raises(BadRequest, match="these ids: c, d"):
        find_category(known, "FUN")
    with pytest.raises(UnknownCategory) as caught:
        find_category(known, "Foot")
    assert caught.value.data == {"near": ["b"]}
    assert caught.value.brief == "Unknown category 'Foot'. Did you mean Food (b)?"


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
            synced, text = await answer_to(client, "sync_connections", id=word)
            (report,) = synced["reports"]
            named = (report["connectionId"], report["institutionName"])
            assert named == (link["id"], link["institutionName"])
            assert f"`{link['institutionName']}`: 0 new" in text
            assert link["id"] not in text
        said = await refusal(client, "sync_connections", {"id": "con_none"})
        assert f"Use one of '{link['institutionName']}' ({link['id']})" in said


async def test_no_bank_yet(daemon: RunningDaemon) -> None:
    """Where no bank is linked, the tool that links one is named."""
    async with connected(daemon) as client:
        said = await refusal(client, "sync_connections", {"id": "demo"})
        assert "No banks yet. Link one: 'link_connection'." in said
        _, said = await answer_to(client, "sync_connections")
        assert "link_connection." in said


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
                assert f"; no suggestion [{task['id']}]" in tasks
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
            (await told_by(client, "link_connection", provider="manual", institution=name))[
                "connection"
            ]["id"]
            for name in ("Credit Union", "CREDIT UNION")
        ]
        assert len(set(ids)) == 2
        said = await refusal(client, "sync_connections", {"id": "credit union"})
        assert "Several banks are called 'credit union'." in said
        assert all(each in said for each in ids)

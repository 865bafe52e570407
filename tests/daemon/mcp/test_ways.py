"""An agent is told what it can do itself, and what only the person can."""

import json
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.plans import GET_PLAN, PlanTold
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.wording import (
    TYPED_BY_THE_PERSON,
    WAYS,
    for_agents,
    with_names,
)
from finplan.model.base import read_json
from finplan.model.figures import money
from finplan.model.live_words import short_said, today_headed
from finplan.model.snapshot import Snapshot
from finplan.operations.table import ROWS_OF_COMMANDS, of_command
from tests.daemon.mcp.connected import connected
from tests.daemon.mcp.test_product import refusal, rest, text_of
from tests.daemon.running import RunningDaemon


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tool", "given", "named"),
    [
        ("answer_task", {"id": "task_none", "dismiss": True}, "'list_tasks' shows them"),
        ("answer_task", {"id": "task_none", "undo": True}, "'list_tasks' with status answered"),
        ("change_transaction", {"id": "tx_0", "note": "x"}, "'list_transactions' shows them"),
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
        assert asked.splitlines()[0] == "No bank was asked."
        assert asked.splitlines()[1].startswith("- `Credit Union`: 0 new rows; files fill it")


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
            assert f"'{name}' is not offered to this credential" in said
            assert "'service:write'" in said
            assert "Tell the person" in said


async def test_explanations_are_read_without_ids(household: RunningDaemon) -> None:
    """A figure is called as a person reads it, a title ends once, and the largest rows are there."""
    async with connected(household) as client:
        result = await client.call_tool("explain_figure", {"section": "emergencyFund"})
        said, has = text_of(result), result.structured_content
        assert has is not None
        assert said.startswith("How long your cash lasts, and what is missing; worked out on 2026")
        assert "- `Essentials a month from now on` (runningEssentials): " in said
        assert "(essentialTotal $" in said
        whole = await rest(household, "/plan/explain/emergencyFund")
        rows = len(whole["transactions"]) + (whole["more"] or {"count": 0})["count"]
        assert f"The largest of {rows:,} rows:" in said
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
        assert " % = round(" in groceries


async def test_the_payday_that_is_meant(household: RunningDaemon) -> None:
    """Of several paydays that are ahead, the live view says which one its period ends with."""
    payday = (await rest(household, "/snapshot"))["allowance"]["payday"]
    async with connected(household) as client:
        said = text_of(await client.call_tool("get_snapshot", {}))
        assert f"until {payday}, the next payday of the largest regular pay" in said
        ahead = text_of(await client.call_tool("get_forecast", {}))
        assert f"- {payday} pay `" in ahead


async def test_the_live_view_is_worded_as_everywhere(household: RunningDaemon) -> None:
    """What heads the live view, and why nothing is safe to spend, are the words of every face."""
    now = Snapshot.model_validate_json(json.dumps(await rest(household, "/snapshot")))
    headed, amount = today_headed(now)
    async with connected(household) as client:
        result = await client.call_tool("get_snapshot", {})
        assert result.structured_content is not None
        why = short_said(now, "USD")
        assert (result.structured_content["headed"], result.structured_content["why"]) == (
            headed,
            why,
        )
        assert text_of(result).startswith(f"{headed}: {money(amount, 'USD')} (")
        assert why in text_of(result)


async def test_a_short_list_says_how_many_more(household: RunningDaemon) -> None:
    """A text that names some of what is due says how many it leaves out, and until when."""
    async with connected(household) as client:
        due = (await rest(household, "/snapshot"))["upcoming"]
        said = text_of(await client.call_tool("get_snapshot", {}))
        assert len(due) > 12
        assert f"{len(due) - 12} more charge" in said
        assert f" by {due[-1]['date']}." in said
        result = await client.call_tool("get_forecast", {"days": 120})
        assert result.structured_content is not None
        moves = len(result.structured_content["moves"]) + result.structured_content["moreMoves"]
        assert f"{moves - 12} more moves until " in text_of(result)


async def test_the_lists_of_a_plan_stand_in_its_text(household: RunningDaemon) -> None:
    """What is asked of a plan beside its figures is read in its text, too."""
    async with connected(household) as client:
        plain = text_of(await client.call_tool("get_plan", {}))
        parts = ["categories", "incomeSources", "recurring"]
        result = await client.call_tool("get_plan", {"parts": parts})
        said, plan = text_of(result), result.structured_content
        assert plan is not None
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
        result = await client.call_tool("query_spending", given)
        table = result.structured_content
        assert table is not None
        assert len(table["groups"]) == 1000 // len(table["months"]) < 100
        left = table["leftOut"]
        assert left["total"] + sum(each["total"] for each in table["groups"]) == table["total"]
        said = text_of(result)
        assert all(f"- {month}: $" in said for month in table["months"])


async def test_an_argument_that_is_none(household: RunningDaemon) -> None:
    """What is no argument and near none is refused with those that there are."""
    async with connected(household) as client:
        assert "date: This property is not known here; none is taken" in await refusal(
            client, "get_snapshot", {"date": "2026-01-01"}
        )
        assert "section: This property is not known here; known are parts" in await refusal(
            client, "get_plan", {"section": "debt"}
        )
        several = await refusal(client, "list_tasks", {"zzz": 1})
        assert "known are status, limit, after" in several


async def test_categories_that_are_no_spending(household: RunningDaemon) -> None:
    """Who asks what was spent on pay as well is told that it is not spending, and what to ask."""
    async with connected(household) as client:
        result = await client.call_tool("query_spending", {"category": ["Pay", "Groceries"]})
        assert result.structured_content is not None
        assert result.structured_content["notSpending"] == ["Pay"]
        groceries = await client.call_tool("query_spending", {"category": ["Groceries"]})
        assert groceries.structured_content is not None
        assert groceries.structured_content["notSpending"] == []
        assert groceries.structured_content["total"] == result.structured_content["total"]
        assert "Pay is not spending" in text_of(result)
        assert "not spending" not in text_of(groceries)


async def test_the_institution_names_a_manual_connection(daemon: RunningDaemon) -> None:
    """A connection of statement files has the name of its institution, else that of statement files."""
    async with connected(daemon) as client:
        unnamed = await client.call_tool("link_connection", {"provider": "manual"})
        assert "`Statement files` is linked" in text_of(unnamed)
        linked = await client.call_tool(
            "link_connection", {"provider": "manual", "institution": "Credit Union"}
        )
        assert "`Credit Union` is linked" in text_of(linked)


async def test_a_plan_is_told_with_what_limits_it(household: RunningDaemon) -> None:
    """Its notes are in the text, and a fund of which nobody knows the target is not called reached."""
    async with connected(household) as client:
        result = await client.call_tool("get_plan", {})
    said, has = text_of(result), result.structured_content
    assert has is not None
    assert has["notes"]
    for note in has["notes"]:
        assert f"- {with_names(note)}" in said
    told = read_json(PlanTold, json.dumps(has))

    def fund(**changed: int | None) -> str:
        other = told.emergency_fund.model_copy(update=changed)
        text = GET_PLAN.say(told.model_copy(update={"emergency_fund": other}), "USD")
        return next(each for each in text.splitlines() if each.startswith("Emergency fund: "))

    assert fund(gap=12_50).endswith(" months, $12.50 missing.")
    assert fund(gap=0, target_amount=100, months_to_target=0).endswith("; the target is reached.")
    assert fund(gap=0, target_amount=100, months_to_target=None).endswith("; no known gap.")
    assert fund(gap=0, target_amount=0, months_to_target=0).endswith(
        "; no target while essentials are unknown."
    )
    one = GET_PLAN.say(told.model_copy(update={"open_tasks": 1}), "USD")
    assert "\n1 open question for the person: list_tasks." in one

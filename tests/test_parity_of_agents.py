"""What an agent can ask: each operation by some surface of theirs, and one answer by all of them."""

import random
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.model.transaction import SpendingQuery
from finplan.operations.table import OPERATIONS
from finplan.operations.transaction import QUERY_SPENDING
from finplan.periods.reading import read_period
from tests.daemon.a2a.talking import asked, data_of, words_of
from tests.daemon.mcp.connected import connected
from tests.daemon.running import NOW, RunningDaemon, running_daemon

A_PROGRAMS = (
    "REST is for programs; an agent in a conversation has no file, address or timer to give"
)
A_TOOL_TELLS = "a tool tells it, in fewer words"
A_PERSONS = "what a person decides by looking at it, on a page or in the command line"

NO_TOOL: Mapping[str, tuple[str, ...]] = {
    A_PROGRAMS: (
        *("import_files", "list_imports", "undo_import", "cancel_import", "list_import_profiles"),
        *("forget_import_profile", "export_transactions", "list_jobs", "run_job"),
        *("list_webhooks", "list_webhook_records", "create_webhook", "show_webhook"),
        *("change_webhook", "try_webhook", "list_deliveries", "retry_delivery"),
        *("rotate_secret", "remove_webhook", "start_build", "show_build", "build_plan"),
    ),
    A_TOOL_TELLS: (
        *("list_accounts", "show_account", "show_plan"),
        *("list_plans", "set_rule", "show_me", "show_settings", "list_recurring"),
    ),
    A_PERSONS: (
        *("change_me", "change_settings", "unlink_connection", "show_unlinking", "change_account"),
        *("list_connection_states",),
        *("decide_transfer", "decide_recurring"),
        *("list_duplicates", "decide_duplicate", "set_income", "create_category"),
        *("add_account", "remove_account", "list_balances", "set_balance", "remove_balance"),
        "try_changes",
        *("list_planned", "add_planned", "change_planned", "remove_planned"),
        *("change_category", "remove_category", "list_suggestions", "judge_suggestion"),
        *("remove_rule",),
    ),
}
"""The operations that a credential of an agent may have performed and no tool performs: why not."""

PERIODS = (
    *("last month", "this month", "last quarter", "ytd", "last 90 days", "2025", "2025-10"),
    *("from november to january", "last week", "yesterday", "since december"),
)
GROUPINGS = (None, "category", "merchant", "month")


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, household_store) as running:
        yield running


def test_every_operation_is_an_agents_or_it_is_said_why_not() -> None:
    """What a key may do, a tool does, or it stands in one list with its reason: none is forgotten."""
    performed = {row.name for tool in TOOLS.values() for row in tool.rows}
    left_out = [name for names in NO_TOOL.values() for name in names]
    for_keys = {row.name for row in OPERATIONS if row.scope != "session"}

    assert len(left_out) == len(set(left_out))
    assert performed.isdisjoint(left_out)
    assert performed | set(left_out) == for_keys


@dataclass(frozen=True)
class Asked:
    """One question, in the fields of REST and in words."""

    period: str
    categories: tuple[tuple[str, str], ...]
    merchants: tuple[str, ...]
    group_by: Any

    @property
    def days(self) -> tuple[date | None, date | None]:
        found = read_period(self.period, NOW.date())
        return found.since, found.until

    @property
    def sentence(self) -> str:
        of = " and ".join(f"category {label}" for _, label in self.categories)
        at = " and ".join(f"at {name}" for name in self.merchants)
        by = "" if self.group_by is None else f"by {self.group_by}"
        return " ".join(filter(None, (of or "spending", at, self.period, by)))


def drawn(categories: Mapping[str, str], merchants: list[str], count: int) -> Iterator[Asked]:
    """Questions at random, the same ones each time."""
    # What is drawn need not be unforeseeable, it has to be the same again.
    dice = random.Random(17)
    for _ in range(count):
        group_by = dice.choice(GROUPINGS)
        most = 1 if group_by == "month" else 2
        names = dice.sample(sorted(categories.items()), dice.randint(0, most))
        shops = dice.sample(merchants, dice.randint(0, most))
        yield Asked(dice.choice(PERIODS), tuple(names), tuple(shops), group_by)


@pytest.mark.thorough
async def test_the_four_surfaces_agree(household: RunningDaemon) -> None:
    """Client, REST, MCP and A2A give one question the same days, totals, counts and groups."""
    spent = (await household.http.get("/api/v1/spending?groupBy=category")).json()["groups"]
    paid = (await household.http.get("/api/v1/spending?groupBy=merchant")).json()["groups"]
    categories = {each["key"]: each["label"] for each in spent}
    merchants = [each["label"] for each in paid]
    found = 0
    async with connected(household) as agent:
        for question in drawn(categories, merchants, 60):
            since, until = question.days
            keys = tuple(key for key, _ in question.categories)
            fields = {
                "since": since,
                "until": until,
                "group_by": question.group_by,
                "category": keys,
                "merchant": question.merchants,
            }
            by_client = await household.client.call(
                QUERY_SPENDING, SpendingQuery.model_validate(fields)
            )
            params = {
                "from": since,
                "to": until,
                "groupBy": question.group_by,
                "category": keys,
                "merchant": question.merchants,
            }
            by_rest = (
                await household.http.get(
                    "/api/v1/spending",
                    params={name: value for name, value in params.items() if value is not None},
                )
            ).json()
            by_mcp = (
                await agent.call_tool(
                    "query_spending",
                    {
                        "period": question.period,
                        "groupBy": question.group_by,
                        "category": [label for _, label in question.categories],
                        "merchant": list(question.merchants),
                        "limit": 100,
                    },
                )
            ).structured_content
            task = await asked(household, question.sentence)
            assert "artifacts" in task, (question.sentence, words_of(task))
            told = [
                figures(each)
                for each in (by_client.model_dump(mode="json", by_alias=True), by_rest, by_mcp)
            ]
            by_a2a = data_of(task)
            assert told[0] == told[1] == told[2], question
            assert whole(by_a2a) == whole(by_rest), (question.sentence, words_of(task))
            shown = [(each["key"], each["total"], each["count"]) for each in by_a2a["groups"]]
            assert shown == told[1][-1][: len(shown)], question.sentence
            found += bool(by_rest["count"])
    assert found > 20


def whole(told: Any) -> tuple[Any, ...]:
    """The days and the sum of an answer."""
    return told["from"], told["to"], told["groupBy"], told["total"], told["count"]


def figures(told: Any) -> tuple[Any, ...]:
    """All figures of an answer."""
    groups = [(each["key"], each["total"], each["count"]) for each in told["groups"]]
    return (*whole(told), groups)

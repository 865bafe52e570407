"""Explaining the plan of a real store: what is said is what the other operations answer."""

import shlex
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.cli.console.typed_values import first_day, last_day
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.errors import NoConnections, NotFound
from finplan.model.explain import SECTIONS, Explanation, SectionName
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import explain_plan, show_snapshot
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions

Import = Callable[..., Awaitable[Any]]


@pytest.fixture
def demo(planned: Context) -> Context:
    """The context of a person who has linked the demo household and built a plan."""
    return planned


async def explained(context: Context, section: str) -> Explanation:
    return await explain_plan(context, SectionName(section=section))


def result(told: Explanation, name: str) -> object:
    return next(figure.result for figure in told.figures if figure.name == name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("section", SECTIONS)
async def test_every_section_is_explained_as_the_plan_has_it(demo: Context, section: str) -> None:
    """Right after a build every section says the same as the plan, and why."""
    told = await explained(demo, section)
    assert told.section == section
    assert told.figures
    assert told.reasons
    assert told.plan is not None
    assert told.plan.same


async def test_an_explanation_follows_the_data_and_tells_of_an_older_plan(demo: Context) -> None:
    """A rule set after the build changes the figures of now, and the plan no longer says the same."""
    told = await explained(demo, "groceries")
    payee = told.transactions[0].payee
    await set_rule(demo, RuleRequest(payee_key=await _key(demo, payee), category="hobbies"))
    after = await explained(demo, "groceries")
    report = await query_spending(
        demo,
        SpendingQuery(
            since=(await build_plan(demo, Nothing())).plan.window.since,
            until=(await build_plan(demo, Nothing())).plan.window.until,
            category=("groceries",),
        ),
    )
    assert after.plan is not None
    assert not after.plan.same
    assert result(after, "total") == report.total != result(told, "total")
    assert result(after, "count") == report.count


async def test_the_command_lists_all_rows_of_a_category(demo: Context) -> None:
    """What is shown and what is left out are the rows that the named command lists."""
    told = await explained(demo, "dining")
    assert told.more is not None
    words = shlex.split(told.more.command)
    assert words[:3] == ["finplan", "transactions", "--posted"]
    options = dict(zip(words[3::2], words[4::2], strict=True))
    page = await list_transactions(
        demo,
        TransactionQuery(
            since=first_day(options["--from"]),
            until=last_day(options["--to"]),
            category=(options["--category"],),
            pending=False,
            limit=500,
        ),
    )
    assert page.next_cursor is None
    assert len(page.transactions) == len(told.transactions) + told.more.count
    shown = {(row.date, row.payee, row.amount) for row in page.transactions}
    assert {(row.date, row.payee, row.amount) for row in told.transactions} <= shown


async def test_the_allowance_is_the_snapshots(demo: Context) -> None:
    """The live view is explained with the plan that it rests on."""
    told = await explained(demo, "allowance")
    allowance = (await show_snapshot(demo, Nothing())).allowance
    assert result(told, "today") == allowance.today
    assert result(told, "daily") == allowance.daily


async def test_what_nobody_knows_is_refused_with_near_matches(
    context: Context, import_texts: Import
) -> None:
    """A typo gets a hint, nonsense the list of sections, an empty store the way to data."""
    with pytest.raises(NoConnections):
        await explained(context, "debt")
    await import_texts({"a.csv": "Date,Description,Amount\n2026-09-01,CORNER THING,-25.00\n"})
    with pytest.raises(NotFound, match="Did you mean emergencyFund"):
        await explained(context, "emergencyfond")
    with pytest.raises(NotFound, match="The sections are window, snapshot"):
        await explained(context, "zzz")
    assert (await explained(context, "emergency-fund")).plan is None


async def _key(context: Context, payee: str) -> str:
    page = await list_transactions(context, TransactionQuery(merchant=(payee,), limit=1))
    return page.transactions[0].payee_key

"""Plans, from the demo household and from statement files."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import jsonschema
import pytest

from finplan.banks.base import BankAccount, BankTransaction, Link
from finplan.banks.demo.bank import Demo
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import NoConnections, NotFound
from finplan.model.money import to_text
from finplan.model.plan import StoredPlan
from finplan.model.snapshot import IncomeRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import Grouping, SpendingQuery
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan, list_plans, show_plan, view_plan
from finplan.service.planning.views import set_income, show_snapshot, show_wealth
from finplan.service.spending import query_spending
from tests.model import part2
from tests.service.noting import is_noted

Import = Callable[..., Awaitable[Any]]
TODAY = date(2026, 11, 21)


def _json(answer: Any) -> Any:
    return json.loads(answer.model_dump_json(by_alias=True))


async def test_the_demo_plan_is_the_interfaces(demo: Context) -> None:
    """A plan, its snapshot and its wealth are valid by the interface, and no section is empty."""
    stored = await build_plan(demo, Nothing())

    jsonschema.validate(_json(stored), part2.STORED_PLAN)
    jsonschema.validate(_json(await show_snapshot(demo, Nothing())), part2.SNAPSHOT)
    jsonschema.validate(_json(await show_wealth(demo, Nothing())), part2.WEALTH)
    assert _empty_sections(stored) == []


async def test_a_plan_from_files_fills_every_section(
    context: Context, import_texts: Import
) -> None:
    """Fourteen months of a checking, a savings and a card statement give a whole plan."""
    report = await import_texts(await _household_files())
    stored = await build_plan(context, Nothing())

    assert [file.error for file in report.files] == [None, None, None]
    assert _empty_sections(stored) == []
    assert stored.plan.window.months == 12
    assert {account.role for account in stored.plan.snapshot.accounts} == {"cash", "debt"}


async def test_the_plan_and_spending_questions_agree(demo: Context) -> None:
    """Categories, merchants and months add up to one total, which is the plan's."""
    plan = (await build_plan(demo, Nothing())).plan
    since, until = plan.window.since, plan.window.until
    groupings: tuple[Grouping, ...] = ("category", "merchant", "month")
    reports = {
        grouping: await query_spending(
            demo, SpendingQuery(since=since, until=until, group_by=grouping)
        )
        for grouping in groupings
    }

    total = sum(category.total for category in plan.categories)
    assert {report.total for report in reports.values()} == {total}
    assert {sum(group.total for group in report.groups) for report in reports.values()} == {total}
    by_category = {group.key: (group.total, group.count) for group in reports["category"].groups}
    assert by_category == {
        category.category: (category.total, category.count) for category in plan.categories
    }


async def test_building_again_changes_no_figure(demo: Context) -> None:
    """The same data on the same day give the same plan, kept as another one."""
    first = await build_plan(demo, Nothing())
    second = await build_plan(demo, Nothing())

    assert first.plan == second.plan
    assert second.created_at > first.created_at
    assert await list_plans(demo, Nothing()) == (second, first)
    assert await show_plan(demo, Nothing()) == second


async def test_without_a_connection_there_is_nothing_to_plan_with(context: Context) -> None:
    """A person who has linked nothing is told what to do."""
    with pytest.raises(NoConnections, match="finplan import"):
        await build_plan(context, Nothing())
    with pytest.raises(NotFound, match="finplan plan build"):
        await show_plan(context, Nothing())


async def test_a_connection_without_rows_gives_zeros_and_a_note(context: Context) -> None:
    """A manual connection that nothing was imported into yet has a plan that says so."""
    institution = {"id": None, "name": "Corner Bank"}
    request = LinkRequest.model_validate({"provider": "manual", "institution": institution})
    await link_connection(context, request)
    plan = (await build_plan(context, Nothing())).plan

    assert (plan.monthly.income, plan.window.months, plan.categories) == (0, 0, ())
    assert plan.notes


async def test_the_view_holds_the_plan_and_everything_beside_it(demo: Context) -> None:
    """The view's snapshot and questions are those of their own operations."""
    view = await view_plan(demo, Nothing())

    assert view.snapshot == await show_snapshot(demo, Nothing())
    assert view.plan == (await show_plan(demo, Nothing())).plan
    assert [age.institution_name for age in view.data_age] == ["Demo household"]
    assert view.open_tasks
    no_category = {"uncategorized", "unlinked_card"}
    unknown = sum(each.total for each in view.plan.categories if each.category in no_category)
    share = unknown / sum(each.total for each in view.plan.categories)
    assert view.standing.unknown_share == pytest.approx(share, abs=0.00006)
    assert view.standing.provisional is (share >= 0.1)


@pytest.mark.thorough
async def test_the_view_is_of_one_moment(context: Context, import_texts: Import) -> None:
    """After an undo the page shows the plan of what is left, and never figures of two moments."""
    files = await _household_files()
    first, *others = files
    await import_texts({first: files[first]})
    undone = await import_texts({name: files[name] for name in others})
    before = await build_plan(context, Nothing())
    assert (await view_plan(context, Nothing())).created_at == before.created_at
    # What that view showed is what later ones tell a change from, once it is noted.
    await is_noted(context)
    await undo_import(context, ImportId(id=undone.id))

    view = await view_plan(context, Nothing())

    assert view.plan != before.plan
    assert view.snapshot.balances.cash == view.plan.snapshot.liquid_cash
    assert view.snapshot.balances.net_worth == view.plan.snapshot.net_worth
    assert await view_plan(context, Nothing()) == view
    assert await show_plan(context, Nothing()) == before
    assert view.plan == (await build_plan(context, Nothing())).plan


async def test_another_day_alone_makes_no_other_plan(demo: Context) -> None:
    """The plan of yesterday is still the plan that is shown as long as the data are the same."""
    built = await build_plan(demo, Nothing())
    tomorrow = replace(demo, now=lambda: datetime(2026, 11, 22, 9, tzinfo=UTC))

    assert (await view_plan(tomorrow, Nothing())).created_at == built.created_at


async def test_a_persons_own_income_is_used_and_explained(demo: Context) -> None:
    """A manual income replaces the detected one, moves the allowance, and can be taken back."""
    detected = await show_snapshot(demo, Nothing())
    manual = await set_income(demo, IncomeRequest(monthly=2_000_000))
    again = await set_income(demo, IncomeRequest(monthly=None))

    assert (detected.income.source, manual.income.source) == ("detected", "manual")
    assert manual.allowance.breakdown.income > detected.allowance.breakdown.income
    assert manual.change is not None
    assert (manual.change.before, manual.change.after) == (
        detected.allowance.daily,
        manual.allowance.daily,
    )
    assert again.allowance == detected.allowance


def _empty_sections(stored: StoredPlan) -> list[str]:
    plan = stored.plan
    sections = {
        "accounts": plan.snapshot.accounts,
        "income": plan.monthly.income,
        "spending": plan.monthly.total_spend,
        "categories": plan.categories,
        "incomeSources": plan.income_sources,
        "recurring": plan.recurring,
        "emergencyFund": plan.emergency_fund.target_amount,
        "debt": plan.debt.cards,
        "budget": plan.budget,
        "actions": plan.actions,
        "notes": plan.notes,
    }
    return [name for name, content in sections.items() if not content]


async def _household_files() -> dict[str, str]:
    """Three accounts of a made-up household as a bank's files: OFX, CSV and QFX."""
    page = await Demo().sync(Link("usr_files", "Demo"), None, TODAY)
    since = int((TODAY - timedelta(days=425)).strftime("%Y%m%d"))
    chosen: dict[str | None, BankAccount] = {}
    for account in page.accounts:
        if account.subtype in {"checking", "savings"} or account.kind == "credit":
            chosen.setdefault(account.subtype, account)
    rows: dict[str, list[BankTransaction]] = {}
    for row in page.added:
        if not row.pending and row.day >= since:
            rows.setdefault(row.account, []).append(row)
    files = {}
    for subtype, account in chosen.items():
        sign = -1 if account.kind == "credit" else 1
        balance = to_text(sign * (account.balance or 0), "USD")
        held = rows[account.external_id]
        if subtype == "savings":
            lines = [
                f'{row.day // 10000}-{row.day // 100 % 100:02d}-{row.day % 100:02d},"{row.raw}",'
                f"{to_text(row.amount, 'USD')}"
                for row in held
            ]
            files["savings.csv"] = "\n".join(["Date,Description,Amount", *lines, ""])
        else:
            files[f"{subtype}.ofx"] = _ofx(account.kind == "credit", balance, held)
    return files


def _ofx(card: bool, balance: str, rows: list[BankTransaction]) -> str:
    source = (
        "<CCACCTFROM><ACCTID>4111111111111111</CCACCTFROM>"
        if card
        else ("<BANKACCTFROM><BANKID>1<ACCTID>998877<ACCTTYPE>CHECKING</BANKACCTFROM>")
    )
    inner_set, *wrappers = (
        ("CCSTMTRS", "CCSTMTTRNRS", "CREDITCARDMSGSRSV1")
        if card
        else ("STMTRS", "STMTTRNRS", "BANKMSGSRSV1")
    )
    listed = "".join(
        f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{row.day}<TRNAMT>{to_text(row.amount, 'USD')}"
        f"<FITID>{row.external_id}<NAME>{row.raw.replace('&', '&amp;')}</STMTTRN>"
        for row in rows
    )
    inner = (
        f"<CURDEF>USD{source}<BANKTRANLIST><DTSTART>20250901<DTEND>20261121{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{balance}<DTASOF>20261121</LEDGERBAL>"
    )
    body = f"<{inner_set}>{inner}</{inner_set}>"
    for aggregate in wrappers:
        body = f"<{aggregate}>{body}</{aggregate}>"
    return f"OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n<OFX>{body}</OFX>"

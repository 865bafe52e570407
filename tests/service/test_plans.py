"""Plans, from the demo household and from statement files, and the one that follows from news by itself.

The live view never mixes an old plan's averages with data that it does not know. A household is
read once for a state of its data, and is never that of another state.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import jsonschema
import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction, Link
from finplan.banks.demo.bank import Demo
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import CategoryChange, NewCategory, RuleRequest
from finplan.model.connection import LinkRequest
from finplan.model.detection import TransferQuery, TransferVerdict
from finplan.model.errors import BadRequest, NoConnections, NotFound
from finplan.model.explain import SectionName
from finplan.model.money import to_text
from finplan.model.plan import StoredPlan
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.snapshot import IncomeRequest
from finplan.model.statement import ImportId
from finplan.model.task import TaskAnswer, TaskQuery
from finplan.model.transaction import Grouping, SpendingQuery
from finplan.model.user import BudgetShares, SettingsChange, UserChange
from finplan.plan.bookkeeping import keep_books
from finplan.service.automation.agenda import settle
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.categories import change_category, create_category
from finplan.service.context import Asker, Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.derived import books as room
from finplan.service.derived.books import Household, household_of
from finplan.service.derived.changes import SETTLING
from finplan.service.derived.household import load_ledger
from finplan.service.imports.imports import undo_import
from finplan.service.people import change_settings, new_owner
from finplan.service.planning.plans import build_plan, list_plans, show_plan, view_plan
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.planning.views import explain_plan, set_income, show_snapshot, show_wealth
from finplan.service.rules import list_rules, set_rule
from finplan.service.spending import query_spending
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from finplan.store.queries import jobs, people
from tests.model import part2
from tests.service.conftest import bring
from tests.service.said import is_noted

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


async def test_a_plan_from_files_fills_every_section(context: Context) -> None:
    """Fourteen months of a checking, a savings and a card statement give a whole plan."""
    report = await bring(context, await _household_files())
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
async def test_the_view_is_of_one_moment(context: Context) -> None:
    """After an undo the page shows the plan of what is left, and never figures of two moments."""
    files = await _household_files()
    first, *others = files
    await bring(context, {first: files[first]})
    undone = await bring(context, {name: files[name] for name in others})
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


ROWS = "Date,Description,Amount\n2026-05-01,RENT OAK STREET,-1200.00\n"


async def due(context: Context) -> int | None:
    """When the plan of a context's person is due, once a schedule has looked."""

    def find(connection: Connection) -> int | None:
        settle(connection, context.milliseconds())
        rows = jobs.jobs_of(connection, context.caller.owner, machine=False)
        at: int | None = next(row["next_at"] for row in rows if row["name"] == "plan")
        return at

    return await context.store.write(find)


async def test_an_import_leads_to_a_plan(context: Context) -> None:
    """Five minutes after a file a plan is due, though no schedule has looked at the store before."""
    await bring(context, {"checking.csv": ROWS})
    assert (
        await due(context) == context.milliseconds() + SETTLING == context.milliseconds() + 300_000
    )


async def test_a_preview_or_a_bad_file_leads_to_none(context: Context) -> None:
    """What changes nothing is no news."""
    morning = await due(context)
    await bring(context, {"checking.csv": ROWS}, dryRun=True)
    with pytest.raises(BadRequest):
        await bring(context, {"nothing.ofx": "<OFX>"})
    assert await due(context) == morning != context.milliseconds() + SETTLING


async def test_an_undone_import_leads_to_a_plan(context: Context) -> None:
    """No plan with the rows of a file that was taken back stays the newest until the morning."""
    done = await bring(context, {"checking.csv": ROWS})
    morning = {"next_at": None}
    await context.store.write(lambda c: jobs.change_job(c, 1, morning))
    assert await due(context) != context.milliseconds() + SETTLING
    await undo_import(context, ImportId(id=done.id))
    assert await due(context) == context.milliseconds() + SETTLING


@pytest.mark.thorough
async def test_the_first_bank_of_a_new_store_leads_to_a_plan(context: Context) -> None:
    """Whoever links a bank right after a start need not wait for the morning, either."""
    await link_connection(context, LinkRequest(provider="demo"))
    assert await due(context) == context.milliseconds() + SETTLING


Change = Callable[[Context], Awaitable[object]]


async def _payee(context: Context) -> str:
    """The key of the payee that most was spent at for groceries."""
    query = SpendingQuery(group_by="merchant", category=("groceries",))
    report = await query_spending(context, query)
    return report.groups[0].key


async def file_a_payee(context: Context) -> None:
    await set_rule(context, RuleRequest(payee_key=await _payee(context), category="travel"))


async def add_a_category(context: Context) -> None:
    ask = NewCategory(name="Boats", line="discretionary", payee_keys=(await _payee(context),))
    await create_category(context, ask)


async def rename_a_category(context: Context) -> None:
    ask = NewCategory(name="Boats", line="discretionary", payee_keys=(await _payee(context),))
    made = await create_category(context, ask)
    await build_plan(context, Nothing())
    await change_category(
        context, CategoryChange(category=made.answer.category.category, name="Ships")
    )


async def rename_an_account(context: Context) -> None:
    held = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=held[0].id, name="Ours"))


async def correct_a_balance(context: Context) -> None:
    held = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=held[0].id, balance=1_00))


async def hide_an_account(context: Context) -> None:
    held = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=held[0].id, hidden=True))


async def answer_a_question(context: Context) -> None:
    tasks = await list_tasks(context, TaskQuery())
    task = next(each for each in tasks if each.kind == "categorize_payee")
    await answer_task(context, TaskAnswer(id=task.id, answer="travel"))


async def dismiss_what_comes_again(context: Context) -> None:
    series = await list_recurring(context, RecurringQuery())
    await decide_recurring(context, RecurringVerdict(id=series[0].id, verdict="dismiss"))


async def reject_a_transfer(context: Context) -> None:
    transfers = await list_transfers(context, TransferQuery())
    await decide_transfer(context, TransferVerdict(id=transfers[0].id, verdict="reject"))


async def tell_an_income(context: Context) -> None:
    await set_income(context, IncomeRequest(monthly=123_456))


async def divide_otherwise(context: Context) -> None:
    shares = BudgetShares(essentials=0.6, discretionary=0.2, savings=0.2)
    await change_settings(context, SettingsChange(budget_shares=shares, target_months=9))


@pytest.fixture
async def household(context: Context) -> Context:
    """The demo household with a plan of some days ago."""
    await link_connection(context, LinkRequest(provider="demo"))
    await build_plan(replace(context, now=lambda: context.now() - timedelta(days=3)), Nothing())
    return context


@pytest.mark.thorough
@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "change",
    [
        file_a_payee,
        add_a_category,
        rename_a_category,
        rename_an_account,
        correct_a_balance,
        hide_an_account,
        answer_a_question,
        dismiss_what_comes_again,
        reject_a_transfer,
        tell_an_income,
        divide_otherwise,
    ],
)
async def test_snapshot_plan_and_build_agree(household: Context, change: Change) -> None:
    """After a change, what is shown rests on the very plan that would be built now."""
    await change(household)
    snapshot = await show_snapshot(household, Nothing())
    view = await view_plan(household, Nothing())
    explained = await explain_plan(household, SectionName(section="dailyAllowance"))
    plans = await list_plans(household, Nothing())
    built = await build_plan(household, Nothing())

    assert view.plan == built.plan
    assert view.snapshot == snapshot
    assert snapshot.plan_date == built.plan.generated_on
    assert replace_change(await show_snapshot(household, Nothing())) == replace_change(snapshot)
    again = await explain_plan(household, SectionName(section="dailyAllowance"))
    assert (again.figures, again.reasons) == (explained.figures, explained.reasons)
    assert built not in plans


def replace_change(snapshot: object) -> object:
    """A snapshot without its change, whose event a build is."""
    return snapshot.model_copy(update={"change": None})  # type: ignore[attr-defined]


@pytest.mark.thorough
async def test_what_is_shown_is_not_stored(household: Context) -> None:
    """The last stored plan stays the last one until another is built."""
    stored = await show_plan(household, Nothing())
    await file_a_payee(household)
    view = await view_plan(household, Nothing())

    assert view.plan != stored.plan
    assert await show_plan(household, Nothing()) == stored
    assert view.created_at == household.milliseconds()


@pytest.mark.thorough
async def test_a_plan_holds_while_nothing_changes(household: Context) -> None:
    """Neither the day nor the person's own name makes a plan another one."""
    stored = await show_plan(household, Nothing())
    await change_me(household, UserChange(name="Ada"))
    view = await view_plan(household, Nothing())

    assert (view.plan, view.created_at) == (stored.plan, stored.created_at)
    assert (await show_snapshot(household, Nothing())).plan_date == stored.plan.generated_on


@pytest.mark.thorough
async def test_a_plan_that_something_overtook_does_not_hold(
    household: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changes while a plan is worked out is in the next view, though the plan is newer."""
    commit = Context.commit

    async def overtaken(context: Context, *args: object, **options: object) -> object:
        monkeypatch.undo()
        await file_a_payee(household)
        return await commit(context, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Context, "commit", overtaken)
    stored = await build_plan(household, Nothing())
    view = await view_plan(household, Nothing())

    assert view.plan != stored.plan
    assert view.plan == (await build_plan(household, Nothing())).plan


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whose ledger was read, each time that one was."""
    seen: list[int] = []

    def load(connection: Connection, owner: int) -> object:
        seen.append(owner)
        return load_ledger(connection, owner)

    monkeypatch.setattr(room, "load_ledger", load)
    return seen


def afresh(asker: Asker) -> Callable[[Connection], Household]:
    def read(connection: Connection) -> Household:
        ledger = load_ledger(connection, asker.owner)
        today = asker.today(ledger.settings.time_zone)
        return Household(ledger, keep_books(ledger, today), today)

    return read


async def test_what_several_ask_for_is_read_once(planned: Context, loads: list[int]) -> None:
    """Tasks, snapshot, wealth and what recurs begin with the same ledger while nothing changes.

    A plan that is built changes nothing that they follow from.
    """
    await list_tasks(planned, TaskQuery())
    await build_plan(planned, Nothing())
    await show_snapshot(planned, Nothing())
    await show_wealth(planned, Nothing())
    await list_recurring(planned, RecurringQuery())

    assert len(loads) == 1


async def test_a_change_is_seen_at_once(planned: Context) -> None:
    """After a rule, and after a verdict, ledger and books are those of the data as they are now."""
    compute, asker = planned.store.compute, planned.asker
    before = await compute(lambda c: household_of(c, asker))
    rule = (await list_rules(planned, Nothing()))[0]
    await set_rule(planned, RuleRequest(payee_key=rule.payee_key, category="travel"))
    ruled = await compute(lambda c: household_of(c, asker))
    series = (await list_recurring(planned, RecurringQuery()))[0]
    await decide_recurring(planned, RecurringVerdict(id=series.id, verdict="dismiss"))

    assert ruled != before
    assert await compute(lambda c: household_of(c, asker)) == await planned.store.read(
        afresh(asker)
    )


async def test_another_day_has_other_books(planned: Context) -> None:
    """What was kept of one day is not what the next one is told."""
    later = replace(planned.asker, now=planned.asker.now + timedelta(days=40))
    await planned.store.compute(lambda c: household_of(c, planned.asker))

    found = await planned.store.compute(lambda c: household_of(c, later))

    assert found == await planned.store.read(afresh(later))


async def test_nobody_is_shown_anothers_household(planned: Context) -> None:
    """Of two people in one store each is told of the own household."""
    mine = planned.asker
    other = await planned.store.write(lambda c: people.add_person(c, new_owner("bob", 0)))
    theirs = replace(mine, owner=other)

    def both(connection: Connection) -> tuple[int, int]:
        return tuple(len(household_of(connection, each).ledger.rows) for each in (mine, theirs))  # type: ignore[return-value]

    rows, none = await planned.store.compute(both)

    assert rows > 1000
    assert none == 0

"""The live view never mixes an old plan's averages with data that it does not know."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import CategoryChange, NewCategory, RuleRequest
from finplan.model.connection import LinkRequest
from finplan.model.detection import TransferQuery, TransferVerdict
from finplan.model.explain import SectionName
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.snapshot import IncomeRequest
from finplan.model.task import TaskAnswer, TaskQuery
from finplan.model.transaction import SpendingQuery
from finplan.model.user import BudgetShares, SettingsChange, UserChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.categories import change_category, create_category
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.people import change_settings
from finplan.service.planning.plans import build_plan, list_plans, show_plan, view_plan
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.planning.views import explain_plan, set_income, show_snapshot
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.service.verdicts.transfers import decide_transfer, list_transfers

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
    earlier = replace(context, now=lambda: context.now() - timedelta(days=3))
    await build_plan(earlier, Nothing())
    return context


@pytest.mark.sampled(4)
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

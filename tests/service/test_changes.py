"""What moved the daily allowance is told when it is shown, against what was last shown.

Explanations and the days ahead say what the other operations answer.
"""

import logging
import shlex
from dataclasses import replace
from datetime import timedelta

import pytest

from finplan.cli.console.typed_values import first_day, last_day
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import LinkRequest, Unlinking
from finplan.model.errors import BadRequest, NoConnections, NotFound, StorageFull
from finplan.model.explain import SECTIONS, Explanation, SectionName
from finplan.model.snapshot import Change, ForecastQuery, IncomeRequest
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.model.user import SettingsChange, UserChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.people import change_settings, show_settings
from finplan.service.planning.plans import build_plan, view_plan
from finplan.service.planning.views import explain_plan, set_income, show_forecast, show_snapshot
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from tests.present import present
from tests.service.conftest import bring
from tests.service.own_money import csv
from tests.service.said import is_noted

MONTHS = range(1, 12)
PAY = csv(*(f"2026-{month:02}-01,QUILLZWALD PAYROLL,3000.00" for month in MONTHS))
FUNS = ("CINEMA", "STARBUCKS", "CHIPOTLE", "PANERA BREAD", "TACO BELL")
FUN = csv(
    *(
        f"2026-{month:02}-{day:02},{fun},-{100 + month}.00"
        for month in MONTHS
        for day, fun in enumerate(FUNS, start=3)
    )
)


@pytest.fixture
async def household(context: Context) -> Context:
    """A household with several kinds of fun and a plan, which nobody has looked at yet."""
    await bring(context, {"pay.csv": PAY, "fun.csv": FUN})
    await build_plan(context, Nothing())
    return context


async def rule(context: Context, number: int) -> None:
    """File one of the payees under savings, which is no spending; it moves the allowance."""
    await set_rule(context, RuleRequest(payee_key=FUNS[number].lower(), category="savings"))


async def shown(context: Context) -> tuple[int, Change | None]:
    """The daily allowance and its change, as the person is shown them; that they were is noted."""
    snapshot = await show_snapshot(context, Nothing())
    await is_noted(context)
    return snapshot.allowance.daily, snapshot.change


def later(context: Context, **by: float) -> Context:
    """The same, some time later."""
    return replace(context, now=lambda: context.now() + timedelta(**by))


async def test_nothing_shown_before_is_no_change(household: Context) -> None:
    """Who looks for the first time is told of no change."""
    assert (await shown(household))[1] is None


async def test_a_change_is_from_what_was_shown_to_what_holds(household: Context) -> None:
    """An event that moved the allowance is told at the next look, by its instant."""
    before, _ = await shown(household)
    await rule(later(household, minutes=5), 0)
    after, change = await shown(household)

    assert change is not None
    assert (change.before, change.after) == (before, after)
    assert before != after
    assert change.at == household.milliseconds() + 5 * 60_000


async def test_all_events_between_two_looks_are_one_change(household: Context) -> None:
    """It is named after the newest of them."""
    before, _ = await shown(household)
    for number in range(3):
        await rule(later(household, minutes=number), number)
    after, change = await shown(household)

    assert change is not None
    assert (change.before, change.after) == (before, after)
    assert change.at == household.milliseconds() + 2 * 60_000


async def test_whoever_looks_is_told_the_same(household: Context) -> None:
    """Looking takes the change away from nobody: it stands until the next event."""
    await shown(household)
    await rule(household, 0)
    first = await show_snapshot(household, Nothing())

    assert await show_snapshot(household, Nothing()) == first
    assert (await view_plan(household, Nothing())).snapshot == first
    assert (await shown(later(household, hours=1)))[1] == first.change


async def test_the_next_change_begins_where_the_last_one_ended(household: Context) -> None:
    """What was shown after one event is what the next one is compared with, under another id."""
    await shown(household)
    await rule(household, 0)
    between, first = await shown(household)
    await rule(household, 1)
    _, second = await shown(household)

    assert first is not None
    assert second is not None
    assert second.before == between == first.after
    assert second.id != first.id


async def test_an_event_that_moves_nothing_is_no_change(household: Context) -> None:
    """A name moves no money."""
    before, _ = await shown(household)
    held = await list_accounts(household, Nothing())
    await change_account(household, AccountChange(id=held[0].id, name="Ours"))

    assert await shown(household) == (before, None)


async def test_what_the_calendar_does_is_no_change(household: Context) -> None:
    """Days go by, and the allowance with them, but nothing happened."""
    await shown(household)
    await change_me(household, UserChange(name="Ada"))

    assert (await shown(later(household, days=2)))[1] is None


@pytest.mark.parametrize(("days", "is_told"), [(7, True), (8, False)])
async def test_old_figures_are_not_compared(household: Context, days: int, is_told: bool) -> None:
    """Seven days are remembered, and no more, within one period."""
    at_noon = replace(household, now=lambda: household.now() - timedelta(days=18))
    await shown(at_noon)
    await rule(at_noon, 0)

    assert ((await shown(later(at_noon, days=days)))[1] is not None) == is_told


async def test_another_period_is_compared_with_nothing(household: Context) -> None:
    """After payday another allowance begins."""
    await shown(later(household, days=8))
    await rule(household, 0)

    assert (await shown(later(household, days=8)))[1] is not None
    assert (await shown(later(household, days=12)))[1] is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("event", ["unlink", "hide", "income", "currency", "import"])
async def test_whatever_moves_it_is_an_event(household: Context, event: str) -> None:
    """Banks, accounts, the person's own word, settings and files: the view says from what to what."""
    before, _ = await shown(household)
    match event:
        case "unlink":
            for record in await list_connections(household, Nothing()):
                await unlink_connection(household, Unlinking(id=record.connection.id))
        case "hide":
            held = await list_accounts(household, Nothing())
            fun = next(each for each in held if "fun" in each.name)
            await change_account(household, AccountChange(id=fun.id, hidden=True))
        case "income":
            await set_income(household, IncomeRequest(monthly=250_000))
        case "currency":
            await change_settings(household, SettingsChange(currency="EUR"))
        case "import":
            await bring(household, {"more.csv": csv("2026-11-20,CINEMA,-250.00")}, account="fun")
    after, change = await shown(household)

    assert change is not None
    assert (change.before, change.after) == (before, after)


async def test_the_reply_to_a_told_income_is_what_is_shown_next(household: Context) -> None:
    """With its change, which it shows, so that the next look tells the same."""
    await shown(household)
    reply = await set_income(household, IncomeRequest(monthly=250_000))

    assert reply.change is not None
    assert reply == await show_snapshot(household, Nothing())


async def test_no_change_counts_anew(household: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule, an account and a setting are answered without the plan's arithmetic."""
    await shown(household)

    def refuse(*_args: object) -> None:
        raise AssertionError

    for name in (
        *("derived.books.keep_books", "derived.books.assess", "derived.books.load_ledger"),
        *("planning.views.live_snapshot", "planning.plans.live_snapshot"),
    ):
        monkeypatch.setattr(f"finplan.service.{name}", refuse)
    held = await list_accounts(household, Nothing())

    await rule(household, 0)
    await change_account(household, AccountChange(id=held[0].id, name="Ours"))
    await change_settings(household, SettingsChange(target_months=9))


async def test_a_full_disk_hides_nothing(
    household: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be noted is shown all the same, and told in the log."""

    async def refuse(*_args: object) -> None:
        raise StorageFull("no room")

    with caplog.at_level(logging.WARNING):
        monkeypatch.setattr(household.store, "write", refuse)
        assert (await shown(household))[1] is None
    assert "safe to spend" in caplog.text


async def test_a_currency_that_nobody_has_is_refused(household: Context) -> None:
    """A code that is no currency and no account's is refused: every figure would be empty."""
    before = await show_settings(household, Nothing())
    with pytest.raises(BadRequest, match="Unknown currency"):
        await change_settings(household, SettingsChange(currency="XYZ"))
    assert await show_settings(household, Nothing()) == before


@pytest.fixture
def demo(planned: Context) -> Context:
    """The context of a person who has linked the demo household and built a plan."""
    return planned


async def explained(context: Context, section: str) -> Explanation:
    return await explain_plan(context, SectionName(section=section))


def result(told: Explanation, name: str) -> object:
    return next(figure.result for figure in told.figures if figure.name == name)


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("section", SECTIONS)
async def test_every_section_is_explained_as_the_plan_has_it(demo: Context, section: str) -> None:
    """Right after a build every section says the same as the plan, and why."""
    told = await explained(demo, section)
    assert told.section == section
    assert told.figures
    assert told.reasons
    assert present(told.plan).same


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
    assert not present(after.plan).same
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


async def test_what_nobody_knows_is_refused_with_near_matches(context: Context) -> None:
    """A typo gets a hint, nonsense the list of sections, an empty store the way to data."""
    with pytest.raises(NoConnections):
        await explained(context, "debt")
    await bring(context, {"a.csv": "Date,Description,Amount\n2026-09-01,CORNER THING,-25.00\n"})
    with pytest.raises(NotFound, match="emergencyFund"):
        await explained(context, "emergencyfond")
    with pytest.raises(NotFound, match="The sections are window, snapshot"):
        await explained(context, "zzz")
    assert (await explained(context, "emergency-fund")).plan is None


async def _key(context: Context, payee: str) -> str:
    page = await list_transactions(context, TransactionQuery(merchant=(payee,), limit=1))
    return page.transactions[0].payee_key


async def test_without_a_connection_nothing_is_foretold(context: Context) -> None:
    """There is no plan to rest on."""
    with pytest.raises(NoConnections):
        await show_forecast(context, ForecastQuery())


@pytest.mark.thorough
async def test_it_looks_as_far_as_it_is_asked(context: Context) -> None:
    """Sixty days where nothing is said, today beside them, and the first plan is built for it."""
    await link_connection(context, LinkRequest(provider="demo"))
    usual = await show_forecast(context, ForecastQuery())
    assert usual.until - usual.since == timedelta(60)
    assert len(usual.days) == 61
    week = await show_forecast(context, ForecastQuery(days=7))
    assert week.days == usual.days[:8]


@pytest.mark.thorough
async def test_it_begins_where_the_snapshot_stands(context: Context) -> None:
    """Start is cash less what is pending, and a corrected balance moves it at once."""
    await link_connection(context, LinkRequest(provider="demo"))
    before = await show_forecast(context, ForecastQuery())
    assert before.start is not None
    assert before.start <= (await show_snapshot(context, Nothing())).balances.cash
    held = next(
        each for each in await list_accounts(context, Nothing()) if each.kind == "depository"
    )
    assert held.balance is not None
    more = AccountChange(id=held.id, balance=held.balance + 100_00)
    await change_account(context, more)
    assert (await show_forecast(context, ForecastQuery())).start == before.start + 100_00

"""What moved the daily allowance is told when it is shown, against what was last shown."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import Unlinking
from finplan.model.errors import BadRequest, StorageFull
from finplan.model.snapshot import Change, IncomeRequest
from finplan.model.user import SettingsChange, UserChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.people import change_settings, show_settings
from finplan.service.planning.plans import build_plan, view_plan
from finplan.service.planning.views import set_income, show_snapshot
from finplan.service.rules import set_rule
from tests.service.noting import is_noted
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

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
async def household(context: Context, import_texts: Import) -> Context:
    """A household with several kinds of fun and a plan, which nobody has looked at yet."""
    await import_texts({"pay.csv": PAY, "fun.csv": FUN})
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
async def test_what_was_shown_long_ago_is_compared_with_nothing(
    household: Context, days: int, is_told: bool
) -> None:
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
async def test_whatever_moves_it_is_an_event(
    household: Context, import_texts: Import, event: str
) -> None:
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
            await import_texts({"more.csv": csv("2026-11-20,CINEMA,-250.00")}, account="fun")
    after, change = await shown(household)

    assert change is not None
    assert (change.before, change.after) == (before, after)


async def test_the_reply_to_a_told_income_is_what_is_shown_next(household: Context) -> None:
    """With its change, which it shows, so that the next look tells the same."""
    await shown(household)
    reply = await set_income(household, IncomeRequest(monthly=250_000))

    assert reply.change is not None
    assert reply == await show_snapshot(household, Nothing())


async def test_no_change_works_an_allowance_out(
    household: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        raise StorageFull("The disk is full.")

    with caplog.at_level(logging.WARNING):
        monkeypatch.setattr(household.store, "write", refuse)
        assert (await shown(household))[1] is None
    assert "The disk is full" in caplog.text


async def test_a_currency_that_nobody_has_is_refused(household: Context) -> None:
    """A code that is no currency and no account's is refused, since every figure would be of nothing."""
    before = await show_settings(household, Nothing())
    with pytest.raises(BadRequest, match="no currency that finplan knows"):
        await change_settings(household, SettingsChange(currency="XYZ"))
    assert await show_settings(household, Nothing()) == before

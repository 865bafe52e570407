"""Planned money: kept as it was said, refused where it cannot come, and shown with what happened."""

from datetime import date, timedelta
from typing import Any

import pytest

from finplan.model.account import AccountChange, AccountId, NewAccount
from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval
from finplan.model.errors import BadRequest, NotFound
from finplan.model.planned import (
    MOST_PLANNED,
    NewPlanned,
    PlannedChange,
    PlannedId,
    PlannedRecord,
)
from finplan.model.snapshot import ForecastQuery
from finplan.model.user import SettingsChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.own_accounts import add_account, remove_account
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.people import change_settings
from finplan.service.planning.planned_money import (
    add_planned,
    change_planned,
    list_planned,
    remove_planned,
)
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_forecast
from tests.service.conftest import NOW, bring
from tests.service.said import make

HEAD = "Date,Description,Amount\n"
PAY_AND_RENT = HEAD + "".join(
    f"2026-{month:02d}-05,RENT,-900.00\n2026-{month:02d}-28,PAYROLL,3000.00\n"
    for month in range(1, 11)
)
TRIP: dict[str, Any] = {
    "name": "Trip",
    "amount": 2_000_00,
    "month": "2027-07",
    "category": "travel",
}
TODAY = NOW.date()


async def planned(context: Context, **fields: Any) -> PlannedRecord:
    """Planned money: a trip, but for the fields that are given; None leaves one away."""
    given = {name: value for name, value in (TRIP | fields).items() if value is not None}
    made = await add_planned(context, NewPlanned.model_validate(given, by_name=True))
    assert made.new
    return made.answer


@pytest.fixture
async def home(context: Context) -> Context:
    """A person with ten months of pay and rent on a checking account."""
    await bring(context, {"giro.csv": PAY_AND_RENT})
    return context


async def test_it_is_what_was_said(home: Context) -> None:
    """Each field is kept, and listed as it was answered."""
    (account,) = await list_accounts(home, Nothing())
    first = await planned(home)
    assert first.model_dump(exclude={"id"}) == {
        "name": "Trip",
        "amount": 2_000_00,
        "direction": "out",
        "date": None,
        "month": "2027-07",
        "every": None,
        "until": None,
        "accountId": None,
        "category": "travel",
        "status": "planned",
        "next": date(2027, 7, 1),
        "monthly": 250_00,
        "transactionId": None,
    }
    second = await planned(
        home,
        name="Lesson",
        amount=35_00,
        direction="in",
        month=None,
        date=date(2027, 1, 8),
        every="weekly",
        until=date(2027, 6, 30),
        account_id=account.id,
    )
    assert (second.account_id, second.until) == (account.id, date(2027, 6, 30))
    assert (second.direction, second.date, second.every) == ("in", date(2027, 1, 8), "weekly")
    assert await list_planned(home, Nothing()) == (second, first)


@pytest.mark.parametrize(
    "fields",
    [
        {"month": "2026-10"},
        {"month": None, "date": TODAY - timedelta(1)},
        {"until": date(2027, 9, 1)},
        {"every": "monthly", "until": date(2027, 6, 30)},
        {"every": "weekly"},
        {"every": "semimonthly"},
        {"category": "no_such"},
        {"account_id": "acc_nosuch"},
    ],
)
async def test_what_cannot_come_is_refused(home: Context, fields: dict[str, Any]) -> None:
    """The past, a last date without repeating or before the first, days within a month, strangers."""
    with pytest.raises(BadRequest):
        await planned(home, **fields)
    assert await list_planned(home, Nothing()) == ()


@pytest.mark.parametrize("fields", [{"date": "2027-07-01"}, {"month": None}, {"amount": 0}])
def test_a_question_names_one_day_and_an_amount(fields: dict[str, Any]) -> None:
    """Neither a date nor a month, both, and no amount are no planned money."""
    with pytest.raises(ValueError, match=r"date or a month|greater than or equal"):
        NewPlanned.model_validate(TRIP | fields)


async def test_today_and_this_month_may_be_planned(home: Context) -> None:
    """The edge of the past: today counts, and so does the month that it is in."""
    assert (await planned(home, month=None, date=TODAY)).next == TODAY
    assert (await planned(home, month="2026-11")).next == TODAY


@pytest.mark.parametrize(
    ("kind", "currency"), [("credit", "USD"), ("investment", "USD"), ("checking", "EUR")]
)
async def test_only_cash_is_at_hand(home: Context, kind: Any, currency: str) -> None:
    """A card, a brokerage and an account in another currency are no place to pay from."""
    other = await add_account(home, NewAccount(name="Other", kind=kind, currency=currency))
    with pytest.raises(BadRequest, match="Other is not a cash account in USD"):
        await planned(home, account_id=other.answer.account.id)


async def test_there_is_a_most(home: Context) -> None:
    """One entry beyond the limit is refused, and none is lost."""
    for number in range(MOST_PLANNED):
        await planned(home, name=f"Trip {number}")
    with pytest.raises(BadRequest, match=str(MOST_PLANNED)):
        await planned(home)
    assert len(await list_planned(home, Nothing())) == MOST_PLANNED


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"name": "Alps"}, {"name": "Alps"}),
        ({"amount": 2_400_00}, {"amount": 2_400_00, "monthly": 300_00}),
        ({"month": "2027-03"}, {"month": "2027-03", "monthly": 500_00, "next": date(2027, 3, 1)}),
        ({"date": "2027-03-09"}, {"month": None, "date": date(2027, 3, 9), "monthly": 500_00}),
        ({"direction": "in"}, {"direction": "in", "monthly": 0, "next": date(2027, 7, 31)}),
        ({"category": None}, {"category": None}),
        ({"every": "annual"}, {"every": "annual", "monthly": 166_67}),
        (
            {"every": "annual", "until": "2030-01-01"},
            {"every": "annual", "until": date(2030, 1, 1)},
        ),
        ({"happened": True}, {"status": "happened", "next": None, "monthly": 0}),
    ],
)
async def test_a_change_changes_what_it_names(
    home: Context, change: dict[str, Any], after: dict[str, Any]
) -> None:
    """All else stays; the answer is what is listed then."""
    before = await planned(home)
    changed = await change_planned(home, PlannedChange.model_validate({"id": before.id, **change}))
    derived = {"status", "next", "monthly"} - after.keys()
    assert changed.model_dump(exclude=derived) == (before.model_dump(exclude=derived) | after)
    assert await list_planned(home, Nothing()) == (changed,)


async def test_what_repeats_ends_on_a_date(home: Context) -> None:
    """Marked as happened it would end: it has a last date for that, which can be cleared."""
    lesson = await planned(home, every="annual", until=date(2030, 1, 1))
    with pytest.raises(BadRequest, match="--until"):
        await change_planned(home, PlannedChange(id=lesson.id, happened=True))
    cleared = PlannedChange.model_validate({"id": lesson.id, "until": None})
    assert (await change_planned(home, cleared)).until is None


async def test_a_new_date_opens_it_again(home: Context) -> None:
    """What was marked as happened and is moved is planned for that day."""
    trip = await planned(home)
    await change_planned(home, PlannedChange(id=trip.id, happened=True))
    assert (
        await change_planned(home, PlannedChange(id=trip.id, month="2027-08"))
    ).status == "planned"


async def test_what_is_removed_is_gone(home: Context) -> None:
    """The answer is what it was; a second removal finds nothing."""
    trip = await planned(home)
    assert await remove_planned(home, PlannedId(id=trip.id)) == trip
    assert await list_planned(home, Nothing()) == ()
    with pytest.raises(NotFound):
        await remove_planned(home, PlannedId(id=trip.id))
    with pytest.raises(NotFound):
        await change_planned(home, PlannedChange(id=trip.id, amount=1))


async def test_a_transaction_shows_it(home: Context) -> None:
    """A row of about the amount and day makes it happened, and is named."""
    trip = await planned(
        home, name="Alpine tours", month=None, date=date(2026, 11, 20) + timedelta(1)
    )
    await bring(home, {"giro.csv": PAY_AND_RENT + "2026-11-21,ALPINE TOURS,-1950.00\n"})
    (shown,) = await list_planned(home, Nothing())
    assert (shown.id, shown.status, shown.monthly) == (trip.id, "happened", 0)
    assert shown.transaction_id is not None


async def test_the_forecast_has_it(home: Context) -> None:
    """Expected cash falls on its day, and the plan is another."""
    (account,) = await list_accounts(home, Nothing())
    await change_account(home, AccountChange(id=account.id, balance=9_000_00))
    before = await build_plan(home, Nothing())
    await planned(home, month=None, date=date(2026, 12, 24))
    forecast = await show_forecast(home, ForecastQuery(days=40))
    moved = [
        (day.date, item.amount)
        for day in forecast.days
        for item in day.items
        if item.name == "Trip"
    ]
    assert moved == [(date(2026, 12, 24), -2_000_00)]
    assert (await build_plan(home, Nothing())).plan != before.plan


async def test_it_outlives_its_account_and_its_category(home: Context) -> None:
    """What is removed of these leaves it open, or moves it to the category that takes over."""
    cash = NewAccount(name="Cash", kind="depository", subtype="cash")
    account = (await add_account(home, cash)).answer.account.id
    club, other = await make(home, "Club", "essential"), await make(home, "Boats", "essential")
    await planned(home, account_id=account, category=club.category)
    await remove_account(home, AccountId(id=account))
    (kept,) = await list_planned(home, Nothing())
    assert (kept.account_id, kept.category) == (None, club.category)
    removal = CategoryRemoval(category=club.category, merge_into=other.category)
    await remove_category(home, removal)
    assert (await list_planned(home, Nothing()))[0].category == other.category
    await remove_category(home, CategoryRemoval(category=other.category))
    assert (await list_planned(home, Nothing()))[0].category is None


async def test_another_currency_counts_no_such_money(home: Context) -> None:
    """It was said in another unit; once that is the household's again, it is there again."""
    trip = await planned(home)
    await change_settings(home, SettingsChange(currency="EUR"))
    assert await list_planned(home, Nothing()) == ()
    await change_settings(home, SettingsChange(currency="USD"))
    assert await list_planned(home, Nothing()) == (trip,)


async def test_it_may_be_planned_before_anything_is_known(context: Context) -> None:
    """Without an account it is kept all the same, in the currency that the household then has."""
    assert (await planned(context)).monthly == 250_00

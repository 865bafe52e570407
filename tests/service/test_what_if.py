"""What if: changes are found among what a person has, and nothing of them is stored."""

from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, NoConnections
from finplan.model.planned import NewPlanned
from finplan.model.recurring import RecurringQuery
from finplan.model.what_if import WhatIf, WhatIfRequest
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.planning.planned_money import add_planned, list_planned
from finplan.service.planning.what_if import try_changes
from finplan.service.verdicts.recurring import list_recurring
from tests.service.conftest import bring

HEAD = "Date,Description,Amount\n"
CHECKING = HEAD + "".join(
    f"2026-{month:02d}-05,LANDLORD,-900.00\n2026-{month:02d}-12,GYM CITY,-40.00\n"
    f"2026-{month:02d}-28,ACME PAYROLL,3000.00\n"
    for month in range(1, 11)
)


@pytest.fixture
async def home(context: Context) -> Context:
    """A person with pay, rent and a gym, and 5,000 in checking."""
    await bring(context, {"giro.csv": CHECKING})
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=5_000_00))
    return context


async def tried(context: Context, *changes: dict[str, Any], days: int = 60) -> WhatIf:
    return await try_changes(
        context, WhatIfRequest.model_validate({"changes": changes, "days": days})
    )


async def test_no_change_is_the_plan(home: Context) -> None:
    """Before and after are the same, and nothing is to be said."""
    same = await tried(home)
    assert same.before == same.after
    assert same.notes == ()


async def test_what_is_tried_is_what_is_planned_and_is_not_kept(home: Context) -> None:
    """A payment that is only tried gives the figures that it gives once planned."""
    trial = await tried(home, {"kind": "one_time", "amount": 800_00, "from": "2026-12-20"})
    assert await list_planned(home, Nothing()) == ()
    await add_planned(
        home,
        NewPlanned.model_validate(
            {"name": "One-time payment", "amount": 800_00, "date": "2026-12-20"}
        ),
    )
    assert (await tried(home)).before == trial.after != trial.before


@pytest.mark.parametrize("target", ["gym city", "GYM", "id"])
async def test_a_charge_is_named_by_its_name_or_its_id(home: Context, target: str) -> None:
    """Cancelled is the one that is meant, however it is named."""
    if target == "id":
        (gym,) = [
            series
            for series in await list_recurring(home, RecurringQuery(kind=("charge",)))
            if series.amount == 40_00
        ]
        target = gym.id
    trial = await tried(home, {"kind": "cancel", "of": target})
    assert trial.before.running_spend - trial.after.running_spend == 40_00


async def test_changes_are_made_together(home: Context) -> None:
    """Each is made on what those before it left: a dearer rent, a lost pay and a smaller one."""
    trial = await tried(
        home,
        {"kind": "spending", "of": "landlord", "amount": 1_000_00},
        {"kind": "lose_income", "of": "acme"},
        {"kind": "income", "amount": 2_000_00},
    )
    assert trial.after.running_spend - trial.before.running_spend == 100_00
    assert trial.after.planned_income == 2_000_00
    assert trial.after.capacity == 2_000_00 - trial.after.running_spend


async def test_a_debt_is_paid_from_cash(home: Context) -> None:
    """A card takes no more than is owed on it, and net worth stays."""
    await bring(home, {"card.csv": HEAD + "2026-10-03,SHOP,-120.00\n"}, accountKind="credit")
    (card,) = [each for each in await list_accounts(home, Nothing()) if each.kind == "credit"]
    await change_account(home, AccountChange(id=card.id, balance=300_00))
    trial = await tried(home, {"kind": "lump_sum", "of": card.id, "amount": 900_00})
    assert trial.after.debt.total == 0
    assert trial.after.net_worth == trial.before.net_worth


async def test_a_loan_costs_its_payment(home: Context) -> None:
    """What is set aside each month is the payment, and a note has the interest."""
    loan = {"kind": "loan", "amount": 12_000_00, "apr": 0.064, "months": 48, "name": "Car"}
    trial = await tried(home, loan)
    assert trial.after.set_aside == 284_03
    assert "Car costs $284.03 a month for 48 months" in trial.notes[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "one_time"}, "needs an amount"),
        ({"kind": "one_time", "amount": 5, "from": "2026-01-01"}, "in the past"),
        ({"kind": "cancel"}, "needs the recurring charge"),
        ({"kind": "cancel", "of": "netflix"}, "Unknown recurring charge"),
        ({"kind": "lose_income", "of": "acne"}, "Did you mean"),
        ({"kind": "balance", "of": "nosuch", "amount": 5}, "Unknown account"),
        ({"kind": "lump_sum", "of": "giro", "amount": 5}, "is not a card or a loan"),
        ({"kind": "loan", "amount": 5}, "needs its yearly rate"),
    ],
)
async def test_what_names_nothing_is_refused(
    home: Context, change: dict[str, Any], words: str
) -> None:
    """A change lacks what it is about, or is about what is not there."""
    with pytest.raises(BadRequest, match=words):
        await tried(home, change)


async def test_later_money_is_said_to_count_later(home: Context) -> None:
    """Income and payments of next year are in the forecast alone, and a note says so."""
    later = {"amount": 100_00, "from": "2027-03-01"}
    trial = await tried(home, {"kind": "income", **later}, {"kind": "spending", **later})
    assert trial.after.planned_income == trial.before.planned_income
    assert trial.after.set_aside == trial.before.set_aside
    assert ["1 March 2027" in note for note in trial.notes] == [True, True]


async def test_without_anything_there_is_no_plan(context: Context) -> None:
    """Whoever has brought nothing yet is told so."""
    with pytest.raises(NoConnections):
        await tried(context, {"kind": "one_time", "amount": 5})

"""What leaves the rows as they are leaves a dry run's digest good."""

from collections.abc import Awaitable, Callable

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.errors import Conflict
from finplan.model.user import SettingsChange, UserChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.people import change_settings
from finplan.service.planning.plans import build_plan
from finplan.service.rules import set_rule
from tests.service.conftest import Import

APRIL = "Date,Description,Amount\n2026-04-02,Corner Bakery,-4.50\n2026-04-03,Payroll,900.00\n"
MAY = "Date,Description,Amount\n2026-05-02,Corner Bakery,-4.50\n"

Change = Callable[[Context], Awaitable[object]]


async def file_the_bakery(context: Context) -> None:
    await set_rule(context, RuleRequest(payee_key="corner bakery", category="dining"))


async def hide_the_account(context: Context) -> None:
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, hidden=True))


SAID = {"account_kind": "checking", "same_account": "new"}
BESIDE_THE_ROWS: dict[str, Change] = {
    "a plan": lambda context: build_plan(context, Nothing()),
    "a name": lambda context: change_me(context, UserChange(name="Ada")),
    "a time zone": lambda context: change_settings(context, SettingsChange(time_zone="Asia/Tokyo")),
    "a rule": file_the_bakery,
}
OF_THE_ROWS: dict[str, Change] = {
    "a currency": lambda context: change_settings(context, SettingsChange(currency="EUR")),
    "an account": hide_the_account,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("change", BESIDE_THE_ROWS)
async def test_a_dry_run_outlives_it(context: Context, import_texts: Import, change: str) -> None:
    """What was seen in a dry run is imported after a change of something else."""
    await import_texts({"april.csv": APRIL})
    dry = await import_texts({"may.csv": MAY}, dry_run=True, **SAID)
    await BESIDE_THE_ROWS[change](context)

    real = await import_texts({"may.csv": MAY}, digest=dry.digest, **SAID)

    assert real.files[0].new == dry.files[0].new == 1


@pytest.mark.parametrize("change", OF_THE_ROWS)
async def test_a_dry_run_ends_with_it(context: Context, import_texts: Import, change: str) -> None:
    """What was seen in a dry run may not hold after a change of the rows, or of which count."""
    await import_texts({"april.csv": APRIL})
    dry = await import_texts({"may.csv": MAY}, dry_run=True, **SAID)
    await OF_THE_ROWS[change](context)

    with pytest.raises(Conflict, match="changed since the dry run"):
        await import_texts({"may.csv": MAY}, digest=dry.digest, **SAID)

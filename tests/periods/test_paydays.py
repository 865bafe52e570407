"""Days of pay: which income is the main one, and when its periods begin."""

from datetime import date, timedelta

from finplan.model.paydays import main_pay, paydays, rows_of_pay
from tests.cli import made_up, made_up_bank

NOW = made_up.snapshot()
PAYDAY = NOW.allowance.payday or date.max
BEGAN = NOW.period.since
PAY = made_up_bank.recurring()[0].model_copy(
    update={"amount": 2_000_00, "interval_days": 14, "next_date": PAYDAY, "monthly": 4_000_00}
)
ROW = made_up_bank.transactions()[1].model_copy(update={"amount": 2_000_00})


def test_the_main_pay_is_what_comes_on_payday() -> None:
    """The largest of what comes then, and often; without a payday no income is one."""
    other = PAY.model_copy(update={"next_date": PAYDAY + timedelta(1), "monthly": 9_000_00})
    seldom = PAY.model_copy(update={"interval_days": 90})
    assert main_pay((other, seldom, PAY), NOW) == PAY
    unknown = NOW.allowance.model_copy(update={"payday": None})
    assert main_pay((PAY,), NOW.model_copy(update={"allowance": unknown})) is None
    assert rows_of_pay(PAY, PAYDAY).merchant == (PAY.payee_key,)


def test_periods_begin_on_days_of_pay() -> None:
    """Pay in two parts begins one period; pay that no row shows begins it all the same."""
    days = [BEGAN - timedelta(14), BEGAN - timedelta(13)]
    rows = [ROW.model_copy(update={"date": day}) for day in days]
    small = ROW.model_copy(update={"date": BEGAN - timedelta(7), "amount": 90_00})
    assert paydays(PAY, [*rows, small], NOW) == [days[0], BEGAN, PAYDAY]
    seen = ROW.model_copy(update={"date": BEGAN})
    assert paydays(PAY, [*rows, seen], NOW) == [days[0], BEGAN, PAYDAY]

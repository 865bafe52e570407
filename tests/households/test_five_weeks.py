"""Five weeks of data with three paydays in them: pay every second Friday, the rent seen once."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import us_checking

TODAY = date(2026, 11, 21)
SINCE = date(2026, 10, 17)

KNOWN = Known(
    # Three paydays lie in the 31 days.
    income=3 * 1480_00,
    spending={
        "rent": 1100_00,
        "groceries": 234_90,
        "utilities": 88_00,
        "transport": 68_60,
        "phone_internet": 45_00,
        "dining": 36_00,
    },
    cash=2310_00,
    owed=0,
    advised=(),
    due={},
)


def checking() -> Money:
    money = Money(date(2026, 11, 20), 2310_00)
    money.every(14, date(2026, 10, 23), "HARBOR FOODS INC PAYROLL PPD ID: 9111111103", 1480_00)
    money.book(date(2026, 11, 2), "SUNSET PROPERTY MGMT RENT WEB ID: 77", -1100_00)
    money.every(
        7, date(2026, 10, 18), "ALDI 44110 DURHAM NC", -63_10, -54_80, -61_25, -60_85, -58_00
    )
    money.every(14, date(2026, 10, 19), "CIRCLE K 2201 DURHAM NC", -36_40, -33_90, -34_70)
    money.book(date(2026, 11, 5), "MINT MOBILE WEB ID: 41", -45_00)
    money.book(date(2026, 11, 10), "DUKE ENERGY BILL PAY WEB ID: 12", -88_00)
    for month, day, amount in ((10, 20, 11_80), (10, 29, 13_20), (11, 8, 12_45), (11, 15, 10_35)):
        money.book(date(2026, month, day), "TACO BELL 02213 DURHAM NC", -amount)
    return money


async def test_five_weeks(at_home: Home, golden: Golden) -> None:
    """What five weeks hold is stated and not extrapolated; their third payday is not planned with."""
    await at_home.imports({"Chase7788_Activity.csv": us_checking(checking())})
    await at_home.answer("Circle K", "transport")
    shown = await at_home.shown()
    golden("five-weeks", shown.screen)
    assert_known(shown, KNOWN)
    assert "30 days     not known" in shown.screen
    # Nobody whose fund lacks 6,909 is told that nothing is called for.
    assert "most advice needs" in shown.screen
    # One pay comes in two weeks, and a month has 26/12 of it, whatever these weeks held.
    assert sum(item.target for item in shown.view.plan.budget) == 3206_67
    assert shown.snapshot.allowance.breakdown.income == round(3206_67 * 14 * 12 / 365) < 1480_00
    assert any("on $3,207 a month" in note for note in shown.view.plan.notes)

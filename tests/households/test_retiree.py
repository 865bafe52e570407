"""A retiree: two pensions that do not carry the rent, and a brokerage that is drawn on each month."""

import re
from datetime import date, timedelta

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money, months
from tests.households.statements import broker, ofx_bank

TODAY = date(2026, 11, 21)
SINCE = date(2025, 11, 1)

KNOWN = Known(
    income=2940_00,
    spending={
        "rent": 2150_00,
        "groceries": 480_00,
        "insurance": 210_00,
        "utilities": 165_00,
        "phone_internet": 80_00,
        "transport": 60_00,
        "health": 35_00,
        "travel": 400_00,
        "hobbies": 220_00,
        "dining": 180_00,
        "shopping": 160_00,
        "gifts_donations": 100_00,
    },
    cash=9400_00,
    owed=0,
    advised=(),
    due={
        "Sunrise Senior Apartments": (2150_00, date(2026, 12, 3)),
        "Marin Golf": (220_00, date(2026, 12, 8)),
        "Mutual of Omaha": (210_00, date(2026, 12, 4)),
        "PG&E": (175_72, date(2026, 12, 14)),
        "Red Cross": (100_00, date(2026, 12, 10)),
        "Xfinity": (80_00, date(2026, 12, 17)),
    },
)


def third_wednesday(year: int, month: int) -> date:
    first = date(year, month, 1)
    return first + timedelta((2 - first.weekday()) % 7 + 14)


def checking() -> Money:
    money = Money(TODAY, 9400_00)
    for year, month in months(SINCE, TODAY):
        money.book(third_wednesday(year, month), "SSA TREAS 310 XXSOC SEC", 2300_00)
    money.monthly(SINCE, 1, "CALPERS PENSION", 640_00)
    money.monthly(SINCE, 20, "FIDELITY INVESTMENTS MONEYLINE", 1300_00)
    money.monthly(SINCE, 3, "SUNRISE SENIOR APARTMENTS RENT", -2150_00)
    money.monthly(SINCE, 4, "MUTUAL OF OMAHA MEDICARE SUPPLEMENT", -210_00)
    money.metered(SINCE, 14, "PG&E WEB ONLINE PAYMENT", -165_00)
    money.monthly(SINCE, 17, "COMCAST CABLE COMM", -80_00)
    money.visits(SINCE, -480_00, 5, "SAFEWAY #1711 NOVATO CA", "TRADER JOE S #198 NOVATO CA")
    money.visits(SINCE, -35_00, 2, "CVS/PHARMACY #09921 NOVATO CA")
    money.visits(SINCE, -60_00, 2, "CHEVRON 0091732 NOVATO CA")
    money.visits(SINCE, -180_00, 3, "OLIVE GARDEN 1123 NOVATO CA", "PANERA BREAD 204 NOVATO CA")
    money.monthly(SINCE, 8, "MARIN GOLF CLUB DUES", -220_00)
    money.monthly(SINCE, 10, "AMERICAN RED CROSS DONATION", -100_00)
    money.visits(SINCE, -160_00, 2, "MACYS 0412 NOVATO CA")
    money.book(date(2026, 5, 6), "VIKING CRUISES 8008882346", -4800_00)
    return money


def brokerage() -> Money:
    money = Money(TODAY)
    money.monthly(SINCE, 19, "ELECTRONIC FUNDS TRANSFER PAID", -1300_00)
    return money


async def test_retiree(at_home: Home, golden: Golden) -> None:
    """What savings carry is safe to spend: no gap to close, no fund to build, nothing to invest."""
    await at_home.imports(
        {
            "checking.qfx": ofx_bank(checking(), "778812340021", "CHECKING", SINCE),
            "brokerage.csv": broker(brokerage()),
        },
        ("brokerage.csv", "accountKind", "investment"),
        ("brokerage.csv", "currency", "USD"),
    )
    await at_home.tell("brokerage", balance=412_000_00)
    shown = await at_home.shown()
    golden("retiree", shown.screen)
    assert_known(shown, KNOWN)
    plan = shown.view.plan
    assert plan.snapshot.net_worth == 421_400_00
    assert [item.target for item in plan.budget] == [3180_00, 1060_00, -1300_00]
    # What can be drawn on carries 324 months of 1,300.
    assert any("last about 27 years" in note for note in plan.notes)
    assert shown.snapshot.allowance.today > 0
    # What the plan says is drawn is what the live view says, and neither calls it income.
    draw = shown.snapshot.income.draw
    assert draw is not None
    assert (draw.income, draw.draw) == (2940_00, 1300_00)
    assert re.search(r"from savings +-\$1,300 +-44% +≤ \$1,300\n", shown.screen)
    assert re.search(r"Drawn a month .*\n\$23\.31 +\$1,300 ", shown.screen)
    assert "and planned draw     $3,903.12" in shown.screen
    assert "draw this month     $1,300.00" in shown.screen

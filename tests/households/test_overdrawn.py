"""Overdrawn six days before payday: a bill due first, three overdraft fees a month, nothing saved."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import quicken
from tests.says import says

TODAY = date(2026, 11, 21)
SINCE = date(2026, 2, 1)

KNOWN = Known(
    # Twenty paydays in nine months.
    income=20 * 1210_00 // 9 + 1,
    spending={
        "rent": 1050_00,
        "childcare": 480_00,
        "groceries": 420_00,
        "transport": 160_00,
        "insurance": 142_00,
        "utilities": 118_00,
        "interest_fees": 87_00,
        "phone_internet": 60_00,
        "dining": 180_00,
        "subscriptions": 38_48,
    },
    cash=-212_40,
    owed=0,
    advised=("cover_cash_gap", "avoid_fees"),
    due={
        "Riverbend Apts": (1050_00, date(2026, 12, 2)),
        "KinderCare": (480_00, date(2026, 12, 5)),
        "Progressive": (142_00, date(2026, 11, 23)),
        "Entergy": (120_36, date(2026, 12, 18)),
        "Cricket Wireless": (60_00, date(2026, 12, 20)),
        "Hulu": (22_99, date(2026, 12, 9)),
        "Netflix": (15_49, date(2026, 11, 24)),
    },
)


def share_draft() -> Money:
    money = Money(TODAY, -212_40)
    money.every(
        14,
        date(2026, 2, 6),
        "Deposit ACH DELTA CARE HOME TYPE: PAYROLL ID: 1464001234 CO: DELTA CARE HOME",
        1210_00,
    )
    money.monthly(SINCE, 2, "Withdrawal RIVERBEND APTS RENT", -1050_00)
    money.monthly(SINCE, 5, "Withdrawal KINDERCARE LEARNING CTR", -480_00)
    money.metered(
        SINCE, 18, "Withdrawal ACH ENTERGY TYPE: UTIL PAYMT ID: 9301 CO: ENTERGY", -118_00
    )
    money.monthly(
        SINCE, 23, "Withdrawal ACH PROGRESSIVE TYPE: INS PREM ID: 9409 CO: PROGRESSIVE", -142_00
    )
    money.monthly(
        SINCE,
        20,
        "Withdrawal ACH CRICKET WIRELESS TYPE: PAYMENT ID: 8833 CO: CRICKET WIRELESS",
        -60_00,
    )
    money.visits(SINCE, -420_00, 6, "WAL-MART #0412 MONROE LA", "SUPER 1 FOODS 620 MONROE LA")
    money.visits(SINCE, -160_00, 5, "MURPHY EXPRESS 8812 MONROE LA", "RACETRAC 551 MONROE LA")
    money.visits(SINCE, -180_00, 6, "MCDONALDS F1122 MONROE LA", "SONIC DRIVE IN 4410 MONROE LA")
    money.monthly(SINCE, 24, "NETFLIX.COM", -15_49)
    money.monthly(SINCE, 9, "HULU 877-8244858", -22_99)
    for day in (12, 17, 27):
        money.monthly(SINCE, day, "OVERDRAFT FEE", -29_00)
    return money


async def test_overdrawn(at_home: Home, golden: Golden) -> None:
    """First the gap before payday, then the month that does not add up, then the fees that it costs."""
    await at_home.imports({"share.qif": quicken(share_draft())}, ("share.qif", "currency", "USD"))
    await at_home.tell("share", balance=-212_40)
    await at_home.answer("Walmart", "groceries")
    await at_home.answer("RaceTrac", "transport")
    shown = await at_home.shown()
    golden("overdrawn", shown.screen)
    assert_known(shown, KNOWN)
    gap = 212_40 + 142_00 + 15_49
    assert shown.action("cover_cash_gap").amount == gap
    # Pay of 27 November, then rent, childcare and television before that of 11 December.
    short = gap - 1210_00 + 1050_00 + 480_00 + 22_99
    detail = shown.action("cover_cash_gap").detail
    assert f"${short / 100:.2f} short on 9 December" in detail
    assert f"still ${(short - gap) / 100:.2f} short" in detail
    # Pay of 11 December brings cash back above zero.
    assert says(detail, "after 11 December", "the rest.")
    # A month lacks 46.59, less than a fiftieth of what comes in, and the fees alone are more.
    assert 50 * -shown.view.running.surplus < shown.view.running.income
    assert shown.action("avoid_fees").amount == 12 * 3 * 29_00

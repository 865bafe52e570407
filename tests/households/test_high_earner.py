"""A high earner: eight work trips on a card that is paid in full, seven of them paid back."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money, months
from tests.households.statements import us_card, us_checking

TODAY = date(2026, 11, 21)
SINCE = date(2025, 11, 1)
TRIPS = ((2025, 12), (2026, 1), (2026, 3), (2026, 4), (2026, 6), (2026, 7), (2026, 9), (2026, 10))

KNOWN = Known(
    income=2 * 5850_00,
    spending={
        "mortgage": 3650_00,
        "childcare": 1900_00,
        "groceries": 800_00,
        "utilities": 240_00,
        "insurance": 160_00,
        "transport": 120_00,
        "phone_internet": 95_00,
        "dining": 300_00,
        "travel": 200_00,
        "subscriptions": 22_99,
    },
    cash=38_500_00,
    owed=961_05,
    advised=("build_emergency_fund", "claim_reimbursement"),
    due={
        "Wells Fargo Home Mortgage": (3650_00, date(2026, 12, 1)),
        "Bright Horizons": (1900_00, date(2026, 12, 3)),
        "PG&E": (255_60, date(2026, 12, 12)),
        "GEICO": (160_00, date(2026, 11, 22)),
        "Xfinity": (95_00, date(2026, 12, 16)),
        "Netflix": (22_99, date(2026, 12, 11)),
    },
)


def card() -> Money:
    money = Money(TODAY)
    for place, (year, month) in enumerate(TRIPS):
        money.book(date(year, month, 5), "DELTA AIR LINES ATLANTA", -(420_00 + 1000 * place))
        money.book(date(year, month, 7), "MARRIOTT CHICAGO", -(610_00 - 1000 * place))
    money.visits(SINCE, -800_00, 6, "WHOLEFDS SJO 10213", "TRADER JOE S #212")
    money.visits(SINCE, -120_00, 3, "CHEVRON 0203421")
    money.visits(
        SINCE,
        -300_00,
        5,
        "CHEESECAKE FACTORY SAN JOSE",
        "SQ *BLUE BOTTLE COFFEE",
        "SWEETGREEN SAN JOSE",
    )
    money.monthly(SINCE, 22, "GEICO *AUTO", -160_00)
    money.monthly(SINCE, 11, "NETFLIX.COM", -22_99)
    money.book(date(2026, 8, 3), "AIRBNB HMXYZ1 SAN FRANCISCO", -2400_00)
    for year, month in months(date(2025, 12, 1), TODAY):
        before = 12 * year + month - 1
        bill = sum(
            row.amount
            for row in money.rows
            if row.amount < 0 and 12 * row.day.year + row.day.month == before
        )
        money.book(date(year, month, 20), "AUTOMATIC PAYMENT - THANK", -bill)
    money.closing = sum(row.amount for row in money.rows)
    return money


def checking(card: Money) -> Money:
    money = Money(TODAY, 38_500_00)
    for day in (1, 15):
        money.monthly(SINCE, day, "ORION SYSTEMS INC PAYROLL PPD ID: 9111111101", 5850_00)
    for year, month in TRIPS[:-1]:
        after = 12 * year + month
        money.book(
            date(after // 12, after % 12 + 1, 18),
            "ORION SYSTEMS INC EXPENSE PPD ID: 9111111101",
            1030_00,
        )
    money.monthly(SINCE, 1, "WELLS FARGO HOME MTG AUTO PAY PPD ID: 5", -3650_00)
    money.monthly(SINCE, 3, "BRIGHT HORIZONS CHILD CARE WEB ID: 31", -1900_00)
    money.metered(SINCE, 12, "PACIFIC GAS AND ELECTRIC WEB ONLINE WEB ID: 594", -240_00)
    money.monthly(SINCE, 16, "COMCAST CABLE COMM WEB ID: 1212", -95_00)
    money.monthly(SINCE, 17, "VANGUARD BUY INVESTMENT PPD ID: 2", -1500_00)
    for row in card.rows:
        if row.amount > 0:
            money.book(row.day, "CHASE CREDIT CRD AUTOPAY PPD ID: 4760039224", -row.amount)
    return money


async def test_high_earner(at_home: Home, golden: Golden) -> None:
    """What the employer repays is no pay and what was laid out no spending; the last trip is claimed."""
    spent = card()
    await at_home.imports(
        {
            "Chase2210_Activity.csv": us_checking(checking(spent)),
            "Chase8831_Activity.csv": us_card(spent),
        }
    )
    await at_home.tell("Chase8831_Activity", balance=-spent.closing)
    for payee in ("Delta Air Lines", "Marriott"):
        await at_home.file(payee, "work_expenses")
    shown = await at_home.shown()
    golden("high-earner", shown.screen)
    assert_known(shown, KNOWN)
    assert "It counts" not in shown.action("build_emergency_fund").detail
    assert shown.action("claim_reimbursement").amount == 1030_00
    assert shown.view.plan.monthly.saved == 1500_00

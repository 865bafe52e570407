"""A gig worker: two platforms that pay unevenly, taxes paid by quarters, a card paid in full."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money, months
from tests.households.statements import us_card, us_checking

TODAY = date(2026, 11, 21)
SINCE = date(2026, 2, 1)
DASHES = (
    ((5, 84_00), (9, 61_00), (21, 130_00)),
    ((12, 140_00), (26, 95_00)),
    ((3, 48_00), (17, 77_00), (24, 66_00), (29, 99_00)),
)

KNOWN = Known(
    # 39 payouts of one platform, 13,119.00, and 2,400.00 of the other in nine months.
    income=1724_33,
    spending={
        "rent": 640_00,
        "groceries": 220_00,
        "insurance": 210_00,
        "taxes": 150_00,
        "transport": 140_00,
        "phone_internet": 55_00,
        "car": 42_22,
        "dining": 28_00,
        "subscriptions": 11_99,
    },
    cash=2600_00,
    owed=294_42,
    advised=("build_emergency_fund",),
    due={
        "Cobblestone Apartments": (640_00, date(2026, 12, 1)),
        "GEICO": (148_00, date(2026, 12, 8)),
        "Oscar Health": (62_00, date(2026, 12, 2)),
        "T-Mobile": (55_00, date(2026, 12, 12)),
        "Spotify": (11_99, date(2026, 12, 11)),
        # Estimated tax is due on days of the law: after June and September, in January.
        "IRS": (450_00, date(2027, 1, 15)),
    },
)


def card() -> Money:
    money = Money(TODAY)
    money.visits(SINCE, -140_00, 5, "SHELL OIL 57441 AUSTIN TX", "EXXONMOBIL 4821 AUSTIN TX")
    money.visits(SINCE, -28_00, 2, "TACO CABANA 20112 AUSTIN TX")
    money.monthly(SINCE, 11, "Spotify USA", -11_99)
    money.monthly(SINCE, 8, "GEICO *AUTO", -148_00)
    money.book(date(2026, 6, 18), "FIRESTONE 0221 AUSTIN TX", -380_00)
    for year, month in months(date(2026, 3, 1), TODAY):
        before = [row for row in money.rows if (row.day.year, row.day.month + 1) == (year, month)]
        bill = -sum(row.amount for row in before if row.amount < 0)
        money.book(date(year, month, 4), "Payment Thank You-Mobile", bill)
    money.closing = sum(row.amount for row in money.rows)
    return money


def checking(card: Money) -> Money:
    money = Money(TODAY, 2600_00)
    money.every(
        7,
        date(2026, 2, 3),
        "UBER USA 6787 EDI PAYM PPD ID: 3320456349",
        512_00,
        188_00,
        395_00,
        241_00,
    )
    for place, (year, month) in enumerate(months(SINCE, TODAY)):
        for day, amount in DASHES[place % 3]:
            money.book(
                date(year, month, day), "DOORDASH, INC. DASHER PAY PPD ID: 1800948598", amount
            )
    money.monthly(SINCE, 1, "COBBLESTONE APARTMENTS RENT WEB ID: 11", -640_00)
    money.visits(SINCE, -220_00, 4, "H-E-B #388 AUSTIN TX")
    money.monthly(SINCE, 12, "T-MOBILE PCS SVC WEB ID: 0000450304", -55_00)
    money.monthly(SINCE, 2, "OSCAR HEALTH PREMIUM WEB ID: 92", -62_00)
    for month in (4, 6, 9):
        money.book(date(2026, month, 15), "IRS USATAXPYMT WEB ID: 3387702000", -450_00)
    for row in card.rows:
        if row.amount > 0:
            money.book(row.day, "CHASE CREDIT CRD AUTOPAY PPD ID: 4760039224", -row.amount)
    return money


def files(card: Money) -> dict[str, str]:
    return {
        "Chase1029_Activity.csv": us_checking(checking(card)),
        "Chase4410_Activity.csv": us_card(card),
    }


async def test_gig_worker(at_home: Home, golden: Golden) -> None:
    """Payouts are before tax and uneven: a fund of nine months, nothing idle, a card's bill is named.

    The larger platform pays each Tuesday, whatever it pays: that is the payday.
    """
    spent = card()
    await at_home.imports(files(spent))
    await at_home.tell("Chase4410_Activity", balance=-spent.closing)
    shown = await at_home.shown()
    golden("gig-worker", shown.screen)
    assert_known(shown, KNOWN)
    fund = shown.view.plan.emergency_fund
    assert (fund.target_months, fund.target_amount) == (9, 9 * 1457_22)
    assert any("is before tax." in note for note in shown.view.plan.notes)
    assert shown.snapshot.allowance.payday == date(2026, 11, 24)
    (bill,) = shown.snapshot.due.card_bills
    assert (bill.date, bill.amount) == (date(2026, 12, 4), KNOWN.owed)


async def test_a_card_that_nobody_told_of(at_home: Home) -> None:
    """Without what the card owes nothing is promised, and the page says what it waits for."""
    await at_home.imports(files(card()))
    shown = await at_home.shown()
    assert shown.view.plan.actions == ()
    assert "advice needs the missing" in shown.screen

"""Three cards in debt: steady pay, 552 left over a month, 12,200 owed at 27 to 30 %, little cash."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import ofx_bank, ofx_card

TODAY = date(2026, 11, 21)
SINCE = date(2026, 2, 1)
CARDS = {
    # Number: owed, yearly rate, limit, minimum, interest a month, day of payment, what is charged.
    "4000111122225501": (6200_00, 0.2999, 7000_00, 190_00, 155_00, 22, "NETFLIX.COM", 15_49),
    "5200111122226602": (4100_00, 0.2724, 5000_00, 130_00, 93_00, 24, "SPOTIFY USA", 11_99),
    "6011111122227703": (1900_00, 0.2849, 2500_00, 70_00, 45_00, 26, "", 0),
}

KNOWN = Known(
    income=3400_00,
    spending={
        "rent": 1280_00,
        "groceries": 410_00,
        "loan_payment": 318_00,
        "interest_fees": 293_00,
        "insurance": 131_00,
        "utilities": 98_00,
        "transport": 88_00,
        "phone_internet": 85_00,
        "dining": 50_00,
        "shopping": 48_00,
        "subscriptions": 27_48,
    },
    cash=480_00,
    owed=12_200_00,
    # The minimums of three cards leave 90 for ten days of food.
    advised=("cover_cash_gap", "build_starter_fund", "pay_down_card"),
    due={
        "Oakview Apartments": (1280_00, date(2026, 12, 3)),
        "Toyota Financial": (318_00, date(2026, 12, 20)),
        "Progressive Insurance": (131_00, date(2026, 12, 9)),
        # The middle of the last six bills of the meter.
        "Austin Energy": (99_96, date(2026, 12, 12)),
        "Verizon": (85_00, date(2026, 12, 18)),
        "Netflix": (15_49, date(2026, 12, 11)),
        "Spotify": (11_99, date(2026, 12, 11)),
        # Each of the three cards charges interest of its own, and says whose it is.
        "Interest Charge on Purchases · Credit card 5501": (155_00, date(2026, 11, 28)),
        "Interest Charge on Purchases · Credit card 6602": (93_00, date(2026, 11, 28)),
        "Interest Charge on Purchases · Credit card 7703": (45_00, date(2026, 11, 28)),
    },
)


def checking() -> Money:
    money = Money(TODAY, 480_00)
    for day in (1, 16):
        money.monthly(SINCE, day, "BRIGHTLINE LOGISTICS PAYROLL", 1700_00)
    money.monthly(SINCE, 3, "OAKVIEW APARTMENTS RENT", -1280_00)
    money.metered(SINCE, 12, "AUSTIN ENERGY PAYMENT", -98_00)
    money.monthly(SINCE, 18, "VERIZON WIRELESS PAYMENTS", -85_00)
    money.monthly(SINCE, 9, "PROGRESSIVE INS PREM", -131_00)
    money.monthly(SINCE, 20, "TOYOTA FINANCIAL PMT", -318_00)
    money.visits(SINCE, -410_00, 5, "KROGER #412 AUSTIN TX", "ALDI 72044 AUSTIN TX")
    money.visits(SINCE, -88_00, 2, "SHELL OIL 5744 AUSTIN TX")
    money.visits(SINCE, -50_00, 3, "CHIPOTLE 1123 AUSTIN TX", "TACO BELL 0312 AUSTIN TX")
    money.visits(SINCE, -48_00, 2, "OLD NAVY 2201 AUSTIN TX")
    for number, (_, _, _, minimum, _, day, *_) in CARDS.items():
        money.monthly(SINCE, day, f"CREDIT CARD PAYMENT {number[-4:]}", -minimum)
    return money


def card(number: str) -> Money:
    owed, _, _, minimum, interest, day, service, price = CARDS[number]
    money = Money(TODAY, -owed)
    money.monthly(SINCE, day, "PAYMENT RECEIVED THANK YOU", minimum)
    money.monthly(SINCE, 28, "INTEREST CHARGE ON PURCHASES", -interest)
    if service:
        money.monthly(SINCE, 11, service, -price)
    return money


async def test_three_cards(at_home: Home, golden: Golden) -> None:
    """A floor of a quarter month first, the dearest card next; nothing is saved or invested beside."""
    files = {"checking.qfx": ofx_bank(checking(), "900011223344", "CHECKING", SINCE)}
    files |= {f"{number[-4:]}.qfx": ofx_card(card(number), number, SINCE) for number in CARDS}
    await at_home.imports(files)
    for number, (_, rate, limit, minimum, *_) in CARDS.items():
        told = {"apr": rate, "creditLimit": limit, "minimumPayment": minimum}
        await at_home.tell(f"Credit card {number[-4:]}", **told)

    shown = await at_home.shown()
    golden("three-cards", shown.screen)
    assert_known(shown, KNOWN)
    plan, left, minimums = shown.view.plan, 3400_00 - 2703_00 - 125_48, 390_00
    floor = 2703_00 // 4 - 480_00
    assert shown.action("build_starter_fund").amount == floor
    # Minimums, rent, insurance and power leave 279 on the eve of the 16th, and food and fuel take 393.
    assert "pay on 16 December" in shown.action("build_starter_fund").detail
    assert shown.view.standing.unlinked == ("loan",)
    assert plan.debt.monthly_payment == left + 293_00 - floor > minimums
    assert plan.debt.cards[0].name == "Credit card 5501"
    # 864.52 a month against 12,200 at 2.4 % a month.
    assert plan.debt.months_to_clear in (18, 19)
    assert shown.snapshot.allowance.today <= 480_00 - minimums

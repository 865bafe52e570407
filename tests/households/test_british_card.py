"""A British household on the eve of a direct debit to a card that is not linked: about 610 a month."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import british_bank
from tests.says import says

TODAY = date(2026, 11, 22)
SINCE = date(2026, 2, 1)

KNOWN = Known(
    income=2640_00,
    spending={
        "rent": 925_00,
        "groceries": 240_00,
        "utilities": 150_00,
        # Seven instalments of 148.00 in nine months.
        "taxes": 115_11,
        "phone_internet": 41_00,
        "transport": 40_00,
        "unlinked_card": 610_00,
        "dining": 44_00,
        "hobbies": 24_99,
    },
    cash=1150_00,
    owed=0,
    advised=("connect_account", "build_emergency_fund"),
    due={
        "M Patel Lettings": (925_00, date(2026, 12, 1)),
        # The middle of the last six payments.
        "American Express": (585_60, date(2026, 11, 23)),
        "Leeds City Council": (148_00, date(2026, 12, 5)),
        "Octopus Energy": (112_00, date(2026, 12, 8)),
        "Virgin Media": (41_00, date(2026, 12, 15)),
        "Yorkshire Water": (38_00, date(2026, 12, 12)),
        "PureGym": (24_99, date(2026, 12, 2)),
    },
)


def current_account() -> Money:
    money = Money(TODAY, 1150_00)
    money.monthly(SINCE, 28, "HALDANE ENGINEERING LTD SALARY", 2640_00)
    money.monthly(SINCE, 1, "M PATEL LETTINGS", -925_00)
    money.monthly(date(2026, 4, 1), 5, "LEEDS CITY COUNCIL DIRECT DEBIT", -148_00)
    money.monthly(SINCE, 8, "OCTOPUS ENERGY DIRECT DEBIT", -112_00)
    money.monthly(SINCE, 12, "YORKSHIRE WATER DIRECT DEBIT", -38_00)
    money.monthly(SINCE, 15, "VIRGIN MEDIA DIRECT DEBIT", -41_00)
    money.monthly(SINCE, 2, "PUREGYM LTD DIRECT DEBIT", -24_99)
    money.metered(SINCE, 23, "AMERICAN EXPRESS DIRECT DEBIT", -610_00)
    money.visits(SINCE, -240_00, 5, "TESCO STORES 3112 LEEDS", "ALDI 77 LEEDS")
    money.visits(SINCE, -40_00, 3, "FIRST WEST YORKSHIRE LEEDS")
    money.visits(SINCE, -44_00, 2, "J D WETHERSPOON LEEDS", "GREGGS LEEDS")
    return money


async def test_british_card(at_home: Home, golden: Golden) -> None:
    """The card's money is not offered; linking it comes first, and the plan is provisional."""
    await at_home.imports(
        {"44556677_20261122.csv": british_bank(current_account())},
        ("44556677_20261122.csv", "currency", "GBP"),
    )
    await at_home.answer("Leeds City Council", "taxes")
    await at_home.answer("First West Yorkshire", "transport")
    shown = await at_home.shown()
    golden("british-card", shown.screen)
    assert_known(shown, KNOWN)
    view = shown.view
    assert view.standing.provisional
    # The base holds the card's usual month, and of council tax, which began in April, a whole month.
    assert view.plan.emergency_fund.target_amount == 6 * (1511_11 - 115_11 + 148_00 + 585_60)
    # Whoever multiplies the essentials by six is told why the goal is more.
    assert says(shown.action("build_emergency_fund").detail, "£12,778.", "£586 a month")
    assert shown.action("connect_account").amount == 610_00
    assert shown.snapshot.allowance.today <= 1150_00 - 585_60

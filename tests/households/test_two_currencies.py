"""A couple with two salaries in euros, and an account in pounds that is filled from them and spent."""

from datetime import date

from finplan.model.detection import TransferQuery
from finplan.model.task import CategorizePayee, TaskQuery
from finplan.service.planning.tasks import list_tasks
from finplan.service.verdicts.transfers import list_transfers
from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import british_app, german_savings_bank

TODAY = date(2026, 11, 21)
SINCE = date(2025, 11, 1)

KNOWN = Known(
    income=2850_00 + 2240_00,
    spending={
        "rent": 1240_00,
        "groceries": 540_00,
        "family_support": 460_00,
        "childcare": 310_00,
        "utilities": 150_00,
        "transport": 130_00,
        # The broadcasting fee is owed by every household: 18.36 a month of it are no subscription.
        "phone_internet": 59_90 + 18_36,
        "insurance": 57_00,
        "dining": 180_00,
        "shopping": 80_00,
        "home_goods": 60_00,
        "personal_care": 60_00,
    },
    cash=8150_00,
    owed=0,
    advised=("build_emergency_fund",),
    due={
        "Hausverwaltung Peters": (1240_00, date(2026, 12, 2)),
        "Wise": (460_00, date(2026, 12, 6)),
        "Kita Sonnenschein": (310_00, date(2026, 12, 5)),
        "Stadtwerke Kiel": (159_75, date(2026, 12, 15)),
        "Telekom Deutschland": (59_90, date(2026, 12, 20)),
        "Rundfunk ARD ZDF": (55_08, date(2027, 2, 16)),
    },
)


def giro() -> Money:
    money = Money(TODAY, 8150_00)
    money.monthly(SINCE, 27, "Brandt Maschinenbau GmbH|Lohn Gehalt", 2850_00)
    money.monthly(SINCE, 28, "Kliniken Nord gGmbH|Bezuege", 2240_00)
    money.monthly(SINCE, 2, "Hausverwaltung Peters|Miete Whg 7", -1240_00)
    money.monthly(SINCE, 5, "Kita Sonnenschein e.V.|Elternbeitrag", -310_00)
    money.metered(SINCE, 15, "Stadtwerke Kiel|Abschlag Strom Gas", -150_00)
    money.monthly(SINCE, 20, "Telekom Deutschland GmbH|Mobilfunk", -59_90)
    money.book(date(2026, 1, 2), "HUK-COBURG|Kfz-Versicherung Beitrag", -684_00)
    for year, month in ((2025, 11), (2026, 2), (2026, 5), (2026, 8), (2026, 11)):
        money.book(date(year, month, 16), "Rundfunk ARD, ZDF, DRadio|Rundfunkbeitrag", -55_08)
    money.visits(SINCE, -540_00, 6, "EDEKA Nord|EC Kartenzahlung", "ALDI Nord|EC Kartenzahlung")
    money.visits(SINCE, -60_00, 2, "dm-drogerie markt|EC Kartenzahlung")
    money.visits(SINCE, -130_00, 3, "ARAL Station Kiel|EC Kartenzahlung")
    money.visits(
        SINCE,
        -180_00,
        3,
        "Ristorante Bella Kiel|EC Kartenzahlung",
        "Pizzeria Roma|EC Kartenzahlung",
    )
    money.visits(SINCE, -80_00, 2, "ZALANDO SE|Bestellung")
    money.visits(SINCE, -60_00, 2, "IKEA Kiel|EC Kartenzahlung")
    money.monthly(SINCE, 4, "Trade Republic Bank GmbH|Sparplan", -300_00)
    money.monthly(SINCE, 6, "Wise Europe SA|Wise GBP own account", -460_00)
    return money


def pounds() -> Money:
    money = Money(TODAY, 310_00)
    money.monthly(SINCE, 7, "WISE PAYMENTS LIMITED", 395_00)
    money.monthly(SINCE, 10, "STUDENT LOANS COMPANY", -210_00)
    money.monthly(SINCE, 12, "HAMPTON CARE HOME", -185_00)
    return money


async def test_two_currencies(at_home: Home, golden: Golden) -> None:
    """The pounds are left out and named; what fills their account counts once, as what it is."""
    await at_home.imports(
        {
            "20261121-55667788-umsatz.CSV": german_savings_bank(giro()),
            "StarlingStatement_2025-11-01_2026-11-21.csv": british_app(pounds()),
        }
    )
    await at_home.tell("Account 5566", name="Giro", balance=8150_00)
    # Nobody says that the pounds come from here: both the payee and each payment are asked about.
    tasks = await list_tasks(at_home.context, TaskQuery())
    assert [each.payee for each in tasks if isinstance(each, CategorizePayee)] == ["Wise"]
    doubts = await list_transfers(at_home.context, TransferQuery())
    assert [(each.status, each.out.amount, each.into.amount) for each in doubts] == [
        ("candidate", -460_00, 395_00)
    ] * 13
    await at_home.answer("Wise", "family_support")
    shown = await at_home.shown()
    golden("two-currencies", shown.screen)
    assert_known(shown, KNOWN)
    plan = shown.view.plan
    # Two salaries carry three months of essentials, and 8,150.00 is there.
    assert shown.action("build_emergency_fund").amount == 3 * 2965_26 - 8150_00
    assert plan.monthly.saved == 300_00
    assert any("(GBP) is excluded" in note for note in plan.notes)

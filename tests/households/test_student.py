"""A student who rents a flat and is paid two rooms by flatmates; grant, parents and a small job."""

from datetime import date

from tests.golden_files import Golden
from tests.households.conftest import Home
from tests.households.known import Known, assert_known
from tests.households.money import Money
from tests.households.statements import german_savings_bank

TODAY = date(2026, 11, 21)
SINCE = date(2025, 11, 1)
FILE = "20261121-55667788-umsatz.CSV"

KNOWN = Known(
    income=633_00 + 250_00 + 450_00,
    spending={
        # What is left of 1,170.00 once two flatmates have paid 390.00 each.
        "rent": 390_00,
        "groceries": 160_00,
        "insurance": 147_53,
        "utilities": 90_00,
        "education": 58_67,
        "phone_internet": 44_95,
        "cash": 100_00,
        "dining": 24_00,
        "subscriptions": 6_49,
    },
    cash=1320_00,
    owed=0,
    advised=("build_emergency_fund",),
    due={
        "Wohnbau Sued": (1170_00, date(2026, 12, 3)),
        "Techniker Krankenkasse": (147_53, date(2026, 12, 16)),
        "Stadtwerke Leipzig": (90_00, date(2026, 12, 15)),
        "Telekom Deutschland": (44_95, date(2026, 12, 6)),
        "Spotify": (6_49, date(2026, 12, 12)),
    },
)


def giro() -> Money:
    money = Money(TODAY, 1320_00)
    money.monthly(SINCE, 28, "Bundeskasse Kiel|BAFOEG 11/4711 Foerderung", 633_00)
    money.monthly(SINCE, 1, "Sabine Lindner|Unterhalt Max", 250_00)
    money.metered(SINCE, 10, "Cafe Morgenrot GmbH|Lohn Gehalt Minijob", 450_00)
    money.monthly(SINCE, 3, "Wohnbau Sued GmbH|Miete Wohnung 12", -1170_00)
    money.monthly(SINCE, 1, "Jonas Weber|Miete Zimmer 2", 390_00)
    money.monthly(SINCE, 2, "Aylin Kaya|Anteil Miete", 390_00)
    money.monthly(SINCE, 6, "Telekom Deutschland GmbH|Festnetz Vertragskonto 33", -44_95)
    money.monthly(SINCE, 15, "Stadtwerke Leipzig|Abschlag Strom", -90_00)
    money.monthly(SINCE, 16, "Techniker Krankenkasse|Beitrag Studenten", -147_53)
    for year, month in ((2026, 2), (2026, 8)):
        money.book(date(year, month, 15), "Universitaet Leipzig|Semesterbeitrag", -352_00)
    money.visits(
        SINCE,
        -160_00,
        6,
        "REWE Markt GmbH|EC Kartenzahlung",
        "LIDL DIENSTLEISTUNG|EC Kartenzahlung",
    )
    money.visits(
        SINCE,
        -24_00,
        2,
        "Doener Haus Leipzig|EC Kartenzahlung",
        "Mensa Studentenwerk|EC Kartenzahlung",
    )
    money.monthly(SINCE, 12, "Spotify AB|Spotify Premium Student", -6_49)
    money.visits(SINCE, -100_00, 2, "Sparkasse Leipzig|Bargeldauszahlung GA 0412")
    return money


async def test_student(at_home: Home, golden: Golden) -> None:
    """Rooms that flatmates pay lower the rent and are no income."""
    await at_home.imports({FILE: german_savings_bank(giro())})
    await at_home.tell("Account 5566", name="Girokonto", balance=1320_00)
    await at_home.answer("Jonas Weber", "rent", "in")
    await at_home.answer("Aylin Kaya", "rent", "in")
    shown = await at_home.shown()
    golden("student", shown.screen)
    assert_known(shown, KNOWN)
    # 1,458.97 is due of 1,320.00, and 780.00 of it comes back before the rent is due.
    assert [(each.date, each.amount) for each in shown.snapshot.due.repayments] == [
        (date(2026, 12, 1), 390_00),
        (date(2026, 12, 2), 390_00),
    ]
    assert "not counted: Jonas" in shown.screen


async def test_a_student_who_has_told_nothing(at_home: Home, golden: Golden) -> None:
    """Questions that may close the gap come first; cash that nobody told is not said to be none."""
    await at_home.imports({FILE: german_savings_bank(giro())})
    shown = await at_home.shown()
    golden("student-untold", shown.screen)
    assert [action.kind for action in shown.view.plan.actions] == ["answer_questions"]
    # Two flatmates of thirteen rows each, of which the averaged months hold twelve.
    assert shown.action("answer_questions").amount == 2 * 13 * 390_00
    assert "26 deposits (€10,140) since November 2025" in " ".join(shown.view.plan.notes)
    detail = shown.action("answer_questions").detail
    assert "€780 a month may" in detail
    assert "Not covered" not in shown.screen
    assert "no savings to" not in shown.screen

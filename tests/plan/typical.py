"""The households of plan-semantics, section 14, and what the plan says of them."""

from datetime import date

from finplan.model.plan import Action, Plan
from finplan.model.snapshot import Snapshot
from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.live.allowance import live_snapshot
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash


def plan_of(home: Household, today: date = TODAY) -> Plan:
    return build_plan(home.ledger(), today)


def assessed(home: Household, today: date = TODAY) -> Assessment:
    return assess(home.ledger(), keep_books(home.ledger(), today), today)


def live(home: Household, today: date = TODAY, plan: Plan | None = None) -> Snapshot:
    ledger = home.ledger()
    return live_snapshot(ledger, keep_books(ledger, today), plan or plan_of(home, today), today)


def kinds(plan: Plan) -> set[str]:
    return {action.kind for action in plan.actions}


def said(home: Household, kind: str) -> Action:
    """The one piece of advice of a kind."""
    (found,) = [each for each in plan_of(home).actions if each.kind == kind]
    return found


def two_earners(*, card_payments: bool = True) -> Household:
    """Biweekly and monthly pay, rent, food, and a card that is paid in full each month."""
    home = (
        with_cash(9_000_00)
        .earns_biweekly(2_000_00)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 2_500_00, "wages")
        .rents(1_800_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 120_00, "groceries")
        .card("visa", balance=600_00, covered=YEAR)
        .charges(monthly("2025-01-12", 12), "BISTRO", 600_00, "dining")
    )
    if card_payments:
        home.card_payments(monthly("2025-02-06", 12), "visa", 600_00)
    return home


def home_owner(*, linked: bool) -> Household:
    """A mortgage payment, with the loan account linked or not."""
    home = (
        with_cash(4_000_00)
        .earns_biweekly(3_000_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 120_00, "groceries")
    )
    if linked:
        home.loan("home loan", "mortgage", balance=200_000_00).on("checking")
    for day in monthly("2025-01-01", 13):
        if linked:
            home.transfer(day, "checking", "home loan", 2_100_00, payee="HOME BANK")
        else:
            home.charge(day, "HOME BANK", 2_100_00, "mortgage")
    return home


def revolver() -> Household:
    """8,000 owed at 24 %, 1,200 in cash, minimum payments and interest each month."""
    home = (
        with_cash(1_200_00)
        .earns_biweekly(1_900_00)
        .rents(1_500_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 150_00, "groceries")
        .card("visa", balance=8_000_00, credit_limit=9_000_00, apr=0.24, covered=YEAR)
        .charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 160_00, "interest_fees")
    )
    home.card_payments(monthly("2025-02-06", 12), "visa", 170_00)
    return home


def with_card_at_another_bank(*, linked: bool) -> Household:
    """600 a month on a card that is linked, or of which only the payments are seen."""
    home = with_cash(6_000_00).earns_biweekly(2_000_00).rents(1_300_00)
    if not linked:
        return home.charges(monthly("2025-01-20", 12), "CITI CARD", 600_00, "unlinked_card")
    home.card("citi", balance=0, covered=YEAR).charges(
        monthly("2025-01-10", 12), "BISTRO", 600_00, "dining"
    )
    home.card_payments(monthly("2025-01-20", 12), "citi", 600_00)
    return home


def freelancer() -> Household:
    """Seven uneven invoices on uneven days, steady essentials."""
    days = ["2025-01-14", "2025-02-27", "2025-04-03", "2025-06-20", "2025-07-02", "2025-10-08"]
    amounts = [4_000_00, 900_00, 6_500_00, 2_200_00, 5_100_00, 1_400_00]
    home = (
        with_cash(12_000_00)
        .rents(1_100_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 90_00, "groceries")
    )
    for day, amount in zip([*days, "2025-12-15"], [*amounts, 3_000_00], strict=True):
        home.credit(day, "STUDIO X", amount, "self_employment")
    return home


def part_of(days: tuple[str, date]) -> Household:
    return (
        with_cash(900_00, days)
        .earns_biweekly(1_000_00, "2025-12-05", 3)
        .charge("2026-01-02", "LANDLORD", 1_500_00, "rent")
    )


def stretched(rent: int) -> Household:
    return (
        with_cash(1_000_00)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 5_000_00, "wages")
        .rents(rent)
        .charges(monthly("2025-01-20", 12), "BISTRO", 300_00, "dining")
    )


def joint() -> Household:
    """The same joint account through his bank connection and through hers."""
    home = household()
    for name, connection in (("joint (his)", "his"), ("joint (hers)", "hers")):
        home.checking(name, mask="4421", connection=connection, covered=YEAR, balance=2_000_00)
        home.earns_biweekly(2_000_00).rents(1_200_00)
    return home

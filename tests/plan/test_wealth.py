"""Net worth over time: balances with later rows taken back, never a jump that did not happen."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.plan.ledger.classes import role_of
from finplan.plan.ledger.days import date_of
from finplan.plan.sections.wealth import wealth
from tests.plan.households import Household, every, household, monthly
from tests.plan.strategies import TODAY, households

many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(households())
def test_the_last_point_is_today_and_equals_the_balances(home: Household) -> None:
    """History ends today with the balances; each point's net worth is assets less debts."""
    found = wealth(home.ledger(), TODAY)
    balances, last = found.balances, found.history[-1]
    assert last.date == found.today == TODAY
    assert last.assets == balances.cash + balances.investments
    assert last.debts == balances.card_debt + balances.loans
    assert last.net_worth == balances.net_worth
    owed = sum(
        max(0, account.balance or 0)
        for account in home.accounts.values()
        if account.kind == "credit"
    )
    assert balances.available == balances.cash - owed
    for point in found.history:
        assert point.net_worth == point.assets - point.debts


@many
@given(households())
def test_points_are_month_ends_of_two_years_and_today(home: Household) -> None:
    """Ascending, unique, at most 24 month ends before today."""
    days = [point.date for point in wealth(home.ledger(), TODAY).history]
    assert days == sorted(set(days))
    assert len(days) <= 25
    assert all((day + timedelta(1)).day == 1 for day in days[:-1])


@many
@given(households())
def test_between_points_net_worth_moves_by_the_rows(home: Household) -> None:
    """Without recorded balances, Δ net worth = Σ signed rows of cash and cards with a balance."""
    ledger = home.ledger()
    counting = {
        number
        for number, account in ledger.accounts.items()
        if account.balance is not None and role_of(account, "USD") in {"cash", "debt"}
    }
    history = wealth(ledger, TODAY).history
    for earlier, later in pairwise(history):
        rows = sum(
            row[3]
            for row in ledger.rows
            if row[1] in counting and earlier.date < date_of(row[2]) <= later.date
        )
        assert later.net_worth - earlier.net_worth == rows


@many
@given(households(), st.integers(1, 900_00), st.integers(5, 300), st.integers(-1, 5), st.booleans())
def test_moving_own_money_changes_no_point(
    home: Household, amount: int, ago: int, late: int, card: bool
) -> None:
    """A transfer between own accounts leaves every common net worth as it was, on its way too."""
    target = "card" if card and "card" in home.accounts else "savings"
    if target not in home.accounts:
        home.savings().on("checking")
    before = {point.date: point.net_worth for point in wealth(home.ledger(), TODAY).history}
    left = TODAY - timedelta(ago)
    home.transfer(left, "checking", target, amount, arrives=left + timedelta(late))
    after = {point.date: point.net_worth for point in wealth(home.ledger(), TODAY).history}
    assert all(before[day] == after[day] for day in before.keys() & after.keys())


def test_what_is_on_its_way_at_the_end_of_a_month_is_cash() -> None:
    """Money that left on the last day of a month and came on a later one is cash in between."""
    home = household().checking(balance=1_000_00).savings(balance=9_000_00)
    home.on("checking").credits(monthly("2025-07-01", 7), "EMPLOYER", 3_000_00, "wages")
    home.on("savings").credits(monthly("2025-07-02", 7), "INTEREST", 900_00, "interest")
    before = {point.date: point for point in wealth(home.ledger(), TODAY).history}
    home.transfer("2025-10-31", "checking", "savings", 5_000_00, arrives="2025-11-02")
    after = {point.date: point for point in wealth(home.ledger(), TODAY).history}

    assert after == before
    assert date(2025, 10, 31) in after


def settled() -> Household:
    return (
        household()
        .checking(balance=5_000_00, covered=("2025-06-01", TODAY))
        .credits(monthly("2025-06-28", 7), "ACME", 3_000_00, "wages")
        .charges(monthly("2025-06-03", 8), "LANDLORD", 1_000_00, "rent")
    )


def points(home: Household, today: date = TODAY) -> dict[date, int]:
    return {point.date: point.net_worth for point in wealth(home.ledger(), today).history}


def test_history_takes_later_rows_back() -> None:
    """5,000 today, less the pay and rent that came later, month by month."""
    found = points(settled())
    assert found[date(2025, 12, 31)] == 6_000_00
    assert found[date(2025, 11, 30)] == 4_000_00
    assert min(found) == date(2025, 6, 30)


def test_linking_an_account_late_draws_no_jump() -> None:
    """History begins when every account that matters is covered, not with a step in the middle."""
    home = settled().checking("second", balance=9_000_00, covered=("2025-10-05", TODAY))
    home.charges(every("2025-10-06", 7, 13), "SAFEWAY", 300_00, "groceries")
    assert min(points(home)) == date(2025, 10, 31)


def test_a_trifling_account_shortens_nothing() -> None:
    """An account that moves less than a twentieth is held flat before its first row."""
    home = settled().savings(balance=100_00, covered=("2025-12-05", TODAY))
    home.credit("2025-12-31", "INTEREST", 10, "interest")
    assert min(points(home)) == date(2025, 6, 30)
    assert points(home)[date(2025, 6, 30)] == points(settled())[date(2025, 6, 30)] + 99_90


def test_investments_follow_their_records_and_are_flat_before() -> None:
    """The last recorded balance by then; before the first record it is held, never drawn to zero."""
    home = settled().brokerage(balance=20_000_00)
    home.recorded_balance("brokerage", "2025-09-15", 12_000_00)
    home.recorded_balance("brokerage", "2025-11-30", 15_000_00)
    cash = points(settled())
    gains = {day: worth - cash[day] for day, worth in points(home).items()}
    assert gains[date(2025, 8, 31)] == 12_000_00
    assert gains[date(2025, 9, 30)] == 12_000_00
    assert gains[date(2025, 11, 30)] == 15_000_00
    assert gains[TODAY] == 20_000_00


def test_a_loan_lowers_net_worth_by_what_was_owed() -> None:
    """Loans count by their recorded balances, as debts."""
    home = settled().loan(balance=8_000_00).recorded_balance("loan", "2025-09-01", 9_000_00)
    last, earlier = wealth(home.ledger(), TODAY).history[-1], points(home)
    assert last.debts == 8_000_00
    assert earlier[date(2025, 9, 30)] == points(settled())[date(2025, 9, 30)] - 9_000_00


def test_investments_alone_have_the_history_of_their_records() -> None:
    """Without cash or cards, history begins with the first recorded balance."""
    home = household().brokerage(balance=3_00)
    assert list(points(home)) == [TODAY]
    assert min(points(home.recorded_balance("brokerage", "2025-10-31", 2_00))) == date(2025, 10, 31)


def test_hidden_foreign_and_unknown_balances_are_left_out_of_all_points() -> None:
    """What cannot be counted today is counted at no other time either."""
    home = settled()
    before = points(home)
    home.checking("hidden", balance=1_00, hidden=True).charge(
        "2025-07-01", "SHOP", 5_00, "shopping"
    )
    home.checking("euros", balance=1_00, currency="EUR").charge("2025-07-01", "SHOP", 5_00)
    home.checking("unknown", balance=None).charge("2025-07-01", "SHOP", 5_00)
    assert points(home) == before


def test_an_overpaid_card_adds_to_net_worth_but_not_to_available() -> None:
    """Signed debts keep net worth exact; what is available does not grow by a card's credit."""
    home = settled().card(balance=-80_00)
    found = wealth(home.ledger(), TODAY).balances
    assert (found.card_debt, found.net_worth, found.available) == (-80_00, 5_080_00, 5_000_00)


def test_on_a_month_end_today_is_counted_once() -> None:
    """On the last day of a month the point is today's."""
    day = date(2025, 12, 31)
    days = [point.date for point in wealth(settled().ledger(), day).history]
    assert days.count(day) == 1
    assert days[-2] == date(2025, 11, 30)


def test_rows_dated_after_today_are_not_taken_back() -> None:
    """A row with a future date has not happened yet."""
    home = settled()
    before = points(home)
    assert points(home.charge(TODAY + timedelta(3), "SHOP", 70_00, "shopping")) == before
    home.accounts["checking"] = replace(home.accounts["checking"], balance=1)
    assert points(home)[TODAY] == 1

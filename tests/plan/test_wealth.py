"""Net worth over time: balances with later rows taken back, never a jump that did not happen.

Stated balances and the rows between are said to disagree only where nothing else explains it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.plan.ledger.classes import role_of
from finplan.plan.ledger.days import date_of
from finplan.plan.sections.standing import contradictions
from finplan.plan.sections.wealth import wealth
from tests.plan.households import TODAY, Household, every, household, monthly, with_cash
from tests.plan.strategies import households

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
    for earlier, later in pairwise(wealth(ledger, TODAY).history):
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
        with_cash(5_000_00, ("2025-06-01", TODAY))
        .earns(3_000_00, "2025-06-28", 7)
        .rents(1_000_00, "2025-06-03", 8)
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
    found = wealth(settled().card(balance=-80_00).ledger(), TODAY).balances
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


IN_DECEMBER = date(2025, 12, 10)


def _home(kind: str = "checking", *, stated: dict[str, int] | None = None) -> Household:
    """Statements to February and from July on, 100.00 out each month, and 2,500.00 today."""
    spans = [("2024-10-01", "2025-02-28"), ("2025-07-01", "2025-12-10")]
    home = household()
    add = home.card if kind == "card" else home.checking
    add("account", covered=spans, balance=2500_00)
    for month in ("2024-10", "2024-11", "2024-12", "2025-01", "2025-02", "2025-07", "2025-08",
                  "2025-09", "2025-10", "2025-11"):  # fmt: skip
        home.charge(f"{month}-15", "SHOP", 100_00, "groceries")
    for day, balance in (stated or {}).items():
        home.recorded_balance("account", day, balance)
    return home


def _points(home: Household) -> dict[str, int]:
    return {
        f"{point.date}": point.net_worth for point in wealth(home.ledger(), IN_DECEMBER).history
    }


def test_a_hole_has_no_point_and_each_side_its_balance() -> None:
    """Days before the hole follow from what was stated there, days behind it from today's balance."""
    points = _points(_home(stated={"2025-02-28": 7000_00}))
    assert points["2025-12-10"] == 2500_00
    assert points["2025-10-31"] == 2600_00
    assert points["2025-07-31"] == 2900_00
    assert not {"2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30"} & points.keys()
    assert points["2025-02-28"] == 7000_00
    assert points["2025-01-31"] == 7100_00
    assert points["2024-10-31"] == 7400_00


def test_a_balance_in_the_middle_tells_both_directions() -> None:
    """Rows before a stated balance are taken back from it, later ones are added to it."""
    points = _points(_home(stated={"2024-12-31": 5000_00}))
    assert points["2025-02-28"] == 4800_00
    assert points["2024-11-30"] == 5100_00


@pytest.mark.parametrize(("day", "points"), [("2024-10-01", True), ("2024-09-30", False)])
def test_a_balance_of_the_first_covered_day_counts(day: str, points: bool) -> None:
    """The end of the first day of the statements belongs to them, the day before does not."""
    assert ("2025-02-28" in _points(_home(stated={day: 7000_00}))) is points


def test_rows_before_all_statements_are_taken_back_too() -> None:
    """Rows that lie before the first statement move the balance as those within do."""
    home = _home(stated={"2024-10-31": 7000_00})
    home.charge("2024-09-10", "SHOP", 100_00, "groceries")
    assert _points(home)["2024-09-30"] == 7100_00


def test_of_balances_that_disagree_the_later_holds() -> None:
    """Without a hole between them the later one tells all days of its statements."""
    points = _points(_home(stated={"2024-10-31": 1_00, "2025-01-31": 6000_00, "2025-11-30": 9_00}))
    assert points["2024-10-31"] == 6300_00
    assert points["2025-08-31"] == 2800_00


@pytest.mark.parametrize("day", ["2025-03-01", "2025-05-10", "2025-07-01"])
def test_without_a_balance_before_the_hole_nothing_is_drawn_there(day: str) -> None:
    """A balance of the hole, or of behind it, says nothing of the days before."""
    assert min(_points(_home(stated={day: 7000_00}))) == "2025-07-31"


def test_what_is_owed_goes_up_with_charges() -> None:
    """On a card the balance grows by what goes out."""
    points = _points(_home("card", stated={"2024-12-31": 5000_00}))
    assert points["2025-02-28"] == -5200_00
    assert points["2024-11-30"] == -4900_00


def test_a_trifling_account_with_a_hole_hides_no_point() -> None:
    """An account that hardly moves anything is told by its rows as far as they go."""
    home = with_cash(1000_00, ("2024-10-01", "2025-12-10"))
    for month in range(1, 12):
        home.charge(f"2025-{month:02d}-15", "SHOP", 1000_00, "groceries")
    spans = [("2024-10-01", "2025-02-28"), ("2025-07-01", "2025-12-10")]
    home.savings("pocket", covered=spans, balance=10_00).charge(
        "2025-01-15", "FEE", 1_00, "groceries"
    )
    assert _points(home)["2025-04-30"] == 1000_00 + 7 * 1000_00 + 10_00


def test_of_a_day_with_two_balances_the_later_word_holds() -> None:
    """Whichever is larger: what was said last of a day is its balance."""
    for words in ((7000_00, 6000_00), (6000_00, 7000_00)):
        home = _home()
        for balance in words:
            home.recorded_balance("account", "2025-02-28", balance)
        assert _points(home)["2025-02-28"] == words[1]


COVERED = [("2025-01-01", "2025-03-31"), ("2025-06-01", "2025-07-31")]
OLDEST = 20240100


def _home_with_balances(
    stated: Mapping[str, int], rows: Sequence[tuple[str, int]] = (), kind: str = "checking"
) -> Household:
    """An account covered for two spans, with charges by day, and with balances that statements state."""
    home = household()
    getattr(home, kind)("account", covered=COVERED, balance=7_00)
    home.charge("2025-02-10", "SHOP", 10_00, "groceries")
    for day, amount in rows:
        home.charge(day, "CAFE", amount, "dining")
    for day, balance in stated.items():
        home.recorded_balance("account", day, balance, stated=True)
    return home


def _missing(home: Household, oldest: int = OLDEST) -> list[int]:
    return [each.missing for each in contradictions(home.ledger(), oldest)]


@pytest.mark.parametrize(
    ("kind", "balance", "missing"),
    [
        ("checking", 90_00, []),
        ("checking", 89_00, [-1_00]),
        ("checking", 91_00, [1_00]),
        ("card", 110_00, []),
        ("card", 109_00, [1_00]),
        ("loan", 109_00, []),
        ("savings", 99_00, [9_00]),
    ],
)
def test_a_balance_follows_from_the_one_before(kind: str, balance: int, missing: list[int]) -> None:
    """The rows between two stated balances explain the later; what is owed goes the other way.

    A loan's balance moves by interest that no row tells of.
    """
    home = _home_with_balances({"2025-01-31": 100_00, "2025-02-28": balance}, kind=kind)
    assert _missing(home) == missing


def test_across_a_hole_nothing_is_compared() -> None:
    """Missing statements explain any difference; within each span balances are compared."""
    stated = {"2025-03-30": 100_00, "2025-06-01": 1_00, "2025-07-31": 2_00}
    assert _missing(_home_with_balances(stated)) == [1_00]


def test_only_statements_contradict_each_other() -> None:
    """What the person says of a day is no statement."""
    home = _home_with_balances({"2025-01-31": 100_00, "2025-03-31": 90_00})
    home.recorded_balance("account", "2025-02-28", 1_00)
    assert _missing(home) == []


@pytest.mark.parametrize("oldest", [20250131, 20250201])
def test_old_balances_are_left_alone(oldest: int) -> None:
    """A balance before the oldest day is not compared."""
    home = _home_with_balances({"2025-01-31": 100_00, "2025-02-28": 1_00})
    assert bool(_missing(home, oldest)) is (oldest == 20250131)


@pytest.mark.parametrize(
    ("rows", "balance", "missing"),
    [
        ([("2025-02-28", 5_00)], 85_00, []),
        ([("2025-02-28", 5_00)], 90_00, []),
        ([("2025-02-28", 5_00)], 84_00, [-1_00]),
        ([("2025-02-28", 5_00), ("2025-02-28", 3_00)], 87_00, []),
        ([("2025-01-31", 5_00)], 90_00, []),
        ([("2025-01-31", 5_00)], 85_00, []),
        ([("2025-01-31", 5_00)], 95_00, [5_00]),
        ([("2025-02-27", 5_00)], 90_00, [5_00]),
        ([("2025-02-01", 5_00)], 90_00, [5_00]),
        ([("2025-02-28", 1_00 + place) for place in range(10)], 1_00, [-78_55]),
        ([("2025-02-28", 1_00 + place) for place in range(11)], 1_00, []),
    ],
)
def test_rows_of_the_day_of_a_balance_may_count_in_it_or_not(
    rows: list[tuple[str, int]], balance: int, missing: list[int]
) -> None:
    """A balance may have been fetched in the middle of its day, before some of that day's rows."""
    assert (
        _missing(_home_with_balances({"2025-01-31": 100_00, "2025-02-28": balance}, rows))
        == missing
    )


def test_accounts_that_no_total_holds_are_left_alone() -> None:
    """The rows of an account in another currency or of a hidden one are not known here."""
    home = _home_with_balances({"2025-01-31": 100_00, "2025-02-28": 1_00})
    for name, details in (("francs", {"currency": "CHF"}), ("hidden", {"hidden": True})):
        home.checking(name, covered=("2025-01-01", date(2025, 12, 31)), **details)
        for day in ("2025-01-31", "2025-02-28"):
            home.recorded_balance(name, day, int(day[-2:]), stated=True)
    assert [each.account.name for each in contradictions(home.ledger(), OLDEST)] == ["account"]

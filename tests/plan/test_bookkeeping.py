"""The books: every row in one class, every sum exact, whatever the household looks like."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN, Category
from finplan.plan.bookkeeping import keep_books
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, Row
from tests.plan.households import Household, every, household, monthly
from tests.plan.unruly import ACCOUNTS, TODAY, furnished, unruly_households
from tests.steps import growth


def in_window(ledger: Ledger, books: Books) -> list[Row]:
    since, until = day_of(books.window.since), day_of(books.window.until)
    return [row for row in ledger.rows if since <= row[2] <= until]


@given(unruly_households())
def test_every_row_of_the_window_is_accounted_for(home: Household) -> None:
    """The conservation law: the signed sum of the rows is the signed sum of the classes."""
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    rows = in_window(ledger, books)
    explained = books.income - books.spending - books.saving - books.reimbursable + books.moves
    assert sum(row[3] for row in rows) == explained
    assert books.window.transaction_count == len(rows)
    assert sum(total.count for total in books.categories.values()) == len(rows)


@given(unruly_households())
def test_categories_add_up_to_their_class_and_months_to_their_category(home: Household) -> None:
    """Regrouping changes nothing: by flow, by category or by month, the sums are the same."""
    books = home.books(TODAY)
    by_flow = {"income": 0, "spending": 0, "saving": 0, "reimbursable": 0, "move": 0}
    for category, total in books.categories.items():
        by_flow[BUILT_IN[category].flow] += total.total
        assert len(total.by_month) == len(books.window.month_keys)
        if books.window.month_keys:
            assert sum(total.by_month) == total.total
    assert by_flow == {
        "income": books.income,
        "spending": books.spending,
        "saving": books.saving,
        "reimbursable": books.reimbursable,
        "move": books.moves,
    }


@given(unruly_households())
def test_sources_add_up_to_the_income(home: Household) -> None:
    """Every income row is in exactly one source."""
    books = home.books(TODAY)
    assert sum(source.total for source in books.sources) == books.income


@given(unruly_households())
def test_months_are_none_exactly_when_there_is_no_row(home: Household) -> None:
    """The divisor is 0 if and only if the window is empty, and the window never ends after today."""
    window = home.books(TODAY).window
    assert (window.months == 0) == (window.transaction_count == 0)
    assert window.since <= window.until <= TODAY
    assert window.data_end <= TODAY


@given(unruly_households(), st.randoms(use_true_random=False))
def test_the_order_of_a_day_is_no_matter(home: Household, order: object) -> None:
    """Rows of one payee and day may stand in any order: the books are the same."""
    ledger = home.ledger()
    shuffled = list(ledger.rows)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    shuffled.sort(key=lambda row: (row[0], row[2]))
    books, other = keep_books(ledger, TODAY), keep_books(replace(ledger, rows=shuffled), TODAY)
    assert replace(other, sheets=()) == replace(books, sheets=())


@given(unruly_households())
def test_every_series_keeps_its_own_law(home: Household) -> None:
    """Amounts are positive, next dates are ahead and only of what is active, counts include counts."""
    books = home.books(TODAY)
    for series in (*books.charges, *books.sources):
        assert series.amount > 0
        assert series.next_date is None or (series.active and series.next_date >= TODAY)
        assert series.first_date <= series.last_date <= TODAY
        assert series.count <= series.count_all
        assert len(series.recent) <= 24
    for charge in books.charges:
        assert charge.cadence != "irregular"
        assert charge.interval_days is not None
        assert BUILT_IN[charge.category].flow == "spending"
        assert (charge.next_date is not None) == charge.active


@given(
    st.lists(
        st.tuples(
            st.dates(date(2025, 12, 1), date(2026, 10, 31)),
            st.sampled_from(ACCOUNTS),
            st.sampled_from(ACCOUNTS),
            st.integers(1, 1000_00),
        ),
        max_size=20,
    )
)
def test_paired_moves_net_to_nothing(moves: Iterable[tuple[date, str, str, int]]) -> None:
    """Money moved between own cash and cards is in no class but the moves, and they cancel out."""
    home = furnished().checking(covered=("2025-11-01", TODAY))
    home.charges(monthly("2025-11-02", 12), "X", 1_00, "rent")
    before = home.books(TODAY)
    for day, source, target, amount in moves:
        if source != target:
            home.transfer(day, source, target, amount)
    books = home.books(TODAY)
    assert books.moves == 0
    assert _classes(books) == _classes(before)


def _classes(books: Books) -> tuple[int, ...]:
    return (books.income, books.spending, books.saving, books.reimbursable)


def a_year(home: Household) -> Household:
    """A year of pay and rent on checking, so that whole months are averaged."""
    return (
        home.checking()
        .credits(every("2025-11-07", 14, 26), "EMPLOYER", 2000_00, "wages")
        .charges(monthly("2025-11-01", 13), "LANDLORD", 1200_00, "rent")
    )


def effect(change: Callable[[Household], object]) -> tuple[Books, Books]:
    """The books of a household with every kind of account before and after a change."""
    home = a_year(furnished())
    before = home.books(TODAY)
    change(home)
    return before, home.books(TODAY)


def test_money_moved_to_savings_is_put_aside_and_changes_nothing_else() -> None:
    """Checking to savings raises `saved` by the amount, and no class."""
    before, after = effect(lambda home: home.transfer("2026-03-03", "checking", "savings", 250_00))
    assert after.saved == before.saved + 250_00
    assert _classes(after) == _classes(before)


def test_money_moved_on_from_savings_to_the_brokerage_was_put_aside_once() -> None:
    """Savings to investments is saving that leaves, and what is put aside does not change."""
    before, after = effect(lambda home: home.transfer("2026-03-03", "savings", "brokerage", 250_00))
    assert after.saving == before.saving + 250_00
    assert after.saved == before.saved


def test_money_to_the_brokerage_is_saving_and_back_is_no_income() -> None:
    """What comes back from an investment is negative saving."""
    before, after = effect(
        lambda home: (
            home.transfer("2026-03-03", "checking", "brokerage", 900_00)
            .transfer("2026-05-03", "brokerage", "checking", 400_00)
            .transfer("2026-05-04", "checking", "hsa", 50_00)
        )
    )
    assert after.saving == before.saving + 550_00
    assert after.saved == before.saved + 550_00
    assert (after.income, after.spending) == (before.income, before.spending)


def test_a_card_payment_changes_nothing() -> None:
    """Purchases count on their day; the payment of the linked card is a move."""
    before, after = effect(lambda home: home.transfer("2026-03-03", "checking", "card", 800_00))
    assert _classes(after) == _classes(before)
    assert after.saved == before.saved
    assert after.categories["card_payment"].total == 0


def test_a_linked_mortgage_is_spent_like_an_unlinked_one() -> None:
    """A scheduled loan payment is spending, whole, whether or not the loan is linked."""
    days = monthly("2025-11-03", 13)

    def linked(home: Household) -> None:
        for day in days:
            home.transfer(day, "checking", "mortgage", 1500_00, payee="LENDER", category=None)

    _, with_loan = effect(linked)
    _, without = effect(lambda home: home.charges(days, "LENDER", 1500_00, "mortgage"))
    assert with_loan.spending == without.spending
    assert with_loan.categories["mortgage"] == without.categories["mortgage"]
    assert [one.monthly for one in with_loan.charges] == [one.monthly for one in without.charges]


def test_a_payment_beyond_the_schedule_is_saving_and_a_loan_paid_out_no_income() -> None:
    """Extra principal is put aside; what a loan pays out is a move."""
    before, after = effect(
        lambda home: home.transfer("2026-03-03", "checking", "loan", 300_00, counts=False).transfer(
            "2026-04-03", "loan", "checking", 5000_00, counts=False
        )
    )
    assert after.categories["extra_principal"].total == 300_00
    assert after.categories["loan_proceeds"].total == 5000_00
    assert after.saved == before.saved + 300_00
    assert after.moves == before.moves + 5000_00
    assert (after.income, after.spending) == (before.income, before.spending)


def test_a_refund_lowers_its_category_and_may_turn_it_negative() -> None:
    """A credit from a shop is no income."""
    before, after = effect(
        lambda home: home.charge("2026-02-02", "SHOP", 30_00, "shopping").credit(
            "2026-03-02", "SHOP", 100_00
        )
    )
    assert after.categories["shopping"].total == -70_00
    assert after.categories["shopping"].count == 2
    assert after.spending == before.spending - 70_00
    assert after.income == before.income


def test_a_reversal_of_pay_lowers_income() -> None:
    """Pay that is taken back was not earned."""
    before, after = effect(lambda home: home.charge("2026-03-02", "EMPLOYER", 500_00))
    assert after.income == before.income - 500_00
    assert after.spending == before.spending


def test_reimbursable_costs_are_apart() -> None:
    """A work trip that is paid back touches neither spending nor income."""
    before, after = effect(
        lambda home: home.charge("2026-02-02", "HOTEL", 1200_00, "work_expenses").credit(
            "2026-03-02", "HOTEL", 1100_00
        )
    )
    assert after.reimbursable == 100_00
    assert (after.income, after.spending) == (before.income, before.spending)


def test_an_exact_amount_wins_over_the_payee() -> None:
    """Rent and camp fees paid to one payee are told apart by their amounts."""
    _, after = effect(
        lambda home: (
            home.payee("CITY", "taxes", by_amount={80_00: "kids"})
            .charge("2026-02-02", "CITY", 80_00)
            .charge("2026-02-03", "CITY", 300_00)
        )
    )
    assert after.categories["kids"].total == 80_00
    assert after.categories["taxes"].total == 300_00


def test_interest_on_cards_is_told_apart_from_bank_fees() -> None:
    """Only interest and fees on credit accounts are card interest."""
    _, after = effect(
        lambda home: (
            home.charge("2026-02-02", "FEE", 5_00, "interest_fees")
            .on("card")
            .charge("2026-02-03", "INTEREST CHARGE", 21_00, "interest_fees")
            .credit("2026-02-04", "INTEREST CHARGE", 1_00)
        )
    )
    assert after.card_interest == 20_00
    assert after.categories["interest_fees"].total == 25_00


def test_a_category_of_ones_own_counts_as_its_line_says() -> None:
    """Custom categories flow as the person said."""
    own = Category("cat_garden", "Garden", "discretionary", "spending", "other", custom=True)
    before, after = effect(
        lambda home: home.category(own).charge("2026-02-02", "NURSERY", 40_00, "cat_garden")
    )
    assert after.spending == before.spending + 40_00


def test_what_banks_date_after_today_has_not_happened() -> None:
    """A row of tomorrow enters neither the sums nor the rhythms."""
    before, after = effect(
        lambda home: home.credit(TODAY + timedelta(1), "EMPLOYER", 9999_00).charge(
            TODAY + timedelta(400), "LANDLORD", 1200_00
        )
    )
    assert after == before
    assert before.income
    home = furnished().on("checking").credit(TODAY, "EMPLOYER", 10_00, "wages")
    assert home.credit(TODAY + timedelta(1), "EMPLOYER", 9_00).books(TODAY).income == 10_00


def test_nothing_comes_to_nothing() -> None:
    """No rows: an empty window today, no sums, no series, no division."""
    books = furnished().books(TODAY)
    assert books.window.months == Fraction(0)
    assert (books.window.since, books.window.until) == (TODAY, TODAY)
    assert _classes(books) == (0, 0, 0, 0)
    assert not books.categories
    assert not books.charges
    assert not books.sources


def test_thirty_accounts_are_one_household() -> None:
    """Many accounts add up like one."""
    home = household()
    for number in range(30):
        home.checking(f"account {number}")
        home.charges(monthly("2025-11-02", 12), f"BILL {number}", 10_00, "utilities")
        home.charge("2026-10-31", f"SHOP {number}", 10_00, "shopping")
    books = home.books(TODAY)
    assert books.window.months == 12
    assert books.spending == 30 * 13 * 10_00
    assert len(books.charges) == 30


@pytest.mark.parametrize("category", ["shopping", "utilities", "uncategorized"])
def test_a_busy_payee_costs_what_its_rows_cost(category: str) -> None:
    """Thousands of charges at one shop take steps by their number, whatever their amounts repeat."""

    def keeping(days: int) -> Callable[[], Books]:
        home = household().checking()
        for place, day in enumerate(every("2021-01-01", 1, days) * 3):
            home.charge(day, "SHOP", (place * 7919) % 97 + 1_00, category)
        return partial(keep_books, home.ledger(), TODAY)

    assert growth(keeping, 425) < 5

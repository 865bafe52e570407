"""The books: every row in one class, by its pairing, then its amount, then its sign, to the cent.

Income and spending by month count every row once, in the class that the plan counts it in; accounts
are taken for what they are, and those that look like one are told.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.catalogue import BUILT_IN, Category
from finplan.model.account import AccountKind
from finplan.model.plan import Role
from finplan.plan.bookkeeping import keep_books
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import category_of, classify_rows, paired_category
from finplan.plan.ledger.days import add_months, day_of
from finplan.plan.ledger.ledger import ACCOUNT, PEER, Ledger, Row
from finplan.plan.live.allowance import connections_behind, days_behind, oldest_sync
from finplan.plan.pairing.duplicates import likely_duplicate_accounts
from finplan.plan.sections.monthly import MonthFlow, month_flows
from finplan.plan.sections.wealth import take_snapshot
from tests.plan.households import TODAY, Household, every, household, monthly
from tests.plan.unruly import ACCOUNTS, LATE_DAY, furnished, unruly_households
from tests.steps import growth


def in_window(ledger: Ledger, books: Books) -> list[Row]:
    since, until = day_of(books.window.since), day_of(books.window.until)
    return [row for row in ledger.rows if since <= row[2] <= until]


@given(unruly_households())
def test_every_row_of_the_window_is_accounted_for(home: Household) -> None:
    """The conservation law: the signed sum of the rows is the signed sum of the classes."""
    books = home.books(LATE_DAY)
    rows = in_window(home.ledger(), books)
    explained = books.income - books.spending - books.saving - books.reimbursable + books.moves
    assert sum(row[3] for row in rows) == explained
    assert books.window.transaction_count == len(rows)
    assert sum(total.count for total in books.categories.values()) == len(rows)


@given(unruly_households())
def test_categories_add_up_to_their_class_and_months_to_their_category(home: Household) -> None:
    """Regrouping changes nothing: by flow, by category or by month, the sums are the same."""
    books = home.books(LATE_DAY)
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
    books = home.books(LATE_DAY)
    assert sum(source.total for source in books.sources) == books.income


@pytest.mark.thorough
@given(unruly_households())
def test_months_are_none_exactly_when_there_is_no_row(home: Household) -> None:
    """The divisor is 0 if and only if the window is empty, and the window never ends after today."""
    window = home.books(LATE_DAY).window
    assert (window.months == 0) == (window.transaction_count == 0)
    assert window.since <= window.until <= LATE_DAY
    assert window.data_end <= LATE_DAY


@given(unruly_households(), st.randoms(use_true_random=False))
def test_the_order_of_a_day_is_no_matter(home: Household, order: object) -> None:
    """Rows of one payee and day may stand in any order: the books are the same."""
    ledger = home.ledger()
    shuffled = list(ledger.rows)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    shuffled.sort(key=lambda row: (row[0], row[2]))
    books, other = (
        keep_books(ledger, LATE_DAY),
        keep_books(replace(ledger, rows=shuffled), LATE_DAY),
    )
    assert replace(other, sheets=()) == replace(books, sheets=())


@given(unruly_households())
def test_every_series_keeps_its_own_law(home: Household) -> None:
    """Amounts are positive, next dates are ahead and only of what is active, counts include counts."""
    books = home.books(LATE_DAY)
    for series in (*books.charges, *books.sources):
        assert series.amount > 0
        assert series.next_date is None or (series.active and series.next_date >= LATE_DAY)
        assert series.first_date <= series.last_date <= LATE_DAY
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
    home = furnished().checking(covered=("2025-11-01", LATE_DAY))
    home.charges(monthly("2025-11-02", 12), "X", 1_00, "rent")
    before = home.books(LATE_DAY)
    for day, source, target, amount in moves:
        if source != target:
            home.transfer(day, source, target, amount)
    books = home.books(LATE_DAY)
    assert books.moves == 0
    assert _classes(books) == _classes(before)


def _classes(books: Books) -> tuple[int, ...]:
    return (books.income, books.spending, books.saving, books.reimbursable)


def a_year(home: Household) -> Household:
    """A year of pay and rent on checking, so that whole months are averaged."""
    return (
        home.checking()
        .credits(every("2025-11-07", 14, 26), "EMPLOYER", 2000_00, "wages")
        .rents(1200_00, "2025-11-01")
    )


def effect(change: Callable[[Household], object]) -> tuple[Books, Books]:
    """The books of a household with every kind of account before and after a change."""
    home = a_year(furnished())
    before = home.books(LATE_DAY)
    change(home)
    return before, home.books(LATE_DAY)


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
        home.transfers(days, "checking", "mortgage", 1500_00, payee="LENDER", category=None)

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
        lambda home: home.credit(LATE_DAY + timedelta(1), "EMPLOYER", 9999_00).charge(
            LATE_DAY + timedelta(400), "LANDLORD", 1200_00
        )
    )
    assert after == before
    assert before.income
    home = furnished().on("checking").credit(LATE_DAY, "EMPLOYER", 10_00, "wages")
    assert home.credit(LATE_DAY + timedelta(1), "EMPLOYER", 9_00).books(LATE_DAY).income == 10_00


def test_nothing_comes_to_nothing() -> None:
    """No rows: an empty window today, no sums, no series, no division."""
    books = furnished().books(LATE_DAY)
    assert books.window.months == Fraction(0)
    assert (books.window.since, books.window.until) == (LATE_DAY, LATE_DAY)
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
    books = home.books(LATE_DAY)
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
        return partial(keep_books, home.ledger(), LATE_DAY)

    assert growth(keeping, 425) < 5


def with_every_account() -> Household:
    """A household with an account of every kind."""
    return (
        household()
        .checking()
        .savings()
        .card()
        .loan("car")
        .loan("home", "Mortgage")
        .brokerage()
        .account("hsa", subtype="hsa")
        .account("abroad", currency="EUR")
        .savings("hidden savings", hidden=True)
        .savings("copy of savings", hidden=True, duplicate=True)
        .checking("hidden checking", hidden=True)
        .payee("SHOP", "groceries")
        .payee("LENDER", "mortgage")
        .payee("TENANCY", "rent", filed=frozenset({"out"}))
        .payee("LODGER", "rent", filed=frozenset({"in"}))
    )


@pytest.mark.parametrize(
    ("peer", "payee", "amount", "counts", "category"),
    [
        ("savings", "SHOP", -1, False, "transfer"),
        ("savings", "SHOP", 1, False, "transfer"),
        ("savings", "SHOP", -1, True, "interest_fees"),
        ("card", "SHOP", -1, True, "interest_fees"),
        ("brokerage", "SHOP", -1, True, "interest_fees"),
        ("hidden savings", "SHOP", -1, False, "savings"),
        ("hidden savings", "SHOP", 1, False, "savings"),
        ("copy of savings", "SHOP", -1, False, "transfer"),
        ("hidden checking", "SHOP", -1, False, "transfer"),
        ("abroad", "SHOP", -1, False, "savings"),
        ("abroad", "SHOP", 1, False, "savings"),
        ("abroad", "SHOP", -1, True, "uncategorized"),
        ("abroad", "LENDER", -1, True, "uncategorized"),
        ("abroad", "TENANCY", -1, True, "rent"),
        ("abroad", "LODGER", -1, True, "uncategorized"),
        ("card", "SHOP", -1, False, "card_payment"),
        ("brokerage", "SHOP", -1, False, "investing"),
        ("brokerage", "SHOP", 1, False, "investing"),
        ("hsa", "SHOP", -1, False, "savings"),
        ("car", "SHOP", -1, True, "loan_payment"),
        ("home", "SHOP", -1, True, "mortgage"),
        ("car", "LENDER", -1, True, "mortgage"),
        ("car", "SHOP", -1, False, "extra_principal"),
        ("car", "SHOP", 1, False, "loan_proceeds"),
    ],
)
def test_a_pairing_decides_before_the_payee(
    peer: str, payee: str, amount: int, counts: bool, category: str
) -> None:
    """What the other leg is on tells what a movement was, except which loan's payee it is."""
    home = with_every_account()
    own, other = home.accounts["checking"], home.accounts[peer]
    assert paired_category(amount, own, other, home.payees[payee], counts=counts) == category


def test_what_comes_back_of_money_spent_abroad_is_no_saving() -> None:
    """Where a payment to an account abroad was spending, its return is a move, and never income."""
    home = with_every_account()
    home.on("checking").row("2025-03-03", "SHOP", 100_00, peer="abroad", counts=False)
    ledger = home.ledger()
    (row,) = ledger.rows
    assert category_of(ledger, row) == "savings"
    assert category_of(replace(ledger, spent_abroad=frozenset({row[PEER]})), row) == "transfer"


def test_a_payment_is_one_from_both_ends() -> None:
    """The card's own row of its payment is a card payment too."""
    home = with_every_account()
    own, other = home.accounts["card"], home.accounts["checking"]
    assert paired_category(1, own, other, home.payees["SHOP"], counts=False) == "card_payment"


@given(unruly_households())
def test_every_row_is_on_one_sheet(home: Household) -> None:
    """Sheets hold all rows once, each under its own category, and none is empty."""
    ledger = home.ledger()
    sheets = classify_rows(ledger)
    rows: list[Row] = [row for sheet in sheets for row in sheet.rows]
    assert sorted(rows) == sorted(ledger.rows)
    for sheet in sheets:
        assert sheet.rows
        assert sheet.flow == ledger.catalogue.flow(sheet.category)
        for row in sheet.rows:
            assert row[0] == sheet.payee
            assert category_of(ledger, row) == sheet.category
        assert [row[2] for row in sheet.rows] == sorted(row[2] for row in sheet.rows)
    assert len({(sheet.payee, sheet.category) for sheet in sheets}) == len(sheets)


@given(unruly_households())
def test_amounts_of_ones_own_take_the_long_way_to_the_same_sheets(home: Household) -> None:
    """A rule for an amount that never comes changes nothing."""
    ledger = home.ledger()
    ruled = {
        number: replace(payee, by_amount={**payee.by_amount, 10**9: "rent"})
        for number, payee in ledger.payees.items()
    }
    plain = {(one.payee, one.category): list(one.rows) for one in classify_rows(ledger)}
    long = {
        (one.payee, one.category): list(one.rows)
        for one in classify_rows(replace(ledger, payees=ruled))
    }
    assert plain == long


def test_a_rows_own_word_goes_before_its_payee_and_not_before_its_pairing() -> None:
    """Of equal rows as many are filed by themselves as there are words; a transfer's leg is none."""
    home = with_every_account().on("checking")
    for _ in range(3):
        home.charge("2025-11-06", "SHOP", 20_00)
    home.charge("2025-11-07", "SHOP", 20_00)
    ledger = home.ledger()
    place = (ledger.rows[0][ACCOUNT], 20251106, -20_00)
    number = home.payee_number("SHOP")
    filed = replace(
        ledger.payees[number], by_row={place: [((-20_00, "dining"),)]}, by_amount={20_00: "pets"}
    )
    paired = (*ledger.rows[0][:4], home.number("savings"), 0)
    told = replace(ledger, rows=[paired, *ledger.rows[1:]], payees={**ledger.payees, number: filed})
    assert {sheet.category: len(sheet.rows) for sheet in classify_rows(told)} == {
        "transfer": 1,
        "dining": 1,
        "pets": 2,
    }


def flows(home: Household, today: date = LATE_DAY) -> tuple[MonthFlow, ...]:
    return month_flows(home.ledger(), home.books(today), today)


def month_of(flow: MonthFlow) -> int:
    return flow.first.year * 100 + flow.first.month


@given(unruly_households())
def test_the_months_of_the_window_add_up_to_its_figures(home: Household) -> None:
    """The plan's income and spending are those of its months, to the minor unit."""
    books = home.books(LATE_DAY)
    of_window = [each for each in flows(home) if month_of(each) in books.window.month_keys]

    if books.window.month_keys:
        assert [month_of(each) for each in of_window] == list(books.window.month_keys)
        assert sum(each.income for each in of_window) == books.income
        assert sum(each.spending for each in of_window) == books.spending


@given(unruly_households())
def test_months_follow_each_other_to_the_last_that_is_known(home: Household) -> None:
    """No month is left out, none is of days to come, and the one that goes on is not whole."""
    known, this_month = flows(home), LATE_DAY.year * 100 + LATE_DAY.month
    days = [row[2] for row in home.ledger().rows if row[2] <= day_of(LATE_DAY)]

    for before, after in pairwise(known):
        assert month_of(after) == add_months(month_of(before), 1)
    if known:
        assert max(days) // 100 <= month_of(known[-1]) <= this_month
        assert not known[-1].whole or month_of(known[-1]) < this_month


def test_without_rows_there_is_no_month() -> None:
    """Nothing is known of any month, which is not the same as nothing spent."""
    assert flows(household().checking(balance=100_00)) == ()


def test_two_years_are_told_of() -> None:
    """Older months are left out; the months before the first row are none of the household's."""
    known = flows(household().checking().earns(3_000_00, "2020-01-25", 72), date(2025, 12, 30))
    assert (len(known), known[0].first) == (24, date(2024, 1, 1))
    short = household().checking().earns(3_000_00, "2025-10-25", 3)
    assert [each.first.month for each in flows(short, date(2025, 12, 30))] == [10, 11, 12]


def test_a_month_that_is_known_in_part_is_not_whole() -> None:
    """Neither the month in which an account begins, nor one in which its statements end, is whole."""
    home = household().checking().earns(3_000_00, "2025-01-10", 5)
    known = {month_of(each): each for each in flows(home, date(2025, 7, 5))}

    assert [month for month, each in known.items() if each.whole] == [202502, 202503, 202504]
    assert list(known)[-1] == 202505


def test_an_account_that_was_closed_leaves_later_months_whole() -> None:
    """What a closed account does not tell of does not exist; before it began, it told of nothing."""
    days = monthly("2025-01-01", 12)
    home = (
        household()
        .checking(covered=("2025-01-01", "2025-12-20"))
        .credits(days, "ACME", 3_000_00, "wages")
    )
    span = ("2025-02-01", "2025-03-31")
    home = home.card("old", balance=0, covered=span).charges(
        monthly("2025-02-02", 2), "SHOP", 20_00, "shopping"
    )
    whole = [month_of(each) for each in flows(home, date(2025, 12, 20)) if each.whole]

    assert whole == list(range(202501, 202512))


def test_a_month_is_whole_once_it_is_over() -> None:
    """On its last day a month may still bring something, on the day after it does no more."""
    span = ("2025-01-01", "2025-12-31")
    home = household().checking(covered=span).earns(5_00, "2025-01-01")

    assert not flows(home, date(2025, 12, 31))[-1].whole
    last = {month_of(each): each for each in flows(home, date(2026, 1, 1))}[202512]
    assert last.whole


@pytest.mark.parametrize(
    ("kind", "subtype", "role"),
    [
        ("depository", "checking", "cash"),
        ("depository", "savings", "cash"),
        ("depository", None, "cash"),
        ("depository", "hsa", "investment"),
        ("depository", "cd", "investment"),
        ("credit", "credit card", "debt"),
        ("loan", "mortgage", "debt"),
        ("investment", "brokerage", "investment"),
        ("other", "property", "investment"),
        ("other", "vehicle", "investment"),
        ("other", None, "none"),
    ],
)
def test_an_accounts_kind_is_its_role(kind: AccountKind, subtype: str | None, role: Role) -> None:
    """Cash, debt, investment or none; in a foreign currency always none."""
    snapshot = take_snapshot(household().account("it", kind, subtype).ledger())
    foreign = take_snapshot(household().account("it", kind, subtype, currency="EUR").ledger())
    assert snapshot.accounts[0].role == role
    assert foreign.accounts[0].role == "none"


def test_balances_add_up_by_role() -> None:
    """Overdraft lowers cash, an overpaid card lowers debt, an unknown balance adds 0."""
    home = household().checking(balance=-50_00).savings(balance=900_00).savings("new", balance=None)
    home.card(balance=-20_00).loan(balance=700_00).brokerage(balance=5_000_00)
    home.checking("gone", balance=9_999_00, hidden=True)
    snapshot = take_snapshot(home.ledger())
    assert snapshot.liquid_cash == 850_00
    assert snapshot.credit_card_debt == -20_00
    assert snapshot.other_debt == 700_00
    assert snapshot.investments == 5_000_00
    assert snapshot.net_worth == 850_00 + 5_000_00 + 20_00 - 700_00
    assert [each.name for each in snapshot.accounts] == [
        "checking", "savings", "new", "card", "loan", "brokerage"
    ]  # fmt: skip


def pair(*, mask: str = "4421", connection: str = "hers", shift: int = 0) -> Household:
    home = household().checking("his", mask="4421", connection="his")
    home.charges(every("2025-01-03", 5, 20), "SAFEWAY", [31_00, 42_00, 53_00], "groceries")
    home.checking("hers", mask=mask, connection=connection)
    first = date(2025, 1, 3) + timedelta(shift)
    return home.charges(every(first, 5, 20), "SAFEWAY", [31_00, 42_00, 53_00])


def names(home: Household) -> list[tuple[str, str]]:
    ledger = home.ledger()
    found = likely_duplicate_accounts(ledger.accounts, set(), ledger.different, ledger.moves_on)
    return [(each.first.name, each.second.name) for each in found]


def test_the_same_account_through_two_connections_is_recognised() -> None:
    """Institution, mask, kind, currency and the rows are the same."""
    assert names(pair()) == [("his", "hers")]


def test_accounts_that_differ_are_two() -> None:
    """Another mask, the same connection, or other rows: two accounts."""
    assert names(pair(mask="9999")) == []
    assert names(pair(connection="his")) == []
    assert names(pair(shift=2)) == []
    assert names(household().checking("a", mask="1").checking("b", mask="1", connection="b")) == []


def milliseconds(days_ago: float) -> int:
    noon = datetime(2026, 1, 10, 12, tzinfo=UTC) - timedelta(days_ago)
    return int(noon.timestamp() * 1000)


def test_old_data_are_behind() -> None:
    """48 hours for a bank, five weeks for files, and whatever is not ok."""
    home = household()
    for name, provider, ago in (
        ("fresh", "aggregator", 2),
        ("old", "aggregator", 3),
        ("file", "manual", 35),
        ("old file", "manual", 36),
    ):
        home.connection(name, provider=provider, last_synced_at=milliseconds(ago))  # type: ignore[arg-type]
    home.connection("new", provider="aggregator")
    home.connection("shut", "login_required", last_synced_at=milliseconds(0))
    found = [each.connection_id for each in connections_behind(home.ledger(), TODAY)]
    assert found == ["con_old", "con_old file", "con_new", "con_shut"]


def test_data_are_as_old_as_the_oldest_connection() -> None:
    """The oldest instant of the visible connections; null if one of them never synced."""
    home = household().connection("a", last_synced_at=5).connection("b", last_synced_at=3)
    assert oldest_sync(home.ledger()) == 3
    home.connection("c", last_synced_at=1).checking("gone", connection="c", hidden=True)
    assert oldest_sync(home.ledger()) == 3
    home.connection("d")
    assert oldest_sync(home.ledger()) is None
    assert oldest_sync(household().ledger()) is None


def test_days_behind_are_calendar_days() -> None:
    """Age counts days, not hours; None before the first sync."""
    home = household().connection("a", last_synced_at=milliseconds(1.5)).connection("b")
    assert [days_behind(each, TODAY) for each in home.ledger().connections] == [1, None]

"""Income sources: who pays, how much, how often, and nothing twice."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.books import Series
from tests.plan.households import (
    Household,
    every,
    household,
    monthly,
    on_weekdays,
    semimonthly,
)

TODAY = date(2025, 12, 22)


def at_home(until: date = TODAY) -> Household:
    """A checking account that is covered for two years."""
    return household().checking(covered=("2023-12-01", until))


def sources(home: Household) -> list[Series]:
    """The income sources of a household."""
    return list(home.books(TODAY).sources)


def test_a_salary_is_a_source() -> None:
    """Every field says what happened."""
    home = at_home().credits(monthly("2025-01-31", 11), "EMPLOYER", 3000_00, "wages")
    (source,) = sources(home)
    assert source.name == "EMPLOYER"
    assert source.category == "wages"
    assert source.cadence == "monthly"
    assert (source.amount, source.monthly) == (3000_00, 3000_00)
    assert (source.total, source.count, source.count_all) == (33000_00, 11, 11)
    assert source.last_date == date(2025, 11, 30)
    assert source.next_date == date(2025, 12, 31)
    assert source.active
    assert source.steady


def test_biweekly_pay_is_26_a_year() -> None:
    """A month of biweekly pay is 26 twelfths of it."""
    (source,) = sources(at_home().credits(every("2025-01-03", 14, 26), "E", 1200_00, "wages"))
    assert source.cadence == "biweekly"
    assert source.monthly == 2600_00
    assert source.next_date == date(2026, 1, 2)


def test_twice_monthly_pay_is_24_a_year() -> None:
    """Pay on the 15th and the last, before weekends, is semimonthly."""
    days = on_weekdays(semimonthly("2025-01-01", 23), -1)
    (source,) = sources(at_home().credits(days, "E", 1200_00, "wages"))
    assert source.cadence == "semimonthly"
    assert source.monthly == 2400_00
    assert source.next_date == date(2025, 12, 31)


def test_hourly_pay_is_regular_whatever_it_is() -> None:
    """Dates decide the cadence; amounts that vary only change the amount."""
    hours = [410_00, 655_00, 298_00, 720_00, 505_00, 350_00, 610_00]
    (source,) = sources(at_home().credits(every("2025-01-03", 14, 26), "DINER", hours, "wages"))
    assert source.cadence == "biweekly"
    assert not source.steady
    assert source.active


def test_a_raise_is_the_pay_from_then_on() -> None:
    """With one step between two fixed amounts, the last one counts."""
    pay = [2000_00] * 9 + [2150_00] * 2
    (source,) = sources(at_home().credits(monthly("2025-01-31", 11), "E", pay, "wages"))
    assert (source.amount, source.monthly) == (2150_00, 2150_00)
    assert source.price_before == 2000_00


def test_a_bonus_is_not_expected_again() -> None:
    """A last credit of three months' pay is total, not amount."""
    pay = [2000_00] * 10 + [6000_00]
    (source,) = sources(at_home().credits(monthly("2025-01-31", 11), "E", pay, "wages"))
    assert source.amount == 2000_00
    assert source.total == 26000_00


def test_a_bonus_between_paydays_is_no_change_of_cadence() -> None:
    """Extra credits from the employer come beside its paydays, as irregular income."""
    home = at_home().credits(monthly("2025-01-31", 11), "E", 2000_00, "wages")
    home.credit("2025-03-12", "E", 9000_00)
    for day in ("2025-02-10", "2025-05-16", "2025-06-09", "2025-08-20", "2025-10-07"):
        home.credit(day, "E", 61_30)
    source, beside = sources(home)
    assert (source.cadence, beside.cadence) == ("monthly", "irregular")
    assert (source.amount, source.total) == (2000_00, 22000_00)
    assert (beside.total, beside.count) == (9000_00 + 5 * 61_30, 6)


def test_pay_split_over_two_accounts_is_one_paycheck() -> None:
    """Same payer, same day: one credit, whole."""
    days = every("2025-01-03", 14, 25)
    home = at_home().credits(days, "E", 1500_00, "wages")
    home.savings(covered=("2023-12-01", TODAY)).credits(days, "E", 500_00)
    (source,) = sources(home)
    assert source.amount == 2000_00
    assert source.count_all == 25
    assert source.account == home.number("checking")


def test_two_earners_are_two_sources() -> None:
    """Payers are told apart, the larger total first."""
    home = at_home().credits(every("2025-01-03", 14, 26), "A", 1900_00, "wages")
    home.credits(monthly("2025-01-28", 11), "B", 2500_00, "wages")
    assert [(one.name, one.cadence) for one in sources(home)] == [
        ("A", "biweekly"),
        ("B", "monthly"),
    ]


def test_a_freelancer_is_irregular() -> None:
    """Seven uneven credits have no payday; their month is the mean of the window."""
    days = ["2025-01-09", "2025-02-27", "2025-03-06", "2025-05-30", "2025-07-02", "2025-09-24"]
    home = at_home().credits([*days, "2025-11-28"], "CLIENT", [900_00, 2100_00], "self_employment")
    (source,) = sources(home)
    assert source.cadence == "irregular"
    assert source.interval_days is None
    assert source.next_date is None
    assert source.active
    assert source.monthly == source.total // 12


def test_payers_of_once_or_twice_are_one_source_per_category() -> None:
    """Gifts from three people are one irregular source, pay is another."""
    home = at_home().credits(every("2025-01-03", 14, 26), "E", 1200_00, "wages")
    for day, giver in (("2025-02-01", "AUNT"), ("2025-11-07", "UNCLE"), ("2025-11-07", "FRIEND")):
        home.credit(day, giver, 50_00, "other_income")
    pay, gifts = sources(home)
    assert pay.name == "E"
    assert gifts.name == "Gifts and other income"
    assert gifts.payees == tuple(home.payee_number(name) for name in ("AUNT", "UNCLE", "FRIEND"))
    assert (gifts.total, gifts.count, gifts.count_all) == (150_00, 2, 2)


def test_three_credits_make_a_source_of_ones_own() -> None:
    """A client who paid three times without a rhythm is told by name."""
    home = at_home().credits(["2025-01-09", "2025-02-27", "2025-11-06"], "CLIENT", 900_00, "wages")
    home.credits(["2025-03-09", "2025-11-26"], "OTHER", 100_00, "wages")
    assert [(one.name, one.cadence) for one in sources(home)] == [
        ("CLIENT", "irregular"),
        ("Pay", "irregular"),
    ]


def test_the_first_and_last_day_of_the_window_are_in_it() -> None:
    """A source's total has exactly the window's days, for regular and irregular ones alike."""
    for days in (["2024-12-01", "2025-11-30"], ["2024-11-30", "2025-12-01"]):
        home = (
            at_home()
            .credits(days, "CLIENT", 100_00, "wages")
            .credit(days[1], "B", 1_00, "interest")
        )
        books = home.books(TODAY)
        assert sum(source.total for source in books.sources) == books.income
        assert books.income == (201_00 if days[0] == "2024-12-01" else 0)


def test_a_yearly_bonus_of_about_the_same_is_regular_from_its_second_time() -> None:
    """Two credits a year apart within a fifth of each other are annual."""
    near = at_home().credits(monthly("2024-12-05", 2, 12), "E", [1000_00, 1250_00], "wages")
    assert [one.cadence for one in sources(near)] == ["annual"]
    far = at_home().credits(monthly("2024-12-05", 2, 12), "E", [1000_00, 1400_00], "wages")
    assert [one.cadence for one in sources(far)] == ["irregular"]


def test_a_lost_job_gives_nothing_a_month() -> None:
    """A source that stopped is told with what it gave, and with no month."""
    home = at_home().credits(every("2025-01-03", 14, 18), "E", 1200_00, "wages")
    home.charge(TODAY, "SHOP", 5_00, "shopping")
    (source,) = sources(home)
    assert not source.active
    assert source.monthly == 0
    assert source.next_date is None
    assert source.total == 18 * 1200_00


def test_what_an_employer_repays_later_is_no_payday() -> None:
    """A small credit off the paydays, after the pay has stopped, does not keep the source running."""
    home = at_home().credits(monthly("2025-01-31", 8), "E", 3800_00, "wages")
    home.credit("2025-11-20", "E", 790_00)
    home.charge(TODAY, "SHOP", 5_00, "shopping")
    (source,) = sources(home)
    assert not source.active
    assert (source.monthly, source.next_date) == (0, None)
    assert (source.last_date, source.count_all) == (date(2025, 8, 31), 8)
    assert source.total == 8 * 3800_00 + 790_00


def test_pay_that_comes_again_is_a_payday() -> None:
    """After a pause the source runs again, with less pay on its day or with the same pay on any day."""
    paid = monthly("2025-01-31", 8)
    for day, amount in (("2025-11-30", 790_00), ("2025-11-20", 3800_00)):
        home = at_home().credits(paid, "E", 3800_00, "wages").credit(day, "E", amount)
        (source,) = sources(home)
        assert source.active


def test_sources_are_active_at_the_end_of_old_data() -> None:
    """Data that end eighty days ago stop nobody's pay, and the next payday is ahead."""
    home = at_home(date(2025, 10, 3)).credits(every("2025-01-03", 14, 20), "E", 1200_00, "wages")
    (source,) = sources(home)
    assert source.active
    assert source.next_date == date(2026, 1, 2)


def test_a_reversal_lowers_the_total_and_is_no_credit() -> None:
    """Pay that was taken back is not pay, nor a payday."""
    home = at_home().credits(monthly("2025-01-31", 11), "E", 2000_00, "wages")
    home.charge("2025-07-02", "E", 2000_00)
    (source,) = sources(home)
    assert source.total == 20000_00
    assert source.count_all == 11
    assert source.cadence == "monthly"


def test_a_reversal_alone_is_still_accounted_for() -> None:
    """Income below zero has a source too."""
    home = at_home().charge("2025-07-02", "E", 2000_00, "wages")
    (source,) = sources(home)
    assert source.total == -2000_00
    assert source.count == 0
    assert source.amount > 0


def test_money_from_nobody_known_is_no_income() -> None:
    """Unknown inflows are moves until somebody says what they are."""
    home = at_home().credits(monthly("2025-01-31", 11), "STRANGER", 300_00)
    assert sources(home) == []
    assert home.books(TODAY).moves == 11 * 300_00


def test_what_was_long_ago_and_irregular_is_not_told() -> None:
    """A gift before the window is no source of today."""
    assert sources(at_home().credit("2024-02-01", "AUNT", 50_00, "other_income")) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A", "B", "C"]),
            st.dates(date(2023, 12, 1), TODAY),
            st.integers(-500_00, 3000_00),
        ),
        max_size=60,
    )
)
def test_the_sources_of_any_income_add_up(rows: list[tuple[str, date, int]]) -> None:
    """Whoever pays when, every row of the window is in one source, once."""
    home = at_home()
    for name, category in (("A", "wages"), ("B", "interest"), ("C", "wages")):
        home.payee(name, into=category)
    for name, day, amount in rows:
        home.row(day, name, amount)
    books = home.books(TODAY)
    assert sum(source.total for source in books.sources) == books.income
    payees = [payee for source in books.sources for payee in source.payees]
    assert len(payees) == len(set(payees))

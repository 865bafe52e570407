"""The laws of the demo bank's calendar, and of what follows it: paydays and bills."""

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from finplan.banks.demo.household import holidays, is_workday, month_of, workday_from, workday_until
from tests.banks.feed import Feed, day_of

TODAY = date(2026, 11, 21)
NOVEMBER = Path(__file__).parent / "demo_november.txt"


@pytest.fixture(scope="module")
def feed() -> Feed:
    return Feed("alice", TODAY)


def test_holidays_are_those_of_the_federal_reserve() -> None:
    """The published list for 2026 and 2027; a Saturday's holiday is not moved, a Sunday's is."""
    assert sorted(holidays(2026)) == [
        date(2026, 1, 1),
        date(2026, 1, 19),
        date(2026, 2, 16),
        date(2026, 5, 25),
        date(2026, 6, 19),
        date(2026, 7, 4),
        date(2026, 9, 7),
        date(2026, 10, 12),
        date(2026, 11, 11),
        date(2026, 11, 26),
        date(2026, 12, 25),
    ]
    assert date(2027, 7, 5) in holidays(2027)
    assert date(2027, 12, 24) not in holidays(2027)


@pytest.mark.parametrize(
    ("day", "earlier", "later"),
    [
        (date(2026, 11, 20), date(2026, 11, 20), date(2026, 11, 20)),
        (date(2026, 11, 21), date(2026, 11, 20), date(2026, 11, 23)),
        (date(2026, 12, 25), date(2026, 12, 24), date(2026, 12, 28)),
        (date(2027, 1, 1), date(2026, 12, 31), date(2027, 1, 4)),
    ],
)
def test_a_day_off_moves_to_the_workday_on_either_side(
    day: date, earlier: date, later: date
) -> None:
    """Pay comes earlier, bills come later; a workday stays."""
    assert (workday_until(day), workday_from(day)) == (earlier, later)


@pytest.mark.parametrize(
    ("day", "later", "expected"),
    [
        (date(2026, 11, 21), -24, date(2024, 11, 1)),
        (date(2026, 12, 31), 1, date(2027, 1, 1)),
        (date(2027, 1, 15), -1, date(2026, 12, 1)),
        (date(2024, 2, 29), 0, date(2024, 2, 1)),
    ],
)
def test_months_are_counted_over_the_turn_of_the_year(
    day: date, later: int, expected: date
) -> None:
    """A month so many months later is a first day, in the right year."""
    assert month_of(day, later) == expected


def test_one_earner_is_paid_every_second_friday(feed: Feed) -> None:
    """Paychecks are fourteen days apart on Fridays; a holiday's comes on the workday before."""
    days = [day_of(row.day) for row in feed.named("checking", "PAYROLL PPD")]
    assert len(days) == 54
    friday = days[0] + timedelta(days=(4 - days[0].weekday()) % 7)
    for place, day in enumerate(days):
        assert day == workday_until(friday + place * timedelta(days=14))


def test_a_payday_on_a_holiday_comes_a_day_early() -> None:
    """Juneteenth 2026 is a Friday: whoever is paid then is paid on Thursday."""
    days = {
        row.day
        for number in range(6)
        for row in Feed(f"person-{number}", TODAY).named("checking", "PAYROLL PPD")
    }
    assert 20260618 in days
    assert 20260619 not in days


def test_the_other_earner_is_paid_on_the_last_workday(feed: Feed) -> None:
    """A paycheck for each full month, on its last workday."""
    days = [day_of(row.day) for row in feed.named("checking", "DIR DEP")]
    assert len(days) == 24
    for day in days:
        assert is_workday(day)
        assert day == workday_until(month_of(day, 1) - timedelta(days=1))


def test_pay_is_steady_and_rises_once_a_year(feed: Feed) -> None:
    """Within a calendar year each paycheck is the same; in January it rises by 2 to 3 %."""
    for word in ("PAYROLL PPD", "DIR DEP"):
        by_year: dict[int, set[int]] = {}
        for row in feed.named("checking", word):
            by_year.setdefault(row.day // 10_000, set()).add(row.amount)
        assert [len(amounts) for amounts in by_year.values()] == [1, 1, 1]
        first, second, third = (amounts.pop() for amounts in by_year.values())
        assert 1.02 < second / first < 1.03
        assert 1.02 < third / second < 1.03


def test_bonus_and_tax_refund_come_once_a_year(feed: Feed) -> None:
    """The bonus comes in March, the refund between February and April, in whole dollars."""
    bonuses = feed.named("checking", "BONUS")
    refunds = feed.named("checking", "TAX REF")
    assert [row.day // 100 for row in bonuses] == [202503, 202603]
    assert [row.day // 10_000 for row in refunds] == [2025, 2026]
    for refund in refunds:
        assert 2 <= refund.day // 100 % 100 <= 4
        assert refund.amount % 100 == 0


@pytest.mark.parametrize(
    ("words", "every", "count"),
    [
        (("LARKMOOR HOME LN",), 1, 25),
        (("LARKMOOR AUTO FIN",), 1, 25),
        (("NATURAL GAS",), 1, 24),
        (("HOA", "HOMEOWNERS"), 3, 8),
        (("PROGRESSIVE", "GEICO"), 6, 4),
        (("LIFE INS",), 12, 2),
        (("DMV",), 12, 2),
    ],
)
def test_bills_keep_their_cadence(
    feed: Feed, words: tuple[str, ...], every: int, count: int
) -> None:
    """A bill comes every so many months, on a workday, at most four days after its day."""
    rows = [row for word in words for row in feed.named("checking", word)]
    days = [day_of(row.day) for row in rows]
    assert len(days) == count
    assert all(map(is_workday, days))
    months = [day.year * 12 + day.month for day in days]
    assert {later - month for month, later in pairwise(months)} == {every}
    assert max(day.day for day in days) - min(day.day for day in days) <= 4


def test_heating_and_cooling_have_their_seasons(feed: Feed) -> None:
    """Gas costs most in winter, power in summer, and a bill is hardly ever twice the same."""

    def mean(word: str, months: tuple[int, ...]) -> float:
        bills = [-row.amount for row in feed.named("checking", word)]
        days = [row.day // 100 % 100 for row in feed.named("checking", word)]
        chosen = [bill for bill, month in zip(bills, days, strict=True) if month in months]
        return sum(chosen) / len(chosen)

    assert mean("NATURAL GAS", (12, 1, 2)) > 2.5 * mean("NATURAL GAS", (6, 7, 8))
    assert mean("ELEC", (7, 8)) > 1.5 * mean("ELEC", (3, 4))
    for word in ("NATURAL GAS", "ELEC"):
        amounts = [row.amount for row in feed.named("checking", word)]
        assert len(set(amounts)) >= len(amounts) - 2


def test_november_is_what_it_was(feed: Feed) -> None:
    """A household keeps its rows from release to release: those of a month are kept in a file.

    Whoever changes them on purpose changes the demo that people have; write the file anew with
    `python -m tests.banks.test_demo_calendar`.
    """
    assert november(feed) == NOVEMBER.read_text(encoding="utf-8")


def november(feed: Feed) -> str:
    rows = sorted(
        (row for row in feed.rows.values() if row.day >= 20261101),
        key=lambda row: (row.day, row.external_id),
    )
    return "".join(
        f"{row.day} {feed.short(row.account):9} {row.amount:9} {'p' if row.pending else ' '}"
        f" {row.raw}\n"
        for row in rows
    )


if __name__ == "__main__":
    NOVEMBER.write_text(november(Feed("alice", TODAY)), encoding="utf-8")

"""What the days ahead are judged by: a household cut in two, and the score of a range."""

from datetime import timedelta
from itertools import accumulate

import pytest

from benchmarks.quality.forecast.__main__ import REPORTING, TUNING, table
from benchmarks.quality.forecast.futures import DAYS, Future, future
from benchmarks.quality.forecast.judging import HORIZONS, KNOWN, METHODS, OURS, Judged, Range, judge
from benchmarks.quality.forecast.unrest import unruly_household
from finplan.plan.ledger.days import date_of
from finplan.plan.live.schedule import cash_accounts

SEED = 5_000_011


@pytest.fixture(scope="module")
def cut() -> Future:
    made = future(SEED)
    assert made is not None
    return made


def test_no_seed_is_tuned_on_and_reported() -> None:
    """The two parts have no household in common."""
    assert not set(TUNING) & set(REPORTING)


def test_what_comes_is_hidden(cut: Future) -> None:
    """No row and no covered day of the ledger lies after its last day."""
    assert max(date_of(row[2]) for row in cut.ledger.rows) <= cut.today
    covered = [each.covered_until for each in cut.ledger.accounts.values()]
    assert all(date_of(day) <= cut.today for day in covered if day)


def test_what_comes_is_what_the_rows_bring(cut: Future) -> None:
    """Each evening is the one before and the rows of its day on the accounts at hand."""
    whole, at_hand = unruly_household(SEED), cash_accounts(cut.ledger)
    start = sum(cut.ledger.accounts[number].balance or 0 for number in at_hand)
    moved = [
        sum(
            row.amount
            for row in whole.rows
            if row.account in at_hand and row.day == cut.today + timedelta(ahead)
        )
        for ahead in range(1, DAYS + 1)
    ]
    assert list(cut.true) == list(accumulate(moved, initial=start))[1:]


def test_a_range_pays_for_its_width_and_ten_times_for_what_it_misses() -> None:
    """Inside, the width alone; outside, ten times the distance to the nearer end."""
    said = Range(100, 300)
    assert [said.score(truth) for truth in (100, 200, 300, 99, 310)] == [200, 200, 200, 210, 300]
    held = [Judged(said, 200, truth).holds for truth in (99, 100, 300, 301)]
    assert held == [False, True, True, False]


def test_every_method_says_every_horizon() -> None:
    """Their ranges are of one household and one truth, and the table has a line for each."""
    verdict = judge(SEED)
    assert verdict is not None
    judged = verdict.ranges
    assert set(judged) == {(days, method) for days in HORIZONS for method in METHODS}
    for days in HORIZONS:
        assert len({judged[days, method].truth for method in METHODS}) == 1
    lines = table([judged])
    assert [(line[0], line[1]) for line in lines] == [
        (str(d), m) for d in HORIZONS for m in METHODS
    ]
    assert [line[7] for line in lines if line[1] == KNOWN] == ["1.00"] * len(HORIZONS)


def test_a_target_is_met_by_both_figures() -> None:
    """A range that holds too few or too many days, or scores too little better, misses it."""
    right = Judged(Range(0, 100), 50, 50)
    wrong = Judged(Range(0, 100), 50, 101)
    wide = Judged(Range(0, 1_000), 50, 50)
    four_of_five = [right] * 4 + [wrong]

    def verdict(ours: list[Judged], base: list[Judged]) -> str:
        found = [
            {
                (days, method): one if method == OURS else other
                for days in HORIZONS
                for method in METHODS
            }
            for one, other in zip(ours, base, strict=True)
        ]
        return table(found)[0][-1]

    assert verdict(four_of_five, [wide] * 5) == "met"
    assert verdict([right] * 5, [wide] * 5) == "missed"
    assert verdict([right] * 3 + [wrong] * 2, [wide] * 5) == "missed"
    assert verdict(four_of_five, four_of_five) == "missed"

"""A probability is held against what truly comes next, and a doubtful series is not claimed.

Weights are fitted alike each time. The days ahead are judged on a household, or a real account, cut
in two.
"""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import accumulate
from math import exp, log
from pathlib import Path

import pytest

from benchmarks.quality.arrival import fitted
from benchmarks.quality.calibration import (
    ENOUGH,
    comes_true,
    coming_of,
    is_as_large,
    is_on_its_day,
    table,
    tally_probability,
)
from benchmarks.quality.chain import expected_of
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.forecast import judging
from benchmarks.quality.forecast.__main__ import (
    REPORTING,
    TUNING,
    below_zero,
    middle_table,
    table as table_of_ranges,
)
from benchmarks.quality.forecast.accounts import LEAST_KNOWN, parts, read_accounts, real_future
from benchmarks.quality.forecast.futures import DAYS, Future, future
from benchmarks.quality.forecast.judging import judge as judge_ranges
from benchmarks.quality.forecast.unrest import unruly_household
from benchmarks.quality.scoring import judge
from benchmarks.quality.world.household import household
from benchmarks.quality.world.truth import Household
from finplan.plan.ledger.days import date_of
from finplan.plan.live.schedule import cash_accounts
from tests.present import present
from tests.quality.perfect import perfect_findings
from tests.says import says


@pytest.fixture
def one(noisy: list[Household]) -> Household:
    return noisy[1]


def _monthly(household: Household) -> Claim:
    """A claim that says what comes next of a monthly charge."""
    streams = {stream.number: stream for stream in household.streams}
    for claim in perfect_findings(household).charges:
        coming = streams[present(household.rows[min(claim.shown)].stream)].next
        if claim.cadence == "monthly" and coming is not None:
            return replace(claim, next_date=coming.day, amount=coming.amount)
    raise AssertionError


@pytest.mark.thorough
@pytest.mark.sampled(4)
@pytest.mark.parametrize(("days", "comes"), [(-6, False), (-5, True), (5, True), (6, False)])
def test_a_charge_comes_within_so_many_days(one: Household, days: int, comes: bool) -> None:
    """A monthly charge may come five days before or after the day that was said."""
    claim = _monthly(one)
    assert claim.next_date is not None
    assert comes_true(one, replace(claim, next_date=claim.next_date + timedelta(days))) == comes
    weekly = replace(claim, cadence="weekly", next_date=claim.next_date + timedelta(3))
    assert not comes_true(one, weekly)


@pytest.mark.parametrize(
    ("times", "comes"), [(0.89, False), (0.91, True), (1.09, True), (1.11, False)]
)
def test_a_charge_comes_near_its_amount(one: Household, times: float, comes: bool) -> None:
    """A charge that is dearer or cheaper by more than a tenth did not come as was said."""
    claim = _monthly(one)
    assert comes_true(one, replace(claim, amount=round(claim.amount * times))) == comes


def test_a_habit_never_comes_true(one: Household) -> None:
    """A claim that is about no stream, or about two halves, counts as not come."""
    claim = _monthly(one)
    habit = [at for at, row in enumerate(one.rows) if row.stream is None]
    assert not comes_true(one, replace(claim, shown=frozenset(habit[:5])))
    mixed = frozenset([*sorted(claim.shown)[:5], *habit[:5]])
    assert not comes_true(one, replace(claim, shown=mixed))


def test_what_ended_unseen_did_not_come(noisy: list[Household]) -> None:
    """A charge that stops after the last day looks like any other, and its next one does not come."""
    for one in noisy:
        for stream in one.streams:
            places = frozenset(at for at, row in enumerate(one.rows) if row.stream == stream.number)
            if stream.side == "charge" and stream.active is None and places:
                last = one.rows[max(places)]
                claim = Claim("", places, frozenset(), "monthly", True, one.today, -last.amount)  # noqa: FBT003
                assert not comes_true(one, claim)
                return
    raise AssertionError


def test_bands_hold_their_lower_end_and_the_last_holds_certainty(one: Household) -> None:
    """0.6 is of the second band and 1 of the last; below a half nothing is counted."""
    tally: Counter[str] = Counter()
    for said in (0.49, 0.5, 0.6, 0.95, 1.0, None):
        tally_probability(tally, one, replace(_monthly(one), probability=said))
    counts = {name.removesuffix(" of"): tally[name] for name in tally if name.endswith(" of")}
    assert counts == {
        "probability 0.5 to 0.6": 1,
        "probability 0.6 to 0.7": 1,
        "probability 0.9 to 1": 2,
    }
    tally_probability(tally, one, replace(_monthly(one), probability=0.7, active=False))
    assert tally["probability 0.7 to 0.8 of"] == 0


def test_a_band_is_met_within_five_hundredths() -> None:
    """All groups together: a share off by more than 0.05 is missed, of few series nothing is said."""

    def verdict(count: int, came: int) -> str:
        key = "probability 0.8 to 0.9"
        half = {f"{key} of": count // 2, f"{key} said": count // 2 * 8_500, key: came // 2}
        lines = {line[0]: line for line in table([half, half])}
        assert lines["0.5 to 0.6"][-1] == "none"
        return lines["0.8 to 0.9"][-1]

    assert verdict(1_000, 810) == "met"
    assert verdict(1_000, 790) == "missed"
    assert verdict(1_000, 910) == "missed"
    assert verdict(ENOUGH - 2, 100) == "too few"
    assert verdict(ENOUGH, 510) == "met"


def test_without_probabilities_there_is_no_table(one: Household) -> None:
    """A detector that gives none has no bands."""
    assert table([judge(one, perfect_findings(one)).tally]) == []


def test_a_doubtful_series_is_not_claimed(one: Household) -> None:
    """Below a half a series counts neither as found nor as wrong."""
    truth = perfect_findings(one)
    doubtful = Findings([replace(claim, probability=0.49) for claim in truth.charges], [], [])
    tally = judge(one, doubtful).tally
    assert tally["charge recall"] == tally["charge precision of"] == 0
    even = Findings([replace(claim, probability=0.5) for claim in truth.charges], [], [])
    assert judge(one, even).tally["charge recall"] == tally["charge recall of"]


def test_weights_are_the_log_odds_of_what_was_seen() -> None:
    """Of a hundred with a sign 80 came, of a hundred without it half: its weight says so."""
    seen = [({"always": 1}, place < 50) for place in range(100)]
    seen += [({"always": 1, "sign": 1}, place < 80) for place in range(100)]
    weights = fitted(seen)
    assert weights["always"] == pytest.approx(0, abs=0.06)
    assert weights["sign"] == pytest.approx(log(4), abs=0.15)
    together = 1 / (1 + exp(-weights["always"] - weights["sign"]))
    assert together == pytest.approx(0.8, abs=0.02)


def test_a_sign_that_was_hardly_seen_gets_little() -> None:
    """One charge is no evidence, whichever way it went."""
    seen = [({"always": 1}, place < 50) for place in range(100)]
    assert 0 < fitted([*seen, ({"always": 1, "once": 1}, True)])["once"] < 0.5


def test_what_was_expected_of_a_household_is_held_against_what_came() -> None:
    """A claim comes true when its next charge is on its day and as large."""
    made = household(1000, "noisy")
    expected = expected_of(made)
    assert len(expected) > 5
    for series, claim in expected:
        assert series.signs is not None
        coming = coming_of(made, claim)
        is_true = coming is not None and is_on_its_day(claim, coming) and is_as_large(claim, coming)
        assert comes_true(made, claim) == is_true


SEED = 5_000_011


@pytest.fixture(scope="module")
def cut() -> Future:
    return present(future(SEED))


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
    said = judging.Range(100, 300)
    assert [said.score(truth) for truth in (100, 200, 300, 99, 310)] == [200, 200, 200, 210, 300]
    held = [judging.Judged(said, 200, truth).holds for truth in (99, 100, 300, 301)]
    assert held == [False, True, True, False]


def test_every_method_says_every_horizon() -> None:
    """Their ranges are of one household and one truth, and the table has a line for each."""
    judged = present(judge_ranges(SEED)).ranges
    assert set(judged) == {
        (days, method) for days in judging.HORIZONS for method in judging.METHODS
    }
    for days in judging.HORIZONS:
        assert len({judged[days, method].truth for method in judging.METHODS}) == 1
    lines = table_of_ranges([judged])
    assert [(line[0], line[1]) for line in lines] == [
        (str(d), m) for d in judging.HORIZONS for m in judging.METHODS
    ]
    assert [line[7] for line in lines if line[1] == judging.KNOWN] == ["1.00"] * len(
        judging.HORIZONS
    )


def test_a_target_is_met_by_both_figures() -> None:
    """A range that holds too few or too many days, or scores too little better, misses it."""
    right = judging.Judged(judging.Range(0, 100), 50, 50)
    wrong = judging.Judged(judging.Range(0, 100), 50, 101)
    wide = judging.Judged(judging.Range(0, 1_000), 50, 50)
    four_of_five = [right] * 4 + [wrong]

    def verdict(ours: list[judging.Judged], base: list[judging.Judged]) -> str:
        found = [
            {
                (days, method): one if method == judging.OURS else other
                for days in judging.HORIZONS
                for method in judging.METHODS
            }
            for one, other in zip(ours, base, strict=True)
        ]
        return table_of_ranges(found)[0][-1]

    assert verdict(four_of_five, [wide] * 5) == "met"
    assert verdict([right] * 5, [wide] * 5) == "missed"
    assert verdict([right] * 3 + [wrong] * 2, [wide] * 5) == "missed"
    assert verdict(four_of_five, four_of_five) == "missed"


HEADINGS = "trans_id;account_id;date;type;operation;amount;balance;k_symbol;bank;account"


def bank_file(folder: Path, accounts: int = 4, days: int = LEAST_KNOWN + DAYS) -> Path:
    """So many accounts: 1,000 come in at first, 10 leave every tenth day, in Czech words."""
    lines = [HEADINGS]
    for account in range(1, accounts + 1):
        for place in range(0, days + 1, 10):
            day = (date(1995, 1, 3) + timedelta(place)).strftime("%y%m%d")
            out = f'{place};{account};{day};"VYDAJ";"PREVOD NA UCET";10.00;1.00;"SIPO";"EF";4025'
            first = f'{place};{account};{day};"PRIJEM";"VKLAD";1000.00;1.00;"";;'
            lines.append(out if place else first)
    path = folder / "trans.asc"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_is_read_as_a_bank_writes_it(tmp_path: Path) -> None:
    """Money out is negative, and purpose, account and bank are the text; a cut line is left out."""
    path = bank_file(tmp_path, accounts=1)
    path.write_text(path.read_text(encoding="utf-8") + '\n9;1;951230;"PRIJ', encoding="utf-8")
    (account,) = read_accounts(path)
    first, second = account.rows[:2]
    assert (first.day, first.amount, first.raw) == (date(1995, 1, 3), 1_000_00, "VKLAD")
    assert (second.amount, second.raw) == (-10_00, "PREVOD NA UCET SIPO 4025 EF")
    assert account.rows[-1].day < date(1995, 12, 30)


def test_what_comes_is_hidden_and_is_what_the_rows_bring(tmp_path: Path) -> None:
    (account,) = read_accounts(bank_file(tmp_path, accounts=1))
    made = real_future(account)
    assert max(row[2] for row in made.ledger.rows) <= int(made.today.strftime("%Y%m%d"))
    cash = sum(row.amount for row in account.rows if row.day <= made.today)
    assert made.ledger.accounts[1].balance == cash
    moved = [
        sum(row.amount for row in account.rows if row.day == made.today + timedelta(ahead))
        for ahead in range(1, DAYS + 1)
    ]
    assert list(made.true) == list(accumulate(moved, initial=cash))[1:]
    later = real_future(account, later=20)
    assert later.today == made.today + timedelta(20)
    assert list(later.true) == list(made.true)[20:]


def test_no_account_is_tuned_on_and_reported(tmp_path: Path) -> None:
    """Half of those with history enough each, the same ones every time."""
    path = bank_file(tmp_path, accounts=6)
    one, other = parts([path])
    assert (len(one), len(other)) == (3, 3)
    assert not {each.name for each in one} & {each.name for each in other}
    assert parts([path]) == (one, other)
    assert parts([bank_file(tmp_path, days=LEAST_KNOWN)]) == ([], [])


def case(
    error: int, turnover: float = 1_000.0, warned: tuple[bool, bool] | None = None, **facts: bool
) -> judging.Middle:
    """A case whose expected cash is off by so much at each horizon, where nothing truly changes."""
    same = dict.fromkeys(judging.HORIZONS, 5_000)
    return judging.Middle(
        turnover=turnover,
        start=5_000,
        ours=dict.fromkeys(judging.HORIZONS, 5_000 + error),
        net_flow=dict.fromkeys(judging.HORIZONS, 5_100.0),
        truth=same,
        shown=bool(facts.get("shown")),
        fell=bool(facts.get("fell")),
        warned=warned,
    )


def test_errors_of_both_signs_are_no_bias_and_are_errors() -> None:
    """20 too much and 20 too little: no error on the whole, and off by 20 in each case."""
    line = middle_table([case(2_000, 1_000.0), case(0, 2_000.0), case(-2_000, 3_000.0)])[0]
    assert line[1:5] == ["+0.000", "+2.000", "+0.000", "-0.667"]
    assert line[5:] == ["13", "0", "1"]


def test_below_zero_counts_false_alarms_and_warnings_apart() -> None:
    found = [
        case(0, shown=True),
        case(0, shown=True, fell=True, warned=(True, True)),
        case(0, fell=True, warned=(False, True)),
        case(0),
    ]
    figures = ("never was: 1 of 4.", "Fell below zero: 2.", "in 1,", "in 2.")
    assert says(below_zero(found), *figures)

"""A probability is held against what truly comes next, and a doubtful series is not claimed."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks.quality.calibration import ENOUGH, comes_true, table, tally_probability
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.scoring import judge
from benchmarks.quality.world.truth import Household
from tests.quality.perfect import perfect_findings


@pytest.fixture
def one(noisy: list[Household]) -> Household:
    return noisy[1]


def _monthly(household: Household) -> Claim:
    """A claim that says what comes next of a monthly charge."""
    streams = {stream.number: stream for stream in household.streams}
    for claim in perfect_findings(household).charges:
        number = household.rows[min(claim.shown)].stream
        assert number is not None
        coming = streams[number].next
        if claim.cadence == "monthly" and coming is not None:
            return replace(claim, next_date=coming.day, amount=coming.amount)
    raise AssertionError


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("days", "comes"), [(-6, False), (-5, True), (5, True), (6, False)])
def test_a_charge_comes_within_its_tolerance_of_days(
    one: Household, days: int, comes: bool
) -> None:
    """A monthly charge may come five days before or after the day that was said."""
    claim = _monthly(one)
    assert claim.next_date is not None
    moved = replace(claim, next_date=claim.next_date + timedelta(days))
    assert comes_true(one, moved) == comes
    weekly = replace(claim, cadence="weekly", next_date=claim.next_date + timedelta(3))
    assert not comes_true(one, weekly)


@pytest.mark.parametrize(
    ("times", "comes"), [(0.89, False), (0.91, True), (1.09, True), (1.11, False)]
)
def test_a_charge_comes_within_a_tenth_of_its_amount(
    one: Household, times: float, comes: bool
) -> None:
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
    dormant = replace(_monthly(one), probability=0.7, active=False)
    tally_probability(tally, one, dormant)
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

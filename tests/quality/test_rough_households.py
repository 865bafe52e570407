"""Rough households: what is missed, moved, cancelled and imitated, with its truth beside it."""

from collections import Counter
from itertools import chain, pairwise
from pathlib import Path

import pytest

from benchmarks.quality.frozen import rough_digest
from benchmarks.quality.rough import __main__ as command
from benchmarks.quality.rough import parts
from benchmarks.quality.rough.household import rough_household
from benchmarks.quality.rough.judging import PARTS_OF_ONE, band_of, calibration_error, judge_group
from benchmarks.quality.rough.quarterly import NOW_AND_THEN, STRAYS


def test_a_seed_always_makes_the_same_household() -> None:
    """Rows and truth are those of the seed alone."""
    assert rough_household(1) == rough_household(1)
    assert rough_household(1).rows != rough_household(2).rows


def test_the_parts_share_no_seed() -> None:
    """Nothing that is reported was tuned on."""
    tuning, reporting = ({*chain.from_iterable(groups)} for groups in parts.PARTS.values())
    assert not tuning & reporting


def test_noisy_quarterly_bills_stray_and_visits_are_labelled() -> None:
    """Over some households there are both, and bills come about a quarter apart."""
    kinds: Counter[str] = Counter()
    for seed in range(12):
        made = rough_household(seed)
        kinds["visits"] += any(row.payee.endswith(NOW_AND_THEN) for row in made.rows)
        for stream in made.streams:
            if stream.what == "noisy quarterly":
                days = [row.day for row in made.rows if row.stream == stream.number]
                kinds["bills"] += 1
                assert all(
                    (later - earlier).days >= 85 - 2 * STRAYS for earlier, later in pairwise(days)
                )
            kinds["yearly"] += stream.what.startswith("yearly")
    assert min(kinds["visits"], kinds["bills"], kinds["yearly"]) > 2


def test_the_calibration_error_weighs_bands_by_their_forecasts() -> None:
    """Ninety forecasts of 0.9 that come as said and ten of 0.6 that never come are off by 0.06."""
    tally = Counter({"all 9 of": 90, "all 9 said": 81 * PARTS_OF_ONE, "all 9": 81})
    assert calibration_error(tally, "all") == 0
    tally += Counter({"all 6 of": 10, "all 6 said": 6 * PARTS_OF_ONE})
    assert calibration_error(tally, "all") == pytest.approx(0.06)
    assert calibration_error(Counter(), "all") == 0
    assert (band_of(0.5), band_of(0.99), band_of(1.0)) == (5, 9, 9)


def test_a_group_adds_up_its_households() -> None:
    """What is judged of a group is the sum of its households."""
    both = judge_group([0, 1])
    first, second = judge_group([0]), judge_group([1])
    assert both == {name: first[name] + second[name] for name in {*first, *second}}


def test_the_command_prints_every_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall and precision, cash, what came once, and the bands of all accounts and of cards."""
    monkeypatch.setitem(parts.PARTS, "tuning", (range(2),))
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    for figure in ("recall", "precision", "cash", "came true", "0.9 to 1", "Calibration error"):
        assert figure in printed
    assert "Tuning: 2 rough households" in printed
    assert f"Rough {rough_digest()}." in printed


def test_the_handbook_tells_of_these_households() -> None:
    """Whoever changes them measures again."""
    handbook = Path(__file__).parents[2] / "finplan" / "docs" / "quality.md"
    assert f"Rough {rough_digest()}" in handbook.read_text("utf-8")

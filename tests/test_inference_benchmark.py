"""What is inferred is as sure as it says, on the labelled payees that may be looked at."""

import pytest

from benchmarks import inference
from finplan.categorise.infer import AUTO_FROM

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=[False, True], ids=["open", "all"])
def judged(request: pytest.FixtureRequest) -> list[inference.Judged]:
    return list(
        inference.judge(inference.labelled_payees("tuning", "abroad"), everything=request.param)
    )


def _right(judged: list[inference.Judged], least: float) -> tuple[int, float]:
    found = [each for each in judged if each.confidence is not None and each.confidence >= least]
    return len(found), sum(each.right for each in found) / len(found)


def test_of_guesses_at_nine_tenths_nine_in_ten_are_right(judged: list[inference.Judged]) -> None:
    """A guess given at 0.9 or more is right at least nine times in ten."""
    count, right = _right(judged, 0.9)
    assert count >= 20
    assert right >= 0.9


def test_what_is_filed_by_itself_is_right_nineteen_times_in_twenty(
    judged: list[inference.Judged],
) -> None:
    """The threshold that files a payee without asking lets through at most one wrong in twenty."""
    count, right = _right(judged, AUTO_FROM)
    assert count >= 20
    assert right >= 0.95


def test_surer_guesses_are_more_often_right(judged: list[inference.Judged]) -> None:
    """The stated confidence orders the guesses: a surer half is right more often than all."""
    assert _right(judged, 0.5)[1] > _right(judged, 0.0)[1]


@pytest.mark.parametrize(("lean", "gain"), [("none", -0.005), ("some", 0.02), ("strong", 0.02)])
def test_habits_raise_what_is_right(lean: str, gain: float) -> None:
    """With 30 answers habits make guesses right more often where payees lean, and no rarer elsewhere."""
    plain, usual = inference.judge_habits(
        inference.labelled_payees("tuning", "abroad"), inference.LEANS[lean], 30
    )
    right = [sum(each.right for each in some) / len(some) for some in (plain, usual)]
    assert len(plain) == len(usual) > 300
    assert right[1] >= right[0] + gain


def test_the_table_shows_every_band(judged: list[inference.Judged]) -> None:
    """Each band of confidence that has guesses has its line."""
    assert len(inference.calibration(judged)) >= 5
    assert len(inference.summary(judged)) == 4


def test_the_benchmark_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the table and the time of 4,000 payees."""
    assert inference.main([]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("tuning part")
    assert "with habits" in shown
    assert "4,000 payees judged" in shown

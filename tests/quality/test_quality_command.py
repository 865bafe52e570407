"""The detectors run over generated households, and the command prints what they are worth."""

from dataclasses import replace
from pathlib import Path

import pytest

import finplan
from benchmarks.quality import __main__ as command
from benchmarks.quality import baseline, beside, chain, parts, speed
from benchmarks.quality.claims import Findings
from benchmarks.quality.figures import WANTED, Figure, as_markdown, as_text, figures
from benchmarks.quality.frozen import generator_digest
from benchmarks.quality.running import run_group
from benchmarks.quality.world.truth import Household


@pytest.mark.parametrize("finder", [chain, baseline])
def test_findings_are_about_rows_of_the_household(finder: object, noisy: list[Household]) -> None:
    """What a detector says names rows of its own direction; charges go out and income comes in."""
    household = noisy[0]
    found: Findings = finder.findings_of(household)  # type: ignore[attr-defined]
    assert len(found.charges) > 5
    assert len(found.pairs) > 10
    for claim in found.charges:
        assert claim.shown
        assert all(household.rows[place].amount < 0 for place in claim.shown | claim.before)
    for claim in found.sources:
        assert claim.shown
        assert all(household.rows[place].amount > 0 for place in claim.shown | claim.before)
    for out, into in found.pairs:
        assert household.rows[out].amount < 0 < household.rows[into].amount


@pytest.mark.thorough
def test_pay_that_is_split_is_found_on_both_accounts(clean: list[Household]) -> None:
    """A source that adds up the parts of a payday names the rows of both accounts."""
    split = [(one, stream) for one in clean for stream in one.streams if "split" in stream.quirks]
    accounts = []
    for household, stream in split:
        places = {at for at, row in enumerate(household.rows) if row.stream == stream.number}
        accounts += [
            {household.rows[at].account for at in claim.shown & places}
            for claim in chain.findings_of(household).sources
            if len(claim.shown & places) > 3
        ]
    assert accounts
    assert all(len(one) == 2 for one in accounts)


@pytest.mark.thorough
def test_a_group_adds_up_its_households() -> None:
    """The tally of a group is the sum of its households', for each detector."""
    both = run_group([0, 1], "noisy")
    first, second = run_group([0], "noisy"), run_group([1], "noisy")
    assert both.rows == first.rows + second.rows
    for name, tally in both.tallies.items():
        assert tally == first.tallies[name] + second.tallies[name]


def test_a_figure_is_the_median_of_its_groups() -> None:
    """Of three groups the middle one is the figure, and the outer ones are its spread."""
    outcome = run_group([2], "noisy")
    groups = []
    for right in (5, 7, 10):
        tallies = {name: tally.copy() for name, tally in outcome.tallies.items()}
        tallies["finplan"].update({"charge recall": 0, "charge recall of": 0})
        tallies["finplan"]["charge recall"], tallies["finplan"]["charge recall of"] = right, 10
        groups.append(tallies)
    recall = figures(groups, "noisy")[0]
    assert recall.values[0] == 0.7
    assert recall.spread == (0.5, 1.0)
    assert recall.verdict == "missed"
    assert replace(recall, target=0.7).verdict == "met"


def test_a_figure_that_counts_mistakes_has_a_most() -> None:
    """Fewer false series than the target meet it, more do not; the table says which way it goes."""
    few = Figure("False", 100, (0.02, 0.5), (0.01, 0.03), 0.02, is_mistakes=True)
    assert (few.verdict, few.aim) == ("met", "≤ 0.02")
    assert replace(few, values=(0.021, 0.5)).verdict == "missed"
    least = replace(few, is_mistakes=False)
    assert (least.verdict, least.aim) == ("met", "≥ 0.02")
    assert replace(least, values=(0.019, 0.5)).verdict == "missed"
    assert replace(few, target=None).aim == ""


def test_both_tables_have_a_line_for_each_figure() -> None:
    """Text and Markdown have the same cells."""
    lines = [["recall", "1"], ["precision", "22"]]
    assert as_text(("Figure", "Value"), lines, [1]).split() == [
        "Figure", "Value", "recall", "1", "precision", "22",
    ]  # fmt: skip
    assert as_markdown(("Figure", "Value"), lines, [1]).splitlines()[1] == "| --- | ---: |"


@pytest.mark.thorough
def test_the_command_prints_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """Seeds of one's own are judged as a part is, with examples of what went wrong."""
    assert command.main(["--seeds", "0-2", "--misses", "1"]) == 0
    printed = capsys.readouterr().out
    assert all(wanted.shown in printed for wanted in WANTED)
    assert "Own seeds, noisy: medians of 1 groups" in printed
    assert "wrong" in printed


@pytest.mark.thorough
def test_the_reporting_part_needs_its_flag(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --report the tuning part is judged, with it the other, of which no misses are shown."""
    monkeypatch.setattr(beside, "_HOUSEHOLDS", 1)
    monkeypatch.setitem(parts.PARTS, "tuning", (range(1),))
    monkeypatch.setitem(parts.PARTS, "reporting", (range(1, 2),))
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    assert "Tuning, noisy" in printed
    assert f"Generator {generator_digest()}." in printed
    assert "Came true" in printed
    assert "Other rows in 13 months" in printed
    assert command.main(["--report", "--markdown", "--noise", "clean"]) == 0
    assert "Reporting, clean" in capsys.readouterr().out
    for refused in (["--report", "--misses", "3"], ["--report", "--seeds", "1"]):
        with pytest.raises(SystemExit):
            command.main(refused)


def test_bills_beside_other_rows_are_counted_of_a_hundred() -> None:
    """For each number of other rows there is one line, with shares of a hundred for each detector."""
    counts = beside.count(1, households=1)
    assert [one.others for one in counts] == list(range(7))
    assert all(0 <= each <= 100 for one in counts for each in (*one.found, *one.false))
    assert counts[0].found[1] > counts[-1].found[1]
    assert len(beside.table(counts)[0]) == len(beside.HEADINGS)


def test_the_report_names_the_generator_that_the_handbook_names() -> None:
    """The figures of the handbook are of this generator: a change of its sources calls for new ones."""
    handbook = Path(finplan.__file__).parent / "docs" / "quality.md"
    assert f"Generator {generator_digest()}" in handbook.read_text("utf-8")


def test_the_busy_ledger_has_one_payee_with_a_tenth() -> None:
    """A ledger to be timed has exactly so many rows, in the order that the plan reads them."""
    ledger = speed.busy_ledger(2_000)
    assert len(ledger.rows) == 2_000
    assert sum(row[0] == 1 for row in ledger.rows) == 200
    assert [row[0] for row in ledger.rows] == sorted(row[0] for row in ledger.rows)
    assert speed.measure([2_000], rounds=1)[0].seconds > 0

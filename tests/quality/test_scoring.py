"""The scorer is fair: the truth scores full marks, and every kind of mistake costs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations

import pytest

from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.figures import WANTED
from benchmarks.quality.scoring import judge
from benchmarks.quality.world.truth import Household, TrueStream
from tests.quality.perfect import perfect_findings


@pytest.fixture
def one(noisy: list[Household]) -> Household:
    return noisy[1]


def _share(household: Household, findings: Findings, figure: str) -> float:
    tally = judge(household, findings).tally
    return tally[figure] / tally[f"{figure} of"]


def test_the_truth_scores_full_marks(noisy: list[Household]) -> None:
    """A detector that says exactly the truth has 1.0 in every figure of the table."""
    for household in noisy:
        verdict = judge(household, perfect_findings(household))
        assert verdict.misses == []
        for wanted in WANTED:
            full = 0 if wanted.is_mistakes else verdict.tally[f"{wanted.tallied} of"]
            assert verdict.tally[wanted.tallied] == full


def test_every_figure_of_the_table_is_judged(noisy: list[Household]) -> None:
    """No figure of the table is empty over many households."""
    tallies = [judge(household, perfect_findings(household)).tally for household in noisy]
    assert all(sum(tally[f"{one.tallied} of"] for tally in tallies) > 0 for one in WANTED)


def test_silence_finds_nothing(one: Household) -> None:
    """A detector that says nothing has recall 0, and no precision at all."""
    tally = judge(one, Findings([], [], [])).tally
    assert tally["charge recall"] == tally["income recall"] == tally["transfer recall"] == 0
    assert tally["charge recall of"] > 10
    assert tally["charge precision of"] == 0


def test_a_dropped_series_lowers_recall_and_its_cadence(one: Household) -> None:
    """A charge that is not found counts against recall, and as a wrong cadence."""
    truth = perfect_findings(one)
    dropped = truth.charges[0]
    verdict = judge(one, replace(truth, charges=truth.charges[1:]))
    assert verdict.tally["charge recall"] == verdict.tally["charge recall of"] - 1
    cadence = f"cadence {dropped.cadence}"
    assert verdict.tally[cadence] == verdict.tally[f"{cadence} of"] - 1
    assert verdict.tally["charge precision"] == verdict.tally["charge precision of"]


def _invented(household: Household, *, cash: bool) -> Claim:
    rows = [
        at
        for at, row in enumerate(household.rows)
        if row.stream is None and row.pair is None and row.amount < 0 and row.cash == cash
    ]
    return Claim(
        "Invented",
        frozenset(rows[:5]),
        frozenset(),
        "monthly",
        active=True,
        next_date=None,
        amount=100,
    )


def test_an_invented_series_lowers_precision(one: Household) -> None:
    """A series of a habit's rows counts against precision, cash left out or not."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[*truth.charges, _invented(one, cash=False)])
    assert _share(one, wrong, "charge precision") < 1
    assert _share(one, wrong, "charge precision without cash") < 1
    assert _share(one, wrong, "charge recall") == 1


def test_a_cash_habit_lowers_only_the_headline(noisy: list[Household]) -> None:
    """A series of cash withdrawals is wrong, and left out where the figure says so."""
    household = next(one for one in noisy if sum(row.cash for row in one.rows) > 5)
    truth = perfect_findings(household)
    wrong = replace(truth, charges=[*truth.charges, _invented(household, cash=True)])
    assert _share(household, wrong, "charge precision") < 1
    assert _share(household, wrong, "charge precision without cash") == 1


def test_a_second_living_series_of_one_stream_is_wrong(one: Household) -> None:
    """A stream told twice is wrong while both are active; an old part that stopped counts nowhere."""
    truth = perfect_findings(one)
    again = truth.charges[0]
    part = replace(again, shown=frozenset(sorted(again.shown)[:3]), active=True)
    twice = replace(truth, charges=[*truth.charges, part])
    assert _share(one, twice, "charge precision") < 1
    rest = replace(truth, charges=[*truth.charges, replace(part, active=False)])
    assert _share(one, rest, "charge precision") == 1
    assert judge(one, rest).tally["charge remainders"] == 1


def _ended(household: Household, cadence: str) -> tuple[TrueStream, Claim] | None:
    truth = perfect_findings(household)
    for stream in household.streams:
        if stream.side == "charge" and stream.active is False and stream.cadence == cadence:
            for claim in truth.charges:
                if household.rows[min(claim.shown)].stream == stream.number:
                    return stream, claim
    return None


def test_what_ended_is_wrong_if_it_is_said_to_go_on(noisy: list[Household]) -> None:
    """An ended charge need not be told; that it goes on is false, and that it is dormant right."""
    household, claim = next(
        (one, found[1]) for one in noisy if (found := _ended(one, "annual")) is not None
    )
    truth = perfect_findings(household)
    rest = [one for one in truth.charges if one is not claim and one.shown != claim.shown]
    untold = judge(household, replace(truth, charges=rest)).tally
    whole = judge(household, truth).tally
    assert untold["charge recall of"] == whole["charge recall of"] == untold["charge recall"]
    assert untold["charge precision of"] == whole["charge precision of"] - 1
    living = replace(truth, charges=[*rest, replace(claim, active=True)])
    for figure in ("charge precision", "annual precision", "charge active"):
        assert _share(household, living, figure) < 1, figure


def test_an_annual_claim_must_be_truly_annual(one: Household) -> None:
    """A monthly charge and an invention that are said to be annual lower the annual precision."""
    truth = perfect_findings(one)
    monthly = next(claim for claim in truth.charges if claim.cadence == "monthly" and claim.active)
    rest = [claim for claim in truth.charges if claim is not monthly]
    wrong = replace(truth, charges=[*rest, replace(monthly, cadence="annual")])
    assert _share(one, wrong, "annual precision") < 1
    invented = replace(_invented(one, cash=False), cadence="annual")
    made_up = replace(truth, charges=[*truth.charges, invented])
    assert _share(one, made_up, "annual precision") < 1


def test_an_annual_charge_that_nobody_could_know_is_annual(noisy: list[Household]) -> None:
    """A guess about an annual charge counts as annual though nobody could know it, and nowhere else."""
    for one in noisy:
        for stream in one.streams:
            places = frozenset(at for at, row in enumerate(one.rows) if row.stream == stream.number)
            guessed = stream.cadence == "annual" and not stream.knowable and stream.active
            if guessed and len(places) == 2:
                truth = perfect_findings(one)
                guess = Claim("", places, frozenset(), "annual", True, None, 100)  # noqa: FBT003
                before, after = (
                    judge(one, replace(truth, charges=[*truth.charges, *more])).tally
                    for more in ([], [guess])
                )
                assert after["annual precision"] == before["annual precision"] + 1
                assert after["charge precision of"] == before["charge precision of"]
                return
    raise AssertionError


def test_false_series_are_counted_per_payee_without_a_bill(one: Household) -> None:
    """Each living invention is one false series; the payees are those paid twice or more for no bill."""
    truth = perfect_findings(one)
    whole = judge(one, truth).tally
    billed = {stream.payee for stream in one.streams if stream.side == "charge"}
    paid = Counter(
        row.payee for row in one.rows if row.amount < 0 and row.pair is None and not row.cash
    )
    assert whole["false series of"] == sum(
        times > 1 and payee not in billed for payee, times in paid.items()
    )
    invented = replace(_invented(one, cash=False), active=True)
    for active, more in ((True, 1), (False, 0)):
        made_up = [*truth.charges, replace(invented, active=active)]
        tally = judge(one, replace(truth, charges=made_up)).tally
        assert tally["false series"] == whole["false series"] + more


def test_two_streams_told_as_one_are_both_missed(one: Household) -> None:
    """A series of two equally frequent streams holds most of neither: two misses and an invention."""
    truth = perfect_findings(one)
    first, second = next(
        (one, other)
        for one, other in combinations([claim for claim in truth.charges if claim.active], 2)
        if one.cadence == other.cadence and 0.7 < len(one.shown) / len(other.shown) < 1.4
    )
    merged = replace(first, shown=first.shown | second.shown)
    rest = [claim for claim in truth.charges if claim not in (first, second)]
    tally = judge(one, replace(truth, charges=[*rest, merged])).tally
    assert tally["charge recall"] == tally["charge recall of"] - 2
    assert tally["charge precision"] == tally["charge precision of"] - 1


_MISTAKES: dict[str, Callable[[Claim], Claim]] = {
    "charge active": lambda claim: replace(claim, active=not claim.active),
    "next date": lambda claim: replace(
        claim, next_date=claim.next_date and claim.next_date + timedelta(4)
    ),
    "charge next date and amount": lambda claim: replace(claim, amount=claim.amount * 2),
    "charge next date": lambda claim: replace(claim, next_date=None),
}


@pytest.mark.parametrize("figure", _MISTAKES)
def test_a_wrong_fact_of_a_series_costs(one: Household, figure: str) -> None:
    """A wrong state, date or amount counts against its figure."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[_MISTAKES[figure](claim) for claim in truth.charges])
    assert _share(one, wrong, figure) < 0.5
    assert _share(one, wrong, "charge recall") == 1


def test_a_wrong_cadence_is_no_match_of_its_cadence(one: Household) -> None:
    """The rows are found, the cadence is not."""
    truth = perfect_findings(one)
    wrong = replace(truth, charges=[replace(claim, cadence="irregular") for claim in truth.charges])
    assert _share(one, wrong, "cadence twice_yearly") == 0
    assert _share(one, wrong, "charge recall") == 1


def test_a_series_that_shows_its_latest_rows_claims_the_earlier_ones(one: Household) -> None:
    """Rows before those shown count if the series began before them, else they are missed."""
    truth = perfect_findings(one)
    weekly = next(claim for claim in truth.charges if len(claim.shown) > 60)
    latest = frozenset(sorted(weekly.shown)[-20:])
    rest = [claim for claim in truth.charges if claim is not weekly]
    whole = replace(weekly, shown=latest, before=weekly.shown - latest)
    assert _share(one, replace(truth, charges=[*rest, whole]), "charge recall") == 1
    part = replace(weekly, shown=latest, before=frozenset())
    assert _share(one, replace(truth, charges=[*rest, part]), "charge recall") < 1


def test_a_pair_of_strangers_costs_precision(one: Household) -> None:
    """Two rows that are not one movement count against precision, a missing pair against recall."""
    truth = perfect_findings(one)
    strangers = [at for at, row in enumerate(one.rows) if row.pair is None][:2]
    wrong = replace(truth, pairs=[*truth.pairs[1:], (strangers[0], strangers[1])])
    assert _share(one, wrong, "transfer precision") < 1
    assert _share(one, wrong, "transfer recall") < 1

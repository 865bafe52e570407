"""What finplan says of rough households, held against their truth."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.quality.calibration import comes_true
from benchmarks.quality.chain import chain_of, claims_of, expected_of
from benchmarks.quality.rough.again import count_again
from benchmarks.quality.rough.household import rough_household
from benchmarks.quality.rough.quarterly import NOW_AND_THEN
from benchmarks.quality.scoring import Tally, match_charges
from benchmarks.quality.world.truth import Household
from finplan.plan.bookkeeping import keep_books
from finplan.plan.detect.series import LEAST_LIKELY

PARTS_OF_ONE = 10_000
"""A probability is added up in so many parts of one."""

BINS = 10
"""Bands of equal width by which the calibration error is weighed."""

NOISY = "noisy quarterly"


def judge_group(seeds: Sequence[int]) -> Tally:
    """Everything that is judged of a group of households."""
    tally: Tally = Counter()
    for seed in seeds:
        made = rough_household(seed)
        tally["rows"] += len(made.rows)
        _judge_quarterly(tally, made)
        _judge_forecasts(tally, made)
    again = count_again(seeds)
    tally.update({f"again {name}": count for name, count in again.items()})
    return tally


def _judge_quarterly(tally: Tally, made: Household) -> None:
    """Count the noisy quarterly bills that are found, and the visits beside them that are taken for one.

    What else may look quarterly is judged by the probability that is said of it.
    """
    chained = chain_of(made)
    books = keep_books(chained.ledger, made.today)
    claims = [one for one in claims_of(made, chained, books).charges if one.active]
    matched = match_charges(made, claims)
    by_number = {one.number: one for one in made.streams}
    of_claim = {id(claim): by_number[number] for number, claim in matched.items()}
    for stream in made.streams:
        if stream.what == NOISY and stream.knowable and stream.active:
            claim = matched.get(stream.number)
            tally["quarterly recall of"] += 1
            tally["quarterly recall"] += claim is not None and claim.cadence == "quarterly"
    for claim in claims:
        rows = [made.rows[place] for place in claim.shown]
        tally["cash series"] += 2 * sum(row.cash for row in rows) > len(rows)
        if claim.cadence != "quarterly":
            continue
        match = of_claim.get(id(claim))
        now_and_then = all(row.payee.endswith(NOW_AND_THEN) for row in rows)
        if not now_and_then and (match is None or match.what != NOISY):
            continue
        tally["quarterly precision of"] += 1
        tally["quarterly precision"] += match is not None and match.active is not False


def _judge_forecasts(tally: Tally, made: Household) -> None:
    """Count what is said of each next charge, by bands, on all accounts and on cards alone."""
    cards = {one.number for one in made.accounts if one.kind == "credit"}
    for series, claim in expected_of(made):
        probability = series.probability
        if probability is None or probability < LEAST_LIKELY:
            continue
        comes = comes_true(made, claim)
        for where in ("all", *(["cards"] if series.account in cards else [])):
            band = f"{where} {band_of(probability)}"
            tally[f"{band} of"] += 1
            tally[f"{band} said"] += round(probability * PARTS_OF_ONE)
            tally[band] += comes


def band_of(probability: float) -> int:
    """The band of a probability, from 0 to 9; the last one holds 1 too."""
    return min(BINS - 1, int(probability * BINS))


def calibration_error(tally: Mapping[str, int], where: str) -> float:
    """The mean distance of what was said from what came, each band weighed by its forecasts."""
    count = sum(tally[f"{where} {band} of"] for band in range(BINS))
    off = sum(
        abs(tally[f"{where} {band} said"] / PARTS_OF_ONE - tally[f"{where} {band}"])
        for band in range(BINS)
    )
    return off / count if count else 0.0

"""Whether a probability is what it says: of claims given 0.8, eight in ten next charges must come.

A next charge comes if the stream that the claim is about truly goes on: within a tolerance of days of
the day that was said, and within a tenth of the amount. A claim about no stream never comes true.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.quality.claims import Claim
from benchmarks.quality.world.truth import Coming, Household
from finplan.model.plan import IncomeCadence

LEAST_LIKELY = 0.5
"""A series that is less likely than this is not claimed."""

BANDS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
ENOUGH = 600
"""The least number of series in a band for a verdict."""

WITHIN = 0.05
"""How far the observed share may lie from the mean probability of a band."""

_MOST = 0.60
_AMOUNT_WITHIN = 0.10
_DAYS_WITHIN: Mapping[IncomeCadence, int] = {"weekly": 2, "biweekly": 3, "semimonthly": 3}
_ELSE_DAYS_WITHIN = 5
_PARTS = 10_000

HEADINGS = ("Probability", "Series", "Mean said", "Came true", "Target", "")
NUMBERS = (1, 2, 3)


def tally_probability(tally: Counter[str], household: Household, claim: Claim) -> None:
    """Count a claim under the band of its probability, and whether its next charge came."""
    if claim.probability is None or not claim.active or claim.next_date is None:
        return
    band = _band(claim.probability)
    if band is not None:
        tally[f"{band} of"] += 1
        tally[f"{band} said"] += round(claim.probability * _PARTS)
        tally[band] += comes_true(household, claim)


def comes_true(household: Household, claim: Claim) -> bool:
    """Whether what a claim expects next is what truly comes next."""
    coming = coming_of(household, claim)
    return coming is not None and is_on_its_day(claim, coming) and is_as_large(claim, coming)


def coming_of(household: Household, claim: Claim) -> Coming | None:
    """What truly comes next of the stream that a claim is about, None if it is about none."""
    owners = Counter(
        stream for place in claim.shown if (stream := household.rows[place].stream) is not None
    )
    if not owners:
        return None
    number, rows = owners.most_common(1)[0]
    if rows < _MOST * len(claim.shown):
        return None
    return next(one for one in household.streams if one.number == number).next


def is_on_its_day(claim: Claim, coming: Coming) -> bool:
    """Whether what comes does so on the day that was said, give or take what its cadence may."""
    days = _DAYS_WITHIN.get(claim.cadence, _ELSE_DAYS_WITHIN)
    return claim.next_date is not None and abs((coming.day - claim.next_date).days) <= days


def is_as_large(claim: Claim, coming: Coming) -> bool:
    """Whether what comes is within a tenth of the amount that was said."""
    return abs(coming.amount - claim.amount) <= _AMOUNT_WITHIN * coming.amount


def table(tallies: Iterable[Mapping[str, int]]) -> list[list[str]]:
    """A line for each band, all groups together; none if no probability was given."""
    whole: Counter[str] = Counter()
    for tally in tallies:
        whole.update(tally)
    lines = [_line(whole, band) for band in BANDS]
    return lines if any(whole[f"{_key(*band)} of"] for band in BANDS) else []


def _line(tally: Mapping[str, int], band: Sequence[float]) -> list[str]:
    low, high = band
    key = _key(low, high)
    count = tally[f"{key} of"]
    name = f"{low:g} to {high:g}"
    if not count:
        return [name, "0", "", "", f"± {WITHIN:g}", "none"]
    said, came = tally[f"{key} said"] / _PARTS / count, tally[key] / count
    verdict = "met" if abs(said - came) <= WITHIN else "missed"
    return [
        name,
        f"{count}",
        f"{said:.3f}",
        f"{came:.3f}",
        f"± {WITHIN:g}",
        verdict if count >= ENOUGH else "too few",
    ]


def _band(probability: float) -> str | None:
    """The band of a probability; the last one holds 1 too."""
    return next(
        (
            _key(low, high)
            for low, high in BANDS
            if low <= probability < high or probability == high == BANDS[-1][1]
        ),
        None,
    )


def _key(low: float, high: float) -> str:
    return f"probability {low:g} to {high:g}"

"""How right a detector's findings are: the rules of matching, and the tallies they add up to.

A claim matches a stream when each holds most of the other: at least 60 % of the stream's rows of its
last year (or of its last three rows, if those are more) are the claim's, and at least 60 % of the rows
that the claim shows are the stream's. The cadence is judged apart. Each matches one other at most, the
largest overlap first. Streams that nobody could know, and claims about them, count nowhere. A charge
that has ended and shows it need not be found, and a claim that it goes on is wrong. What a detector
gives a probability below a half it does not claim.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from benchmarks.quality.calibration import LEAST_LIKELY, tally_probability
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.world.truth import Household, LabelledRow, Side, TrueStream

MOST = 0.60
"""What each must hold of the other."""

NEXT_WITHIN_DAYS = 3
NEXT_WITHIN = 0.10

Tally = Counter[str]
"""How many were right under `name`, and how many were judged under `name of`."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Something that a detector got wrong: which figure it lowers, and what it was, in words."""

    figure: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The tally of a household and the misses behind it."""

    tally: Tally
    misses: Sequence[Miss]


class _Judge:
    """Adds up one household."""

    def __init__(self, household: Household, findings: Findings) -> None:
        self.household = household
        self.findings = findings
        self.tally: Tally = Counter()
        self.misses: list[Miss] = []

    def count(self, figure: str, right: bool, text: str) -> None:
        """Judge one thing under a figure."""
        self.tally[f"{figure} of"] += 1
        if right:
            self.tally[figure] += 1
        else:
            self.misses.append(Miss(figure, f"household {self.household.seed}: {text}"))


def judge(household: Household, findings: Findings) -> Verdict:
    """Judge everything that a detector says of a household."""
    judge_of = _Judge(household, findings)
    _judge_series(judge_of, "charge", _claimed(findings.charges))
    _judge_series(judge_of, "income", _claimed(findings.sources))
    for claim in findings.charges:
        tally_probability(judge_of.tally, household, claim)
    _judge_pairs(judge_of)
    return Verdict(judge_of.tally, judge_of.misses)


def _claimed(claims: Sequence[Claim]) -> list[Claim]:
    """What a detector stands by."""
    return [one for one in claims if one.probability is None or one.probability >= LEAST_LIKELY]


def _judge_series(judge_of: _Judge, side: Side, claims: Sequence[Claim]) -> None:
    household = judge_of.household
    streams = [one for one in household.streams if one.side == side]
    places = _places(household)
    matched = _matches(household, streams, places, claims)
    for stream in streams:
        if not stream.knowable:
            continue
        claim = matched.get(stream.number)
        text = f"{_told(stream)}, {len(places[stream.number])} rows"
        if claim is not None:
            _judge_state(judge_of, side, stream, claim, text)
        if side == "charge" and stream.active is False:
            continue
        judge_of.count(f"{side} recall", claim is not None, f"not found: {text}")
        if side == "income" and stream.cadence != "irregular":
            judge_of.count("income recall, regular", claim is not None, f"not found: {text}")
        _judge_cadence(judge_of, stream, claim, text)
    of_claim = {id(claim): number for number, claim in matched.items()}
    streams_by_number = {stream.number: stream for stream in streams}
    owner = {place: number for number, held in places.items() for place in held}
    if side == "charge":
        judge_of.tally["false series of"] += _without_a_bill(household)
    for claim in claims:
        number = of_claim.get(id(claim))
        match = None if number is None else streams_by_number[number]
        _judge_claim(judge_of, side, claim, owner, match)


def match_charges(household: Household, claims: Sequence[Claim]) -> dict[int, Claim]:
    """The claim that tells of each stream of charges, by the stream's number."""
    streams = [one for one in household.streams if one.side == "charge"]
    return _matches(household, streams, _places(household), claims)


def _places(household: Household) -> dict[int, list[int]]:
    """The places of each stream's rows, by its number."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(household.rows):
        if row.stream is not None:
            places[row.stream].append(place)
    return places


def _matches(
    household: Household,
    streams: Sequence[TrueStream],
    places: Mapping[int, Sequence[int]],
    claims: Sequence[Claim],
) -> dict[int, Claim]:
    """The claim that tells of each stream, by the stream's number."""
    possible = []
    for stream in streams:
        lately = _lately(household, places[stream.number])
        rows = set(places[stream.number])
        for at, claim in enumerate(claims):
            common = len(rows & claim.shown)
            if not common:
                continue
            covered = len(lately & (claim.shown | claim.before)) / len(lately)
            pure = common / len(claim.shown)
            if covered >= MOST and pure >= MOST:
                possible.append((-covered * pure, -common, stream.number, at))
    found: dict[int, Claim] = {}
    for _, _, number, at in sorted(possible):
        # No claim holds most of its rows in two streams, so only streams are to be told apart.
        found.setdefault(number, claims[at])
    return found


def _lately(household: Household, places: Sequence[int]) -> set[int]:
    """The rows of a stream's last year, or its last three when those are more."""
    if not places:
        return set()
    since = household.rows[places[-1]].day - timedelta(365)
    return {place for place in places if household.rows[place].day > since} | set(places[-3:])


def _judge_cadence(judge_of: _Judge, stream: TrueStream, claim: Claim | None, text: str) -> None:
    if stream.cadence == "irregular":
        return
    right = claim is not None and claim.cadence == stream.cadence
    said = "not found" if claim is None else f"said {claim.cadence}"
    if stream.side == "charge" and stream.cadence == "annual":
        judge_of.count("annual recall", right, f"{said}: {text}")
    judge_of.count(f"cadence {stream.cadence}", right, f"{said}: {text}")
    if claim is not None:
        judge_of.count(f"cadence {stream.cadence}, of those found", right, f"{said}: {text}")


def _judge_state(judge_of: _Judge, side: Side, stream: TrueStream, claim: Claim, text: str) -> None:
    if stream.active is not None:
        said = "active" if claim.active else "dormant"
        judge_of.count(f"{side} active", claim.active == stream.active, f"said {said}: {text}")
    if stream.next_date is None:
        return
    near = (
        claim.next_date is not None
        and abs((claim.next_date - stream.next_date).days) <= NEXT_WITHIN_DAYS
    )
    said = f"next {claim.next_date}, truly {stream.next_date}: {text}"
    judge_of.count(f"{side} next date", near, said)
    judge_of.count("next date", near, said)
    if stream.next_amount is None:
        return
    close = abs(claim.amount - stream.next_amount) <= NEXT_WITHIN * stream.next_amount
    said = f"next {claim.next_date} {claim.amount}, truly {stream.next_date} {stream.next_amount}"
    judge_of.count(f"{side} next date and amount", near and close, f"{said}: {text}")


def _judge_claim(
    judge_of: _Judge,
    side: Side,
    claim: Claim,
    owner: Mapping[int, int],
    match: TrueStream | None,
) -> None:
    """Count a claim as right or wrong, unless it tells of something that is not judged."""
    if match is not None:
        right = side == "income" or match.active is not False or not claim.active
        if match.knowable:
            text = f"goes on, says the claim: {_told(match)}"
            _count_claim(judge_of, side, claim, text, right=right)
        if side == "charge" and claim.cadence == "annual":
            is_annual = right and match.cadence == "annual"
            judge_of.count("annual precision", is_annual, f"said annual: {_told(match)}")
        return
    streams = {one.number: one for one in judge_of.household.streams}
    rows = [judge_of.household.rows[place] for place in claim.shown]
    holders = Counter(owner[place] for place in claim.shown if place in owner)
    number, common = holders.most_common(1)[0] if holders else (0, 0)
    stream = streams.get(number)
    if stream is not None and stream.side == side and common >= MOST * len(rows):
        # What has stopped leaves the plan: an old part of a stream does no harm, a living one does.
        if not stream.knowable or not claim.active:
            judge_of.tally[f"{side} remainders"] += 1
            if claim.active and claim.cadence == "annual" == stream.cadence:
                text = f"goes on, says the claim: {_told(stream)}"
                judge_of.count("annual precision", stream.active is not False, text)
            return
        text = f"a second series of {_told(stream)}"
    elif side == "income" and rows and sum(holders.values()) >= MOST * len(rows):
        # Several payers of one kind may be one irregular source.
        return
    else:
        payees = Counter(row.payee for row in rows).most_common(2)
        text = f"invented {claim.cadence} “{claim.name}”, {len(rows)} rows of {payees}"
        judge_of.tally["false series"] += side == "charge" and claim.active
    text += "" if claim.active else " (dormant)"
    _count_claim(judge_of, side, claim, text, right=False)
    if side == "charge" and claim.cadence == "annual":
        judge_of.count("annual precision", False, text)


def _count_claim(judge_of: _Judge, side: Side, claim: Claim, text: str, *, right: bool) -> None:
    judge_of.count(f"{side} precision", right, text)
    rows = [judge_of.household.rows[place] for place in claim.shown]
    if right or not rows or sum(row.cash for row in rows) * 2 <= len(rows):
        judge_of.count(f"{side} precision without cash", right, text)


def _without_a_bill(household: Household) -> int:
    """How many payees are paid twice or more, for nothing that is a stream or a transfer."""
    billed = {one.payee for one in household.streams if one.side == "charge"}
    paid = Counter(
        row.payee for row in household.rows if row.amount < 0 and row.pair is None and not row.cash
    )
    return sum(times > 1 and payee not in billed for payee, times in paid.items())


def _told(stream: TrueStream) -> str:
    quirks = f" ({', '.join(stream.quirks)})" if stream.quirks else ""
    return f"{stream.cadence} {stream.what} “{stream.payee}”{quirks}"


def _judge_pairs(judge_of: _Judge) -> None:
    """A pair is right when the rows are truly paired, or equal to those: same account, day, amount."""
    rows = judge_of.household.rows
    true = Counter((rows[out][:3], rows[into][:3]) for out, into in _true_pairs(judge_of.household))
    left = Counter(true)
    for out, into in judge_of.findings.pairs:
        key = (rows[out][:3], rows[into][:3])
        right = left[key] > 0
        left[key] -= right
        judge_of.count(
            "transfer precision", right, f"paired {_row(rows[out])} and {_row(rows[into])}"
        )
        judge_of.tally["transfer recall"] += right
    judge_of.tally["transfer recall of"] += sum(true.values())
    for out, into in _true_pairs(judge_of.household):
        key = (rows[out][:3], rows[into][:3])
        if left[key] > 0:
            left[key] -= 1
            text = f"not paired {_row(rows[out])} and {_row(rows[into])}"
            seed = judge_of.household.seed
            judge_of.misses.append(Miss("transfer recall", f"household {seed}: {text}"))


def _row(row: LabelledRow) -> str:
    return f"[account {row.account}, {row.day}, {row.amount}, {row.raw}]"


def _true_pairs(household: Household) -> Iterator[tuple[int, int]]:
    legs: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(household.rows):
        if row.pair is not None:
            legs[row.pair].append(place)
    for one, other in legs.values():
        yield (one, other) if household.rows[one].amount < 0 else (other, one)

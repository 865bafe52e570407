"""What a detector that knows the truth would say of a household."""

from collections import defaultdict
from datetime import timedelta

from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.world.truth import Household, Side


def perfect_findings(household: Household) -> Findings:
    """Every stream that can be known, every true pair, and nothing else."""
    legs: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(household.rows):
        if row.pair is not None:
            legs[row.pair].append(place)
    pairs = []
    for one, other in legs.values():
        pairs.append((one, other) if household.rows[one].amount < 0 else (other, one))
    return Findings(_claims(household, "charge"), _claims(household, "income"), pairs)


def _claims(household: Household, side: Side) -> list[Claim]:
    claims = []
    for stream in household.streams:
        if stream.side != side or not stream.knowable:
            continue
        places = [at for at, row in enumerate(household.rows) if row.stream == stream.number]
        last = household.rows[places[-1]]
        claims.append(
            Claim(
                name=stream.payee,
                shown=frozenset(places),
                before=frozenset(),
                cadence=stream.cadence,
                active=stream.active is not False,
                next_date=stream.next_date or last.day + timedelta(7),
                amount=stream.next_amount or abs(last.amount),
            )
        )
    return claims

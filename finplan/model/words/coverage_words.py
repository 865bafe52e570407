"""The days that an account is covered for, and those that are missing, in words."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from finplan.model import figures
from finplan.model.account import CoveredSpan

_DAY = timedelta(days=1)


def covered_said(spans: Sequence[CoveredSpan]) -> str:
    """Name the days that are covered, span by span; empty without any."""
    return _listed([figures.day_span(span.since, span.until) for span in spans])


def missing_said(spans: Sequence[CoveredSpan]) -> str:
    """Name the days between the spans, of which nothing is known."""
    return _listed(
        [
            figures.day_span(before.until + _DAY, after.since - _DAY)
            for before, after in pairwise(spans)
        ]
    )


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

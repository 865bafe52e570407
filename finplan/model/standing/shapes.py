"""How far a plan's figures can be trusted: what of spending is unknown, and which figures are bounds."""

from typing import Literal

from finplan.model.base import Amount, Wire

Bound = Literal["exact", "at most", "at least", "unknown"]
"""What a sum is worth to which a balance that nobody told adds 0."""

UncertainFigure = Literal["netWorth", "debt", "available", "monthsCovered"]
"""A figure that a debt nobody told makes look better than it may be."""

UnlinkedKind = Literal["loan", "savings"]
"""What rows show that is not linked, beside cards: loans, and savings or investments."""


class PlanStanding(Wire):
    """What of a plan is unknown.

    `unknownShare` is the part of spending in no known category, within 0..1, and `moneyUnknown` what
    that is a month; from a tenth on the plan is provisional. So it is where a tenth of the money in is
    not known: `moneyInUnknown` is that a month, and 0 below a tenth. The figures of `atMost` may be
    worse, since a debt is unknown: of `debt`, which is what is known of it, that means more, of the
    others less. `unlinked` are the kinds of accounts beside cards that regular payments show and no
    balance holds.
    """

    provisional: bool
    unknown_share: float
    money_unknown: Amount
    money_in_unknown: Amount = 0
    at_most: tuple[UncertainFigure, ...]
    unlinked: tuple[UnlinkedKind, ...] = ()


def bound(*, too_high: bool, too_low: bool) -> Bound:
    """What a sum is worth that may be higher than the truth, or lower, or both."""
    if too_high and too_low:
        return "unknown"
    return "at most" if too_high else "at least" if too_low else "exact"

"""The report of spending: totals by group with their shares.

There may be thousands of groups, so they are plain tuples until they are checked, all together.
"""

from collections.abc import Iterable, Sequence
from datetime import date

from finplan.model.spending import Grouping, SpendingReport

GroupSums = tuple[str, str, int, int]
"""A group's key, its label, its total in minor units, positive when money went out, and its rows."""

SortableSums = tuple[int, str, str, int]
"""A group's total, negative when money went out, its key, its label and its rows."""


def most_first(groups: Iterable[SortableSums]) -> list[GroupSums]:
    """Groups by their totals, the largest first, and by their keys where these are equal."""
    return [(key, label, -total, rows) for total, key, label, rows in sorted(groups)]


def report_of(
    since: date, until: date, group_by: Grouping | None, groups: Sequence[GroupSums]
) -> SpendingReport:
    """The report of some groups in their order; without a grouping they are only added up.

    A share is of all positive totals, with four decimals.
    """
    totals = [total for _, _, total, _ in groups]
    positive = sum([total for total in totals if total > 0])
    shown = [
        {
            "key": key,
            "label": label,
            "total": total,
            "count": count,
            "share": round(10_000 * total / positive) / 10_000 if total > 0 else 0.0,
        }
        for key, label, total, count in groups
    ]
    return SpendingReport.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": group_by,
            "total": sum(totals),
            "count": sum([count for _, _, _, count in groups]),
            "groups": () if group_by is None else tuple(shown),
        }
    )

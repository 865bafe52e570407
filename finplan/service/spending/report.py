"""The report of spending: totals by group with their shares."""

from collections.abc import Mapping
from datetime import date

from finplan.model.spending import Grouping, SpendingReport


def report_of(
    since: date,
    until: date,
    group_by: Grouping | None,
    totals: Mapping[str, tuple[int, int]],
    labels: Mapping[str, str],
) -> SpendingReport:
    """The report of some groups in their order; without a grouping they are only added up.

    `totals` has each group's total in minor units, positive when money went out, and its count of rows;
    a group without a label is called by its key. A share is of all positive totals, with four decimals.
    """
    positive = sum(total for total, _ in totals.values() if total > 0)
    # There may be thousands of groups, so they are checked together and not one by one.
    groups = [
        {
            "key": key,
            "label": labels.get(key, key),
            "total": total,
            "count": count,
            "share": round(10_000 * total / positive) / 10_000 if total > 0 else 0.0,
        }
        for key, (total, count) in totals.items()
    ]
    return SpendingReport.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": group_by,
            "total": sum(total for total, _ in totals.values()),
            "count": sum(count for _, count in totals.values()),
            "groups": () if group_by is None else tuple(groups),
        }
    )

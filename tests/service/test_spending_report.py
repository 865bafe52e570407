"""The report that is written at once is what its shape would write."""

from datetime import date
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from finplan.model.spending import Grouping, SpendingReport
from finplan.service.spending.report import Groups, write_report

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SUMS = st.dictionaries(NAMES, st.tuples(st.integers(-(10**9), 10**12), st.integers(0, 9999)))


@given(
    sums=SUMS,
    labels=st.dictionaries(NAMES, NAMES),
    group_by=st.sampled_from((None, *get_args(Grouping))),
    since=st.dates(),
    until=st.dates(),
)
def test_what_is_written_is_the_shape(
    sums: dict[str, tuple[int, int]],
    labels: dict[str, str],
    group_by: Grouping | None,
    since: date,
    until: date,
) -> None:
    """Byte for byte what pydantic writes, whatever a merchant is called; shares of positive totals."""
    labels = {key: labels.get(key, key) for key in sums}
    positive = sum(total for total, _ in sums.values() if total > 0)
    groups = [
        {
            "key": key,
            "label": labels[key],
            "total": total,
            "count": count,
            "share": round(10_000 * total / positive) / 10_000 if total > 0 else 0.0,
        }
        for key, (total, count) in sums.items()
    ]
    report = SpendingReport.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": group_by,
            "total": sum(total for total, _ in sums.values()),
            "count": sum(count for _, count in sums.values()),
            "groups": tuple(groups) if group_by else (),
        }
    )
    expected = TypeAdapter(SpendingReport).dump_json(report, by_alias=True)
    assert write_report(since, until, group_by, Groups.of(sums, labels)).content == expected

"""The report of spending as JSON, written at once: it may have thousands of groups.

To make and check an object for each of them would take longer than to add them up.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from json.encoder import encode_basestring
from typing import NamedTuple, Self

from finplan.model.spending import Grouping, SpendingReport
from finplan.operation import Written


class Groups(NamedTuple):
    """Groups in the order of the report: how each begins, its total (positive out), its row count."""

    heads: Sequence[str]
    totals: Sequence[int]
    counts: Sequence[int]

    @classmethod
    def of(cls, sums: Mapping[str, tuple[int, int]], labels: Mapping[str, str]) -> Self:
        """The groups of some keys in their order; a key without a label is its own."""
        return cls(
            [head_of(key, labels.get(key, key)) for key in sums],
            [total for total, _ in sums.values()],
            [count for _, count in sums.values()],
        )


def head_of(key: str, label: str) -> str:
    """What a group begins with: its key and label."""
    return f'{{"key":{encode_basestring(key)},"label":{encode_basestring(label)},"total":'


def write_report(
    since: date, until: date, group_by: Grouping | None, groups: Groups
) -> Written[SpendingReport]:
    """The report of some groups; without a grouping they are only added up.

    A group's share is of all positive totals, with four decimals.
    """
    shown = () if group_by is None else _shown(groups)
    grouping = "null" if group_by is None else f'"{group_by}"'
    return Written(
        f'{{"from":"{since}","to":"{until}","groupBy":{grouping},"total":{sum(groups.totals)},'
        f'"count":{sum(groups.counts)},"groups":[{",".join(shown)}]}}'.encode()
    )


def _shown(groups: Groups) -> Iterable[str]:
    positive = sum([total for total in groups.totals if total > 0])
    shares = _shares()
    return [
        f'{head}{total},"count":{count},"share":{shares[round(10_000 * total / positive)]}}}'
        if total > 0
        else f'{head}{total},"count":{count},"share":0.0}}'
        for head, total, count in zip(*groups, strict=True)
    ]


@cache
def _shares() -> tuple[str, ...]:
    """Each share as it is written, by its ten thousandths: writing a float takes its time."""
    return tuple(str(share / 10_000) for share in range(10_001))

"""The money groups: what a theme usually costs, what it cost this month, what is still to come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from finplan.categorise.catalogue import BUILT_IN, GROUP_LABELS, Catalogue
from finplan.model.category import SpendingLine
from finplan.model.plan import Plan
from finplan.model.snapshot import GroupCategory, MoneyGroup
from finplan.plan.sections.spending import shares

_REST = "other"

_LINE_OF_GROUP = {
    category.group: category.line for category in BUILT_IN.values() if category.group is not None
}


@dataclass(slots=True)
class _Sums:
    line: SpendingLine
    total: int = 0
    running: int = 0
    upcoming: int = 0
    categories: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def monthly(self) -> int:
        return sum(monthly for monthly, _ in self.categories.values())

    @property
    def spent(self) -> int:
        return sum(spent for _, spent in self.categories.values())


def money_groups(
    plan: Plan,
    catalogue: Catalogue,
    running: Mapping[str, int],
    spent: Mapping[str, int],
    upcoming: Mapping[str, int],
) -> tuple[MoneyGroup, ...]:
    """The groups of a plan's categories and of this month's, dearest first.

    `spent` and `upcoming` are this month's sums by category, positive when money goes out, and `running`
    is what a month takes from now on. Sum of `monthly` = the plan's total spending, left = running -
    spent - upcoming, and shares add up to 1.
    """
    known = {entry.category: entry for entry in plan.categories}
    sums: dict[str, _Sums] = {}
    for category in sorted({*known, *running, *spent, *upcoming}):
        line = line_of(catalogue, category, known[category].line if category in known else None)
        group = sums.setdefault(_key(catalogue, category, line), _Sums(line))
        entry = known.get(category)
        group.categories[category] = (entry.monthly if entry else 0, spent.get(category, 0))
        group.total += entry.total if entry else 0
        group.running += running.get(category, 0)
        group.upcoming += upcoming.get(category, 0)
    ordered = sorted(sums.items(), key=lambda item: (-item[1].monthly, item[0]))
    portions = shares([group.total for _, group in ordered])
    labels = {entry.category: entry.label for entry in plan.categories}
    return tuple(
        MoneyGroup(
            key=key,
            label=_label(key),
            line=group.line,
            monthly=group.monthly,
            spent=group.spent,
            upcoming=group.upcoming,
            left=group.running - group.spent - group.upcoming,
            share=share,
            categories=tuple(
                GroupCategory(
                    category=category,
                    label=catalogue[category].label if category in catalogue else labels[category],
                    monthly=monthly,
                    spent=paid,
                )
                for category, (monthly, paid) in _dearest_first(group.categories)
            ),
        )
        for (key, group), share in zip(ordered, portions, strict=True)
    )


def group_of(catalogue: Catalogue, category: str) -> str:
    """The theme of a spending category; "other" for one that has none or is no longer known."""
    return (catalogue[category].group if category in catalogue else None) or _REST


def line_of(
    catalogue: Catalogue, category: str, before: SpendingLine | None = None
) -> SpendingLine:
    """The line that a plan put a category on, else the line that it is on now."""
    if before is not None:
        return before
    essential = category in catalogue and catalogue[category].line == "essential"
    return "essential" if essential else "discretionary"


def _key(catalogue: Catalogue, category: str, line: SpendingLine) -> str:
    """A group has one line, so categories of the other line make a group beside it.

    The theme of a person's own categories has no line of its own and so makes a group on each.
    """
    group = group_of(catalogue, category)
    return group if _LINE_OF_GROUP.get(group) == line else f"{group}_{line}"


def _label(key: str) -> str:
    group, _, line = key.partition("_")
    label = GROUP_LABELS.get(group, group)
    return f"{label}, {line}" if line else label


def _dearest_first(
    categories: Mapping[str, tuple[int, int]],
) -> Iterable[tuple[str, tuple[int, int]]]:
    return sorted(categories.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))

"""The page of the numbers names every figure, as it is called in JSON."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from finplan.handbook.pages import handbook
from finplan.model.base import Wire
from finplan.model.explain import SECTIONS
from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot, Wealth
from finplan.store.handbook_index import handbook_index


def shapes_in(kind: Any) -> Iterator[type[Wire]]:
    """The shapes that a field may hold, one by itself or in a list."""
    if isinstance(kind, type) and issubclass(kind, Wire):
        yield kind
    for each in get_args(kind):
        yield from shapes_in(each)


def parts(shape: type[Wire]) -> Iterator[tuple[str, str, type[Wire] | None]]:
    """The parts of a shape: the name in JSON, the name of a figure of it, and the shape within."""
    for name, field in shape.model_fields.items():
        outside = field.alias or name
        inner = next(shapes_in(field.annotation), None)
        many = "tuple" in str(field.annotation)
        yield outside, f"{outside}[]" if many else outside, inner


def figures(shape: type[Wire], above: str = "") -> Iterator[tuple[str, str]]:
    """Every field that holds no other fields: the whole name, and the last one."""
    for outside, leading, inner in parts(shape):
        if inner is None:
            yield f"{above}{outside}", outside
        else:
            yield from figures(inner, f"{above}{leading}.")


def page() -> str:
    return handbook()["numbers"].markdown


@pytest.mark.parametrize("name", [name for name, _ in figures(Plan)])
def test_every_field_of_the_plan_is_told(name: str) -> None:
    """A field of the plan stands on the page by its whole name, or by its own where its list is told."""
    above, _, own = name.rpartition(".")
    told = re.split(r"^#+ ", page(), flags=re.MULTILINE)
    its_list = f"`{above.removesuffix('[]')}`"
    assert f"`{name}`" in page() or any(its_list in text and f"`{own}`" in text for text in told)


@pytest.mark.parametrize("shape", [Snapshot, Wealth])
def test_every_part_of_the_live_view_is_told(shape: type[Wire]) -> None:
    """A part of what is safe to spend, or of wealth, stands on the page by its name."""
    told = page()
    for outside, _, inner in parts(shape):
        assert re.search(rf"`{outside}[`.\[]", told), outside
        if inner is not None and outside in {"allowance", "period", "due", "balances", "gaps"}:
            for own, *_ in parts(inner):
                assert re.search(rf"`{outside}\.{own}[`.\[]", told), f"{outside}.{own}"


def test_every_section_that_is_explained_is_told() -> None:
    """What `finplan plan explain` explains stands on the page."""
    for name in SECTIONS:
        assert name.lower() in page().lower(), name


@pytest.mark.parametrize(
    ("asked", "section"),
    [
        ("monthly.savingsRate", "savings-rate-or-share-left-over-monthlysavingsrate"),
        ("how is the savings rate made", "savings-rate-or-share-left-over-monthlysavingsrate"),
        ("monthly.dailyAllowance", "the-plans-own-pace-a-day-monthlydailyallowance"),
        ("emergencyFund.monthsCovered", "months-it-lasts-emergencyfundmonthscovered"),
        (
            "debt.monthlyPayment",
            "to-be-paid-and-months-until-clear-debtmonthlypayment-debtmonthstoclear",
        ),
        ("budget targetShare", "target-budgettarget-budgettargetshare"),
    ],
)
def test_a_figure_is_found_by_its_name(asked: str, section: str) -> None:
    """Who asks for a figure by its name finds the section that tells of it among the first pages."""
    best = {each.page.name: each.sections[0] for each in handbook_index().find(asked, 3)}
    assert best["numbers"].place == f"numbers#{section}"

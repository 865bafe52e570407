"""Changes that are tried in a terminal: asked for as they are typed, and shown side by side."""

import json
from typing import Any

import pytest

from finplan.cli.console.errors import BAD_INPUT, USAGE
from finplan.model.what_if import WhatIf, WhatIfDebt, WhatIfFigures, WhatIfFund, WhatIfLow
from finplan.views.page import plain
from finplan.views.what_if import NO_RUNWAY, brief, verdict
from tests.cli import made_up
from tests.cli.conftest import Run
from tests.cli.made_up_plan import TODAY
from tests.cli.stub import Stub
from tests.views.drawing import how


def figures(expected: int, low: int | None, **others: Any) -> WhatIfFigures:
    """Figures of a household whose cash is lowest on New Year's Eve."""
    fields: dict[str, Any] = {
        "planned_income": 4_000_00,
        "running_spend": 3_000_00,
        "set_aside": 0,
        "capacity": 1_000_00,
        "fund": WhatIfFund(
            months_covered=2.5, target_amount=9_000_00, gap=500_00, monthly_contribution=500_00
        ),
        "debt": WhatIfDebt(total=0, monthly_payment=0, months_to_clear=None),
        "allowance": 30_00,
        "low": WhatIfLow(date=TODAY, expected=expected, low=low),
        "runway_months": None,
        "net_worth": 50_000_00,
    }
    return WhatIfFigures(**fields | others)


def told(tried: WhatIf) -> list[str]:
    """What agents are told, a line each."""
    return [plain(line) for line in brief(tried, how()) if line is not None]


def trial(after: WhatIfFigures) -> WhatIf:
    before = figures(2_000_00, 1_500_00)
    return WhatIf(today=TODAY, before=before, after=after, notes=("It is a loan.",))


@pytest.mark.parametrize(
    ("expected", "low", "begins"),
    [
        (1_000_00, 1, "Yes"),
        (1_000_00, 0, "Yes"),
        (1_000_00, None, "Yes"),
        (1_000_00, -1, "Close"),
        (0, -1, "Close"),
        (-1, -1, "No"),
        (-1, None, "No"),
    ],
)
def test_a_verdict_rests_on_the_lowest_cash(expected: int, low: int | None, begins: str) -> None:
    """Yes while even the low end of the range is not below zero; no once expected cash is."""
    assert verdict(trial(figures(expected, low)), how()).startswith(begins)


def test_without_a_balance_nobody_knows() -> None:
    """No forecast gives no verdict."""
    unknown = figures(0, None).model_copy(update={"low": None})
    assert verdict(trial(unknown), how()).startswith("Unknown")


def test_agents_are_told_what_moves() -> None:
    """Each figure that moves is a line, and no other one is; what it rests on comes last."""
    lines = told(trial(figures(1_000_00, 500_00, allowance=10_00)))
    assert lines[1] == "Safe to spend a day: $30.00 now, $10.00 with the changes."
    assert [line.partition(":")[0] for line in lines[2:]] == [
        "Lowest expected cash",
        "Low end of its range",
        "It is a loan.",
    ]


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("afford 1200", [{"kind": "one_time", "amount": 120000}]),
        (
            "afford 90 --monthly --from 2027-03",
            [{"kind": "spending", "amount": 9000, "from": "2027-03-01"}],
        ),
        (
            "afford 12000 --apr 6.4 --months 48",
            [{"kind": "loan", "amount": 1200000, "apr": 0.064, "months": 48}],
        ),
        (
            "what-if --change landlord=1900 --cancel gym --lose-income acme",
            [
                {"kind": "spending", "of": "landlord", "amount": 190000},
                {"kind": "cancel", "of": "gym"},
                {"kind": "lose_income", "of": "acme"},
            ],
        ),
        (
            "what-if --income 500 --pay visa=10.50 --balance a=b=7",
            [
                {"kind": "income", "amount": 50000},
                {"kind": "balance", "of": "a=b", "amount": 700},
                {"kind": "lump_sum", "of": "visa", "amount": 1050},
            ],
        ),
    ],
)
def test_what_is_typed_is_what_is_tried(
    finplan: Run, stub: Stub, line: str, changes: list[dict[str, Any]]
) -> None:
    """Each option is a change of its kind, in minor units; NAME=AMOUNT parts at the last sign."""
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("POST", "/plan/what-if", trial(figures(1_000_00, 500_00)))
    ended = finplan(*line.split(), "--days", "30")
    assert ended.code == 0, ended.err
    (sent,) = [json.loads(each.body) for each in stub.asked if each.path.endswith("/what-if")]
    changed = [
        {key: value for key, value in each.items() if value is not None} for each in sent["changes"]
    ]
    assert changed == changes
    assert sent["days"] == 30
    assert b"$1,000.00" in ended.out


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("what-if", USAGE),
        ("what-if --change landlord", BAD_INPUT),
        ("what-if --change =5", BAD_INPUT),
        ("what-if --loan 5000", BAD_INPUT),
        ("what-if --apr 5", BAD_INPUT),
        ("afford", USAGE),
        ("afford much", BAD_INPUT),
        ("afford 5 --apr x --months 3", BAD_INPUT),
    ],
)
def test_what_is_no_change_is_refused(finplan: Run, stub: Stub, line: str, code: int) -> None:
    """A change without its amount, a loan without its terms, and no change at all."""
    stub.answer("GET", "/settings", made_up.household_settings())
    assert finplan(*line.split()).code == code


def test_cash_without_end_is_said_so() -> None:
    """Where income covers spending, cash lasts without a limit."""
    assert NO_RUNWAY not in "".join(told(trial(figures(1, 1))))
    lines = told(trial(figures(2_000_00, 1_500_00, runway_months=26.9)))
    assert f"Cash lasts: {NO_RUNWAY} now, 26.9 months with the changes." in lines

"""What if: changes that a person only tries, and the plan before and after them."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model import base
from finplan.model.plan import Cadence
from finplan.model.planned import PlannedAmount
from finplan.model.snapshot import FURTHEST_DAY_AHEAD, USUAL_DAYS_AHEAD, ForecastLow

WhatIfKind = Literal[
    "one_time", "spending", "income", "lose_income", "cancel", "balance", "lump_sum", "loan"
]

MOST_CHANGES = 20


class WhatIfChange(base.Wire):
    """One change to try.

    - `one_time`: you pay `amount` on `from`, which is today by default.
    - `spending`: you pay `amount` again and again from `from` on (`every`, monthly by default). With
      `of`, a recurring charge costs `amount` instead of what it costs now.
    - `income`: you receive `amount` again and again from `from` on.
    - `lose_income`: the income source `of` ends today.
    - `cancel`: the recurring charge `of` ends today.
    - `balance`: the account `of` has the balance `amount`.
    - `lump_sum`: you pay `amount` to the card or loan `of` today.
    - `loan`: you borrow `amount` at `apr` for `months`, and pay it back monthly.

    `of` is an id or a name: of a series from /recurring, or of an account. `name` is for your own use.
    """

    kind: WhatIfKind
    name: base.Name | None = None
    target: Annotated[base.Text | None, Field(alias="of")] = None
    amount: PlannedAmount | None = None
    since: Annotated[base.BookedDay | None, Field(alias="from")] = None
    until: base.BookedDay | None = None
    every: Cadence | None = None
    apr: Annotated[float, Field(ge=0, le=10)] | None = None
    months: Annotated[base.Whole, Field(ge=1, le=600)] | None = None


class WhatIfRequest(base.Wire):
    """Changes to try together; nothing is stored. The forecast looks `days` ahead."""

    changes: Annotated[tuple[WhatIfChange, ...], Field(max_length=MOST_CHANGES)]
    days: Annotated[base.Whole, Field(ge=1, le=FURTHEST_DAY_AHEAD)] = USUAL_DAYS_AHEAD


class WhatIfFund(base.Wire):
    """The emergency fund: months that it covers, its target, what is missing, and what goes to it."""

    months_covered: float
    target_amount: base.Amount
    gap: base.Amount
    monthly_contribution: base.Amount


class WhatIfDebt(base.Wire):
    """Card debt, the monthly payment, and the months until it is paid off; null if never or unknown."""

    total: base.Amount
    monthly_payment: base.Amount
    months_to_clear: base.Whole | None


class WhatIfLow(ForecastLow):
    """The lowest expected cash, and how low it may be in four of five simulations."""

    low: base.Amount | None


class WhatIfFigures(base.Wire):
    """A plan in short; all amounts but `allowance` and balances are a month.

    `allowance` is safe to spend a day. `low` is null if a cash balance is missing. `runwayMonths` says
    how long cash lasts at this pace; null if income covers spending and repeated planned payments.
    """

    planned_income: base.Amount
    running_spend: base.Amount
    set_aside: base.Amount
    capacity: base.Amount
    fund: WhatIfFund
    debt: WhatIfDebt
    allowance: base.Amount
    low: WhatIfLow | None
    runway_months: float | None
    net_worth: base.Amount


class WhatIf(base.Wire):
    """The plan as it is (`before`) and with the changes (`after`), and what they rest on."""

    today: date
    before: WhatIfFigures
    after: WhatIfFigures
    notes: tuple[str, ...]

"""What an answer holds as data, where it is not the sum that the tool of MCP tells."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.spending_question import SpendingTold, SpentGroup
from finplan.daemon.surfaces.mcp.tools.transactions import RowTold
from finplan.model.base import Amount, Whole, Wire
from finplan.model.spending import Grouping
from finplan.questions.signs import MeanUnit


class MeanTold(Wire):
    """A mean of whole units of the calendar, or of purchases: `total` over `units`, half-even."""

    kind: Literal["mean"] = "mean"
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    unit: MeanUnit
    units: Whole
    mean: Amount
    total: Amount
    count: Whole


class IncomeTold(Wire):
    """Income of some days by `groupBy`, positive when money came in; `unfiled` is in no category yet."""

    kind: Literal["income"] = "income"
    group_by: Grouping
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    total: Amount
    count: Whole
    groups: tuple[SpentGroup, ...]
    unfiled: Amount
    unfiled_count: Whole


class PurchasesTold(Wire):
    """Single purchases: `count` of them, what they add up to, and the largest as rows."""

    kind: Literal["purchases"] = "purchases"
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    total: Amount
    count: Whole
    transactions: tuple[RowTold, ...]


PlainTold = SpendingTold | MeanTold | IncomeTold | PurchasesTold


class ComparisonTold(Wire):
    """Two answers, and by how much the first is more than the second."""

    kind: Literal["comparison"] = "comparison"
    understood: str
    first: PlainTold
    second: PlainTold
    difference: Amount


AnyTold = PlainTold | ComparisonTold

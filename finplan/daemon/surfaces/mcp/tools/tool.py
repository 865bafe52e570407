"""What a tool is, and one call of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from finplan.model.base import Nothing, Wire
from finplan.model.errors import ErrorEnvelope
from finplan.model.user import HouseholdSettings
from finplan.operation import AnyOperation
from finplan.operations.person import SHOW_SETTINGS
from finplan.service.context import Context

ToolAsks = TypeVar("ToolAsks", bound=Wire)
ToolTells = TypeVar("ToolTells", bound=Wire)

ToolEffect = Literal["reads", "adds", "changes"]
"""What a call does to the person's data: nothing, something that takes nothing away, or a change."""

Report = Callable[[int, int, str], Awaitable[None]]
"""Tells whoever waits how far a call is: steps done, of how many, and what it is at."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One thing that the person may choose: what it stands for, and what it is called."""

    value: str
    label: str


Elicit = Callable[[str, tuple[Offered, ...]], Awaitable[str | None]]
"""Asks the person, through their client, to choose; None where they would not, or cannot be asked."""


class FailedAlready(Exception):
    """What a tool watched has failed, and says so itself."""

    def __init__(self, told: ErrorEnvelope) -> None:
        super().__init__(told.message)
        self.told = told


AskRow = Callable[[Context, AnyOperation, Wire], Awaitable[Any]]
"""Answers what a row does for whoever the context is of. Raises the faults of `model.errors`."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, by whoever the context is of."""

    context: Context
    ask_row: AskRow
    report: Report
    elicit: Elicit

    async def ask(self, row: AnyOperation, question: Wire | None = None) -> Any:
        """What a row of the table answers. Raises the faults of `model.errors`."""
        return await self.ask_row(self.context, row, question or Nothing())

    async def settings(self) -> HouseholdSettings:
        """The household's currency and time zone."""
        answer: HouseholdSettings = await self.ask(SHOW_SETTINGS)
        return answer


@dataclass(frozen=True, slots=True)
class Tool(Generic[ToolAsks, ToolTells]):
    """One tool: what it is called and for, the shapes of its question and answer, and who may call it.

    `rows` are those of the table that it may perform; the first says which scope it needs. `say` puts an
    answer into words, amounts in the currency of a code. `view` names the page
    that a host may draw it on.
    """

    name: str
    title: str
    description: str
    asks: type[ToolAsks]
    answers: type[ToolTells]
    rows: tuple[AnyOperation, ...]
    effect: ToolEffect
    perform: Callable[[Call, ToolAsks], Awaitable[ToolTells]]
    say: Callable[[ToolTells, str], str]
    view: str | None = None
    reaches_a_bank: bool = False

    @property
    def scope(self) -> str:
        """The scope that it needs: that of its first row."""
        return self.rows[0].scope


AnyTool = Tool[Any, Any]

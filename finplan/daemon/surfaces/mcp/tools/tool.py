"""What a tool is, one call of it, and how it asks rows of the table.

It asks as REST does, and of what REST has answered already.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Generic, Literal, TypeVar, cast, get_args, get_type_hints

from pydantic import TypeAdapter

from finplan.daemon.surfaces.rest.answers import AnswerCache, AskedAnswer
from finplan.daemon.surfaces.rest.routes import Perform, encoded
from finplan.model.base import Nothing, Wire
from finplan.model.errors import ErrorEnvelope
from finplan.model.user import HouseholdSettings
from finplan.operation import AnyOperation, Derived
from finplan.operations.person import SHOW_SETTINGS
from finplan.service.context import Context
from finplan.service.derived.books import state_of_caller
from finplan.service.dispatch import check_scope
from finplan.store.derived import State
from finplan.views.locale import Locale

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


_NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, by whoever the context is of."""

    context: Context
    ask_row: AskRow
    report: Report
    elicit: Elicit

    async def ask(self, row: AnyOperation, question: Wire | None = None) -> Any:
        """What a row of the table answers. Raises the faults of `model.errors`."""
        return await self.ask_row(self.context, row, question or _NOTHING)

    async def how(self) -> Locale:
        """How the household has its figures written, now."""
        settings = await self.settings()
        return Locale.on(settings, self.context.today(settings.time_zone))

    async def settings(self) -> HouseholdSettings:
        """The household's currency and time zone."""
        answer: HouseholdSettings = await self.ask(SHOW_SETTINGS)
        return answer


@dataclass(frozen=True, slots=True)
class ToolReply(Generic[ToolTells]):
    """What a call came to: as data, and as the text of the same view."""

    told: ToolTells
    text: str


@dataclass(frozen=True)
class Tool:
    """One tool: what it is called and for, who may call it, and the function that performs it.

    `rows` are those of the table that it may perform; the first says which scope it needs. What the
    function takes and replies are the shapes of the tool. `view` names the page that a host may draw it
    on.
    """

    name: str
    title: str
    description: str
    rows: tuple[AnyOperation, ...]
    effect: ToolEffect
    perform: Callable[[Call, Any], Awaitable[ToolReply[Any]]]
    view: str | None = None
    reaches_a_bank: bool = False

    @property
    def scope(self) -> str:
        """The scope that it needs: that of its first row."""
        return self.rows[0].scope

    @cached_property
    def asks(self) -> type[Wire]:
        """The schema of its input."""
        _, asks, _ = get_type_hints(self.perform).values()
        return cast("type[Wire]", asks)

    @cached_property
    def answers(self) -> type[Wire]:
        """The shape of its answer."""
        (answers,) = get_args(get_type_hints(self.perform)["return"])
        return cast("type[Wire]", answers)


@dataclass(frozen=True, slots=True)
class TableRows:
    """The table: `perform` has a row performed, and `answers` keeps those that follow from the data."""

    perform: Perform
    answers: AnswerCache

    async def ask(
        self, context: Context, row: AnyOperation, question: Wire, seen: State | None = None
    ) -> Any:
        """What a row answers. Raises the faults of `model.errors`.

        What follows from the data is of those in the state `seen`, or newer; else of those now.
        """
        check_scope(context.caller, row)
        if not isinstance(row.body, Derived):
            return await self.perform(context, row, question)

        async def make(_state: State) -> bytes:
            return encoded(row, await self.perform(context, row, question))

        asked = AskedAnswer(context.caller.kind, context.caller.scopes, row, question)
        look = partial(state_of_caller, context)
        state = seen or await look()
        values = self.answers.kept_values(asked, state)
        if values is None:
            state, answer = await self.answers.answer(asked, look, make, state)
            values = self.answers.values(asked, state, answer, _reader_of_answer(row).validate_json)
        return values

    def at_one_time(self) -> AskRow:
        """As `ask`, but all that follows from the data is of one state of them, so it fits together.

        The settings are read once.
        """
        seen: list[State] = []
        settings: list[HouseholdSettings] = []

        async def ask(context: Context, row: AnyOperation, question: Wire) -> Any:
            if row is SHOW_SETTINGS:
                settings[:] = settings or [await self.ask(context, row, question)]
                return settings[0]
            if not seen:
                seen.append(await state_of_caller(context))
            return await self.ask(context, row, question, seen[0])

        return ask


@cache
def _reader_of_answer(row: AnyOperation) -> TypeAdapter[Any]:
    return TypeAdapter(row.answers)

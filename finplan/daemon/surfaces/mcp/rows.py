"""How tools ask rows of the table: as REST does, and of what REST has answered already."""

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from pydantic import TypeAdapter

from finplan.daemon.surfaces.mcp.tools.tool import AskRow
from finplan.daemon.surfaces.rest.answers import AnswerCache, AskedAnswer
from finplan.daemon.surfaces.rest.routes import Perform, encoded
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Derived
from finplan.service.context import Context
from finplan.service.derived.books import state_of
from finplan.service.dispatch import check_scope
from finplan.store.derived import State
from finplan.store.queries.people import STATE_OF_PERSON


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

        asked = AskedAnswer.of(context.caller, row, question)
        look = partial(state_of_caller, context)
        state, answer = await self.answers.answer(asked, look, make, seen)
        return self.answers.values(asked, state, answer, _reader(row).validate_json)

    def at_one_time(self) -> AskRow:
        """As `ask`, but all that follows from the data is of one state of them, so it fits together."""
        seen: list[State] = []

        async def ask(context: Context, row: AnyOperation, question: Wire) -> Any:
            if not seen:
                seen.append(await state_of_caller(context))
            return await self.ask(context, row, question, seen[0])

        return ask


async def state_of_caller(context: Context) -> State:
    """The state that the caller's data are in. Raises Unauthorized where they are gone."""
    found = await context.store.look_up(STATE_OF_PERSON, context.caller.owner)
    if found is None:
        return await context.store.read(partial(state_of, asker=context.asker))
    return State(context.caller.owner, found.generation, context.asker.today(found.time_zone))


@cache
def _reader(row: AnyOperation) -> TypeAdapter[Any]:
    return TypeAdapter(row.answers)

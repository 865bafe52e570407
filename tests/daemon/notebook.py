"""A notebook as an operation's performer: it counts how often it ran, for tests of what runs once."""

import asyncio
from typing import Any

import httpx
from sqlalchemy import Connection

from finplan.model.base import Whole, Wire
from finplan.operation import AnyOperation, Creates, Made, Operation
from finplan.service.context import Context
from finplan.store.queries import people
from tests.daemon.running import RunningDaemon
from tests.family import MADE_UP

KEY = {"idempotency-key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}


class Note(Wire):
    id: str = "x"
    text: str = ""
    count: Whole = 0


ADD = Operation(MADE_UP, "add", "POST", "/notes", Note, Note, "write", "Add.", Creates())
SET = Operation(MADE_UP, "set", "PUT", "/notes/{id}", Note, Note, "write", "Set.")
CHANGE = Operation(MADE_UP, "change", "PATCH", "/notes/{id}", Note, Note, "write", "Change.")
REMOVE = Operation(MADE_UP, "remove", "DELETE", "/notes/{id}", Note, Note, "write", "Remove.")
COUNT = Operation(MADE_UP, "count", "GET", "/notes", Note, Note, "read", "Count.")
ROWS: tuple[AnyOperation, ...] = (ADD, SET, CHANGE, REMOVE, COUNT)


class Notebook:
    """Performs the rows above: each run is counted in the store, and in memory."""

    def __init__(self) -> None:
        self.runs = 0
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.fault: Exception | None = None

    async def perform(self, context: Context, operation: AnyOperation, ask: Note) -> Any:
        self.runs += 1
        self.begun.set()
        await self.go_on.wait()
        if self.fault is not None:
            raise self.fault

        def count(connection: Connection) -> Any:
            owner = context.caller.owner
            runs = (people.get_person(connection, owner)["target_months"] or 0) + 1
            people.change_person(connection, owner, {"target_months": runs})
            note = Note(id=ask.id, text=operation.name, count=runs)
            return Made(note, new=True) if operation is ADD else note

        return await context.commit(count)


def same(first: httpx.Response, second: httpx.Response) -> bool:
    """Whether the second is a replay of the first."""
    kept = ("content-type", "location", "retry-after")
    return (
        first.status_code == second.status_code
        and first.content == second.content
        and all(first.headers.get(name) == second.headers.get(name) for name in kept)
        and "idempotent-replayed" not in first.headers
        and second.headers.get("idempotent-replayed") == "true"
    )


async def held_rows(daemon: RunningDaemon) -> list[Any]:
    def read(connection: Connection) -> list[Any]:
        query = "SELECT key, holder, held_until, reply FROM kept_reply ORDER BY no"
        return list(connection.exec_driver_sql(query))

    return await daemon.store.read(read)

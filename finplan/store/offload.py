"""Computations: long work on what the store holds, done away from the loop that answers requests.

A computation reads by a ReadDoor, in as many transactions as it likes, and never writes. It may run in
a thread or in a process of its own; so it is a function that can be pickled, and so is what it answers.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine

Answer = TypeVar("Answer")
Work = Callable[[Connection], Answer]


class ReadDoor:
    """The door that a computation reads the store by."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, work: Work[Answer]) -> Answer:
        """Run a function that only reads; it sees one snapshot of the data."""
        with self._engine.connect() as connection, connection.begin():
            return work(connection)


Computation = Callable[[ReadDoor], Answer]


class WorkerPool(Protocol):
    """Runs computations in other processes."""

    async def run(self, computation: Computation[Answer], *, long: bool = False) -> Answer:
        """Run a computation on the same store and answer what it answers, or raise what it raises.

        `long` ones leave a place free for others.
        """
        ...

    def apply(self, work: Callable[[], Answer]) -> Answer:
        """As `run`, in a thread that waits for it in a transaction, and of work that reads no store."""
        ...


WORKERS = "finplan_workers"
"""The execution option of an engine that names the worker pool of its store, if it has any."""


def apply_elsewhere(connection: Connection, work: Callable[[], Answer]) -> Answer:
    """Do in another process what a transaction needs that reads no store; here if there is none.

    The work can be pickled, and so can what it answers.
    """
    workers: WorkerPool | None = connection.get_execution_options().get(WORKERS)
    return work() if workers is None else workers.apply(work)


def in_one_read(work: Work[Answer]) -> Computation[Answer]:
    """The computation that does a piece of work on one snapshot of the data."""
    return partial(_read_once, work=work)


def _read_once(reader: ReadDoor, work: Work[Answer]) -> Answer:
    return reader.read(work)

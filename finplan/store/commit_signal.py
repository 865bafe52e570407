"""Telling others in this process that something was written which they wait for."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine, event

_SIGNAL = "finplan.commit_signal"
_RAISED = "finplan.commit_signal.raised"


class CommitSignal:
    """Calls whoever listens, in the thread that writes, when a transaction that raised it commits.

    It is called as the commit begins. A listener that looks at the store has to do so by a write of its
    own, which waits for that one.
    """

    def __init__(self) -> None:
        self.listener: Callable[[], None] | None = None

    def share(self, engine: Engine) -> None:
        """Let what runs on an engine's connections raise it."""

        def give(_connection: object, record: Any) -> None:
            record.info[_SIGNAL] = self

        def tell(connection: Connection) -> None:
            if connection.info.pop(_RAISED, False) and self.listener is not None:
                self.listener()

        def forget(connection: Connection) -> None:
            connection.info.pop(_RAISED, None)

        event.listen(engine, "connect", give)
        event.listen(engine, "commit", tell)
        event.listen(engine, "rollback", forget)


def raise_on_commit(connection: Connection) -> None:
    """Let the signal of the store be called when this transaction commits."""
    connection.info[_RAISED] = True

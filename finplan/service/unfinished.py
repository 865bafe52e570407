"""What a daemon that died left unfinished in the store: ended before the next one serves anybody."""

from sqlalchemy import Connection

from finplan.service.planning.builds import fail_unfinished
from finplan.store.queries import imports, replies


def end_unfinished(connection: Connection, now: int) -> None:
    """End builds and imports that seem to run, and release claims of requests; nothing runs yet.

    `now` is the instant in ms.
    """
    fail_unfinished(connection, now)
    # Such an import was never committed.
    imports.end_abandoned(connection)
    replies.release_dead(connection)
    replies.prune(connection, now)

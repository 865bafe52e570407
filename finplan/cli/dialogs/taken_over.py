"""Before and after a link: what was linked, and which of it the new link has taken over."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.connection import ConnectionRecord


def linked_banks(session: Session) -> "tuple[ConnectionRecord, ...]":
    """What is linked now; nothing is asked for with --json, which tells no more than the answer."""
    from finplan.model.base import Nothing
    from finplan.operations.bank import LIST_CONNECTIONS

    return () if session.options.json else session.call(LIST_CONNECTIONS, Nothing())


def say_what_was_taken_over(session: Session, before: "Sequence[ConnectionRecord]") -> None:
    """Say which of the connections that were there are part of the new link now."""
    from finplan.model.words.taken_over import taken_over

    said = taken_over(before, linked_banks(session)) if before else None
    if said is not None:
        session.say(said)

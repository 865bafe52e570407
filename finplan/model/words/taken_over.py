"""That a link has taken over the accounts of connections that were there, as every face says it."""

from collections.abc import Sequence

from finplan.model.connection import UNNAMED_INSTITUTION, Connection, ConnectionRecord


def taken_over(before: Sequence[ConnectionRecord], after: Sequence[ConnectionRecord]) -> str | None:
    """What became of connections that are gone since a bank was linked, None where none is."""
    there = {each.connection.id for each in after}
    gone = [each.connection for each in before if each.connection.id not in there]
    if not gone:
        return None
    names = [_called(each) for each in gone]
    are = "is" if len(gone) == 1 and gone[0].institution_name != UNNAMED_INSTITUTION else "are"
    return (
        f"{' and '.join(names)} {are} part of this link now: it reaches the same accounts, which go on"
        " in it with all you said. Nothing is there twice."
    )


def _called(gone: Connection) -> str:
    if gone.institution_name == UNNAMED_INSTITUTION:
        return UNNAMED_INSTITUTION
    how = "of statement files" if gone.provider == "manual" else "linked before"
    return f"{gone.institution_name} ({how})"

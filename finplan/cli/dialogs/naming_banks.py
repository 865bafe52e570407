"""Which linked bank a person means: by its id, the beginning of one, or its name."""

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.session import Session


def connection_id(session: Session, text: str) -> str:
    """The id of the connection that is meant. Raises CommandError where it is none, or several."""
    if is_whole(text):
        return text
    return pick(text, linked_banks(session), "connection", "finplan connections")


def linked_banks(session: Session) -> list[NamedId]:
    """The linked banks with what they are called."""
    from finplan.model.base import Nothing
    from finplan.operations.bank import LIST_CONNECTIONS

    links = (record.connection for record in session.call(LIST_CONNECTIONS, Nothing()))
    return [NamedId(link.id, (link.institution_name, link.provider)) for link in links]

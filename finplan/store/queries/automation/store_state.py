"""What tells whether anything worth a copy has changed in the store, and whether somebody has left."""

from sqlalchemy import Connection, func, select

from finplan.store.tables.tables import audit_event, person


def store_state(connection: Connection) -> str:
    """The generation of everybody's data, and the newest event on anybody's record, as one text."""
    newest = connection.execute(select(func.coalesce(func.max(audit_event.c.no), 0))).scalar_one()
    people = connection.execute(select(person.c.no, person.c.generation).order_by(person.c.no))
    return " ".join((*(f"{no}:{generation}" for no, generation in people), f"audit:{newest}"))


def are_still_there(connection: Connection, state: str) -> bool:
    """Whether all whom a state of the store tells of have stayed."""
    present = {str(no) for no in connection.execute(select(person.c.no)).scalars()}
    return {each.partition(":")[0] for each in state.split()} <= present | {"audit"}

"""How much a guest may keep: enough to try the demo household, and too little to fill a disk."""

from sqlalchemy import Connection

from finplan.model.errors import Forbidden
from finplan.store.queries import people

MOST_ROWS = 5_000
"""How many rows a guest may have of all kinds together; the demo household is three thousand."""

MOST_PLANS = 20
"""How many plans; each has as much text as a hundred other rows."""


def must_have_room(connection: Connection, guest: int, *, for_a_plan: bool) -> None:
    """Raise Forbidden where a guest keeps as much as one may."""
    rows = people.count_rows(connection, guest)
    if for_a_plan and rows["plan"] >= MOST_PLANS:
        raise _full(f"{MOST_PLANS} plans")
    if sum(rows.values()) >= MOST_ROWS:
        raise _full(f"{MOST_ROWS:,} rows of all kinds together")


def _full(most: str) -> Forbidden:
    return Forbidden(
        f"An agent that nobody has claimed keeps {most} at most, and has them. Nothing was changed. Have"
        " your person claim you: POST /agent/identity/claim."
    )

"""Finding what a person names: payees by key or display name, with near matches when there is none."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from sqlalchemy import Connection

from finplan.model.errors import BadRequest
from finplan.store.payees import names_of


def find_payees(connection: Connection, owner: int, asked: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the payees that go by some keys or names, whatever the letters' case.

    Raises BadRequest with near matches for one that nobody goes by.
    """
    by_name: dict[str, list[int]] = {}
    shown: dict[str, str] = {}
    for no, key, name in names_of(connection, owner):
        for spelling in {key.casefold(), name.casefold()}:
            by_name.setdefault(spelling, []).append(no)
            shown[spelling] = name
    numbers: list[int] = []
    for wanted in asked:
        found = by_name.get(wanted.casefold())
        if found is None:
            close = list(dict.fromkeys(shown[s] for s in near(wanted.casefold(), by_name)))
            hint = f" Did you mean {', '.join(close)}?" if close else ""
            raise BadRequest(f"No merchant is called {wanted!r}.{hint}", {"near": close})
        numbers.extend(found)
    return tuple(sorted(set(numbers)))


def near(wanted: str, known: Iterable[str]) -> list[str]:
    """The few known spellings that a mistyped one is closest to."""
    return get_close_matches(wanted, list(known), n=5, cutoff=0.6)

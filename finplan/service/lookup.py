"""Finding what a person names, with near matches when there is none: payees, categories, words."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue, Category
from finplan.model.errors import BadRequest, Fault
from finplan.model.transaction import DayRange
from finplan.store.queries.payees import names_of

MOST_NEAR = 5
"""How many near matches are told."""


def find_payees(connection: Connection, owner: int, asked: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the payees that go by some keys or names, whatever the letters' case.

    Raises BadRequest with near matches for one that nobody goes by.
    """
    if not asked:
        return ()
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
            close, hint = names_near(wanted, shown)
            raise BadRequest(
                f"No merchant is called {wanted!r}.{hint} `finplan spending --by merchant` lists them.",
                {"near": close},
            )
        numbers.extend(found)
    return tuple(sorted(set(numbers)))


def find_category(catalogue: Catalogue, asked: str, refusal: type[Fault] = BadRequest) -> Category:
    """The category of an id; raises the refusal with near matches, by id or label, for no category."""
    if asked in catalogue:
        return catalogue[asked]
    spelt = {
        spelling: category
        for category in catalogue.categories.values()
        for spelling in (category.label.casefold(), category.id)
    }
    close = list(dict.fromkeys(spelt[each] for each in near(asked.casefold(), spelt)))
    named = [f"{each.label} ({each.id})" for each in close]
    hint = f" Did you mean {', '.join(named)}?" if named else ""
    raise refusal(
        f"There is no category {asked!r}.{hint} `finplan categories` lists them.",
        {"near": [each.id for each in close]},
    )


def names_near(wanted: str, spelt: Mapping[str, str]) -> tuple[list[str], str]:
    """What goes by the spellings near a mistyped one, each once, and a hint that asks about it."""
    close = list(dict.fromkeys(spelt[each] for each in near(wanted.casefold(), spelt)))
    return close, f" Did you mean {', '.join(close)}?" if close else ""


def must_be_known(what: str, whose: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise BadRequest for a word of a question that is none of those that are known."""
    for each in given:
        if each not in known:
            raise BadRequest(
                f"There is no {what} {each!r} of {whose}. Known are {', '.join(known)}."
            )


def must_be_in_order(days: DayRange) -> None:
    """Raise BadRequest for days of which the first is after the last."""
    if days.since is not None and days.until is not None and days.since > days.until:
        raise BadRequest(f"The first day, {days.since}, is after the last, {days.until}.")


def near(wanted: str, known: Iterable[str]) -> list[str]:
    """The few known spellings that a mistyped one is closest to, then those that it is a word of."""
    spellings = list(known)
    close = get_close_matches(wanted, spellings, n=MOST_NEAR, cutoff=0.6)
    holding = (each for each in spellings if wanted in each.split() and each not in close)
    return [*close, *islice(holding, MOST_NEAR - len(close))]

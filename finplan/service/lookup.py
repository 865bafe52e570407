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


def find_payees(connection: Connection, owner: int, texts: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the payees that go by some keys or names, whatever the letters' case.

    Raises BadRequest with near matches for one that nobody goes by.
    """
    if not texts:
        return ()
    by_name: dict[str, list[int]] = {}
    display: dict[str, str] = {}
    for no, key, name in names_of(connection, owner):
        for spelling in {key.casefold(), name.casefold()}:
            by_name.setdefault(spelling, []).append(no)
            display[spelling] = name
    numbers: list[int] = []
    for text in texts:
        matches = by_name.get(text.casefold())
        if matches is None:
            close, hint = names_near(text, display)
            raise BadRequest(
                f"Unknown merchant {text!r}.{hint} `finplan spending --by merchant` lists your"
                " merchants.",
                {"near": close},
            )
        numbers.extend(matches)
    return tuple(sorted(set(numbers)))


def find_category(catalogue: Catalogue, key: str, refusal: type[Fault] = BadRequest) -> Category:
    """The category of an id; raises the refusal with near matches, by id or label, for no category."""
    if key in catalogue:
        return catalogue[key]
    spelt = {
        spelling: category
        for category in catalogue.categories.values()
        for spelling in (category.label.casefold(), category.id)
    }
    close = list(dict.fromkeys(spelt[spelling] for spelling in near(key.casefold(), spelt)))
    labels = [f"{match.label} ({match.id})" for match in close]
    hint = f" Did you mean {', '.join(labels)}?" if labels else ""
    raise refusal(
        f"Unknown category {key!r}.{hint} `finplan categories` lists all categories.",
        {"near": [match.id for match in close]},
    )


def names_near(text: str, spelt: Mapping[str, str]) -> tuple[list[str], str]:
    """What goes by the spellings near a mistyped one, each once, and a hint that asks about it."""
    close = list(dict.fromkeys(spelt[spelling] for spelling in near(text.casefold(), spelt)))
    return close, f" Did you mean {', '.join(close)}?" if close else ""


def check_choices(what: str, whose: str, names: Iterable[str], choices: Sequence[str]) -> None:
    """Raise BadRequest for a word of a question that is none of those that are known."""
    for name in names:
        if name not in choices:
            raise BadRequest(
                f"Unknown {what} of {whose}: {name!r}. Choose one of: {', '.join(choices)}."
            )


def must_be_in_order(days: DayRange) -> None:
    """Raise BadRequest for days of which the first is after the last."""
    if days.since is not None and days.until is not None and days.since > days.until:
        raise BadRequest(
            f"The first day, {days.since}, is after the last day, {days.until}. Swap them."
        )


def near(text: str, candidates: Iterable[str]) -> list[str]:
    """The few known spellings that a mistyped one is closest to, then those that it is a word of."""
    spellings = list(candidates)
    close = get_close_matches(text, spellings, n=MOST_NEAR, cutoff=0.6)
    holding = (name for name in spellings if text in name.split() and name not in close)
    return [*close, *islice(holding, MOST_NEAR - len(close))]

"""The categories that a person means or sees: their ids by what is typed, and their labels by id."""

from collections.abc import Callable, Iterable

from finplan.cli.console.errors import CommandError
from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.session import Session

OWN = "cat_"
"""How the ids of a person's own categories begin."""


def category_labels(session: Session) -> dict[str, str]:
    """What each category is called, by its id."""
    from finplan.model.base import Nothing
    from finplan.operations import LIST_CATEGORIES

    choices = session.call(LIST_CATEGORIES, Nothing())
    return {choice.category: choice.label for choice in choices}


def own_labels(session: Session, among: Iterable[str]) -> dict[str, str]:
    """What the person's own categories are called, by id; nothing is asked when none is among some."""
    if not any(each.startswith(OWN) for each in among):
        return {}
    labels = category_labels(session)
    return {category: label for category, label in labels.items() if category.startswith(OWN)}


def category_finder(session: Session) -> Callable[[str], str]:
    """What finds the category that a person means; the categories are listed once, when first needed.

    What is none stays as it is, for the daemon to refuse.
    """
    candidates = list[NamedId]()

    def find(text: str) -> str:
        if is_whole(text):
            return text
        if not candidates:
            labels = category_labels(session)
            candidates.extend(NamedId(category, (label,)) for category, label in labels.items())
        try:
            return pick(text, candidates, "category", "finplan categories")
        except CommandError:
            return text

    return find


def category_ids(session: Session, typed: Iterable[str]) -> tuple[str, ...]:
    """The categories that a person means by ids, labels or parts of them."""
    return tuple(map(category_finder(session), typed))


def category_id(session: Session, text: str) -> str:
    """The category that a person means; what is none stays as it is."""
    return category_finder(session)(text)

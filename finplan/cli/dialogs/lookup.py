"""What a person means, looked up among what the daemon has: a category, or a linked bank.

And what brings rows, where there are none yet to look among.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from finplan.cli.console.errors import NO_BANK_YET, NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.category import CategoryChoice
    from finplan.operation import AnyOperation


def category_choices(session: Session) -> "dict[str, CategoryChoice]":
    """The categories that there are, by id."""
    from finplan.model.base import Nothing
    from finplan.operations.category import LIST_CATEGORIES

    return {choice.category: choice for choice in session.call(LIST_CATEGORIES, Nothing())}


def category_labels(session: Session) -> dict[str, str]:
    """What each category is called, by its id."""
    return {category: choice.label for category, choice in category_choices(session).items()}


def category_finder(session: Session, *, spending: bool = False) -> Callable[[str], str]:
    """What finds the category that a person means; the categories are listed once, when first needed.

    What is none stays as it is, for the daemon to refuse. With `spending` a text that could mean several
    means the one of them that is spending. It raises a CommandError that names them where several are
    meant.
    """
    choices: dict[str, CategoryChoice] = {}

    def find(text: str) -> str:
        if is_whole(text):
            return text
        choices.update({} if choices else category_choices(session))
        candidates = [NamedId(choice.category, (choice.label,)) for choice in choices.values()]
        try:
            return pick(text, candidates, "category", "finplan categories")
        except SeveralMeant as several:
            meant = [choices[each.id] for each in several.meant]
            spent = [choice for choice in meant if choice.line != "not_spending"]
            if spending and len(spent) == 1:
                return spent[0].category
            raise CommandError(_several(text, meant), NOT_THERE) from None
        except CommandError:
            return text

    return find


def category_ids(
    session: Session, typed: Iterable[str], *, spending: bool = False
) -> tuple[str, ...]:
    """The categories that a person means by ids, labels or parts of them."""
    return tuple(map(category_finder(session, spending=spending), typed))


def category_id(session: Session, text: str) -> str:
    """The category that a person means; what is none stays as it is."""
    return category_finder(session)(text)


def _several(text: str, meant: "Iterable[CategoryChoice]") -> str:
    *others, last = [f"'{choice.label}'" for choice in meant]
    return f"{text!r} could be {', '.join(others)} or {last}; type more of the name."


def meant_id(
    session: Session,
    text: str,
    row: "AnyOperation",
    named: Callable[[Any], NamedId],
    what: str,
    listing: str,
    plural: str | None = None,
    *,
    exact: bool = False,
) -> str:
    """The id of what is meant among the things of a row, which are listed unless it is given in full.

    Raises CommandError where it is none of them, or could be several.
    """
    if is_whole(text):
        return text
    from finplan.model.base import Nothing

    things = session.call(row, Nothing())
    return pick(text, map(named, things), what, listing, plural, exact=exact)


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


def say_what_brings_rows(session: Session) -> bool:
    """Where the household has no account, say what brings one; whether that was so."""
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNT_RECORDS

    is_empty = not session.call(LIST_ACCOUNT_RECORDS, Nothing())
    if is_empty:
        session.say(NO_BANK_YET)
    return is_empty

"""What a person means, looked up among what the daemon has: a category, or a linked bank.

And what brings rows, where there are none yet to look among.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from finplan import model, operations
from finplan.cli.console.errors import NO_BANK_YET, NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.operation import AnyOperation


def category_choices(session: Session) -> "dict[str, model.category.CategoryChoice]":
    """The categories that there are, by id."""
    choices = session.call(operations.category.LIST_CATEGORIES)
    return {choice.category: choice for choice in choices}


def category_labels(session: Session) -> dict[str, str]:
    """What each category is called, by its id."""
    return {category: choice.label for category, choice in category_choices(session).items()}


def category_finder(session: Session, *, spending: bool = False) -> Callable[[str], str]:
    """What finds the category that a person means; the categories are listed once, when first needed.

    What is none stays as it is, for the daemon to refuse. With `spending` a text that could mean several
    means the one of them that is spending. It raises a CommandError that names them where several are
    meant.
    """
    choices: dict[str, model.category.CategoryChoice] = {}

    def find(text: str) -> str:
        if is_whole(text):
            return text
        choices.update({} if choices else category_choices(session))
        candidates = [NamedId(choice.category, (choice.label,)) for choice in choices.values()]
        try:
            return pick(text, candidates, "category", "finplan categories")
        except SeveralMeant as several:
            meant = [choices[candidate.id] for candidate in several.meant]
            spent = [choice for choice in meant if choice.line != "not_spending"]
            if spending and len(spent) == 1:
                return spent[0].category
            raise CommandError(_several(text, meant), NOT_THERE) from None
        except CommandError:
            return text

    return find


def _several(text: str, meant: "Iterable[model.category.CategoryChoice]") -> str:
    *others, last = [f"'{choice.label}'" for choice in meant]
    return f"{text!r} matches {', '.join(others)} and {last}. Type more of the name."


def build_request(row: "AnyOperation", **fields: object) -> Any:
    """What a row asks, of those fields that were given: None stands for one that was not."""
    return row.asks(**{name: value for name, value in fields.items() if value is not None})


def meant_id(
    session: Session,
    text: str,
    row: "AnyOperation",
    name_of: Callable[[Any], NamedId | None],
    what: str,
    listing: str | None = None,
    plural: str | None = None,
    *,
    exact: bool = False,
) -> str:
    """The id of what is meant among the things of a row, which are listed unless it is given in full.

    `name_of` answers None for what cannot be meant. `listing` is the command that lists them, unless it
    is named after `what` they are. Raises CommandError where it is none of them, or could be several.
    """
    if is_whole(text):
        return text

    candidates = filter(None, map(name_of, session.call(row)))
    return pick(text, candidates, what, listing or f"finplan {what}s list", plural, exact=exact)


def connection_id(session: Session, text: str) -> str:
    """The id of the connection that is meant. Raises CommandError where it is none, or several."""
    listed, listing = operations.bank.LIST_CONNECTIONS, "finplan connections"
    return meant_id(session, text, listed, _named_bank, "connection", listing)


def reconnection(session: Session, text: str | None) -> "model.connection.Reconnection | None":
    """The connection that a new access is for. Raises CommandError as `connection_id` does."""
    if text is None:
        return None
    return model.connection.Reconnection(connection_id=connection_id(session, text))


def _named_bank(linked: "model.connection.ConnectionRecord") -> NamedId:
    link = linked.connection
    return NamedId(link.id, (link.institution_name, link.provider))


def say_what_brings_rows(session: Session) -> bool:
    """Where the household has no account, say what brings one; whether that was so."""
    is_empty = not session.call(operations.account.LIST_ACCOUNT_RECORDS)
    if is_empty:
        session.say(NO_BANK_YET)
    return is_empty

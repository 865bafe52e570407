"""Categories as an agent names them: by their ids, or as a person reads them."""

from collections.abc import Iterable

from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.category import CategoryChoice
from finplan.model.errors import BadRequest
from finplan.operations.planning import LIST_CATEGORIES


async def category_ids(call: Call, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the categories that some words name; as `category_id`."""
    asked = tuple(words)
    if not asked:
        return ()
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    return tuple(_id(choices, word) for word in asked)


async def category_id(call: Call, word: str) -> str:
    """The id of the category that a word names; what is none stays, for the row to refuse.

    Raises BadRequest where several are called so.
    """
    return (await category_ids(call, (word,)))[0]


def _id(choices: tuple[CategoryChoice, ...], word: str) -> str:
    if any(each.category == word for each in choices):
        return word
    called = [each for each in choices if each.label.casefold() == word.strip().casefold()]
    if len(called) > 1:
        ids = ", ".join(each.category for each in called)
        raise BadRequest(f"Several categories are called {word!r}: say one of {ids}.")
    return called[0].category if called else word

"""Categories and accounts as an agent names them: by their ids, or as a person reads them."""

from collections.abc import Iterable, Mapping, Sequence

from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.account import AccountRecord
from finplan.model.category import CategoryChoice
from finplan.model.errors import BadRequest
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.service.lookup import near


async def categories_of(call: Call) -> Mapping[str, str]:
    """What each category is called, by its id."""
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    return {each.category: each.label for each in choices}


def labels_of(known: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    """What some categories are called, each once, by their ids."""
    return {key: known.get(key, key) for key in dict.fromkeys(keys)}


async def category_ids(call: Call, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the categories that some words name; as `category_id`."""
    asked = tuple(words)
    if not asked:
        return ()
    known = await categories_of(call)
    return tuple(find_category(known, word) for word in asked)


async def category_id(call: Call, word: str) -> str:
    """The id of the category that a word names; as `find_category`."""
    return (await category_ids(call, (word,)))[0]


def find_category(known: Mapping[str, str], word: str) -> str:
    """The id of the category that a word names, by the names of all.

    Raises BadRequest for no category, with those that are near or else all, and where several are
    called so.
    """
    if word in known:
        return word
    wanted = word.strip().casefold()
    called = [key for key, label in known.items() if wanted in {label.casefold(), key}]
    if len(called) > 1:
        raise BadRequest(f"Several categories are called {word!r}: say one of {', '.join(called)}.")
    if called:
        return called[0]
    close = _close(
        wanted, ((key, spelling) for key, label in known.items() for spelling in (label, key))
    )
    raise UnknownCategory(word, close, known)


class UnknownCategory(BadRequest):
    """No category is called so; `brief` is told where all are listed beside it."""

    def __init__(self, word: str, close: list[str], known: Mapping[str, str]) -> None:
        self.brief = f"There is no category {word!r}."
        if close:
            self.brief += f" Did you mean {named(close, known)}?"
        all_of_them = (
            "The resource `categories` lists all." if close else f"There are {named(known, known)}."
        )
        super().__init__(f"{self.brief} {all_of_them}", {"near": close})


def named(keys: Iterable[str], known: Mapping[str, str]) -> str:
    """Some categories by their names and ids."""
    return ", ".join(f"{known[key]} ({key})" for key in keys)


async def account_ids(call: Call, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the accounts that some words name: an id, a name, with its bank's, or a last four.

    Raises BadRequest for no account, with those that are near or else all, and where several are called
    so, with their ids.
    """
    asked = tuple(words)
    if not asked:
        return ()
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    return tuple(_find_account(records, word) for word in asked)


def _find_account(records: Sequence[AccountRecord], word: str) -> str:
    if any(record.account.id == word for record in records):
        return word
    wanted = " ".join(word.casefold().split())
    called = [record for record in records if wanted in _spellings(record)]
    if len(called) == 1:
        return called[0].account.id
    if called:
        raise BadRequest(f"Several accounts are called {word!r}: say one of {_ids(called)}.")
    by_id = {record.account.id: record for record in records}
    close = _close(wanted, ((key, each) for key, one in by_id.items() for each in _spellings(one)))
    if close:
        there = f"Did you mean {_ids(by_id[key] for key in close)}? `list_accounts` shows all."
    else:
        there = f"There are {_ids(records)}." if records else "There is none yet."
    raise BadRequest(f"No account is called {word!r}. {there}", {"near": close})


def _spellings(record: AccountRecord) -> list[str]:
    """What an account may be called, in small letters."""
    account = record.account
    names = [account.name, f"{account.institution_name} {account.name}"]
    if account.mask is not None:
        names += [account.mask, *(f"{name} {account.mask}" for name in names)]
    return [" ".join(name.casefold().split()) for name in names]


def _ids(records: Iterable[AccountRecord]) -> str:
    return ", ".join(
        f"{record.account.name!r}"
        + (f" …{record.account.mask}" if record.account.mask else "")
        + f" ({record.account.id})"
        for record in records
    )


def _close(wanted: str, spelt: Iterable[tuple[str, str]]) -> list[str]:
    """The ids whose spellings are near to what is wanted, the nearest first."""
    keys: dict[str, list[str]] = {}
    for key, spelling in spelt:
        keys.setdefault(spelling.casefold(), []).append(key)
    return list(dict.fromkeys(key for each in near(wanted, keys) for key in keys[each]))

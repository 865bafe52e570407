"""What kinds of brands there are: what a household buys there, and which words say so of a payee."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class BrandKind:
    """One kind of brands; `words` are those that rows write beside a brand for what it is.

    `category` is None where only the person knows it; with `ask` it is a guess.
    """

    category: str | None
    ask: bool
    words: frozenset[str]
    classes: tuple[str, ...]


@cache
def kinds() -> Mapping[str, BrandKind]:
    """The kinds by their names, read on first use and then kept."""
    shipped = tomllib.loads(files(__package__).joinpath("kinds.toml").read_text("utf-8"))
    return {
        name: BrandKind(
            told.get("category"),
            told.get("ask", False),
            frozenset(told.get("words", "").split()),
            tuple(told["classes"].split()),
        )
        for name, told in shipped.items()
    }


@cache
def sold_by_word() -> Mapping[str, str]:
    """The category of each word for a kind of shop, which tells one."""
    return {
        word: kind.category
        for kind in kinds().values()
        if kind.category is not None and not kind.ask
        for word in kind.words
    }

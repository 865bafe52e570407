"""The pages that are shipped with the product."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from finplan.handbook.pages import HandbookPage, read_page

FOLDER = Path(__file__).parent.parent / "docs"
_WORDS = Path(__file__).with_name("words.toml")
_PHRASES = Path(__file__).with_name("phrases.toml")
_ALIKE = Path(__file__).with_name("alike.toml")


@cache
def handbook() -> Mapping[str, HandbookPage]:
    """Every page by its name, in the order of their names; no two folders have one of the same name."""
    pages = (
        read_page(path.stem, path.read_text(encoding="utf-8"), path.parent.relative_to(FOLDER).name)
        for path in FOLDER.rglob("*.md")
    )
    return {each.name: each for each in sorted(pages, key=lambda each: each.name)}


def asked_as() -> Mapping[str, str]:
    """The words by which people ask for each page, where the page may have others."""
    words: Mapping[str, str] = tomllib.loads(_WORDS.read_text(encoding="utf-8"))
    return words


def alike() -> Sequence[str]:
    """Lines of words that people use for one another, wherever they stand."""
    return _lists(_ALIKE)["alike"]


def phrases() -> Mapping[str, Sequence[str]]:
    """What each place, a page or a section of one, answers in other words than its own."""
    return _lists(_PHRASES)


def _lists(path: Path) -> Mapping[str, Sequence[str]]:
    lists: Mapping[str, Sequence[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return lists

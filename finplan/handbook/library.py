"""The pages that are shipped with the product."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finplan.handbook.pages import HandbookPage, read_page

FOLDER = Path(__file__).parent.parent / "docs"
_WORDS = Path(__file__).with_name("words.toml")


@cache
def handbook() -> Mapping[str, HandbookPage]:
    """Every page by its name, in the order of their names."""
    return {
        path.stem: read_page(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.md"))
    }


def asked_as() -> Mapping[str, str]:
    """The words by which people ask for each page, where the page may have others."""
    words: Mapping[str, str] = tomllib.loads(_WORDS.read_text(encoding="utf-8"))
    return words

"""What people read is worded plainly, on every face and page."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import finplan
from tests.plain_words import (
    Text,
    faults,
    prose,
    reading_difficulty,
    texts_of_page,
    texts_of_source,
)

PRODUCT = Path(finplan.__file__).parent
PAGES = sorted(PRODUCT.joinpath("docs").rglob("*.md"))

EXCEPTIONS: Mapping[str, str] = {
    "com net org info": "a list of domains",
    "a able about actually": "words that a search leaves away",
    "above against because": "words that a search leaves away",
    "left out once": "a weight's name, which nobody reads",
    "on a card, seen twice": "a weight's name, which nobody reads",
    "AD AT BE BG": "a list of countries",
    "AE:AED AL:ALL": "a list of currencies",
    "d\u00e9bit cr\u00e9dit libell\u00e9": "words by which an encoding is known",
}
"""Texts, by a piece of them, that may be as they are, each with the reason."""

HARDEST_PAGE = 38.0
"""The LIX that no page of the handbook exceeds; it only falls."""


def read_texts() -> Iterator[Text]:
    """All that somebody reads of the sources and of the handbook."""
    for path in sorted(PRODUCT.rglob("*.py")):
        if "migrations" not in path.parts:
            yield from texts_of_source(path, f"finplan/{path.relative_to(PRODUCT).as_posix()}")
    for path in PAGES:
        yield from texts_of_page(path, f"finplan/{path.relative_to(PRODUCT).as_posix()}")


def test_nothing_that_people_read_is_worded_oddly() -> None:
    """No forbidden word or shape, no sentence over 25 words, but for exceptions with reasons."""
    found = [
        fault
        for text in read_texts()
        if not any(piece in text.text for piece in EXCEPTIONS)
        for fault in faults(text)
    ]
    assert not found, "\n".join(map(str, found))


def test_every_exception_is_needed() -> None:
    """An exception that no text has any more is taken away."""
    every = [text for text in read_texts() if [*faults(text)]]
    unneeded = [each for each in EXCEPTIONS if not any(each in text.text for text in every)]
    assert not unneeded


@pytest.mark.parametrize("path", PAGES, ids=[each.stem for each in PAGES])
def test_pages_are_easy_to_read(path: Path) -> None:
    """A page of the handbook is read like a newspaper."""
    page = "\n".join(prose(each.text) for each in texts_of_page(path, path.name))
    assert reading_difficulty(page) <= HARDEST_PAGE


ODD = (
    ("Nothing is told of anything yet.", 1),
    ("What is due stands above.", 1),
    ("What is due?", 0),
    ("The key is no longer valid.", 0),
    ("This is no period.", 1),
    ("Run `finplan what else` again.", 0),
    ("A sentence " + "of many words " * 9 + "ends here.", 1),
)


@pytest.mark.parametrize(("text", "count"), ODD)
def test_odd_words_are_seen(text: str, count: int) -> None:
    """The check sees forbidden words, clauses as subjects and long sentences, and nothing in code."""
    assert len([*faults(Text("page.md", 1, text))]) == count


def test_texts_are_found_where_people_read_them(tmp_path: Path) -> None:
    """Texts of a module are read, also with values in them; docstrings only where they are help."""
    path = tmp_path / "module.py"
    path.write_text(
        '"""Not read by anybody."""\nA = f"Some {1} words here"\nB = "SELECT one of them"\n'
    )
    assert [each.text for each in texts_of_source(path, "finplan/module.py")] == [
        "Some X words here"
    ]


def test_pages_are_read_by_paragraphs(tmp_path: Path) -> None:
    """A page is its headings, paragraphs and items; code and tables are not prose."""
    path = tmp_path / "page.md"
    path.write_text("# A head\n\nOne line\nand more.\n\n```\ncode\n```\n| a | b |\n- An item\n")
    read = [each.text for each in texts_of_page(path, "page.md")]
    assert read == ["A head", "One line and more.", "An item"]

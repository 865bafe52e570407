"""The pages of the handbook, read into sections that can be found and linked to."""

import re

import pytest

from finplan.handbook.pages import (
    FOLDER,
    HandbookPage,
    asked_as,
    handbook,
    linked,
    plain,
    read_page,
)

PAGE = """\
Before.

# Sums & `totals`

What [adds](up.md) up: all. And more.

```
# no heading
```

## What's *new*

One.

### Deep

Two.

## What's new

~~~
# nor this
```
## nor that
~~~
#also none
"""


def links(page: HandbookPage) -> list[str]:
    return re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.markdown)


def test_a_page_is_read_into_sections() -> None:
    """Each heading begins a section with the headings above it and GitHub's anchor; fences hold none."""
    page = read_page("sums", PAGE)
    assert [(each.headings, each.place) for each in page.sections] == [
        (("sums",), "sums"),
        (("Sums & totals",), "sums#sums--totals"),
        (("Sums & totals", "What's new"), "sums#whats-new"),
        (("Sums & totals", "What's new", "Deep"), "sums#deep"),
        (("Sums & totals", "What's new"), "sums#whats-new-1"),
    ]
    assert page.sections[4].text.startswith("~~~\n# nor this\n```\n## nor that\n~~~\n#also none")


def test_a_page_opens_with_its_title() -> None:
    """What stands below the first heading opens the page: it needs no anchor, and sums it up."""
    page = read_page("sums", PAGE.removeprefix("Before.\n\n"))
    assert (page.title, page.sections[0].place) == ("Sums & totals", "sums")
    assert page.summary == "What adds up: all."
    assert page.sections[2].summary == "Two."
    for nothing in ("", "\n\n| a |\n|---|", "\n\n    code", "\n\n```\ncode\n```"):
        assert read_page("none", f"# Only a title{nothing}").summary == ""
    assert read_page("code", "# Title\n\n`finplan` plans. More.").summary == "finplan plans."
    assert read_page("more", "# Title\n\nThere are two:\n\n- a").summary == "There are two."
    assert read_page("late", "# Title\n\n| a |\n|---|\n\nProse. More.").summary == "Prose."


def test_marks_are_no_words() -> None:
    """Links, emphasis and code are read as the words in them."""
    assert plain("**Two** `finplan spending` [rows](a.md#b), 2 * 3, `a_b`.") == (
        "Two finplan spending rows, 2 * 3, a_b."
    )


@pytest.mark.parametrize("page", handbook().values(), ids=handbook())
def test_every_page_says_what_it_tells(page: HandbookPage) -> None:
    """A page opens with a title, and one of its sections has text; nothing of it is lost."""
    assert page.markdown.startswith(f"# {page.title}\n")
    assert any(each.text for each in page.sections)
    joined = "\n".join(each.text for each in page.sections)
    left_out = set(page.markdown.split()) - set(joined.split())
    headings = re.findall(r"^#+ .*$", page.markdown, re.MULTILINE)
    assert left_out <= set(" ".join(headings).split())


def test_links_between_pages_lead_somewhere() -> None:
    """A link of a page leads to a page that there is, and to a section that it has."""
    places = {each.place for page in handbook().values() for each in page.sections}
    lost = [
        (name, link)
        for name, page in handbook().items()
        for link in links(page)
        if linked(link) not in places and f"{name}{link}" not in places
    ]
    assert lost == []


def test_links_between_pages_lead_to_files() -> None:
    """Who reads the pages as files is led to the file, from one folder to another too."""
    lost = [
        (path.name, link)
        for path in FOLDER.rglob("*.md")
        for link in links(handbook()[path.stem])
        if ".md" in link and not (path.parent / link.partition("#")[0]).is_file()
    ]
    assert lost == []


def test_no_page_hides_another() -> None:
    """Every file of the handbook is a page: no two folders have one of the same name."""
    files = list(FOLDER.rglob("*.md"))
    assert len(handbook()) == len(files)
    assert {(each.shelf, each.name) for each in handbook().values()} == {
        ("" if path.parent == FOLDER else path.parent.name, path.stem) for path in files
    }


def test_the_words_of_a_page_are_of_a_page() -> None:
    """Each entry of the words that people ask by is of a page that there is."""
    assert set(asked_as()) <= set(handbook())
    assert {path.stem for path in FOLDER.rglob("*.md")} == set(handbook())

"""The pages of the handbook, read into sections that can be found and linked to.

Each desktop agent has a page, which says what is really written and where.
"""

import json
import re
import shlex
from pathlib import Path

import pytest

from finplan.cli.app import run
from finplan.client.desktop_agents import AGENTS, ENTRY, entry
from finplan.handbook.pages import (
    FOLDER,
    HandbookPage,
    asked_as,
    handbook,
    linked,
    plain,
    read_page,
)
from tests.says import says

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
    assert says(page.sections[4].text, "~~~\n# nor this", "\n## nor that", "\n#also none")


SUMMARIES = {
    "`finplan` plans. More.": "finplan plans.",
    "There are two:\n\n- a": "There are two.",
    "| a |\n|---|\n\nProse. More.": "Prose.",
}


def test_a_page_opens_with_its_title() -> None:
    """What stands below the first heading opens the page: it needs no anchor, and sums it up."""
    page = read_page("sums", PAGE.removeprefix("Before.\n\n"))
    assert (page.title, page.sections[0].place) == ("Sums & totals", "sums")
    assert page.summary.endswith("adds up: all.")
    assert page.sections[2].summary == "Two."
    for nothing in ("", "\n\n| a |\n|---|", "\n\n    code", "\n\n```\ncode\n```"):
        assert read_page("none", f"# Only a title{nothing}").summary == ""
    for opening, summary in SUMMARIES.items():
        assert read_page("any", f"# Title\n\n{opening}").summary == summary


MARKED = "**Two** `finplan spending` [rows](a.md#b), 2 * 3, `a_b`."


def test_marks_are_no_words() -> None:
    """Links, emphasis and code are read as the words in them."""
    assert plain(MARKED).split() == ["Two", "finplan", "spending", "rows,", "2", "*", "3,", "a_b."]


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
    assert {place.partition("#")[0] for place in asked_as()} <= set(handbook())
    assert {path.stem for path in FOLDER.rglob("*.md")} == set(handbook())


PYTHON = "/home/ada/.venv/bin/python"


def test_every_agent_has_a_page_and_is_linked() -> None:
    """Each agent that finplan can be put into has a page, and the page about agents leads to it."""
    pages = {each.name for each in handbook().values() if each.shelf == "agents"}
    assert pages == set(AGENTS)
    for name in pages:
        assert f"](agents/{name}.md)" in handbook()["agents"].markdown
        assert AGENTS[name].title in handbook()[name].title


@pytest.mark.parametrize("name", AGENTS)
def test_a_page_says_what_is_written_and_where(name: str) -> None:
    """The entry and the places on a page are those that are written."""
    agent, page = AGENTS[name], handbook()[name].markdown
    shown = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    told = {**entry(agent, ("mcp", "serve"), {}), "command": PYTHON}
    assert json.loads(shown[1]) == {agent.table: {ENTRY: told}}
    for place in set(agent.places.values()):
        assert f"`{place if place.startswith('%') else f'~/{place}'}`" in page
    assert f"`{Path(agent.places['linux']).name}.before-finplan-`" in page


@pytest.mark.parametrize("name", AGENTS)
def test_the_commands_of_a_page_do_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of a page about the agent works, and the last one leaves what was there before."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path / "finplan"))
    monkeypatch.delenv("APPDATA", raising=False)
    path = AGENTS[name].path(tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = {"theme": "dark", AGENTS[name].table: {"other": {"command": "x"}}}
    path.write_text(json.dumps(before))
    lines = re.findall(
        r"(?:`|^ {4})finplan ((?:--demo )?mcp \w+ [^`\n]+)", handbook()[name].markdown, re.MULTILINE
    )
    lines = [line for line in lines if f"install {name}" in line]
    assert {line.split()[-1] for line in lines} >= {name, "--read-only"}
    assert f"mcp uninstall {name}" in lines
    for line in sorted(lines, key=lambda each: "uninstall" in each):
        assert run(shlex.split(line)) == 0
    assert json.loads(path.read_text()) == before
    assert list(path.parent.glob(f"{path.name}.before-finplan-*"))

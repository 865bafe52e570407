"""The pages of the handbook over a real socket."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import httpx
import pytest

from finplan.handbook.pages import HandbookPage, handbook
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon


async def test_every_page_is_listed_and_sent(notes: RunningDaemon) -> None:
    """The list names each page with a line about it, and each is sent as it was written, to anybody."""
    async with stranger(notes) as http:
        listed = await http.get("/llms.txt", headers={"Origin": "https://chat.example"})
        assert listed.headers["content-type"] == "text/plain; charset=utf-8"
        assert listed.headers["access-control-allow-origin"] == "*"
        assert listed.text.startswith("# finplan\n\n> ")
        people, builders = listed.text.split("\n## Optional\n")
        assert "/decisions.md" in builders
        assert "/proxy.md" in people
        lines = re.findall(r"^- \[(.+)\]\((.+)\)(: .+)?$", listed.text, re.MULTILINE)
        assert {title for title, *_ in lines} == {page.title for page in handbook().values()}
        for title, url, _ in lines:
            page = await http.get(url)
            assert page.headers["content-type"] == "text/markdown; charset=utf-8"
            assert page.text.startswith(f"# {title}\n")


async def test_an_unknown_page_is_told(notes: RunningDaemon) -> None:
    """A page that there is not is not found, with a sentence that says where to look."""
    async with stranger(notes) as http:
        for path in ("/api/docs/nothing.md", "/api/docs/__init__.md"):
            answer = await http.get(path)
            assert answer.status_code == 404
            assert "/llms.txt" in answer.json()["message"]
        for path in ("/api/docs/..%2F..%2FREADME.md", "/api/docs/a/b.md"):
            assert (await http.get(path)).status_code == 404


class Drawn(HTMLParser):
    """The elements and the words of a drawn page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str, name: str) -> list[str]:
        return [each[name] for found, each in self.elements if found == tag and name in each]


TITLES = ("Tutorials", "Topics", "Desktop agents", "To look things up")
"""What the folds beside a page are called."""


async def drawn(running: RunningDaemon, path: str, **query: str) -> tuple[httpx.Response, Drawn]:
    async with stranger(running) as http:
        answer = await http.get(path, params=query or None)
    return answer, Drawn(answer.text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("page", handbook().values(), ids=handbook())
async def test_a_page_is_drawn_for_a_browser(notes: RunningDaemon, page: HandbookPage) -> None:
    """Each section has its anchor, links lead to pages, and nothing is loaded or run."""
    answer, found = await drawn(notes, f"/api/docs/{page.name}")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len([tag for tag, _ in found.elements if tag == "h1"]) == 1
    identified = [value for _, each in found.elements for value in [each.get("id")] if value]
    assert len(identified) == len(set(identified))
    assert {each.anchor for each in page.sections if each.anchor} <= set(identified)
    assert not {"script", "img", "iframe", "link"} & {tag for tag, _ in found.elements}
    assert not any("style" in each for _, each in found.elements)
    assert "<th></th>" not in answer.text
    style = re.search("<style>(.*)</style>", answer.text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in answer.headers["content-security-policy"]
    places = {each.place for every in handbook().values() for each in every.sections}
    for target in found.all("a", "href"):
        place = target.removeprefix("/api/docs/")
        assert (
            target.startswith("https://")
            or target in {"#main", "/api/docs", "/api/docs/handbook"}
            or place in places
            or f"{page.name}{target}" in places
        ), target


async def test_the_index_lists_and_searches(notes: RunningDaemon) -> None:
    """Without a question every page is listed; with one, the pages that answer it, the best first."""
    answer, listed = await drawn(notes, "/api/docs/handbook")
    assert {f"/api/docs/{name}" for name in handbook()} <= set(listed.all("a", "href"))
    assert "form-action 'self'" in answer.headers["content-security-policy"]
    asked = '"><script>nginx configuration'
    _, found = await drawn(notes, "/api/docs/handbook", query=asked)
    assert found.all("input", "value") == [asked]
    assert "script" not in {tag for tag, _ in found.elements}
    ordered = found.words.partition("Found in the handbook")[2]
    assert ordered.index("Behind a proxy › nginx") > 0
    assert "/api/docs/proxy#nginx" in found.all("a", "href")
    _, nothing = await drawn(notes, "/api/docs/handbook", query="zyzzyva")
    assert "No page has these words." in nothing.words
    long, _ = await drawn(notes, "/api/docs/handbook", query="a" * 1001)
    assert long.status_code == 400
    assert "handbook" not in handbook()


def folds(page: str) -> dict[str, bool]:
    """The folds of a page by what they are called, and whether each is open."""
    found = re.findall(r"<details( open)?><summary>([^<]*)</summary>", page)
    return {title: bool(is_open) for is_open, title in found}


async def test_the_shelf_of_a_page_is_open(notes: RunningDaemon) -> None:
    """Beside a page the links of its shelf are unfolded, and those of no other."""
    for name, shelf in (("cron", "Tutorials"), ("proxy", "Topics"), ("cursor", "Desktop agents")):
        answer, _ = await drawn(notes, f"/api/docs/{name}")
        shelves = {title: each for title, each in folds(answer.text).items() if title in TITLES}
        assert shelves == {title: title == shelf for title in TITLES}
        assert f'<a href="/api/docs/{name}" aria-current="page">' in answer.text


async def test_a_long_page_has_contents(notes: RunningDaemon) -> None:
    """From six sections on a page begins with links to them, folded where they are many."""
    for name, is_open in (
        ("webhooks", True),
        ("commands", False),
        ("proxy", None),
        ("questions", True),
    ):
        answer, _ = await drawn(notes, f"/api/docs/{name}")
        assert folds(answer.text).get("On this page") is is_open, name
        contents = answer.text.partition('class="contents"')[2].partition("</nav>")[0]
        if is_open is not None:
            sections = [each for each in handbook()[name].sections if len(each.headings) == 2]
            assert re.findall(r'href="#([^"]*)"', contents) == [each.anchor for each in sections]
            assert answer.text.index("</h1>") < answer.text.index('class="contents"')


async def test_the_interface_names_the_handbook(notes: RunningDaemon) -> None:
    """The page about the interface leads to the handbook, and an unknown page is told."""
    _, page = await drawn(notes, "/api/docs")
    assert "/api/docs/handbook" in page.all("a", "href")
    answer, _ = await drawn(notes, "/api/docs/nothing")
    assert answer.status_code == 404

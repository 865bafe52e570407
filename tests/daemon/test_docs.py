"""The page about the interface: one file under a strict policy, whole, and fit for everybody."""

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from finplan.daemon.surfaces.openapi import description as openapi
from finplan.daemon.surfaces.openapi import docs
from finplan.daemon.surfaces.openapi.answers import takes_a_key
from finplan.daemon.surfaces.openapi.docs import property_table
from finplan.operations.table import OPERATIONS
from tests.daemon.running import RunningDaemon

VOID = ("meta", "wbr")


class Page(HTMLParser):
    """What stands on a page: its elements, its headings in order, and whether all is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = text
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(docs.render(openapi.document(OPERATIONS, "http://127.0.0.1:8460")).decode())


@pytest.mark.thorough
def test_it_is_one_file_without_scripts(page: Page) -> None:
    """Nothing is loaded and nothing runs: no script, no picture, no style from elsewhere."""
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in page.elements:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
    assert "url(" not in page.text
    assert "@import" not in page.text


def test_its_links_lead_somewhere(page: Page) -> None:
    """Each link is to the description, the handbook or a place here, and no place is there twice."""
    places = Counter(attributes["id"] for _, attributes in page.elements if "id" in attributes)
    assert [place for place, count in places.items() if count > 1] == []
    for link in page.all("a"):
        elsewhere = link["href"] in {"/api/openapi.json", "/api/docs/handbook"}
        assert elsewhere or link["href"].removeprefix("#") in places


def test_it_tells_every_operation(page: Page) -> None:
    """Each row has a part of its own with its heading, and is in the contents."""
    articles = {each["id"] for each in page.all("article")}
    links = {each["href"] for each in page.all("a")}
    assert articles == {row.name for row in OPERATIONS}
    assert {f"#{name}" for name in articles} <= links


def test_what_has_to_be_there_is_marked() -> None:
    """Of what an object has, all that is required is marked as such, and nothing else is."""
    kind = {"type": "string"}
    told = property_table(
        "Fields", {"properties": {"id": kind, "note": kind, "day": kind}, "required": ["id", "day"]}
    )
    assert re.findall(r'<code>(\w+)</code> <span class="required">', told) == ["id", "day"]


def test_everybody_can_find_their_way(page: Page) -> None:
    """A language, a title, landmarks with labels, headings without a gap, named tables and columns."""
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("title")) == len(page.all("main")) == len(page.all("h1")) == 1
    assert [each["aria-label"] for each in page.all("nav")] == ["Contents"]
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(each["scope"] in ("row", "col") for each in page.all("th"))
    ids = {attributes.get("id") for _, attributes in page.elements}
    for tag, attributes in page.elements:
        if tag in ("section", "article"):
            assert attributes["aria-labelledby"] in ids


def test_no_two_landmarks_are_called_alike(page: Page) -> None:
    """Who steps from landmark to landmark hears each name once, and a dozen or two of them."""
    labels = [each["aria-labelledby"] for each in page.all("section")]
    titles = [re.search(f'id="{label}">([^<]+)<', page.text) for label in labels]
    heard = Counter(title[1] for title in titles if title is not None)
    assert sum(heard.values()) == len(labels) <= 24
    assert [name for name, count in heard.items() if count > 1] == []


def test_no_key_can_be_copied(page: Page) -> None:
    """A command that is copied twice and changed is two requests, since each makes up its own key."""
    description = openapi.document(OPERATIONS, "http://127.0.0.1:8460")
    told = description["components"]["parameters"]["IdempotencyKey"]
    assert "example" not in told
    assert "example" not in told["schema"]
    writing = [row for row in OPERATIONS if takes_a_key(row)]
    assert page.text.count('-H "Idempotency-Key: $(uuidgen)"') == len(writing) > 20


async def test_it_is_served_under_a_strict_policy(daemon: RunningDaemon) -> None:
    """Anybody may read it; the policy allows its own style by hash, and nothing else at all."""
    daemon.http.cookies.clear()
    answer = await daemon.http.get("/api/docs")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    (style,) = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.pop("style-src") == f"'sha256-{digest}'"
    assert set(policy.values()) == {"'none'"}
    assert set(policy) == {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_it_tells_of_this_daemon(daemon: RunningDaemon) -> None:
    """The commands on the page ask the daemon that serves it."""
    answer = await daemon.http.get("/api/docs")
    assert f"curl '{daemon.base_url}/api/v1/me'" in answer.text

"""A browser as far as the site sees one: it keeps cookies, names the page that asks, and sends forms."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import httpx

from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PASSWORD = "four words without meaning"
VOID = {"meta", "br", "input", "link", "wbr"}


class Page(HTMLParser):
    """A page as a browser's parser meets it: its elements, its texts, and the fields of each form.

    An attribute without a value has the empty one; a style is no text.
    """

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = page
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.forms: list[dict[str, list[str]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.comments: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag == "form":
            self.forms.append({})
        name = attributes.get("name")
        sent = attributes.get("type") != "checkbox" or "checked" in attributes
        if tag in {"input", "button"} and name is not None and sent:
            self.forms[-1].setdefault(name, []).append(attributes.get("value", ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.texts).split())

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def all(self, *tags: str) -> list[dict[str, str]]:
        """The attributes of all elements of some names."""
        return [attributes for tag, attributes in self.elements if tag in tags]

    def values(self, name: str, *tags: str) -> list[str]:
        """What an attribute is wherever it stands, or in elements of some names."""
        found = self.elements if not tags else [each for each in self.elements if each[0] in tags]
        return [attributes[name] for _, attributes in found if name in attributes]

    def form(self, does: str, **told: str) -> dict[str, list[str]]:
        """The first form that does something, and has hidden fields of some values."""
        return next(
            form
            for form in self.forms
            if form.get("do") == [does] and all(form[name] == [told[name]] for name in told)
        )


@dataclass(frozen=True)
class Visitor:
    """A browser of somebody, in front of one daemon."""

    daemon: RunningDaemon
    http: httpx.AsyncClient

    @property
    def cookie(self) -> str:
        return f"finplan_browser_{self.daemon.port}"

    @property
    def session(self) -> str | None:
        return self.http.cookies.get(self.cookie)

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers={"Sec-Fetch-Site": "none", **headers})

    async def page(self, path: str) -> Page:
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)

    async def post(self, path: str, form: Any, **headers: str) -> httpx.Response:
        ours = {"Sec-Fetch-Site": "same-origin", "Origin": self.daemon.base_url}
        return await self.http.post(path, data=form, headers={**ours, **headers})

    async def act(self, path: str, does: str, /, **typed: Any) -> httpx.Response:
        """Fill the form of a page in, and send it."""
        form = (await self.page(path)).form(does, **{k: typed[k] for k in ("id",) if k in typed})
        return await self.post(path, {**form, **typed})

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        return await self.post("/sign-in", {"email": email, "password": password})

    async def open(self) -> httpx.Response:
        """Sign in as the owner, as `finplan open` does."""
        return await self.get(await link_of(self.daemon))


async def link_of(daemon: RunningDaemon) -> str:
    made = await daemon.http.post("/api/v1/sessions/link")
    assert made.status_code == 201
    return str(made.json()["url"]).removeprefix(daemon.base_url)


async def invite_of(daemon: RunningDaemon, **ask: Any) -> str:
    made = await daemon.http.post("/api/v1/invites", json=ask)
    assert made.status_code == 201, made.text
    return str(made.json()["url"]).removeprefix(daemon.base_url)


@asynccontextmanager
async def browsing(daemon: RunningDaemon, **headers: str) -> AsyncIterator[Visitor]:
    """A browser that nobody has used yet."""
    async with httpx.AsyncClient(
        base_url=daemon.base_url,
        headers={"Accept": ACCEPT, "User-Agent": FIREFOX, **headers},
        trust_env=False,
        verify=False,
        timeout=LONG_ENOUGH,
    ) as http:
        yield Visitor(daemon, http)


def secret_on(page: Page, text: str) -> str:
    """What a page shows once, by how it begins."""
    found = re.search(rf"{re.escape(text)}\S*", page.said)
    assert found is not None, page.said
    return found[0]


def page_in(answer: httpx.Response, status: int) -> Page:
    """The page that a browser is answered with, by a status."""
    assert answer.status_code == status, answer.text
    return Page(answer.text)


@asynccontextmanager
async def signed_in(daemon: RunningDaemon) -> AsyncIterator[Visitor]:
    """A browser of who owns the machine, who has opened it."""
    async with browsing(daemon) as browser:
        await browser.open()
        yield browser

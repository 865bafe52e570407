"""Pages of the handbook drawn as HTML: without scripts and other files, by day and by night."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from finplan.daemon.surfaces.handbook.places import INDEX, ROOT, page_path, section_path
from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.handbook.asking import LONGEST_QUESTION
from finplan.handbook.pages import FOR_BUILDERS, HandbookPage, linked
from finplan.store.handbook_index import FoundPage

NOTHING_FOUND = "No page has these words. Ask with others, or choose a page."


def policy() -> str:
    """The content security policy of the pages: their own style, and the form for searching."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def draw_page(page: HandbookPage, pages: Mapping[str, HandbookPage]) -> str:
    """Draw one page, each heading with the anchor of its section."""
    return _frame(page.title, Markup(_rendered(page)), pages.values(), here=page.name)


def draw_index(pages: Mapping[str, HandbookPage]) -> str:
    """Draw the list of the pages."""
    main = joined(element("h1", "The handbook"), _search(""), *_lists(pages.values()))
    return _frame("The handbook", main, pages.values())


def draw_found(question: str, found: Sequence[FoundPage], pages: Mapping[str, HandbookPage]) -> str:
    """Draw what a question finds, each page with its best sections."""
    told = element("ol", *map(_hit, found), class_="found") if found else None
    main = joined(
        element("h1", "Found in the handbook"),
        _search(question),
        told or element("p", NOTHING_FOUND),
    )
    return _frame("Found in the handbook", main, pages.values())


def _frame(title: str, main: Markup, pages: Iterable[HandbookPage], here: str = "") -> str:
    links = [
        element(
            "li",
            element(
                "a",
                each.title,
                href=page_path(each),
                aria_current="page" if each.name == here else None,
            ),
        )
        for each in pages
        if each.name not in FOR_BUILDERS
    ]
    name = title if title == "The handbook" else f"{title}: the handbook"
    return "<!DOCTYPE html>" + element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", f"{name} of finplan"),
            element("style", Markup(_style())),
        ),
        element(
            "body",
            element("a", "Skip to the text", class_="skip", href="#main"),
            element(
                "nav",
                element(
                    "p",
                    element("a", "The handbook", href=INDEX),
                    " · ",
                    element("a", "The interface", href=ROOT),
                ),
                element("ul", *links),
                aria_label="The handbook",
            ),
            element("main", main, id="main"),
        ),
        lang="en",
    )


def _search(question: str) -> Markup:
    return element(
        "form",
        element("label", "Search in your own words", for_="query"),
        element(
            "input",
            type="search",
            id="query",
            name="query",
            value=question,
            maxlength=LONGEST_QUESTION,
            required=True,
        ),
        element("button", "Search"),
        action=INDEX,
        role="search",
    )


def _lists(pages: Iterable[HandbookPage]) -> tuple[Markup, ...]:
    people, builders = list[Markup](), list[Markup]()
    for page in pages:
        line = element(
            "li",
            element("a", page.title, href=page_path(page)),
            element("p", page.summary) if page.summary else None,
        )
        (builders if page.name in FOR_BUILDERS else people).append(line)
    return (
        element("ul", *people, class_="pages"),
        element("h2", "How finplan is made"),
        element("ul", *builders, class_="pages"),
    )


def _hit(found: FoundPage) -> Markup:
    parts = [
        element("li", element("a", " › ".join(each.headings), href=section_path(each)))
        for each in found.sections
        if each.anchor
    ]
    return element(
        "li",
        element("a", found.page.title, href=page_path(found.page)),
        element("p", found.sections[0].summary) if found.sections[0].summary else None,
        element("ul", *parts) if parts else None,
    )


def _rendered(page: HandbookPage) -> str:
    reader = _reader()
    tokens = reader.parse(page.markdown)
    headings = [each for each in tokens if each.type == "heading_open"]
    for heading, section in zip(headings, page.sections, strict=True):
        if section.anchor:
            heading.attrSet("id", section.anchor)
    for token, inside in pairwise(tokens):
        if token.type in {"th_open", "td_open"}:
            _fit_for_the_policy(token)
        if token.type == "th_open" and inside.content:
            token.attrSet("scope", "col")
        elif token.type == "th_open":
            # A header without words tells nobody anything.
            token.tag = tokens[tokens.index(inside) + 1].tag = "td"
        for child in token.children or ():
            _lead_to_a_page(child)
    rendered: str = reader.renderer.render(tokens, reader.options, {})
    return rendered


def _fit_for_the_policy(cell: Token) -> None:
    """A column's side, which the policy lets no attribute say, is said by a class."""
    if cell.attrs.pop("style", None) == "text-align:right":
        cell.attrSet("class", "right")


def _lead_to_a_page(token: Token) -> None:
    """A link to another file of the handbook leads to its page."""
    target = str(token.attrGet("href") or "")
    if token.type == "link_open" and "://" not in target and ".md" in target:
        token.attrSet("href", f"{ROOT}/{linked(target)}")


@cache
def _reader() -> MarkdownIt:
    # What looks like HTML in a page is text: the pages hold none.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@cache
def _style() -> str:
    return Path(__file__).with_name("handbook.css").read_text(encoding="utf-8")

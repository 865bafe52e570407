"""Pages of the handbook drawn as HTML: without scripts and other files, by day and by night."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from finplan.daemon.surfaces.handbook.routes import INDEX, ROOT, page_path, section_path
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    document,
    element,
    join_markup,
    policy_of_style,
    read_style,
)
from finplan.handbook.pages import FOR_BUILDERS, LONGEST_QUESTION, HandbookPage, linked
from finplan.store.handbook_index import FoundPage

SHELVES: Mapping[str, str] = {
    "tutorials": "Tutorials",
    "": "Topics",
    "agents": "Desktop agents",
    "reference": "Reference",
}
"""What the folders of the pages are called, in the order in which people want them."""

SECOND = 2
"""How many headings lead to a section that a page's contents name: the title and its own."""

LONG, VERY_LONG = 6, 12
"""From how many sections on a page has contents, and from how many these are folded."""

NOTHING_FOUND = "No page matches. Try other words, or choose a page."


def policy() -> str:
    """The content security policy of the pages: their own style, and the form for searching."""
    return policy_of_style(_style(), "'self'")


def draw_page(page: HandbookPage, pages: Mapping[str, HandbookPage]) -> str:
    """Draw one page, each heading with the anchor of its section."""
    return _frame(page.title, Markup(_rendered(page)), pages.values(), here=page.name)


def draw_index(pages: Mapping[str, HandbookPage]) -> str:
    """Draw the list of the pages."""
    main = join_markup(element("h1", "The handbook"), _search(""), *_lists(pages.values()))
    return _frame("The handbook", main, pages.values())


def draw_results(
    question: str, found: Sequence[FoundPage], pages: Mapping[str, HandbookPage]
) -> str:
    """Draw what a question finds, each page with its best sections."""
    told = element("ol", *map(_hit, found), class_="found") if found else None
    main = join_markup(
        element("h1", "Search results"),
        _search(question),
        told or element("p", NOTHING_FOUND),
    )
    return _frame("Search results", main, pages.values())


def _frame(title: str, main: Markup, pages: Iterable[HandbookPage], here: str = "") -> str:
    name = title if title == "The handbook" else f"{title}: the handbook"
    body = element(
        "body",
        element("a", "Skip to content", class_="skip", href="#main"),
        element(
            "nav",
            element(
                "p",
                element("a", "The handbook", href=INDEX),
                " · ",
                element("a", "API reference", href=ROOT),
            ),
            *_shelves(tuple(pages), here),
            aria_label="The handbook",
        ),
        element("main", main, id="main"),
    )
    return document(f"{name} of finplan", body, element("style", Markup(_style())))


def _shelves(pages: Sequence[HandbookPage], here: str) -> Iterator[Markup]:
    """The links to the pages, a fold for each shelf, of which that of the page in hand is open."""
    for title, on_it in _by_shelf(pages):
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
            for each in on_it
        ]
        is_open = any(each.name == here for each in on_it)
        yield element("details", element("summary", title), element("ul", *links), open=is_open)


def _by_shelf(pages: Iterable[HandbookPage]) -> Iterator[tuple[str, list[HandbookPage]]]:
    people = [each for each in pages if each.name not in FOR_BUILDERS]
    for shelf, title in SHELVES.items():
        yield title, [each for each in people if each.shelf == shelf]


def _search(question: str) -> Markup:
    return element(
        "form",
        element("label", "Search the handbook", for_="query"),
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


def _lists(pages: Iterable[HandbookPage]) -> Iterator[Markup]:
    """The pages with what each tells: by shelf, and those about how finplan is made."""
    pages = tuple(pages)
    builders = [each for each in pages if each.name in FOR_BUILDERS]
    for title, on_it in (*_by_shelf(pages), ("How finplan is built", builders)):
        if on_it:
            yield element("h2", title)
            yield element("ul", *map(_listed, on_it), class_="pages")


def _listed(page: HandbookPage) -> Markup:
    return element(
        "li",
        element("a", page.title, href=page_path(page)),
        element("p", page.summary) if page.summary else None,
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

    def render(some: list[Token]) -> str:
        return str(reader.renderer.render(some, reader.options, {}))

    # A title is three tokens: what opens it, its words, what closes it.
    return render(tokens[:3]) + _contents(page) + render(tokens[3:])


def _contents(page: HandbookPage) -> str:
    """The sections of a long page, as links at its top."""
    sections = [each for each in page.sections if each.anchor and len(each.headings) == SECOND]
    if len(sections) < LONG:
        return ""
    links = (element("li", element("a", each.title, href=f"#{each.anchor}")) for each in sections)
    contents = element(
        "details",
        element("summary", "On this page"),
        element("ul", *links),
        open=len(sections) < VERY_LONG,
    )
    return element("nav", contents, aria_label="On this page", class_="contents")


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


def _style() -> str:
    return read_style("reading.css", "handbook.css")

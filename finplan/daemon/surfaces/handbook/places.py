"""Where pages of the handbook and their sections are found on a site."""

from finplan.handbook.pages import HandbookPage, HandbookSection

ROOT = "/api/docs"
INDEX = f"{ROOT}/handbook"
"""The list of the pages, which also searches; no page is called so."""


def markdown_path(page: HandbookPage) -> str:
    """Where a page is found as it was written."""
    return f"{ROOT}/{page.name}.md"


def page_path(page: HandbookPage) -> str:
    """Where a browser finds a page."""
    return f"{ROOT}/{page.name}"


def section_path(section: HandbookSection) -> str:
    """Where a browser finds a section."""
    anchor = f"#{section.anchor}" if section.anchor else ""
    return f"{ROOT}/{section.page}{anchor}"

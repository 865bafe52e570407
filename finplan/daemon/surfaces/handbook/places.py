"""Where pages of the handbook and their sections are found on a site."""

from finplan.handbook.pages import HandbookPage, HandbookSection

ROOT = "/api/docs"


def markdown_path(page: HandbookPage) -> str:
    """Where a page is found as it was written."""
    return f"{ROOT}/{page.name}.md"


def section_path(section: HandbookSection) -> str:
    """Where a section is found."""
    anchor = f"#{section.anchor}" if section.anchor else ""
    return f"{ROOT}/{section.page}.md{anchor}"

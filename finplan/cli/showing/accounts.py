"""Facts as a person reads them, until every page of them is a view."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from finplan.cli.showing.listing import Column, listing


def facts_table(facts: Iterable[tuple[str, str | Text]]) -> Table:
    """Names at the left, values at the right."""
    return listing((Column("", style="dim"), Column("", gives_way=True)), facts)

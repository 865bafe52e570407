"""The column of a table in which the bank sorts its rows by what they were for."""

from collections.abc import Sequence

from finplan.categorise.bank_categories import category_code
from finplan.statements.table.words import words_of
from finplan.statements.text.descriptors import fold

_NAMES = """
category|categories|spending category|transaction category|merchant category|kategorie|hauptkategorie
|categorie|categoria|kategoria|kategori|rubriek|rubrique
"""
_HEADERS = frozenset(" ".join(_NAMES.split()).replace(" |", "|").split("|"))


def category_column(header: Sequence[str]) -> int | None:
    """The place of the bank's own categories, of several columns the first; None without one."""
    named = (place for place, name in enumerate(header) if " ".join(words_of(name)) in _HEADERS)
    return next(named, None)


def category_codes(cells: Sequence[str]) -> Sequence[str | None]:
    """The codes of rows by the bank's own categories; none where no row has one."""
    known = {cell: category_code(fold(cell)) for cell in set(cells)}
    return [known[cell] for cell in cells] if any(known.values()) else ()

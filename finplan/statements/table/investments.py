"""Tables of trades, fund units and holdings: their numbers are no rows of an account's money."""

from collections.abc import Sequence
from itertools import chain

from finplan.statements.table.words import words_of
from finplan.statements.text.descriptors import quoted

_COLUMNS = {
    "how many": """quantity|qty|shares|units|number of shares|no of shares|anzahl|stuck|stueck|stuckzahl
        |nominale|nominal|anteile|quantite|nombre de parts|parts|cantidad|titulos|participaciones
        |quantita|quote|aantal|antal|ilosc|pocet|quantidade|menge""",
    "of what": """symbol|ticker|ticker symbol|isin|wkn|cusip|sedol|security|security name|wertpapier
        |wertpapierbezeichnung|fund|fund name|fonds|fondsname|titre|instrument|instrument name
        |stock|stock symbol|papier|effekt|walor|produkt isin""",
    "at what price": """price|share price|unit price|price per share|price per unit|nav|kurs|cours
        |precio|prezzo|koers|kurz|preco|ausfuhrungskurs|stuckpreis|trade price|execution price""",
}
_NAMES = {
    " ".join(name.split()): group
    for group, names in _COLUMNS.items()
    for name in " ".join(names.split()).split("|")
}
_NOTHING = " 0.,-"
_TRADES = frozenset(["buy", "sell", "bought", "sold", "reinvestment", "reinvest dividend"])
_INCOME = frozenset(["dividend", "dividends", "distribution", "contribution", "reinvestment"])


def trades_in(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """Say what shows that a table lists trades or holdings, None for a table that does not.

    Two of quantity, security and price in the header show it, unless nothing but blanks and zeros
    stands below: a broker's account of cash has the columns, too. Without a header, rows of which half
    are called trades or dividends do.
    """
    if header:
        found: dict[str, str] = {}
        for place, name in enumerate(header):
            group = _NAMES.get(" ".join(words_of(name)))
            if group is not None and any(row[place].strip(_NOTHING) for row in rows):
                found.setdefault(group, name)
        return " and ".join(map(quoted, found.values())) if len(found) > 1 else None
    called = [{cell.strip().lower() for cell in row} for row in rows]
    kinds = [cells & (_TRADES | _INCOME) for cells in called]
    seen = set(chain.from_iterable(kinds))
    is_mostly = 2 * sum(map(bool, kinds)) >= len(rows)
    if is_mostly and seen & _TRADES and seen & _INCOME:
        return " and ".join(map(quoted, sorted(seen)[:2]))
    return None

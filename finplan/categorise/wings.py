"""A shop's fuel station, pharmacy, café or hotel: a payee of its own, in a category of its own."""

from collections.abc import Sequence

from finplan.categorise.curated import Merchant
from finplan.categorise.grammar import Grammar, Wing

_OF_SHOPS = frozenset(("groceries", "shopping", "home_goods"))


def wing_after(merchant: Merchant, tail: Sequence[str], words: Grammar) -> Wing | None:
    """The wing that the words after a shop's name open with, behind the number of its branch.

    A marketplace has none, nor has what is no shop: a café called "Hotel" is one by its name.
    """
    if merchant.people or not (merchant.out in _OF_SHOPS or merchant.out is None):
        return None
    word = next((token for token in tail if not token.isdigit()), "")
    return words.wings.get(word)

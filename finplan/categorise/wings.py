"""A shop's fuel station, pharmacy, café or hotel: a payee of its own, in a category of its own."""

from collections.abc import Sequence

from finplan.categorise.curated import Merchant
from finplan.categorise.grammar import Grammar, Wing

_OF_SHOPS = frozenset(("groceries", "shopping", "home_goods"))
_OF_CLUBS = frozenset(("hobbies", "kids", "education", "gifts_donations"))
_CARE = "childcare"


def wing_after(merchant: Merchant, tail: Sequence[str], words: Grammar) -> Wing | None:
    """The wing that the words after a shop's name open with, behind the number of its branch.

    A marketplace has none, nor has what is no shop: a café called "Hotel" is one by its name. A club
    may look after children, behind the name of its town: "YMCA OF BOULDER CHILD CARE".
    """
    if merchant.out in _OF_CLUBS:
        wings = (words.wings.get(token) for token in tail)
        return next((wing for wing in wings if wing is not None and wing.category == _CARE), None)
    if merchant.people or not (merchant.out in _OF_SHOPS or merchant.out is None):
        return None
    word = next((token for token in tail if not token.isdigit()), "")
    wing = words.wings.get(word)
    return None if wing is None or wing.category == _CARE else wing

"""What banks of one country write before and after a name: cards, days, codes, a payer's reference."""

from finplan.categorise.descriptor import is_day
from finplan.categorise.grammar import Grammar

_FRENCH_CARDS = frozenset(("facture", "achat"))
_BY_CARD = frozenset(("c", "d", "cd"))


def drop_booking_day(tokens: list[str], words: Grammar) -> str:
    """Drop the day that opens or closes a row; "card" if it was a card purchase's, else ""."""
    if tokens[0] in _FRENCH_CARDS:
        _close_with_country(tokens)
    how = "card" if tokens[0].isdigit() and _opens_with_day(tokens) else ""
    if len(tokens) > 4 and tokens[-4] == "on":
        return _drop_last_day(tokens, words) or how
    return how


def _close_with_country(tokens: list[str]) -> None:
    """Write the country where a French row closes with its town, so that the town is known for one.

    The town stands before the card's number, or behind the day of the purchase.
    """
    if len(tokens) > 4 and tokens[-2] == "carte" and tokens[-1][0].isdigit():
        tokens[-2:] = ["fr"]
    elif tokens[:2] == ["achat", "cb"]:
        day = next((at for at in range(3, len(tokens)) if _is_day_number(tokens[at])), len(tokens))
        tokens[day:] = []


def _is_day_number(token: str) -> bool:
    return len(token) == 6 and token.isdigit()


def _opens_with_day(tokens: list[str]) -> bool:
    """Drop a British row's card and day ("4412 14mar25 c"), and say if they were there."""
    if len(tokens) < 3 or len(tokens[0]) != 4 or not is_day(tokens[1]):
        return False
    del tokens[: 3 if tokens[2] in _BY_CARD and len(tokens) > 3 else 2]
    return True


def _drop_last_day(tokens: list[str], words: Grammar) -> str:
    """Drop the day and code that close a British row; "card" if it was a card purchase's."""
    if not _closes_with_day(tokens, words):
        return ""
    code = tokens[-1]
    del tokens[-4:]
    return "card" if code in words.card_codes else ""


def _closes_with_day(tokens: list[str], words: Grammar) -> bool:
    """Whether the last four tokens are a British row's day and code: "on 12 jan clp"."""
    _, day, month, code = tokens[-4:]
    months = month in words.months or month in words.given
    return day.isdigit() and len(day) < 3 and months and len(month) == 3 == len(code)


def drop_reference(tokens: list[str], words: Grammar) -> str:
    """Drop the code of a transfer behind a person, and what follows it; "person" if it was there.

    "FT" is one only where it closes the row, since "Ft Worth" is a town.
    """
    for place in range(2, len(tokens)):
        code = tokens[place]
        if code in words.faster_payments and (code != "ft" or place == len(tokens) - 1):
            del tokens[place:]
            return "person"
    return ""

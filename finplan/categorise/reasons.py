"""Why a row is filed as it is: a payee's reason, as far as it holds for that row's own words."""

import re
from itertools import zip_longest

from finplan.categorise.tokens import tokens_of

# A name with apostrophes is no quotation: only these words stand before one.
_QUOTED = re.compile(r"\b(?:words?|says) '([^']+)'")
_OF_OTHERS = "By what other rows of this payee say"


def reason_for(text: str, raw: str) -> str:
    """A payee's reason for a row described as `raw`: it quotes no word that the row does not have.

    A payee is judged by one of its rows, and what that one says need not stand in the others.
    """
    kept, place = list[str](), 0
    quotes = list(_QUOTED.finditer(text))
    for quote, following in zip_longest(quotes, quotes[1:]):
        end = text.find(".", quote.end()) if "." in text[quote.end() :] else len(text)
        if following is not None and following.start() < end:
            # Of several in a sentence the last one counts.
            continue
        start = max(place, text.rfind(".", place, quote.start()) + 1)
        before = text[start : quote.start()].lstrip()
        if before:
            start = quote.start() - len(before)
            kept += [text[place:start], text[start:end] if _says(raw, quote[1]) else _OF_OTHERS]
            place = end
    return "".join([*kept, text[place:]])


def _says(raw: str, phrase: str) -> bool:
    seen, wanted = tokens_of(raw.replace("+", " ")), phrase.split()
    return any(seen[place : place + len(wanted)] == wanted for place in range(len(seen)))

"""Why a row is filed as it is: a payee's reason, as far as it holds for that row's own words."""

import re

from finplan.categorise.tokens import tokens_of

# A name with apostrophes is no quotation: only these words stand before one.
_QUOTED = re.compile(r"[^.\s][^.]*\b(?:words?|says) '([^']+)'[^.]*")
_OF_OTHERS = "By what other rows of this payee say"


def reason_for(text: str, raw: str) -> str:
    """A payee's reason for a row described as `raw`: it quotes no word that the row does not have.

    A payee is judged by one of its rows, and what that one says need not stand in the others.
    """
    return _QUOTED.sub(lambda said: said[0] if _says(raw, said[1]) else _OF_OTHERS, text)


def _says(raw: str, phrase: str) -> bool:
    seen, wanted = tokens_of(raw.replace("+", " ")), phrase.split()
    return any(seen[place : place + len(wanted)] == wanted for place in range(len(seen)))

"""Names that a person types, all held to one rule: whoever reads them sees what was typed."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

UNREADABLE = "A name needs at least one sign that can be seen, and no control characters"

_JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Signs without which some scripts, and some emoji, cannot be spelt; alone they show nothing."""


def readable(typed: str) -> str:
    """A name in normal form, each run of spaces one space. Raises ValueError when nobody can read it."""
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    shown = seen(name)
    if not shown.strip() or not shown.isprintable():
        raise ValueError(UNREADABLE)
    return name


def seen(name: str) -> str:
    """What of a name stands on the page by itself: all but the joiners."""
    return name.translate(_JOINERS)


def folded(name: str) -> str:
    """A name as it is compared: without differences of spaces, of letters' case and of joiners."""
    return " ".join(unicodedata.normalize("NFKC", seen(name)).casefold().split())


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, json_schema_extra={"format": "label"}),
    AfterValidator(readable),
]
"""What a person calls something of theirs."""

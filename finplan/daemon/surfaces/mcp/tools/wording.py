"""How answers are put into words for an agent: short lines, and foreign text set apart."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from finplan.model.characters import visible
from finplan.model.money import exponent

_FENCE = re.compile("`+")
_DRAWN = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "'"})
LONGEST_NAME: Final = 80
"""How many characters of a text that a stranger wrote are said."""


def quoted(text: str) -> str:
    """A text that a stranger wrote, such as a payee, as data: a code span.

    Whoever wrote it may try to speak to the agent, or to have a host fetch an image. It is one line, of
    visible characters, and bounded.
    """
    seen = _FENCE.sub("'", visible(text)).strip()
    cut = seen if len(seen) <= LONGEST_NAME else seen[: LONGEST_NAME - 1].rstrip() + "…"
    return f"`{cut}`" if cut else "`–`"


def sentence(text: str) -> str:
    """A sentence of finplan's own in which a stranger's names may stand, without markup."""
    return visible(text).translate(_DRAWN).replace("://", ":/ /")


def lines(*parts: str | None) -> str:
    """The parts that there are, a line each."""
    return "\n".join(part for part in parts if part)


def listed(each: Iterable[str]) -> str:
    """Some lines as a list."""
    return "\n".join(f"- {line}" for line in each)


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number of things: "1 row", "1,204 rows"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def unit_of(currency: str) -> Mapping[str, str | int]:
    """What amounts are of, as answers carry it beside their content."""
    return {"finplan/currency": currency, "finplan/decimals": exponent(currency)}

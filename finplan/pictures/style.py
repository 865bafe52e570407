"""How pictures look: by the colours of their page, and by their own where they are alone."""

import re
from functools import cache
from pathlib import Path

_VARIABLE = re.compile(r"var\(--([a-z]+), (#[0-9a-f]{6})\)")

DARK = {
    "paper": "#14181b",
    "ink": "#e4e7e5",
    "soft": "#9aa5ab",
    "line": "#2b3237",
    "essential": "#6bb1da",
    "discretionary": "#cf94d3",
    "income": "#6ecf9b",
    "over": "#f28b82",
}
"""The colours of a picture alone where the person has it dark; by day those of `picture.css`."""


@cache
def style() -> str:
    """The style of pictures on a page, which may set the colours."""
    return Path(__file__).with_name("picture.css").read_text(encoding="utf-8")


@cache
def style_alone() -> str:
    """The style of pictures in a file of their own, also for programs that know no variables."""
    by_day = _VARIABLE.sub(lambda found: found[2], style())
    by_night = _VARIABLE.sub(lambda found: DARK[found[1]], style())
    return f"{by_day}@media (prefers-color-scheme: dark) {{\n{by_night}}}\n"

"""What the doctor found, as lines."""

from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from finplan.cli.showing.layout import page, row, wrapped

CheckState = Literal["ok", "warn", "bad"]
_SIGNS = {"ok": ("ok", "green"), "warn": ("warn", "yellow"), "bad": ("bad", "bold red")}
_INDENT = 19


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `advice` is empty when there is nothing to do."""

    name: str
    state: CheckState
    text: str
    advice: str = ""


def draw_finding(finding: Finding, width: int) -> Text:
    """One finding with what to do about it under it."""
    sign, style = _SIGNS[finding.state]
    text = wrapped(finding.text, width, indent=_INDENT)
    advice = wrapped(finding.advice, width, indent=_INDENT, style=style) if finding.advice else []
    first = row((Text(sign, style=style), 4), ("", 0), (finding.name, 12)).append(" ")
    return page([first.append_text(text[0][_INDENT:]), *text[1:], *advice])

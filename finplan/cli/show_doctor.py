"""What the doctor found, as lines."""

from rich.text import Text

from finplan.cli.checkup import Finding
from finplan.cli.layout import page, row, wrapped

_SIGNS = {"ok": ("ok", "green"), "warn": ("warn", "yellow"), "bad": ("bad", "bold red")}
_INDENT = 19


def draw_finding(finding: Finding, width: int) -> Text:
    """One finding with what to do about it under it."""
    sign, style = _SIGNS[finding.state]
    text = wrapped(finding.text, width, indent=_INDENT)
    advice = wrapped(finding.advice, width, indent=_INDENT, style=style) if finding.advice else []
    first = row((Text(sign, style=style), 4), ("", 0), (finding.name, 12)).append(" ")
    return page([first.append_text(text[0][_INDENT:]), *text[1:], *advice])

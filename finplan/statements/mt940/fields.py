"""A SWIFT message as fields: tag and value, in runs, whatever envelope stands around it."""

import re
from collections.abc import Iterator

from finplan.statements.statement import UnreadableStatement

_FIELD = re.compile(
    r"^:(20(?=:[^\n]*\n+(?::21:[^\n]*\n+)?:25P?:)|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13D?|34F"
    r"|90[CD]|NS[A-Z]?):",
    re.MULTILINE,
)
"""A field's beginning. A time that is wrapped to the next line (“:20:15”) is no head of a statement,
because no account follows it."""

_CUTS = ("\n:61:", "\n:62F:", "\n:62M:")
_MESSAGE_END = re.compile(r"^(?:-[ \t]*(?:$|\})|\{\d:|[\x01\x03])", re.MULTILINE)
_LONGEST_PIECE = 1 << 20


def plain_lines(text: str) -> str:
    """End every line as Unix does."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def fields(blocks: Iterator[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the fields in runs that begin with a statement line or a closing balance, but for the first.

    A line and what is said of it are in one run. Raises UnreadableStatement for a field that never
    ends.
    """
    kept = unfinished = ""
    for block in blocks:
        # A block may end between the two characters of a line's end.
        text = unfinished + block
        unfinished = "\r" if text.endswith("\r") else ""
        text = kept + plain_lines(text.removesuffix("\r"))
        cut = max(map(text.rfind, _CUTS)) + 1
        yield _split(text[:cut])
        kept = text[cut:]
        if len(kept) > _LONGEST_PIECE:
            raise UnreadableStatement("The file has a field that never ends.")
    yield _split(kept)


def before_end(value: str) -> tuple[str, bool]:
    """Cut a value where its message ends, and say whether it does."""
    if "\n-" not in value and "\n{" not in value and "\x03" not in value:
        return value, False
    found = _MESSAGE_END.search(value)
    return (value[: found.start()], True) if found else (value, False)


def _split(text: str) -> list[tuple[str, str]]:
    pieces = _FIELD.split(text)
    return list(zip(pieces[1::2], pieces[2::2], strict=True))

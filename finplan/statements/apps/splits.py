"""Rows that an app has split between categories, put together to what the bank booked."""

import re
from collections.abc import Iterable, Iterator

_DATE, _ACCOUNT, _MEMO, _OUTFLOW, _INFLOW = 0, 1, 4, 5, 6
_PART = re.compile(r"\(?Split \(?(\d{1,3})/(\d{1,3})\)\)?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_SEPARATORS = re.compile(r"[^\d]")


def merged(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Put parts that follow each other together, when all parts of one split are there.

    A part says “Split (1/3)” before its memo. The sum has the payee and memo of the first part.
    """
    held: dict[str, list[str]] = {}
    wanted: tuple[str, ...] = ()
    for row in rows:
        found = _PART.match(row[_MEMO])
        split = (row[_DATE], row[_ACCOUNT], found[2]) if found else ()
        if held and (found is None or split != wanted or found[1] in held):
            yield from held.values()
            held = {}
        if found is None:
            yield row
            continue
        held[found[1]], wanted = row, split
        if len(held) == int(found[2]):
            yield from _put_together(list(held.values()))
            held = {}
    yield from held.values()


def _put_together(parts: list[list[str]]) -> list[list[str]]:
    whole = list(parts[0])
    for place in (_OUTFLOW, _INFLOW):
        total = _sum([part[place] for part in parts])
        if total is None:
            return parts
        whole[place] = total
    whole[_MEMO] = _PART.sub("", whole[_MEMO])
    return [whole]


def _sum(printed: list[str]) -> str | None:
    """Add amounts of one way of printing, whichever sign is decimal; None when they are of several.

    The last separator stays at its place from the end, so the sum reads as its parts do.
    """
    texts = [text for text in printed if text.strip()]
    numbers = [_NUMBER.search(text) for text in texts]
    if not texts:
        return ""
    if any(found is None or "-" in text for found, text in zip(numbers, texts, strict=True)):
        return None
    shown = [found[0] for found in numbers if found]
    tails = {
        len(text) - 1 - max(text.rfind("."), text.rfind(",")) for text in shown if _has_sign(text)
    }
    total = sum(int(_SEPARATORS.sub("", text)) for text in shown)
    first = numbers[0]
    before, after = (texts[0][: first.start()], texts[0][first.end() :]) if first else ("", "")
    if not all(map(_has_sign, shown)):
        # A number without a separator is whole, and so the separators of the others part thousands.
        return f"{before}{total}{after}" if tails <= {3} else None
    if len(tails) != 1:
        return None
    (tail,) = tails
    sign = shown[0][-1 - tail]
    digits = f"{total:0{tail + 1}d}"
    return f"{before}{digits[:-tail]}{sign}{digits[-tail:]}{after}"


def _has_sign(text: str) -> bool:
    return "." in text or "," in text

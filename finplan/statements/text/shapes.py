"""Columns of text handled as one text: the shapes of their cells, and their digits."""

from collections.abc import Iterator, Sequence

GLUE = "\x1f"
"""Stands between the cells; no text that a reader decodes holds it."""

_TO_SHAPE = {ord(digit): "9" for digit in "012345678"}


class _OnlyDigits(dict[int, str | None]):
    """A translation that keeps what it holds and deletes all other characters."""

    def __missing__(self, key: int) -> None:
        return None


_TO_DIGITS = _OnlyDigits({ord(character): character for character in "0123456789" + GLUE})


def shapes_of(cells: Sequence[str]) -> list[str]:
    """Give each cell's shape: its text with every digit as 9."""
    return GLUE.join(cells).translate(_TO_SHAPE).split(GLUE) if cells else []


def digits_of(cells: Sequence[str]) -> Iterator[int]:
    """Give each cell's digits as one number, 0 for a cell without any."""
    digits = ("0" + (GLUE + "0").join(cells)).translate(_TO_DIGITS).split(GLUE)
    return map(int, digits) if cells else iter(())

"""JSON read value by value from a text that is read block by block, so that memory stays small."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

_SPACE = re.compile(r"[ \t\r\n]*")
_BLOCK = 1 << 16
_LONGEST_VALUE = 1 << 23


class JsonValues:
    """Takes one value after another from a text that is read block by block."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._kept = ""
        self._place = 0
        self._decoder = json.JSONDecoder(parse_float=str, parse_constant=_refuse)

    def names(self) -> Iterator[str]:
        """Yield the names of an object; whoever takes one takes its value too. Raises ValueError."""
        self.take("{")
        while True:
            name = self.value()
            self.take(":")
            yield name
            if not self.goes_on("}"):
                return

    def items(self) -> Iterator[Any]:
        """Yield the items of a list."""
        return (value for _, value in self.written_items())

    def written_items(self) -> Iterator[tuple[str, Any]]:
        """Yield the items of a list, each as it is written too."""
        self.take("[")
        if self._next() == "]":
            self.take("]")
            return
        while True:
            yield self.written_value()
            if not self.goes_on("]"):
                return

    def skip(self) -> None:
        """Take whatever stands there, a list item by item, however long it is."""
        if self._next() == "[":
            for _ in self.items():
                pass
        else:
            self.value()

    def goes_on(self, end: str) -> bool:
        """Take a comma, or the end of the list or object. Raises ValueError for anything else."""
        if self._next() == end:
            self.take(end)
            return False
        self.take(",")
        return True

    def take(self, sign: str) -> None:
        """Take one sign. Raises ValueError when another one stands there."""
        if self._next() != sign:
            raise ValueError
        self._place += 1

    def value(self) -> Any:
        """Take a whole value. Raises ValueError when there is none."""
        return self.written_value()[1]

    def written_value(self) -> tuple[str, Any]:
        """Take a whole value, as it is written too. Raises ValueError when there is none."""
        self._next()
        wanted = _BLOCK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._kept, self._place)
            except ValueError:
                if not self._more(wanted):
                    raise
            else:
                # A number goes on where the text that is kept ends.
                if end < len(self._kept) or not self._more(wanted):
                    start, self._place = self._place, end
                    return self._kept[start:end], value
            wanted *= 2

    def _next(self) -> str:
        while True:
            found = _SPACE.match(self._kept, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._kept):
                return self._kept[self._place]
            if not self._more(_BLOCK):
                raise ValueError

    def _more(self, wanted: int) -> bool:
        self._kept = self._kept[self._place :]
        self._place = 0
        if len(self._kept) > _LONGEST_VALUE:
            raise ValueError
        block = self._file.read(wanted)
        self._kept += block
        return bool(block)


def _refuse(text: str) -> Any:
    raise ValueError(text)

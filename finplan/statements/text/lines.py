"""The lines of a text file with their numbers, read block by block."""

from collections.abc import Iterator
from typing import NamedTuple

from finplan.statements.statement import SourceFile, UnreadableStatement
from finplan.statements.text.encoding import Charset, texts

_LONGEST = 1 << 20
_MOST_BELOW = 20_000


class Block(NamedTuple):
    """A line that begins in the first column, and the indented lines below it.

    `line` is the number of the first; the lines have no end-of-line, the indented ones no indent.
    """

    line: int
    head: str
    below: list[tuple[int, str]]


def lines_of(source: SourceFile, charset: Charset) -> Iterator[str]:
    """Yield the lines of a file. Raises UnreadableStatement for one of a million characters."""
    kept = ""
    for text in texts(source.path, charset):
        kept += text
        held_back = "\r" if kept.endswith("\r") else ""
        whole = kept.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        *lines, last = whole.split("\n")
        kept = last + held_back
        if len(kept) > _LONGEST or any(len(line) > _LONGEST for line in lines):
            raise UnreadableStatement("The file has a line of more than a million characters.")
        yield from lines
    yield from kept.replace("\r", "\n").split("\n")


def blocks_of(lines: Iterator[tuple[int, str]]) -> Iterator[Block]:
    """Gather lines into blocks; empty lines end one. Raises UnreadableStatement for one without end."""
    block: Block | None = None
    for number, line in lines:
        if not line.strip():
            if block is not None:
                yield block
            block = None
        elif line[0] in " \t":
            if block is not None:
                block.below.append((number, line.strip()))
                if len(block.below) > _MOST_BELOW:
                    raise UnreadableStatement(f"Line {block.line}: what begins here never ends.")
        else:
            if block is not None:
                yield block
            block = Block(number, line.rstrip(), [])
    if block is not None:
        yield block

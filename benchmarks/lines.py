"""`python -m benchmarks.lines [CHECKOUT …]`: how much code each room of the product has.

A line is code when it holds a token that is neither comment, docstring nor bracket; a line of brackets
alone is none, so that there is little to gain by packing lines. Data are counted apart: what a module
assigns to its own names at top level, such as tables, SQL and words. Files that are not Python are not
counted. A room's line has its sub-rooms in it. Several checkouts stand side by side.
"""

import argparse
import ast
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeGuard

from benchmarks.tables import Table, in_columns, in_markdown

PRODUCT = "finplan"
_LAYOUT = frozenset(
    (
        tokenize.ENCODING,
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)
_BRACKETS = frozenset("()[]{},:")


class Count(NamedTuple):
    """How many files there are, and how many lines of code and of data in them."""

    files: int
    code: int
    data: int


def count_source(source: str) -> Count:
    """Count one file of Python."""
    tree = ast.parse(source)
    docstrings = _lines_of(node for node in ast.walk(tree) if _is_docstring(node))
    tables = _lines_of(node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    held = _lines_with_tokens(source) - docstrings
    return Count(1, len(held - tables), len(held & tables))


def count_rooms(checkout: Path) -> Mapping[str, Count]:
    """The count of each folder of the product with what is below it, by its path in the checkout."""
    found: defaultdict[str, list[Count]] = defaultdict(list)
    for path in (checkout / PRODUCT).rglob("*.py"):
        count = count_source(path.read_text("utf-8"))
        # The last parent of a relative path is the checkout itself.
        for folder in list(path.relative_to(checkout).parents)[:-1]:
            found[folder.as_posix()].append(count)
    if not found:
        raise FileNotFoundError(f"There is no {PRODUCT} in {checkout}.")
    return {room: Count(*map(sum, zip(*counts, strict=True))) for room, counts in found.items()}


def side_by_side(checkouts: Sequence[Mapping[str, Count]]) -> Table:
    """A line for each room that any of the checkouts has; where one has none, nothing stands."""
    rooms = sorted(set(chain.from_iterable(checkouts)), key=lambda room: room.split("/"))
    return [
        ("Room", *(("Files", "Code", "Data") * len(checkouts))),
        *(
            (room, *chain.from_iterable(_cells(each.get(room)) for each in checkouts))
            for room in rooms
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Count the checkouts and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.lines", description=__doc__)
    parser.add_argument("checkouts", type=Path, nargs="*", default=(Path(),), metavar="CHECKOUT")
    parser.add_argument("--markdown", action="store_true", help="the same table as Markdown")
    options = parser.parse_args(arguments)
    try:
        table = side_by_side([count_rooms(each) for each in options.checkouts])
    except FileNotFoundError as error:
        parser.error(str(error))
    show = in_markdown if options.markdown else in_columns
    print(show(table, range(1, len(table[0]))))
    return 0


def _cells(count: Count | None) -> Iterator[str]:
    return (f"{number:,}" if count else "" for number in count or (0, 0, 0))


def _is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Whether a node is text that stands for itself: a docstring, of an attribute too."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _lines_of(nodes: Iterable[ast.stmt]) -> set[int]:
    spans = ((node.lineno, node.end_lineno or node.lineno) for node in nodes)
    return {line for first, last in spans for line in range(first, last + 1)}


def _lines_with_tokens(source: str) -> set[int]:
    lines = source.splitlines(keepends=True)
    return {
        line
        for token in tokenize.generate_tokens(iter(lines).__next__)
        if token.type not in _LAYOUT and token.string not in _BRACKETS
        for line in range(token.start[0], token.end[0] + 1)
        # A text of many lines may have empty ones.
        if lines[line - 1].strip()
    }


if __name__ == "__main__":
    raise SystemExit(main())

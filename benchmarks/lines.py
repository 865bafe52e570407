"""`python -m benchmarks.lines [CHECKOUT …]`: how much code each room of the product has.

A line is code when it holds a token that is neither comment, docstring nor bracket; a line of brackets
alone is none, so that there is little to gain by packing lines. Data are counted apart: what a module
assigns to its own names at top level, such as tables, SQL and words. A file is small with fewer than 40
lines of both. Imports are the lines of import statements, wherever they stand, and are code as well.
Files that are not Python have columns of their own, so that nothing gets smaller by becoming one: pages
and styles (`.html`, `.css`, `.tcss`, `.mako`, `.sql`), `.toml`, and `.js`; their blank lines count not.
A room's line has its sub-rooms in it; `tests` is one line. Several checkouts stand side by side.
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
TESTS = "tests"
SMALL = 40
"""With fewer lines of code and data than this, a file is small."""

_COLUMNS = ("Files", "Small", "Code", "Data", "Imports", "Pages", "TOML", "JS")
_ENDINGS = {
    ".html": "pages",
    ".css": "pages",
    ".tcss": "pages",
    ".mako": "pages",
    ".sql": "pages",
    ".toml": "toml",
    ".js": "js",
}
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
    """How many files of Python there are, small ones among them, and the lines of each kind."""

    files: int = 0
    small: int = 0
    code: int = 0
    data: int = 0
    imports: int = 0
    pages: int = 0
    toml: int = 0
    js: int = 0


def count_source(source: str) -> Count:
    """Count one file of Python."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    docstrings = _lines_of(node for node in nodes if _is_docstring(node))
    tables = _lines_of(node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    imports = _lines_of(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    held = _lines_with_tokens(source) - docstrings
    return Count(
        files=1,
        small=int(len(held) < SMALL),
        code=len(held - tables),
        data=len(held & tables),
        imports=len(imports),
    )


def count_file(path: Path) -> Count:
    """Count one file, of Python or not; one of a kind that is not counted has no line."""
    if path.suffix == ".py":
        return count_source(path.read_text("utf-8"))
    column = _ENDINGS.get(path.suffix)
    if column is None:
        return Count()
    lines = path.read_text("utf-8").splitlines()
    return Count()._replace(**{column: sum(1 for line in lines if line.strip())})


def count_rooms(checkout: Path) -> Mapping[str, Count]:
    """The count of each folder of the product with what is below it, and of all tests, by its path."""
    found: defaultdict[str, list[Count]] = defaultdict(list)
    for top in (PRODUCT, TESTS):
        for path in (checkout / top).rglob("*.*"):
            if not path.is_file():
                continue
            count = count_file(path)
            # The last parent of a relative path is the checkout itself.
            folders = list(path.relative_to(checkout).parents)[:-1]
            for folder in folders if top == PRODUCT else folders[-1:]:
                found[folder.as_posix()].append(count)
    if PRODUCT not in found:
        raise FileNotFoundError(f"There is no {PRODUCT} in {checkout}.")
    counts = {room: Count(*map(sum, zip(*each, strict=True))) for room, each in found.items()}
    return {room: count for room, count in counts.items() if count.files}


def side_by_side(checkouts: Sequence[Mapping[str, Count]]) -> Table:
    """A line for each room that any of the checkouts has; where one has none, nothing stands."""
    rooms = sorted(set(chain.from_iterable(checkouts)), key=lambda room: room.split("/"))
    return [
        ("Room", *(_COLUMNS * len(checkouts))),
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
    return (f"{number:,}" if count else "" for number in count or Count())


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

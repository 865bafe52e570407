"""Which small changes of the product are tried: each is one operator or number in one function."""

import ast
import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PRODUCT = "finplan"

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
    ast.Div: "*",
}
_WORDS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One change of a file: `after` stands in place of the bytes from `begin` to `end`.

    `rank` depends on the seed and on the function and place within it, and on no path, so that code
    which only moves has the same mutants as before.
    """

    rank: str
    path: Path
    line: int
    begin: int
    end: int
    before: str
    after: str

    @property
    def room(self) -> str:
        """The folder of the product that it is in."""
        parts = self.path.parts
        return parts[1] if len(parts) > 2 else PRODUCT


def draw(checkout: Path, seed: int, many: int) -> list[Mutant]:
    """So many mutants of the checkout's product, the same ones for the same seed."""
    every = (
        mutant
        for path in sorted((checkout / PRODUCT).rglob("*.py"))
        if "migrations" not in path.parts
        for mutant in mutants_of(path.relative_to(checkout), path.read_bytes(), seed)
    )
    return sorted(every)[:many]


def mutants_of(path: Path, source: bytes, seed: int) -> Iterator[Mutant]:
    """All mutants of one file: what is outside of functions is data, and no mutant."""
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def at(line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return lines[line - 1] + column

    for function in _functions(ast.parse(source)):
        start = at(function.lineno, function.col_offset)
        text = source[start : at(function.end_lineno, function.end_col_offset)]
        for node in _own_nodes(function):
            for first, last, after in _changes(node):
                if first is last:
                    begin = at(node.lineno, node.col_offset)
                    end = at(node.end_lineno, node.end_col_offset)
                    before, written = source[begin:end].decode(), after
                else:
                    begin = at(first.end_lineno, first.end_col_offset)
                    end = at(last.lineno, last.col_offset)
                    before = source[begin:end].decode()
                    if "#" in before:
                        continue
                    # Brackets between two operands belong to these.
                    written = f"{')' * before.count(')')} {after} {'(' * before.count('(')}"
                place = f"{seed}:{begin - start}:{after}:".encode() + text
                rank = hashlib.blake2s(place, digest_size=8).hexdigest()
                yield Mutant(rank, path, node.lineno, begin, end, before.strip(), written)


def applied(source: bytes, mutant: Mutant) -> bytes:
    """A file with one mutant in it."""
    return source[: mutant.begin] + mutant.after.encode() + source[mutant.end :]


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions at the top and the methods of classes there; inner ones belong to theirs."""
    for node in tree.body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield each


def _own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """The expressions of a function but those within texts, whose places Python 3.11 does not know."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.JoinedStr):
            left += ast.iter_child_nodes(node)


def _changes(node: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Between which operands, or in place of which node, what is to stand."""
    match node:
        case ast.Compare(left=left, ops=[only], comparators=[right]):
            yield left, right, _COMPARISONS[type(only)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            if not any(isinstance(each, ast.JoinedStr) or _is_text(each) for each in (left, right)):
                yield left, right, _ARITHMETIC[type(op)]
        case ast.BoolOp(op=op, values=values):
            for left, right in itertools.pairwise(values):
                yield left, right, "and" if isinstance(op, ast.Or) else "or"
        case ast.Constant(value=bool(value)):
            yield node, node, repr(not value)
        case ast.Constant(value=int(value)):
            yield node, node, repr(value + 1)
        case ast.Name(id=name) if name in _WORDS:
            yield node, node, _WORDS[name]
        case _:
            return


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)

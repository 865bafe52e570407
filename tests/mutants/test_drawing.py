"""Mutants: the same seed draws the same ones, wherever code lies, and each of them is a change."""

import ast
from pathlib import Path

from tests.mutants.drawing import applied, draw, mutants_of

SOURCE = b'''\
"""A module."""

LIMIT = 5


def fits(least: int, most: int, *, at_all: bool = True) -> bool:
    """Whether 1 fits."""
    if not (least) < (most) and min(least, 3) in (1, 2):
        return True
    return (
        least  # This one first.
        + most
    ) is None or f"{least + 7}" == "2"
'''


def drawn(source: bytes = SOURCE, seed: int = 1) -> set[tuple[str, str]]:
    return {
        (each.before, each.after.strip()) for each in mutants_of(Path("finplan/a.py"), source, seed)
    }


def test_mutants_are_operators_and_numbers_within_functions() -> None:
    """Defaults, data, texts and what has a comment in it stay; brackets keep their operands."""
    assert drawn() == {
        (") < (", ") <= ("),
        ("and", "or"),
        ("or", "and"),
        ("min", "max"),
        ("3", "4"),
        ("in", "not in"),
        ("1", "2"),
        ("2", "3"),
        ("True", "False"),
        (") is", ") is not"),
        ("==", "!="),
    }


def test_every_mutant_is_another_program() -> None:
    """A file with a mutant in it is Python, and not the same."""
    for each in mutants_of(Path("finplan/a.py"), SOURCE, 1):
        assert ast.dump(ast.parse(applied(SOURCE, each))) != ast.dump(ast.parse(SOURCE))


def test_code_that_moves_has_the_same_mutants(tmp_path: Path) -> None:
    """The draw depends on the seed and the function, and on nothing that stands before it."""
    ranks = {}
    for name, source in (("a", SOURCE), ("b", b"import ast\n\n\n" + SOURCE)):
        path = tmp_path / name / "finplan" / name / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_bytes(source)
        ranks[name] = [each.rank for each in draw(tmp_path / name, 1, 5)]
    assert ranks["a"] == ranks["b"]
    assert ranks["a"] != [each.rank for each in draw(tmp_path / "a", 2, 5)]

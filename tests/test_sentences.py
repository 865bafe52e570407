"""What is worded once is tested once: tests hold values and codes, and sentences stand in goldens."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
WORD = re.compile(r"[\"'`(]?[A-Za-z][A-Za-z']*[\"'`).,;:?!]*")
LEAST = 4
"""So many words between spaces make a sentence, or a part of one."""

MOST = 0.06
"""The share of test functions that may hold a sentence, its docstring apart; it only falls."""


TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[TestFunction]:
    """Every test function of the project."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, TestFunction) and node.name.startswith("test_"):
                yield node


def holds_a_sentence(test: TestFunction) -> bool:
    """Whether the body of a test has a text of four words or more."""
    docstring = ast.get_docstring(test, clean=False)
    texts = (
        node.value
        for statement in test.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return any(is_sentence(text) for text in texts if text != docstring)


def is_sentence(text: str) -> bool:
    """Whether a text has four words or more, of letters alone and not all of them capitals."""
    words = [word for word in text.split() if WORD.fullmatch(word)]
    return len(words) >= LEAST and not text.isupper()


def test_few_tests_hold_a_sentence() -> None:
    """A sentence that a test repeats is worded twice; a value, a code or a golden holds the same law."""
    all_tests = [*functions()]
    holding = [each.name for each in all_tests if holds_a_sentence(each)]
    assert len(holding) / len(all_tests) <= MOST, len(holding)

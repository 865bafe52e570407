"""Names in the code say what they hold: few bindings are private words, few functions participles."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import finplan

PRIVATE_WORDS = """
each found told said place held kept shown whole asked seen word words named made given known wanted
one other more rest left
"""
"""Words that fit any value, so that a reader learns nothing of this one from them."""

PARTICIPLES = """
told said moved shown kept held asked found seen made given named known left brought taken worded
drawn arranged joined framed settled
"""
"""What no function is called by, or ends in: its name is a verb and a noun."""

MOST_PRIVATE = 0.0125
"""The share of bindings that may be private words; it only falls."""

MOST_PARTICIPLES = 12
"""How many functions may be, or end in, a participle; it only falls."""

FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef


def nodes() -> Iterator[ast.AST]:
    """Everything in the sources of the product."""
    for path in Path(finplan.__file__).parent.rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def test_few_bindings_are_private_words() -> None:
    """An argument or a variable is called by what it holds."""
    names = Counter[str]()
    for node in nodes():
        if isinstance(node, FUNCTIONS):
            names.update(argument.arg for argument in (*node.args.args, *node.args.kwonlyargs))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] += 1
    private = sum(names[word] for word in PRIVATE_WORDS.split())
    all_names = sum(count for name, count in names.items() if name not in {"self", "cls", "_"})
    assert private / all_names <= MOST_PRIVATE, names.most_common()


def test_few_functions_are_participles() -> None:
    """A function is called by a verb and what it acts on."""
    avoided = {*PARTICIPLES.split()}
    stripped = [node.name.strip("_") for node in nodes() if isinstance(node, FUNCTIONS)]
    participles = [name for name in stripped if {name, name.rsplit("_", 1)[-1]} & avoided]
    assert len(participles) <= MOST_PARTICIPLES, participles

"""All regular expressions of the product, each with the methods by which it is asked."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import repeat
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import finplan
from finplan.categorise import payments
from finplan.cli.console import errors
from finplan.model.user import EMAIL
from finplan.periods import reading
from finplan.tui import drawing

SEARCHING = frozenset({"search", "sub", "subn", "findall", "finditer", "split"})
METHODS = SEARCHING | {"match", "fullmatch"}
HELD: tuple[str, ...] = ()
"""The patterns that a function makes are held by something that is looked through anyhow."""

BUILT: Mapping[str, Callable[[], Iterable[str]]] = {
    "finplan.banks.demo.household": lambda: ["[#?]"],
    "finplan.categorise.payments": lambda: [
        payments._pattern_of_purposes(frozenset([("rent", "march"), ("a",)])).pattern
    ],
    "finplan.categorise.shapes": lambda: HELD,
    "finplan.cli.console.naming": lambda: [r"(?<![a-z0-9])ab\ c"],
    "finplan.cli.console.errors": lambda: [way for way, _ in errors._PLAINER],
    "finplan.daemon.surfaces.authorization_server": lambda: [EMAIL],
    "finplan.views.plan_text": lambda: [r"1,200\.50(?![.,]?[0-9])"],
    "finplan.periods.reading: form.format(said)": lambda: [
        form.format(said)
        for words in (reading._FOREIGN_DAYS, reading._FOREIGN_FORMS, reading._FOREIGN_UNITS)
        for said in words.values()
        for form in (r"(?:{})", r"(?:.*\W)?(?:{})(?:\W.*)?")
    ],
    "finplan.periods.reading": lambda: [way for way, _ in reading._UNTOLD],
    "finplan.plan.pairing.evidence": lambda: [
        r"(?<![0-9.])1200\.50(?![0-9])",
        r"\b(?:card|visa)\b",
    ],
    "finplan.settings": lambda: [r"""\s*+(?:\[\s*+)?["']?port["']?\s*[]=.]"""],
    "finplan.statements.text.scripts": lambda: HELD,
    "finplan.store.queries.spending": lambda: [r":days\b"],
    "finplan.tui.drawing": lambda: [way for way, _ in drawing._KEYS_OF_COMMANDS],
}
"""Examples of the patterns that functions of a module build of what they are given.

Where one module builds several, an example may be named after what stands in the call, too.
"""


class FoundPattern(NamedTuple):
    """A pattern of the product: where it stands, itself, and how it is asked."""

    where: str
    pattern: "re.Pattern[Any]"
    methods: frozenset[str]


@cache
def product_modules() -> tuple[ModuleType, ...]:
    """Every module of the product."""
    names = [each.name for each in pkgutil.walk_packages(finplan.__path__, "finplan.")]
    return tuple(importlib.import_module(name) for name in names if not name.endswith("__main__"))


@cache
def found_patterns() -> tuple[FoundPattern, ...]:
    """The compiled patterns that modules hold, and those that functions write where they use them."""
    asked = _Asked()
    found: dict[tuple[str | bytes, int], FoundPattern] = {}
    seen: set[int] = set()
    for module in product_modules():
        for each in [*_held(module, seen, asked), *_written(module, asked)]:
            key = each.pattern.pattern, each.pattern.flags
            before = found.get(key)
            methods = each.methods | (before.methods if before else frozenset())
            where = before.where if before else each.where
            found[key] = FoundPattern(where, each.pattern, methods)
    return tuple(found.values())


def kind_of_method(method: str) -> str:
    """How a method goes through a text: `search` stands for all that try every place."""
    return "search" if method in SEARCHING else method


@cache
def tree_of_module(module: ModuleType) -> ast.Module:
    """A module's source, parsed."""
    assert module.__file__ is not None
    return ast.parse(Path(module.__file__).read_text())


class _Asked:
    """By which methods the patterns of the product are asked, as its source says."""

    def __init__(self) -> None:
        self._of_names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._of_attributes: defaultdict[str, set[str]] = defaultdict(set)
        self._of_others: defaultdict[str, set[str]] = defaultdict(set)
        for module in product_modules():
            self._look_at(module)

    def of_name(self, module: str, name: str) -> frozenset[str]:
        """The methods of a pattern that a module holds by a name."""
        return frozenset(self._of_names[module, name]) or self.of_member(module, name)

    def of_member(self, module: str, name: str) -> frozenset[str]:
        """The methods of one that stands within something, by the name it has there."""
        methods = self._of_attributes[name] or self._of_others[module]
        return frozenset(methods) or frozenset({"search"})

    def _look_at(self, module: ModuleType) -> None:
        home = self._homes(module)
        for node in ast.walk(tree_of_module(module)):
            if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
                continue
            if isinstance(node.value, ast.Name) and node.value.id in home:
                self._of_names[home[node.value.id]].add(node.attr)
            elif node.attr == "split":
                continue  # Texts are split, too.
            elif isinstance(node.value, ast.Attribute):
                self._of_attributes[node.value.attr].add(node.attr)
            elif not (isinstance(node.value, ast.Name) and node.value.id == "re"):
                self._of_others[module.__name__].add(node.attr)

    def _homes(self, module: ModuleType) -> Mapping[str, tuple[str, str]]:
        """The patterns that a module names: in which module each is held, and by which name."""
        held = {name for name, value in vars(module).items() if isinstance(value, re.Pattern)}
        home = {name: (module.__name__, name) for name in held}
        for node in ast.walk(tree_of_module(module)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if (alias.asname or alias.name) in held:
                        home[alias.asname or alias.name] = node.module, alias.name
        return home


def _held(module: ModuleType, seen: set[int], asked: _Asked) -> Iterator[FoundPattern]:
    for name, value in list(vars(module).items()):
        if isinstance(value, re.Pattern):
            if _is_assigned(module, name):
                where = f"{module.__name__}.{name}"
                yield FoundPattern(where, value, asked.of_name(module.__name__, name))
        elif not isinstance(value, ModuleType) and not name.startswith("__"):
            for member, pattern in _within(value, name, seen):
                where = f"{module.__name__}.{name} ({member})"
                yield FoundPattern(where, pattern, asked.of_member(module.__name__, member))


def _is_assigned(module: ModuleType, name: str) -> bool:
    """Say whether a module makes what it calls so, and does not import it."""
    return name not in _imported(module)


@cache
def _imported(module: ModuleType) -> frozenset[str]:
    imports = (
        each for each in ast.walk(tree_of_module(module)) if isinstance(each, ast.ImportFrom)
    )
    return frozenset(a.asname or a.name for each in imports for a in each.names)


def _within(value: Any, name: str, seen: set[int]) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """The patterns within a value, each with the last name that led to it."""
    if isinstance(value, str | bytes | int | float | None | ModuleType) or id(value) in seen:
        return
    if isinstance(value, re.Pattern):
        yield name, value
        return
    seen.add(id(value))
    _KEPT.append(value)
    for member, each in _members(value):
        yield from _within(each, member or name, seen)


_KEPT: list[Any] = []
"""What was looked at, so that no other value takes its id."""


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from (("", each) for pair in list(value.items()) for each in pair)
    elif isinstance(value, tuple | list | set | frozenset):
        yield from zip(getattr(value, "_fields", repeat("")), value, strict=False)
    elif hasattr(value, "cache_info") and not inspect.signature(value).parameters:
        if value.__module__.startswith("finplan."):
            yield "", value()
    elif isinstance(value, FunctionType):
        if value.__module__.startswith("finplan."):
            yield from (("", each) for each in value.__defaults__ or ())
            yield from (("", cell.cell_contents) for cell in value.__closure__ or ())
    elif (value if isinstance(value, type) else type(value)).__module__.startswith("finplan."):
        yield from list(vars(value).items()) if hasattr(value, "__dict__") else ()
        for name in getattr(value, "__slots__", ()):
            if not isinstance(value, type) and hasattr(value, name):
                yield name, getattr(value, name)


def _written(module: ModuleType, asked: _Asked) -> Iterator[FoundPattern]:
    """The patterns of calls such as `re.sub(…)`, and those that functions compile."""
    for call in ast.walk(tree_of_module(module)):
        if (
            not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Attribute)
            or not isinstance(call.func.value, ast.Name)
            or call.func.value.id != "re"
            or call.func.attr not in METHODS | {"compile"}
        ):
            continue
        method, where = call.func.attr, f"{module.__name__}: {ast.unparse(call.args[0])}"
        # What is compiled outside of functions is held by the module, and found there.
        if method != "compile" or id(call) in _in_functions(module):
            is_built = method == "compile"
            methods = asked.of_member(module.__name__, "") if is_built else frozenset({method})
            for pattern in _evaluated(module, call):
                yield FoundPattern(where, pattern, methods)


def _evaluated(module: ModuleType, call: ast.Call) -> Iterator["re.Pattern[Any]"]:
    at_hand = vars(module)
    given = [each.value for each in call.keywords if each.arg == "flags"]
    places = {"compile": 1, "sub": 4, "subn": 4, "split": 3}
    assert isinstance(call.func, ast.Attribute)
    given += call.args[places.get(call.func.attr, 2) :]
    flags = sum(eval(ast.unparse(each), at_hand) for each in given)
    try:
        texts = [eval(ast.unparse(call.args[0]), at_hand)]
    except NameError:
        written = f"{module.__name__}: {ast.unparse(call.args[0])}"
        texts = list(BUILT[written if written in BUILT else module.__name__]())
    yield from (re.compile(text, flags) for text in texts if not isinstance(text, re.Pattern))


@cache
def _in_functions(module: ModuleType) -> frozenset[int]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    functions = (each for each in ast.walk(tree_of_module(module)) if isinstance(each, kinds))
    return frozenset(id(inner) for each in functions for inner in ast.walk(each))

"""How many steps a regular expression takes on a text, counted by running it as `re` would.

Python's engine counts nothing, so this walks the tree that Python's own parser makes of a pattern and
backtracks where Python's engine does. A step is one character looked at or one way tried again.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from re import _constants as op, _parser as parser
from typing import Any

Then = Callable[[int], bool]
"""What is tried behind a place; answers whether all of it fits."""

Matcher = Callable[[int, Then], bool]
Accepts = Callable[[str], bool]
MOST_PAIRED = 12
"""Of how many repetitions of a pattern each is tried together with each other one."""

ENDLESS = 21
"""From how many turns on a repetition is looked at as one without end."""

_SAMPLE = [*map(chr, range(256)), *"ſΩωжЖאبक०٣中あ한€−–’‐…\u0301\u200b\u2028\u3000𝒳\ufeff"]
_CATEGORIES: dict[Any, Accepts] = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    op.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}
_ONE_CHARACTER = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
_REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}


class TooManySteps(Exception):
    """The pattern has taken more steps than it may."""


def tree_of(pattern: "re.Pattern[Any]") -> Any:
    """Parse a pattern as Python does; one of bytes as the same text."""
    text = pattern.pattern
    if isinstance(text, bytes):
        return parser.parse(text.decode("latin-1"), (pattern.flags & ~re.LOCALE) | re.ASCII)
    return parser.parse(text, pattern.flags)


def steps_of(pattern: "re.Pattern[Any]", method: str, text: str, most: int) -> int:
    """Count the steps of `search`, `match` or `fullmatch`; a search goes on behind what it finds.

    Raises TooManySteps for more than `most`.
    """
    return _engine(pattern).take(method, text, most)


class _Engine:
    """A pattern made ready to be tried on texts."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        tree = tree_of(pattern)
        self._text = ""
        self._most = self._steps = 0
        self._groups: dict[int, tuple[int, int]] = {}
        self._folds = bool(tree.state.flags & re.IGNORECASE)
        self._match = self._sequence(list(tree), tree.state.flags)

    def take(self, method: str, text: str, most: int) -> int:
        """Run it as one of the methods of a pattern does."""
        self._text, self._most, self._steps = text, most, 0
        self._groups.clear()
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(1_000_000)
        try:
            if method == "search":
                self._search()
            else:
                ends = (lambda at: at == len(self._text)) if method == "fullmatch" else _fits
                self._match(0, ends)
        finally:
            sys.setrecursionlimit(depth)
        return self._steps

    def _search(self) -> None:
        at = 0
        while at <= len(self._text):
            self._step()
            self._groups.clear()
            end: list[int] = []

            def stop(place: int, end: list[int] = end) -> bool:
                end.append(place)
                return True

            at = max(end[0], at + 1) if self._match(at, stop) else at + 1

    def _step(self) -> None:
        self._steps += 1
        if self._steps > self._most:
            raise TooManySteps

    def _sequence(self, nodes: Sequence[Any], flags: int) -> Matcher:
        if not nodes:
            return lambda at, then: then(at)
        first = self._node(nodes[0], flags)
        if len(nodes) == 1:
            return first
        rest = self._sequence(nodes[1:], flags)
        return lambda at, then: first(at, lambda behind: rest(behind, then))

    def _node(self, node: Any, flags: int) -> Matcher:
        kind, value = node
        if kind in _ONE_CHARACTER:
            return self._character(accepts(node, flags))
        if kind in _REPEATS:
            return self._repeat(kind, value, flags)
        return self._inner(kind, value, flags)

    def _inner(self, kind: Any, value: Any, flags: int) -> Matcher:
        """What a node does that takes no character by itself."""
        if kind is op.BRANCH:
            return self._branch(
                [(list(each), self._sequence(list(each), flags)) for each in value[1]]
            )
        if kind is op.SUBPATTERN:
            group, add, remove, body = value
            return self._group(group, self._sequence(list(body), (flags | add) & ~remove))
        if kind is op.ATOMIC_GROUP:
            return self._atomic(self._sequence(list(value), flags))
        if kind in {op.ASSERT, op.ASSERT_NOT}:
            return self._look(value, flags, wanted=kind is op.ASSERT)
        assert kind in {op.AT, op.GROUPREF}, kind
        return self._at(value, flags) if kind is op.AT else self._again(value)

    def _character(self, fits: Accepts) -> Matcher:
        def match(at: int, then: Then) -> bool:
            self._step()
            return at < len(self._text) and fits(self._text[at]) and then(at + 1)

        return match

    def _repeat(self, kind: Any, value: Any, flags: int) -> Matcher:
        least, most, body = value
        if len(body) == 1 and body[0][0] in _ONE_CHARACTER:
            return self._repeat_character(kind, least, most, accepts(body[0], flags))
        inner = self._sequence(list(body), flags)
        if kind is op.POSSESSIVE_REPEAT:
            return self._atomic(self._turns(inner, least, most, is_lazy=False))
        return self._turns(inner, least, most, is_lazy=kind is op.MIN_REPEAT)

    def _repeat_character(  # noqa: C901  # The three ways share how far it may go.
        self, kind: Any, least: int, most: int, fits: Accepts
    ) -> Matcher:
        def taken(at: int, limit: int) -> int:
            end = at
            while end - at < limit and end < len(self._text) and fits(self._text[end]):
                self._step()
                end += 1
            return end

        def lazily(at: int, then: Then) -> bool:
            end = taken(at, least)
            if end - at < least:
                return False
            while True:
                self._step()
                if then(end):
                    return True
                if end - at >= most or end >= len(self._text) or not fits(self._text[end]):
                    return False
                end += 1

        def greedily(at: int, then: Then) -> bool:
            self._step()
            end = taken(at, most)
            if end - at < least:
                return False
            if kind is op.POSSESSIVE_REPEAT:
                return then(end)
            while end - at >= least:
                self._step()
                if then(end):
                    return True
                end -= 1
            return False

        return lazily if kind is op.MIN_REPEAT else greedily

    def _turns(self, inner: Matcher, least: int, most: int, *, is_lazy: bool) -> Matcher:
        def turn(at: int, then: Then, count: int, begun: int) -> bool:
            self._step()

            def once_more() -> bool:
                if count >= most or (at == begun and count > least):
                    return False
                return inner(at, lambda end: turn(end, then, count + 1, at))

            if count < least:
                return once_more()
            if is_lazy:
                return then(at) or once_more()
            return once_more() or then(at)

        return lambda at, then: turn(at, then, 0, -1)

    def _branch(self, ways: Sequence[tuple[list[Any], Matcher]]) -> Matcher:
        # Of many words few begin with a character; the engine passes over the others, too.
        firsts = [chr(way[0][1]) if way and way[0][0] is op.LITERAL else "" for way, _ in ways]

        @cache
        def likely(here: str) -> list[Matcher]:
            return [
                way
                for first, (_, way) in zip(firsts, ways, strict=True)
                if first in ("", here)
                or not (here + first).isascii()
                or (self._folds and first.lower() == here.lower())
            ]

        def match(at: int, then: Then) -> bool:
            self._step()
            return any(way(at, then) for way in likely(self._text[at : at + 1]))

        return match

    def _group(self, number: int | None, inner: Matcher) -> Matcher:
        if number is None:
            return inner

        def match(at: int, then: Then) -> bool:
            before = self._groups.get(number)

            def close(end: int) -> bool:
                self._groups[number] = (at, end)
                if then(end):
                    return True
                if before is None:
                    self._groups.pop(number, None)
                else:
                    self._groups[number] = before
                return False

            return inner(at, close)

        return match

    def _atomic(self, inner: Matcher) -> Matcher:
        def match(at: int, then: Then) -> bool:
            ends: list[int] = []

            def stop(end: int) -> bool:
                ends.append(end)
                return True

            return inner(at, stop) and then(ends[0])

        return match

    def _look(self, value: Any, flags: int, *, wanted: bool) -> Matcher:
        direction, body = value
        inner = self._sequence(list(body), flags)
        back = body.getwidth()[0] if direction < 0 else 0

        def match(at: int, then: Then) -> bool:
            self._step()
            begins = at - back
            return (begins >= 0 and inner(begins, _fits)) is wanted and then(at)

        return match

    def _at(self, where: Any, flags: int) -> Matcher:
        has_lines = bool(flags & re.MULTILINE)

        def is_word(place: int) -> bool:
            text = self._text
            return 0 <= place < len(text) and _CATEGORIES[op.CATEGORY_WORD](text[place])

        def holds(at: int) -> bool:
            text = self._text
            if where is op.AT_BEGINNING:
                return at == 0 or (has_lines and text[at - 1] == "\n")
            if where is op.AT_BEGINNING_STRING:
                return at == 0
            if where is op.AT_END:
                is_end = at == len(text) or (at == len(text) - 1 and text[at] == "\n")
                return is_end or (has_lines and text[at] == "\n")
            if where is op.AT_END_STRING:
                return at == len(text)
            return (is_word(at - 1) != is_word(at)) is (where is op.AT_BOUNDARY)

        def match(at: int, then: Then) -> bool:
            self._step()
            return holds(at) and then(at)

        return match

    def _again(self, number: int) -> Matcher:
        def match(at: int, then: Then) -> bool:
            self._step()
            begun, ended = self._groups.get(number, (0, -1))
            said = self._text[begun:ended]
            for _ in said:
                self._step()
            return ended >= 0 and self._text.startswith(said, at) and then(at + len(said))

        return match


_engine = cache(_Engine)


def _fits(_at: int) -> bool:
    return True


def accepts(node: Any, flags: int) -> Accepts:
    """What tells whether a node that takes one character takes this one."""
    kind, value = node
    if kind is op.ANY:
        return (lambda _char: True) if flags & re.DOTALL else (lambda char: char != "\n")
    if kind is op.IN:
        return _one_of(value, flags)
    folds = bool(flags & re.IGNORECASE)
    wanted = chr(value).lower() if folds else chr(value)
    if kind is op.LITERAL:
        return (lambda char: char.lower() == wanted) if folds else (lambda char: char == wanted)
    return (lambda char: char.lower() != wanted) if folds else (lambda char: char != wanted)


def _one_of(members: Sequence[Any], flags: int) -> Accepts:
    is_negated = bool(members) and members[0][0] is op.NEGATE
    tests = [_member(each, flags) for each in members[is_negated:]]
    folds = bool(flags & re.IGNORECASE)

    @cache
    def fits(char: str) -> bool:
        spellings = {char, char.lower(), char.upper()} if folds else {char}
        return any(test(each) for test in tests for each in spellings) is not is_negated

    return fits


def _member(member: Any, flags: int) -> Accepts:
    kind, value = member
    if kind is op.LITERAL:
        return lambda char: char == chr(value)
    if kind is op.RANGE:
        low, high = value
        return lambda char: len(char) == 1 and low <= ord(char) <= high
    if kind is op.CATEGORY:
        known = _CATEGORIES[value]
        if not flags & re.ASCII:
            return known
        is_negated = "NOT" in str(value)
        return lambda char: known(char) if char.isascii() else is_negated
    raise NotImplementedError(kind)


def hostile_texts(pattern: "re.Pattern[Any]") -> list[tuple[str, str, str]]:
    """What a pattern may stumble over: a beginning, what is repeated behind it, and an end.

    Each repetition without end is repeated, alone and together with each other one, behind what leads
    to it; by each sort of character that the pattern tells apart.
    """
    tree = tree_of(pattern)
    flags = tree.state.flags
    sorts = _sorts(list(tree), flags)
    loops = list(_loops(list(tree), flags, "", sorts))
    texts: dict[tuple[str, str, str], None] = {}
    ends = ["", *sorted(sorts, key=lambda char: len(sorts[char]))[:1], "\n", "\n0"]
    bodies = [
        list(dict.fromkeys(_example(body, each, sorts, turn) for turn in range(12)))
        for _, body, each in loops
    ]
    for place, (before, _, _) in enumerate(loops):
        others = [body[0] for body in bodies] if len(loops) <= MOST_PAIRED else []
        pumps = [*bodies[place], *(bodies[place][0] + each for each in others)]
        # A search begins again at each place where what leads to the repetition stands.
        pumps += [before, before + bodies[place][0]]
        refused = next((char for char in sorts if char not in bodies[place]), "")
        is_large = len(loops) > MOST_PAIRED
        for pump in filter(None, dict.fromkeys(pumps if is_large else [*pumps, *sorts])):
            for end in dict.fromkeys([*(ends[:2] if is_large else ends), refused]):
                texts[before, pump, end] = None
                if not is_large:
                    texts["", pump, end] = None
    return list(texts)


def _sorts(nodes: Sequence[Any], flags: int) -> dict[str, tuple[int, ...]]:
    """One character of each sort that the pattern tells apart, with the places that take it."""
    tests = [test for node, each in _characters(nodes, flags) for test in [accepts(node, each)]]
    sorts: dict[tuple[int, ...], str] = {}
    for char in sorted(_SAMPLE, key=lambda char: (not char.isascii(), not char.isalnum(), char)):
        sorts.setdefault(tuple(at for at, test in enumerate(tests) if test(char)), char)
    return {char: places for places, char in sorts.items()}


def _characters(nodes: Sequence[Any], flags: int) -> Iterator[tuple[Any, int]]:
    """The sets of characters of a pattern, and the single ones that are repeated."""
    for node in nodes:
        kind, value = node
        if kind in _ONE_CHARACTER - {op.LITERAL}:
            yield node, flags
        elif kind in _REPEATS and len(value[2]) == 1 and value[2][0][0] is op.LITERAL:
            yield value[2][0], flags
        for inner, each in _inside(node, flags):
            yield from _characters(inner, each)


def _inside(node: Any, flags: int) -> Iterator[tuple[list[Any], int]]:
    kind, value = node
    if kind in _REPEATS:
        yield list(value[2]), flags
    elif kind is op.BRANCH:
        yield from ((list(each), flags) for each in value[1])
    elif kind is op.SUBPATTERN:
        yield list(value[3]), (flags | value[1]) & ~value[2]
    elif kind is op.ATOMIC_GROUP:
        yield list(value), flags
    elif kind in {op.ASSERT, op.ASSERT_NOT}:
        yield list(value[1]), flags


def _loops(
    nodes: Sequence[Any], flags: int, before: str, sorts: dict[str, tuple[int, ...]]
) -> Iterator[tuple[str, list[Any], int]]:
    """Each repetition without end: what leads to it, and its body with its flags."""
    for node in nodes:
        if node[0] in _REPEATS and node[1][1] >= ENDLESS:
            yield before, list(node[1][2]), flags
        for inner, each in _inside(node, flags):
            yield from _loops(inner, each, before, sorts)
        before += _example([node], flags, sorts, 0)


def _example(nodes: Sequence[Any], flags: int, sorts: dict[str, tuple[int, ...]], turn: int) -> str:
    """A short text that fits, another one for another `turn`."""
    return "".join(_example_of(node, flags, sorts, turn) for node in nodes)


def _example_of(node: Any, flags: int, sorts: dict[str, tuple[int, ...]], turn: int) -> str:
    kind, value = node
    if kind is op.LITERAL:
        return chr(value)
    if kind in _ONE_CHARACTER:
        fits = accepts(node, flags)
        taken = [char for char in sorts if fits(char)] or [c for c in _SAMPLE if fits(c)]
        return taken[turn % len(taken)] if taken else ""
    if kind in _REPEATS:
        turns = max(value[0], turn % 2 and min(1, value[1]))
        return "".join([_example(list(value[2]), flags, sorts, turn)] * turns)
    if kind is op.BRANCH:
        return _example(list(value[1][turn % len(value[1])]), flags, sorts, turn)
    if kind in {op.SUBPATTERN, op.ATOMIC_GROUP}:
        return "".join(_example(each, f, sorts, turn) for each, f in _inside(node, flags))
    return ""


def longest_bound(pattern: "re.Pattern[Any]") -> int:
    """The most turns of a repetition that has an end; 0 where none takes many."""
    bounds = [0]

    def look(nodes: Sequence[Any], flags: int) -> None:
        for node in nodes:
            if node[0] in _REPEATS and ENDLESS <= node[1][1] < op.MAXREPEAT:
                bounds.append(node[1][1])
            for inner, each in _inside(node, flags):
                look(inner, each)

    look(list(tree_of(pattern)), 0)
    return max(bounds)


SMALL = 32
MOST_GROWTH = 2.6
"""How many times as many steps may be added from twice to four times a size as from once to twice: twice
as many are where steps grow with the size, four times as many where they grow with its square."""

MOST_STEPS = 100_000


def superlinear(pattern: "re.Pattern[Any]", method: str) -> tuple[str, str, str] | None:
    """A text, in three parts, whose steps grow faster than the times that its middle is repeated."""
    size = max(SMALL, 2 * longest_bound(pattern))
    for text in hostile_texts(pattern):
        times = max(1, size // len(text[1])) if size > SMALL else size
        # A pattern may happen to fit one of the lengths, and has nothing to try again there.
        if all(_outgrows(pattern, method, text, times + more) for more in range(3)):
            return text
    return None


def _outgrows(
    pattern: "re.Pattern[Any]", method: str, text: tuple[str, str, str], times: int
) -> bool:
    before, pump, end = text

    def steps(turns: int, most: float) -> int:
        try:
            return steps_of(pattern, method, before + pump * turns + end, int(most))
        except TooManySteps:
            return int(most) + 1

    once = steps(times, MOST_STEPS)
    twice = steps(2 * times, 8 * MOST_STEPS) if once <= MOST_STEPS else 0
    most = twice + MOST_GROWTH * max(0, twice - once) + 50
    return once > MOST_STEPS or steps(4 * times, most) > most

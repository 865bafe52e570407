"""What holds up a loop, counted and not timed: lines of Python, and bytes that C parses at once.

A loop that serves requests runs one handle after another: while one runs, nothing is answered. A parser
of C holds the interpreter's lock until it is done, so that it holds up the loop from any thread: its
bytes are counted wherever it runs in this process. A regular expression is not seen, nor a database.
"""

import base64
import json
import sys
import threading
import zlib
from asyncio import Handle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any

import orjson
import pydantic

MOST_LINES = 60_000
"""Of one handle: about 50 ms of plain Python on a slow machine."""

MOST_BYTES = 1_000_000
"""Of one call of a parser: about 20 ms of small JSON values."""


@dataclass
class LoopWatch:
    """The most that one handle, and one call of a parser, took; `by` is what ran then."""

    lines: int = 0
    by: str = ""
    parsed: int = 0
    parser: str = ""
    _thread: int = field(default_factory=threading.get_ident)

    def must_be_free(self) -> None:
        """Fail where something held up the loop for long."""
        assert self.lines <= MOST_LINES, f"{self.lines:,} lines at once in {self.by}"
        assert self.parsed <= MOST_BYTES, f"{self.parsed:,} bytes at once by {self.parser}"


@contextmanager
def watching_the_loop() -> Iterator[LoopWatch]:
    """Watch what the loop of this thread runs meanwhile."""
    watch = LoopWatch()
    undo: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        before = owner.__dict__[name]
        undo.append((owner, name, before))
        setattr(owner, name, made(before))

    put(Handle, "_run", lambda before: _counting_handle(watch, before))
    for owner, name in (
        (json, "loads"),
        (orjson, "loads"),
        (base64, "b64decode"),
        (zlib, "decompress"),
        (pydantic.TypeAdapter, "validate_json"),
    ):
        put(owner, name, partial(_counting_parser, watch, name))
    try:
        yield watch
    finally:
        for owner, name, before in reversed(undo):
            setattr(owner, name, before)


def _counting_handle(watch: LoopWatch, run: Callable[[Handle], Any]) -> Callable[[Handle], Any]:
    def counted(handle: Handle) -> Any:
        if threading.get_ident() != watch._thread:
            return run(handle)
        lines, last = 0, ""

        def count(frame: FrameType, event: str, _what: Any) -> Any:
            nonlocal lines, last
            if event == "line":
                lines += 1
                if lines == MOST_LINES:
                    last = f"{frame.f_code.co_filename}:{frame.f_lineno}"
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            return run(handle)
        finally:
            sys.settrace(before)
            if lines > watch.lines:
                watch.lines, watch.by = lines, last or repr(handle)

    return counted


def _counting_parser(watch: LoopWatch, name: str, parse: Callable[..., Any]) -> Callable[..., Any]:
    def counted(*args: Any, **named: Any) -> Any:
        text = next((each for each in args if isinstance(each, str | bytes | bytearray)), "")
        if len(text) > watch.parsed:
            watch.parsed, watch.parser = len(text), name
        return parse(*args, **named)

    return counted

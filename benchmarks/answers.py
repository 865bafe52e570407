"""`python -m benchmarks.answers OLD NEW`: what two checkouts answer about the same households.

The old checkout fills the stores, of the demo household and of a generated ledger, and both read copies
of them. Sentences and moments are blanked, so that two states that word things differently have equal
answers: figures, keys, codes, enums and ids are left. What differs is printed, and the exit code is 1.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.checkouts import link_benchmarks, python_of, run_with
from benchmarks.ground import Daemon, Ground, daemon, whole_store
from benchmarks.wire import Question, saying

ROWS = 10_000
DEMO = "demo"
QUESTIONS = ("how much did I spend on groceries last month", "what is my rent", "income this year")
PERIODS = ("", "&period=last%20month", "&compare=true")
GROUPS = ("category", "merchant", "month", "tag")
MOST_OF_A_LIST = 60
"""How many things of a list are asked about one by one."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_WORD = re.compile(r"[A-Za-z]{2,}")
_WORDS_OF_A_SENTENCE = 3
_WORDED = frozenset(
    {"label", "title", "headline", "summary", "reason", "text", "message", "hint", "detail"}
)
"""Fields whose values are words for people, however few."""
_DATA = frozenset({"raw", "rawName", "payee", "payeeKey", "description", "descriptor"})
"""Fields whose values are a bank's or a person's words."""

Answers = Mapping[str, Any]


def without_sentences(value: Any, field: str = "") -> Any:
    """A JSON value whose sentences and moments are blanked; every other value stays."""
    if isinstance(value, dict):
        return {name: without_sentences(member, name) for name, member in value.items()}
    if isinstance(value, list):
        return [without_sentences(member, field) for member in value]
    if not isinstance(value, str) or field in _DATA:
        return value
    if _MOMENT.match(value):
        return "a moment"
    if field in _WORDED or len(_WORD.findall(value)) >= _WORDS_OF_A_SENTENCE:
        return "words"
    return value


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Where two JSON values differ, a line each."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            if name not in old or name not in new:
                yield f"{where}/{name}: only in the {'new' if name in new else 'old'} answer"
            else:
                yield from differences(old[name], new[name], f"{where}/{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from differences(*pair, f"{where}/{index}")
    elif old != new:
        yield f"{where}: {json.dumps(old)[:80]} → {json.dumps(new)[:80]}"


def main(arguments: list[str] | None = None) -> int:
    """Compare two checkouts and print what differs."""
    parser = argparse.ArgumentParser("python -m benchmarks.answers", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout of the product")
    parser.add_argument("new", type=Path, help="another one")
    parser.add_argument("--rows", type=int, default=ROWS, help="size of the generated ledger")
    options = parser.parse_args(arguments)
    old, new = options.old.resolve(), options.new.resolve()
    count, lines = 0, list[str]()
    with tempfile.TemporaryDirectory(prefix="finplan-answers-") as scratch:
        folder = Path(scratch)
        link_benchmarks(folder)
        for household in (DEMO, str(options.rows)):
            store = folder / f"{household}.db"
            _run(old, folder, "fill", household, str(store))
            before, after = (
                json.loads(_run(each, folder, "ask", str(store))) for each in (old, new)
            )
            count += len(before)
            lines += differences(before, after, household)
    print(*lines, f"{count} answers, {len(lines)} differences.", sep="\n")
    return 1 if lines else 0


def _run(checkout: Path, folder: Path, *arguments: str) -> str:
    """What this module prints with the product of a checkout."""
    done = run_with(checkout, python_of(checkout), folder, "-m", "benchmarks.answers", *arguments)
    if done.returncode:
        raise SystemExit(f"{checkout} did not answer. {done.stderr.strip()}")
    return done.stdout


def fill(household: str, store: Path) -> None:
    """Make the store of the demo household, or of a generated ledger of so many rows."""
    with tempfile.TemporaryDirectory() as scratch:
        ground = Ground(Path(scratch), (), 1)
        filled = ground.empty_store if household == DEMO else ground.filled_store(int(household))
        home = ground.new_home(like=filled)
        with daemon(home) as running:
            if household == DEMO:
                running.ask(saying("POST", "/connections", {"provider": "demo"}))
            running.ask(saying("POST", "/plan", {}))
        whole_store(home).rename(store)


def ask(store: Path) -> Answers:
    """What every GET route answers about a store, without sentences, by its path."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Ground(Path(scratch), (), 1).new_home(like=store)
        with daemon(home) as running:
            answers = dict(_answers(running))
    return {path: without_sentences(answer) for path, answer in answers.items()}


def _answers(running: Daemon) -> Iterator[tuple[str, Any]]:
    # Only a checkout's own product knows its routes.
    from finplan.model.explain import SECTIONS
    from finplan.operations.table import OPERATIONS

    # Each home has a key of its own, made when it was.
    routes = [row.path for row in OPERATIONS if row.method == "GET" and row.path != "/data-key"]
    whole = {path: _get(running, path) for path in routes if "{" not in path}
    yield from whole.items()
    more = [f"/spending?groupBy={by}{period}" for by in GROUPS for period in PERIODS]
    more += [f"/ask?q={quote(question)}" for question in QUESTIONS]
    more += [f"/plan/explain/{section}" for section in (*SECTIONS, "groceries", "dining")]
    for route in routes:
        names = re.findall(r"\{(\w+)\}", route)
        if len(names) == 1:
            listed = whole.get(route.partition("/{")[0])
            values = sorted(set(_values(listed, {names[0], "id", "key", "payeeKey"})))
            more += [
                route.replace(f"{{{names[0]}}}", quote(value, safe=""))
                for value in values[:MOST_OF_A_LIST]
            ]
    for path in more:
        yield path, _get(running, path)


def _get(running: Daemon, path: str) -> Any:
    [wire] = running.wires(1)
    with closing(wire):
        try:
            body = wire.ask(Question("GET", path))
        except RuntimeError:
            return "refused"
    try:
        return json.loads(body)
    except ValueError:
        return "no JSON"


def _values(answer: Any, fields: set[str]) -> Iterator[str]:
    """The texts that stand in some fields, however deep."""
    if isinstance(answer, dict):
        for name, member in answer.items():
            if name in fields and isinstance(member, str):
                yield member
            yield from _values(member, fields)
    elif isinstance(answer, list):
        for member in answer:
            yield from _values(member, fields)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fill", household, store]:
            fill(household, Path(store))
        case ["ask", store]:
            print(json.dumps(ask(Path(store))))
        case _:
            raise SystemExit(main())

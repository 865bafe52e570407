"""`python -m tests.mutants`: change the product in small ways, and see whether its tests notice.

Each mutant is one operator or number in one function (`drawing.py`), drawn by a seed, and tried in a
copy of the checkout against the tests of its room, those first that name its module. What nobody
notices is printed: either a law has no test, or the change makes no difference to anybody.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutants.drawing import Mutant, applied, draw

_LONGEST = 900.0
"""Seconds after which tests that hang have noticed a change."""

_ALSO = {
    "plan": ("households",),
    "categorise": ("plan",),
    "pictures": ("daemon/test_plan_page.py",),
    "intake": ("service",),
    "store": ("service",),
    "views": ("terminal", "cli"),
    "terminal": ("views", "cli"),
}
"""Tests that are a room's too, though they lie in another folder."""


def main() -> int:
    """Try so many mutants; 0 if nine in ten are noticed and of no room with ten below eight in ten."""
    parser = argparse.ArgumentParser("python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--many", type=int, default=80)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rooms", nargs="*", help="only mutants of these rooms, like plan store")
    parser.add_argument("--list", action="store_true", help="only say which mutants there are")
    options = parser.parse_args()
    checkout = Path.cwd()
    mutants = draw(checkout, options.seed, 10**6 if options.rooms else options.many)
    if options.rooms:
        mutants = [each for each in mutants if each.room in options.rooms][: options.many]
    if options.list:
        for each in mutants:
            print(_shown(each))
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "checkout"
        listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, copy / name)
        tried, missed = Counter[str](), Counter[str]()
        for each in mutants:
            tried[each.room] += 1
            if not _is_noticed(copy, each, options.workers):
                missed[each.room] += 1
                print(f"not noticed: {_shown(each)}", flush=True)
    for room, count in tried.most_common():
        print(f"{room:12} {count - missed[room]:3} of {count:3}")
    caught = tried.total() - missed.total()
    print(f"{caught} of {tried.total()} noticed, seed {options.seed}")
    weak = [room for room, count in tried.items() if count >= 10 and missed[room] > count // 5]
    return int(caught * 10 < tried.total() * 9 or bool(weak))


def _shown(mutant: Mutant) -> str:
    return f"{mutant.path}:{mutant.line}: {mutant.before!r} becomes {mutant.after.strip()!r}"


def _is_noticed(copy: Path, mutant: Mutant, workers: int) -> bool:
    path = copy / mutant.path
    source = path.read_bytes()
    path.write_bytes(applied(source, mutant))
    try:
        compile(path.read_bytes(), path, "exec")
        near, room = _tests(copy, mutant)
        return _fails(copy, near, workers) or _fails(copy, room, workers)
    finally:
        path.write_bytes(source)


def _tests(copy: Path, mutant: Mutant) -> tuple[list[str], list[str]]:
    """The files of tests that name a module, and the folders of its room."""
    parts = mutant.path.with_suffix("").parts
    named = (f"{'.'.join(parts)} import", f"from {'.'.join(parts[:-1])} import {parts[-1]}")
    tests = copy / "tests"
    near = [
        path
        for path in sorted(tests.rglob("test_*.py"))
        if any(each in path.read_text("utf-8") for each in named)
    ]
    folders = [tests / each for each in (mutant.room, *_ALSO.get(mutant.room, ()))]
    room = [each for each in folders if each.exists()] or sorted(tests.glob("test_*.py"))
    return [str(path) for path in near], [str(path) for path in room]


def _fails(copy: Path, tests: list[str], workers: int) -> bool:
    if not tests:
        return False
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        str(workers),
        "-p",
        "no:cacheprovider",
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy), "CI": "true"}
    try:
        run = subprocess.run(
            [*command, "--dist", "worksteal", "-m", "not slow", *tests],
            cwd=copy,
            env=environment,
            capture_output=True,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    # Where nothing is selected, nothing has noticed anything.
    return run.returncode not in (0, 5)


if __name__ == "__main__":
    raise SystemExit(main())

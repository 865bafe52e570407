"""The laws of the house: who may import whom, what a quick command loads, how large a file may be."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

import finplan
from benchmarks.lines import count_source

PACKAGE = Path(finplan.__file__).parent
PROJECT = PACKAGE.parent
LONGEST_FILE = 500
LARGEST_ROOM = 27
SMALL_BY_THEIR_KIND = {
    "*/__init__.py": "says the law of its package",
    "finplan/store/migrations/versions/*.py": "Alembic reads one file for each revision",
}
SMALL_FILES = {
    "finplan/__main__.py": "a program, which Python runs by this name",
    "finplan/tui/__main__.py": "a program, which Python runs by this name",
    "finplan/store/migrations/env.py": "Alembic reads it by this name",
    "finplan/bounded_connections.py": "banks and webhooks use it, and nothing else is below both",
    "finplan/cli/console/quick.py": "runs before anything else is imported",
    "finplan/client/sign_in_page.py": "a file on the disk, and no conversation with a daemon",
    "finplan/daemon/memory.py": "the small process that reads files loads it, and no daemon with it",
    "finplan/daemon/surfaces/mcp/tools/registry.py": "imports every tool, so no tool can hold it",
    "finplan/lazy.py": "below every package that loads its modules lazily",
    "finplan/model/job.py": "schedule and builds alone ask it",
    "finplan/model/paydays.py": "what it needs would slow commands about series",
    "finplan/operations/detection.py": "a command loads the rows of its own family alone",
    "finplan/operations/person.py": "a command loads the rows of its own family alone",
    "finplan/operations/schedule.py": "a command loads the rows of its own family alone",
    "finplan/operations/statement_file.py": "a command loads the rows of its own family alone",
    "finplan/operations/task.py": "a command loads the rows of its own family alone",
    "finplan/service/automation/job.py": "below the kinds of jobs, which running them is above",
    "finplan/service/ids.py": "below all rooms of the service, and light",
    "finplan/store/folding.py": "pure rooms fold, too, and load no database",
    "finplan/store/tables/columns.py": "every module of tables imports it",
    "finplan/webhooks/listener.py": "the command line loads it, and nothing that sends",
}
"""Files of fewer than 40 lines of code, each with why it stands alone; the list only shrinks."""
SMALL_IN_ALL = 85
"""How many small files there are, packages among them, revisions of the store apart; it only falls."""

PURE_ROOMS = ("plan", "categorise", "statements", "intake")
HEAVY = (
    "aiohttp",
    "alembic",
    "httpx",
    "mcp",
    "pydantic",
    "rich",
    "sqlalchemy",
    "sqlmodel",
    "textual",
)
NAMELESS = re.compile(r"^(utils?|helpers?|commons?|misc|managers?)$|_(utils?|helpers?|managers?)$")


def sources() -> list[Path]:
    """Every Python file of the product."""
    return sorted(PACKAGE.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def shown(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def test_import_contracts_are_kept() -> None:
    """Rooms open downward only, the pure rooms are pure, faces reach the daemon only by HTTP."""
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [linter, "--no-cache"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"]])
def test_help_and_version_load_nothing_heavy(arguments: list[str]) -> None:
    """Help and version load no server, no store, no HTTP client, no validation and no drawing."""
    assert loaded_by(arguments) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [["plan", "--help"], ["import", "--help"], ["plan", "bild"], ["spending", "--form"]],
)
def test_a_usage_error_loads_nothing_heavy(arguments: list[str]) -> None:
    """A command's help and a usage error load nothing heavy but what typer itself needs, pydantic."""
    assert loaded_by(arguments) in ([], ["pydantic"])


def loaded_by(arguments: list[str]) -> list[str]:
    code = (
        "import sys; from finplan.cli.app import run; run(sys.argv[1:]);"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    marker, *loaded = run.stdout.splitlines()[-1].split()
    assert marker == "loaded:"
    return loaded


def test_a_folder_is_no_hall() -> None:
    """No folder has more than 27 source files beside the one that states its law."""
    rooms = {path.parent for path in sources() if path.parent.name != "versions"}
    sizes = {
        shown(room): sum(1 for path in room.glob("*.py") if path.name != "__init__.py")
        for room in rooms
    }
    assert {room: size for room, size in sizes.items() if size > LARGEST_ROOM} == {}
    lawless = [
        shown(room)
        for room in rooms - {PACKAGE / "store" / "migrations"}
        if not ast.get_docstring(tree_of(room / "__init__.py"))
    ]
    assert lawless == []


def test_a_source_file_has_one_subject() -> None:
    """No source file has 500 lines or more; one that wants more has two subjects."""
    sizes = {shown(path): len(path.read_text().splitlines()) for path in sources()}
    assert {name: size for name, size in sizes.items() if size >= LONGEST_FILE} == {}


def test_a_subject_is_no_fragment() -> None:
    """A file of fewer than 40 lines of code stands alone for a reason that is listed, and no longer.

    What is listed and small no more, or gone, leaves the list, and the bound of all falls with it.
    """
    small = {shown(path) for path in sources() if count_source(path.read_text("utf-8")).small}
    by_kind = {
        name for name in small if any(fnmatch(name, pattern) for pattern in SMALL_BY_THEIR_KIND)
    }
    assert small - by_kind == set(SMALL_FILES)
    revisions = {name for name in small if fnmatch(name, "finplan/store/migrations/versions/*")}
    assert len(small - revisions) == SMALL_IN_ALL


def test_a_module_is_named_after_its_subject() -> None:
    """No module is called utils, helpers, common, misc or manager."""
    assert [shown(path) for path in sources() if NAMELESS.search(path.stem)] == []
    folders = {folder for path in sources() for folder in path.parents if folder != PACKAGE}
    assert [
        shown(each) for each in folders if PACKAGE in each.parents and NAMELESS.search(each.name)
    ] == []


def test_every_module_says_what_it_is() -> None:
    """Every package and module opens with a docstring."""
    assert [shown(path) for path in sources() if not ast.get_docstring(tree_of(path))] == []


def classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    """Every public class at the top of a module, with its file."""
    for path in sources():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield path, node


def aliases() -> Iterator[tuple[Path, str]]:
    """Every public name of a type at the top of a module, as `Change = Callable[...]`, with its file."""
    for path in sources():
        for node in tree_of(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                if (
                    isinstance(target, ast.Name)
                    and target.id[0].isupper()
                    and not target.id.isupper()
                ):
                    yield path, target.id


def test_no_two_public_types_share_a_name() -> None:
    """A public class, or another name of a type, is known by it alone, whichever room it is in."""
    places: dict[str, list[str]] = {}
    for path, name in (*((path, node.name) for path, node in classes()), *aliases()):
        places.setdefault(name, []).append(shown(path))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_a_table_is_named_after_its_row() -> None:
    """Every class of a table ends in `Row`, so that none is mistaken for a wire shape."""
    tables = PACKAGE / "store" / "tables"
    assert [
        node.name for path, node in classes() if tables in path.parents and node.name[-3:] != "Row"
    ] == []


def test_the_pure_rooms_look_at_no_clock_and_no_environment() -> None:
    """In the pure rooms nobody asks for today, for now or for the environment."""
    impure = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node)}"
        for room in PURE_ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for node in impurities(tree_of(path))
    ]
    assert impure == []


def impurities(tree: ast.Module) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        named = (node.value.id, node.attr)
        if named in {
            ("date", "today"),
            ("datetime", "today"),
            ("datetime", "now"),
            ("datetime", "utcnow"),
            ("os", "environ"),
            ("os", "getenv"),
        }:
            yield node

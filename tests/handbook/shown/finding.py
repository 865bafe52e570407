"""Every command line that README, handbook, help and manual show, with the place where it stands."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typer

import finplan
from finplan.cli.app import COMMANDS, root
from finplan.handbook.pages import FOLDER

PROJECT = Path(finplan.__file__).parent.parent
MANUAL = PROJECT / "man"
OF_COMMANDS = FOLDER / "reference" / "commands.md"
"""It is made from the help of the commands, which is read itself."""

BEGINS = re.compile(
    r"(?:\S+/bin/)?finplan(?= |$)|python -m |(?:curl|make|install|cat|mail|echo|pass) "
)
"""How a command line begins, in a shell or in a table of cron; `finplan/docs` and the like are none."""

SCRIPT = re.compile(r"cd |[A-Z]+=\$")
"""How a script of several lines begins, which is typed as one."""

_FENCE = re.compile(r" *(?:```|~~~)(\w*)")
_BLOCK = re.compile(r" {4,}(\S.*)")
_LIST = re.compile(r"\s*(?:[-*|]|\d+\.) ")
_INLINE = re.compile(r"`([^`]+)`")
_EXAMPLES = re.compile(r"^Examples:\n\.nf\n(.*?)^\.fi", re.MULTILINE | re.DOTALL)
_CRON = re.compile(r"(?:[\d*][\d,*]* ){4}\* +")
"""When cron does what stands behind it."""

_REMARK = re.compile(r"\s{2,}(?=\S).*")
"""What stands behind two blanks is a remark; no command has two in a row."""


class Shown(NamedTuple):
    """A command line and where it is shown; `block` where it stands on a line of its own."""

    place: str
    line: int
    command: str
    block: bool


def all_shown() -> Mapping[str, tuple[Shown, ...]]:
    """What is shown, by the page or the help in which one reader meets it, in the order of reading."""
    found = {_name(path): tuple(of_page(_name(path), path.read_text())) for path in pages()}
    found |= {f"--help {words[0]}": tuple(_of_help(words)) for words in _groups()}
    return {place: shown for place, shown in found.items() if shown}


def pages() -> list[Path]:
    """README, CONTRIBUTING and the pages of the handbook that people write."""
    written = (path for path in sorted(FOLDER.rglob("*.md")) if path != OF_COMMANDS)
    return [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *written]


def of_page(place: str, text: str) -> Iterator[Shown]:
    """The command lines of a page: those of its blocks, and those that are a piece of code in a line."""
    fenced, script = False, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
            if script:
                yield Shown(place, number, "\n".join(script), block=True)
                script.clear()
            continue
        if fenced or (_BLOCK.fullmatch(line) and not _LIST.match(line)):
            command = without_remark(line.strip())
            if script or (fenced and SCRIPT.match(command)):
                script.append(command)
            elif BEGINS.match(command):
                yield Shown(place, number, command, block=True)
            continue
        for code in _INLINE.findall(line):
            if re.match(r"(?:finplan|curl|make|python -m)(?= |$)", code):
                yield Shown(place, number, code, block=False)


def without_remark(line: str) -> str:
    """A line of a block without what is told of it."""
    return _REMARK.sub("", _CRON.sub("", line))


def of_manual() -> Mapping[str, tuple[str, ...]]:
    """The examples of each page of the manual."""
    return {
        path.name: tuple(
            without_remark(line.replace("\\-", "-").replace("\\e", "\\").strip())
            for block in _EXAMPLES.findall(path.read_text())
            for line in block.splitlines()
        )
        for path in sorted(MANUAL.glob("*.1"))
    }


def _groups() -> Iterator[tuple[str, Any]]:
    yield "finplan", typer.main.get_command(root)
    for name, place in COMMANDS.items():
        app = place.load()
        yield name, typer.main.get_command(app)


def _of_help(named: tuple[str, Any]) -> Iterator[Shown]:
    name, command = named
    place = f"--help {name}"
    for number, line in enumerate(
        (command.epilog or "").replace("\b", "").strip().splitlines()[1:]
    ):
        yield Shown(place, number, without_remark(line.strip()), block=True)
    # What is said of a command names others.
    for number, code in enumerate(_INLINE.findall(" ".join((command.help or "").split()))):
        if re.match(r"finplan(?= |$)", code):
            yield Shown(place, number, code, block=False)
    if name == "finplan":
        return
    for each in getattr(command, "commands", {}).values():
        yield from _of_help((name, each))


def _name(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix().removeprefix("finplan/docs/")

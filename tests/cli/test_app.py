"""The root: every command is found, helped and kept quick."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
import typer

import finplan as finplan_package
from finplan import __version__
from finplan.cli.app import COMMANDS, root
from finplan.cli.commands.accounts import KindOption
from finplan.model.account import KindWord
from tests.cli.conftest import Run


def helps() -> list[tuple[str, ...]]:
    """The words of every command there is, groups too."""
    found: list[tuple[str, ...]] = [()]
    for name, place in COMMANDS.items():
        found.append((name,))
        app = place.load()
        group = typer.main.get_command(app)
        found += [(name, inner) for inner in getattr(group, "commands", {})]
    return found


@pytest.mark.parametrize("words", helps(), ids=" ".join)
def test_every_command_helps(finplan: Run, words: tuple[str, ...]) -> None:
    """Every command explains itself in 80 columns, and names the options that work everywhere."""
    ended = finplan(*words, "--help")
    assert (ended.code, ended.err) == (0, "")
    text = ended.out.decode()
    assert text.startswith(f"Usage: finplan {' '.join(words)}".rstrip())
    assert max(map(len, text.splitlines())) <= 80
    # What a group's commands are for is a whole sentence, however long.
    assert "..." not in text.partition("\nCommands:\n")[2]
    for option in ("--profile", "--demo", "--json", "--quiet"):
        assert text.count(f"\n  {option} ") == 1


@pytest.mark.parametrize("words", helps(), ids=" ".join)
def test_no_example_holds_a_made_up_id(finplan: Run, words: tuple[str, ...]) -> None:
    """Nobody has the id that an example would make up, so what is to be put in is written ID."""
    assert made_up_ids(finplan(*words, "--help").out.decode()) == []


def test_no_page_of_the_handbook_holds_a_made_up_id() -> None:
    """A command of the handbook is typed as it stands, or says ID where an id is meant."""
    for page in sorted(Path(finplan_package.__file__).parent.glob("docs/**/*.md")):
        assert made_up_ids(page.read_text()) == [], page.name


def made_up_ids(text: str) -> list[str]:
    """Words of the commands in a text that look like the beginning of an id, its kind before or not."""
    commands = "\n".join(line for line in text.splitlines() if "finplan " in line)
    known = "acc|app|dup|imp|inv|key|prf|reg|rule|ser|ses|task|tsk|trf|usr"
    mixed = r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{4}"
    return re.findall(rf"(?<![\w./-])(?:(?:{known})_[0-9a-z]{{4,}}|{mixed})(?![\w./-])", commands)


def test_made_up_ids_are_seen() -> None:
    """What the guard looks for is an id, and no word, day, port or number."""
    seen = "finplan sessions end 7k2m, undo task_k3f9 --each, rule_3a7c"
    assert made_up_ids(seen) == ["7k2m", "task_k3f9", "rule_3a7c"]
    seen = "A 401k.\nfinplan undo ID --to 2025-03 file.csv 8460 camt.053 over mt940.txt"
    assert made_up_ids(seen) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name: str) -> None:
    """The root's summary of a command is the first line of the command's own help."""
    app = COMMANDS[name].load()
    own_help = typer.main.get_command(app).help
    assert own_help is not None
    assert own_help.splitlines()[0] == COMMANDS[name].summary


def groups() -> list[str]:
    """The commands that have commands of their own."""
    return [name for name in COMMANDS if inner_commands(name)]


def inner_commands(name: str) -> set[str]:
    """The names of a group's commands; none for a command that is no group."""
    app = COMMANDS[name].load()
    return set(getattr(typer.main.get_command(app), "commands", {}))


@pytest.mark.parametrize("name", groups())
def test_a_summary_lists_commands_that_exist(name: str) -> None:
    """What a group's summary lists behind its colon is what can be typed."""
    listed = re.findall(r"[a-z]+", COMMANDS[name].summary.partition(": ")[2].partition(";")[0])
    assert set(listed) <= inner_commands(name)


def test_nothing_said_is_a_cry_for_help(finplan: Run) -> None:
    """Without a command the help is shown, on stdout and without a complaint."""
    assert finplan() == finplan("--help")


def test_the_version(finplan: Run) -> None:
    """--version prints name and version and nothing else."""
    ended = finplan("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"finplan {__version__}\n".encode(), "")


def test_the_root_has_no_name_of_its_own_twice() -> None:
    """Every command of the table exists under exactly one name."""
    places = [each.place for each in COMMANDS.values()]
    assert len(set(places)) == len(places)
    assert typer.main.get_command(root).list_commands(None) == list(COMMANDS)  # type: ignore[attr-defined]  # It is a group.


def test_kinds_are_those_of_the_interface() -> None:
    """The kinds of account that can be typed are those that the daemon takes."""
    assert get_args(KindOption) == get_args(KindWord)


def test_a_quick_start_leaves_httpx_whole() -> None:
    """What is spared at the start is httpx's own command line and nothing of its client."""
    code = (
        "from finplan.cli.console.quick import be_quick; be_quick(); import sys, httpx;"
        "print('click' in sys.modules, 'rich' in sys.modules, httpx.Client(verify=False).get.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False False get\n"


def test_a_quick_command_starts_with_its_own_shapes() -> None:
    """Asking for the accounts loads no other family of rows and no event loop."""
    code = (
        "import sys, finplan.cli.commands.accounts, finplan.client.client, finplan.operations.account;"
        "print('asyncio' in sys.modules,"
        " sorted(name for name in sys.modules if name.startswith('finplan.operations.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False ['finplan.operations.account']\n"
